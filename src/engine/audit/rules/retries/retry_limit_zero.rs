//! `HR111 retry-limit-zero`: a route retries, and its cluster allows no retry.

use crate::engine::audit::retrying::Retried;
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding};
use crate::engine::rules::{RuleMeta, Severity};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR111",
        name: "retry-limit-zero",
        severity: Severity::Warning,
        summary: "a route asks for retries that a limit of zero refuses, all of them",
        rationale: "`max_retries` 0, or a budget of 0% with a floor of 0, is a real zero in Envoy: every retry is \
                    refused, the first error reaches the caller with the flag UO, and upstream_rq_retry_overflow \
                    counts each of them. That looks like an overload in the statistics and is none.",
        sources: &["envoy: config.cluster.v3.CircuitBreakers.Thresholds.max_retries; measured on 1.40"],
    },
    check: Check::Cluster(check),
};

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    cx.retried().iter().filter_map(of_priority).collect()
}

fn of_priority(r: &Retried<'_>) -> Option<Finding> {
    let retries = r.retries?;
    let what = if r.max_retries().is_some_and(|limit| limit.value == 0) {
        "`max_retries` 0"
    } else if r
        .budget()
        .is_some_and(|b| b.budget_percent.value.0 <= 0.0 && b.min_retry_concurrency.value == 0)
    {
        "a `retry_budget` of 0% with a floor of 0"
    } else {
        return None;
    };
    let finding = RULE
        .meta
        .found(
            &["max_retries", "num_retries"],
            r.limit_place(),
            format!("{what} refuses every retry, and a route asks for up to {retries} of a request"),
        )
        .consequence(
            "each failure reaches the caller with the flag UO and counts as upstream_rq_retry_overflow",
        )
        .help("leave the retry policy out where no retry is meant, or allow some")
        .maybe_fix(r.fix());
    Some(finding)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn shop(limits: &str, retries: u32) -> String {
        format!(
            "clusters:\n- name: shop\n  circuit_breakers: {{thresholds: [{{{limits}}}]}}\nroutes:\n\
             - match: {{prefix: /}}\n  route:\n    cluster: shop\n    \
             retry_policy: {{retry_on: connect-failure, num_retries: {retries}}}\n"
        )
    }

    #[test]
    fn fires_at_zero_and_silent_at_one() {
        let found = finding(&RULE, &shop("max_retries: 0", 2), "");
        assert_eq!(
            found.message,
            "`max_retries` 0 refuses every retry, and a route asks for up to 2 of a request"
        );
        assert!(!fires(&RULE, &shop("max_retries: 1", 2), ""));
        assert!(!fires(&RULE, &shop("max_retries: 0", 0), ""));
    }

    #[test]
    fn a_budget_of_nothing_is_zero_too() {
        let budget = |floor: u32| {
            shop(
                &format!("retry_budget: {{budget_percent: {{value: 0}}, min_retry_concurrency: {floor}}}"),
                1,
            )
        };
        assert!(finding(&RULE, &budget(0), "").message.starts_with("a `retry_budget` of 0%"));
        assert!(!fires(&RULE, &budget(1), ""));
    }
}
