//! Simulated time.

use crate::engine::units::Millis;
use serde::{Deserialize, Serialize};

/// A moment after the start of the run, or a span, in whole nanoseconds.
///
/// Whole numbers, because ties must be ties on every machine. `u64` reaches 584 years.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Nanos(pub u64);

const PER_MILLI: f64 = 1e6;
const PER_SECOND: f64 = 1e9;

impl Nanos {
    /// The start.
    pub const ZERO: Self = Self(0);
    /// Later than everything.
    pub const NEVER: Self = Self(u64::MAX);
    /// A millisecond.
    pub const MILLI: Self = Self(1_000_000);
    /// A second.
    pub const SECOND: Self = Self(1_000_000_000);

    /// To the nearest nanosecond; negative and not a number become zero.
    ///
    /// ```
    /// use headroom::engine::sim::Nanos;
    /// use headroom::engine::units::Millis;
    ///
    /// assert_eq!(Nanos::of(Millis(0.25)), Nanos(250_000));
    /// ```
    pub fn of(span: Millis) -> Self {
        Self::rounded(span.0 * PER_MILLI)
    }

    /// To the nearest nanosecond; negative and not a number become zero.
    pub fn from_secs(secs: f64) -> Self {
        Self::rounded(secs * PER_SECOND)
    }

    /// A float in nanoseconds.
    #[inline]
    pub fn rounded(nanos: f64) -> Self {
        /// The number before one half: with it, cutting is rounding, also just below a half.
        const HALF: f64 = 0.5 - f64::EPSILON / 4.0;
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a float becomes the nearest integer in range"
        )]
        Self((nanos + HALF) as u64)
    }

    /// In seconds.
    pub fn as_secs(self) -> f64 {
        self.0 as f64 / PER_SECOND
    }

    /// In milliseconds.
    pub fn as_millis(self) -> Millis {
        Millis(self.0 as f64 / PER_MILLI)
    }

    /// Later by `span`; never beyond [`Self::NEVER`].
    #[must_use]
    pub fn after(self, span: Self) -> Self {
        Self(self.0.saturating_add(span.0))
    }

    /// The span since `earlier`; zero if that is later.
    #[must_use]
    pub fn since(self, earlier: Self) -> Self {
        Self(self.0.saturating_sub(earlier.0))
    }
}
