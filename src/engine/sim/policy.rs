//! What is in force at every proxy: the settings of Envoy that a run depends on, defaults filled in.
//!
//! Plain data, with serde, so that a page can send one to a worker. [`Policy::recommended`] takes the
//! analysis at its word, [`Policy::envoy_defaults`] is a cluster without a word about limits, and
//! (with the feature `read`) a pasted configuration becomes one too.

use super::Nanos;
use serde::{Deserialize, Serialize};

/// The settings of a cluster and of the route that leads to it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Policy {
    /// Limits: DEFAULT, then HIGH.
    pub limits: [Limits; 2],
    /// Connections and what they carry.
    pub upstream: Upstream,
    /// Timeouts of the route, and retries.
    pub route: RoutePolicy,
    /// Outlier detection; `None`: nothing is ever ejected.
    pub outlier: Option<Outlier>,
    /// How a host is picked.
    pub balancing: Balancing,
    /// `healthy_panic_threshold` in percent; zero is off.
    pub healthy_panic_threshold: f64,
    /// `fail_traffic_on_panic`: 503 UH in a panic instead of traffic to all hosts.
    pub fail_traffic_on_panic: bool,
    /// `update_merge_window`: a change of health within it after the last one waits.
    pub update_merge_window: Nanos,
    /// Settings of the text that this simulator does not play, in words for the person.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_simulated: Vec<String>,
}

/// `circuit_breakers.thresholds` of one priority, one set a process, shared by its workers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct Limits {
    pub max_connections: u32,
    pub max_pending_requests: u32,
    pub max_requests: u32,
    pub retry_limit: RetryLimit,
    /// `None` is no limit.
    pub max_connection_pools: Option<u32>,
    /// `per_host_thresholds`; `None` is no limit.
    pub max_connections_per_host: Option<u32>,
}

/// What limits the retries of a priority.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RetryLimit {
    /// `max_retries`: a fixed number at once.
    MaxRetries(u32),
    /// `retry_budget`: `max_retries` is not looked at.
    Budget(Budget),
}

/// `retry_budget`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct Budget {
    pub budget_percent: f64,
    pub min_retry_concurrency: u32,
    /// Zero: of what is active and pending at the moment; else of what was started in the interval.
    pub budget_interval: Nanos,
}

/// Connections to the hosts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct Upstream {
    /// HTTP/2: many streams a connection.
    pub multiplexes: bool,
    pub connect_timeout: Nanos,
    /// Of HTTP/2 connections, as configured; the peer may allow fewer.
    pub max_concurrent_streams: u32,
    /// `None` is no limit.
    pub max_requests_per_connection: Option<u32>,
    /// Of pooled connections; `None` is off.
    pub idle_timeout: Option<Nanos>,
    /// Of the cluster, from the moment that a stream is attached; retriable like a reset.
    pub max_stream_duration: Option<Nanos>,
    /// `per_upstream_preconnect_ratio`; 1 opens none ahead.
    pub preconnect_ratio: f64,
}

/// Timeouts and retries of the route.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct RoutePolicy {
    /// `timeout`: from the arrival (requests have no upload here) to the end of the response.
    pub timeout: Option<Nanos>,
    /// `idle_timeout` of the stream, of the route or its connection manager.
    pub idle_timeout: Option<Nanos>,
    /// `max_stream_duration` of the route or its connection manager, from the start of the stream.
    pub max_stream_duration: Option<Nanos>,
    /// `None`: nothing is retried.
    pub retry: Option<Retry>,
    /// `hedge_policy.hedge_on_per_try_timeout`.
    pub hedge_on_per_try_timeout: bool,
}

/// `retry_policy`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct Retry {
    pub retry_on: RetryOn,
    pub num_retries: u32,
    /// The one that acts: one that is not below the route timeout is ignored by Envoy, so it is
    /// `None` here.
    pub per_try_timeout: Option<Nanos>,
    pub per_try_idle_timeout: Option<Nanos>,
    pub base_interval: Nanos,
    pub max_interval: Nanos,
    /// `retriable_status_codes`, looked at only with that word in `retry_on`.
    pub retriable_status_codes: Vec<u16>,
    /// Whether hosts already tried are avoided.
    pub previous_hosts: bool,
    pub host_selection_retry_max_attempts: u32,
}

/// The words of `retry_on` that something in this simulator can fire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[allow(missing_docs, clippy::struct_excessive_bools, reason = "the names are Envoy's words")]
pub struct RetryOn {
    pub server_error_5xx: bool,
    pub gateway_error: bool,
    pub reset: bool,
    pub reset_before_request: bool,
    pub connect_failure: bool,
    pub refused_stream: bool,
    pub retriable_status_codes: bool,
    /// gRPC 1.
    pub cancelled: bool,
    /// gRPC 4.
    pub deadline_exceeded: bool,
    /// gRPC 8.
    pub resource_exhausted: bool,
    /// gRPC 13.
    pub internal: bool,
    /// gRPC 14.
    pub unavailable: bool,
}

impl RetryOn {
    /// From Envoy's words; unknown ones are ignored, as Envoy does.
    pub fn from_words<'a>(words: impl IntoIterator<Item = &'a str>) -> Self {
        let mut on = Self::default();
        for word in words {
            let flag = match word.trim() {
                "5xx" => &mut on.server_error_5xx,
                "gateway-error" => &mut on.gateway_error,
                "reset" => &mut on.reset,
                "reset-before-request" => &mut on.reset_before_request,
                "connect-failure" => &mut on.connect_failure,
                "refused-stream" => &mut on.refused_stream,
                "retriable-status-codes" => &mut on.retriable_status_codes,
                "cancelled" => &mut on.cancelled,
                "deadline-exceeded" => &mut on.deadline_exceeded,
                "resource-exhausted" => &mut on.resource_exhausted,
                "internal" => &mut on.internal,
                "unavailable" => &mut on.unavailable,
                _ => continue,
            };
            *flag = true;
        }
        on
    }
}

/// `outlier_detection`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct Outlier {
    /// Zero is off, as for the two that follow.
    pub consecutive_5xx: u32,
    pub consecutive_gateway_failure: u32,
    pub consecutive_local_origin_failure: u32,
    /// In percent, as the rest of the `enforcing` fields.
    pub enforcing_consecutive_5xx: u32,
    pub enforcing_consecutive_gateway_failure: u32,
    pub enforcing_consecutive_local_origin_failure: u32,
    pub enforcing_success_rate: u32,
    pub enforcing_local_origin_success_rate: u32,
    pub enforcing_failure_percentage: u32,
    pub enforcing_failure_percentage_local_origin: u32,
    pub interval: Nanos,
    pub base_ejection_time: Nanos,
    pub max_ejection_time: Nanos,
    pub max_ejection_time_jitter: Nanos,
    pub max_ejection_percent: u32,
    pub success_rate_minimum_hosts: u32,
    pub success_rate_request_volume: u32,
    /// In thousandths.
    pub success_rate_stdev_factor: u32,
    pub failure_percentage_threshold: u32,
    pub failure_percentage_minimum_hosts: u32,
    pub failure_percentage_request_volume: u32,
    pub split_external_local_origin_errors: bool,
    pub always_eject_one_host: bool,
}

/// `lb_policy`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Balancing {
    /// Each worker goes round by itself.
    #[default]
    RoundRobin,
    /// The one with fewer requests of this worker's process in flight, of `choices` picked at
    /// random.
    LeastRequest {
        /// `choice_count`, 2 by default.
        choices: u32,
    },
    /// Any.
    Random,
}
