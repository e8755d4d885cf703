//! F31 to F45.

use super::*;
use crate::engine::sim::{Fault, FaultKind, Hosts};

#[test]
fn f31_the_route_timeout_includes_the_queue() {
    let mut e = base();
    e.policy.limits[0].max_connections = 1;
    e.policy.route.timeout = Some(ms(600));
    let fed = parallel(e, 3);
    assert_eq!((fed.times(End::Served), fed.times(End::TimedOut)), (vec![401], vec![600, 600]));
    assert_eq!((fed.counter("upstream_rq_timeout"), fed.counter("upstream_rq_504")), (2, 2));
}

#[test]
fn f41_the_per_try_clock_starts_with_the_connection() {
    let mut e = base();
    e.hosts.service = Service::Constant(ms(250));
    e.policy.limits[0].max_connections = 1;
    e.policy.route.retry = Some(Retry { per_try_timeout: Some(ms(300)), ..retry(&[], 0) });
    assert_eq!(parallel(e.clone(), 2).times(End::Served), [251, 501]);
    e.hosts.connect = ms(10_000);
    e.policy.upstream.connect_timeout = ms(600);
    assert_eq!(parallel(e, 1).times(End::ConnectFailed), [600]);
}

#[test]
fn f42_a_per_try_timeout_needs_no_retry_on() {
    let mut e = base();
    e.policy.route.retry = Some(Retry { per_try_timeout: Some(ms(300)), ..retry(&[], 1) });
    let fed = parallel(e, 1);
    assert_eq!(fed.times(End::PerTryTimedOut), [301]);
    assert_eq!((fed.counter("upstream_rq_per_try_timeout"), fed.counter("upstream_rq_total")), (1, 1));
}

#[test]
fn f52_per_try_timeouts_are_retried_under_three_words_only() {
    for (words, attempts) in [
        ("5xx", 2),
        ("gateway-error", 2),
        ("reset", 2),
        ("connect-failure", 1),
        ("retriable-status-codes", 1),
        ("reset-before-request", 1),
        ("refused-stream", 1),
    ] {
        let mut e = base();
        e.policy.route.retry = Some(Retry {
            per_try_timeout: Some(ms(100)),
            retriable_status_codes: vec![504],
            ..retry(&[words], 1)
        });
        assert_eq!(parallel(e, 1).counter("upstream_rq_total"), attempts, "{words}");
    }
}

#[test]
fn f44_a_route_timeout_in_a_back_off_moves_no_counter() {
    let mut e = base();
    e.hosts.error_rate = 1.0;
    e.hosts.service = Service::Constant(ms(10));
    e.policy.route.timeout = Some(ms(100));
    e.policy.route.retry =
        Some(Retry { base_interval: ms(100_000), max_interval: ms(100_000), ..retry(&["5xx"], 3) });
    let fed = parallel(e, 1);
    assert_eq!(fed.times(End::TimedOut), [100]);
    let names = [
        "upstream_rq_timeout",
        "upstream_rq_504",
        "upstream_rq_5xx",
        "upstream_rq_retry",
        "retry.upstream_rq_503",
    ];
    assert_eq!(names.map(|name| fed.counter(name)), [0, 0, 0, 0, 1]);
    assert_eq!(fed.world.clients[0].levels[0].retries.outstanding(), 0);
}

#[test]
fn f36_the_clusters_duration_is_retriable() {
    let mut e = base();
    e.policy.upstream.max_stream_duration = Some(ms(100));
    assert_eq!(parallel(e.clone(), 1).times(End::TimedOut), [101]);
    e.policy.route.retry = Some(retry(&["reset"], 2));
    let fed = parallel(e, 1);
    assert_eq!((fed.counter("upstream_rq_total"), fed.counter("upstream_rq_max_duration_reached")), (3, 3));
}

#[test]
fn f34_f35_streams_of_callers_end_without_a_word_about_the_host() {
    for (idle, duration, at) in [(Some(ms(100)), None, 100), (None, Some(ms(150)), 150)] {
        let mut e = base();
        (e.policy.route.idle_timeout, e.policy.route.max_stream_duration) = (idle, duration);
        e.policy.outlier = Some(Outlier { consecutive_5xx: 1, ..outlier() });
        let fed = parallel(e, 1);
        assert_eq!(fed.times(End::TimedOut), [at]);
        assert_eq!(fed.counter("outlier_detection.ejections_enforced_total"), 0);
        assert_eq!(fed.counter("upstream_rq_504"), 0);
    }
}

#[test]
fn streams_are_not_cut_by_the_clocks_of_headers() {
    let mut e = base();
    e.hosts.response = ResponseShape::HeadersFirst;
    e.policy.route.idle_timeout = Some(ms(100));
    e.policy.route.retry = Some(Retry { per_try_timeout: Some(ms(100)), ..retry(&["5xx"], 1) });
    assert_eq!(parallel(e.clone(), 1).times(End::Served), [401]);
    // The route timeout cuts the body; the status was 200.
    e.policy.route.timeout = Some(ms(200));
    let fed = parallel(e, 1);
    assert_eq!(fed.times(End::TimedOut), [200]);
    assert_eq!((fed.counter("upstream_rq_200"), fed.counter("upstream_rq_504")), (1, 0));
}

#[test]
fn a_caller_who_leaves_resets_the_stream_and_blames_nobody() {
    let mut e = base();
    e.load.caller.deadline = Some(ms(100));
    e.policy.outlier = Some(Outlier { consecutive_5xx: 1, ..outlier() });
    let fed = parallel(e, 1);
    assert_eq!(fed.times(End::Abandoned), [100]);
    assert_eq!(fed.counter("outlier_detection.ejections_enforced_total"), 0);
    assert_eq!(fed.counter("upstream_cx_destroy_local_with_active_rq"), 1);
}

#[test]
fn who_waits_without_any_clock_is_given_up_at_the_end() {
    let mut e = base();
    e.policy.route.timeout = None;
    let cut_off = FaultKind::Partition.fault(ms(10), ms(1_000), 1, 1);
    e.faults = vec![Fault { hosts: Hosts::Count(1), clients: Hosts::Count(1), ..cut_off }];
    let mut fed = Fed::new(e);
    fed.ask(0, 1).finish();
    assert_eq!(fed.world.log.0.len(), 0);
    while fed.world.step(u64::MAX) {}
    assert!(fed.world.done);
    assert_eq!(fed.ended(End::Abandoned), 1);
}
