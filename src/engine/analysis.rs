//! The answer: plain data, public fields, in the vocabulary of whoever shows it.
//!
//! The JSON form of [`Analysis`] is a contract (its keys never change meaning); what page and
//! command line need beyond it sits in fields of its own.

use super::envoy::model::OutlierDetection;
use super::filled::Filled;
use super::rules::Finding;
use super::scenario::Scenario;
use super::sentence::Headline;
use super::units::{Erlangs, Millis, Percent, Rate, Share};
use serde::Serialize;

/// Everything Headroom says about a scenario.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Analysis {
    /// What was asked.
    pub scenario: Scenario,
    /// The link that leads back to it: an address where one is known, else `#` and the fragment.
    pub link: String,
    /// Mean time in service.
    pub latency: LatencySummary,
    /// Offered load.
    pub load: Load,
    /// Window of `max_requests`, DEFAULT priority.
    pub window: Window,
    /// The same of HIGH priority, where there is one.
    pub high_window: Option<Window>,
    /// Limits, one entry a priority, DEFAULT first.
    pub thresholds: Vec<Threshold>,
    /// What will be refused, DEFAULT priority.
    pub forecast: Forecast,
    /// The timeout ladder.
    pub timeouts: Timeouts,
    /// The retry policy.
    pub retry: RetryPolicy,
    /// Outlier detection in Envoy's field names; `None` where no host can be spared.
    pub outlier: Option<OutlierDetection>,
    /// What outlier detection can do at this size and volume.
    pub ejection: Ejection,
    /// What is wrong or worth knowing, worst first.
    pub findings: Vec<Finding>,
    /// Which limit trips first, in rising order of headroom.
    pub trips: Vec<Trip>,
    /// Single changes that make room when the window is tight or shut.
    pub ways_out: Vec<WayOut>,
    /// The sentence to read aloud, and the reason under it.
    pub headline: Headline,
    /// How every number came about.
    pub numbers: Vec<Number>,
}

/// The latency model in two figures.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LatencySummary {
    /// Mean time in service: given, or of the fitted distribution.
    pub mean_ms: Millis,
    /// Bounds of the mean that hold for any distribution: lowest, and highest if there is one.
    pub mean_bounds_ms: (Millis, Option<Millis>),
    /// Quantiles that the ladder and the charts use.
    pub p50_ms: Millis,
    /// Ninety-ninth percentile.
    pub p99_ms: Millis,
    /// 99.9th percentile.
    pub p999_ms: Millis,
}

/// Offered load (design §4), all priorities together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Load {
    /// Requests in flight of the whole fleet at the stated rate.
    pub fleet_concurrency: Erlangs,
    /// Requests in flight of the whole fleet in the worst second.
    pub fleet_concurrency_at_peak: Erlangs,
    /// Rate of the busiest proxy in the worst second.
    pub client_rate: Rate,
    /// Erlangs offered to the busiest proxy in the worst second.
    pub offered: Erlangs,
}

/// Floor, recommendation, ceiling and choice of `max_requests`, per proxy.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Window {
    /// Below this the healthy peak is refused more than tolerated.
    pub floor: u32,
    /// Rides out the slowdown and the retries.
    pub recommended: u32,
    /// Above this the fleet together can exceed what the hosts survive.
    pub ceiling: Option<u32>,
    /// The value to set.
    pub chosen: u32,
}

impl Window {
    /// Whether no value both serves and protects: the distributed-limit trap.
    pub fn is_shut(&self) -> bool {
        self.ceiling.is_some_and(|ceiling| self.floor > ceiling)
    }

    /// Whether the ceiling cuts the recommendation, so that the promised slowdown is not kept.
    pub fn is_tight(&self) -> bool {
        !self.is_shut() && self.chosen < self.recommended
    }
}

/// Envoy's routing priority.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Priority {
    /// Routes that do not say otherwise.
    Default,
    /// Routes with `priority: HIGH`.
    High,
}

/// One entry of `circuit_breakers.thresholds`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct Threshold {
    pub priority: Priority,
    pub max_connections: u32,
    pub max_pending_requests: u32,
    pub max_requests: u32,
    pub max_retries: u32,
    pub retry_budget: RetryBudget,
    pub track_remaining: bool,
}

/// Envoy's retry budget.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct RetryBudget {
    pub budget_percent: Percent,
    pub min_retry_concurrency: u32,
}

/// What happens with the chosen limits.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Forecast {
    /// Refused share of the busiest proxy in the worst second.
    pub refused_at_peak: Share,
    /// The same when the upstream is `slowdown` times slower and retries add their overhead.
    pub refused_at_slowdown: Share,
    /// Requests in flight that all proxies together allow.
    pub fleet_max_requests: u64,
    /// Time until `max_requests` refuses when every host stalls; `None` when it never does.
    pub stall_fill_ms: Option<Millis>,
    /// Slots that a stall would take in the busiest proxy.
    pub stall_slots: f64,
    /// Slots in a stall if only the route timeout freed them.
    pub stall_slots_route: Option<f64>,
    /// Refused share at peak with Envoy's default of 1,024.
    pub refused_at_peak_default: Share,
    /// Requests in flight that the fleet allows with Envoy's default.
    pub fleet_max_requests_default: u64,
    /// Requests in flight that the hosts left survive.
    pub hosts_survive: Option<f64>,
    /// Rate of the fleet at which the refused share reaches the tolerated one.
    pub rate_at_target: Rate,
    /// The same as a multiple of today's rate, and of today's latency.
    pub multiple_at_target: f64,
    /// Multiple of rate or latency at which one in a hundred is refused.
    pub multiple_at_one_percent: f64,
    /// Retries the fleet may have outstanding at once, budget or floor, whichever is larger.
    pub fleet_retries: u64,
    /// Attempts a request may cost when all layers retry and none has a budget.
    pub attempts_with_hops: f64,
    /// The same when the budget of every layer holds.
    pub attempts_with_hops_capped: f64,
    /// Share of good requests that `per_try_timeout` cuts at peak; `None` without one.
    pub cut_by_per_try: Option<Share>,
    /// The same when the upstream is `slowdown` times slower.
    pub cut_by_per_try_at_slowdown: Option<Share>,
    /// Use and refusals of each limit at the healthy peak, DEFAULT priority.
    pub use_at_peak: UseAtPeak,
    /// The same of HIGH priority, where there is one.
    pub high_use_at_peak: Option<UseAtPeak>,
}

/// How much of each limit the healthy peak uses, and what each refuses.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct UseAtPeak {
    /// Mean requests in flight.
    pub max_requests: Erlangs,
    /// Share of requests refused.
    pub requests_refused: Share,
    /// Connections open.
    pub max_connections: u64,
    /// Mean requests waiting while one connection is opened.
    pub max_pending_requests: f64,
    /// Share of arrivals refused by `max_pending_requests` while pools are cold.
    pub pending_refused_cold: Share,
    /// Mean retries outstanding.
    pub retries: f64,
    /// Share of requests in flight that are retries.
    pub retry_share: Share,
    /// Share of retries refused on a good day, by budget or floor, whichever is larger.
    pub retries_refused: Share,
}

/// The timeout ladder; `None` is not set, zero is off.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Timeouts {
    /// Cluster `connect_timeout`.
    pub connect_ms: Millis,
    /// `retry_policy.per_try_timeout`.
    pub per_try_ms: Option<Millis>,
    /// Route `timeout`.
    pub route_ms: Millis,
    /// Deadline of the caller; `None` for streams without one.
    pub deadline_ms: Option<Millis>,
    /// Idle timeout of pooled connections.
    pub pool_idle_ms: Millis,
    /// Route `idle_timeout`.
    pub stream_idle_ms: Option<Millis>,
    /// Route `max_stream_duration`.
    pub max_stream_duration_ms: Option<Millis>,
    /// `max_stream_duration.grpc_timeout_header_max`, for unary gRPC.
    pub grpc_timeout_header_max_ms: Option<Millis>,
    /// Longest time all attempts and back-offs can take.
    pub all_attempts_ms: Millis,
}

/// The retry policy.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RetryPolicy {
    /// Conditions, in Envoy's words; empty when retries are off.
    pub retry_on: Vec<&'static str>,
    /// Retries after the first attempt.
    pub num_retries: u32,
    /// First back-off bound.
    pub backoff_base_ms: Millis,
    /// Largest back-off bound.
    pub backoff_max_ms: Millis,
    /// Most attempts per request this layer makes in a total outage.
    pub amplification_cap: f64,
    /// Whether retries avoid the host that failed.
    pub previous_hosts: bool,
}

/// What outlier detection can do.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ejection {
    /// Hosts that may be ejected at once.
    pub hosts: u32,
    /// Requests per second a proxy of fair share sends to one host.
    pub rate_per_host: Rate,
    /// Time until a proxy has ejected a dead host.
    pub detection_ms: Option<Millis>,
    /// Failures until every proxy has ejected it.
    pub failures_until_all: Option<f64>,
    /// False ejections per day in the whole fleet on a good day.
    pub false_per_day: Option<f64>,
    /// Why nothing may be ejected, if so.
    pub off_because: Option<String>,
}

/// One limit and how much growth it leaves.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Trip {
    /// Envoy's name of the setting, or `hosts`.
    pub setting: &'static str,
    /// The setting's value, written out.
    pub value: String,
    /// Multiple of the rate at which it trips; `None`: never by rate.
    pub rate_multiple: Option<f64>,
    /// Multiple of the latency at which it trips; `None`: never by latency.
    pub latency_multiple: Option<f64>,
    /// What uses it up, in a few words.
    pub cause: &'static str,
}

impl Trip {
    /// The smaller multiple: what comes first.
    pub fn first(&self) -> Option<f64> {
        match (self.rate_multiple, self.latency_multiple) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }
}

/// A single change that makes room.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WayOut {
    /// What to do, short enough for a button.
    pub label: String,
    /// The scenario field and its new value, if the change is one of an input.
    pub set: Option<FieldChange>,
    /// What it brings.
    pub effect: String,
}

/// A change of one input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FieldChange {
    /// Key of the input, see [`super::params`].
    pub field: &'static str,
    /// Its new text.
    pub value: String,
}

/// Where a number comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Label {
    /// Typed by the person.
    Given,
    /// Computed from given numbers by a law.
    Derived,
    /// Not known; assumed, and said so.
    Assumption,
    /// Our rule; its source says why.
    Rule,
    /// What Envoy does when nothing is set.
    EnvoyDefault,
}

impl Label {
    /// The word of the tag.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Given => "given",
            Self::Derived => "derived",
            Self::Assumption => "assumption",
            Self::Rule => "rule",
            Self::EnvoyDefault => "envoy-default",
        }
    }
}

/// A number and how it came about.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Number {
    /// Stable name, e.g. `default.max_requests.floor`; the part before the last dot is its group.
    pub id: String,
    /// The value; `None` when there is none, e.g. a ceiling without `host_concurrency`.
    pub value: Option<f64>,
    /// Its unit.
    pub unit: &'static str,
    /// Where it comes from.
    pub label: Label,
    /// The formula in letters.
    pub formula: &'static str,
    /// The formula with the values put in.
    pub substituted: Filled,
    /// Who says so.
    pub source: &'static str,
    /// Why not the obvious other values.
    pub alternatives: Vec<Alternative>,
}

/// A value that was not chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Alternative {
    /// "Not 4", "Not 1,024, Envoy's default", "Not known".
    pub what: String,
    /// Why it lost.
    pub because: String,
}

impl Analysis {
    /// The DEFAULT priority's limits.
    pub fn default_threshold(&self) -> &Threshold {
        self.thresholds.first().expect("sizing always makes the DEFAULT entry first")
    }

    /// Whether outlier detection does not see a host that hangs: its calls are ended by `max_stream_duration`,
    /// which counts for no host, and not by a timeout of the route or of a try, which does (measured on 1.40).
    pub fn hanging_hosts_stay(&self) -> bool {
        let t = &self.timeouts;
        self.outlier.is_some() && t.max_stream_duration_ms.is_some() && t.per_try_ms.is_none()
    }

    /// The derivation with that id.
    pub fn number(&self, id: &str) -> Option<&Number> {
        self.numbers.iter().find(|n| n.id == id)
    }

    /// All derivations of a group, e.g. `default.max_requests`.
    pub fn numbers_of<'a>(&'a self, group: &'a str) -> impl Iterator<Item = &'a Number> {
        self.numbers.iter().filter(move |n| n.id.rsplit_once('.').is_some_and(|(head, _)| head == group))
    }
}
