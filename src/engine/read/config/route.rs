//! A route: what it matches, where it leads, and the timeouts and retries on the way.

use super::{HedgePolicy, Origin, RetryPolicy, RoutingPriority};
use crate::engine::read::{Place, Setting, Spanned};
use crate::engine::units::Millis;
use serde::{Deserialize, Serialize};

/// `config.route.v3.Route` that forwards, with what it inherits from its virtual host.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct RouteConfig {
    pub name: Setting<String>,
    /// Where it comes from.
    pub origin: Origin,
    /// HTTP, or a TCP proxy.
    pub kind: RouteKind,
    /// Name of the virtual host.
    pub virtual_host: Setting<String>,
    /// Name of the route configuration.
    pub route_configuration: Setting<String>,
    /// Index into [`super::Configuration::managers`].
    pub manager: Option<usize>,
    pub matches: Setting<RouteMatch>,
    /// Clusters it leads to, with their weights.
    pub targets: Vec<RouteTarget>,
    /// Clusters that get a copy.
    pub mirrors: Vec<Spanned<String>>,
    pub priority: Setting<RoutingPriority>,
    pub timeout: Setting<Millis>,
    pub idle_timeout: Setting<Millis>,
    /// The block `max_stream_duration` in Envoy's own words: where it stands, even empty, Envoy does
    /// not look at `timeout`.
    pub stream_durations: Option<Place>,
    /// `max_stream_duration.max_stream_duration`.
    pub max_stream_duration: Setting<Millis>,
    /// `max_stream_duration.grpc_timeout_header_max`.
    pub grpc_timeout_header_max: Setting<Millis>,
    /// `max_stream_duration.grpc_timeout_header_offset`.
    pub grpc_timeout_header_offset: Setting<Millis>,
    /// Deprecated: maps the `grpc-timeout` header onto the route timeout.
    pub max_grpc_timeout: Setting<Millis>,
    /// Deprecated, with `max_grpc_timeout`.
    pub grpc_timeout_offset: Setting<Millis>,
    /// The policy that governs it: its own, else that of its virtual host.
    pub retry_policy: Option<RetryPolicy>,
    /// The policy of its virtual host that its own replaces whole.
    pub replaced_retry_policy: Option<Box<RetryPolicy>>,
    /// The policy that governs it: its own, else that of its virtual host.
    pub hedge_policy: Option<HedgePolicy>,
    /// From 1.36 on.
    pub request_body_buffer_limit: Setting<u64>,
    /// Deprecated from 1.36 on.
    pub per_request_buffer_limit_bytes: Setting<u32>,
    /// Proxies that have the route (Istio): gateways, and `mesh` for sidecars.
    pub gateways: Vec<Spanned<String>>,
    /// Upgrades such as `websocket` are allowed here.
    pub upgrades: Vec<Spanned<String>>,
}

impl RouteConfig {
    /// What to call it by: its name, else what it matches.
    pub fn label(&self) -> Option<&str> {
        let name = self.name.as_ref().map(|name| name.value.as_str());
        name.or_else(|| self.matches.as_ref().map(|of| of.value.text.as_str()))
    }
}

/// What a route carries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RouteKind {
    /// HTTP requests.
    #[default]
    Http,
    /// Connections of a TCP proxy: no requests, no retries.
    Tcp,
}

/// What a route matches.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RouteMatch {
    /// In words: `prefix /api`, `path /probe`.
    pub text: String,
    /// Only gRPC requests.
    pub grpc: bool,
    /// Methods it is limited to; empty means all.
    pub methods: Vec<String>,
    /// Prefixes of which it takes every request: nothing else is asked of these.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub takes: Vec<String>,
    /// What the path of each of its alternatives begins with; an empty text is any path.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub begins: Vec<String>,
}

/// A cluster that a route leads to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RouteTarget {
    /// Name of the cluster, or of the host of a mesh.
    pub cluster: Spanned<String>,
    /// Subset of that host; see [`super::ClusterConfig::subset`].
    pub subset: Setting<String>,
    /// Port of that host (Istio and others).
    pub port: Setting<u32>,
    /// Its weight among the targets.
    pub weight: Setting<u32>,
}
