//! Arrivals within a window: the Poisson distribution and its quantiles.

use super::{LARGEST, pmf::pmf as probability, ratio, search, usable_load, whole};
use crate::engine::units::Share;

/// The probability of exactly `n` arrivals.
///
/// # Formula
///
/// `p(n) = e^-m m^n / n!` with `m` = `mean`; from `n = 16` in the saddle-point form
/// `exp(-stirling(n) - n ln(n/m) - m + n) / √(2πn)`, which does not cancel.
///
/// # Units and range
///
/// `mean` is a count, 0 or more; relative error about 1e-14 for means up to 1e10, 0 below 1e-308.
/// Negative means count as 0; an infinite one, and not a number, gives 0.
///
/// # Source
///
/// C. Loader, "Fast and Accurate Computation of Binomial Probabilities" (2000).
///
/// # Examples
///
/// ```
/// use headroom::engine::queueing::poisson::pmf;
///
/// // e^-2 · 2^3 / 3!
/// assert!((pmf(2.0, 3).0 - 0.180_447_044_315_484).abs() < 1e-14);
/// ```
pub fn pmf(mean: f64, n: u64) -> Share {
    let m = usable_load(mean);
    Share(if m == f64::INFINITY { 0.0 } else { probability(n as f64, m) })
}

/// The probability of at most `n` arrivals.
///
/// # Formula
///
/// `P(N <= n) = Σ_{k <= n} p(k)`, summed from `n` downward relative to `p(n)`, or as
/// `1 - P(N > n)` where that is the smaller of the two.
///
/// # Units and range
///
/// As [`pmf`]; an infinite mean, and not a number, gives 0.
///
/// # Source
///
/// The definition; the sum is that of [`erlang_b`](super::erlang_b).
///
/// # Examples
///
/// ```
/// use headroom::engine::queueing::poisson::cdf;
///
/// // e^-1 · (1 + 1)
/// assert!((cdf(1.0, 1).0 - 0.735_758_882_342_884_6).abs() < 1e-15);
/// ```
pub fn cdf(mean: f64, n: u64) -> Share {
    let m = usable_load(mean);
    Share(if m == f64::INFINITY { 0.0 } else { at_most(n as f64, m) })
}

/// The probability of more than `n` arrivals.
///
/// # Formula
///
/// `P(N > n) = Σ_{k > n} p(k)`, summed from `n + 1` upward relative to `p(n)`, so that small
/// tails keep their digits.
///
/// # Units and range
///
/// As [`pmf`]; an infinite mean, and not a number, gives 1.
///
/// # Source
///
/// The definition.
///
/// # Examples
///
/// ```
/// use headroom::engine::queueing::poisson::tail;
///
/// // 1 - e^-0.01
/// assert!((tail(0.01, 0).0 - 0.009_950_166_250_831_947).abs() < 1e-17);
/// ```
pub fn tail(mean: f64, n: u64) -> Share {
    let m = usable_load(mean);
    Share(if m == f64::INFINITY { 1.0 } else { more_than(n as f64, m) })
}

/// The smallest number that arrivals exceed with probability at most `tail`.
///
/// For Envoy: places needed for what arrives while a connection is being opened.
///
/// # Formula
///
/// `min n: P(N > n) <= tail`, searched from the mean in steps of its root.
///
/// # Units and range
///
/// `mean` is a count, `tail` a probability; the result may be 0. `u64::MAX` where no number does:
/// a tail of 0 or less or not a number with a mean above 0, or a mean above 4.5e15.
///
/// # Assumptions
///
/// Independent arrivals at a constant rate within the window.
///
/// # Source
///
/// The definition.
///
/// # Examples
///
/// At a mean of 1, more than 3 arrive with probability 0.019, more than 4 with 0.0037.
///
/// ```
/// use headroom::engine::queueing::poisson::quantile;
/// use headroom::engine::units::Share;
///
/// assert_eq!(quantile(1.0, Share(0.01)), 4);
/// assert_eq!(quantile(0.001, Share(0.01)), 0);
/// ```
pub fn quantile(mean: f64, tail: Share) -> u64 {
    let m = usable_load(mean);
    if m <= 0.0 || tail.0 >= 1.0 {
        return 0;
    }
    if m > LARGEST || tail.0.is_nan() || tail.0 <= 0.0 {
        return u64::MAX;
    }
    let enough = |n: u64| more_than(n as f64, m) <= tail.0;
    search::first(whole(m), whole(libm::sqrt(m)), enough)
}

/// The largest mean whose arrivals exceed `n` with probability at most `tail`.
///
/// The inverse of [`quantile`]: what a given number of places can take.
///
/// # Formula
///
/// `max m: P(N > n) <= tail`, by Newton's method on `ln P` over `ln m`, whose slope is
/// `m p(n) / P`; it starts above `(tail · (n + 1)!)^(1 / (n + 1))`, from `P <= m^(n+1) / (n+1)!`.
///
/// # Units and range
///
/// A count, to 1e-12 relative. 0 for a tail of 0 or less or not a number, infinite for 1 or more.
///
/// # Assumptions
///
/// Those of [`quantile`].
///
/// # Source
///
/// The definition; the slope is `dP/dm = p(n)`.
///
/// # Examples
///
/// Nothing arrives with probability e^-m, so one percent of arrivals at all means m = -ln 0.99.
///
/// ```
/// use headroom::engine::queueing::poisson::mean_for;
/// use headroom::engine::units::Share;
///
/// assert!((mean_for(0, Share(0.01)) - 0.010_050_335_853_501_44).abs() < 1e-14);
/// ```
pub fn mean_for(n: u64, tail: Share) -> f64 {
    if tail.0.is_nan() || tail.0 <= 0.0 {
        return 0.0;
    }
    if tail.0 >= 1.0 {
        return f64::INFINITY;
    }
    let n = n as f64;
    let ln_tail = libm::log(tail.0);
    let lo = (ln_tail + libm::lgamma(n + 2.0)) / (n + 1.0);
    let at = |ln_m: f64| {
        let m = libm::exp(ln_m);
        let more = more_than(n, m);
        (libm::log(more) - ln_tail, m * probability(n, m) / more)
    };
    libm::exp(search::root(lo, upper_end(n, tail.0), at))
}

/// The logarithm of a mean whose tail exceeds `tail`, which is below 1.
fn upper_end(n: f64, tail: f64) -> f64 {
    let mut m = n + 1.0;
    // The tail rounds to 1 a few deviations above `n`; the bound only guards the loop.
    while more_than(n, m) <= tail && m < f64::MAX / 4.0 {
        m += m;
    }
    libm::log(m)
}

fn at_most(n: f64, m: f64) -> f64 {
    if m <= 0.0 {
        1.0
    } else if n + 1.0 >= m {
        1.0 - more_than(n, m)
    } else {
        probability(n, m) * ratio::below(n, m)
    }
}

fn more_than(n: f64, m: f64) -> f64 {
    if m <= 0.0 {
        0.0
    } else if n + 1.0 >= m {
        probability(n, m) * ratio::above(n, m)
    } else {
        1.0 - at_most(n, m)
    }
}
