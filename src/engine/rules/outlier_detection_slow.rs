//! `HR404 outlier-detection-slow`: a proxy sees too little of a host to judge it soon.

use super::{Context, Finding, Rule, RuleMeta, Severity};
use crate::engine::units::{Millis, display};

/// Our choice: after a minute active health checks and people have seen it too.
const SLOW: Millis = Millis(60_000.0);

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR404",
        name: "outlier-detection-slow",
        severity: Severity::Info,
        summary: "a proxy sees too little of a host to eject it soon",
        rationale: "Each proxy judges alone, from the requests it sends to a host itself. Where that is one in many \
                    seconds, a run of failures takes long, and until every proxy has had its run the host goes \
                    on failing requests.",
        sources: &["envoy: outlier detection keeps its state per process"],
    },
    check,
};

fn check(cx: &Context<'_>) -> Vec<Finding> {
    let e = &cx.sizing.ejection;
    let (Some(detection), Some(outlier)) = (e.detection_ms, &cx.sizing.outlier) else { return Vec::new() };
    if detection <= SLOW {
        return Vec::new();
    }
    let message = format!(
        "a proxy takes {} to eject a dead host: it sends one request every {} to each host, and {} in a row must fail",
        display::millis(detection),
        display::millis(Millis::from_secs(1.0 / e.rate_per_host.0)),
        display::count(f64::from(outlier.consecutive_gateway_failure)),
    );
    let lost = e.failures_until_all.map_or_else(String::new, |n| {
        format!("about {} requests fail until every proxy has ejected it", display::count(n))
    });
    let finding = RULE
        .meta
        .finding(&["rps", "clients", "hosts", "outlier_detection"], message)
        .consequence(lost)
        .help("check the hosts actively (`health_checks`), which does not depend on traffic");
    vec![finding]
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::rules::tests::{finding, fires};

    #[test]
    fn fires_above_a_minute() {
        assert!(fires(&RULE, "clients=1501"));
    }

    #[test]
    fn silent_below_a_minute() {
        assert!(!fires(&RULE, "clients=1499"));
    }

    #[test]
    fn says_it_with_the_numbers() {
        assert_eq!(
            finding(&RULE, "clients=2000 rps=50").message,
            "a proxy takes 16\u{a0}min to eject a dead host: it sends one request every 320\u{a0}s to each host, and 3 in a row must fail"
        );
    }
}
