//! `HR501 distributed-limit-trap`: no limit per proxy both serves and protects.

use super::{Context, Finding, Rule, RuleMeta, Severity, fixes};
use crate::engine::analysis::Priority;
use crate::engine::phrases;
use crate::engine::queueing::erlang_b::blocking;
use crate::engine::sizing::PrioritySizing;
use crate::engine::units::display;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR501",
        name: "distributed-limit-trap",
        severity: Severity::Error,
        summary: "no limit per proxy both serves the peak and protects the hosts",
        rationale: "Envoy counts `max_requests` in each process, so the fleet as a whole may put as many times \
                    that number in flight as there are proxies. The floor keeps the busiest proxy from \
                    refusing its healthy peak, the ceiling keeps the sum below what the hosts survive. With \
                    many small proxies the floor, which has to cover chance, lies above the ceiling: one \
                    number cannot do both. The sum is only known where the traffic meets, at the hosts.",
        sources: &[
            "envoy: config.cluster.v3.CircuitBreakers, one set of counters per process",
            "A. K. Erlang (1917), loss formula",
        ],
    },
    check,
};

fn check(cx: &Context<'_>) -> Vec<Finding> {
    let shut = cx.sizing.priorities.iter().find(|p| p.window.is_shut());
    shut.and_then(|p| finding(cx, p)).into_iter().collect()
}

fn finding(cx: &Context<'_>, p: &PrioritySizing) -> Option<Finding> {
    let s = cx.scenario;
    let (floor, ceiling) = (p.window.floor, p.window.ceiling?);
    let survive = f64::from(s.hosts_left()) * s.host_concurrency?;
    let high = if p.threshold.priority == Priority::High { " for HIGH priority" } else { "" };
    let message = format!(
        "no `max_requests`{high} both serves and protects: floor {}, ceiling {}; {}, and {} {}",
        display::count(f64::from(floor)),
        display::count(f64::from(ceiling)),
        floors_together(cx),
        phrases::hosts_survive(s.hosts_left()),
        phrases::capacity(survive),
    );
    Some(
        RULE.meta
            .finding(&["clients", "hosts", "host_concurrency", "max_requests"], message)
            .consequence(either_way(cx, p, ceiling))
            .help(help(cx))
            .maybe_fix(fixes::hosts_with_room(cx)),
    )
}

/// The floors of all proxies: `5 × 130 proxies is 650 in flight`.
fn floors_together(cx: &Context<'_>) -> String {
    let s = cx.scenario;
    let floors: Vec<u32> = cx.sizing.priorities.iter().map(|p| p.window.floor).collect();
    let each: Vec<String> = floors.iter().map(|floor| display::count(f64::from(*floor))).collect();
    let each = if each.len() > 1 { format!("({})", each.join(" + ")) } else { each.concat() };
    let sum = floors.iter().map(|floor| f64::from(*floor)).sum::<f64>() * f64::from(s.clients);
    if s.clients == 1 {
        return format!("the healthy peak needs {} in flight", display::count(sum));
    }
    format!("{each} × {} is {} in flight", phrases::proxies(s.clients), display::count(sum))
}

/// What the floor and what the ceiling would do.
fn either_way(cx: &Context<'_>, p: &PrioritySizing, ceiling: u32) -> String {
    let proxy = phrases::busiest_proxy(cx.scenario);
    let refusal = if ceiling == 0 {
        format!("at 0 {proxy} refuses everything")
    } else {
        let refused = phrases::refused(blocking(u64::from(ceiling), p.offered));
        format!("at {} {proxy} refuses {refused} of its healthy peak", display::count(f64::from(ceiling)))
    };
    let floor = display::count(f64::from(p.window.floor));
    format!("at {floor} the sum of the limits no longer protects the hosts; {refusal}")
}

/// Every way out that a single change offers, then those that need another mechanism.
fn help(cx: &Context<'_>) -> String {
    let ways: Vec<String> = cx.ways.iter().map(|way| way.advice(cx.scenario)).collect();
    let ways = if ways.is_empty() { String::new() } else { format!("{}; or ", ways.join("; or ")) };
    let subset = if cx.scenario.clients == 1 { "" } else { "give each proxy a subset of the hosts; or " };
    format!("{ways}{subset}let the hosts limit themselves (adaptive concurrency)")
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::rules::tests::{finding, fires};

    #[test]
    fn fires_when_floor_is_one_above_ceiling() {
        // Floor 85, ceiling 84.
        assert!(fires(&RULE, "host_concurrency=24"));
    }

    #[test]
    fn silent_when_they_pass() {
        // Floor 85, ceiling 87.
        assert!(!fires(&RULE, "host_concurrency=25"));
    }

    #[test]
    fn silent_without_a_ceiling() {
        assert!(!fires(&RULE, "host_concurrency="));
    }

    #[test]
    fn says_it_with_the_numbers() {
        assert_eq!(
            finding(&RULE, "hosts=11 clients=130 rps=500 p50=35 p99=110 host_concurrency=64").message,
            "no `max_requests` both serves and protects: floor 5, ceiling 4; 5 × 130 proxies is 650 in flight, and ten hosts survive 640"
        );
    }
}
