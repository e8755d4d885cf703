//! Where a setting is written, as the reader found it.

use crate::engine::audit::Setting;
use crate::engine::read::config::{ClusterConfig, RouteConfig, RoutingPriority};
use crate::engine::read::{Place, Setting as Written};

#[allow(clippy::ref_option, reason = "fields are settings, and this reads one field")]
fn at<T>(written: &Written<T>) -> Option<&Place> {
    written.as_ref().map(|w| &w.at)
}

/// Of a cluster.
pub fn cluster(c: &ClusterConfig, setting: Setting) -> Option<&Place> {
    use Setting as S;
    let entry = |p: RoutingPriority| c.threshold(p);
    let budget = |p: RoutingPriority| entry(p).and_then(|t| t.retry_budget.as_ref());
    match setting {
        S::MaxConnections(p) => at(&entry(p)?.max_connections),
        S::MaxPendingRequests(p) => at(&entry(p)?.max_pending_requests),
        S::MaxRequests(p) => at(&entry(p)?.max_requests),
        S::MaxRetries(p) => at(&entry(p)?.max_retries),
        S::MaxConnectionPools(p) => at(&entry(p)?.max_connection_pools),
        S::TrackRemaining(p) => at(&entry(p)?.track_remaining),
        S::RetryBudget(p) => Some(&budget(p)?.block),
        S::BudgetPercent(p) => at(&budget(p)?.budget_percent),
        S::MinRetryConcurrency(p) => at(&budget(p)?.min_retry_concurrency),
        S::PerHostMaxConnections => at(&c.per_host_thresholds.first()?.max_connections),
        S::ConnectTimeout => at(&c.connect_timeout),
        S::PoolIdleTimeout => at(&c.idle_timeout),
        S::MaxRequestsPerConnection => at(&c.max_requests_per_connection),
        S::MaxConcurrentStreams => at(&c.max_concurrent_streams),
        S::HealthyPanicThreshold => at(&c.healthy_panic_threshold),
        S::UpdateMergeWindow => at(&c.update_merge_window),
        _ => outlier(c, setting),
    }
}

fn outlier(c: &ClusterConfig, setting: Setting) -> Option<&Place> {
    use Setting as S;
    let o = c.outlier_detection.as_ref()?;
    match setting {
        S::OutlierDetection => Some(&o.block),
        S::Consecutive5xx => at(&o.consecutive_5xx),
        S::ConsecutiveGatewayFailure => at(&o.consecutive_gateway_failure),
        S::ConsecutiveLocalOriginFailure => at(&o.consecutive_local_origin_failure),
        S::EnforcingConsecutive5xx => at(&o.enforcing_consecutive_5xx),
        S::EnforcingConsecutiveGatewayFailure => at(&o.enforcing_consecutive_gateway_failure),
        S::EnforcingConsecutiveLocalOriginFailure => at(&o.enforcing_consecutive_local_origin_failure),
        S::EnforcingSuccessRate => at(&o.enforcing_success_rate),
        S::EnforcingLocalOriginSuccessRate => at(&o.enforcing_local_origin_success_rate),
        S::EnforcingFailurePercentage => at(&o.enforcing_failure_percentage),
        S::OutlierInterval => at(&o.interval),
        S::BaseEjectionTime => at(&o.base_ejection_time),
        S::MaxEjectionTime => at(&o.max_ejection_time),
        S::MaxEjectionTimeJitter => at(&o.max_ejection_time_jitter),
        S::MaxEjectionPercent => at(&o.max_ejection_percent),
        S::AlwaysEjectOneHost => at(&o.always_eject_one_host),
        S::SplitExternalLocalOriginErrors => at(&o.split_external_local_origin_errors),
        S::SuccessRateMinimumHosts => at(&o.success_rate_minimum_hosts),
        S::SuccessRateRequestVolume => at(&o.success_rate_request_volume),
        _ => None,
    }
}

/// Of a route.
pub fn route(r: &RouteConfig, setting: Setting) -> Option<&Place> {
    use Setting as S;
    let policy = r.retry_policy.as_ref();
    match setting {
        S::RoutePriority => at(&r.priority),
        S::RouteTimeout => at(&r.timeout),
        S::RouteIdleTimeout => at(&r.idle_timeout),
        S::MaxStreamDuration => at(&r.max_stream_duration),
        S::GrpcTimeoutHeaderMax => at(&r.grpc_timeout_header_max),
        S::GrpcTimeoutHeaderOffset => at(&r.grpc_timeout_header_offset),
        S::RetryPolicy => Some(&policy?.block),
        S::RetryOn => at(&policy?.retry_on),
        S::NumRetries => at(&policy?.num_retries),
        S::PerTryTimeout => at(&policy?.per_try_timeout),
        S::PerTryIdleTimeout => at(&policy?.per_try_idle_timeout),
        S::BackOffBase => at(&policy?.base_interval),
        S::BackOffMax => at(&policy?.max_interval),
        S::RetriableStatusCodes => at(&policy?.retriable_status_codes),
        S::HedgeOnPerTryTimeout => at(&r.hedge_policy.as_ref()?.hedge_on_per_try_timeout),
        S::RequestBodyBufferLimit => at(&r.request_body_buffer_limit),
        _ => None,
    }
}
