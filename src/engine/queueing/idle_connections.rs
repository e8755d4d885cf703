//! HTTP/1.1 connections that a pool keeps although it rarely needs them.

use super::{LARGEST, pmf::pmf, search, usable_load, whole};
use crate::engine::units::{Erlangs, Millis, Rate};

/// The number of connections that one HTTP/1.1 pool holds open in steady state.
///
/// HTTP/1.1 carries one request per connection, and a pool that runs out opens another one. It
/// closes a connection only when that one was idle for the whole idle timeout, and picks the most
/// recently used first, so a level that is reached once per timeout keeps its connection alive.
/// Pools do not share: every worker has its own for every host, and the small load of each one
/// fluctuates far more, relative to its mean, than the load of all. The caller multiplies by the
/// number of pools. A real Envoy with 20.5 erlangs over 20 pools was seen to hold 66 to 72
/// connections, three times its mean number of requests in flight.
///
/// # Formula
///
/// `max k >= 1: λ · τ · P(Poisson(a) = k - 1) >= 1`, with `λ` = `rate` and `a` = `offered` of
/// this one pool and `τ` = `idle_timeout`. Arrivals find the pool at level `k - 1` and raise it
/// to `k` at the rate `λ · P(k - 1)` (Poisson arrivals see time averages), so the left side is
/// the number of times per idle timeout that the pool reaches `k`.
///
/// # Units and range
///
/// `rate` in requests per second and `offered` in erlangs, both of one pool; `idle_timeout` in
/// milliseconds. At least 1, also where no level is reached that often. An idle timeout of 0
/// (off) is for the caller to treat: nothing bounds the pool then but its highest peak. Rates or
/// timeouts that are not above 0 give 1; loads above 4.5e15, or not a number, give `u64::MAX`.
///
/// # Assumptions
///
/// Poisson arrivals, no limit reached, no connection closed by the upstream.
///
/// # Source
///
/// Stationary M/G/∞ system: R. W. Wolff, "Poisson Arrivals See Time Averages", Operations
/// Research 30 (1982). Envoy: connection pooling, `idle_timeout` of `HttpProtocolOptions`.
///
/// # Examples
///
/// 1 erlang at 10 requests per second and 60 s: 600 arrivals per timeout. P(k - 1) is 1/e / 5! =
/// 0.0031 at 5 (1.8 arrivals) and 0.0005 at 6 (0.3), so the pool keeps 6 connections.
///
/// ```
/// use headroom::engine::queueing::idle_connections::peak_level;
/// use headroom::engine::units::{Erlangs, Millis, Rate};
///
/// assert_eq!(peak_level(Rate(10.0), Erlangs(1.0), Millis(60_000.0)), 6);
/// ```
pub fn peak_level(rate: Rate, offered: Erlangs, idle_timeout: Millis) -> u64 {
    let a = usable_load(offered.0);
    if a > LARGEST {
        return u64::MAX;
    }
    let arrivals = rate.arrivals_in(idle_timeout);
    let usable = rate.0 > 0.0 && idle_timeout.0 > 0.0;
    let too_seldom = |busy: u64| {
        let raised = arrivals * pmf(busy as f64, a);
        // Not a number: an infinite timeout, but a level whose probability is 0.
        raised < 1.0 || raised.is_nan()
    };
    let likeliest = whole(a);
    if !usable || too_seldom(likeliest) {
        return 1;
    }
    // Above the likeliest level the probability falls: the first level that is seldom raised is
    // the highest one that is held.
    search::first(likeliest, whole(libm::sqrt(a)), too_seldom)
}
