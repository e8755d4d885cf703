//! What Envoy does when nothing is set, with the version it holds from and who says so.
//!
//! Measured means: observed on Envoy 1.40.0; protos are those of the v3 API.

use super::model::Duration;
use crate::engine::scenario::EnvoyVersion;
use crate::engine::units::{Millis, Percent};

/// `circuit_breakers.thresholds.max_connections`. Source: `config.cluster.v3.CircuitBreakers`.
pub const MAX_CONNECTIONS: u32 = 1024;

/// `circuit_breakers.thresholds.max_pending_requests`. Source: `config.cluster.v3.CircuitBreakers`.
pub const MAX_PENDING_REQUESTS: u32 = 1024;

/// `circuit_breakers.thresholds.max_requests`. Source: `config.cluster.v3.CircuitBreakers`.
pub const MAX_REQUESTS: u32 = 1024;

/// `circuit_breakers.thresholds.max_retries`. Source: `config.cluster.v3.CircuitBreakers`.
pub const MAX_RETRIES: u32 = 3;

/// `retry_budget.budget_percent`, once a retry budget is set. Source:
/// `config.cluster.v3.CircuitBreakers.Thresholds.RetryBudget`; measured.
pub const BUDGET_PERCENT: Percent = Percent(20.0);

/// `retry_budget.min_retry_concurrency`, once a retry budget is set. Source:
/// `config.cluster.v3.CircuitBreakers.Thresholds.RetryBudget`; measured.
pub const MIN_RETRY_CONCURRENCY: u32 = 3;

/// `connect_timeout` of a cluster: TCP and TLS. Source: `config.cluster.v3.Cluster`; measured.
pub const CONNECT_TIMEOUT: Duration = Duration(Millis(5_000.0));

/// `timeout` of a route: from the end of the request to the end of the response, all attempts
/// included. Source: `config.route.v3.RouteAction`; measured.
pub const ROUTE_TIMEOUT: Duration = Duration(Millis(15_000.0));

/// `common_http_protocol_options.idle_timeout`: a pooled connection without a request. Source:
/// `config.core.v3.HttpProtocolOptions`.
pub const POOL_IDLE_TIMEOUT: Duration = Duration(Millis(3_600_000.0));

/// `stream_idle_timeout` of the HTTP connection manager, in seconds; a route's `idle_timeout`
/// replaces it. Source:
/// `extensions.filters.network.http_connection_manager.v3.HttpConnectionManager`.
pub const STREAM_IDLE_TIMEOUT_S: f64 = 300.0;

/// `retry_policy.num_retries`, once a retry policy is set. Source: `config.route.v3.RetryPolicy`;
/// measured.
pub const NUM_RETRIES: u32 = 1;

/// `retry_back_off.base_interval`: the first wait is uniform below it. Source:
/// `config.route.v3.RetryPolicy.RetryBackOff`; measured.
pub const RETRY_BASE_INTERVAL: Duration = Duration(Millis(25.0));

/// `retry_back_off.max_interval` as a multiple of the base. Source:
/// `config.route.v3.RetryPolicy.RetryBackOff`; measured.
pub const RETRY_MAX_INTERVAL_BASES: f64 = 10.0;

/// `host_selection_retry_max_attempts`: picks before a host already tried is taken after all.
/// Source: `config.route.v3.RetryPolicy`.
pub const HOST_SELECTION_RETRY_MAX_ATTEMPTS: u32 = 1;

/// `outlier_detection.consecutive_5xx`, enforced. Source: `config.cluster.v3.OutlierDetection`.
pub const CONSECUTIVE_5XX: u32 = 5;

/// `outlier_detection.consecutive_gateway_failure`, not enforced. Source:
/// `config.cluster.v3.OutlierDetection`.
pub const CONSECUTIVE_GATEWAY_FAILURE: u32 = 5;

/// `outlier_detection.enforcing_consecutive_gateway_failure`, in percent. Source:
/// `config.cluster.v3.OutlierDetection`.
pub const ENFORCING_CONSECUTIVE_GATEWAY_FAILURE: u32 = 0;

/// `outlier_detection.consecutive_local_origin_failure`, only with
/// `split_external_local_origin_errors`. Source: `config.cluster.v3.OutlierDetection`.
pub const CONSECUTIVE_LOCAL_ORIGIN_FAILURE: u32 = 5;

/// What is enforced of consecutive 5xx, local-origin failures and both success rates, in percent.
/// Source: `config.cluster.v3.OutlierDetection`.
pub const ENFORCING: u32 = 100;

/// `outlier_detection.enforcing_failure_percentage` and `…_local_origin`, in percent. Source:
/// `config.cluster.v3.OutlierDetection`.
pub const ENFORCING_FAILURE_PERCENTAGE: u32 = 0;

/// `outlier_detection.max_ejection_time`, or the base if that is longer. Source:
/// `config.cluster.v3.OutlierDetection`.
pub const MAX_EJECTION_TIME: Duration = Duration(Millis(300_000.0));

/// `outlier_detection.success_rate_stdev_factor`, in thousandths of a standard deviation. Source:
/// `config.cluster.v3.OutlierDetection`.
pub const SUCCESS_RATE_STDEV_FACTOR: u32 = 1900;

/// `outlier_detection.failure_percentage_threshold`, in percent. Source:
/// `config.cluster.v3.OutlierDetection`.
pub const FAILURE_PERCENTAGE_THRESHOLD: u32 = 85;

/// `outlier_detection.failure_percentage_minimum_hosts`. Source:
/// `config.cluster.v3.OutlierDetection`.
pub const FAILURE_PERCENTAGE_MINIMUM_HOSTS: u32 = 5;

/// `outlier_detection.failure_percentage_request_volume`. Source:
/// `config.cluster.v3.OutlierDetection`.
pub const FAILURE_PERCENTAGE_REQUEST_VOLUME: u32 = 50;

/// The first release that knows `HttpProtocolOptions.retry_policy`: it beats the policy of the route
/// whole. Source: `extensions.upstreams.http.v3.HttpProtocolOptions`; measured.
pub const CLUSTER_RETRY_POLICY: EnvoyVersion = EnvoyVersion::minor(37);

/// `common_lb_config.update_merge_window`: a second change of health within it waits. Source:
/// `config.cluster.v3.Cluster.CommonLbConfig`; measured.
pub const UPDATE_MERGE_WINDOW: Duration = Duration(Millis(1_000.0));

/// `per_connection_buffer_limit_bytes` of clusters and listeners. Source:
/// `config.cluster.v3.Cluster`.
pub const BUFFER_LIMIT_BYTES: u32 = 1_048_576;

/// `outlier_detection.interval`: ejected hosts return at these ticks only. Source:
/// `config.cluster.v3.OutlierDetection`.
pub const OUTLIER_INTERVAL: Duration = Duration(Millis(10_000.0));

/// `outlier_detection.base_ejection_time`. Source: `config.cluster.v3.OutlierDetection`.
pub const BASE_EJECTION_TIME: Duration = Duration(Millis(30_000.0));

/// `outlier_detection.max_ejection_percent`: below ten hosts this ejects none. Source:
/// `config.cluster.v3.OutlierDetection`; measured.
pub const MAX_EJECTION_PERCENT: u32 = 10;

/// `outlier_detection.success_rate_minimum_hosts`. Source: `config.cluster.v3.OutlierDetection`.
pub const SUCCESS_RATE_MINIMUM_HOSTS: u32 = 5;

/// `outlier_detection.success_rate_request_volume`: requests a host needs in an interval to be
/// judged. Source: `config.cluster.v3.OutlierDetection`.
pub const SUCCESS_RATE_REQUEST_VOLUME: f64 = 100.0;

/// `common_lb_config.healthy_panic_threshold`, in percent: below this share of available hosts all
/// get traffic. Source: `config.cluster.v3.Cluster.CommonLbConfig`; measured.
pub const HEALTHY_PANIC_THRESHOLD: f64 = 50.0;

/// `http2_protocol_options.max_concurrent_streams`: 1,024 from 1.36 on, before that no limit worth
/// the name. Source: release notes of 1.36.
///
/// ```
/// use headroom::engine::envoy::defaults::max_concurrent_streams;
/// use headroom::engine::scenario::EnvoyVersion;
///
/// assert_eq!(max_concurrent_streams(EnvoyVersion::minor(36)), 1024);
/// assert_eq!(max_concurrent_streams(EnvoyVersion::minor(35)), 2_147_483_647);
/// ```
pub fn max_concurrent_streams(version: EnvoyVersion) -> u32 {
    const BEFORE_1_36: u32 = 2_147_483_647;
    if version >= EnvoyVersion::minor(36) { 1024 } else { BEFORE_1_36 }
}
