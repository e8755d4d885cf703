//! `config.route.v3`: the route, its timeouts and its retries.

use super::Duration;
use crate::engine::envoy::style;
use serde::{Deserialize, Serialize};

/// `config.route.v3.Route`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct Route {
    #[serde(rename = "match", serialize_with = "style::flow")]
    pub matches: RouteMatch,
    pub route: RouteAction,
}

/// `config.route.v3.RouteMatch`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct RouteMatch {
    #[serde(serialize_with = "style::name")]
    pub prefix: String,
}

/// `config.route.v3.RouteAction`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct RouteAction {
    #[serde(serialize_with = "style::name")]
    pub cluster: String,
    pub timeout: Duration,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idle_timeout: Option<Duration>,
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "style::flow")]
    pub max_stream_duration: Option<MaxStreamDuration>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_policy: Option<RetryPolicy>,
}

/// `config.route.v3.RouteAction.MaxStreamDuration`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct MaxStreamDuration {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_stream_duration: Option<Duration>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grpc_timeout_header_max: Option<Duration>,
}

/// `config.route.v3.RetryPolicy`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct RetryPolicy {
    pub retry_on: String,
    pub num_retries: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_try_timeout: Option<Duration>,
    #[serde(serialize_with = "style::flow")]
    pub retry_back_off: RetryBackOff,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub retry_host_predicate: Vec<RetryHostPredicate>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host_selection_retry_max_attempts: Option<u32>,
}

/// `config.route.v3.RetryPolicy.RetryBackOff`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct RetryBackOff {
    pub base_interval: Duration,
    pub max_interval: Duration,
}

/// `config.route.v3.RetryPolicy.RetryHostPredicate`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct RetryHostPredicate {
    pub name: String,
    pub typed_config: PreviousHosts,
}

/// `extensions.retry.host.previous_hosts.v3.PreviousHostsPredicate`: not a host already tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    tag = "@type",
    rename = "type.googleapis.com/envoy.extensions.retry.host.previous_hosts.v3.PreviousHostsPredicate"
)]
pub struct PreviousHosts {}

impl RetryHostPredicate {
    /// The predicate that avoids hosts already tried.
    pub fn previous_hosts() -> Self {
        Self { name: "envoy.retry_host_predicates.previous_hosts".to_owned(), typed_config: PreviousHosts {} }
    }
}
