//! The typed subset of Istio's API.

use crate::engine::dialects::resource::{Units, word};
use crate::engine::envoy::model::{Duration, MaxStreamDuration, PercentValue, short_number};
use crate::engine::envoy::style;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

/// `networking.istio.io/v1 DestinationRule`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DestinationRule {
    pub host: String,
    pub traffic_policy: TrafficPolicy,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TrafficPolicy {
    #[serde(serialize_with = "style::flow")]
    pub load_balancer: LoadBalancer,
    pub connection_pool: ConnectionPool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outlier_detection: Option<OutlierDetection>,
    pub retry_budget: RetryBudget,
}

#[derive(Serialize)]
pub struct LoadBalancer {
    pub simple: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ConnectionPool {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tcp: Option<Tcp>,
    pub http: Http,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Tcp {
    pub max_connections: u32,
    pub connect_timeout: Units,
}

/// What is not set has no limit, or Istio's default.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Http {
    pub http2_max_requests: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub http1_max_pending_requests: Option<u32>,
    pub idle_timeout: Units,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub h2_upgrade_policy: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OutlierDetection {
    pub consecutive_gateway_errors: u32,
    #[serde(rename = "consecutive5xxErrors")]
    pub consecutive_5xx_errors: u32,
    pub interval: Units,
    pub base_ejection_time: Units,
    pub max_ejection_percent: u32,
    pub min_health_percent: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RetryBudget {
    #[serde(serialize_with = "plain")]
    pub percent: PercentValue,
    pub min_retry_concurrency: u32,
}

/// A percentage without Envoy's message around it.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn plain<S: Serializer>(percent: &PercentValue, serializer: S) -> Result<S::Ok, S::Error> {
    short_number(&percent.value, serializer)
}

/// `networking.istio.io/v1 VirtualService`.
#[derive(Serialize)]
pub struct VirtualService {
    pub hosts: Vec<String>,
    pub http: Vec<HttpRoute>,
}

#[derive(Serialize)]
pub struct HttpRoute {
    pub name: String,
    pub route: Vec<RouteDestination>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout: Option<Units>,
    pub retries: Retries,
}

#[derive(Serialize)]
pub struct RouteDestination {
    pub destination: Destination,
}

#[derive(Serialize)]
pub struct Destination {
    pub host: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Retries {
    pub attempts: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub per_try_timeout: Option<Units>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_on: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backoff: Option<Units>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_ignore_previous_hosts: Option<bool>,
}

/// `networking.istio.io/v1 Sidecar`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Sidecar {
    pub workload_selector: WorkloadSelector,
    pub inbound_connection_pool: ConnectionPool,
}

#[derive(Serialize)]
pub struct WorkloadSelector {
    pub labels: Labels,
}

#[derive(Serialize)]
pub struct Labels {
    #[serde(serialize_with = "word")]
    pub app: String,
}

/// `networking.istio.io/v1alpha3 EnvoyFilter`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EnvoyFilter {
    pub config_patches: Vec<ConfigPatch>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ConfigPatch {
    pub apply_to: &'static str,
    #[serde(rename = "match")]
    pub matches: Match,
    pub patch: Patch,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Match {
    pub context: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cluster: Option<ClusterMatch>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub route_configuration: Option<RouteConfigurationMatch>,
}

#[derive(Serialize)]
pub struct ClusterMatch {
    pub service: String,
}

#[derive(Serialize)]
pub struct RouteConfigurationMatch {
    pub vhost: VirtualHostMatch,
}

#[derive(Serialize)]
pub struct VirtualHostMatch {
    pub route: RouteMatch,
}

#[derive(Serialize)]
pub struct RouteMatch {
    pub name: String,
}

#[derive(Serialize)]
pub struct Patch {
    pub operation: &'static str,
    pub value: PatchValue,
}

/// Parts of Envoy's own API, in its names.
#[derive(Default, Serialize)]
pub struct PatchValue {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outlier_detection: Option<BTreeMap<&'static str, u32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub route: Option<RoutePatch>,
}

#[derive(Serialize)]
pub struct RoutePatch {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idle_timeout: Option<Duration>,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "style::flow")]
    pub max_stream_duration: Option<MaxStreamDuration>,
}
