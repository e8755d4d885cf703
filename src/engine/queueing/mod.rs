//! Queueing laws: how often a limit refuses, and how large it must be.
//!
//! `max_requests` admits or refuses, it never queues: an Erlang loss system. Its refused share
//! depends on the distribution of the service time only through the mean, so Little's law and one
//! formula carry most of the sizing ([`erlang_b`]). Where requests do queue, [`mmck`] gives the
//! share lost. Arrivals within a window are Poisson ([`poisson`]), and so is the number of busy
//! connections of a pool that nothing limits, which decides how many idle ones pile up
//! ([`idle_connections`]).
//!
//! Numbers reach 1e10 erlangs and Envoy's largest limit of 4,294,967,295, and a page recomputes
//! on every keystroke, so recursions from zero are out. All laws here rest on two quantities,
//! the Poisson probabilities at or below and above a level relative to the one at the level
//! (private module `ratio`): a short sum for small means, one well-behaved integral for large
//! ones, both to about 1e-13.
//!
//! One rule for unusable input, so that nothing panics: a load below 0 counts as 0; a load that
//! is not a number counts as infinite, the cautious reading. A size that no limit satisfies is
//! `u64::MAX`, which exceeds every limit Envoy accepts.
//!
//! What these laws leave out: retries (they raise the load, see
//! [`retry`](crate::engine::retry)), bursts within the peak second beyond Poisson, and load that
//! several pools cannot share. The simulator covers the last two.

pub mod erlang_b;
pub mod idle_connections;
pub mod mmck;
pub mod poisson;

mod pmf;
mod ratio;
mod search;

/// Loads and levels above this (2⁵²) are beyond whole-number precision: no size is computed.
const LARGEST: f64 = 4_503_599_627_370_496.0;

/// A load as the laws use it: never negative, never not a number.
fn usable_load(load: f64) -> f64 {
    if load.is_nan() {
        f64::INFINITY
    } else if load < f64::MIN_POSITIVE {
        // Subnormal loads have no reciprocal.
        0.0
    } else {
        load
    }
}

/// The whole part of a number from 0 to [`LARGEST`].
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the callers keep to the range; beyond it the cast saturates"
)]
fn whole(x: f64) -> u64 {
    x as u64
}
