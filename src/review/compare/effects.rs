//! What a side does: refusals, exposure of the hosts, the most that an outage may cost.

use super::Side;
use crate::engine::queueing::{erlang_b, mmck};
use crate::engine::retry::{amplification, budget};
use crate::engine::sim::{Policy, RetryLimit, RetryOn};
use crate::engine::units::{Erlangs, Millis, Percent, Share, display};
use serde::Serialize;

/// Something that both do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Effect {
    /// What.
    pub what: String,
    /// The first side.
    pub a: String,
    /// The second side.
    pub b: String,
}

/// How a side's effect is written.
type Shown = fn(&Side) -> String;

/// Every effect, of both sides.
pub fn effects(a: &Side, b: &Side) -> Vec<Effect> {
    let rows: [(&str, Shown); 7] = [
        ("refused at the healthy peak", |s| refused(s, 1.0)),
        ("refused in the slowdown that was asked for, with retries", |s| refused(s, slowdown(s))),
        ("in flight that all proxies together allow", |s| display::count(fleet_limit(s))),
        ("in flight that the hosts survive", |s| {
            s.analysis.forecast.hosts_survive.map_or_else(unknown, |n| display::count(n.floor()))
        }),
        ("limits over what the hosts survive", |s| {
            s.analysis
                .forecast
                .hosts_survive
                .filter(|n| *n > 0.0)
                .map_or_else(unknown, |n| format!("×{}", display::significant(fleet_limit(s) / n, 3)))
        }),
        ("most attempts a request may cost in an outage, all layers", |s| {
            format!("×{}", display::significant(attempts(s), 3))
        }),
        ("longest a request may hold a slot", |s| holds(&s.policy)),
    ];
    rows.into_iter().map(|(what, of)| Effect { what: what.to_owned(), a: of(a), b: of(b) }).collect()
}

fn unknown() -> String {
    "not known".to_owned()
}

/// Offered load of the DEFAULT priority at the busiest proxy in the worst second.
fn offered(side: &Side) -> f64 {
    let of_default = side.analysis.number("default.max_requests.offered").and_then(|n| n.value);
    of_default.unwrap_or(side.analysis.load.offered.0)
}

/// The factor on the load in the slowdown, as `max_requests` is sized for it.
fn slowdown(side: &Side) -> f64 {
    let s = &side.analysis.scenario;
    s.slowdown * (1.0 + s.retry_overhead)
}

/// The share refused when the load is so many times that of the peak.
///
/// # Formula
///
/// `B(max_requests, a)`. Where connections hold less than `max_requests`, what finds none waits, up to
/// `max_pending_requests`: M/M/c/K with `c` the streams that connections hold (one connection in every
/// pool at least, whatever the limit says) and `K = c + max_pending_requests`.
fn refused(side: &Side, factor: f64) -> String {
    let load = Erlangs(offered(side) * factor);
    let limits = &side.policy.limits[0];
    let pools = side.analysis.scenario.n_pools();
    let each = if side.policy.upstream.multiplexes {
        u64::from(side.policy.upstream.max_concurrent_streams)
    } else {
        1
    };
    let held = u64::from(limits.max_connections).max(pools).saturating_mul(each);
    let most = u64::from(limits.max_requests);
    let share: Share = if held < most {
        let places = held.saturating_add(u64::from(limits.max_pending_requests)).min(most);
        mmck::blocking(load, held, places)
    } else {
        erlang_b::blocking(most, load)
    };
    format!("{} ({})", display::share(share), display::one_in(share))
}

/// Requests in flight that all proxies together allow, of all priorities that have traffic.
fn fleet_limit(side: &Side) -> f64 {
    let s = &side.analysis.scenario;
    let in_use = if s.high_priority_share.0 > 0.0 { 2 } else { 1 };
    let each: f64 = side.policy.limits.iter().take(in_use).map(|l| f64::from(l.max_requests)).sum();
    each * f64::from(s.clients)
}

/// Most attempts of all layers that retry alike.
fn attempts(side: &Side) -> f64 {
    let s = &side.analysis.scenario;
    let retry = side.policy.route.retry.as_ref().filter(|r| r.retry_on != RetryOn::default());
    let n = retry.map_or(0, |r| r.num_retries);
    let load = Erlangs(offered(side));
    let one = match side.policy.limits[0].retry_limit {
        RetryLimit::MaxRetries(most) => amplification::cap(n, 0.0, most, load),
        RetryLimit::Budget(b) => amplification::cap(
            n,
            budget::overhead_of_percent(Percent(b.budget_percent)),
            b.min_retry_concurrency,
            load,
        ),
    };
    one.powi(i32::try_from(s.retrying_hops).unwrap_or(1))
}

/// The clock that ends a request.
fn holds(policy: &Policy) -> String {
    let route = &policy.route;
    let clocks = [route.timeout, route.max_stream_duration, policy.upstream.max_stream_duration];
    let first = clocks.into_iter().flatten().min();
    first.map_or_else(|| "no limit".to_owned(), |t| display::millis(Millis(t.as_millis().0)))
}
