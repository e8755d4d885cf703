//! What the tests of the pieces share: Envoy's defaults.

use super::{Balancing, Limits, Nanos, Outlier, Policy, RetryLimit, RoutePolicy, Upstream};

fn secs(n: u64) -> Nanos {
    Nanos(n * Nanos::SECOND.0)
}

/// `outlier_detection: {}`.
pub(crate) fn outlier() -> Outlier {
    Outlier {
        consecutive_5xx: 5,
        consecutive_gateway_failure: 5,
        consecutive_local_origin_failure: 5,
        enforcing_consecutive_5xx: 100,
        enforcing_consecutive_gateway_failure: 0,
        enforcing_consecutive_local_origin_failure: 100,
        enforcing_success_rate: 100,
        enforcing_local_origin_success_rate: 100,
        enforcing_failure_percentage: 0,
        enforcing_failure_percentage_local_origin: 0,
        interval: secs(10),
        base_ejection_time: secs(30),
        max_ejection_time: secs(300),
        max_ejection_time_jitter: Nanos::ZERO,
        max_ejection_percent: 10,
        success_rate_minimum_hosts: 5,
        success_rate_request_volume: 100,
        success_rate_stdev_factor: 1900,
        failure_percentage_threshold: 85,
        failure_percentage_minimum_hosts: 5,
        failure_percentage_request_volume: 50,
        split_external_local_origin_errors: false,
        always_eject_one_host: false,
    }
}

/// A cluster without a word about anything.
pub(crate) fn policy() -> Policy {
    let limits = Limits {
        max_connections: 1024,
        max_pending_requests: 1024,
        max_requests: 1024,
        retry_limit: RetryLimit::MaxRetries(3),
        max_connection_pools: None,
        max_connections_per_host: None,
    };
    Policy {
        limits: [limits.clone(), limits],
        upstream: Upstream {
            multiplexes: false,
            connect_timeout: secs(5),
            max_concurrent_streams: 1024,
            max_requests_per_connection: None,
            idle_timeout: Some(secs(3600)),
            max_stream_duration: None,
            preconnect_ratio: 1.0,
        },
        route: RoutePolicy {
            timeout: Some(secs(15)),
            idle_timeout: Some(secs(300)),
            max_stream_duration: None,
            retry: None,
            hedge_on_per_try_timeout: false,
        },
        outlier: None,
        balancing: Balancing::RoundRobin,
        healthy_panic_threshold: 50.0,
        fail_traffic_on_panic: false,
        update_merge_window: Nanos::SECOND,
        not_simulated: Vec::new(),
    }
}
