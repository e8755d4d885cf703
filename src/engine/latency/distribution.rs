//! The latency model: piecewise log-normal through the given percentiles.

use super::{LatencyError, normal, segment::Segment};
use crate::engine::units::Millis;

/// Ratio of p99 to p50 that is assumed when only one percentile, or only the mean, is known.
///
/// Our choice: healthy request/response services mostly lie between 2 and 5; the answer names it
/// as an assumption.
pub const ASSUMED_P99_OVER_P50: f64 = 3.0;

/// The most points a model takes: p50, p75, p90, p95, p99, p99.9.
pub const MAX_POINTS: usize = 6;

/// Times outside this range leave doubles no room for their squares; the upper end is 30 years.
const TIME_RANGE_MS: std::ops::RangeInclusive<f64> = 1e-9..=1e12;

/// One percentile: the share `quantile` of all requests takes at most the time `at`.
///
/// # Units and range
///
/// `quantile` as a fraction in (0, 1), so p99 is 0.99; `at` in milliseconds, above 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The share of requests that take at most [`at`](Self::at).
    pub quantile: f64,
    /// The time within which that share is complete.
    pub at: Millis,
}

/// A distribution of response times through up to six percentiles.
///
/// # Formula
///
/// `ln t` is linear in `z = Φ⁻¹(q)` between neighboring points; the first and the last line
/// continue outward. Moments are sums over the lines of
/// `e^{kα + k²β²/2} [Φ(z₂ - kβ) - Φ(z₁ - kβ)]`.
///
/// # Assumptions
///
/// One distribution for all requests, at normal peak load. The tail above the last point follows
/// the last line.
///
/// # Source
///
/// Our choice: it passes through every point, needs no fit, and its moments are closed forms.
///
/// # Examples
///
/// p50 = 35 ms and p99 = 110 ms; the mean lies above the median, as the tail is to the right.
///
/// ```
/// use headroom::engine::latency::{LatencyModel, Point};
/// use headroom::engine::units::{Millis, Share};
///
/// let model = LatencyModel::from_points(&[
///     Point { quantile: 0.5, at: Millis(35.0) },
///     Point { quantile: 0.99, at: Millis(110.0) },
/// ])?;
/// assert_eq!(model.quantile(0.5), Millis(35.0));
/// assert_eq!(model.cdf(Millis(35.0)), Share(0.5));
/// assert!((model.mean().0 - 39.507_892_46).abs() < 1e-8);
/// # Ok::<(), headroom::engine::latency::LatencyError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct LatencyModel {
    /// In order of `z`, adjoining, covering the real line; never empty.
    pub(super) segments: Vec<Segment>,
    /// All times are this many times those of the segments.
    pub(super) scale: f64,
}

impl LatencyModel {
    /// The model through the given percentiles, in increasing order.
    ///
    /// # Formula
    ///
    /// Between two points `β = ln(t₂ / t₁) / (z₂ - z₁)`. One point alone gets the slope
    /// `β = ln 3 / Φ⁻¹(0.99)`, that is p99 = 3 · p50 ([`ASSUMED_P99_OVER_P50`]).
    ///
    /// # Units and range
    ///
    /// One to six points, quantiles strictly increasing in (0, 1), times from 1e-9 to 1e12 ms
    /// and not decreasing.
    ///
    /// # Errors
    ///
    /// A [`LatencyError`] for the first rule that the points break; `InfiniteMean` when the last
    /// two points extrapolate to a mean above every double.
    ///
    /// # Source
    ///
    /// Our choice, see [`LatencyModel`].
    ///
    /// # Examples
    ///
    /// ```
    /// use headroom::engine::latency::{LatencyError, LatencyModel, Point};
    /// use headroom::engine::units::Millis;
    ///
    /// let alone = LatencyModel::from_points(&[Point { quantile: 0.5, at: Millis(40.0) }])?;
    /// assert!((alone.quantile(0.99).0 - 120.0).abs() < 1e-9);
    ///
    /// let falling = [
    ///     Point { quantile: 0.5, at: Millis(40.0) },
    ///     Point { quantile: 0.9, at: Millis(30.0) },
    /// ];
    /// let error = LatencyModel::from_points(&falling).unwrap_err();
    /// assert_eq!(error.to_string(), "latency 30 ms is below 40 ms, the lower quantile's");
    /// # Ok::<(), LatencyError>(())
    /// ```
    pub fn from_points(points: &[Point]) -> Result<Self, LatencyError> {
        if points.is_empty() || points.len() > MAX_POINTS {
            return Err(LatencyError::PointCount(points.len()));
        }
        for point in points {
            check_point(point)?;
        }
        for pair in points.windows(2) {
            check_order(&pair[0], &pair[1])?;
        }
        Self { segments: segments(points), scale: 1.0 }.with_finite_mean()
    }

    /// The model of the assumed shape whose mean is `mean`.
    ///
    /// # Formula
    ///
    /// Log-normal with `β = ln 3 / Φ⁻¹(0.99)`; the median is `mean · e^{-β²/2}`.
    ///
    /// # Units and range
    ///
    /// `mean` in milliseconds, from 1e-9 to 1e12.
    ///
    /// # Errors
    ///
    /// [`LatencyError::Time`] when the mean is not in the range.
    ///
    /// # Source
    ///
    /// Our choice, see [`ASSUMED_P99_OVER_P50`].
    ///
    /// # Examples
    ///
    /// ```
    /// use headroom::engine::latency::{LatencyError, LatencyModel};
    /// use headroom::engine::units::Millis;
    ///
    /// let model = LatencyModel::from_mean(Millis(50.0))?;
    /// assert!((model.mean().0 - 50.0).abs() < 1e-12);
    /// let ratio = model.quantile(0.99).0 / model.quantile(0.5).0;
    /// assert!((ratio - 3.0).abs() < 1e-12);
    /// # Ok::<(), LatencyError>(())
    /// ```
    pub fn from_mean(mean: Millis) -> Result<Self, LatencyError> {
        check_time(mean)?;
        let slope = assumed_slope();
        let median = mean.0 * libm::exp(-0.5 * slope * slope);
        Ok(Self { segments: vec![line(0.0, median, slope)], scale: 1.0 })
    }

    /// The model of an upstream that is `factor` times as slow.
    ///
    /// # Formula
    ///
    /// All times times `factor`; the shape stays.
    ///
    /// # Units and range
    ///
    /// `factor` above 0 and finite; any other value leaves the model as it is. Times above 1e308
    /// become infinite.
    ///
    /// # Assumptions
    ///
    /// A slowdown stretches all requests alike.
    ///
    /// # Source
    ///
    /// Our choice; a slowdown that hits only some requests belongs in the simulator.
    ///
    /// # Examples
    ///
    /// ```
    /// use headroom::engine::latency::LatencyModel;
    /// use headroom::engine::units::Millis;
    ///
    /// let slow = LatencyModel::from_mean(Millis(40.0))?.scaled(2.0);
    /// assert!((slow.mean().0 - 80.0).abs() < 1e-12);
    /// # Ok::<(), headroom::engine::latency::LatencyError>(())
    /// ```
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        let usable = factor > 0.0 && factor.is_finite();
        let scale = if usable { self.scale * factor } else { self.scale };
        Self { segments: self.segments.clone(), scale }
    }

    fn with_finite_mean(self) -> Result<Self, LatencyError> {
        if self.mean().0.is_finite() { Ok(self) } else { Err(LatencyError::InfiniteMean) }
    }
}

/// The slope of a log-normal line with the assumed ratio of p99 to p50.
fn assumed_slope() -> f64 {
    libm::log(ASSUMED_P99_OVER_P50) / normal::inverse(0.99)
}

/// A line through one point that is the whole distribution.
fn line(z: f64, time: f64, slope: f64) -> Segment {
    let (from, to) = (f64::NEG_INFINITY, f64::INFINITY);
    Segment { from, to, anchor_z: z, anchor_time: time, slope }
}

/// The lines between neighboring points, the outer two continued to infinity.
fn segments(points: &[Point]) -> Vec<Segment> {
    let z = |p: &Point| normal::inverse(p.quantile);
    if let [only] = points {
        return vec![line(z(only), only.at.0, assumed_slope())];
    }
    let last = points.len().saturating_sub(2);
    let between = |(i, pair): (usize, &[Point])| {
        let (z1, z2) = (z(&pair[0]), z(&pair[1]));
        let slope = libm::log(pair[1].at.0 / pair[0].at.0) / (z2 - z1);
        let from = if i == 0 { f64::NEG_INFINITY } else { z1 };
        let to = if i == last { f64::INFINITY } else { z2 };
        Segment { from, to, anchor_z: z1, anchor_time: pair[0].at.0, slope }
    };
    points.windows(2).enumerate().map(between).collect()
}

fn check_point(point: &Point) -> Result<(), LatencyError> {
    if !(point.quantile > 0.0 && point.quantile < 1.0) {
        return Err(LatencyError::Quantile(point.quantile));
    }
    check_time(point.at)
}

fn check_time(time: Millis) -> Result<(), LatencyError> {
    if TIME_RANGE_MS.contains(&time.0) { Ok(()) } else { Err(LatencyError::Time(time)) }
}

/// Quantiles must differ on the `z` scale too, or the line between them has no slope.
fn check_order(a: &Point, b: &Point) -> Result<(), LatencyError> {
    let distinct = normal::inverse(a.quantile) < normal::inverse(b.quantile);
    if !(a.quantile < b.quantile && distinct) {
        return Err(LatencyError::QuantileOrder { before: a.quantile, after: b.quantile });
    }
    if b.at.0 < a.at.0 {
        return Err(LatencyError::TimeOrder { before: a.at, after: b.at });
    }
    Ok(())
}
