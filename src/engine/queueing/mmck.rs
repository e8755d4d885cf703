//! M/M/c/K: a limit with a short queue behind it.

use super::{erlang_b, usable_load};
use crate::engine::units::{Erlangs, Share};

/// The share of requests lost when servers and waiting room together have `places`.
///
/// For Envoy with a single HTTP/1.1 pool: `max_connections` = `servers`, and `places` =
/// `max_connections + max_pending_requests`.
///
/// # Formula
///
/// With `a` = `offered`, `c` = `servers`, `q = places - c`, `ρ = a / c` and `B = B(c, a)`:
/// `P = ρ^q / (1/B + Σ_{j=1}^{q} ρ^j)`. The geometric sum is `expm1(q ln ρ) · ρ / (ρ - 1)`, with
/// `ln ρ` from the difference `a - c`, so that ρ near 1 costs no digits; for ρ > 1 numerator and
/// denominator are divided by `ρ^q`, so that neither overflows.
///
/// # Units and range
///
/// `offered` in erlangs, `places` counted with those in service; the result is a probability.
/// Fewer places than servers leave servers idle: `B(places, a)`. Without places all is lost (1).
/// Negative loads count as 0; infinite ones, and not a number, give 1.
///
/// # Assumptions
///
/// Poisson arrivals, exponential service, one queue that all servers share. Envoy's queue
/// belongs to one worker and one host, so with several pools it loses more than this.
///
/// # Source
///
/// L. Kleinrock, Queueing Systems, vol. 1 (1975), chapter 3, birth-death systems.
///
/// # Examples
///
/// One erlang, one server, one waiting place: states 0, 1, 2 are equally likely.
///
/// ```
/// use headroom::engine::queueing::mmck::blocking;
/// use headroom::engine::units::Erlangs;
///
/// assert!((blocking(Erlangs(1.0), 1, 2).0 - 1.0 / 3.0).abs() < 1e-15);
/// ```
pub fn blocking(offered: Erlangs, servers: u64, places: u64) -> Share {
    let servers = servers.min(places);
    let without_queue = erlang_b::blocking(servers, offered);
    let a = usable_load(offered.0);
    let waiting = (places - servers) as f64;
    // With nobody to serve the queue it only fills up; without load or room it does not matter.
    if servers == 0 || waiting < 1.0 || a <= 0.0 || a == f64::INFINITY {
        return without_queue;
    }
    Share(with_queue(1.0 / without_queue.0, a, servers as f64, waiting))
}

fn with_queue(inverse_b: f64, a: f64, c: f64, waiting: f64) -> f64 {
    let ln_rho = ln_ratio(a, c);
    let full = libm::exp(-waiting * ln_rho.abs());
    if a <= c {
        full / (inverse_b + (a / c) * geometric(waiting, ln_rho))
    } else {
        1.0 / (full * inverse_b + geometric(waiting, -ln_rho))
    }
}

/// `ln(a / c)`, from the difference where the quotient is near 1.
fn ln_ratio(a: f64, c: f64) -> f64 {
    let v = (a - c) / c;
    if v.abs() < 0.5 { libm::log1p(v) } else { libm::log(a) - libm::log(c) }
}

/// `Σ_{j=0}^{terms-1} e^{j x}` for `x <= 0`.
fn geometric(terms: f64, x: f64) -> f64 {
    let denominator = libm::expm1(x);
    if denominator < 0.0 { libm::expm1(terms * x) / denominator } else { terms }
}
