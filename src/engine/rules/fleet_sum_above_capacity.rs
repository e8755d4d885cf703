//! `HR503 fleet-sum-above-capacity`: the limits of both priorities together overrun the hosts.

use super::{Context, Finding, Rule, RuleMeta, Severity, fixes};
use crate::engine::phrases;
use crate::engine::units::display;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR503",
        name: "fleet-sum-above-capacity",
        severity: Severity::Warning,
        summary: "the limits of both priorities together allow more than the hosts survive",
        rationale: "Each routing priority has its own counters, and both lead to the same hosts. A proxy at \
                    both limits puts their sum in flight, and the fleet that times its proxies. With one \
                    priority only, the distributed-limit trap says the same.",
        sources: &["envoy: config.cluster.v3.CircuitBreakers.Thresholds.priority"],
    },
    check,
};

fn check(cx: &Context<'_>) -> Vec<Finding> {
    let s = cx.scenario;
    let Some(each) = s.host_concurrency else { return Vec::new() };
    let survive = f64::from(s.hosts_left()) * each;
    let sum = phrases::fleet_limit(s, cx.sizing) as f64;
    if cx.sizing.priorities.len() < 2 || sum <= survive {
        return Vec::new();
    }
    let limits: Vec<String> =
        cx.sizing.priorities.iter().map(|p| display::count(f64::from(p.window.chosen))).collect();
    let message = format!(
        "`max_requests` of both priorities, {}, is {} in flight over {}; {} {}",
        limits.join(" + "),
        display::count(sum),
        phrases::proxies(s.clients),
        phrases::hosts_survive(s.hosts_left()),
        phrases::capacity(survive),
    );
    let finding = RULE
        .meta
        .finding(&["high_priority_share", "hosts", "clients", "host_concurrency"], message)
        .consequence(format!(
            "when both fill, each host holds {} instead of {}",
            display::number(sum / f64::from(s.hosts_left())),
            display::number(each)
        ))
        .help("add hosts, run fewer and larger proxies, or limit at the receiving proxy, where both meet")
        .maybe_fix(fixes::hosts_for_both_priorities(cx));
    vec![finding]
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::rules::tests::fires;

    #[test]
    fn fires_when_both_limits_together_overrun_the_hosts() {
        assert!(fires(&RULE, "high_priority_share=0.2 host_concurrency=24"));
    }

    #[test]
    fn silent_when_they_do_not() {
        assert!(!fires(&RULE, "high_priority_share=0.2 host_concurrency=60"));
    }

    #[test]
    fn silent_with_one_priority() {
        // Distributed-limit-trap says so.
        assert!(!fires(&RULE, "host_concurrency=24"));
    }
}
