//! Outlier detection of one proxy process.
//!
//! Every attempt reports its result here ([`Outcome`]). Runs of failures are judged at once, shares
//! of failures at the ticks of `interval`, and hosts come back at ticks only. Workers see a change
//! later, see [`HealthView`](super::health::HealthView).
//!
//! Source: envoyproxy/envoy, `source/common/upstream/outlier_detection_impl.cc`, measured on 1.40.

mod counters;
mod detector;
mod monitor;
mod rates;
#[cfg(test)]
mod tests;

pub(crate) use detector::Detector;
pub(crate) use monitor::Outcome;
