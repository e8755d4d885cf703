//! Means of the latency model: sums of closed forms over its lines.

use super::{LatencyModel, normal};
use crate::engine::units::Millis;

impl LatencyModel {
    /// The mean response time, the service time of Little's law.
    ///
    /// # Formula
    ///
    /// `E[T]`, the sum of the lines' parts with `k = 1`.
    ///
    /// # Units and range
    ///
    /// Milliseconds, above 0 and finite (but see [`scaled`](Self::scaled)).
    ///
    /// # Assumptions
    ///
    /// Those of [`LatencyModel`]; the extrapolated tail counts fully.
    ///
    /// # Source
    ///
    /// N. Johnson, S. Kotz, N. Balakrishnan, Continuous Univariate Distributions, vol. 1 (1994),
    /// chapter 14, moments of the (truncated) log-normal distribution.
    ///
    /// # Examples
    ///
    /// Where all percentiles agree, so does the mean.
    ///
    /// ```
    /// use headroom::engine::latency::{LatencyModel, Point};
    /// use headroom::engine::units::Millis;
    ///
    /// let flat = [0.5, 0.9, 0.99].map(|quantile| Point { quantile, at: Millis(10.0) });
    /// let mean = LatencyModel::from_points(&flat)?.mean();
    /// assert!((mean.0 - 10.0).abs() < 1e-14);
    /// # Ok::<(), headroom::engine::latency::LatencyError>(())
    /// ```
    pub fn mean(&self) -> Millis {
        Millis(self.scale * self.moment_up_to(1.0, f64::INFINITY))
    }

    /// The mean square of the response time, in square milliseconds.
    ///
    /// # Formula
    ///
    /// `E[T²]`, the sum of the lines' parts with `k = 2`; the variance is this less the square of
    /// the mean.
    ///
    /// # Units and range
    ///
    /// Square milliseconds, above 0; infinite when a steep last line takes it above every double.
    ///
    /// # Assumptions
    ///
    /// Those of [`LatencyModel`]; it depends far more on the extrapolated tail than the mean does.
    ///
    /// # Source
    ///
    /// As [`mean`](Self::mean).
    ///
    /// # Examples
    ///
    /// ```
    /// use headroom::engine::latency::{LatencyModel, Point};
    /// use headroom::engine::units::Millis;
    ///
    /// let flat = [0.5, 0.9, 0.99].map(|quantile| Point { quantile, at: Millis(10.0) });
    /// let square = LatencyModel::from_points(&flat)?.second_moment();
    /// assert!((square - 100.0).abs() < 1e-12);
    /// # Ok::<(), headroom::engine::latency::LatencyError>(())
    /// ```
    pub fn second_moment(&self) -> f64 {
        self.scale * self.scale * self.moment_up_to(2.0, f64::INFINITY)
    }

    /// The mean time that a request holds a slot when a timeout at `cut` ends the longer ones.
    ///
    /// # Formula
    ///
    /// `E[min(T, cut)] = E[T; T <= cut] + cut · P(T > cut)`.
    ///
    /// # Units and range
    ///
    /// Milliseconds, from 0 to the smaller of `cut` and the mean. A cut of 0 or less, or not a
    /// number, gives 0; an infinite one gives the mean.
    ///
    /// # Assumptions
    ///
    /// The slot is free again at the timeout; retries are not counted.
    ///
    /// # Source
    ///
    /// As [`mean`](Self::mean): limited expected value of the log-normal distribution.
    ///
    /// # Examples
    ///
    /// ```
    /// use headroom::engine::latency::LatencyModel;
    /// use headroom::engine::units::Millis;
    ///
    /// let model = LatencyModel::from_mean(Millis(40.0))?;
    /// // Hardly any request is done within 1 ms, so nearly all are cut there.
    /// assert!((model.mean_of_min(Millis(1.0)).0 - 1.0).abs() < 1e-9);
    /// assert_eq!(model.mean_of_min(Millis(f64::INFINITY)), model.mean());
    /// # Ok::<(), headroom::engine::latency::LatencyError>(())
    /// ```
    pub fn mean_of_min(&self, cut: Millis) -> Millis {
        let z = self.z_at(cut);
        if z == f64::INFINITY {
            return self.mean();
        }
        if z == f64::NEG_INFINITY {
            return cut.max(Millis(0.0));
        }
        let complete = self.scale * self.moment_up_to(1.0, z);
        Millis(complete) + cut * normal::upper_tail(z)
    }

    fn moment_up_to(&self, k: f64, z: f64) -> f64 {
        self.segments.iter().map(|s| s.moment_up_to(k, z)).sum()
    }
}
