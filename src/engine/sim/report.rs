//! What a run has shown.

use serde::Serialize;
use std::collections::BTreeMap;

/// A run, or the part of it that has passed.
///
/// Counts are those of the simulated proxies together. A request is counted where it *arrived*:
/// in the bucket of its arrival, and only if it arrived after the warm-up.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Report {
    /// The seed.
    pub seed: u64,
    /// How far the run has come, in seconds.
    pub now_s: f64,
    /// Whether it is whole: every request has ended.
    pub done: bool,
    /// Events handled.
    pub events: u64,
    /// Requests that arrived and have ended, caller's own retries counted as requests.
    pub requests: u64,
    /// Envoy's counters under Envoy's names, without the prefix of the cluster. Gauges
    /// (`upstream_cx_active`, `outlier_detection.ejections_active`, …) as they stand now.
    pub counters: BTreeMap<&'static str, u64>,
    /// Time from arrival to the end of the answer.
    pub latency_ms: Latency,
    /// Share of requests served: a good answer before the caller gave up.
    pub goodput: f64,
    /// Share of requests that a limit refused (503 UO of Envoy's own).
    pub refused: f64,
    /// What became of the requests.
    pub outcomes: Shares,
    /// Attempts sent to hosts for each request that reached a connection at all; 1 without retries.
    pub amplification: f64,
    /// Over time, all hosts together.
    pub series: Vec<Bucket>,
    /// Over time, by host.
    pub hosts: Vec<HostSeries>,
    /// Before, during and after the faults.
    pub windows: Vec<Window>,
    /// How it recovered from the faults; `None` without a fault.
    pub recovery: Option<Recovery>,
    /// Most requests in flight at one host at once, all proxies (those not simulated included).
    pub host_in_flight_max: f64,
    /// Proxies that each simulated one stands for; 1 is exact.
    pub weight: f64,
}

/// What became of requests, as counts. Every ended request is in exactly one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Shares {
    /// A good answer in time.
    pub served: u64,
    /// 503 UO: `max_requests`.
    pub refused_active: u64,
    /// 503 UO: `max_pending_requests`.
    pub refused_pending: u64,
    /// 503 UH: no host to pick, or no pool.
    pub no_host: u64,
    /// 504 of the route timeout (or `max_stream_duration`).
    pub timed_out: u64,
    /// 504 of the per-try timeout, retries over or not allowed.
    pub per_try_timed_out: u64,
    /// 503 UF: connect failed or timed out.
    pub connect_failed: u64,
    /// 503 UC or UR: the connection or the stream was reset.
    pub reset: u64,
    /// The host's own 5xx, passed on.
    pub upstream_error: u64,
    /// The caller gave up first.
    pub abandoned: u64,
}

impl Shares {
    /// Refused by a limit.
    pub fn refused(&self) -> u64 {
        self.refused_active + self.refused_pending
    }

    /// All together.
    pub fn total(&self) -> u64 {
        self.served + self.refused() + self.failed()
    }

    /// Neither served nor refused.
    pub fn failed(&self) -> u64 {
        self.no_host
            + self.timed_out
            + self.per_try_timed_out
            + self.connect_failed
            + self.reset
            + self.upstream_error
            + self.abandoned
    }
}

/// Quantiles of a time in milliseconds; `None` where nothing ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names are the percentiles")]
pub struct Quantiles {
    pub p50: Option<f64>,
    pub p90: Option<f64>,
    pub p99: Option<f64>,
    pub p999: Option<f64>,
    pub mean: Option<f64>,
    pub max: Option<f64>,
}

/// Time from arrival to the end of the answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Latency {
    /// Of served requests.
    #[serde(flatten)]
    pub served: Quantiles,
    /// Of all that ended, refusals and failures included.
    pub all: Quantiles,
}

/// A step of time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Bucket {
    /// Its start in seconds.
    pub t_s: f64,
    /// What became of the requests that arrived in it and have ended.
    pub outcomes: Shares,
    /// Requests that arrived in it.
    pub arrivals: u64,
    /// Attempts attached to a connection in it.
    pub attempts: u64,
    /// Retries sent in it.
    pub retries: u64,
    /// Retries that a limit refused in it.
    pub retries_refused: u64,
    /// Requests attached to connections, over time and per simulated proxy.
    pub in_flight: f64,
    /// Most at once in one proxy.
    pub in_flight_max: u32,
    /// Waiting for a connection, over time and per simulated proxy.
    pub pending: f64,
    /// Most at once in one proxy.
    pub pending_max: u32,
    /// Open connections (connecting ones included), over time and per simulated proxy.
    pub connections: f64,
    /// Retries outstanding, over time and per simulated proxy.
    pub retries_active: f64,
    /// Of served requests that arrived in it.
    pub p50_ms: Option<f64>,
    /// Of served requests that arrived in it.
    pub p90_ms: Option<f64>,
    /// Of served requests that arrived in it.
    pub p99_ms: Option<f64>,
}

/// A host over time.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct HostSeries {
    /// Counted from 0.
    pub host: u32,
    /// One a bucket of the series.
    pub buckets: Vec<HostBucket>,
}

/// A host in a step of time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct HostBucket {
    /// Share of the simulated proxies that have ejected it, over time, 0 to 1.
    pub ejected: f64,
    /// Attempts attached.
    pub attempts: u64,
    /// Attempts that failed there (5xx, reset, timeout, no connection).
    pub failures: u64,
    /// Requests in flight at it, over time, all proxies.
    pub in_flight: f64,
}

/// A part of the run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Window {
    /// Which.
    pub part: Before,
    /// From, in seconds.
    pub from_s: f64,
    /// To, in seconds.
    pub to_s: f64,
    /// What became of the requests that arrived in it.
    pub outcomes: Shares,
    /// Of served requests that arrived in it.
    pub latency_ms: Quantiles,
    /// Attempts a request.
    pub amplification: f64,
}

/// Parts of a run, by the first fault's start and the last fault's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum Before {
    Before,
    During,
    After,
}

/// How a run recovered: when it served 99% of what it had served before, and stayed there.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Recovery {
    /// Share served before the fault.
    pub goodput_before: f64,
    /// Lowest share served in any second from the fault on.
    pub goodput_lowest: f64,
    /// Seconds from the start of the fault to recovery, if it recovers within the fault.
    pub during_s: Option<f64>,
    /// Seconds from the end of the fault to recovery; zero if it had recovered before; `None`: stays
    /// down to the end of the run.
    pub after_s: Option<f64>,
    /// Whether it was hurt at all: a second below 99% of before.
    pub hurt: bool,
    /// Served requests that were missing, in seconds of full service.
    pub lost_s: f64,
}
