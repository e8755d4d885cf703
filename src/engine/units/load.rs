//! Rates and the load they offer.

use super::Millis;
use serde::{Deserialize, Serialize};
use std::ops::Mul;

/// A rate in requests per second (streams per second for streaming calls).
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Rate(pub f64);

impl Rate {
    /// Requests per second.
    pub fn per_second(self) -> f64 {
        self.0
    }

    /// The mean number of arrivals within `window`.
    pub fn arrivals_in(self, window: Millis) -> f64 {
        self.0 * window.as_secs()
    }
}

impl Mul<f64> for Rate {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        Self(self.0 * factor)
    }
}

/// Offered load: the mean number of requests in flight if none were refused.
///
/// # Examples
///
/// Little's law, by hand: 500 requests per second that take 40 ms each keep 20 in flight.
///
/// ```
/// use headroom::engine::units::{Erlangs, Millis, Rate};
///
/// assert_eq!(Erlangs::of(Rate(500.0), Millis(40.0)), Erlangs(20.0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Erlangs(pub f64);

impl Erlangs {
    /// Little's law: arrival rate times mean time in service.
    ///
    /// # Source
    ///
    /// J. D. C. Little, "A Proof for the Queuing Formula L = λW", Operations Research 9 (1961).
    pub fn of(rate: Rate, time_in_service: Millis) -> Self {
        Self(rate.per_second() * time_in_service.as_secs())
    }

    /// The load as a plain number of requests in flight.
    pub fn in_flight(self) -> f64 {
        self.0
    }
}

impl Mul<f64> for Erlangs {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        Self(self.0 * factor)
    }
}
