//! How much load retries add.

use crate::engine::units::{Erlangs, Share};

/// The most attempts per request that one proxy sends in an outage that fails every attempt.
///
/// # Formula
///
/// `min(1 + n, max(1 + ro, 1 + f / a))` with `n` = `num_retries`, `ro` = `overhead`,
/// `f` = `min_retry_concurrency` and `a` = `offered`. With a budget of the share `b`,
/// `ro = b / (1 - b)` and so `1 + ro = 1 / (1 - b)`.
///
/// # Units and range
///
/// Attempts per request, 1 to `1 + n`. An `overhead` below 0, or not a number, counts as 0;
/// without load any floor above 0 lets every retry through.
///
/// # Assumptions
///
/// Retries hold a slot as long as original requests do. Back-off and the time to the failure
/// lower the real figure, so this is a bound.
///
/// # Source
///
/// Our derivation from the retry budget's rule, see [`budget::allowed`](super::budget::allowed).
///
/// # Examples
///
/// Three retries would quadruple the load; a 20 % budget caps that at 1.25. At 4 erlangs its floor
/// of 3 weighs more: 1 + 3/4.
///
/// ```
/// use headroom::engine::retry::amplification::cap;
/// use headroom::engine::units::Erlangs;
///
/// assert_eq!(cap(3, 0.25, 3, Erlangs(100.0)), 1.25);
/// assert_eq!(cap(3, 0.25, 3, Erlangs(4.0)), 1.75);
/// assert_eq!(cap(3, f64::INFINITY, 3, Erlangs(4.0)), 4.0);
/// ```
pub fn cap(num_retries: u32, overhead: f64, min_retry_concurrency: u32, offered: Erlangs) -> f64 {
    let by_floor = floor_share(min_retry_concurrency, offered);
    let extra = overhead.max(0.0).max(by_floor);
    1.0 + extra.min(f64::from(num_retries))
}

/// The retries that the floor admits, per original request in flight.
fn floor_share(min_retry_concurrency: u32, offered: Erlangs) -> f64 {
    if min_retry_concurrency == 0 {
        return 0.0;
    }
    let floor = f64::from(min_retry_concurrency);
    // Without load, and for one that is not a number: the floor admits every retry.
    if offered.0 > 0.0 { floor / offered.0 } else { f64::INFINITY }
}

/// Mean attempts per request when each attempt fails alike and nothing limits the retries.
///
/// # Formula
///
/// `(1 - p^(n+1)) / (1 - p)`, the geometric sum `1 + p + … + p^n`, with `p` = `failure` and `n` =
/// `num_retries`; evaluated with `expm1` and `ln p`, since both differences vanish at `p = 1`.
///
/// # Units and range
///
/// `failure` is the probability that an attempt fails in a way that is retried. The result is 1
/// to `1 + n`. Below 0 counts as 0; above 1, or not a number, as 1.
///
/// # Assumptions
///
/// Attempts fail independently. In an overload they do not: the failures come from the load that
/// the retries add.
///
/// # Source
///
/// Geometric distribution, cut at `n + 1` attempts.
///
/// # Examples
///
/// Half of all attempts fail, two retries: 1 + 1/2 + 1/4.
///
/// ```
/// use headroom::engine::retry::amplification::load_factor;
/// use headroom::engine::units::Share;
///
/// assert!((load_factor(Share(0.5), 2) - 1.75).abs() < 1e-15);
/// assert_eq!(load_factor(Share(1.0), 3), 4.0);
/// ```
pub fn load_factor(failure: Share, num_retries: u32) -> f64 {
    let p = failure.0;
    let attempts = f64::from(num_retries) + 1.0;
    if p <= 0.0 {
        1.0
    } else if p < 1.0 {
        let ln_p = if p > 0.5 { libm::log1p(p - 1.0) } else { libm::log(p) };
        -libm::expm1(attempts * ln_p) / (1.0 - p)
    } else {
        attempts
    }
}

/// The attempts that reach the last of several layers that all retry, per original request.
///
/// # Formula
///
/// The product of the layers' factors.
///
/// # Units and range
///
/// Each factor in attempts per request, 1 or more; smaller ones, and those that are not a number,
/// count as 1. No layers give 1.
///
/// # Assumptions
///
/// A layer retries whatever the layer below it has given up on.
///
/// # Source
///
/// B. Beyer et al., Site Reliability Engineering (2016), chapter 22, "Addressing Cascading
/// Failures": retries at several layers multiply.
///
/// # Examples
///
/// Three layers with three retries each: 4 · 4 · 4.
///
/// ```
/// use headroom::engine::retry::amplification::over_hops;
///
/// assert_eq!(over_hops(&[4.0, 4.0, 4.0]), 64.0);
/// ```
pub fn over_hops(factors: &[f64]) -> f64 {
    factors.iter().map(|factor| factor.max(1.0)).product()
}
