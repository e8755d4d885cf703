//! `HR314 queue-outlasts-caller`: `max_pending_requests` is a queue longer than the caller waits.

use super::{Limit, Wire, all_limits, are_held, is_judged, longest_hold, whole, wire};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding, Traffic};
use crate::engine::read::effective::EffectivePriority;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::sizing::PrioritySizing;
use crate::engine::units::Millis;
use crate::engine::units::display::{millis, rate};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR314",
        name: "queue-outlasts-caller",
        severity: Severity::Warning,
        summary: "`max_pending_requests` is a queue longer than the caller waits",
        rationale: "Once all connections are busy, requests queue. They fill when the upstream has become so slow that \
                    it completes no more than arrives, so a full queue takes its length divided by the arrival rate \
                    to drain. What stands further back than the caller waits is served for nobody: a longer queue \
                    only turns fast failures into slow ones and hides the overload.",
        sources: &[
            "J. D. C. Little (1961): waiting time = length of the queue / rate through it",
            "envoy: config.cluster.v3.CircuitBreakers.Thresholds.max_pending_requests",
        ],
    },
    check: Check::Cluster(check),
};

/// Streams that a server allows on one connection where nobody says: RFC 9113 recommends no fewer.
const ASSUMED_PEER_STREAMS: u32 = 100;

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    let queues = is_judged(cx) && !are_held(cx);
    all_limits(cx).filter(|_| queues).filter_map(|limits| of_priority(cx, limits)).collect()
}

fn of_priority(cx: &ClusterCx<'_>, limits: &EffectivePriority) -> Option<Finding> {
    let (traffic, sizing) = (cx.traffic()?, cx.sizing(limits.priority)?);
    let (of, pending) = (Limit::Pending, limits.max_pending_requests.value);
    let deadline = traffic.sizing.timeouts.deadline_ms?;
    let wait = Millis::from_secs(f64::from(pending) / sizing.client_rate.0);
    if wait <= deadline
        || pending <= sizing.threshold.max_pending_requests
        || !can_queue(cx, limits, traffic, sizing)?
    {
        return None;
    }
    let served = sizing.client_rate.arrivals_in(deadline).floor();
    let arriving = rate(sizing.client_rate);
    let to = sizing.threshold.max_pending_requests;
    let message = if pending == u32::MAX {
        format!("{} is a queue without an end", of.stated(limits))
    } else {
        format!("{} is a queue of {} at {arriving}", of.stated(limits), millis(wait))
    };
    let finding = RULE
        .meta
        .found(&["max_pending_requests"], of.place(cx, limits), message)
        .consequence(format!("the caller leaves after {}: what stands behind the first {} is served for nobody, and the overload is hidden", millis(deadline), whole(served)))
        .help(format!("{}: that holds what arrives while a connection is set up", of.advice(cx, to)))
        .fix(of.fix(limits, to));
    // A default that nobody chose is worth a word, no more.
    let harm = if limits.max_pending_requests.is_default() { Severity::Info } else { Severity::Warning };
    Some(finding.severity(harm))
}

/// Whether connections can all be busy before `max_requests` refuses and before timeouts free them.
fn can_queue(
    cx: &ClusterCx<'_>,
    limits: &EffectivePriority,
    traffic: &Traffic,
    sizing: &PrioritySizing,
) -> Option<bool> {
    let connections = u64::from(limits.max_connections.value);
    let slots = match wire(cx)? {
        Wire::Tcp => return None,
        Wire::Http1 => connections,
        Wire::Multiplexed => {
            let streams = cx.effective.max_concurrent_streams.value.min(ASSUMED_PEER_STREAMS);
            connections.max(traffic.scenario.n_pools()).saturating_mul(streams.into())
        }
    };
    let reached = longest_hold(cx).is_none_or(|hold| sizing.client_rate.arrivals_in(hold) >= slots as f64);
    Some(slots <= u64::from(limits.max_requests.value) && reached)
}

#[cfg(test)]
mod tests {
    use super::{RULE, Severity};
    use crate::engine::audit::rules::tests::{finding, fires};

    const INGRESS: &str = "protocol=http1 rps=5000 mean=50 p50=40 deadline_ms=200 clients=1 burst=1 skew=1";

    fn cluster(connections: u32, pending: u32, requests: u32) -> String {
        format!(
            "name: shop\ncircuit_breakers:\n  thresholds:\n  - max_connections: {connections}\n    max_pending_requests: {pending}\n    max_requests: {requests}\n"
        )
    }

    #[test]
    fn fires_with_the_wait_and_with_what_is_served_in_time() {
        // 20,000 at 5,000 a second; 5,000 a second for 0.2 s.
        let found = finding(&RULE, &cluster(20_000, 20_000, 20_000), INGRESS);
        assert_eq!(
            found.message,
            "`max_pending_requests` 20,000 is a queue of 4,000\u{a0}ms at 5,000\u{a0}req/s"
        );
        assert!(found.consequence.contains("behind the first 1,000"), "{}", found.consequence);
        assert_eq!((found.at.line(), found.severity), (5, Severity::Warning));
    }

    #[test]
    fn silent_at_what_the_caller_waits_for() {
        assert!(!fires(&RULE, &cluster(20_000, 1_000, 20_000), INGRESS));
        assert!(fires(&RULE, &cluster(20_000, 1_001, 20_000), INGRESS));
    }

    #[test]
    fn silent_where_no_queue_can_form() {
        // `max_requests` refuses first.
        assert!(!fires(&RULE, &cluster(20_000, 20_000, 19_999), INGRESS));
        // 15 s, the default route timeout, leave 75,000 in flight at most.
        assert!(fires(&RULE, &cluster(75_000, 20_000, 80_000), INGRESS));
        assert!(!fires(&RULE, &cluster(75_001, 20_000, 80_000), INGRESS));
        // A hundred streams a connection.
        assert!(!fires(&RULE, &cluster(20_000, 20_000, 20_000), &INGRESS.replace("http1", "http2")));
    }

    #[test]
    fn a_default_is_only_noted() {
        let found = finding(&RULE, "{name: shop, connect_timeout: 1s}", INGRESS);
        assert!(
            found.message.starts_with("`max_pending_requests` 1,024, a default, is a queue of 205\u{a0}ms"),
            "{}",
            found.message
        );
        assert_eq!(found.severity, Severity::Info);
    }
}
