//! HTTP connection managers and runtime keys.

use super::Origin;
use crate::engine::read::{Place, Setting, Spanned};
use crate::engine::units::Millis;
use serde::{Deserialize, Serialize};

/// `extensions.filters.network.http_connection_manager.v3.HttpConnectionManager`, with what its
/// listener and its router filter add.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct ManagerConfig {
    /// `stat_prefix`.
    pub name: Setting<String>,
    pub origin: Origin,
    /// Name of the listener.
    pub listener: Setting<String>,
    /// Name in `rds`, by which routes of other documents belong here.
    pub route_config_name: Setting<String>,
    pub stream_idle_timeout: Setting<Millis>,
    pub request_timeout: Setting<Millis>,
    pub request_headers_timeout: Setting<Millis>,
    pub drain_timeout: Setting<Millis>,
    /// `common_http_protocol_options.idle_timeout`, of client connections.
    pub idle_timeout: Setting<Millis>,
    /// `common_http_protocol_options.max_connection_duration`.
    pub max_connection_duration: Setting<Millis>,
    /// `common_http_protocol_options.max_stream_duration`.
    pub max_stream_duration: Setting<Millis>,
    /// `common_http_protocol_options.max_requests_per_connection`.
    pub max_requests_per_connection: Setting<u32>,
    /// `http2_protocol_options.max_concurrent_streams`, of client connections.
    pub max_concurrent_streams: Setting<u32>,
    /// Of the listener.
    pub per_connection_buffer_limit_bytes: Setting<u32>,
    pub use_remote_address: Setting<bool>,
    /// The block `internal_address_config`.
    pub internal_address_config: Option<Place>,
    /// Of the router filter.
    pub respect_expected_rq_timeout: Setting<bool>,
    /// Of the router filter.
    pub suppress_envoy_headers: Setting<bool>,
    /// `upgrade_configs`: `websocket` and the like.
    pub upgrades: Vec<Spanned<String>>,
}

/// A runtime key that overrides a breaker: `circuit_breakers.<cluster>.<priority>.<field>`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RuntimeOverride {
    /// The whole key.
    pub key: Spanned<String>,
    /// The cluster it names, if it is a breaker's key.
    pub cluster: String,
    /// `default` or `high`.
    pub priority: super::RoutingPriority,
    /// The field after it: `max_requests`, `retry_budget.budget_percent`.
    pub field: String,
    /// The value.
    pub value: Spanned<f64>,
}
