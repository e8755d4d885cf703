//! F61 to F73.

use super::*;
use crate::engine::sim::{FaultKind, Hosts};

fn bad_hosts(n_bad: u32, hosts: u32) -> Experiment {
    let mut e = base();
    e.hosts.count = hosts;
    e.hosts.service = Service::Constant(ms(5));
    let mut fault = FaultKind::Host5xx.fault(Nanos::ZERO, Nanos(LATE), hosts, 1);
    fault.hosts = Hosts::Count(n_bad);
    e.faults = vec![fault];
    e.policy.outlier = Some(outlier());
    e
}

fn every(e: Experiment, gap: u64, n: u64) -> Fed {
    let mut fed = Fed::new(e);
    for nth in 0..n {
        fed.ask(nth * gap * MS, 1);
    }
    let end = fed.world.now + 100 * MS;
    fed.run_to(end);
    fed
}

#[test]
fn f62_f65_one_of_ten_goes_after_five_failures_and_one_of_nine_never() {
    for (hosts, errors, ejected) in [(10, 5, 1), (9, 22, 0)] {
        let mut e = bad_hosts(1, hosts);
        e.policy.outlier = Some(Outlier { max_ejection_percent: 10, ..outlier() });
        let n = u64::from(hosts) * 22;
        let fed = every(e, 20, n);
        assert_eq!(fed.ended(End::UpstreamError), errors, "{hosts} hosts");
        assert_eq!(fed.counter("outlier_detection.ejections_active"), ejected);
    }
}

#[test]
fn f64_workers_learn_later() {
    for (window, low, high) in [(1_000, 30, 36), (0, 3, 3)] {
        let mut e = bad_hosts(3, 4);
        e.policy.healthy_panic_threshold = 0.0;
        e.policy.update_merge_window = ms(window);
        e.policy.outlier = Some(Outlier { consecutive_5xx: 1, ..outlier() });
        let errors = every(e, 20, 200).ended(End::UpstreamError);
        assert!((low..=high).contains(&errors), "{errors} errors with a window of {window} ms");
    }
}

#[test]
fn f67_what_is_charged_to_hosts() {
    // Own refusals: nine of them, and nobody goes.
    let mut e = base();
    e.policy.limits[0].max_requests = 1;
    e.policy.outlier = Some(Outlier { consecutive_5xx: 1, ..outlier() });
    let fed = parallel(e, 10);
    assert_eq!(
        (fed.ended(End::RefusedActive), fed.counter("outlier_detection.ejections_detected_consecutive_5xx")),
        (9, 0)
    );
    // Six timeouts in a row, threshold 3: two detections, of both kinds.
    let mut e = base();
    e.policy.route.timeout = Some(ms(100));
    e.policy.outlier = Some(Outlier {
        consecutive_5xx: 3,
        consecutive_gateway_failure: 3,
        enforcing_consecutive_5xx: 0,
        ..outlier()
    });
    let fed = every(e, 1_000, 6);
    assert_eq!(fed.counter("outlier_detection.ejections_detected_consecutive_5xx"), 2);
    assert_eq!(fed.counter("outlier_detection.ejections_detected_consecutive_gateway_failure"), 2);
}

#[test]
fn f68_split_origins_do_not_see_timeouts_one_after_another() {
    let split = |enforce: u32| Outlier {
        consecutive_local_origin_failure: 3,
        enforcing_consecutive_local_origin_failure: enforce,
        split_external_local_origin_errors: true,
        ..outlier()
    };
    let name = "outlier_detection.ejections_detected_consecutive_local_origin_failure";
    let mut e = base();
    e.policy.route.timeout = Some(ms(100));
    e.policy.outlier = Some(split(0));
    assert_eq!(every(e.clone(), 1_000, 6).counter(name), 0);
    assert_eq!(parallel(e.clone(), 6).counter(name), 2);
    e.hosts.connect = ms(50);
    e.policy.upstream.connect_timeout = ms(20);
    assert_eq!(every(e, 1_000, 6).counter(name), 2);
}

#[test]
fn f72_idle_connections_close_and_busy_ones_finish() {
    let mut e = base();
    e.hosts.count = 2;
    e.hosts.service = Service::Constant(ms(1_000));
    // Host 0 fails what begins in the first 10 ms only.
    let mut fault = FaultKind::Host5xx.fault(Nanos::ZERO, ms(10), 2, 1);
    fault.hosts = Hosts::Count(1);
    e.faults = vec![fault];
    e.policy.outlier = Some(Outlier { consecutive_5xx: 2, ..outlier() });
    let mut fed = Fed::new(e);
    fed.ask(0, 4).ask(500 * MS, 4);
    fed.run_to(1_200 * MS);
    assert_eq!(fed.counter("outlier_detection.ejections_active"), 1);
    // Two each from 0 and from 500: host 0 has lost the two idle ones.
    assert_eq!(fed.counter("upstream_cx_active"), 6);
    fed.run_to(1_600 * MS);
    assert_eq!((fed.counter("upstream_cx_active"), fed.ended(End::Served)), (4, 6));
    assert_eq!(fed.ended(End::UpstreamError), 2);
}

#[test]
fn f73_panic() {
    for (bad, threshold, panics) in [(2, 50.0, false), (3, 50.0, true), (3, 25.0, false)] {
        let mut e = bad_hosts(bad, 4);
        e.policy.update_merge_window = Nanos::ZERO;
        e.policy.healthy_panic_threshold = threshold;
        e.policy.outlier = Some(Outlier { consecutive_5xx: 1, ..outlier() });
        let mut fed = every(e, 20, 40);
        assert_eq!(fed.counter("lb_healthy_panic") > 0, panics, "{bad} bad, {threshold} %");
        let before = fed.sent().len();
        let now = fed.world.now;
        fed.ask(now, 40).run_to(now + 100 * MS);
        let last = fed.sent().split_off(before);
        let to_bad = last.iter().filter(|(host, _)| *host < bad).count();
        assert_eq!(to_bad, if panics { 30 } else { 0 });
    }
}

#[test]
fn f73_nobody_to_pick() {
    for (threshold, fail) in [(0.0, false), (50.0, true)] {
        let mut e = bad_hosts(1, 1);
        e.policy.healthy_panic_threshold = threshold;
        e.policy.fail_traffic_on_panic = fail;
        e.policy.outlier = Some(Outlier { consecutive_5xx: 1, ..outlier() });
        e.policy.route.retry =
            Some(Retry { base_interval: ms(10), max_interval: ms(10), ..retry(&["5xx"], 3) });
        // Also on a later attempt: no host, and no further retry.
        let fed = every(e, 100, 3);
        assert_eq!((fed.ended(End::NoHost), fed.counter("upstream_rq_total")), (3, 1));
    }
    let mut e = bad_hosts(1, 1);
    e.policy.outlier = Some(Outlier { consecutive_5xx: 1, ..outlier() });
    assert_eq!(every(e, 100, 3).ended(End::UpstreamError), 3);
}
