//! The limit that Headroom recommends, in what the program can express.

use super::Retried;
use super::dialect::{writes_budget, writes_max_retries};
use crate::engine::audit::{Change, Fix, Setting, Value};
use crate::engine::read::config::Dialect;
use crate::engine::units::display;

impl Retried<'_> {
    /// The floor of the budget that Headroom would set; to Istio zero is none, and 3 would hold.
    pub fn recommended_floor(&self) -> Option<u32> {
        let (_, sizing) = self.known()?;
        let floor = sizing.threshold.retry_budget.min_retry_concurrency;
        Some(if self.cx.dialect() == Dialect::Istio { floor.max(1) } else { floor })
    }

    /// `set retry_budget …`: the recommended limit in words, in what the program can express.
    pub fn recommendation(&self) -> String {
        let dialect = self.cx.dialect();
        let Some((_, sizing)) = self.known() else {
            return if writes_budget(dialect) {
                "set a `retry_budget`, whose share follows the traffic; 20% lets retries add a quarter"
                    .to_owned()
            } else {
                "set `max_retries` to the failures per second × the seconds that a retry takes".to_owned()
            };
        };
        let t = &sizing.threshold;
        if t.retry_budget.budget_percent.0 <= 0.0 {
            return "turn retries off, since they may add no load".to_owned();
        }
        let n = |n: u32| display::count(f64::from(n));
        if writes_budget(dialect) {
            format!(
                "set a `retry_budget` with `budget_percent` {} and `min_retry_concurrency` {}",
                display::number(t.retry_budget.budget_percent.0),
                n(t.retry_budget.min_retry_concurrency)
            )
        } else if writes_max_retries(dialect) {
            format!("set `max_retries` to {}", n(t.max_retries))
        } else {
            format!(
                "{} has no field for the limit; {} at once would fit",
                dialect.title(),
                display::plural(f64::from(t.max_retries), "retry", "retries")
            )
        }
    }

    /// The change to the recommended limit, in what the program can express.
    pub fn fix(&self) -> Option<Fix> {
        let (_, sizing) = self.known()?;
        let (t, p, dialect) = (&sizing.threshold, self.priority, self.cx.dialect());
        // A limit of nothing is no limit but a mistake: the routes must not retry.
        if t.retry_budget.budget_percent.0 <= 0.0 {
            return None;
        }
        if writes_budget(dialect) {
            let label = if self.budget().is_some() { "Correct the budget" } else { "Add a budget" };
            let percent = Value::Percent(t.retry_budget.budget_percent);
            let floor = Value::Count(self.recommended_floor()?.into());
            let fix = Fix::set(label, Setting::BudgetPercent(p), percent)
                .and(Change::Set(Setting::MinRetryConcurrency(p), floor));
            let written = self.max_retries().is_some_and(|limit| !limit.is_default());
            return Some(if written { fix.and(Change::Clear(Setting::MaxRetries(p))) } else { fix });
        }
        let from = self.max_retries().filter(|_| writes_max_retries(dialect))?;
        let label =
            format!("{} → {}", display::count(from.value.into()), display::count(t.max_retries.into()));
        Some(Fix::set(label, Setting::MaxRetries(p), Value::Count(t.max_retries.into())))
    }
}
