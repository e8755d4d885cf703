//! `HR414 detector-not-enforced`: a threshold is set and may not eject.

use super::detection::Detection;
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding, Fix, Setting, Value};
use crate::engine::read::Place;
use crate::engine::rules::{RuleMeta, Severity};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR414",
        name: "detector-not-enforced",
        severity: Severity::Warning,
        summary: "a threshold of outlier detection is set, and its detector never ejects",
        rationale: "Envoy enforces consecutive 5xx and success rates unless told otherwise, but gateway failures and \
                    failure percentages only if told so: their `enforcing_…` fields default to 0. A threshold alone \
                    only counts detected outliers and never takes a host out.",
        sources: &[
            "envoy: config.cluster.v3.OutlierDetection.enforcing_consecutive_gateway_failure, default 0",
            "measured on Envoy 1.40: detected_failure_percentage rises without ejections",
        ],
    },
    check: Check::Cluster(check),
};

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    let Some(d) = Detection::of(cx) else { return Vec::new() };
    let text = d.text;
    let gateway = Silent {
        field: "consecutive_gateway_failure",
        value: text.consecutive_gateway_failure.as_ref().map(|n| (n.value, &n.at)),
        enforcing_field: "enforcing_consecutive_gateway_failure",
        setting: Setting::EnforcingConsecutiveGatewayFailure,
        enforced: !d.set.enforcing_consecutive_gateway_failure.is_default(),
    };
    let part = Silent {
        field: "failure_percentage_threshold",
        value: text.failure_percentage_threshold.as_ref().map(|n| (n.value, &n.at)),
        enforcing_field: "enforcing_failure_percentage",
        setting: Setting::EnforcingFailurePercentage,
        // With either it was thought of.
        enforced: !d.set.enforcing_failure_percentage.is_default()
            || !d.set.enforcing_failure_percentage_local_origin.is_default(),
    };
    [gateway, part].iter().filter_map(Silent::finding).collect()
}

/// A threshold, and whether anybody said that it may eject.
struct Silent<'a> {
    field: &'static str,
    value: Option<(u32, &'a Place)>,
    enforcing_field: &'static str,
    setting: Setting,
    enforced: bool,
}

impl Silent<'_> {
    fn finding(&self) -> Option<Finding> {
        // Zero is off on purpose.
        let (value, at) = self.value.filter(|(value, _)| *value > 0 && !self.enforced)?;
        let (field, enforcing) = (self.field, self.enforcing_field);
        let finding = RULE
            .meta
            .found(
                &[field, enforcing],
                at,
                format!("`{field}` {value} ejects nothing: `{enforcing}` is 0, a default"),
            )
            .consequence("Envoy counts the outlier and leaves the host in")
            .help(format!("set `{enforcing}` to 100, or leave `{field}` out"))
            .fix(Fix::set("Enforce it", self.setting, Value::Count(100)));
        Some(finding)
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, findings, fires};

    fn cluster(outlier: &str) -> String {
        format!("name: a\nconnect_timeout: 1s\noutlier_detection: {{{outlier}}}\n")
    }

    #[test]
    fn fires_on_a_threshold_alone() {
        let found = finding(&RULE, &cluster("consecutive_gateway_failure: 3"), "");
        assert_eq!(
            found.message,
            "`consecutive_gateway_failure` 3 ejects nothing: `enforcing_consecutive_gateway_failure` is 0, a default"
        );
        let both = cluster("consecutive_gateway_failure: 3, failure_percentage_threshold: 50");
        assert_eq!(findings(&RULE, &both, "").len(), 2);
    }

    #[test]
    fn silent_where_it_is_enforced_or_switched_off_on_purpose() {
        for set in [
            "",
            "consecutive_gateway_failure: 3, enforcing_consecutive_gateway_failure: 100",
            "consecutive_gateway_failure: 3, enforcing_consecutive_gateway_failure: 0",
            "consecutive_gateway_failure: 0",
            "consecutive_5xx: 3",
        ] {
            assert!(!fires(&RULE, &cluster(set), ""), "{set}");
        }
    }
}
