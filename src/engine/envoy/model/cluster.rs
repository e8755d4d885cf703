//! `config.cluster.v3`: the cluster and what limits it.

use super::bootstrap::{ClusterLoadAssignment, DiscoveryType};
use super::{Duration, PercentValue};
use crate::engine::envoy::style;
use serde::{Deserialize, Serialize, Serializer};

/// `config.cluster.v3.Cluster`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct Cluster {
    #[serde(serialize_with = "style::name")]
    pub name: String,
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub discovery: Option<DiscoveryType>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub connect_timeout: Option<Duration>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub circuit_breakers: Option<CircuitBreakers>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outlier_detection: Option<OutlierDetection>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub typed_extension_protocol_options: Option<ExtensionProtocolOptions>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load_assignment: Option<ClusterLoadAssignment>,
}

/// `config.cluster.v3.CircuitBreakers`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct CircuitBreakers {
    pub thresholds: Vec<Thresholds>,
}

/// `config.core.v3.RoutingPriority`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub enum RoutingPriority {
    Default,
    High,
}

/// `config.cluster.v3.CircuitBreakers.Thresholds`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct Thresholds {
    pub priority: RoutingPriority,
    pub max_requests: u32,
    pub max_connections: u32,
    pub max_pending_requests: u32,
    /// `retry_budget` or `max_retries`: with both, Envoy ignores the second.
    #[serde(flatten)]
    pub retry_limit: RetryLimit,
    pub track_remaining: bool,
}

/// What limits retries of a [`Thresholds`] entry.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RetryLimit {
    /// A share of what is in flight, with a floor.
    RetryBudget(RetryBudget),
    /// A fixed number.
    MaxRetries(u32),
}

/// `config.cluster.v3.CircuitBreakers.Thresholds.RetryBudget`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct RetryBudget {
    #[serde(serialize_with = "style::flow")]
    pub budget_percent: PercentValue,
    pub min_retry_concurrency: u32,
}

/// `config.cluster.v3.OutlierDetection`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct OutlierDetection {
    pub consecutive_gateway_failure: u32,
    pub enforcing_consecutive_gateway_failure: u32,
    pub enforcing_consecutive_5xx: u32,
    pub enforcing_success_rate: u32,
    pub interval: Duration,
    pub base_ejection_time: Duration,
    pub max_ejection_percent: u32,
    /// Since 1.31; left out where a whole percentage does it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub always_eject_one_host: Option<bool>,
    pub split_external_local_origin_errors: bool,
}

/// The map `Cluster.typed_extension_protocol_options`, with the one entry that sizing touches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExtensionProtocolOptions {
    /// Options of HTTP upstreams.
    #[serde(rename = "envoy.extensions.upstreams.http.v3.HttpProtocolOptions")]
    pub http: HttpProtocolOptions,
}

/// `extensions.upstreams.http.v3.HttpProtocolOptions`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "@type", rename = "type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions")]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct HttpProtocolOptions {
    #[serde(serialize_with = "style::flow")]
    pub common_http_protocol_options: CommonHttpProtocolOptions,
    #[serde(serialize_with = "style::flow")]
    pub explicit_http_config: ExplicitHttpConfig,
}

/// `config.core.v3.HttpProtocolOptions`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct CommonHttpProtocolOptions {
    pub idle_timeout: Duration,
}

/// The protocol of the connections: `HttpProtocolOptions.ExplicitHttpConfig`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub enum ExplicitHttpConfig {
    #[serde(rename = "http_protocol_options")]
    Http1(NoOptions),
    #[serde(rename = "http2_protocol_options")]
    Http2(NoOptions),
}

impl Serialize for ExplicitHttpConfig {
    /// As a map, because the serializer gives a variant lines of its own.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (key, options) = match self {
            Self::Http1(options) => ("http_protocol_options", options),
            Self::Http2(options) => ("http2_protocol_options", options),
        };
        serializer.collect_map([(key, options)])
    }
}

/// A message whose defaults are right: `{}`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoOptions {}
