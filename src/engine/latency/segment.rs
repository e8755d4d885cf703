//! One straight line of the latency model, and its part of a moment.

use super::normal;

/// A piece of the distribution on which `ln t` is linear in `z`.
///
/// The line goes through `(anchor_z, anchor_time)`; `from` and `to` may be infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Segment {
    pub from: f64,
    pub to: f64,
    pub anchor_z: f64,
    pub anchor_time: f64,
    pub slope: f64,
}

impl Segment {
    /// The time at `z`, exact at the anchor. A flat segment stays flat out to infinity.
    pub fn time_at(&self, z: f64) -> f64 {
        if self.slope > 0.0 {
            self.anchor_time * libm::exp(self.slope * (z - self.anchor_z))
        } else {
            self.anchor_time
        }
    }

    /// The `z` at which the line reaches `time`; only for rising lines.
    pub fn z_at(&self, time: f64) -> f64 {
        self.anchor_z + libm::log(time / self.anchor_time) / self.slope
    }

    /// The segment's part of `E[T^k; Z <= limit]`.
    ///
    /// With `α + βz` the line, this is `e^{kα + k²β²/2} [Φ(z₂ - kβ) - Φ(z₁ - kβ)]`. Both factors
    /// leave the range of a double when the line is steep, so each end is written as one edge
    /// term (see [`Self::edge`]) taken from the side of the peak `z = kβ` on which it is small.
    pub fn moment_up_to(&self, k: f64, limit: f64) -> f64 {
        let (from, to) = (self.from, self.to.min(limit));
        if from >= to {
            return 0.0;
        }
        let peak = k * self.slope;
        let (low, high) = (self.edge(k, from), self.edge(k, to));
        if to <= peak {
            high - low
        } else if from >= peak {
            low - high
        } else {
            self.whole(k) - low - high
        }
    }

    /// `t(z)^k e^{-z²/2} M(|z - kβ|)`, which is `e^{kα + k²β²/2} Φ(-|z - kβ|)` without large
    /// intermediate values: what the line contributes beyond `z`, seen from the peak.
    fn edge(&self, k: f64, z: f64) -> f64 {
        if z.is_infinite() {
            return 0.0;
        }
        let exponent = k * self.ln_time(z) - 0.5 * z * z;
        libm::exp(exponent) * normal::scaled_upper_tail((z - k * self.slope).abs())
    }

    /// `e^{kα + k²β²/2}`: the moment of the line continued to both sides.
    fn whole(&self, k: f64) -> f64 {
        let peak = k * self.slope;
        libm::exp(k * self.ln_time(peak) - 0.5 * peak * peak)
    }

    fn ln_time(&self, z: f64) -> f64 {
        libm::log(self.anchor_time) + self.slope * (z - self.anchor_z)
    }
}
