//! `HR423 ejection-below-interval`: ejections last until the next tick.

use super::detection::{Detection, default_end, default_mark};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Change, ClusterCx, Finding, Fix, Setting, Value};
use crate::engine::envoy::model;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display::millis;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR423",
        name: "ejection-below-interval",
        severity: Severity::Info,
        summary: "`base_ejection_time` is shorter than `interval`, which decides instead of it",
        rationale: "Ejected hosts return only at the ticks of `interval`: an ejection is rounded up to the next one. With \
                    a base below the interval it lasts somewhere between the two, whatever the base says, and its growth \
                    by one base an ejection is lost in the rounding.",
        sources: &["measured on Envoy 1.40: base 1 s and interval 0.3 s: out for 1.24, 2.09 and 3.00 s"],
    },
    check: Check::Cluster(check),
};

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    let Some(d) = Detection::of(cx).filter(|d| d.active().next().is_some()) else { return Vec::new() };
    let (base, interval) = (&d.set.base_ejection_time, &d.set.interval);
    if base.value >= interval.value {
        return Vec::new();
    }
    let finding = RULE
        .meta
        .found(
            &["base_ejection_time", "interval"],
            d.place(base),
            format!(
                "`base_ejection_time` {}{} is shorter than `interval` {}{}",
                millis(base.value),
                default_mark(base),
                millis(interval.value),
                default_end(interval),
            ),
        )
        .consequence(format!(
            "hosts return only at the ticks of the interval: an ejection lasts up to {}",
            millis(base.value + interval.value)
        ))
        .help("make the interval as short as the ejection, or the ejection as long as the interval")
        .maybe_fix(d.recommended().map(both));
    vec![finding]
}

fn both(r: &model::OutlierDetection) -> Fix {
    let (base, interval) = (r.base_ejection_time.0, r.interval.0);
    Fix::set(
        format!("{} and {}", millis(base), millis(interval)),
        Setting::BaseEjectionTime,
        Value::Duration(base),
    )
    .and(Change::Set(Setting::OutlierInterval, Value::Duration(interval)))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn cluster(outlier: &str) -> String {
        format!("name: a\nconnect_timeout: 1s\noutlier_detection: {{{outlier}}}\n")
    }

    #[test]
    fn fires_below_the_interval_and_not_at_it() {
        let found = finding(&RULE, &cluster("base_ejection_time: 1s"), "");
        assert_eq!(
            found.message,
            "`base_ejection_time` 1,000\u{a0}ms is shorter than `interval` 10\u{a0}s, a default"
        );
        assert!(found.consequence.ends_with("up to 11\u{a0}s"), "{}", found.consequence);
        assert!(!fires(&RULE, &cluster("base_ejection_time: 10s"), ""));
    }

    #[test]
    fn the_program_decides_the_interval() {
        // Envoy Gateway's interval is 3 s.
        let policy = "apiVersion: gateway.envoyproxy.io/v1alpha1\nkind: BackendTrafficPolicy\nmetadata: {name: a}\nspec:\n  \
                      targetRefs: [{group: gateway.networking.k8s.io, kind: HTTPRoute, name: a}]\n  \
                      healthCheck: {passive: {baseEjectionTime: 5s}}\n";
        assert!(!fires(&RULE, policy, ""));
    }
}
