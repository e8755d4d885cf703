//! An experiment as data: a real Envoy and the simulator are both set up from it, and from nothing
//! else.

use headroom::engine::sim::RetryLimit;
use serde::Serialize;

/// An experiment; spans are in milliseconds.
#[derive(Clone, Debug, Serialize)]
pub struct Case {
    /// The letter of its group, then what it is: also the name of its folder.
    pub id: String,
    /// What the caller does.
    pub load: Load,
    /// Endpoints of the cluster.
    pub hosts: u32,
    /// `--concurrency` of the proxy.
    pub workers: u32,
    /// How long an attempt takes at its host.
    pub service: Service,
    /// Which attempts the hosts answer with 503, after their time in service.
    pub failing: Failing,
    /// How long a connection takes to be set up (a TLS handshake that is held back), or `None`: plain
    /// text over loopback.
    pub connect: Option<u32>,
    /// What Envoy is told.
    pub settings: Settings,
    /// Runs with seeds 1, 2, … that are recorded.
    pub runs: u64,
    /// Whether the suite repeats the first of them.
    pub is_live: bool,
    /// What is compared.
    pub measures: Vec<Measure>,
}

/// Requests of an open loop, from a cold start.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Load {
    /// A second.
    pub rate: f64,
    pub arrivals: Arrivals,
    /// Arrivals end here; what is in flight is followed to its end.
    pub seconds: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Arrivals {
    Poisson,
    /// Equal gaps; the first comes after half of one.
    Paced,
}

/// Drawn for each attempt.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Service {
    Constant(f64),
    /// With that mean.
    Exponential(f64),
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Failing {
    Nothing,
    /// Each attempt with that chance, whatever became of those before it.
    Attempts(f64),
    /// That share of requests, each of them on every attempt. The simulator has no such hosts.
    Requests(f64),
    /// All attempts at the first host.
    FirstHost,
}

/// Settings of the cluster and its route; what is not named here is as Envoy has it.
#[derive(Clone, Debug, Serialize)]
pub struct Settings {
    pub max_connections: u32,
    pub max_pending_requests: u32,
    pub max_requests: u32,
    pub retry_limit: RetryLimit,
    pub connect_timeout: u32,
    /// Of pooled connections; `None` is Envoy's hour.
    pub idle_timeout: Option<u32>,
    /// Of the route; `None` is off.
    pub timeout: Option<u32>,
    /// `retry_on: 5xx` with that many retries.
    pub num_retries: Option<u32>,
    pub per_try_timeout: Option<u32>,
    /// `outlier_detection` with that many failures in a row, and the rest as Envoy has it.
    pub consecutive_5xx: Option<u32>,
}

/// What a run shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// Share of requests with a good answer.
    Served,
    /// Share of requests that a limit refused.
    Refused,
    /// Share of requests that ended with 504.
    TimedOut,
    /// Share of requests that ended with the host's own 503.
    UpstreamError,
    /// Attempts a request.
    Amplification,
    /// A counter or gauge of the cluster at the end of the run.
    Counter(&'static str),
}

impl Measure {
    /// Its name in the recorded data.
    pub fn name(self) -> &'static str {
        match self {
            Self::Served => "served",
            Self::Refused => "refused",
            Self::TimedOut => "timed_out",
            Self::UpstreamError => "upstream_error",
            Self::Amplification => "amplification",
            Self::Counter(name) => name,
        }
    }
}

impl Settings {
    /// No limit that could ever be met, no timeout, no retry.
    pub fn ample() -> Self {
        const AMPLE: u32 = 100_000;
        Self {
            max_connections: AMPLE,
            max_pending_requests: AMPLE,
            max_requests: AMPLE,
            retry_limit: RetryLimit::MaxRetries(AMPLE),
            connect_timeout: 5_000,
            idle_timeout: None,
            timeout: None,
            num_retries: None,
            per_try_timeout: None,
            consecutive_5xx: None,
        }
    }
}
