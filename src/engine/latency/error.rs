//! What can be wrong with latency points.

use crate::engine::units::Millis;
use std::fmt;

/// Why a set of latency points describes no distribution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LatencyError {
    /// The number of points is 0 or above [`MAX_POINTS`](super::MAX_POINTS).
    PointCount(usize),
    /// A quantile is not strictly between 0 and 1.
    Quantile(f64),
    /// A time is not a number above 0 that a double holds at full precision.
    Time(Millis),
    /// Two neighboring quantiles do not increase.
    QuantileOrder {
        /// The quantile of the earlier point.
        before: f64,
        /// The quantile of the point after it.
        after: f64,
    },
    /// A higher quantile has a shorter time.
    TimeOrder {
        /// The time of the earlier point.
        before: Millis,
        /// The shorter time of the point after it.
        after: Millis,
    },
    /// The last points rise so steeply that the mean exceeds every double.
    InfiniteMean,
}

impl fmt::Display for LatencyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PointCount(count) => {
                write!(f, "{count} latency points given, 1 to {} are needed", super::MAX_POINTS)
            }
            Self::Quantile(quantile) => {
                write!(f, "quantile {quantile} is not strictly between 0 and 1")
            }
            Self::Time(time) => write!(f, "latency {} ms is not a finite time above 0", time.0),
            Self::QuantileOrder { before, after } => {
                write!(f, "quantile {after} does not exceed {before}, the one before it")
            }
            Self::TimeOrder { before, after } => {
                write!(f, "latency {} ms is below {} ms, the lower quantile's", after.0, before.0)
            }
            Self::InfiniteMean => {
                write!(f, "the last latency points rise so steeply that no mean is finite")
            }
        }
    }
}

impl std::error::Error for LatencyError {}
