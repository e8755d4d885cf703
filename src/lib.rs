//! Headroom sizes Envoy clusters.
//!
//! A scenario (request rate, latency percentiles, number of client proxies, protocol) goes in;
//! circuit-breaker thresholds, a timeout ladder, a retry policy and outlier detection that fit
//! together come out, each number with its derivation, and a YAML block that Envoy accepts.
//!
//! [`engine`] is pure and knows no page; `chart` draws engine results; `markup`
//! writes HTML; `ui` is the page.

pub mod engine;

#[cfg(feature = "auditor")]
pub mod auditor;
#[cfg(feature = "chart")]
pub mod chart;
#[cfg(feature = "embed")]
pub mod embed;
#[cfg(any(feature = "chart", feature = "auditor", feature = "shelf"))]
pub mod markup;
#[cfg(feature = "chart")]
pub mod review;
#[cfg(feature = "reviewer")]
pub mod reviewer;
#[cfg(feature = "shelf")]
pub mod shelf;
#[cfg(feature = "simulator")]
pub mod simulator;
#[cfg(feature = "ui")]
pub mod ui;
#[cfg(all(target_arch = "wasm32", any(feature = "auditor", feature = "reviewer", feature = "simulator")))]
pub mod worker;
