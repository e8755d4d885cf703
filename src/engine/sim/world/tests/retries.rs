//! F49 to F58.

use super::*;
use crate::engine::sim::{FaultKind, Hosts};

fn failing() -> Experiment {
    let mut e = base();
    e.hosts.error_rate = 1.0;
    e.hosts.service = Service::Constant(ms(10));
    e.policy.limits[0].retry_limit = RetryLimit::MaxRetries(100);
    e
}

#[test]
fn f49_attempts_are_one_more_than_retries() {
    for n in [0, 1, 3] {
        let mut e = failing();
        e.policy.route.retry = Some(retry(&["5xx"], n));
        let fed = parallel(e, 1);
        let names = ["upstream_rq_total", "upstream_rq_retry", "upstream_rq_retry_limit_exceeded"];
        let n = u64::from(n);
        assert_eq!(names.map(|name| fed.counter(name)), [n + 1, n, 1]);
        // F56: only the last answer is final.
        let names = ["upstream_rq_503", "retry.upstream_rq_503", "upstream_rq_retry_success"];
        assert_eq!(names.map(|name| fed.counter(name)), [1, n, 0]);
    }
}

#[test]
fn f51_words() {
    for (words, attempts) in [
        ("5xx", 2),
        ("gateway-error", 2),
        ("reset", 1),
        ("connect-failure", 1),
        ("retriable-status-codes", 2),
        ("unavailable", 1),
        ("refused-stream", 1),
    ] {
        let mut e = failing();
        e.policy.route.retry = Some(Retry { retriable_status_codes: vec![503], ..retry(&[words], 1) });
        assert_eq!(parallel(e, 1).counter("upstream_rq_total"), attempts, "{words}");
    }
    for (words, attempts) in [("5xx", 1), ("unavailable", 2), ("deadline-exceeded", 1)] {
        let mut e = failing();
        e.hosts.fails_as_grpc = true;
        e.policy.route.retry = Some(retry(&[words], 1));
        let fed = parallel(e, 1);
        assert_eq!(
            (fed.counter("upstream_rq_total"), fed.ended(End::UpstreamError)),
            (attempts, 1),
            "{words}"
        );
        assert_eq!(fed.counter("upstream_rq_200"), 1);
    }
}

#[test]
fn f51_words_on_refused_connects() {
    for (words, attempts) in
        [("connect-failure", 2), ("reset", 2), ("5xx", 2), ("reset-before-request", 2), ("refused-stream", 1)]
    {
        let mut e = base();
        (e.hosts.connect, e.policy.upstream.connect_timeout) = (ms(20), ms(10));
        e.policy.route.retry = Some(retry(&[words], 1));
        assert_eq!(parallel(e, 1).counter("upstream_cx_total"), attempts, "{words}");
    }
}

#[test]
fn f50_a_retry_that_a_limit_refuses_loses_the_first_answer() {
    let mut e = failing();
    e.faults = vec![];
    e.policy.limits[0].max_requests = 1;
    e.policy.route.retry =
        Some(Retry { base_interval: ms(1_000), max_interval: ms(1_000), ..retry(&["5xx"], 1) });
    e.hosts.service = Service::Constant(ms(10));
    let mut fed = Fed::new(e);
    // Fails at 11 ms, waits; what comes then holds the only place most of the time.
    fed.ask(0, 1);
    for n in 1..150 {
        fed.ask(n * 10 * MS + 2 * MS, 1);
    }
    fed.finish();
    let names = ["upstream_rq_retry", "upstream_rq_active_overflow"];
    assert!(names.iter().all(|name| fed.counter(name) > 0));
    // Own refusals are never retried.
    assert_eq!(fed.ended(End::RefusedActive) as u64, fed.counter("upstream_rq_active_overflow"));
}

#[test]
fn f53_own_refusals_are_never_retried() {
    let mut e = base();
    e.policy.limits[0].max_requests = 1;
    e.policy.route.retry = Some(Retry {
        retriable_status_codes: vec![503],
        ..retry(
            &["5xx", "gateway-error", "reset", "connect-failure", "retriable-status-codes", "refused-stream"],
            3,
        )
    });
    let fed = parallel(e, 5);
    assert_eq!((fed.ended(End::Served), fed.ended(End::RefusedActive)), (1, 4));
    assert_eq!((fed.counter("upstream_rq_retry"), fed.counter("upstream_rq_total")), (0, 1));
}

#[test]
fn f30_retries_go_to_hosts_not_tried_yet() {
    let mut e = base();
    e.hosts.count = 2;
    e.hosts.service = Service::Constant(ms(10));
    e.faults = vec![FaultKind::Host5xx.fault(Nanos::ZERO, Nanos(LATE), 2, 1)];
    e.policy.route.retry = Some(Retry { previous_hosts: true, base_interval: ms(1), ..retry(&["5xx"], 1) });
    let mut fed = Fed::new(e);
    for n in 0..12 {
        fed.ask(n * 100 * MS, 1);
    }
    fed.finish();
    assert_eq!(fed.ended(End::Served), 12);
    let sent = fed.sent();
    let retries = sent.windows(2).filter(|two| two[1].1 - two[0].1 < 80).count();
    assert!(retries >= 6, "{sent:?}");
    assert_eq!(fed.counter("upstream_rq_retry_success"), fed.counter("upstream_rq_retry"));
    // One host gets all attempts all the same.
    let mut e = failing();
    e.policy.route.retry = Some(Retry { previous_hosts: true, ..retry(&["5xx"], 2) });
    assert_eq!(parallel(e, 1).counter("upstream_rq_total"), 3);
}

#[test]
fn f18_a_slot_is_free_at_the_headers_of_the_retry() {
    let mut e = base();
    e.hosts.response = ResponseShape::HeadersFirst;
    e.hosts.service = Service::Constant(ms(800));
    let mut fault = FaultKind::Host5xx.fault(Nanos::ZERO, ms(100), 1, 1);
    fault.hosts = Hosts::Count(1);
    e.faults = vec![fault];
    e.policy.route.retry = Some(retry(&["5xx"], 1));
    let mut fed = Fed::new(e);
    fed.ask(0, 3).run_to(1_000 * MS);
    // Failed at 801, sent again by 826: bodies stream now, and no slot is taken.
    assert_eq!(
        (fed.world.clients[0].levels[0].active, fed.world.clients[0].levels[0].retries.outstanding()),
        (3, 0)
    );
    fed.finish();
    assert_eq!(fed.ended(End::Served), 3);
}

#[test]
fn f58_hedging() {
    for multiplexes in [true, false] {
        let mut e = base();
        e.policy.upstream.multiplexes = multiplexes;
        e.hosts.connect = Nanos::ZERO;
        e.hosts.service = Service::Constant(ms(500));
        e.policy.route.hedge_on_per_try_timeout = true;
        e.policy.route.retry = Some(Retry { per_try_timeout: Some(ms(200)), ..retry(&["5xx"], 2) });
        e.policy.outlier = Some(Outlier { consecutive_5xx: 2, ..outlier() });
        let fed = parallel(e, 1);
        let times: Vec<u64> = fed.sent().into_iter().map(|(_, at)| at).collect();
        assert_eq!(times.len(), 3);
        assert!(times[0] == 0 && (200..225).contains(&times[1]), "{times:?}");
        assert!((times[1] + 200..times[1] + 250).contains(&times[2]), "{times:?}");
        assert_eq!(fed.times(End::Served), [500]);
        let names =
            ["upstream_rq_per_try_timeout", "upstream_rq_retry", "upstream_rq_200", "upstream_rq_tx_reset"];
        assert_eq!(names.map(|name| fed.counter(name)), [0, 2, 1, if multiplexes { 2 } else { 0 }]);
        // Each soft timeout is charged to the host.
        assert_eq!(fed.counter("outlier_detection.ejections_detected_consecutive_5xx"), 1);
        assert_eq!((fed.world.attempts.live(), fed.world.requests.live()), (0, 0));
    }
}

#[test]
fn f58_a_bad_answer_waits_for_the_hedge() {
    let mut e = base();
    e.hosts.connect = Nanos::ZERO;
    e.hosts.service = Service::Constant(ms(300));
    // Only what begins in the first 100 ms fails.
    e.faults = vec![FaultKind::Host5xx.fault(Nanos::ZERO, ms(100), 1, 1)];
    e.policy.route.hedge_on_per_try_timeout = true;
    e.policy.route.retry = Some(Retry { per_try_timeout: Some(ms(200)), ..retry(&["5xx"], 1) });
    let fed = parallel(e, 1);
    let at = fed.times(End::Served);
    assert!(at.len() == 1 && (500..525).contains(&at[0]), "{at:?}");
}
