//! What will happen with the chosen limits: refusals, fleet sums, stalls, and what trips first.

pub mod trips;

use super::analysis::{Forecast, UseAtPeak};
use super::envoy::defaults;
use super::filled::filled;
use super::latency::LatencyModel;
use super::queueing::erlang_b;
use super::scenario::Scenario;
use super::sizing::demand::Demand;
use super::sizing::ledger::{Ledger, derived, rule};
use super::sizing::max_connections::Connections;
use super::sizing::max_pending_requests::Pending;
use super::sizing::retry_budget::RetryLimits;
use super::sizing::timeouts::Ladder;
use super::units::{Erlangs, Millis, Share};

/// What the forecast looks at: the policy for one priority, DEFAULT but for the use of its limits.
#[derive(Clone, Copy, Debug)]
pub struct Policy<'a> {
    /// What was asked.
    pub scenario: &'a Scenario,
    /// The fitted distribution.
    pub model: &'a LatencyModel,
    /// Demand on the busiest proxy.
    pub demand: &'a Demand,
    /// `max_requests`.
    pub max_requests: u32,
    /// `max_connections`.
    pub connections: &'a Connections,
    /// `max_pending_requests`.
    pub pending: &'a Pending,
    /// Retry limits.
    pub retries: &'a RetryLimits,
    /// Timeouts and attempts.
    pub ladder: &'a Ladder,
    /// Sum of the back-off bounds between the attempts.
    pub back_offs: Millis,
    /// Most attempts per request of this layer in an outage.
    pub amplification_cap: f64,
}

/// One refused request in a hundred: the second mark of the sweep.
const ONE_PERCENT: Share = Share(0.01);

/// The forecast.
pub fn forecast(p: &Policy<'_>) -> Forecast {
    let (s, offered) = (p.scenario, p.demand.offered);
    let servers = u64::from(p.max_requests);
    let stall = Stall::of(p);
    let at_target = multiple(servers, s.shed_target, offered);
    let hops = i32::try_from(s.retrying_hops).unwrap_or(1);
    Forecast {
        refused_at_peak: erlang_b::blocking(servers, offered),
        refused_at_slowdown: erlang_b::blocking(servers, p.demand.offered_at_slowdown),
        fleet_max_requests: servers * u64::from(s.clients),
        stall_fill_ms: stall.fill,
        stall_slots: stall.slots,
        stall_slots_route: stall.slots_route,
        refused_at_peak_default: erlang_b::blocking(u64::from(defaults::MAX_REQUESTS), offered),
        fleet_max_requests_default: u64::from(defaults::MAX_REQUESTS) * u64::from(s.clients),
        hosts_survive: s.host_concurrency.map(|each| each * f64::from(s.hosts_left())),
        rate_at_target: s.rps * at_target,
        multiple_at_target: at_target,
        multiple_at_one_percent: multiple(servers, ONE_PERCENT, offered),
        fleet_retries: retries_at_once(p) * u64::from(s.clients),
        attempts_with_hops: f64::from(p.ladder.attempts).powi(hops),
        attempts_with_hops_capped: p.amplification_cap.powi(hops),
        cut_by_per_try: p.ladder.timeouts.per_try_ms.map(|cut| p.model.exceedance(cut)),
        cut_by_per_try_at_slowdown: p
            .ladder
            .timeouts
            .per_try_ms
            .map(|cut| p.model.exceedance(cut * (1.0 / s.slowdown))),
        use_at_peak: use_at_peak(p),
        high_use_at_peak: None,
    }
}

/// Retries that the busiest proxy may have outstanding: the larger of budget and floor rules.
fn retries_at_once(p: &Policy<'_>) -> u64 {
    if p.ladder.attempts > 1 { u64::from(p.retries.max_retries) } else { 0 }
}

/// How far the offered load may grow until the target is reached.
fn multiple(servers: u64, target: Share, offered: Erlangs) -> f64 {
    erlang_b::offered_for(servers, target).0 / offered.0
}

/// Use and refusals of each limit of one priority.
pub fn use_at_peak(p: &Policy<'_>) -> UseAtPeak {
    let outstanding = p.retries.outstanding;
    UseAtPeak {
        max_requests: p.demand.offered,
        requests_refused: erlang_b::blocking(u64::from(p.max_requests), p.demand.offered),
        max_connections: p.connections.open_at_peak,
        max_pending_requests: p.pending.arrivals,
        pending_refused_cold: p.pending.refused_cold,
        retries: outstanding,
        retry_share: Share(outstanding / (p.demand.offered.0 + outstanding)),
        retries_refused: erlang_b::blocking(retries_at_once(p), Erlangs(outstanding)),
    }
}

/// What happens when every host stalls.
struct Stall {
    slots: f64,
    slots_route: Option<f64>,
    fill: Option<Millis>,
}

impl Stall {
    /// Slots a stall takes: `client_rate` × the time one request can hold a slot; that is the route
    /// timeout, or all attempts with their back-offs when shorter. The breaker refuses only if that
    /// exceeds `max_requests`, after `(max_requests − offered) / client_rate`.
    fn of(p: &Policy<'_>) -> Self {
        let rate = p.demand.client_rate;
        let t = &p.ladder.timeouts;
        let route = if t.route_ms.0 > 0.0 { Some(t.route_ms) } else { t.max_stream_duration_ms };
        let tries = t.per_try_ms.map(|per_try| per_try * f64::from(p.ladder.attempts) + p.back_offs);
        let hold = match (route, tries) {
            (Some(route), Some(tries)) => Some(route.min(tries)),
            (route, tries) => route.or(tries),
        };
        let slots = hold.map_or(f64::INFINITY, |hold| rate.arrivals_in(hold));
        let fills = slots > f64::from(p.max_requests);
        // A generous shed_target allows fewer slots than the offered load: they are full already.
        let free = (f64::from(p.max_requests) - p.demand.offered.0).max(0.0);
        let fill = Millis::from_secs(free / rate.0);
        Self { slots, slots_route: route.map(|route| rate.arrivals_in(route)), fill: fills.then_some(fill) }
    }
}

/// Writes the forecast into the account.
pub fn explain(p: &Policy<'_>, forecast: &Forecast, ledger: &mut Ledger) {
    let s = p.scenario;
    let (slots, offered) = (f64::from(p.max_requests), p.demand.offered.0);
    let erlang = derived("Erlang B: an arrival that finds every slot taken is refused at once");
    ledger.add(
        "forecast.refused_at_peak",
        forecast.refused_at_peak.0,
        "share",
        erlang,
        "B(max_requests, offered)",
        filled("B({}, {})", [slots, offered]),
    );
    ledger.add(
        "forecast.refused_at_slowdown",
        forecast.refused_at_slowdown.0,
        "share",
        erlang,
        "B(max_requests, offered · slowdown · (1 + retry_overhead))",
        filled("B({}, {} × {} × {})", [slots, offered, s.slowdown, 1.0 + s.retry_overhead]),
    );
    ledger.add(
        "forecast.fleet_max_requests",
        forecast.fleet_max_requests as f64,
        "requests in flight",
        derived("envoy counts in each process; nothing is coordinated"),
        "max_requests · clients",
        filled("{} × {}", [slots, f64::from(s.clients)]),
    );
    ledger.add(
        "forecast.stall_fill",
        forecast.stall_fill_ms.map(|ms| ms.0),
        "ms",
        derived("every host stalls, arrivals go on; null when timeouts free slots faster than they fill"),
        "(max_requests − offered) / client_rate",
        filled("({} − {}) / {} req/s", [slots, offered, p.demand.client_rate.0]),
    );
    ledger.add(
        "retry.amplification_cap",
        p.amplification_cap,
        "attempts per request",
        rule("envoy: the larger of budget and floor limits the retries outstanding"),
        "min(1 + num_retries, max(1 + retry_overhead, 1 + min_retry_concurrency / offered))",
        filled(
            "min({}, max({}, 1 + {} / {}))",
            [
                f64::from(p.ladder.attempts),
                1.0 + s.retry_overhead,
                f64::from(p.retries.budget.min_retry_concurrency),
                offered,
            ],
        ),
    );
}
