//! `HR117 retry-gauges-mislead`: with a budget the gauges of retries say nothing.

use crate::engine::audit::retrying::Retried;
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding};
use crate::engine::read::effective::EffectiveBudget;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR117",
        name: "retry-gauges-mislead",
        severity: Severity::Info,
        summary: "with a budget, remaining_retries is always 0 and rq_retry_open is wrong",
        rationale: "Envoy sets remaining_retries to 0 as soon as a budget is present, and computes rq_retry_open from \
                    `max_retries`, which the budget has replaced. An alert on either of them is always on, or comes at \
                    a number that is no limit; the counter upstream_rq_retry_overflow is right.",
        sources: &["envoy: circuit_breakers.<priority>.remaining_retries, rq_retry_open; measured on 1.40"],
    },
    check: Check::Cluster(check),
};

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    cx.retried().iter().filter_map(of_priority).collect()
}

fn of_priority(r: &Retried<'_>) -> Option<Finding> {
    let b = r.budget()?;
    // Who switched the gauges on looks at them.
    let tracks = Some(&r.limits.track_remaining).filter(|t| t.value && !t.is_default())?;
    if is_recommended(r, b) {
        return None;
    }
    let finding = RULE
        .meta
        .found(
            &["track_remaining", "retry_budget"],
            tracks.place().unwrap_or_else(|| r.limit_place()),
            "`track_remaining` shows remaining_retries 0 all the time, because of the `retry_budget`"
                .to_owned(),
        )
        .consequence(format!(
            "rq_retry_open compares with `max_retries` and not with {}% of what is in flight",
            display::number(b.budget_percent.value.0)
        ))
        .help("watch the counter upstream_rq_retry_overflow instead");
    Some(finding)
}

/// Whoever has taken the numbers from here has been told.
fn is_recommended(r: &Retried<'_>, b: &EffectiveBudget) -> bool {
    r.known().is_some_and(|(_, sizing)| {
        let recommended = sizing.threshold.retry_budget;
        b.budget_percent.value == recommended.budget_percent
            && b.min_retry_concurrency.value == recommended.min_retry_concurrency
    })
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn entry(fields: &str) -> String {
        format!("name: shop\ncircuit_breakers:\n  thresholds:\n  - {{{fields}}}\n")
    }

    #[test]
    fn fires_where_both_are_on() {
        let found = finding(&RULE, &entry("track_remaining: true, retry_budget: {}"), "");
        assert!(found.message.contains("remaining_retries 0"), "{}", found.message);
        assert!(found.consequence.contains("20% of what is in flight"), "{}", found.consequence);
    }

    #[test]
    fn silent_where_one_is_missing_or_the_budget_is_ours() {
        assert!(!fires(&RULE, &entry("retry_budget: {}"), ""));
        assert!(!fires(&RULE, &entry("track_remaining: true, max_retries: 3"), ""));
        // 1 request in flight: a budget of 20% with a floor of 1 is what is recommended.
        let ours =
            "track_remaining: true, retry_budget: {budget_percent: {value: 20}, min_retry_concurrency: 1}";
        assert!(!fires(&RULE, &entry(ours), "rps=10 mean=100 burst=1 skew=1"));
    }
}
