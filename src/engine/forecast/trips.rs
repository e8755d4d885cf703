//! Which limit trips first: how often today's rate or latency fits into each.

use super::Policy;
use crate::engine::analysis::Trip;
use crate::engine::queueing::{erlang_b, poisson};
use crate::engine::scenario::Protocol;
use crate::engine::sizing::max_connections;
use crate::engine::units::{Erlangs, display};

/// The limits, least headroom first.
///
/// A limit trips when more than `shed_target` of the requests fail because of it. Growth of the
/// rate and growth of the latency are looked at one at a time.
pub fn trips(p: &Policy<'_>) -> Vec<Trip> {
    let mut trips: Vec<Trip> =
        [per_try(p), Some(max_requests(p)), Some(max_pending(p)), route(p), hosts(p), Some(connections(p))]
            .into_iter()
            .flatten()
            .collect();
    trips.sort_by(|a, b| order(a).total_cmp(&order(b)));
    trips
}

fn order(trip: &Trip) -> f64 {
    trip.first().unwrap_or(f64::INFINITY)
}

/// `per_try_timeout` cuts when the tail of the latency reaches it.
fn per_try(p: &Policy<'_>) -> Option<Trip> {
    let cut = p.ladder.timeouts.per_try_ms?;
    let tail = p.model.quantile(1.0 - p.scenario.shed_target.0);
    Some(Trip {
        setting: "per_try_timeout",
        value: display::millis(cut),
        rate_multiple: None,
        latency_multiple: Some(cut.0 / tail.0),
        cause: "slower",
    })
}

fn max_requests(p: &Policy<'_>) -> Trip {
    let target = p.scenario.shed_target;
    let most = erlang_b::offered_for(u64::from(p.max_requests), target).0 / p.demand.offered.0;
    Trip {
        setting: "max_requests",
        value: display::count(f64::from(p.max_requests)),
        rate_multiple: Some(most),
        latency_multiple: Some(most),
        cause: "more or slower",
    }
}

/// `max_pending_requests` matters while connections are opened, so only the rate counts.
fn max_pending(p: &Policy<'_>) -> Trip {
    let most = poisson::mean_for(u64::from(p.pending.chosen), p.scenario.shed_target);
    let multiple = most / p.pending.arrivals;
    Trip {
        setting: "max_pending_requests",
        value: display::count(f64::from(p.pending.chosen)),
        rate_multiple: multiple.is_finite().then_some(multiple),
        latency_multiple: None,
        cause: "more, while connecting",
    }
}

fn route(p: &Policy<'_>) -> Option<Trip> {
    let route = p.ladder.timeouts.route_ms;
    let tail = p.model.quantile(1.0 - p.scenario.shed_target.0);
    (route.0 > 0.0).then(|| Trip {
        setting: "timeout",
        value: display::millis(route),
        rate_multiple: None,
        latency_multiple: Some(route.0 / tail.0),
        cause: "slower",
    })
}

/// The hosts themselves: what those left survive against the fleet's worst second.
fn hosts(p: &Policy<'_>) -> Option<Trip> {
    let s = p.scenario;
    let each = s.host_concurrency?;
    let left = f64::from(s.hosts_left());
    let most = left * each / (s.rps.0 * s.burst * p.demand.mean.as_secs());
    Some(Trip {
        setting: "hosts",
        value: format!("{} × {}", display::number(left), display::number(each)),
        rate_multiple: Some(most),
        latency_multiple: Some(most),
        cause: "more or slower",
    })
}

/// HTTP/1.1 pools keep what they opened at their busiest; HTTP/2 needs no more connections for
/// more requests until the streams of one are used up.
fn connections(p: &Policy<'_>) -> Trip {
    let value = display::count(f64::from(p.connections.chosen));
    let pools = p.connections.pools;
    if p.scenario.protocol != Protocol::Http1 {
        let each =
            u64::from(p.connections.chosen) / pools * max_connections::streams_per_connection(p.scenario);
        let most = poisson::mean_for(each, p.scenario.shed_target) / (p.demand.offered.0 / pools as f64);
        // Beyond a thousandfold it does not matter, and other limits have tripped long before.
        let most = Some(most).filter(|most| *most < MOST);
        return Trip {
            setting: "max_connections",
            value,
            rate_multiple: most,
            latency_multiple: most,
            cause: if most.is_some() { "more or slower, 100 streams each" } else { "flat on HTTP/2" },
        };
    }
    let idle = p.ladder.timeouts.pool_idle_ms;
    let limit = u64::from(p.connections.chosen);
    let fits = |rate: f64, load: f64| {
        let level = max_connections::level(
            pools,
            p.demand.client_rate * rate,
            Erlangs(p.demand.offered.0 * load),
            idle,
        );
        pools.saturating_mul(level) <= limit
    };
    Trip {
        setting: "max_connections",
        value,
        rate_multiple: last_that(|m| fits(m, m)),
        latency_multiple: last_that(|m| fits(1.0, m)),
        cause: "more or slower",
    }
}

/// Growth beyond this counts as never.
const MOST: f64 = 1024.0;

/// The largest multiple that still fits, to a thousandth; `None` beyond a thousandfold.
fn last_that(fits: impl Fn(f64) -> bool) -> Option<f64> {
    if fits(MOST) {
        return None;
    }
    let (mut low, mut high) = (0.0, MOST);
    while high - low > 1e-3 {
        let middle = f64::midpoint(low, high);
        if fits(middle) { low = middle } else { high = middle }
    }
    Some(low)
}
