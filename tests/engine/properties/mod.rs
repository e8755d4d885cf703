//! Laws that hold for every input.

mod envoy;
mod latency;
mod queueing;
mod retry;
pub mod sizing;
