//! `HR426 health-check-ends-ejections`: a passing health check brings an ejected host back.

use super::detection::Detection;
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding};
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display::millis;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR426",
        name: "health-check-ends-ejections",
        severity: Severity::Info,
        summary: "an active health check that passes ends an ejection at once",
        rationale: "Where a cluster has both, a passing active health check brings an ejected host back before its \
                    ejection time is over, unless `successful_active_health_check_uneject_host` is false. A host whose \
                    health page is fine while its requests fail then leaves and returns with every check.",
        sources: &[
            "envoy: config.cluster.v3.OutlierDetection.successful_active_health_check_uneject_host, default true",
        ],
    },
    check: Check::Cluster(check),
};

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    let Some(d) = Detection::of(cx).filter(|d| d.active().next().is_some()) else { return Vec::new() };
    let ends = &d.set.successful_active_health_check_uneject_host;
    let Some(checks) = cx.config.health_checks.as_ref().filter(|checks| checks.value > 0 && ends.value)
    else {
        return Vec::new();
    };
    // No fix: whether the health check knows better is for its author to say.
    let finding = RULE
        .meta
        .found(
            &["successful_active_health_check_uneject_host", "base_ejection_time"],
            d.place(ends),
            format!(
                "a passing health check ends an ejection before its {}",
                millis(d.set.base_ejection_time.value)
            ),
        )
        .consequence("a host whose health page is fine while its requests fail returns with the next check")
        .help(
            "set `successful_active_health_check_uneject_host` to false unless the check goes the way the requests go",
        )
        .related("the health check", &checks.at);
    vec![finding]
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn cluster(outlier: &str, checks: &str) -> String {
        format!("name: a\nconnect_timeout: 1s\noutlier_detection: {{{outlier}}}\nhealth_checks: [{checks}]\n")
    }

    const CHECK: &str = "{timeout: 1s, interval: 5s, tcp_health_check: {}}";

    #[test]
    fn fires_with_both() {
        let found = finding(&RULE, &cluster("", CHECK), "");
        assert_eq!(found.message, "a passing health check ends an ejection before its 30\u{a0}s");
        assert_eq!(found.related.len(), 1);
    }

    #[test]
    fn silent_with_one_of_them_or_the_switch() {
        assert!(!fires(&RULE, &cluster("", ""), ""));
        assert!(!fires(&RULE, &cluster("successful_active_health_check_uneject_host: false", CHECK), ""));
        assert!(!fires(&RULE, &cluster("consecutive_5xx: 0, enforcing_success_rate: 0", CHECK), ""));
    }
}
