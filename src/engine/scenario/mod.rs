//! The scenario: the one input type of form, permalink, command line, presets and tests.
//!
//! A [`Scenario`] is valid by construction: it comes out of a [`Draft`] that checked every field.
//! JSON goes through the draft too, so that a file with four mistakes is answered with four
//! problems.

mod draft;
mod json;
mod permalink;
mod presets;
mod problem;

pub use super::history::RULES_VERSION;
pub use draft::Draft;
pub use json::too_large;
pub use permalink::{LinkError, Linked};
pub use presets::{PRESETS, Preset};
pub use problem::{Problem, range_words};

#[cfg(test)]
mod tests;

use super::units::{Millis, Rate, Share};
use serde::{Deserialize, Serialize};

/// What the proxies speak to the upstream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Protocol {
    /// HTTP/1.1: one request per connection.
    Http1,
    /// HTTP/2: many streams per connection.
    Http2,
    /// gRPC, unary calls.
    Grpc,
    /// gRPC streams and web sockets: requests that live for minutes.
    GrpcStream,
}

impl Protocol {
    /// The word in scenario JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Http1 => "http1",
            Self::Http2 => "http2",
            Self::Grpc => "grpc",
            Self::GrpcStream => "grpc_stream",
        }
    }

    /// The name in a sentence.
    pub fn title(self) -> &'static str {
        match self {
            Self::Http1 => "HTTP/1.1",
            Self::Http2 => "HTTP/2",
            Self::Grpc => "gRPC",
            Self::GrpcStream => "streams",
        }
    }

    /// Whether one connection carries many requests.
    pub fn multiplexes(self) -> bool {
        self != Self::Http1
    }

    /// Whether requests are long-lived streams.
    pub fn streams(self) -> bool {
        self == Self::GrpcStream
    }

    /// Whether failures come as gRPC statuses.
    pub fn speaks_grpc(self) -> bool {
        matches!(self, Self::Grpc | Self::GrpcStream)
    }
}

/// A release of Envoy whose fields and counters are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EnvoyVersion {
    /// The `40` of `1.40`.
    pub minor: u8,
}

impl EnvoyVersion {
    /// The newest release known.
    pub const NEWEST: Self = Self { minor: 40 };

    /// The version `1.minor`.
    pub const fn minor(minor: u8) -> Self {
        Self { minor }
    }
}

impl std::fmt::Display for EnvoyVersion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "1.{}", self.minor)
    }
}

impl Serialize for EnvoyVersion {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Time to the complete response, as measured: percentiles, the mean, or both.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names are the percentiles")]
pub struct LatencyPoints {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p50: Option<Millis>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p75: Option<Millis>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p90: Option<Millis>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p95: Option<Millis>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p99: Option<Millis>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p999: Option<Millis>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean: Option<Millis>,
}

impl LatencyPoints {
    /// The percentiles given, as (quantile, name, time), in rising order of quantile.
    pub fn percentiles(&self) -> Vec<(f64, &'static str, Millis)> {
        [
            (0.5, "p50", self.p50),
            (0.75, "p75", self.p75),
            (0.9, "p90", self.p90),
            (0.95, "p95", self.p95),
            (0.99, "p99", self.p99),
            (0.999, "p99.9", self.p999),
        ]
        .into_iter()
        .filter_map(|(q, name, at)| at.map(|at| (q, name, at)))
        .collect()
    }

    /// Whether nothing at all is given.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Life of a stream in seconds, as measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct StreamDuration {
    /// Mean life.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean: Option<f64>,
    /// Ninety-ninth percentile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p99: Option<f64>,
}

/// Everything Headroom asks about a service. See [`super::params`] for labels, ranges, defaults.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Scenario {
    /// Cluster name in the output.
    pub name: String,
    /// What the proxies speak to the upstream.
    pub protocol: Protocol,
    /// Peak rate of the whole fleet.
    pub rps: Rate,
    /// Upstream time to the complete response; empty for [`Protocol::GrpcStream`].
    #[serde(skip_serializing_if = "LatencyPoints::is_empty")]
    pub latency_ms: LatencyPoints,
    /// Life of a stream; only for [`Protocol::GrpcStream`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stream_duration_s: Option<StreamDuration>,
    /// Envoy processes that call this cluster.
    pub clients: u32,
    /// Worker threads of each.
    pub workers: u32,
    /// Upstream endpoints.
    pub hosts: u32,
    /// Requests in flight that one host survives.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host_concurrency: Option<f64>,
    /// Hosts that may be down while the rest must carry the peak.
    pub hosts_lost: u32,
    /// Rate within the worst second over `rps`.
    pub burst: f64,
    /// Busiest client over fair share.
    pub skew: f64,
    /// How much slower the upstream may get before healthy traffic is refused.
    pub slowdown: f64,
    /// Refused share tolerated at the healthy peak.
    pub shed_target: Share,
    /// Deadline of the caller; derived from p99 when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deadline_ms: Option<Millis>,
    /// TCP and TLS set-up time.
    pub connect_ms: Millis,
    /// Whether a request may safely run twice.
    pub idempotent: bool,
    /// Share of failed attempts on a good day.
    pub error_rate: Share,
    /// Extra load that retries may add in a total outage.
    pub retry_overhead: f64,
    /// Share of traffic on routes with priority HIGH.
    pub high_priority_share: Share,
    /// The server's own keep-alive timeout, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upstream_keepalive_s: Option<f64>,
    /// Layers that retry, this one included.
    pub retrying_hops: u32,
    /// Release of Envoy that fields and counter names follow.
    pub envoy_version: EnvoyVersion,
}

impl Scenario {
    /// Connection pools of one proxy for one priority: workers × hosts.
    pub fn n_pools(&self) -> u64 {
        u64::from(self.workers) * u64::from(self.hosts)
    }

    /// Hosts left when `hosts_lost` are down.
    pub fn hosts_left(&self) -> u32 {
        self.hosts.saturating_sub(self.hosts_lost)
    }
}
