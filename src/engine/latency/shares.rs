//! From shares to times and back: quantiles and the distribution function.

use super::{LatencyModel, normal, segment::Segment};
use crate::engine::units::{Millis, Share};

impl LatencyModel {
    /// The time within which the share `q` of all requests is complete.
    ///
    /// # Formula
    ///
    /// `t = e^{α + βz}` on the line that holds `z = Φ⁻¹(q)`.
    ///
    /// # Units and range
    ///
    /// `q` as a fraction; 0 and below gives the infimum (0 ms, unless the first line is flat), 1
    /// and above the supremum (infinite, unless the last line is flat); not a number stays so.
    ///
    /// # Source
    ///
    /// The definition of the model.
    ///
    /// # Examples
    ///
    /// Halfway between two points on the `z` scale lies their geometric mean.
    ///
    /// ```
    /// use headroom::engine::latency::{LatencyModel, Point};
    /// use headroom::engine::units::Millis;
    ///
    /// let model = LatencyModel::from_points(&[
    ///     Point { quantile: 0.1, at: Millis(10.0) },
    ///     Point { quantile: 0.9, at: Millis(40.0) },
    /// ])?;
    /// assert!((model.quantile(0.5).0 - 20.0).abs() < 1e-12);
    /// # Ok::<(), headroom::engine::latency::LatencyError>(())
    /// ```
    pub fn quantile(&self, q: f64) -> Millis {
        let z = normal::inverse(q);
        if z.is_nan() {
            return Millis(f64::NAN);
        }
        let on_line = self.segments.iter().find(|s| z < s.to).or(self.segments.last());
        Millis(on_line.map_or(f64::NAN, |s| self.scale * s.time_at(z)))
    }

    /// The share of requests that take at most `time`.
    ///
    /// # Formula
    ///
    /// `F(t) = Φ(z)`, `z` from the line through `ln t`; on a flat piece its right end, because
    /// all requests of the piece are complete by then.
    ///
    /// # Units and range
    ///
    /// Any time; 0 or less, or not a number, gives 0.
    ///
    /// # Source
    ///
    /// The definition of the model.
    ///
    /// # Examples
    ///
    /// ```
    /// use headroom::engine::latency::{LatencyModel, Point};
    /// use headroom::engine::units::{Millis, Share};
    ///
    /// let model = LatencyModel::from_points(&[
    ///     Point { quantile: 0.5, at: Millis(10.0) },
    ///     Point { quantile: 0.9, at: Millis(10.0) },
    ///     Point { quantile: 0.99, at: Millis(80.0) },
    /// ])?;
    /// assert_eq!(model.cdf(Millis(9.9)), Share(0.0));
    /// assert!((model.cdf(Millis(10.0)).0 - 0.9).abs() < 1e-15);
    /// # Ok::<(), headroom::engine::latency::LatencyError>(())
    /// ```
    pub fn cdf(&self, time: Millis) -> Share {
        Share(normal::lower_tail(self.z_at(time)))
    }

    /// The share of requests that take longer than `time`, `1 - F(t)` without cancellation.
    ///
    /// # Formula
    ///
    /// `1 - F(t) = Φ(-z)`, `z` as in [`cdf`](Self::cdf).
    ///
    /// # Units and range
    ///
    /// Any time; 0 or less, or not a number, gives 1. Good to double precision far out, where
    /// [`cdf`](Self::cdf) is 1.
    ///
    /// # Source
    ///
    /// The definition of the model.
    ///
    /// # Examples
    ///
    /// A timeout at p99.9 cuts one request in a thousand.
    ///
    /// ```
    /// use headroom::engine::latency::LatencyModel;
    /// use headroom::engine::units::Millis;
    ///
    /// let model = LatencyModel::from_mean(Millis(40.0))?;
    /// let cut = model.exceedance(model.quantile(0.999));
    /// assert!((cut.0 - 0.001).abs() < 1e-14);
    /// # Ok::<(), headroom::engine::latency::LatencyError>(())
    /// ```
    pub fn exceedance(&self, time: Millis) -> Share {
        Share(normal::upper_tail(self.z_at(time)))
    }

    /// The largest `z` whose time does not exceed `time`: `±∞` beyond a flat end.
    pub(super) fn z_at(&self, time: Millis) -> f64 {
        let t = time.0 / self.scale;
        // Also for a time that is not a number, or infinite with an infinite scale.
        if t.is_nan() || t <= 0.0 {
            return f64::NEG_INFINITY;
        }
        // The last segment that starts at or below `t`; the first one starts at 0 unless flat.
        let holds = |s: &&Segment| s.time_at(s.from) <= t;
        match self.segments.iter().rev().find(holds) {
            Some(s) if s.slope > 0.0 => s.z_at(t).clamp(s.from, s.to),
            Some(s) => s.to,
            None => f64::NEG_INFINITY,
        }
    }
}
