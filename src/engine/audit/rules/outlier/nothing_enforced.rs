//! `HR405 nothing-enforced`: outlier detection is on and no detector may eject.

use super::detection::Detection;
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Change, ClusterCx, Finding, Fix, Setting, Value};
use crate::engine::rules::{RuleMeta, Severity};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR405",
        name: "nothing-enforced",
        severity: Severity::Warning,
        summary: "outlier detection is on, and none of its detectors may eject",
        rationale: "A detector acts only if its threshold is not zero and its `enforcing_…` percentage is above zero. \
                    With all of them off, Envoy keeps counting, the counters of detected outliers rise, and no host \
                    ever leaves.",
        sources: &["envoy: config.cluster.v3.OutlierDetection.enforcing_consecutive_5xx and its siblings"],
    },
    check: Check::Cluster(check),
};

// No number: what is missing has none.
fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    let Some(d) = Detection::of(cx).filter(|d| d.active().next().is_none()) else { return Vec::new() };
    let finding = RULE
        .meta
        .found(&["outlier_detection"], &d.text.block, "outlier detection is on and no detector may eject")
        .consequence("a host that answers nothing but errors stays in and keeps its share of the traffic")
        .help("enforce a detector, such as `consecutive_gateway_failure`, or leave the block out")
        .maybe_fix(fix(&d));
    vec![finding]
}

/// What the traffic asks for.
fn fix(d: &Detection<'_>) -> Option<Fix> {
    let r = d.recommended()?;
    let run = r.consecutive_gateway_failure;
    let fix = Fix::set(
        format!("Eject after {run} failures"),
        Setting::ConsecutiveGatewayFailure,
        Value::Count(u64::from(run)),
    );
    let enforced = u64::from(r.enforcing_consecutive_gateway_failure);
    Some(fix.and(Change::Set(Setting::EnforcingConsecutiveGatewayFailure, Value::Count(enforced))))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn cluster(outlier: &str) -> String {
        format!("name: shop\nconnect_timeout: 1s\noutlier_detection: {{{outlier}}}\n")
    }

    #[test]
    fn fires_with_all_of_them_off() {
        let found = finding(&RULE, &cluster("consecutive_5xx: 0, enforcing_success_rate: 0"), "");
        assert_eq!((found.at.line(), found.fix), (3, None));
        assert!(fires(&RULE, &cluster("enforcing_consecutive_5xx: 0, enforcing_success_rate: 0"), ""));
        let fix = finding(
            &RULE,
            &cluster("consecutive_5xx: 0, enforcing_success_rate: 0"),
            "rps=500 mean=40 clients=100 hosts=10",
        )
        .fix;
        assert_eq!(fix.unwrap().label, "Eject after 3 failures");
    }

    #[test]
    fn silent_while_one_is_on() {
        assert!(!fires(&RULE, &cluster(""), ""));
        assert!(!fires(&RULE, &cluster("consecutive_5xx: 0"), ""), "success rate is on by default");
        assert!(!fires(
            &RULE,
            &cluster("consecutive_5xx: 0, enforcing_success_rate: 0, enforcing_failure_percentage: 1"),
            ""
        ));
    }

    #[test]
    fn istio_never_compares_success_rates() {
        let rule = |set: &str| {
            format!(
                "apiVersion: networking.istio.io/v1\nkind: DestinationRule\nmetadata: {{name: a}}\nspec:\n  host: a\n  \
                 trafficPolicy:\n    outlierDetection: {{{set}}}\n"
            )
        };
        assert!(fires(&RULE, &rule("consecutive5xxErrors: 0"), ""));
        assert!(!fires(&RULE, &rule("consecutive5xxErrors: 0, consecutiveGatewayErrors: 5"), ""));
    }
}
