//! Policies against the analysis and against Envoy's documented defaults.

use super::{analysis, mesh};
use headroom::engine::scenario::{EnvoyVersion, Protocol};
use headroom::engine::sim::{Balancing, Nanos, Policy, RetryLimit};
use headroom::engine::units::Millis;

#[test]
fn a_bare_cluster_has_the_defaults_of_the_documentation() {
    let policy = Policy::envoy_defaults(&mesh().scenario);
    for limits in &policy.limits {
        assert_eq!(
            (limits.max_connections, limits.max_pending_requests, limits.max_requests),
            (1024, 1024, 1024)
        );
        assert_eq!(limits.retry_limit, RetryLimit::MaxRetries(3));
        assert_eq!((limits.max_connection_pools, limits.max_connections_per_host), (None, None));
    }
    assert_eq!(policy.route.timeout, Some(Nanos::from_secs(15.0)));
    assert_eq!(policy.route.idle_timeout, Some(Nanos::from_secs(300.0)));
    assert_eq!(policy.route.max_stream_duration, None);
    assert_eq!(policy.route.retry, None);
    assert_eq!(policy.outlier, None);
    assert_eq!(policy.upstream.connect_timeout, Nanos::from_secs(5.0));
    assert_eq!(policy.upstream.idle_timeout, Some(Nanos::from_secs(3600.0)));
    assert_eq!(policy.upstream.max_concurrent_streams, 1024);
    assert!(policy.upstream.multiplexes);
    assert_eq!(policy.balancing, Balancing::RoundRobin);
    assert!((policy.healthy_panic_threshold - 50.0).abs() < f64::EPSILON);
    assert_eq!(policy.update_merge_window, Nanos::SECOND);
}

#[test]
fn defaults_follow_protocol_and_release() {
    let http1 = analysis("worked-example", |_| {});
    assert!(!Policy::envoy_defaults(&http1.scenario).upstream.multiplexes);
    let old = analysis("sidecar-mesh", |s| s.envoy_version = EnvoyVersion::minor(35));
    assert_eq!(Policy::envoy_defaults(&old.scenario).upstream.max_concurrent_streams, 2_147_483_647);
}

#[test]
fn the_recommendation_is_played_as_the_analysis_has_it() {
    let analysis = analysis("sidecar-mesh", |s| {
        s.idempotent = true;
        s.high_priority_share.0 = 0.2;
    });
    let policy = Policy::recommended(&analysis);
    for (limits, entry) in policy.limits.iter().zip(&analysis.thresholds) {
        assert_eq!(limits.max_requests, entry.max_requests);
        assert_eq!(limits.max_connections, entry.max_connections);
        assert_eq!(limits.max_pending_requests, entry.max_pending_requests);
        let RetryLimit::Budget(budget) = limits.retry_limit else { panic!("a budget is recommended") };
        assert!((budget.budget_percent - 20.0).abs() < 1e-9);
        assert_eq!(budget.min_retry_concurrency, entry.retry_budget.min_retry_concurrency);
    }
    assert_eq!(analysis.thresholds.len(), 2);
    // Envoy counts in whole milliseconds.
    let whole = |ms: Millis| Nanos::of(Millis((ms.0 + 1e-6).floor()));
    assert_eq!(policy.route.timeout, Some(whole(analysis.timeouts.route_ms)));
    let retry = policy.route.retry.expect("an idempotent service is retried");
    assert_eq!(retry.per_try_timeout, analysis.timeouts.per_try_ms.map(whole));
    assert_eq!(retry.num_retries, analysis.retry.num_retries);
    assert!(retry.retry_on.reset && retry.retry_on.connect_failure && !retry.retry_on.server_error_5xx);
    assert!(retry.previous_hosts);
    let (outlier, detection) = (policy.outlier.unwrap(), analysis.outlier.unwrap());
    assert_eq!(outlier.max_ejection_percent, detection.max_ejection_percent);
    assert_eq!(outlier.consecutive_gateway_failure, detection.consecutive_gateway_failure);
    assert_eq!(outlier.enforcing_consecutive_5xx, detection.enforcing_consecutive_5xx);
    assert_eq!(outlier.max_ejection_time, Nanos::from_secs(300.0));
}

#[test]
fn a_service_that_must_not_be_retried_keeps_the_limit_of_one_route() {
    let policy = Policy::recommended(&mesh());
    let high = &policy.limits[1];
    // Without traffic of priority HIGH its entry is left out, so Envoy's defaults hold.
    assert_eq!((high.max_requests, high.retry_limit), (1024, RetryLimit::MaxRetries(3)));
}

#[test]
fn grpc_has_a_duration_in_place_of_the_route_timeout() {
    let analysis = analysis("sidecar-mesh", |s| {
        s.protocol = Protocol::Grpc;
        s.deadline_ms = Some(Millis(2000.0));
    });
    let policy = Policy::recommended(&analysis);
    assert_eq!(policy.route.timeout, None);
    // 2 s less 5%: callers tell 2 s, and the header counts up to that.
    assert_eq!(policy.route.max_stream_duration, Some(Nanos::from_secs(1.9)));
}
