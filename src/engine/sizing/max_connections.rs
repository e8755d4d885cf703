//! `max_connections`: how many connections one proxy may hold open.
//!
//! Connections belong to a pool, and a pool is one worker's way to one host. HTTP/2 normally needs
//! one connection a pool; while a connection drains, its successor is open too. HTTP/1.1 carries
//! one request a connection, and pools do not share: the connections that a pool opened at its own
//! busiest moment stay open until the pool idle timeout, so the sum over all pools lies far above
//! the number of requests in flight. A limit below that sum makes requests wait for connections
//! that idle elsewhere.

use super::demand::Demand;
use super::ledger::{Ledger, derived, not, rule};
use super::limit::{TooLarge, as_limit};
use crate::engine::analysis::Window;
use crate::engine::envoy::defaults;
use crate::engine::filled::filled;
use crate::engine::queueing::{idle_connections, poisson};
use crate::engine::scenario::{Protocol, Scenario};
use crate::engine::units::{Erlangs, Millis, Rate, display};

/// Streams that a server allows on one connection: unknown, and RFC 9113 §6.5.2 recommends no fewer.
/// Envoy's own 1,024 do not help: the smaller of the two counts.
const ASSUMED_PEER_STREAMS: u32 = 100;

/// While a connection drains (GOAWAY, maximum age), the one that replaces it is open already.
const DRAIN_OVERLAP: u64 = 2;

const IDLE_BOUND: &str = "our bound: a level that a pool reaches at least once per idle timeout stays open; measured on Envoy 1.40.0: 66 to 72 connections for 20.5 erlangs over 20 pools";

/// The connections of one proxy, one priority.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Connections {
    /// Pools: workers × hosts.
    pub pools: u64,
    /// Connections in each pool that the limit allows for.
    pub per_pool: u64,
    /// Connections open at the healthy peak.
    pub open_at_peak: u64,
    /// The limit.
    pub chosen: u32,
}

/// The limit on connections.
///
/// # Formula
///
/// HTTP/2 and gRPC: `workers · hosts · ⌈pool peak / max_concurrent_streams⌉ · 2`, with the smaller of
/// Envoy's `max_concurrent_streams` and the 100 that a server is assumed to allow; the pool peak is the level that a pool of a slowed-down upstream exceeds with probability `shed_target`.
/// HTTP/1.1: `workers · hosts · k`, `k` the largest level with `λ_p · τ · P(Poisson(a_p) = k − 1) ≥ 1`;
/// `λ_p` and `a_p` are a pool's part of rate and load in the slowdown that `max_requests` is sized
/// for: a limit that fits today's load only would make requests wait in the very slowdown that
/// `max_requests` lets through. Never below `max_requests` on HTTP/1.1, never below
/// `workers · hosts`, because Envoy opens one connection a pool whatever the limit says.
///
/// # Errors
///
/// [`TooLarge`] when the answer exceeds the field of Envoy.
pub fn limit(
    s: &Scenario,
    demand: &Demand,
    window: &Window,
    pool_idle: Millis,
) -> Result<Connections, TooLarge> {
    let pools = s.n_pools();
    let (per_pool, at_peak, factor) = match s.protocol {
        Protocol::Http1 => {
            let slow = demand.client_rate * (1.0 + s.retry_overhead);
            let level = level(pools, slow, demand.offered_at_slowdown, pool_idle);
            (level, self::level(pools, demand.client_rate, demand.offered, pool_idle), 1)
        }
        _ => (connections_for(s, pool_peak(s, demand, window)), 1, DRAIN_OVERLAP),
    };
    let mut chosen = pools.saturating_mul(per_pool).saturating_mul(factor);
    if s.protocol == Protocol::Http1 {
        chosen = chosen.max(u64::from(window.chosen));
    }
    let chosen = as_limit("max_connections", chosen)?;
    Ok(Connections { pools, per_pool, open_at_peak: pools.saturating_mul(at_peak), chosen })
}

/// Connections that a pool of HTTP/1.1 keeps open: what idles, and at least what is in use. The
/// second matters where requests last longer than the pool idle timeout.
pub fn level(pools: u64, rate: Rate, offered: Erlangs, pool_idle: Millis) -> u64 {
    let part = 1.0 / pools as f64;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "offered is finite and ≥ 0")]
    let in_use = (offered.0 * part).ceil() as u64;
    idle_connections::peak_level(rate * part, offered * part, pool_idle).max(in_use)
}

/// Streams that a pool has open at its busiest: never more than the breaker lets through.
fn pool_peak(s: &Scenario, demand: &Demand, window: &Window) -> u64 {
    let each = demand.offered_at_slowdown.0 / s.n_pools() as f64;
    poisson::quantile(each, s.shed_target).clamp(1, u64::from(window.chosen))
}

fn connections_for(s: &Scenario, streams: u64) -> u64 {
    streams.div_ceil(streams_per_connection(s))
}

/// Streams that one connection carries.
pub fn streams_per_connection(s: &Scenario) -> u64 {
    u64::from(defaults::max_concurrent_streams(s.envoy_version).min(ASSUMED_PEER_STREAMS))
}

/// Writes the limit into the account.
pub fn explain(
    s: &Scenario,
    demand: &Demand,
    cx: &Connections,
    window: &Window,
    pool_idle: Millis,
    ledger: &mut Ledger,
) {
    let n = |value: u64| display::count(value as f64);
    let id = |part: &str| format!("{}.max_connections.{part}", demand.key());
    ledger.add(
        id("pools"),
        cx.pools as f64,
        "pools",
        derived("envoy: a connection pool belongs to one worker, one host and one priority"),
        "workers · hosts",
        filled("{} × {}", [f64::from(s.workers), f64::from(s.hosts)]),
    );
    let formula = if s.protocol == Protocol::Http1 {
        explain_http1(s, demand, cx, pool_idle, ledger);
        (
            "max(pools · k, max_requests)",
            filled("max({} × {}, {})", [cx.pools as f64, cx.per_pool as f64, f64::from(window.chosen)]),
        )
    } else {
        let streams = streams_per_connection(s);
        let peak = pool_peak(s, demand, window);
        ledger.add(
            id("pool_peak"),
            peak as f64,
            "streams",
            derived("Poisson quantile at shed_target, in the slowdown that max_requests is sized for"),
            "min(max_requests, min n: P(Poisson(offered · slowdown · (1 + retry_overhead) / pools) > n) ≤ shed_target)",
            filled("min({}, min n: P(Poisson({}) > n) ≤ {})", [f64::from(window.chosen), demand.offered_at_slowdown.0 / cx.pools as f64, s.shed_target.0]),
        );
        (
            "pools · ⌈pool peak / max_concurrent_streams⌉ · 2",
            filled("{} × ⌈{} / {}⌉ × 2", [cx.pools as f64, peak as f64, streams as f64]),
        )
    };
    let alternatives = ledger.add(
        id("chosen"),
        f64::from(cx.chosen),
        "connections",
        rule(
            "our rule: a connection in every pool, and its successor while it drains; on HTTP/1.1 what idles",
        ),
        formula.0,
        formula.1,
    );
    if cx.pools > 1 {
        alternatives.push(not(
            format!("Not below {}", n(cx.pools)),
            format!(
                "Envoy opens one connection in each of the {} pools whatever the limit says.",
                n(cx.pools)
            ),
        ));
    }
    if s.protocol == Protocol::Http1 {
        alternatives.push(not(
            format!("Not {}, as max_requests", n(u64::from(window.chosen))),
            "pools do not share: connections that idle in one pool are missing in another, and requests wait.",
        ));
    } else {
        alternatives.push(not(
            "Not known",
            "how many streams the server allows on a connection: 100 are assumed, the least that RFC 9113 recommends.",
        ));
    }
}

fn explain_http1(s: &Scenario, demand: &Demand, cx: &Connections, pool_idle: Millis, ledger: &mut Ledger) {
    let part = 1.0 / cx.pools as f64;
    ledger.add(
        format!("{}.max_connections.per_pool", demand.key()),
        cx.per_pool as f64,
        "connections",
        rule(IDLE_BOUND),
        "max k: λ_p · τ · P(Poisson(a_p) = k − 1) ≥ 1",
        format!(
            "λ_p = {} req/s, a_p = {}, τ = {}",
            display::number(demand.client_rate.0 * (1.0 + s.retry_overhead) * part),
            display::number(demand.offered_at_slowdown.0 * part),
            display::millis(pool_idle)
        ),
    );
}
