//! Erlang B: a limit without a queue.

use super::{LARGEST, ratio, search, usable_load, whole};
use crate::engine::units::{Erlangs, Share};

/// The share of requests that find all servers busy and are refused.
///
/// For Envoy: the share that `max_requests` = `servers` refuses one proxy's traffic.
///
/// # Formula
///
/// With `a` = `offered`, `c` = `servers`: `B = (a^c / c!) / Σ_{k=0}^{c} a^k / k!`. Evaluated as
/// `1 / B = Σ_{k=0}^{c} c! / (c - k)! · a^-k` from its large end, for large `a` as the equal
/// integral `∫₀^∞ (1 + u/a)^c e^-u du`: no factorials, no overflow, time independent of `c`.
///
/// # Units and range
///
/// `offered` in erlangs; the result is a probability. Relative error about 1e-13 up to 1e10
/// erlangs and any `servers`. No servers refuse everything (1), no load is never refused (0);
/// below 1e-308 the result is 0. Negative loads count as 0; infinite ones, and not a number,
/// give 1.
///
/// # Assumptions
///
/// Poisson arrivals at a constant rate; refused requests go away. Any distribution of the service
/// time with the same mean gives the same result.
///
/// # Source
///
/// A. K. Erlang, "Solution of some Problems in the Theory of Probabilities of Significance in
/// Automatic Telephone Exchanges" (1917); insensitivity: B. A. Sevast'yanov (1957).
///
/// # Examples
///
/// One erlang on two servers: (1/2) / (1 + 1 + 1/2) = 1/5.
///
/// ```
/// use headroom::engine::queueing::erlang_b::blocking;
/// use headroom::engine::units::Erlangs;
///
/// assert!((blocking(2, Erlangs(1.0)).0 - 0.2).abs() < 1e-15);
/// // A limit of 10 against 20 requests in flight refuses more than half of them.
/// assert!((blocking(10, Erlangs(20.0)).0 - 0.538).abs() < 5e-4);
/// ```
pub fn blocking(servers: u64, offered: Erlangs) -> Share {
    let a = usable_load(offered.0);
    if servers == 0 || a == f64::INFINITY {
        return Share(1.0);
    }
    if a <= 0.0 {
        return Share(0.0);
    }
    Share(1.0 / ratio::below(servers as f64, a))
}

/// The smallest number of servers that refuses no more than `target`.
///
/// For Envoy: the smallest `max_requests` for a tolerated share of refusals.
///
/// # Formula
///
/// `min c >= 1: B(c, a) <= target`. Servers carry at most one erlang each, `a (1 - B) <= c`, so
/// the search starts at `a (1 - target)` and goes up in steps of `√a / 2`, doubling, then halves.
///
/// # Units and range
///
/// `offered` in erlangs, `target` a probability. At least 1, since a limit of 0 refuses
/// everything. `u64::MAX` where no limit does: a target of 0 or less or not a number with any
/// load at all, or a load above 4.5e15.
///
/// # Assumptions
///
/// Those of [`blocking`].
///
/// # Source
///
/// As [`blocking`]; the bound is Little's law for the busy servers.
///
/// # Examples
///
/// One erlang: B is 1/2, 1/5, 1/16 for 1, 2, 3 servers.
///
/// ```
/// use headroom::engine::queueing::erlang_b::servers_for;
/// use headroom::engine::units::{Erlangs, Share};
///
/// assert_eq!(servers_for(Erlangs(1.0), Share(0.1)), 3);
/// assert_eq!(servers_for(Erlangs(0.0), Share(0.1)), 1);
/// ```
pub fn servers_for(offered: Erlangs, target: Share) -> u64 {
    let a = usable_load(offered.0);
    if a <= 0.0 || target.0 >= 1.0 {
        return 1;
    }
    if a > LARGEST || target.0.is_nan() || target.0 <= 0.0 {
        return u64::MAX;
    }
    let start = whole(a * (1.0 - target.0));
    let step = whole(0.5 * libm::sqrt(a));
    let enough = |servers| blocking(servers, Erlangs(a)) <= target;
    search::first(start, step, enough).max(1)
}

/// The largest load of which the servers refuse no more than `target`.
///
/// Its ratio to the present load is the headroom of a limit.
///
/// # Formula
///
/// `max a: B(c, a) <= target`, by Newton's method on `ln B` over `ln a`, whose slope is
/// `c - a (1 - B)`, between `(target · c!)^(1/c)` (from `B <= a^c / c!`) and `c / (1 - target)`
/// (from `a (1 - B) <= c`).
///
/// # Units and range
///
/// Erlangs, to 1e-12 relative. 0 for no servers, and for a target of 0 or less or not a number;
/// infinite for a target of 1 or more.
///
/// # Assumptions
///
/// Those of [`blocking`].
///
/// # Source
///
/// As [`blocking`]; the slope follows from differentiating the quotient.
///
/// # Examples
///
/// One server: B = a / (1 + a), so 1/5 is refused at a quarter of an erlang.
///
/// ```
/// use headroom::engine::queueing::erlang_b::offered_for;
/// use headroom::engine::units::Share;
///
/// assert!((offered_for(1, Share(0.2)).0 - 0.25).abs() < 1e-12);
/// ```
pub fn offered_for(servers: u64, target: Share) -> Erlangs {
    if servers == 0 || target.0.is_nan() || target.0 <= 0.0 {
        return Erlangs(0.0);
    }
    if target.0 >= 1.0 {
        return Erlangs(f64::INFINITY);
    }
    let c = servers as f64;
    let ln_target = libm::log(target.0);
    let lo = (ln_target + libm::lgamma(c + 1.0)) / c;
    let hi = libm::log(c) - libm::log1p(-target.0);
    let at = |ln_a: f64| {
        let a = libm::exp(ln_a);
        let b = blocking(servers, Erlangs(a)).0;
        (libm::log(b) - ln_target, c - a * (1.0 - b))
    };
    Erlangs(libm::exp(search::root(lo, hi, at)))
}
