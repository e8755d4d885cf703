//! The retry budget refuses retries.

use super::query::Metric;
use super::{Alert, Plan, Severity};
use crate::engine::units::{Share, display};

/// Refused retries that mean something, where hardly any are expected: one in ten.
const SOME: Share = Share(0.1);

/// A warning when twice the share that is refused on a good day is, and one in ten at least.
pub fn alerts(p: Plan<'_>) -> Vec<Alert> {
    let a = p.analysis;
    let good_day = a.forecast.use_at_peak.retries_refused;
    let share = Share((2.0 * good_day.0).max(SOME.0));
    if a.retry.num_retries == 0 || a.retry.retry_on.is_empty() || share.0 >= 1.0 {
        return Vec::new();
    }
    let budget = a.default_threshold().retry_budget;
    let alert = Alert {
        name: "HeadroomRetryBudgetSpent".to_owned(),
        expr: p.query.share_above(Metric::UpstreamRqRetryOverflow, Metric::UpstreamRqRetry, share),
        hold: "5m",
        severity: Severity::Warning,
        summary: "the retry budget refuses {{ $value | humanizePercentage }} of retries".to_owned(),
        description: format!(
            "More fails than the {} of a good day, and the budget ({}, at least {} at once per proxy) keeps retries from adding load. Look for what fails. Do not raise the budget: it is what keeps the outage from growing.",
            display::share(a.scenario.error_rate),
            display::quantity(budget.budget_percent.0, "%"),
            display::count(f64::from(budget.min_retry_concurrency))
        ),
    };
    vec![alert]
}
