//! `HR339 few-requests-held`: connections and queue together hold a handful of requests.

use super::{Limit, Wire, all_limits, is_judged, whole, wire};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding};
use crate::engine::params::ParamId;
use crate::engine::read::effective::EffectivePriority;
use crate::engine::rules::{RuleMeta, Severity};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR339",
        name: "few-requests-held",
        severity: Severity::Info,
        summary: "`max_connections` and `max_pending_requests` together hold a handful of requests",
        rationale: "On HTTP/1.1 a proxy holds as many requests of a cluster as it may open connections and queue: the \
                    next one is refused. The numbers of the well-known demonstrations, 1 and 1, are made to refuse, \
                    and are copied into services. Callers that come straight back after a refusal are refused again, \
                    so that the share of 503s says nothing about how much is missing.",
        sources: &[
            "istio.io: the task on circuit breaking, maxConnections 1 and http1MaxPendingRequests 1",
            "envoy: source/common/conn_pool/conn_pool_base.cc",
        ],
    },
    check: Check::Cluster(check),
};

/// More than this is a service's own number and not that of a demonstration: our choice.
const HANDFUL: u64 = 16;

/// With traffic the rules that count it say whether they are enough.
fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    let may_queue = matches!(wire(cx), None | Some(Wire::Http1));
    let by_text = is_judged(cx) && may_queue && cx.traffic().is_none();
    all_limits(cx).filter(|_| by_text).filter_map(|limits| of_priority(cx, limits)).collect()
}

// No fix: how many there will be is not in the text.
fn of_priority(cx: &ClusterCx<'_>, limits: &EffectivePriority) -> Option<Finding> {
    let [connections, pending, requests] = Limit::ALL.map(|limit| limit.of(limits));
    let held = u64::from(connections.value) + u64::from(pending.value);
    let written = !connections.is_default() && !pending.is_default();
    // Zeros have a rule of their own, and `max_requests` may refuse first.
    let is_zero = Limit::ALL.iter().any(|limit| limit.of(limits).value == 0);
    if !written || is_zero || held > HANDFUL || requests.value <= connections.value {
        return None;
    }
    let [run, wait] = [Limit::Connections, Limit::Pending].map(|limit| limit.stated(limits));
    let held = whole(held as f64);
    let finding = RULE
        .meta
        .found(
            &["max_connections", "max_pending_requests"],
            Limit::Pending.place(cx, limits),
            format!("{run} and {wait} hold {held} requests in all"),
        )
        .consequence(format!(
            "on HTTP/1.1 {} run, {} wait, and the next gets a 503 with the flag UO; only a connection in each pool, of a worker and a host, is always allowed",
            whole(connections.value),
            whole(pending.value)
        ))
        .help("for connections take the rate × the latency, and for the queue what arrives while a connection is set up; enter both")
        .asks(ParamId::Rps)
        .related("the connections", Limit::Connections.place(cx, limits));
    Some(finding)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn cluster(limits: &str) -> String {
        format!("name: shop\ncircuit_breakers:\n  thresholds:\n  - {{{limits}}}\n")
    }

    #[test]
    fn the_numbers_of_the_demonstration_hold_two() {
        let text = "apiVersion: networking.istio.io/v1\nkind: DestinationRule\nmetadata: {name: httpbin}\nspec:\n  host: httpbin\n  \
                    trafficPolicy:\n    connectionPool:\n      tcp: {maxConnections: 1}\n      http: {http1MaxPendingRequests: 1}\n";
        let found = finding(&RULE, text, "");
        assert_eq!(found.message, "`max_connections` 1 and `max_pending_requests` 1 hold 2 requests in all");
        assert!(found.consequence.starts_with("on HTTP/1.1 1 run, 1 wait"), "{}", found.consequence);
        assert_eq!(found.at.line(), 9);
        assert!(!fires(&RULE, text, "protocol=grpc"));
        assert!(!fires(&RULE, text, "protocol=http1 rps=5 mean=10"));
    }

    #[test]
    fn silent_above_a_handful_and_where_one_is_a_default() {
        let noted = |limits: &str| fires(&RULE, &cluster(limits), "");
        assert!(noted("max_connections: 10, max_pending_requests: 6"));
        assert!(!noted("max_connections: 10, max_pending_requests: 7"));
        assert!(!noted("max_connections: 5"));
        assert!(!noted("max_connections: 5, max_pending_requests: 0"));
        assert!(!noted("max_connections: 5, max_pending_requests: 5, max_requests: 5"));
        assert!(noted("max_connections: 5, max_pending_requests: 5, max_requests: 6"));
    }
}
