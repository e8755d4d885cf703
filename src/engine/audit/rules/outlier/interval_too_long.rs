//! `HR424 interval-too-long`: ejected hosts wait long for the tick that brings them back.

use super::detection::Detection;
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding, Fix, Setting, Value};
use crate::engine::envoy::defaults;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::Millis;
use crate::engine::units::display::millis;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR424",
        name: "interval-too-long",
        severity: Severity::Info,
        summary: "a long `interval` keeps recovered hosts out and judges success rates late",
        rationale: "The interval is the clock of outlier detection: hosts return, and success rates and failure \
                    percentages are judged, at its ticks only. Consecutive failures eject at once, so that a long \
                    interval only delays the way back and the detectors that look at shares.",
        sources: &["envoy: config.cluster.v3.OutlierDetection.interval; un-ejection at ticks only"],
    },
    check: Check::Cluster(check),
};

/// Our choice: a minute more than asked for is what a team notices.
const LONG: Millis = Millis(60_000.0);

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    let Some(d) = Detection::of(cx).filter(|d| d.active().next().is_some()) else { return Vec::new() };
    let (interval, base) = (&d.set.interval, &d.set.base_ejection_time);
    // A base below the interval is said elsewhere.
    if interval.value <= LONG || base.value < interval.value {
        return Vec::new();
    }
    let shorter = d.recommended().map_or(defaults::OUTLIER_INTERVAL.0, |r| r.interval.0);
    let finding = RULE
        .meta
        .found(
            &["interval"],
            d.place(interval),
            format!("`interval` {} is a long tick", millis(interval.value)),
        )
        .consequence(format!(
            "an ejection of {} lasts up to {}, since hosts return at ticks only",
            millis(base.value),
            millis(base.value + interval.value)
        ))
        .help(format!("set `interval` to {}", millis(shorter)))
        .fix(Fix::set(
            format!("{} → {}", millis(interval.value), millis(shorter)),
            Setting::OutlierInterval,
            Value::Duration(shorter),
        ));
    vec![finding]
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn cluster(interval: &str) -> String {
        format!(
            "name: a\nconnect_timeout: 1s\noutlier_detection: {{interval: {interval}, base_ejection_time: 120s}}\n"
        )
    }

    #[test]
    fn fires_above_a_minute() {
        let found = finding(&RULE, &cluster("61s"), "");
        assert_eq!(found.message, "`interval` 61\u{a0}s is a long tick");
        assert!(found.consequence.contains("lasts up to 181\u{a0}s"), "{}", found.consequence);
        assert!(!fires(&RULE, &cluster("60s"), ""));
    }

    #[test]
    fn silent_where_the_base_is_shorter_still() {
        assert!(!fires(&RULE, &cluster("130s"), ""));
    }
}
