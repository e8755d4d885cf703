//! `HR301 limit-below-floor`: `max_requests` refuses the healthy peak.

use super::{Limit, Wire, all_limits, is_judged, whole, wire};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding, Traffic};
use crate::engine::phrases;
use crate::engine::queueing::erlang_b;
use crate::engine::read::effective::EffectivePriority;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::sizing::PrioritySizing;
use crate::engine::units::Millis;
use crate::engine::units::display::{millis, number, rate};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR301",
        name: "limit-below-floor",
        severity: Severity::Error,
        summary: "`max_requests` is below the floor and refuses the healthy peak",
        rationale: "A limit without a queue is a loss system: what arrives while all slots are taken gets a 503 at \
                    once, however short the moment. The share follows from the offered load by Erlang's B formula, \
                    which a real Envoy confirms to a few tenths of a percent. A stream or an upgraded connection \
                    holds its slot for its whole life.",
        sources: &[
            "Erlang B; envoy: config.cluster.v3.CircuitBreakers.Thresholds.max_requests",
            "measured on Envoy 1.40: 20.5 erlangs, limits 15 to 30",
        ],
    },
    check: Check::Cluster(check),
};

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    // Raw connections are no requests.
    let counts = is_judged(cx) && wire(cx) != Some(Wire::Tcp);
    all_limits(cx).filter(|_| counts).filter_map(|limits| of_priority(cx, limits)).collect()
}

fn of_priority(cx: &ClusterCx<'_>, limits: &EffectivePriority) -> Option<Finding> {
    let (traffic, sizing) = (cx.traffic()?, cx.sizing(limits.priority)?);
    let limit = limits.max_requests.value;
    // What a zero does is said by `zero-limit`.
    if limit == 0 || limit >= sizing.window.floor {
        return None;
    }
    let (of, chosen) = (Limit::Requests, sizing.window.chosen);
    let message = format!("{} is below the floor of {}", of.stated(limits), whole(sizing.window.floor));
    let finding = RULE
        .meta
        .found(&["max_requests"], of.place(cx, limits), message)
        .consequence(consequence(cx, limits, traffic, sizing))
        .help(of.advice(cx, chosen))
        .fix(of.fix(limits, chosen));
    Some(finding)
}

fn consequence(
    cx: &ClusterCx<'_>,
    limits: &EffectivePriority,
    traffic: &Traffic,
    sizing: &PrioritySizing,
) -> String {
    let (s, limit) = (&traffic.scenario, limits.max_requests.value);
    let refused = |offered| phrases::refused(erlang_b::blocking(u64::from(limit), offered));
    let proxy = phrases::busiest_proxy(s);
    let subject = if s.protocol.streams() {
        let open = number(sizing.offered.0);
        format!("{proxy} holds {open} streams at peak, each in its slot for life, and refuses")
    } else {
        let at_once = number(sizing.offered.0);
        format!("{proxy} has {at_once} in flight at peak ({}) and refuses", arriving(sizing))
    };
    let slower = if sizing.offered_at_slowdown > sizing.offered {
        format!(
            ", {} once the upstream is {}",
            refused(sizing.offered_at_slowdown),
            phrases::as_slow(s.slowdown)
        )
    } else {
        String::new()
    };
    let waits = wire(cx) == Some(Wire::Http1) && limits.max_connections.value < limit;
    let queue = if waits {
        format!(
            "; for now `max_connections` {} makes requests wait before that",
            whole(limits.max_connections.value)
        )
    } else {
        String::new()
    };
    format!("{subject} {} of its peak traffic{slower}{queue}", refused(sizing.offered))
}

/// Little's law with its values put in: `400 req/s × 350 ms`.
fn arriving(sizing: &PrioritySizing) -> String {
    let mean = sizing.offered.0 / sizing.client_rate.0 * 1000.0;
    format!("{} × {}", rate(sizing.client_rate), millis(Millis(mean)))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, findings, fires};

    const WORKED: &str = "rps=500 mean=40 p50=35 clients=1 burst=1 skew=1 protocol=http1";

    fn cluster(max_requests: u32) -> String {
        format!("name: shop\ncircuit_breakers:\n  thresholds:\n  - max_requests: {max_requests}\n")
    }

    #[test]
    fn fires_below_the_floor_with_the_share_of_erlang_b() {
        // Erlang B with 10 slots: 53.8% at 20 erlangs, 80% at 50: twice the time, and a quarter of retries.
        let found = finding(&RULE, &cluster(10), WORKED);
        assert!(found.message.starts_with("`max_requests` 10 is below the floor of 3"), "{}", found.message);
        assert_eq!(
            found.consequence,
            "the proxy has 20 in flight at peak (500\u{a0}req/s × 40\u{a0}ms) and refuses 54% of its peak traffic, \
             80% once the upstream is twice as slow"
        );
        assert_eq!(found.at.line(), 4);
    }

    #[test]
    fn silent_at_the_floor_and_fires_one_below() {
        // B(38, 20) is 1.08e-4, B(39, 20) is 5.6e-5, at a tolerated 1e-4.
        assert!(!fires(&RULE, &cluster(39), WORKED));
        assert!(fires(&RULE, &cluster(38), WORKED));
    }

    #[test]
    fn silent_without_traffic_and_for_what_is_no_request() {
        assert!(!fires(&RULE, &cluster(1), "clients=100"));
        let tcp = "clusters:\n- {name: shop, connect_timeout: 1s}\nlisteners:\n- filter_chains:\n  - filters:\n    \
                   - {name: envoy.filters.network.tcp_proxy, typed_config: {stat_prefix: in, cluster: shop}}\n";
        assert!(!fires(&RULE, tcp, "protocol=grpc_stream rps=10 stream_mean=1000 clients=1"));
        // A patch says nothing of what it leaves alone.
        let patch = "apiVersion: networking.istio.io/v1alpha3\nkind: EnvoyFilter\nspec:\n  configPatches:\n  - applyTo: CLUSTER\n    \
                     patch: {operation: MERGE, value: {circuit_breakers: {thresholds: [{priority: HIGH, max_requests: 1}]}}}\n";
        assert!(!fires(&RULE, patch, WORKED));
    }

    #[test]
    fn each_priority_has_its_own_limit_and_its_own_load() {
        // Half of 20 erlangs each; B(24, 10) is 7.3e-5, B(23, 10) is 1.7e-4.
        let text = "name: shop\ncircuit_breakers:\n  thresholds:\n  - max_requests: 24\n  - {priority: HIGH, max_requests: 23}\n";
        let found = finding(&RULE, text, &format!("{WORKED} high_priority_share=0.5"));
        assert_eq!(found.message, "`max_requests` 23 for HIGH priority is below the floor of 24");
        assert_eq!(findings(&RULE, &cluster(5), &format!("{WORKED} high_priority_share=0.5")).len(), 1);
    }

    #[test]
    fn streams_are_counted_for_life() {
        // 5 streams a second that live 1,000 s: 5,000, and a quarter more.
        let inputs = "protocol=grpc_stream rps=5 stream_mean=1000 burst=1.25 skew=1 slowdown=1 retry_overhead=0 clients=1";
        let found = finding(&RULE, "{name: shop, connect_timeout: 1s}", inputs);
        assert!(
            found.message.starts_with("`max_requests` 1,024, a default, is below the floor of 6,"),
            "{}",
            found.message
        );
        assert!(
            found.consequence.starts_with("the proxy holds 6,250 streams at peak"),
            "{}",
            found.consequence
        );
        assert!(found.consequence.ends_with("refuses 84% of its peak traffic"), "{}", found.consequence);
    }
}
