//! Durations in milliseconds.

use serde::{Deserialize, Serialize};
use std::ops::{Add, Mul, Sub};

/// A duration in milliseconds, the unit of every time in a scenario and in the answer.
///
/// # Units and range
///
/// Milliseconds, finite; differences may be negative.
///
/// # Examples
///
/// ```
/// use headroom::engine::units::Millis;
///
/// assert_eq!(Millis::from_secs(1.5), Millis(1500.0));
/// assert_eq!(Millis(250.0).as_secs(), 0.25);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Millis(pub f64);

impl Millis {
    /// The duration of `secs` seconds.
    pub fn from_secs(secs: f64) -> Self {
        Self(secs * 1000.0)
    }

    /// The duration in seconds.
    pub fn as_secs(self) -> f64 {
        self.0 / 1000.0
    }

    /// The duration in milliseconds.
    pub fn as_millis(self) -> f64 {
        self.0
    }

    /// The smaller of two durations.
    #[must_use]
    pub fn min(self, other: Self) -> Self {
        Self(self.0.min(other.0))
    }

    /// The larger of two durations.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self(self.0.max(other.0))
    }
}

impl Add for Millis {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Millis {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Mul<f64> for Millis {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        Self(self.0 * factor)
    }
}

impl std::iter::Sum for Millis {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self(0.0), Add::add)
    }
}
