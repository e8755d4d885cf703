//! Upstream response times: from a few percentiles to a distribution.
//!
//! A limit follows from the *mean* time in service (Little's law), a timeout from the tail, and
//! dashboards show neither: they show a handful of percentiles. This module turns those into a
//! distribution whose mean, truncated mean and quantiles are closed forms.
//!
//! The idea: on a scale where a log-normal distribution is a straight line (the logarithm of the
//! time against `z = Φ⁻¹(q)`, the normal quantile of the share `q`), join the given points by
//! straight lines and continue the two end lines outward. With one line this is the log-normal
//! distribution; with more it bends where the data bend. It passes exactly through every point.
//!
//! What it does not do: no fitting, no smoothing, no guess at a timeout that cuts the measured
//! tail. The time above the last percentile is an extrapolation, which is why
//! [`mean_lower_bound`], which assumes nothing, is shown beside the mean.
//!
//! [`normal`] holds the normal distribution function and its inverse, good to the last digits of
//! a double in both tails; everything else rests on it.

pub mod normal;

mod as241;
mod bounds;
mod distribution;
mod error;
mod moments;
mod segment;
mod shares;

pub use bounds::mean_lower_bound;
pub use distribution::{ASSUMED_P99_OVER_P50, LatencyModel, MAX_POINTS, Point};
pub use error::LatencyError;
