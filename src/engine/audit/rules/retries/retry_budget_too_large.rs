//! `HR116 retry-budget-too-large`: the budget lets retries add more than the hosts were to bear.

use crate::engine::audit::retrying::{NO_LIMIT, Retried};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Change, ClusterCx, Finding, Fix, Setting, Value};
use crate::engine::params::ParamId;
use crate::engine::read::effective::EffectiveBudget;
use crate::engine::retry::{amplification, budget};
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::{Percent, Share, display};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR116",
        name: "retry-budget-too-large",
        severity: Severity::Warning,
        summary: "`budget_percent` lets retries multiply the load in an outage",
        rationale: "The base of the percentage contains the retries themselves, so a budget of b lets retries add \
                    b / (1 − b) to the first attempts: 20% adds a quarter, 50% doubles the load, and 100% caps nothing. \
                    In an outage all of it is used, at the time when the hosts can bear it least.",
        sources: &[
            "envoy: config.cluster.v3.CircuitBreakers.Thresholds.RetryBudget.budget_percent",
            "our formula: R ≤ b (O + R), so R / O ≤ b / (1 − b)",
        ],
    },
    check: Check::Cluster(check),
};

/// From here on retries may outnumber first attempts.
const DOUBLES: Percent = Percent(50.0);

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    cx.retried().iter().filter_map(of_priority).collect()
}

fn of_priority(r: &Retried<'_>) -> Option<Finding> {
    let b = r.budget()?;
    let percent = &b.budget_percent;
    let recommended = r.known().map(|(_, sizing)| sizing.threshold.retry_budget.budget_percent);
    let too_large = match recommended {
        Some(recommended) => percent.value > recommended && adds_more_than_asked(r, b),
        None => percent.value > DOUBLES,
    };
    if !too_large {
        return None;
    }
    let to = recommended.map_or_else(|| "20".to_owned(), |p| display::number(p.0));
    let at = percent.place().unwrap_or_else(|| r.limit_place());
    let finding = RULE
        .meta
        .found(&["budget_percent"], at, message(r, percent.value))
        .consequence(consequence(r, percent.value))
        .help(format!("set `budget_percent` to {to}"))
        .severity(if percent.value > DOUBLES { Severity::Warning } else { Severity::Info })
        .fix(fix(r, percent.value, recommended));
    Some(if recommended.is_none() { finding.asks(ParamId::RetryOverhead) } else { finding })
}

/// Whether the percentage is what counts, and not the floor or the number of retries.
fn adds_more_than_asked(r: &Retried<'_>, b: &EffectiveBudget) -> bool {
    const NOISE: f64 = 1e-9;
    let Some((traffic, sizing)) = r.known() else { return false };
    let (n, floor) = (r.retries.unwrap_or(NO_LIMIT), b.min_retry_concurrency.value);
    let cap = |overhead| amplification::cap(n, overhead, floor, sizing.offered);
    let attempts = cap(budget::overhead_of_percent(b.budget_percent.value));
    attempts > cap(traffic.scenario.retry_overhead) + NOISE
}

fn message(r: &Retried<'_>, percent: Percent) -> String {
    let shown = display::number(percent.0);
    let overhead = budget::overhead_of_percent(percent);
    if overhead.is_finite() {
        let asked = r.known().map_or(String::new(), |(traffic, _)| {
            format!(", and {} were to be added", display::share(Share(traffic.scenario.retry_overhead)))
        });
        format!("`budget_percent` {shown} lets retries add {}{asked}", display::share(Share(overhead)))
    } else {
        format!("`budget_percent` {shown} caps nothing: every request in flight may be a retry")
    }
}

/// Attempts in an outage: by the budget, or by the number of retries where that is less.
fn consequence(r: &Retried<'_>, percent: Percent) -> String {
    let by_budget = 1.0 + budget::overhead_of_percent(percent);
    let by_number = r.retries.map_or(f64::INFINITY, |n| 1.0 + f64::from(n));
    let fixed = r.attempts_in_outage().unwrap_or(by_budget.min(by_number));
    if fixed.is_infinite() {
        return "in an outage every request costs all its attempts, 1 + `num_retries`".to_owned();
    }
    let by = if by_number <= by_budget { ", as without a budget" } else { "" };
    format!("in an outage a request costs up to {} attempts{by}", display::number(fixed))
}

fn fix(r: &Retried<'_>, from: Percent, to: Option<Percent>) -> Fix {
    let setting = Setting::BudgetPercent(r.priority);
    match to {
        Some(to) => Fix::set(
            format!("{} → {}", display::number(from.0), display::number(to.0)),
            setting,
            Value::Percent(to),
        ),
        None => Fix::new("Leave it out", Change::Clear(setting)),
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};
    use crate::engine::rules::Severity;

    fn shop(percent: u32) -> String {
        format!(
            "clusters:\n- name: shop\n  circuit_breakers: {{thresholds: [{{retry_budget: {{budget_percent: \
             {{value: {percent}}}}}}}]}}\nroutes:\n- match: {{prefix: /}}\n  route:\n    cluster: shop\n    \
             retry_policy: {{retry_on: 5xx, num_retries: 3}}\n"
        )
    }

    #[test]
    fn all_of_it_caps_nothing() {
        let found = finding(&RULE, &shop(100), "");
        assert!(found.message.starts_with("`budget_percent` 100 caps nothing"), "{}", found.message);
        assert_eq!(found.consequence, "in an outage a request costs up to 4 attempts, as without a budget");
    }

    #[test]
    fn without_traffic_half_is_the_bound() {
        assert!(!fires(&RULE, &shop(50), ""));
        // 0.6 / 0.4 = 1.5.
        let found = finding(&RULE, &shop(60), "");
        assert_eq!(found.message, "`budget_percent` 60 lets retries add 150%");
        assert_eq!(found.consequence, "in an outage a request costs up to 2.5 attempts");
    }

    #[test]
    fn with_traffic_it_is_what_was_asked() {
        let busy = "rps=1000 mean=100 burst=1 skew=1";
        assert!(!fires(&RULE, &shop(20), busy));
        // 0.25 / 0.75 = 0.333.
        let found = finding(&RULE, &shop(25), busy);
        assert_eq!(found.severity, Severity::Info);
        assert_eq!(found.message, "`budget_percent` 25 lets retries add 33%, and 25% were to be added");
        assert_eq!(found.fix.map(|f| f.label), Some("25 → 20".to_owned()));
    }
}
