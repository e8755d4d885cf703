//! `HR147 empty-retry-budget`: a `retry_budget` without fields is one all the same.

use crate::engine::audit::retrying::Retried;
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Change, ClusterCx, Finding, Fix, Setting, Value};
use crate::engine::envoy::defaults;
use crate::engine::read::config::RetryBudget;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR147",
        name: "empty-retry-budget",
        severity: Severity::Info,
        summary: "an empty `retry_budget` is active, with defaults that nobody wrote",
        rationale: "For a message in Envoy's API being there and being empty are two things: the empty block switches \
                    the budget on, with 20% and a floor of 3, and with it off goes `max_retries`. Whoever reads the \
                    file may take it for nothing at all.",
        sources: &[
            "envoy: measured on 1.40: max_retries 1 and an empty retry_budget retried 3 of 5 parallel failures",
        ],
    },
    check: Check::Cluster(check),
};

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    cx.retried().iter().filter_map(|r| of_priority(cx, r)).collect()
}

fn of_priority(cx: &ClusterCx<'_>, r: &Retried<'_>) -> Option<Finding> {
    let block = cx.config.threshold(r.priority)?.retry_budget.as_ref().filter(|b| is_empty(cx, b))?;
    let percent =
        r.known().map_or(defaults::BUDGET_PERCENT, |(_, s)| s.threshold.retry_budget.budget_percent);
    let floor = r.recommended_floor().unwrap_or(defaults::MIN_RETRY_CONCURRENCY);
    let finding = RULE
        .meta
        .found(
            &["retry_budget", "budget_percent", "min_retry_concurrency"],
            &block.block,
            format!(
                "the empty `retry_budget` is active: {}% of what is in flight and at least {}",
                display::number(defaults::BUDGET_PERCENT.0),
                defaults::MIN_RETRY_CONCURRENCY
            ),
        )
        .consequence("it is the limit on retries, and `max_retries` is not looked at")
        .help("write its numbers, or leave the block out")
        .fix(
            Fix::set("Write its numbers", Setting::BudgetPercent(r.priority), Value::Percent(percent))
                .and(Change::Set(Setting::MinRetryConcurrency(r.priority), Value::Count(floor.into()))),
        );
    Some(finding)
}

/// Whether nothing stands in it; what stands in it and cannot be read is a problem of the text.
fn is_empty(cx: &ClusterCx<'_>, b: &RetryBudget) -> bool {
    let fields =
        b.budget_percent.is_some() || b.min_retry_concurrency.is_some() || b.budget_interval.is_some();
    let within = |path: &str| path.starts_with(&b.block.path);
    !fields && !cx.configuration.problems.iter().any(|p| p.at.file == b.block.file && within(&p.at.path))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn entry(budget: &str) -> String {
        format!("name: shop\ncircuit_breakers:\n  thresholds:\n  - retry_budget: {budget}\n")
    }

    #[test]
    fn empty_is_not_absent() {
        let found = finding(&RULE, &entry("{}"), "");
        assert_eq!(
            found.message,
            "the empty `retry_budget` is active: 20% of what is in flight and at least 3"
        );
        assert_eq!(found.at.line(), 4);
    }

    #[test]
    fn silent_where_something_is_written_even_if_it_is_wrong() {
        assert!(!fires(&RULE, &entry("{min_retry_concurrency: 5}"), ""));
        assert!(!fires(&RULE, &entry("{budget_percent: 20}"), ""));
        assert!(!fires(&RULE, &entry("{budget_percent: {value: 20, min_retry_concurrency: 5}}"), ""));
    }
}
