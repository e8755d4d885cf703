//! `HR318 one-limit-raised`: the limit that was raised is never reached.

use super::{Limit, Wire, all_limits, is_judged, whole, wire};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding};
use crate::engine::envoy::defaults;
use crate::engine::params::ParamId;
use crate::engine::read::effective::EffectivePriority;
use crate::engine::rules::{RuleMeta, Severity};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR318",
        name: "one-limit-raised",
        severity: Severity::Warning,
        summary: "one limit is raised and the other is left at its default, which binds first",
        rationale: "Every limit has a default of its own, and the lowest in the way of a request decides. On HTTP/1.1 a \
                    request needs a connection, so a high `max_requests` is never reached while `max_connections` is \
                    left at 1,024; and however many connections are allowed, `max_requests` left at 1,024 refuses \
                    the next request.",
        sources: &["envoy: config.cluster.v3.CircuitBreakers.Thresholds, each default 1024"],
    },
    check: Check::Cluster(check),
};

/// With traffic the rules that count it say which limit binds.
fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    let by_text = is_judged(cx) && cx.traffic().is_none() && wire(cx) != Some(Wire::Tcp);
    all_limits(cx).filter(|_| by_text).filter_map(|limits| of_priority(cx, limits)).collect()
}

fn of_priority(cx: &ClusterCx<'_>, limits: &EffectivePriority) -> Option<Finding> {
    let (c, r) = (Limit::Connections, Limit::Requests);
    let is_raised =
        |limit: Limit| !limit.of(limits).is_default() && limit.of(limits).value > defaults::MAX_REQUESTS;
    let is_left =
        |limit: Limit| limit.of(limits).is_default() && limit.of(limits).value == defaults::MAX_REQUESTS;
    let (raised, left, consequence) = if is_raised(r) && is_left(c) {
        (r, c, "HTTP/1.1 needs a connection for each request: the next one waits")
    } else if is_raised(c) && is_left(r) {
        (c, r, "the next request is refused, however many connections are allowed")
    } else {
        return None;
    };
    let default = whole(left.of(limits).value);
    let message =
        format!("{} is never reached: `{}` is {default}, a default", raised.stated(limits), left.name());
    let to = raised.of(limits).value;
    let finding = RULE
        .meta
        .found(&[raised.name(), left.name()], raised.place(cx, limits), message)
        .consequence(format!("with {default} in flight {consequence}"))
        .help(format!("{} as well", left.advice(cx, to)))
        .fix(left.fix(limits, to));
    match wire(cx) {
        _ if raised == c => Some(finding),
        Some(Wire::Http1) => Some(finding),
        // On HTTP/2 a thousand connections carry more requests than anybody allows.
        Some(_) => None,
        None => Some(finding.severity(Severity::Info).asks(ParamId::Protocol)),
    }
}

#[cfg(test)]
mod tests {
    use super::{RULE, Severity};
    use crate::engine::audit::rules::tests::{finding, fires};

    fn cluster(limits: &str) -> String {
        format!("name: shop\ncircuit_breakers:\n  thresholds:\n  - {{{limits}}}\n")
    }

    #[test]
    fn requests_without_connections_on_http1() {
        let found = finding(&RULE, &cluster("max_requests: 100000"), "");
        assert_eq!(
            found.message,
            "`max_requests` 100,000 is never reached: `max_connections` is 1,024, a default"
        );
        assert_eq!(found.fix.unwrap().label, "1,024 → 100,000");
        let http2 = format!("{}http2_protocol_options: {{}}\n", cluster("max_requests: 100000"));
        assert!(!fires(&RULE, &http2, ""));
    }

    #[test]
    fn connections_without_requests_on_either() {
        let found = finding(&RULE, &cluster("max_connections: 100000"), "protocol=http2");
        assert_eq!(
            found.message,
            "`max_connections` 100,000 is never reached: `max_requests` is 1,024, a default"
        );
        assert!(
            found.consequence.starts_with("with 1,024 in flight the next request is refused"),
            "{}",
            found.consequence
        );
    }

    #[test]
    fn silent_at_the_default_where_both_are_chosen_and_where_traffic_decides() {
        assert!(!fires(&RULE, &cluster("max_requests: 1024"), ""));
        assert!(fires(&RULE, &cluster("max_requests: 1025"), ""));
        assert!(!fires(&RULE, &cluster("max_requests: 100000, max_connections: 500"), ""));
        assert!(!fires(&RULE, &cluster("max_requests: 100000"), "rps=10 p50=10"));
    }

    #[test]
    fn a_mesh_without_limits_has_nothing_that_binds() {
        let rule = "apiVersion: networking.istio.io/v1\nkind: DestinationRule\nspec: {host: shop, trafficPolicy: {connectionPool: {tcp: {maxConnections: 9000}}}}\n";
        assert!(!fires(&RULE, rule, ""));
    }

    #[test]
    fn where_the_protocol_is_not_known_it_is_asked_for() {
        let policy = "apiVersion: gateway.envoyproxy.io/v1alpha1\nkind: BackendTrafficPolicy\nmetadata: {name: shop}\nspec: {circuitBreaker: {maxParallelRequests: 9000}}\n";
        let found = finding(&RULE, policy, "");
        assert_eq!(found.severity, Severity::Info);
        assert!(found.help.contains("set `max_connections` (`maxConnections`) to 9,000"), "{}", found.help);
    }
}
