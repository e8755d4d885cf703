//! `retry_budget`, its floor, and `max_retries` for targets without a budget.
//!
//! A budget lets retries grow with the traffic and caps what they add in an outage. It truncates:
//! 20% of 0.36 requests in flight is none, so in a small proxy the floor rules, not the
//! percentage, and the floors of a fleet add up.

use super::demand::Demand;
use super::ledger::{Ledger, not, rule};
use super::limit::{TooLarge, as_limit};
use crate::engine::analysis::RetryBudget;
use crate::engine::envoy::defaults;
use crate::engine::filled::filled;
use crate::engine::queueing::poisson;
use crate::engine::retry::budget;
use crate::engine::scenario::Scenario;
use crate::engine::units::{Erlangs, Millis, Share, display};

/// On a good day one retry in a thousand may find the floor taken.
pub const FLOOR_TAIL: Share = Share(1e-3);

/// The limits on retries of one priority.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RetryLimits {
    /// Floor that a good day needs.
    pub needed: u64,
    /// Floor that the overhead allows.
    pub allowed: u64,
    /// Mean retries outstanding on a good day.
    pub outstanding: f64,
    /// The budget.
    pub budget: RetryBudget,
    /// The static limit that stands in for it.
    pub max_retries: u32,
}

/// The limits on retries.
///
/// # Formula
///
/// ```text
/// budget_percent        = 100 · retry_overhead / (1 + retry_overhead)
/// needed                = min n: P(Poisson(client_rate · error_rate · hold) > n) ≤ 1e-3
/// allowed               = max(1, ⌊retry_overhead · fleet_concurrency_at_peak / clients⌋)
/// min_retry_concurrency = max(1, min(needed, allowed)), or 0 when retry_overhead is 0
/// max_retries           = max(min_retry_concurrency, ⌊b / (1 − b) · offered⌋)
/// ```
///
/// `hold` is the mean time a retry occupies its slot: mean back-off and time to the response
/// headers. `b / (1 − b)` is `retry_overhead` by the definition of `b`.
///
/// # Errors
///
/// [`TooLarge`] when an answer exceeds the field of Envoy.
pub fn limits(
    s: &Scenario,
    demand: &Demand,
    fleet_at_peak: Erlangs,
    hold: Millis,
) -> Result<RetryLimits, TooLarge> {
    let outstanding = demand.client_rate.arrivals_in(hold) * s.error_rate.0;
    let needed = poisson::quantile(outstanding, FLOOR_TAIL);
    let fair = s.retry_overhead * fleet_at_peak.0 * demand.share.0 / f64::from(s.clients);
    let allowed = whole(fair).max(1);
    // Without extra load retries are off, and a floor would still allow one in every proxy.
    let floor = if s.retry_overhead > 0.0 { needed.min(allowed).max(1) } else { 0 };
    let floor = as_limit("min_retry_concurrency", floor)?;
    let by_budget = whole(s.retry_overhead * demand.offered.0);
    Ok(RetryLimits {
        needed,
        allowed,
        outstanding,
        budget: RetryBudget {
            budget_percent: budget::percent_for_overhead(s.retry_overhead),
            min_retry_concurrency: floor,
        },
        max_retries: as_limit("max_retries", by_budget.max(u64::from(floor)))?,
    })
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "both callers pass finite numbers ≥ 0"
)]
fn whole(value: f64) -> u64 {
    value.floor() as u64
}

/// Writes the limits into the account.
pub fn explain(
    s: &Scenario,
    demand: &Demand,
    r: &RetryLimits,
    fleet_at_peak: Erlangs,
    hold: Millis,
    ledger: &mut Ledger,
) {
    let n = display::number;
    let key = demand.key();
    let percent = r.budget.budget_percent.0;
    let alternatives = ledger.add(
        format!("{key}.budget_percent.chosen"),
        percent,
        "%",
        rule("envoy: retries are admitted while outstanding < b · (active + pending); so R ≤ b · (O + R)"),
        "100 · retry_overhead / (1 + retry_overhead)",
        filled("100 × {} / {}", [s.retry_overhead, 1.0 + s.retry_overhead]),
    );
    if demand.offered.0 * percent < 100.0 {
        alternatives.push(not(
            "Not the percentage alone",
            format!(
                "{}% of {} requests in flight is less than one, so the floor rules.",
                n(percent),
                n(demand.offered.0)
            ),
        ));
    }
    explain_floor(s, demand, r, fleet_at_peak, hold, ledger);
    let alternatives = ledger.add(
        format!("{key}.max_retries.chosen"),
        f64::from(r.max_retries),
        "retries",
        rule("our rule: what the budget would allow at the offered load, for targets without one"),
        "max(min_retry_concurrency, ⌊retry_overhead · offered⌋)",
        filled(
            "max({}, ⌊{} × {}⌋)",
            [f64::from(r.budget.min_retry_concurrency), s.retry_overhead, demand.offered.0],
        ),
    );
    if r.max_retries != defaults::MAX_RETRIES {
        alternatives.push(not(
            format!("Not {}, Envoy's default", defaults::MAX_RETRIES),
            format!(
                "{} × {} proxies is {} retries at once.",
                defaults::MAX_RETRIES,
                n(f64::from(s.clients)),
                n(f64::from(defaults::MAX_RETRIES) * f64::from(s.clients))
            ),
        ));
    }
}

fn explain_floor(
    s: &Scenario,
    demand: &Demand,
    r: &RetryLimits,
    fleet_at_peak: Erlangs,
    hold: Millis,
    ledger: &mut Ledger,
) {
    let n = display::number;
    let id = |part: &str| format!("{}.min_retry_concurrency.{part}", demand.key());
    ledger.add(
        id("needed"),
        r.needed as f64,
        "retries",
        rule("our rule: on a good day one retry in 1,000 may find the floor taken"),
        "min n: P(Poisson(client_rate · error_rate · (mean back-off + time to headers)) > n) ≤ 0.001",
        filled(
            "min n: P(Poisson({} req/s × {} × {} ms) > n) ≤ 0.001",
            [demand.client_rate.0, s.error_rate.0, hold.0],
        ),
    );
    ledger.add(
        id("allowed"),
        r.allowed as f64,
        "retries",
        rule("our rule: the floors of all proxies together stay within retry_overhead"),
        "max(1, ⌊retry_overhead · fleet concurrency at peak / clients⌋)",
        filled(
            "max(1, ⌊{} × {} / {}⌋)",
            [s.retry_overhead, fleet_at_peak.0 * demand.share.0, f64::from(s.clients)],
        ),
    );
    let alternatives = ledger.add(
        id("chosen"),
        f64::from(r.budget.min_retry_concurrency),
        "retries",
        rule("our rule: what is needed, within what is allowed, at least 1"),
        "max(1, min(needed, allowed)), 0 without overhead",
        if s.retry_overhead > 0.0 {
            filled("max(1, min({}, {}))", [r.needed as f64, r.allowed as f64])
        } else {
            "0, retries are off".into()
        },
    );
    let floor = f64::from(r.budget.min_retry_concurrency);
    if s.clients > 1 && floor < f64::from(defaults::MAX_RETRIES) {
        alternatives.push(not(
            "Not 3, Envoy's default",
            format!(
                "3 × {} proxies is {} retries at once, against {} requests in flight at peak.",
                n(f64::from(s.clients)),
                n(3.0 * f64::from(s.clients)),
                n(fleet_at_peak.0)
            ),
        ));
    }
}
