//! The recommendation as a policy: exactly what its YAML says.

use super::{bare, default_outlier, default_retry, header_bound, told_deadline, unless_off};
use crate::engine::analysis::Analysis;
use crate::engine::envoy::defaults;
use crate::engine::envoy::model::{self, OutlierDetection, RetryPolicy, RoutingPriority};
use crate::engine::mapping;
use crate::engine::sim::{Budget, Limits, Nanos, Outlier, Policy, Retry, RetryLimit, RetryOn, RoutePolicy};
use crate::engine::units::Millis;

impl Policy {
    /// What Headroom recommends, as its YAML says it, whole milliseconds included; what the YAML
    /// leaves out is Envoy's default.
    ///
    /// gRPC callers tell their deadline in `grpc-timeout`, so `grpc_timeout_header_max` acts.
    pub fn recommended(analysis: &Analysis) -> Self {
        let scenario = &analysis.scenario;
        let cluster = mapping::cluster(analysis);
        let mut policy = bare(scenario.protocol.multiplexes(), scenario.envoy_version);
        let thresholds = cluster.circuit_breakers.map(|b| b.thresholds).unwrap_or_default();
        for (at, priority) in [RoutingPriority::Default, RoutingPriority::High].into_iter().enumerate() {
            if let Some(entry) = thresholds.iter().find(|t| t.priority == priority) {
                policy.limits[at] = limits(entry);
            }
        }
        if let Some(timeout) = cluster.connect_timeout {
            policy.upstream.connect_timeout = Nanos::of(timeout.0);
        }
        if let Some(options) = cluster.typed_extension_protocol_options {
            policy.upstream.idle_timeout =
                unless_off(options.http.common_http_protocol_options.idle_timeout.0);
        }
        policy.outlier = cluster.outlier_detection.as_ref().map(outlier);
        policy.route = route(analysis);
        policy
    }
}

fn limits(entry: &model::Thresholds) -> Limits {
    Limits {
        max_connections: entry.max_connections,
        max_pending_requests: entry.max_pending_requests,
        max_requests: entry.max_requests,
        retry_limit: match entry.retry_limit {
            model::RetryLimit::MaxRetries(n) => RetryLimit::MaxRetries(n),
            model::RetryLimit::RetryBudget(budget) => RetryLimit::Budget(Budget {
                budget_percent: budget.budget_percent.value,
                min_retry_concurrency: budget.min_retry_concurrency,
                budget_interval: Nanos::ZERO,
            }),
        },
        max_connection_pools: None,
        max_connections_per_host: None,
    }
}

fn route(analysis: &Analysis) -> RoutePolicy {
    let action = mapping::route(analysis).route;
    let idle = Millis::from_secs(defaults::STREAM_IDLE_TIMEOUT_S);
    let header = told_deadline(analysis.scenario.protocol, analysis.timeouts.deadline_ms);
    // Where the block stands, Envoy arms no route timeout.
    let timeout = if action.max_stream_duration.is_some() { None } else { unless_off(action.timeout.0) };
    let duration = action.max_stream_duration.and_then(|block| {
        let told = header.zip(block.grpc_timeout_header_max);
        let bound = told.map(|(header, max)| header_bound(header, max.0, Millis(0.0)));
        bound.or(block.max_stream_duration.map(|d| d.0))
    });
    RoutePolicy {
        timeout,
        idle_timeout: unless_off(action.idle_timeout.map_or(idle, |d| d.0)),
        max_stream_duration: duration.and_then(unless_off),
        retry: action.retry_policy.as_ref().map(|policy| retry(policy, timeout)),
        hedge_on_per_try_timeout: false,
    }
}

fn retry(policy: &RetryPolicy, timeout: Option<Nanos>) -> Retry {
    let per_try = policy.per_try_timeout.and_then(|d| unless_off(d.0));
    let base = default_retry();
    Retry {
        retry_on: RetryOn::from_words(policy.retry_on.split(',')),
        num_retries: policy.num_retries,
        per_try_timeout: per_try.filter(|per_try| timeout.is_none_or(|timeout| *per_try < timeout)),
        base_interval: Nanos::of(policy.retry_back_off.base_interval.0),
        max_interval: Nanos::of(policy.retry_back_off.max_interval.0),
        previous_hosts: !policy.retry_host_predicate.is_empty(),
        host_selection_retry_max_attempts: policy
            .host_selection_retry_max_attempts
            .unwrap_or(base.host_selection_retry_max_attempts),
        ..base
    }
}

fn outlier(detection: &OutlierDetection) -> Outlier {
    let base = default_outlier();
    let ejection = Nanos::of(detection.base_ejection_time.0);
    Outlier {
        consecutive_gateway_failure: detection.consecutive_gateway_failure,
        enforcing_consecutive_gateway_failure: detection.enforcing_consecutive_gateway_failure,
        enforcing_consecutive_5xx: detection.enforcing_consecutive_5xx,
        enforcing_success_rate: detection.enforcing_success_rate,
        interval: Nanos::of(detection.interval.0),
        base_ejection_time: ejection,
        max_ejection_time: base.max_ejection_time.max(ejection),
        max_ejection_percent: detection.max_ejection_percent,
        always_eject_one_host: detection.always_eject_one_host.unwrap_or(base.always_eject_one_host),
        split_external_local_origin_errors: detection.split_external_local_origin_errors,
        ..base
    }
}
