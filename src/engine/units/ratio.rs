//! Shares of a whole, as a fraction or in percent.

use serde::{Deserialize, Serialize};

/// A share of a whole or a probability, 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Share(pub f64);

impl Share {
    /// The share as a fraction of 1.
    pub fn fraction(self) -> f64 {
        self.0
    }

    /// The share in percent.
    pub fn percent(self) -> Percent {
        Percent(self.0 * 100.0)
    }
}

/// A percentage, 0 to 100, as Envoy's `Percent` message carries it.
///
/// # Examples
///
/// ```
/// use headroom::engine::units::{Percent, Share};
///
/// assert_eq!(Percent(20.0).share(), Share(0.2));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Percent(pub f64);

impl Percent {
    /// The percentage as a fraction of 1.
    pub fn share(self) -> Share {
        Share(self.0 / 100.0)
    }
}
