//! F20 to F29, F40, F46.

use super::*;

#[test]
fn f20_a_request_stays_with_its_host() {
    let mut e = base();
    e.hosts.count = 2;
    e.hosts.connect = Nanos::ZERO;
    e.hosts.service = Service::Constant(ms(200));
    e.policy.limits[0].max_connections = 3;
    let fed = parallel(e, 12);
    assert_eq!(fed.counter("upstream_cx_total"), 3);
    let times = fed.times(End::Served);
    // 2 connections: 6 requests in 0.6 s; 1 connection: 1.2 s.
    assert_eq!(times.iter().filter(|&&at| at <= 600).count(), 9);
    assert_eq!(times.last(), Some(&1200));
}

#[test]
fn f20_priorities_do_not_share_connections() {
    let mut e = base();
    e.load.high_priority_share = 0.5;
    let mut fed = Fed::new(e);
    for n in 0..20 {
        fed.ask(n * 1_000 * MS, 1);
    }
    fed.finish();
    assert_eq!(fed.counter("upstream_cx_total"), 2);
}

#[test]
fn f21_surplus_connections_stay_open() {
    let mut e = base();
    e.policy.limits[0].max_requests = 5;
    let fed = parallel(e, 40);
    assert_eq!((fed.ended(End::Served), fed.ended(End::RefusedActive)), (5, 35));
    assert_eq!(fed.counter("upstream_cx_active"), 40);
}

#[test]
fn f21_the_last_freed_connection_is_used_next() {
    let mut e = base();
    e.policy.upstream.idle_timeout = Some(ms(1_000));
    let mut fed = Fed::new(e);
    fed.ask(0, 10);
    // One at a time always gets the same connection, so the other nine run into the idle timeout.
    for n in 1..8 {
        fed.ask(n * 500 * MS, 1);
    }
    assert_eq!(fed.counter("upstream_cx_idle_timeout"), 9);
    fed.finish();
    assert_eq!((fed.counter("upstream_cx_total"), fed.counter("upstream_cx_active")), (10, 0));
}

#[test]
fn f22_streams() {
    let mut e = base();
    e.policy.upstream.multiplexes = true;
    assert_eq!(parallel(e.clone(), 20).counter("upstream_cx_total"), 1);
    e.policy.upstream.max_concurrent_streams = 2;
    assert_eq!(parallel(e.clone(), 5).counter("upstream_cx_total"), 3);
    e.policy.limits[0].max_connections = 1;
    let fed = parallel(e, 5);
    assert_eq!(fed.counter("upstream_cx_total"), 1);
    assert_eq!(fed.times(End::Served), [401, 401, 801, 801, 1201]);
}

#[test]
fn f24_the_settings_trap() {
    let mut e = base();
    e.policy.upstream.multiplexes = true;
    e.hosts.peer_max_concurrent_streams = Some(3);
    let mut fed = Fed::new(e.clone());
    fed.ask(0, 10).run_to(300 * MS);
    assert_eq!((fed.ended(End::Reset), fed.counter("upstream_cx_total")), (7, 1));
    // Later bursts open more connections, which have the same trap.
    fed.ask(1_000 * MS, 10).finish();
    assert!(fed.counter("upstream_cx_total") > 1);
    for (words, served) in [("refused-stream", 10), ("connect-failure", 3)] {
        let mut e = e.clone();
        e.policy.route.retry = Some(retry(&[words], 10));
        e.policy.limits[0].retry_limit = RetryLimit::MaxRetries(100);
        assert_eq!(parallel(e, 10).ended(End::Served), served, "{words}");
    }
}

#[test]
fn f25_connections_end_after_so_many_requests() {
    let mut e = base();
    e.policy.upstream.max_requests_per_connection = Some(2);
    let mut fed = Fed::new(e);
    for n in 0..5 {
        fed.ask(n * 1_000 * MS, 1);
    }
    fed.finish();
    assert_eq!((fed.counter("upstream_cx_total"), fed.counter("upstream_cx_max_requests")), (3, 2));
    assert_eq!(fed.ended(End::Served), 5);
}

#[test]
fn f26_a_slow_handshake_ends_at_the_connect_timeout() {
    let mut e = base();
    e.hosts.connect = ms(400);
    e.policy.upstream.connect_timeout = ms(200);
    let fed = parallel(e, 1);
    assert_eq!(fed.times(End::ConnectFailed), [200]);
    assert_eq!((fed.counter("upstream_cx_connect_timeout"), fed.counter("upstream_cx_connect_fail")), (1, 1));
}

#[test]
fn f27_one_failed_connect_fails_the_queue() {
    let mut e = base();
    e.hosts.connect = ms(10_000);
    e.policy.upstream.connect_timeout = ms(600);
    let mut fed = Fed::new(e);
    fed.ask(0, 1).ask(400 * MS, 1).finish();
    assert_eq!(fed.times(End::ConnectFailed), [600, 600]);
    assert_eq!(fed.counter("upstream_rq_pending_failure_eject"), 2);
}

#[test]
fn f28_preconnect() {
    for (n, conns) in [(1, 2), (4, 8)] {
        let mut e = base();
        e.policy.upstream.preconnect_ratio = 2.0;
        assert_eq!(parallel(e, n).counter("upstream_cx_total"), conns);
    }
}

#[test]
fn f29_a_timeout_costs_an_http1_connection_and_an_http2_stream() {
    for multiplexes in [false, true] {
        let mut e = base();
        e.policy.upstream.multiplexes = multiplexes;
        e.policy.route.timeout = Some(ms(100));
        let mut fed = Fed::new(e);
        fed.ask(0, 1).ask(1_000 * MS, 1).finish();
        let counters =
            ["upstream_cx_total", "upstream_cx_destroy_local_with_active_rq", "upstream_rq_tx_reset"];
        let expected = if multiplexes { [1, 0, 2] } else { [2, 2, 0] };
        assert_eq!(counters.map(|name| fed.counter(name)), expected);
        assert_eq!(fed.times(End::TimedOut), [100, 1_100]);
    }
}

#[test]
fn f46_a_request_can_hit_a_connection_that_the_server_has_closed() {
    let mut e = base();
    e.hosts.connect = ms(20);
    e.hosts.keepalive = Some(ms(1_000));
    let with = |e: &Experiment, at: u64| {
        let mut fed = Fed::new(e.clone());
        fed.ask(0, 1).ask(at * MS, 1).finish();
        (fed.ended(End::Served), fed.ended(End::Reset), fed.counter("upstream_cx_total"))
    };
    // Idle from 420 on, closed at 1420, known at 1430.
    assert_eq!(with(&e, 1_415), (2, 0, 1));
    assert_eq!(with(&e, 1_425), (1, 1, 1));
    assert_eq!(with(&e, 1_435), (2, 0, 2));
    for (words, served) in
        [("reset", 2), ("5xx", 2), ("gateway-error", 2), ("connect-failure", 1), ("reset-before-request", 1)]
    {
        let mut e = e.clone();
        e.policy.route.retry = Some(retry(&[words], 1));
        assert_eq!(with(&e, 1_425).0, served, "{words}");
    }
    // The cure: an idle timeout below the server's.
    e.policy.upstream.idle_timeout = Some(ms(900));
    assert_eq!(with(&e, 1_425), (2, 0, 2));
}
