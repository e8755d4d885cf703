//! `HR320 limit-below-slowdown`: a slower upstream fills the limit, and the healthy traffic is refused.

use super::{Limit, Wire, all_limits, is_judged, longest_hold, whole, wire};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding, Traffic};
use crate::engine::params::ParamId;
use crate::engine::phrases;
use crate::engine::queueing::erlang_b;
use crate::engine::read::effective::EffectivePriority;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::sizing::PrioritySizing;
use crate::engine::units::Rate;
use crate::engine::units::display::{millis, number, rate};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR320",
        name: "limit-below-slowdown",
        severity: Severity::Warning,
        summary: "`max_requests` serves the peak, but not an upstream that gets slower",
        rationale: "By Little's law a limit of slots serves slots divided by latency: an upstream ten times as slow \
                    leaves a tenth of the capacity while just as much arrives. The limit fills and refuses, and \
                    callers that repeat what was refused keep it full: the outage latches. More slots alone give a \
                    slow upstream more work at once; a timeout that ends the wait comes first.",
        sources: &[
            "J. D. C. Little (1961); Erlang B",
            "ar-io/ar-io-node#841: pinned at 1,024 until a restart",
        ],
    },
    check: Check::Cluster(check),
};

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    let counts = is_judged(cx) && wire(cx) != Some(Wire::Tcp);
    all_limits(cx).filter(|_| counts).filter_map(|limits| of_priority(cx, limits)).collect()
}

fn of_priority(cx: &ClusterCx<'_>, limits: &EffectivePriority) -> Option<Finding> {
    let (traffic, sizing) = (cx.traffic()?, cx.sizing(limits.priority)?);
    let (of, limit) = (Limit::Requests, limits.max_requests.value);
    // Below the floor the peak itself is refused, which is worse and said by `limit-below-floor`.
    if limit < sizing.window.floor || limit >= sizing.window.chosen {
        return None;
    }
    let s = &traffic.scenario;
    let needed = number(sizing.offered_at_slowdown.0);
    let whom = if s.slowdown > 1.0 {
        format!("an upstream {} needs", phrases::as_slow(s.slowdown))
    } else {
        "the peak and its retries need".to_owned()
    };
    let message = if f64::from(limit) < sizing.offered_at_slowdown.0 {
        format!("{} is below the {needed} in flight that {whom}", of.stated(limits))
    } else {
        format!("{} leaves too little above the {needed} in flight that {whom}", of.stated(limits))
    };
    let finding = RULE
        .meta
        .found(&["max_requests"], of.place(cx, limits), message)
        .consequence(consequence(traffic, sizing, limit))
        .fix(of.fix(limits, sizing.window.chosen));
    Some(with_help(cx, traffic, finding, &of.advice(cx, sizing.window.chosen)))
}

fn consequence(traffic: &Traffic, sizing: &PrioritySizing, limit: u32) -> String {
    let s = &traffic.scenario;
    let refused = phrases::refused(erlang_b::blocking(u64::from(limit), sizing.offered_at_slowdown));
    let mean = traffic.sizing.latency.mean_ms;
    let slow = mean * s.slowdown;
    let served = |latency: crate::engine::units::Millis| Rate(f64::from(limit) / latency.as_secs());
    let then = served(slow);
    if s.protocol.streams() || s.slowdown <= 1.0 || then.0 >= sizing.client_rate.0 {
        return format!("{} refuses {refused} then", phrases::busiest_proxy(s));
    }
    format!(
        "{} slots serve {} at {} and {} at {}, while {} arrive: {refused} is refused, and callers that repeat it keep the limit full",
        whole(limit),
        rate(served(mean)),
        millis(mean),
        rate(then),
        millis(slow),
        rate(sizing.client_rate),
    )
}

/// First an end to the wait, then more slots, if the hosts can bear them.
fn with_help(cx: &ClusterCx<'_>, traffic: &Traffic, finding: Finding, advice: &str) -> Finding {
    let route = traffic.sizing.timeouts.route_ms;
    let waits = route.0 > 0.0 && longest_hold(cx).is_none_or(|hold| hold > route);
    let first = if waits {
        format!("end the wait with a route `timeout` of {}, then ", millis(route))
    } else {
        String::new()
    };
    if cx.facts.host_concurrency.is_some() {
        return finding.help(format!("{first}{advice}"));
    }
    finding.help(format!("{first}{advice}, if the hosts survive that many")).asks(ParamId::HostConcurrency)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    const SLOW: &str =
        "protocol=http1 rps=3000 mean=200 p50=180 slowdown=10 retry_overhead=0 burst=1 skew=1 clients=1";

    #[test]
    fn capacity_falls_with_latency() {
        let found = finding(&RULE, "{name: shop, connect_timeout: 1s}", SLOW);
        assert_eq!(
            found.message,
            "`max_requests` 1,024, a default, is below the 6,000 in flight that an upstream 10 times as slow needs"
        );
        assert!(
            found.consequence.starts_with("1,024 slots serve 5,120\u{a0}req/s at 200\u{a0}ms and 512\u{a0}req/s at 2,000\u{a0}ms, while 3,000\u{a0}req/s arrive: 83% is refused"),
            "{}",
            found.consequence
        );
        assert!(found.help.starts_with("end the wait with a route `timeout`"), "{}", found.help);
    }

    #[test]
    fn fires_between_the_floor_and_what_is_recommended() {
        // 20 erlangs and 50 in the slowdown: B(39, 20) and B(77, 50) are the first below 1e-4.
        let at = |limit: u32| {
            let text = format!("name: shop\ncircuit_breakers: {{thresholds: [{{max_requests: {limit}}}]}}\n");
            fires(&RULE, &text, "protocol=http2 rps=500 mean=40 p50=35 burst=1 skew=1 clients=1")
        };
        assert_eq!([38, 39, 76, 77].map(at), [false, true, true, false]);
    }

    #[test]
    fn silent_where_the_hosts_allow_no_more() {
        // Floor 5, ceiling 5: what was recommended without them does not count.
        let text = "name: shop\ncircuit_breakers: {thresholds: [{max_requests: 5}]}\n";
        assert!(!fires(
            &RULE,
            text,
            "protocol=http2 rps=500 p50=35 p99=110 clients=100 hosts=10 host_concurrency=64"
        ));
    }
}
