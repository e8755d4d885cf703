//! The typed subset of Envoy Gateway's API.

use crate::engine::dialects::resource::{Units, word};
use crate::engine::envoy::style;
use serde::Serialize;

/// `gateway.envoyproxy.io/v1alpha1 BackendTrafficPolicy`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BackendTrafficPolicy {
    pub target_refs: Vec<TargetRef>,
    #[serde(serialize_with = "style::flow")]
    pub load_balancer: LoadBalancer,
    pub circuit_breaker: CircuitBreaker,
    pub timeout: Timeout,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry: Option<Retry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub health_check: Option<HealthCheck>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub http2: Option<Http2>,
}

#[derive(Serialize)]
pub struct LoadBalancer {
    #[serde(rename = "type")]
    pub kind: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Http2 {
    pub max_concurrent_streams: u32,
}

#[derive(Serialize)]
pub struct TargetRef {
    pub group: &'static str,
    pub kind: &'static str,
    #[serde(serialize_with = "word")]
    pub name: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CircuitBreaker {
    pub max_parallel_requests: u32,
    pub max_connections: u32,
    pub max_pending_requests: u32,
    pub retry_budget: RetryBudget,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RetryBudget {
    #[serde(serialize_with = "style::flow")]
    pub percent: Fraction,
    pub min_retry_concurrency: u32,
}

/// A share of whole numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Fraction {
    pub numerator: u32,
    pub denominator: u32,
}

#[derive(Serialize)]
pub struct Timeout {
    pub tcp: TcpTimeout,
    pub http: HttpTimeout,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TcpTimeout {
    pub connect_timeout: Units,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HttpTimeout {
    pub request_timeout: Units,
    pub stream_idle_timeout: Units,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_stream_duration: Option<Units>,
    pub connection_idle_timeout: Units,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(clippy::struct_field_names, reason = "the names are Envoy Gateway's")]
pub struct Retry {
    pub num_retries: u32,
    pub retry_on: RetryOn,
    pub per_retry: PerRetry,
}

#[derive(Serialize)]
pub struct RetryOn {
    #[serde(serialize_with = "style::flow_list")]
    pub triggers: Vec<&'static str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PerRetry {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout: Option<Units>,
    pub back_off: BackOff,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BackOff {
    pub base_interval: Units,
    pub max_interval: Units,
}

#[derive(Serialize)]
pub struct HealthCheck {
    pub passive: Passive,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Passive {
    pub consecutive_gateway_errors: u32,
    #[serde(rename = "consecutive5XxErrors")]
    pub consecutive_5xx_errors: u32,
    pub interval: Units,
    pub base_ejection_time: Units,
    pub max_ejection_percent: u32,
}
