//! `HR316 refuses-instead-of-queueing`: `max_requests` is the wrong lever to make requests wait.

use super::{Limit, Wire, all_limits, are_held, is_judged, whole, wire};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding};
use crate::engine::params::ParamId;
use crate::engine::read::effective::EffectivePriority;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display::number;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR316",
        name: "refuses-instead-of-queueing",
        severity: Severity::Warning,
        summary: "`max_requests` refuses at once; only `max_connections` makes requests wait",
        rationale: "Envoy checks `max_requests` when it attaches a request to a connection, on arrival and again when \
                    the request leaves the queue, and answers 503 at once. The queue of `max_pending_requests` fills \
                    only while connections are busy or being opened. With more connections than requests allowed, \
                    nothing waits for its turn, however long the queue may be.",
        sources: &[
            "envoy: source/common/conn_pool/conn_pool_base.cc; envoyproxy/envoy#16610",
            "measured on Envoy 1.40: 40 at once against max_requests 5 open 36 connections",
        ],
    },
    check: Check::Cluster(check),
};

/// So few at once are meant as so many workers, and not as a limit on an overload: our choice.
const FEW: u32 = 10;

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    // What is not known may be HTTP/1.1.
    let may_queue = matches!(wire(cx), None | Some(Wire::Http1));
    let queues = is_judged(cx) && may_queue && !are_held(cx);
    all_limits(cx).filter(|_| queues).filter_map(|limits| of_priority(cx, limits)).collect()
}

// No fix: whether requests should wait or be refused is for a person to say.
fn of_priority(cx: &ClusterCx<'_>, limits: &EffectivePriority) -> Option<Finding> {
    let [connections, pending, requests] = Limit::ALL.map(|limit| limit.of(limits));
    let bound = requests.value;
    if requests.is_default() || bound == 0 || bound >= connections.value || pending.value == 0 {
        return None;
    }
    let message =
        format!("{} refuses what is above it and makes nothing wait", Limit::Requests.stated(limits));
    let finding =
        RULE.meta.found(&["max_requests", "max_connections"], Limit::Requests.place(cx, limits), message);
    let advice = format!(
        "to make requests wait, set `max_connections` to {} and leave `max_requests` above it; a longer queue changes nothing",
        whole(bound)
    );
    let queue = format!("the queue of {} stays empty", whole(pending.value));
    if let Some(sizing) = cx.sizing(limits.priority) {
        let (offered, bound) = (sizing.offered.0, f64::from(bound));
        let refused = format!(
            "at the peak {} of {} in flight are refused at once, and {queue}",
            number(offered - bound),
            number(offered)
        );
        let is_too_low = offered > bound && bound < f64::from(sizing.window.floor);
        return is_too_low.then(|| finding.consequence(refused).help(advice));
    }
    // Without traffic only what was written says that a queue was expected.
    let long_queue = !pending.is_default() && pending.value > bound;
    let spare_connections = !connections.is_default() && connections.value / 10 >= bound;
    let few = bound <= FEW && pending.is_default() && connections.is_default();
    (long_queue || spare_connections || few).then(|| {
        let text =
            format!("with {} in flight the next request gets a 503 at once, and {queue}", whole(bound));
        finding.severity(Severity::Info).consequence(text).help(advice).asks(ParamId::Rps)
    })
}

#[cfg(test)]
mod tests {
    use super::{RULE, Severity};
    use crate::engine::audit::rules::tests::{finding, fires};

    fn cluster(limits: &str) -> String {
        format!("name: shop\ncircuit_breakers:\n  thresholds:\n  - {{{limits}}}\n")
    }

    #[test]
    fn half_of_six_are_refused_while_the_queue_is_empty() {
        let text = cluster("max_connections: 0xffffffff, max_requests: 3, max_pending_requests: 1024");
        let found = finding(&RULE, &text, "protocol=http1 rps=2 mean=3000 p50=2900 burst=1 skew=1 clients=1");
        assert_eq!(found.message, "`max_requests` 3 refuses what is above it and makes nothing wait");
        assert_eq!(
            found.consequence,
            "at the peak 3 of 6 in flight are refused at once, and the queue of 1,024 stays empty"
        );
        assert!(
            found.help.starts_with("to make requests wait, set `max_connections` to 3"),
            "{}",
            found.help
        );
    }

    #[test]
    fn silent_where_the_load_fits_and_fires_just_above() {
        let text = cluster("max_requests: 20, max_pending_requests: 100");
        let at = |rps: f64| format!("protocol=http1 rps={rps} mean=40 p50=35 burst=1 skew=1 clients=1");
        assert!(!fires(&RULE, &text, &at(500.0)));
        assert!(fires(&RULE, &text, &at(501.0)));
    }

    #[test]
    fn the_text_alone_is_worth_a_note_where_it_expects_a_queue() {
        let noted = |limits: &str| fires(&RULE, &cluster(limits), "");
        assert_eq!(
            finding(&RULE, &cluster("max_requests: 4, max_pending_requests: 5"), "").severity,
            Severity::Info
        );
        assert!(!noted("max_requests: 4, max_pending_requests: 4"));
        assert!(noted("max_requests: 4, max_connections: 40"));
        assert!(!noted("max_requests: 4, max_connections: 39"));
        // A few at once, and nothing else said.
        assert!(noted("max_requests: 10"));
        assert!(!noted("max_requests: 11"));
        // One request a connection: the queue forms before anything is refused.
        assert!(!noted("max_requests: 4, max_connections: 4, max_pending_requests: 50"));
    }

    #[test]
    fn where_the_protocol_is_not_known_it_may_be_http1() {
        let text = "apiVersion: networking.istio.io/v1\nkind: DestinationRule\nmetadata: {name: a}\n\
                    spec: {host: a, trafficPolicy: {connectionPool: {http: {http2MaxRequests: 1}}}}\n";
        let found = finding(&RULE, text, "");
        assert!(found.consequence.starts_with("with 1 in flight the next request gets a 503 at once"));
        assert_eq!(found.severity, Severity::Info);
        assert!(!fires(&RULE, text, "protocol=grpc"));
    }

    #[test]
    fn silent_on_http2() {
        let text =
            format!("{}http2_protocol_options: {{}}\n", cluster("max_requests: 4, max_pending_requests: 50"));
        assert!(!fires(&RULE, &text, ""));
    }
}
