//! `HR407 outlier-off`: no host can be spared, so none may be ejected.

use super::{Context, Finding, Rule, RuleMeta, Severity, fixes};
use crate::engine::phrases;
use crate::engine::sizing::outlier_detection;
use crate::engine::units::display;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR407",
        name: "outlier-off",
        severity: Severity::Warning,
        summary: "no host can be spared, so outlier detection is off",
        rationale: "Ejecting a host puts its load on the others. Where those could not carry the peak of a slow \
                    day, the first ejection starts a cascade: the next host fails under the load of the first.",
        sources: &["our rule: (hosts − k) × host_concurrency ≥ rps × burst × mean × slowdown"],
    },
    check,
};

fn check(cx: &Context<'_>) -> Vec<Finding> {
    let s = cx.scenario;
    if cx.sizing.outlier.is_some() || s.hosts < 2 {
        return Vec::new();
    }
    let message = match outlier_detection::ejectable(s, cx.sizing.latency.mean_ms) {
        0 => none_to_spare(cx),
        spare => too_coarse(s.hosts, spare),
    };
    let finding = RULE
        .meta
        .finding(&["hosts", "host_concurrency", "slowdown", "outlier_detection"], message)
        .consequence("a host that answers with errors stays in, and takes its share of the traffic")
        .help("add hosts until one can be spared, and check them actively (`health_checks`)")
        .maybe_fix(fixes::hosts_to_spare_one(cx));
    vec![finding]
}

fn none_to_spare(cx: &Context<'_>) -> String {
    let s = cx.scenario;
    let needed = cx.sizing.load.fleet_concurrency_at_peak.0 * s.slowdown;
    let slower = if s.slowdown > 1.0 {
        format!("the peak of an upstream {}", phrases::as_slow(s.slowdown))
    } else {
        "the peak".to_owned()
    };
    format!(
        "outlier detection is off: without one of them {} {} in flight, and {slower} takes {}",
        others_survive(s.hosts - 1),
        phrases::capacity(s.host_concurrency.unwrap_or_default() * f64::from(s.hosts - 1)),
        display::count(needed.ceil()),
    )
}

/// Envoy takes whole percentages only, and 1% of many hosts is more than can be spared.
fn too_coarse(hosts: u32, spare: u32) -> String {
    format!(
        "outlier detection is off: {} of {} hosts can be spared, and 1%, the least that can be set, is {}",
        display::words(spare),
        display::count(f64::from(hosts)),
        display::count(f64::from(hosts / 100)),
    )
}

/// `the other survives`, `the other seven survive`.
fn others_survive(n: u32) -> String {
    if n == 1 { "the other survives".to_owned() } else { format!("the other {} survive", display::words(n)) }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::rules::tests::{finding, fires};

    #[test]
    fn fires_when_seven_hosts_miss_the_slow_peak() {
        // 182 against 189.
        assert!(fires(&RULE, "host_concurrency=26"));
    }

    #[test]
    fn silent_when_they_just_carry_it() {
        // 189 against 188.2.
        assert!(!fires(&RULE, "host_concurrency=27"));
    }

    #[test]
    fn fires_when_one_percent_is_too_many() {
        let message = finding(&RULE, "rps=1186 hosts=1000 host_concurrency=0.373 envoy_version=1.30").message;
        // From 1.31 on, always_eject_one_host does what no percentage can.
        assert!(!fires(&RULE, "rps=1186 hosts=1000 host_concurrency=0.373 envoy_version=1.31"));
        assert_eq!(
            message,
            "outlier detection is off: two of 1,000 hosts can be spared, and 1%, the least that can be set, is 10"
        );
    }

    #[test]
    fn silent_with_one_host() {
        // Single-host-no-ejection says so.
        assert!(!fires(&RULE, "hosts=1 host_concurrency=26"));
    }

    #[test]
    fn says_it_with_the_numbers() {
        assert_eq!(
            finding(&RULE, "host_concurrency=26").message,
            "outlier detection is off: without one of them the other seven survive 182 in flight, and the peak of an upstream twice as slow takes 189"
        );
    }
}
