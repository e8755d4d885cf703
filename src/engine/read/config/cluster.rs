//! A cluster: who it is, and what limits it.

use super::{Dialect, Origin, OutlierDetection, RetryPolicy};
use crate::engine::read::{Place, Setting, Spanned};
use crate::engine::scenario::Protocol;
use crate::engine::units::{Millis, Percent};
use serde::{Deserialize, Serialize};

/// `config.cluster.v3.Cluster`, as far as limits, timeouts and detection go.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct ClusterConfig {
    /// Name of the cluster, or of the host that a rule of a mesh is for.
    pub name: Setting<String>,
    /// Where it comes from.
    pub origin: Origin,
    /// Subset of the host that the settings are for (Istio), or what tells clusters of one service
    /// apart (Contour); none means the host itself.
    pub subset: Setting<String>,
    /// Port that the settings are for (Istio); none means every port.
    pub port: Setting<u32>,
    /// What makes the settings be for some callers or some routes of it only, so that others may
    /// stand beside them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partial: Option<Place>,
    pub discovery: Setting<Discovery>,
    /// Endpoints that are listed: hosts if they are addresses, names to resolve otherwise.
    pub endpoints: Setting<u32>,
    /// Whether each listed endpoint is an address.
    pub endpoints_are_addresses: bool,
    pub protocol: Setting<UpstreamProtocol>,
    pub lb_policy: Setting<String>,
    pub connect_timeout: Setting<Millis>,
    pub per_connection_buffer_limit_bytes: Setting<u32>,
    /// `circuit_breakers.thresholds`, every entry as written.
    pub thresholds: Vec<Thresholds>,
    /// `circuit_breakers.per_host_thresholds`.
    pub per_host_thresholds: Vec<PerHostThresholds>,
    /// The block `circuit_breakers`.
    pub circuit_breakers: Option<Place>,
    pub outlier_detection: Option<OutlierDetection>,
    /// `common_lb_config.healthy_panic_threshold`, in percent.
    pub healthy_panic_threshold: Setting<Percent>,
    /// `common_lb_config.update_merge_window`.
    pub update_merge_window: Setting<Millis>,
    /// `common_lb_config.zone_aware_lb_config.fail_traffic_on_panic`.
    pub fail_traffic_on_panic: Setting<bool>,
    pub preconnect_policy: Option<Preconnect>,
    /// Entries of `health_checks`.
    pub health_checks: Setting<u32>,
    /// `common_http_protocol_options.idle_timeout`: of pooled connections.
    pub idle_timeout: Setting<Millis>,
    /// `common_http_protocol_options.max_connection_duration`.
    pub max_connection_duration: Setting<Millis>,
    /// `common_http_protocol_options.max_stream_duration`.
    pub max_stream_duration: Setting<Millis>,
    /// `common_http_protocol_options.max_requests_per_connection`.
    pub max_requests_per_connection: Setting<u32>,
    /// `http2_protocol_options.max_concurrent_streams`.
    pub max_concurrent_streams: Setting<u32>,
    /// `http2_protocol_options.connection_keepalive.interval`.
    pub keepalive_interval: Setting<Millis>,
    /// `http2_protocol_options.connection_keepalive.timeout`.
    pub keepalive_timeout: Setting<Millis>,
    /// `HttpProtocolOptions.retry_policy` (from 1.37 on): beats the policy of the route whole.
    pub retry_policy: Option<RetryPolicy>,
    /// Whether a TCP proxy leads to it, so that requests and retries are not limited.
    pub carries_tcp: bool,
    /// Whether Envoy subscribes to parts of its own configuration through it, with a stream for
    /// each kind or resource; one aggregated stream does not count.
    #[serde(default)]
    pub carries_subscriptions: bool,
}

/// `config.cluster.v3.Cluster.DiscoveryType`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub enum Discovery {
    Static,
    StrictDns,
    LogicalDns,
    Eds,
    OriginalDst,
    /// `cluster_type`: an extension.
    Custom,
}

/// What a cluster speaks to its hosts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UpstreamProtocol {
    /// HTTP/1.1.
    Http1,
    /// HTTP/2.
    Http2,
    /// HTTP/3.
    Http3,
    /// gRPC over HTTP/2, where the text says so.
    Grpc,
    /// Chosen by ALPN.
    Auto,
    /// Whatever the client speaks.
    Downstream,
    /// Raw bytes.
    Tcp,
}

/// `config.core.v3.RoutingPriority`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub enum RoutingPriority {
    #[default]
    Default,
    High,
}

impl RoutingPriority {
    /// Both, in Envoy's order.
    pub const ALL: [Self; 2] = [Self::Default, Self::High];

    /// Envoy's word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Default => "DEFAULT",
            Self::High => "HIGH",
        }
    }
}

/// `config.cluster.v3.CircuitBreakers.Thresholds`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct Thresholds {
    /// The entry.
    pub block: Place,
    /// Not in the text: generated by the control plane before the text's own entries.
    pub implied: bool,
    pub priority: Setting<RoutingPriority>,
    pub max_connections: Setting<u32>,
    pub max_pending_requests: Setting<u32>,
    pub max_requests: Setting<u32>,
    pub max_retries: Setting<u32>,
    pub max_connection_pools: Setting<u32>,
    pub retry_budget: Option<RetryBudget>,
    pub track_remaining: Setting<bool>,
    /// Fields of the dialect that are written as 0 where 0 counts as not set (Istio).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unset_zeros: Vec<Spanned<String>>,
}

impl Thresholds {
    /// The priority it is for; none written means DEFAULT.
    pub fn for_priority(&self) -> RoutingPriority {
        self.priority.as_ref().map_or(RoutingPriority::Default, |p| p.value)
    }
}

/// `config.cluster.v3.CircuitBreakers.Thresholds.RetryBudget`; the empty block is active.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct RetryBudget {
    pub block: Place,
    pub budget_percent: Setting<Percent>,
    pub min_retry_concurrency: Setting<u32>,
    pub budget_interval: Setting<Millis>,
}

/// An entry of `config.cluster.v3.CircuitBreakers.per_host_thresholds`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct PerHostThresholds {
    pub block: Place,
    pub priority: Setting<RoutingPriority>,
    pub max_connections: Setting<u32>,
}

/// `config.cluster.v3.Cluster.PreconnectPolicy`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct Preconnect {
    pub block: Place,
    pub per_upstream_preconnect_ratio: Setting<f64>,
    pub predictive_preconnect_ratio: Setting<f64>,
}

/// What a cluster's text says of the inputs of a scenario.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClusterFacts {
    /// Name of the cluster.
    pub name: Option<String>,
    /// Number of its hosts.
    pub hosts: Option<u32>,
    /// What is spoken to them.
    pub protocol: Option<Protocol>,
}

impl ClusterConfig {
    /// Whether it is a patch that a cluster of the same input has taken in: no cluster of its own.
    pub fn is_merged_patch(&self) -> bool {
        self.origin.patch.is_some() && self.partial.is_some()
    }

    /// The number of hosts, where the text alone tells it.
    ///
    /// Names that DNS resolves may stand for any number of hosts; `LOGICAL_DNS` connects to one.
    pub fn hosts(&self) -> Option<u32> {
        let endpoints = self.endpoints.as_ref().map(|e| e.value).filter(|&n| n > 0)?;
        match self.discovery.as_ref().map(|d| d.value) {
            Some(Discovery::LogicalDns) => Some(1),
            _ if self.endpoints_are_addresses => Some(endpoints),
            _ => None,
        }
    }

    /// What the text says that a scenario asks for.
    ///
    /// ```
    /// use headroom::engine::read::config::ClusterConfig;
    ///
    /// assert_eq!(ClusterConfig::default().facts().hosts, None);
    /// ```
    pub fn facts(&self) -> ClusterFacts {
        let spoken = self.protocol.as_ref().map(|p| p.value);
        // Envoy without a word about the protocol speaks HTTP/1.1; a mesh may find out by itself, and
        // a fragment without a name may have left the words out.
        let unspoken =
            self.origin.dialect == Dialect::Envoy && self.origin.patch.is_none() && self.name.is_some();
        ClusterFacts {
            name: self.name.as_ref().map(|n| n.value.clone()),
            hosts: self.hosts(),
            protocol: match spoken {
                Some(UpstreamProtocol::Http1) => Some(Protocol::Http1),
                Some(UpstreamProtocol::Http2) => Some(Protocol::Http2),
                Some(UpstreamProtocol::Grpc) => Some(Protocol::Grpc),
                Some(_) => None,
                None => (unspoken && !self.carries_tcp).then_some(Protocol::Http1),
            },
        }
    }

    /// The entry in force for a priority: the first one, whatever follows.
    pub fn threshold(&self, priority: RoutingPriority) -> Option<&Thresholds> {
        self.thresholds.iter().find(|t| t.for_priority() == priority)
    }

    /// Entries that are never read, because an earlier one has the same priority.
    pub fn dead_thresholds(&self) -> impl Iterator<Item = &Thresholds> {
        self.thresholds.iter().enumerate().filter_map(|(at, entry)| {
            let earlier = &self.thresholds[..at];
            earlier.iter().any(|e| e.for_priority() == entry.for_priority()).then_some(entry)
        })
    }
}
