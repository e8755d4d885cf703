//! F1 to F19.

use super::*;
use crate::engine::sim::Budget;

#[test]
fn f4_max_requests_has_a_counter_of_its_own_since_1_38() {
    for (minor, active, pending) in [(40, 2, 0), (38, 2, 0), (37, 0, 2)] {
        let mut e = base();
        e.policy.limits[0].max_requests = 1;
        e.fleet.envoy_minor = minor;
        let fed = parallel(e, 3);
        assert_eq!((fed.ended(End::Served), fed.ended(End::RefusedActive)), (1, 2));
        assert_eq!(fed.counter("upstream_rq_active_overflow"), active);
        assert_eq!(fed.counter("upstream_rq_pending_overflow"), pending);
        assert_eq!(fed.counter("upstream_rq_503"), 2);
    }
}

#[test]
fn f2_priorities_have_limits_of_their_own() {
    let mut e = base();
    e.policy.limits[0].max_requests = 1;
    e.policy.limits[1].max_requests = 2;
    e.load.high_priority_share = 1.0;
    assert_eq!(parallel(e, 3).ended(End::RefusedActive), 1);
}

#[test]
fn f6_the_oldest_leaves_the_queue_first() {
    let mut e = base();
    e.policy.limits[0].max_connections = 1;
    let mut fed = Fed::new(e);
    fed.ask(0, 1);
    for n in 1..6 {
        fed.ask(n * MS, 1);
    }
    fed.finish();
    // With a deadline on the third, the order would show; times tell it as well: one after another.
    assert_eq!(fed.times(End::Served), [401, 801, 1201, 1601, 2001, 2401]);
}

#[test]
fn f7_f23_waiting_for_a_connect_is_pending() {
    for multiplexes in [false, true] {
        let mut e = base();
        e.policy.upstream.multiplexes = multiplexes;
        e.hosts.connect = ms(400);
        e.policy.limits[0].max_pending_requests = 3;
        let fed = parallel(e.clone(), 8);
        assert_eq!(fed.ended(End::RefusedPending), 5);
        assert_eq!(fed.counter("upstream_rq_pending_overflow"), 5);
        // Warm HTTP/2 has no use for the queue.
        let mut warm = Fed::new(e);
        warm.ask(0, 1).ask(2_000 * MS, 8).finish();
        assert_eq!(warm.ended(End::Served), if multiplexes { 9 } else { 5 });
    }
}

#[test]
fn f8_a_pool_opens_its_first_connection_whatever_the_limit_says() {
    for (workers, hosts, most) in [(1, 1, 1), (1, 2, 2), (2, 1, 2), (2, 2, 4)] {
        let mut e = base();
        e.policy.limits[0].max_connections = 1;
        e.policy.route.timeout = None;
        (e.fleet.workers, e.hosts.count) = (workers, hosts);
        let fed = parallel(e, 64);
        assert_eq!(fed.counter("upstream_cx_total"), most, "{workers} workers, {hosts} hosts");
        assert_eq!(fed.ended(End::Served), 64);
    }
    let mut e = base();
    e.policy.limits[0].max_connections = 4;
    e.policy.route.timeout = None;
    (e.fleet.workers, e.hosts.count) = (2, 2);
    let n = parallel(e, 64).counter("upstream_cx_total");
    assert!((4..=7).contains(&n), "{n}");
}

#[test]
fn f9_pools_that_are_over_the_limit_look_like_no_hosts() {
    let mut e = base();
    e.policy.limits[0].max_connection_pools = Some(1);
    e.hosts.count = 2;
    let mut fed = Fed::new(e);
    for n in 0..10 {
        fed.ask(n * 1_000 * MS, 1);
    }
    fed.finish();
    assert_eq!((fed.ended(End::Served), fed.ended(End::NoHost)), (5, 5));
    assert_eq!(fed.counter("upstream_cx_pool_overflow"), 5);
}

#[test]
fn f10_zeros() {
    let with = |change: &dyn Fn(&mut Limits)| {
        let mut e = base();
        e.hosts.connect = Nanos::ZERO;
        change(&mut e.policy.limits[0]);
        parallel(e, 3)
    };
    let fed = with(&|l| l.max_connections = 0);
    assert_eq!(fed.times(End::Served), [400, 800, 1200]);
    let fed = with(&|l| l.max_pending_requests = 0);
    assert_eq!((fed.ended(End::RefusedPending), fed.counter("upstream_cx_total")), (3, 0));
    let fed = with(&|l| l.max_requests = 0);
    assert_eq!(fed.ended(End::RefusedActive), 3);
    assert!(fed.counter("upstream_cx_total") > 0);
    let fed = with(&|l| l.max_connection_pools = Some(0));
    assert_eq!(fed.ended(End::NoHost), 3);
    let fed = with(&|l| l.max_connections_per_host = Some(0));
    assert_eq!((fed.ended(End::Served), fed.counter("upstream_cx_total")), (3, 1));
}

#[test]
fn f10_no_retry_with_a_limit_of_zero() {
    let none = Budget { budget_percent: 0.0, min_retry_concurrency: 0, budget_interval: Nanos::ZERO };
    for limit in [RetryLimit::MaxRetries(0), RetryLimit::Budget(none)] {
        let mut e = base();
        e.hosts.error_rate = 1.0;
        e.policy.route.retry = Some(retry(&["5xx"], 1));
        e.policy.limits[0].retry_limit = limit;
        let fed = parallel(e, 1);
        assert_eq!((fed.ended(End::UpstreamError), fed.counter("upstream_rq_retry_overflow")), (1, 1));
        assert_eq!(fed.counter("upstream_rq_total"), 1);
    }
}

#[test]
fn f11_every_try_to_open_counts() {
    let mut e = base();
    e.hosts.connect = Nanos::ZERO;
    e.policy.limits[0].max_connections = 1;
    let mut fed = Fed::new(e.clone());
    fed.ask(0, 1).ask(MS, 29).finish();
    assert_eq!(fed.counter("upstream_cx_overflow"), 57);
    e.policy.limits[0].max_connections = 0;
    let mut fed = Fed::new(e);
    fed.ask(0, 1).ask(MS, 2).finish();
    assert_eq!(fed.counter("upstream_cx_overflow"), 4);
}

#[test]
fn f14_a_limit_for_each_host() {
    let mut e = base();
    e.hosts.count = 2;
    e.policy.limits[0].max_connections_per_host = Some(2);
    let fed = parallel(e, 12);
    assert_eq!(fed.counter("upstream_cx_total"), 4);
    assert!(fed.counter("upstream_cx_overflow") > 0);
}

#[test]
fn f15_f16_budgets() {
    let with = |percent: f64, least: u32, n: u32| {
        let mut e = base();
        e.hosts.error_rate = 1.0;
        e.policy.route.retry =
            Some(Retry { base_interval: ms(5_000), max_interval: ms(50_000), ..retry(&["5xx"], 1) });
        e.policy.limits[0].retry_limit = RetryLimit::Budget(Budget {
            budget_percent: percent,
            min_retry_concurrency: least,
            budget_interval: Nanos::ZERO,
        });
        parallel(e, n).counter("upstream_rq_retry")
    };
    // An empty block; half of three; a lone request.
    assert_eq!(with(20.0, 3, 5), 3);
    assert_eq!(with(50.0, 0, 3), 1);
    assert_eq!(with(100.0, 0, 1), 1);
}

#[test]
fn f16_a_lone_reset_or_connect_failure_is_retried_too() {
    let all = Budget { budget_percent: 100.0, min_retry_concurrency: 0, budget_interval: Nanos::ZERO };
    let mut e = base();
    e.policy.route.retry = Some(retry(&["5xx"], 1));
    e.policy.limits[0].retry_limit = RetryLimit::Budget(all);
    e.policy.upstream.connect_timeout = ms(10);
    e.hosts.connect = ms(20);
    let fed = parallel(e, 1);
    assert_eq!((fed.counter("upstream_rq_retry"), fed.ended(End::ConnectFailed)), (1, 1));
}
