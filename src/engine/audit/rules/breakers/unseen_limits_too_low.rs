//! `HR340 unseen-limits-too-low`: the limits are not in the text, and the defaults are too low.

use super::whole;
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding, RouteCx, RouteView, Traffic};
use crate::engine::phrases;
use crate::engine::queueing::erlang_b;
use crate::engine::read::config::{ClusterConfig, RoutingPriority};
use crate::engine::read::effective::effective_cluster;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display::{millis, number, rate};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR340",
        name: "unseen-limits-too-low",
        severity: Severity::Info,
        summary: "the route's cluster is not in the text, and default limits would be too low",
        rationale: "A route is half of the matter: what it leads to has limits, and where nobody set them these are \
                    1,024 requests and 3 retries at once in each proxy. Whether somebody did is not in the text; \
                    that the load needs more is.",
        sources: &[
            "envoy: config.cluster.v3.CircuitBreakers.Thresholds, defaults 1024 and 3",
            "projectcontour/contour#3493: the default of max-retries is Envoy's 3",
        ],
    },
    check: Check::Route(check),
};

fn check(cx: &RouteCx<'_>) -> Vec<Finding> {
    of_route(cx).into_iter().collect()
}

/// The default limits of what a route leads to, judged for the load of the route.
fn of_route(cx: &RouteCx<'_>) -> Option<Finding> {
    let [target] = cx.config.targets.as_slice() else { return None };
    let traffic = cx.traffic().filter(|_| cx.cluster.is_none() && cx.carries_requests() && !cx.is_patch())?;
    let mut config = ClusterConfig::default();
    config.origin.dialect = cx.dialect();
    let unseen = ClusterCx {
        configuration: cx.configuration,
        index: usize::MAX,
        config: &config,
        effective: effective_cluster(cx.configuration, &config, cx.facts.envoy_version),
        facts: cx.facts,
        routes: vec![RouteView { index: cx.index, config: cx.config, effective: cx.effective.clone() }],
    };
    let priority = cx.effective.priority.value;
    let said = requests(&unseen, traffic, priority).or_else(|| retries(&unseen, traffic))?;
    let finding = RULE
        .meta
        .found(
            &[said.field],
            &target.cluster.at,
            format!("{}, unless cluster {} has another limit", said.message, target.cluster.value),
        )
        .consequence(said.consequence)
        .help(format!("{}; paste what sets its limits to have it judged", said.help));
    Some(finding)
}

/// What is too low, in the words of a finding.
struct Said {
    field: &'static str,
    message: String,
    consequence: String,
    help: String,
}

fn requests(unseen: &ClusterCx<'_>, traffic: &Traffic, priority: RoutingPriority) -> Option<Said> {
    let sizing = unseen.sizing(priority)?;
    let limit = unseen.effective.limits(priority).max_requests.value;
    if limit >= sizing.window.floor {
        return None;
    }
    let s = &traffic.scenario;
    let (proxy, open) = (phrases::busiest_proxy(s), number(sizing.offered.0));
    let held = if s.protocol.streams() {
        format!("{proxy} holds {open} streams at peak, each in its slot for life")
    } else {
        let mean = millis(traffic.sizing.latency.mean_ms);
        format!("at {} × {mean} {proxy} has {open} in flight at peak", rate(sizing.client_rate))
    };
    let refused = phrases::refused(erlang_b::blocking(u64::from(limit), sizing.offered));
    Some(Said {
        field: "max_requests",
        message: format!(
            "`max_requests` {}, the default, is below the floor of {}",
            whole(limit),
            whole(sizing.window.floor)
        ),
        consequence: format!("{held}, and {refused} of that is refused"),
        help: format!("set `max_requests` of the cluster to {}", whole(sizing.window.chosen)),
    })
}

fn retries(unseen: &ClusterCx<'_>, traffic: &Traffic) -> Option<Said> {
    let retried = unseen.retried();
    let r = retried.first()?;
    let (limit, need) = (r.max_retries()?.value, r.need()?);
    let (_, sizing) = r.known()?;
    if need.at_once() <= u64::from(limit) || sizing.threshold.max_retries <= limit {
        return None;
    }
    let mean = need.outstanding();
    let refused = phrases::refused(erlang_b::blocking(u64::from(limit), crate::engine::units::Erlangs(mean)));
    let proxy = phrases::busiest_proxy(&traffic.scenario);
    Some(Said {
        field: "max_retries",
        message: format!(
            "`max_retries` {}, the default, is below the {} retries that a peak can have outstanding",
            whole(limit),
            whole(need.at_once() as f64)
        ),
        consequence: format!(
            "{} keeps {} retries outstanding in {proxy}; {refused} of them are refused, and their callers get the first error",
            need.product(),
            number(mean)
        ),
        help: r.recommendation(),
    })
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn proxy(rest: &str) -> String {
        format!(
            "apiVersion: projectcontour.io/v1\nkind: HTTPProxy\nmetadata: {{name: shop}}\nspec:\n  routes:\n  - services:\n    \
             - {{name: shop, port: 80}}\n{rest}"
        )
    }

    #[test]
    fn sockets_and_requests_meet_the_default_of_a_service_that_is_not_there() {
        // 2 streams a second that live 1,000 s; Erlang B of 1,024 slots at 2,000 erlangs is 49%.
        let held = "protocol=grpc_stream rps=2 stream_mean=1000 burst=1 skew=1 slowdown=1 retry_overhead=0 clients=1";
        let found = finding(&RULE, &proxy(""), held);
        assert!(
            found.message.starts_with("`max_requests` 1,024, the default, is below the floor of 2,"),
            "{}",
            found.message
        );
        assert!(found.message.ends_with("unless cluster shop has another limit"), "{}", found.message);
        assert!(found.consequence.starts_with("the proxy holds 2,000 streams"), "{}", found.consequence);
        assert!(found.consequence.ends_with("49% of that is refused"), "{}", found.consequence);
        assert_eq!(found.at.line(), 7);
        let requests = "rps=20000 mean=100 burst=1 skew=1 clients=1";
        assert!(finding(&RULE, &proxy(""), requests).consequence.contains("20,000\u{a0}req/s × 100\u{a0}ms"));
    }

    #[test]
    fn three_retries_are_too_few_for_twelve() {
        // 2,000 × 0.10 × (48 + 12) ms.
        let policy = "    retryPolicy: {count: 2, retryOn: [connect-failure]}\n";
        let rollout = "rps=2000 mean=48 burst=1 skew=1 clients=1 error_rate=0.1";
        let found = finding(&RULE, &proxy(policy), rollout);
        assert!(
            found.message.starts_with("`max_retries` 3, the default, is below the "),
            "{}",
            found.message
        );
        assert!(found.consequence.contains("keeps 12 retries outstanding"), "{}", found.consequence);
        assert!(!fires(&RULE, &proxy(policy), &rollout.replace("0.1", "0.001")));
        assert!(!fires(&RULE, &proxy(""), rollout));
    }

    #[test]
    fn silent_where_the_limits_are_there_or_unlimited() {
        let much = "rps=20000 mean=100 burst=1 skew=1 clients=1";
        let service = "---\napiVersion: v1\nkind: Service\nmetadata: {name: shop, annotations: {projectcontour.io/max-requests: \"9000\"}}\n";
        assert!(!fires(&RULE, &(proxy("") + service), much));
        let istio = "apiVersion: networking.istio.io/v1\nkind: VirtualService\nspec: {hosts: [a], http: [{route: [{destination: {host: a}}]}]}\n";
        assert!(!fires(&RULE, istio, much));
        assert!(!fires(&RULE, &proxy(""), ""));
    }
}
