//! What the percentiles prove about the mean, whatever the distribution.

use super::Point;
use crate::engine::units::Millis;

/// The smallest mean that any distribution through these points can have.
///
/// There is no matching upper bound: the requests above the last percentile may take any time,
/// so one number above it is an assumption, however many percentiles are known.
///
/// # Formula
///
/// `Σ (q(i+1) - q(i)) · t(i)` over the points `(q(i), t(i))`, with `q(n+1) = 1`: of the requests
/// between two percentiles each takes at least the lower one, those below the first at least 0.
///
/// # Units and range
///
/// Times in milliseconds, quantiles in (0, 1) and increasing. A point that is not (wrong order,
/// not a number, not above 0) adds nothing, so the result is a lower bound for every input.
///
/// # Assumptions
///
/// None about the distribution.
///
/// # Source
///
/// Elementary: Riemann lower sum of `E[T] = ∫ t(q) dq`.
///
/// # Examples
///
/// Half of all requests take at least 10 ms, a tenth at least 50 ms: the mean is at least
/// 0.4 · 10 + 0.1 · 50 = 9 ms.
///
/// ```
/// use headroom::engine::latency::{Point, mean_lower_bound};
/// use headroom::engine::units::Millis;
///
/// let points = [
///     Point { quantile: 0.5, at: Millis(10.0) },
///     Point { quantile: 0.9, at: Millis(50.0) },
/// ];
/// assert!((mean_lower_bound(&points).0 - 9.0).abs() < 1e-12);
/// ```
pub fn mean_lower_bound(points: &[Point]) -> Millis {
    let ends = points.iter().skip(1).map(|p| p.quantile).chain([1.0]);
    points.iter().zip(ends).map(|(point, end)| at_least(point, end)).sum()
}

/// The part of the bound that the requests between `point` and the quantile `end` add.
fn at_least(point: &Point, end: f64) -> Millis {
    let share = end - point.quantile;
    let usable = point.quantile > 0.0 && share > 0.0 && end <= 1.0;
    if usable && point.at.0 > 0.0 && point.at.0.is_finite() { point.at * share } else { Millis(0.0) }
}
