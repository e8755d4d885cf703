//! `HR415 enforced-in-part`: a detected outlier is ejected only sometimes.

use super::detection::{Detection, Detector};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding, Fix, Value};
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display::{count, number};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR415",
        name: "enforced-in-part",
        severity: Severity::Warning,
        summary: "an `enforcing_…` percentage below 100 lets detected outliers stay in",
        rationale: "Each time a detector finds an outlier, Envoy rolls dice with the `enforcing_…` percentage. A host that \
                    is let off starts a new run or waits for the next interval, so that at 10% a dead host is found \
                    ten times before it leaves. The field is meant for trying a detector out.",
        sources: &[
            "envoy: config.cluster.v3.OutlierDetection.enforcing_consecutive_5xx",
            "measured on Envoy 1.40: the run starts anew after each detection",
        ],
    },
    check: Check::Cluster(check),
};

/// From here on a second detection is as good as never needed.
const RARELY: u32 = 50;

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    let Some(d) = Detection::of(cx) else { return Vec::new() };
    d.active().filter(|a| a.enforcing.value < 100).map(|a| finding(&d, &a)).collect()
}

fn finding(d: &Detection<'_>, of: &Detector<'_>) -> Finding {
    let (field, enforced) = (of.enforcing_field, of.enforcing.value);
    let detections = 100.0 / f64::from(enforced);
    let run = of.threshold.filter(|_| of.in_a_row).map(|t| f64::from(t.value));
    let until = match run {
        Some(run) => format!(
            "a dead host is let off {}% of the time and then fails another {} in a row: {} on average until it leaves",
            100 - enforced,
            count(run),
            number(run * detections),
        ),
        None => format!(
            "a dead host is let off {}% of the time until the next interval: it takes {} intervals on average",
            100 - enforced,
            number(detections),
        ),
    };
    let fix =
        of.enforcing_setting.map(|setting| Fix::set(format!("{enforced} → 100"), setting, Value::Count(100)));
    RULE.meta
        .found(
            &[field],
            d.place(of.enforcing),
            format!("`{field}` {enforced}: {} in 100 outliers stay in", 100 - enforced),
        )
        .severity(if enforced >= RARELY { Severity::Info } else { Severity::Warning })
        .consequence(until)
        .help(format!("set `{field}` to 100, or to 0 while the detector is tried out"))
        .maybe_fix(fix)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};
    use crate::engine::rules::Severity;

    fn cluster(outlier: &str) -> String {
        format!("name: a\nconnect_timeout: 1s\noutlier_detection: {{{outlier}}}\n")
    }

    #[test]
    fn says_how_many_failures_it_takes() {
        let found = finding(&RULE, &cluster("consecutive_5xx: 5, enforcing_consecutive_5xx: 10"), "");
        assert_eq!(found.message, "`enforcing_consecutive_5xx` 10: 90 in 100 outliers stay in");
        assert!(found.consequence.contains("another 5 in a row: 50 on average"), "{}", found.consequence);
        assert_eq!((found.severity, found.fix.unwrap().label.as_str()), (Severity::Warning, "10 → 100"));
    }

    #[test]
    fn nearly_always_is_a_note() {
        let found = finding(&RULE, &cluster("enforcing_consecutive_5xx: 99"), "");
        assert_eq!(found.severity, Severity::Info);
        assert_eq!(finding(&RULE, &cluster("enforcing_consecutive_5xx: 50"), "").severity, Severity::Info);
        assert_eq!(finding(&RULE, &cluster("enforcing_consecutive_5xx: 49"), "").severity, Severity::Warning);
    }

    #[test]
    fn silent_at_both_ends_and_where_it_is_off_anyway() {
        assert!(!fires(&RULE, &cluster("enforcing_consecutive_5xx: 100"), ""));
        assert!(!fires(&RULE, &cluster("enforcing_consecutive_5xx: 0"), ""));
        assert!(!fires(&RULE, &cluster("consecutive_5xx: 0, enforcing_consecutive_5xx: 50"), ""));
    }
}
