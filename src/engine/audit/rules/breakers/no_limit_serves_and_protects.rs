//! `HR520 no-limit-serves-and-protects`: the distributed-limit trap, at the limit that was pasted.

use super::{Limit, Wire, is_judged, wire};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding};
use crate::engine::read::config::RoutingPriority;
use crate::engine::rules::{Context, RULES, RuleMeta, Severity};
use crate::engine::ways_out::ways;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR520",
        name: "no-limit-serves-and-protects",
        severity: Severity::Error,
        summary: "no `max_requests` of a proxy both serves the peak and protects the hosts",
        rationale: "The floor keeps the busiest proxy from refusing its healthy peak, the ceiling keeps the sum over the \
                    fleet below what the hosts survive. With many small proxies the floor, which has to cover chance, \
                    lies above the ceiling, and no number in this text can do both: the sum is known only where the \
                    traffic meets, at the hosts.",
        sources: &["envoy: circuit breakers count in each process", "A. K. Erlang (1917), loss formula"],
    },
    check: Check::Cluster(check),
};

/// The code of the same finding about a scenario.
const TRAP: &str = "HR501";

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    let counts = is_judged(cx) && wire(cx) != Some(Wire::Tcp);
    if counts { of_cluster(cx).into_iter().collect() } else { Vec::new() }
}

// No fix: no change of this text helps, which is what the finding says.
fn of_cluster(cx: &ClusterCx<'_>) -> Option<Finding> {
    let traffic = cx.traffic()?;
    let trap = RULES.iter().find(|rule| rule.meta.code == TRAP)?;
    let (scenario, sizing) = (&traffic.scenario, &traffic.sizing);
    let found = (trap.check)(&Context { scenario, sizing, ways: &ways(scenario, sizing) });
    let said = found.into_iter().next()?;
    let limits = cx.effective.limits(RoutingPriority::Default);
    // The recommended number is the least bad: it serves, and the way out lies elsewhere.
    let recommended = |p: RoutingPriority| {
        cx.sizing(p).is_none_or(|s| cx.effective.limits(p).max_requests.value == s.window.chosen)
    };
    let harm =
        if RoutingPriority::ALL.into_iter().all(recommended) { Severity::Info } else { Severity::Error };
    let finding =
        RULE.meta.found(&["max_requests"], Limit::Requests.place(cx, limits), said.message).severity(harm);
    Some(finding.consequence(said.consequence).help(said.help))
}

#[cfg(test)]
mod tests {
    use super::{RULE, Severity};
    use crate::engine::audit::rules::tests::{finding, fires};

    const TRAP: &str = "protocol=http2 rps=500 p50=35 p99=110 clients=130 hosts=11 host_concurrency=64";

    fn cluster(limit: u32) -> String {
        format!("name: shop\ncircuit_breakers:\n  thresholds:\n  - max_requests: {limit}\n")
    }

    #[test]
    fn fires_with_floor_and_ceiling() {
        // Floor 5; ten hosts that survive 64 each leave 4 for each of 130 proxies.
        let found = finding(&RULE, &cluster(4), TRAP);
        assert!(
            found
                .message
                .contains("floor 5, ceiling 4; 5 × 130 proxies is 650 in flight, and ten hosts survive 640"),
            "{}",
            found.message
        );
        assert_eq!((found.severity, found.at.line()), (Severity::Error, 4));
        assert!(found.help.contains("receiving proxy"), "{}", found.help);
    }

    #[test]
    fn the_recommended_number_is_no_error() {
        assert_eq!(finding(&RULE, &cluster(5), TRAP).severity, Severity::Info);
    }

    #[test]
    fn silent_where_a_limit_fits() {
        assert!(!fires(&RULE, &cluster(4), &TRAP.replace("130", "128")));
    }
}
