//! How many retries may be outstanding at once.

use crate::engine::units::Percent;

/// The number of retries that Envoy's `retry_budget` lets be outstanding at one moment.
///
/// # Formula
///
/// `max(trunc(percent / 100 · active_plus_pending), min_retry_concurrency)`. A retry is admitted
/// while fewer are outstanding, those in back-off included. The truncation makes the floor the
/// rule in small proxies: 20 % of 4 requests is 0.
///
/// # Units and range
///
/// `percent` 0 to 100; the counts are of one proxy and one priority. A percentage below 0, or not
/// a number, counts as 0.
///
/// # Assumptions
///
/// `budget_interval` is 0, so the base is the number of requests at that instant.
///
/// # Source
///
/// Envoy 1.40, `source/common/upstream/resource_manager_impl.h`, with the same order of
/// operations, since it decides what truncates. API:
/// `config.cluster.v3.CircuitBreakers.Thresholds.RetryBudget`.
///
/// # Examples
///
/// ```
/// use headroom::engine::retry::budget::allowed;
/// use headroom::engine::units::Percent;
///
/// assert_eq!(allowed(Percent(20.0), 3, 183), 36);
/// assert_eq!(allowed(Percent(20.0), 3, 4), 3);
/// ```
pub fn allowed(percent: Percent, min_retry_concurrency: u32, active_plus_pending: u64) -> u64 {
    let budget = percent.share().0 * active_plus_pending as f64;
    truncated(budget).max(u64::from(min_retry_concurrency))
}

/// The budget percentage that lets retries add the share `overhead` to the load in an outage.
///
/// # Formula
///
/// `100 · ro / (1 + ro)`. The base of the percentage contains the retries themselves,
/// `R <= b (O + R)`, so a fifth of everything is a quarter on top of the original requests.
///
/// # Units and range
///
/// `overhead` 0 or more, 0.25 means a quarter more load; the result is 0 to 100. 0 for an overhead
/// below 0 or not a number, 100 for an infinite one.
///
/// # Assumptions
///
/// Retries hold a slot as long as original requests do.
///
/// # Source
///
/// Our derivation from the rule of [`allowed`].
///
/// # Examples
///
/// ```
/// use headroom::engine::retry::budget::percent_for_overhead;
/// use headroom::engine::units::Percent;
///
/// assert_eq!(percent_for_overhead(0.25), Percent(20.0));
/// assert_eq!(percent_for_overhead(1.0), Percent(50.0));
/// ```
pub fn percent_for_overhead(overhead: f64) -> Percent {
    if overhead == f64::INFINITY {
        return Percent(100.0);
    }
    let overhead = overhead.max(0.0);
    // Divided first, so that no finite overhead overflows.
    Percent(100.0 * (overhead / (1.0 + overhead)))
}

/// The load that a budget lets retries add in an outage, the inverse of [`percent_for_overhead`].
///
/// # Formula
///
/// `b / (1 - b)` with `b = percent / 100`.
///
/// # Units and range
///
/// `percent` 0 to 100; the result is a share of the original requests, infinite from 100 %. 0 for
/// a percentage below 0 or not a number.
///
/// # Assumptions
///
/// Those of [`percent_for_overhead`]; the floor of the budget comes on top, see
/// [`amplification::cap`](super::amplification::cap).
///
/// # Source
///
/// Our derivation from the rule of [`allowed`].
///
/// # Examples
///
/// ```
/// use headroom::engine::retry::budget::overhead_of_percent;
/// use headroom::engine::units::Percent;
///
/// assert_eq!(overhead_of_percent(Percent(20.0)), 0.25);
/// assert_eq!(overhead_of_percent(Percent(100.0)), f64::INFINITY);
/// ```
pub fn overhead_of_percent(percent: Percent) -> f64 {
    let b = percent.share().0.max(0.0);
    if b < 1.0 { b / (1.0 - b) } else { f64::INFINITY }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "Envoy truncates too; the cast saturates at 0 and u64::MAX"
)]
fn truncated(x: f64) -> u64 {
    x as u64
}
