//! From a scenario to a policy: one file a setting of Envoy.

pub mod demand;
mod ladder_account;
pub mod ledger;
pub mod limit;
pub mod load;
pub mod max_connections;
pub mod max_pending_requests;
pub mod max_requests;
pub mod outlier_detection;
pub mod retry_budget;
pub mod retry_policy;
pub mod service_time;
pub mod timeouts;

use super::analysis::{
    Ejection, Forecast, LatencySummary, Load, Number, RetryPolicy, Threshold, Timeouts, Trip, Window,
};
use super::envoy::model::OutlierDetection;
use super::forecast::{self, Policy};
use super::latency::LatencyModel;
use super::retry::amplification;
use super::retry::backoff::BackOff;
use super::scenario::{Problem, Scenario};
use super::units::{Erlangs, Millis, Rate};
use demand::Demand;
use ledger::Ledger;
use limit::TooLarge;
use max_connections::Connections;
use max_pending_requests::Pending;
use retry_budget::RetryLimits;
use service_time::ServiceTime;
use timeouts::Ladder;

/// A policy with everything it was derived from; what rules, sentence and charts look at.
#[derive(Clone, Debug, PartialEq)]
pub struct Sizing {
    /// The fitted distribution of the time in service.
    pub model: LatencyModel,
    /// Its figures.
    pub latency: LatencySummary,
    /// Load of all priorities together.
    pub load: Load,
    /// What each priority is offered and what was chosen for it; DEFAULT first.
    pub priorities: Vec<PrioritySizing>,
    /// What will be refused, DEFAULT priority.
    pub forecast: Forecast,
    /// The timeout ladder.
    pub timeouts: Timeouts,
    /// The retry policy.
    pub retry: RetryPolicy,
    /// Outlier detection, where a host can be spared.
    pub outlier: Option<OutlierDetection>,
    /// What outlier detection can do.
    pub ejection: Ejection,
    /// Headroom of each limit, least first.
    pub trips: Vec<Trip>,
    /// How every number came about.
    pub numbers: Vec<Number>,
}

/// The sizing of one priority.
#[derive(Clone, Debug, PartialEq)]
pub struct PrioritySizing {
    /// Rate of the busiest proxy in the worst second, of this priority.
    pub client_rate: Rate,
    /// Erlangs offered to the busiest proxy in the worst second, of this priority.
    pub offered: Erlangs,
    /// Erlangs in a slowdown with retries: what `recommended` is sized for.
    pub offered_at_slowdown: Erlangs,
    /// Window of `max_requests`.
    pub window: Window,
    /// `max_pending_requests` that a cold start needs.
    pub pending_needed: u64,
    /// `max_pending_requests` that the pool can still drain in time; `None` without route timeout.
    pub pending_useful: Option<u64>,
    /// Retry floor that a good day needs.
    pub retries_needed: u64,
    /// Retry floor that the overhead allows.
    pub retries_allowed: u64,
    /// Mean time a retry holds its slot.
    pub retry_hold: Millis,
    /// The limits.
    pub threshold: Threshold,
}

impl Sizing {
    /// The sizing of the DEFAULT priority.
    pub fn default_priority(&self) -> &PrioritySizing {
        self.priorities.first().expect("sizing always makes the DEFAULT entry first")
    }
}

/// Sizes a scenario.
///
/// # Errors
///
/// The problem of the input to change when an answer exceeds what Envoy's fields hold.
pub fn size(s: &Scenario) -> Result<Sizing, Vec<Problem>> {
    let mut ledger = Ledger::default();
    let time = service_time::fit(s, &mut ledger).map_err(|error| {
        vec![Problem { field: "latency_ms".to_owned(), value: String::new(), message: error.to_string() }]
    })?;
    let load = load::offered(s, time.mean(), &mut ledger);
    let back_off = retry_policy::back_off(time.summary.p50_ms);
    let frame = Frame {
        ladder: timeouts::ladder(s, &time, &back_off),
        hold: retry_hold(s, time.mean(), &back_off),
        scenario: s,
        time: &time,
        load: &load,
        back_off,
    };
    limit::check_durations(&frame.ladder.timeouts).map_err(|error| vec![error.problem(s)])?;
    let demands = Demand::of(s, &load, time.mean());
    let windows = max_requests::windows(s, &demands).map_err(|error| vec![error.problem(s)])?;
    let parts: Vec<Parts> = demands
        .into_iter()
        .zip(windows)
        .map(|(demand, window)| frame.priority(demand, window))
        .collect::<Result<_, TooLarge>>()
        .map_err(|error| vec![error.problem(s)])?;
    for part in &parts {
        frame.explain(part, &mut ledger);
    }
    Ok(frame.finish(&parts, ledger))
}

/// Mean time a retry occupies its slot: the mean first back-off and the time to the headers. A
/// retried stream answers its headers about a connection's set-up time after it starts; how long
/// the stream lives does not matter, since Envoy frees the slot at the headers.
fn retry_hold(s: &Scenario, mean: Millis, back_off: &BackOff) -> Millis {
    let to_headers = if s.protocol.streams() { s.connect_ms } else { mean };
    back_off.mean(1) + to_headers
}

/// What all priorities have in common.
struct Frame<'a> {
    scenario: &'a Scenario,
    time: &'a ServiceTime,
    load: &'a Load,
    back_off: BackOff,
    ladder: Ladder,
    hold: Millis,
}

/// What differs between priorities.
struct Parts {
    demand: Demand,
    window: Window,
    connections: Connections,
    pending: Pending,
    retries: RetryLimits,
}

impl Frame<'_> {
    fn slack(&self) -> Option<Millis> {
        self.ladder.slack(self.time.summary.p99_ms)
    }

    fn priority(&self, demand: Demand, window: Window) -> Result<Parts, TooLarge> {
        let s = self.scenario;
        Ok(Parts {
            connections: max_connections::limit(s, &demand, &window, self.ladder.timeouts.pool_idle_ms)?,
            pending: max_pending_requests::limit(s, &demand, window.chosen, self.slack())?,
            retries: retry_budget::limits(s, &demand, self.load.fleet_concurrency_at_peak, self.hold)?,
            window,
            demand,
        })
    }

    fn explain(&self, p: &Parts, ledger: &mut Ledger) {
        let s = self.scenario;
        max_requests::explain(s, &p.demand, &p.window, ledger);
        max_connections::explain(
            s,
            &p.demand,
            &p.connections,
            &p.window,
            self.ladder.timeouts.pool_idle_ms,
            ledger,
        );
        max_pending_requests::explain(s, &p.demand, &p.pending, p.window.chosen, self.slack(), ledger);
        retry_budget::explain(
            s,
            &p.demand,
            &p.retries,
            self.load.fleet_concurrency_at_peak,
            self.hold,
            ledger,
        );
    }

    /// The policy for one priority.
    fn policy<'a>(&'a self, part: &'a Parts, amplification_cap: f64) -> Policy<'a> {
        Policy {
            scenario: self.scenario,
            model: &self.time.model,
            demand: &part.demand,
            max_requests: part.window.chosen,
            connections: &part.connections,
            pending: &part.pending,
            retries: &part.retries,
            ladder: &self.ladder,
            back_offs: self.back_off.total_bound(self.ladder.attempts - 1),
            amplification_cap,
        }
    }

    fn finish(self, parts: &[Parts], mut ledger: Ledger) -> Sizing {
        let s = self.scenario;
        let default = &parts[0];
        let num_retries = self.ladder.attempts - 1;
        let cap = amplification::cap(
            num_retries,
            s.retry_overhead,
            default.retries.budget.min_retry_concurrency,
            default.demand.offered,
        );
        let policy = self.policy(default, cap);
        let high = parts.get(1).map(|high| forecast::use_at_peak(&self.policy(high, cap)));
        let forecast = Forecast { high_use_at_peak: high, ..forecast::forecast(&policy) };
        forecast::explain(&policy, &forecast, &mut ledger);
        let trips = forecast::trips::trips(&policy);
        ladder_account::explain(s, self.time, &self.ladder, &self.back_off, &mut ledger);
        retry_policy::explain(s, self.time.summary.p50_ms, &self.back_off, num_retries, &mut ledger);
        let (outlier, ejection) = outlier_detection::detection(s, self.time.mean());
        outlier_detection::explain(s, self.time.mean(), outlier.as_ref(), &ejection, &mut ledger);
        Sizing {
            model: self.time.model.clone(),
            latency: self.time.summary.clone(),
            load: self.load.clone(),
            priorities: parts.iter().map(|part| part.sizing(self.hold)).collect(),
            forecast,
            retry: retry(s, num_retries, &self.back_off, cap),
            timeouts: self.ladder.timeouts,
            outlier,
            ejection,
            trips,
            numbers: ledger.into_numbers(),
        }
    }
}

fn retry(s: &Scenario, num_retries: u32, back_off: &BackOff, amplification_cap: f64) -> RetryPolicy {
    RetryPolicy {
        retry_on: if num_retries > 0 { retry_policy::conditions(s) } else { Vec::new() },
        num_retries,
        backoff_base_ms: back_off.base,
        backoff_max_ms: back_off.max,
        amplification_cap,
        previous_hosts: s.hosts > 1,
    }
}

impl Parts {
    fn sizing(&self, hold: Millis) -> PrioritySizing {
        PrioritySizing {
            client_rate: self.demand.client_rate,
            offered: self.demand.offered,
            offered_at_slowdown: self.demand.offered_at_slowdown,
            window: self.window.clone(),
            pending_needed: self.pending.needed,
            pending_useful: self.pending.useful,
            retries_needed: self.retries.needed,
            retries_allowed: self.retries.allowed,
            retry_hold: hold,
            threshold: Threshold {
                priority: self.demand.priority,
                max_connections: self.connections.chosen,
                max_pending_requests: self.pending.chosen,
                max_requests: self.window.chosen,
                max_retries: self.retries.max_retries,
                retry_budget: self.retries.budget,
                track_remaining: true,
            },
        }
    }
}
