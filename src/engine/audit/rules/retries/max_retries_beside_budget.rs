//! `HR115 max-retries-beside-budget`: a `retry_budget` makes Envoy ignore `max_retries`.

use crate::engine::audit::retrying::Retried;
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Change, ClusterCx, Finding, Fix, Setting};
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR115",
        name: "max-retries-beside-budget",
        severity: Severity::Info,
        summary: "`max_retries` is ignored, because a `retry_budget` stands beside it",
        rationale: "As soon as the block `retry_budget` is present, empty or not, it is the limit on retries and \
                    `max_retries` is not looked at for them. Only the gauge rq_retry_open still compares with \
                    max_retries, so an alert on it speaks of a limit that does not hold.",
        sources: &[
            "envoy: config.cluster.v3.CircuitBreakers.Thresholds.retry_budget; measured on 1.40: an empty block is active",
        ],
    },
    check: Check::Cluster(check),
};

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    cx.retried().iter().filter_map(|r| of_priority(cx, r)).collect()
}

fn of_priority(cx: &ClusterCx<'_>, r: &Retried<'_>) -> Option<Finding> {
    let (b, entry) = (r.budget()?, cx.config.threshold(r.priority)?);
    let (written, block) = (entry.max_retries.as_ref()?, entry.retry_budget.as_ref()?);
    let [value, floor] = [written.value, b.min_retry_concurrency.value].map(|n| display::count(n.into()));
    let empty = b.budget_percent.is_default() && b.min_retry_concurrency.is_default();
    let defaults = if empty { ", both defaults" } else { "" };
    let finding = RULE
        .meta
        .found(
            &["max_retries", "retry_budget"],
            &written.at,
            format!("`max_retries` {value} is ignored beside a `retry_budget`"),
        )
        .consequence(format!(
            "the budget is the limit, {}% of what is in flight and at least {floor}{defaults}; the gauge rq_retry_open \
             still compares with {value}",
            display::number(b.budget_percent.value.0)
        ))
        .help("leave `max_retries` out, or the budget")
        // A budget that says nothing was hardly meant to be the limit.
        .severity(if empty { Severity::Warning } else { Severity::Info })
        .related("the limit in force", &block.block)
        .fix(Fix::new("Leave it out", Change::Clear(Setting::MaxRetries(r.priority))));
    Some(finding)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};
    use crate::engine::rules::Severity;

    fn entry(fields: &str) -> String {
        format!("name: shop\ncircuit_breakers:\n  thresholds:\n  - {{{fields}}}\n")
    }

    #[test]
    fn a_number_beside_a_budget_does_nothing() {
        let full = "max_retries: 7, retry_budget: {budget_percent: {value: 25}, min_retry_concurrency: 5}";
        let found = finding(&RULE, &entry(full), "");
        assert_eq!(found.message, "`max_retries` 7 is ignored beside a `retry_budget`");
        assert!(
            found.consequence.contains("25% of what is in flight and at least 5;"),
            "{}",
            found.consequence
        );
        assert_eq!(found.severity, Severity::Info);
    }

    #[test]
    fn an_empty_budget_is_one() {
        let found = finding(&RULE, &entry("max_retries: 12, retry_budget: {}"), "");
        assert!(found.consequence.contains("20% of what is in flight and at least 3, both defaults"));
        assert_eq!(found.severity, Severity::Warning);
    }

    #[test]
    fn silent_with_one_of_them() {
        assert!(!fires(&RULE, &entry("max_retries: 7"), ""));
        assert!(!fires(&RULE, &entry("retry_budget: {}"), ""));
    }
}
