//! Outlier detection against what was measured on Envoy 1.40.

use super::{Detector, Outcome};
use crate::engine::sim::{Nanos, Outlier, testing};

fn at(ms: u64) -> Nanos {
    Nanos(ms * Nanos::MILLI.0)
}

fn detector(config: &Outlier, n_hosts: u32) -> Detector {
    Detector::new(config, n_hosts, 1, 0)
}

fn count(detector: &Detector, name: &str) -> u64 {
    let name = format!("outlier_detection.{name}");
    detector.counters().find(|&(n, _)| n == name).unwrap_or_else(|| panic!("{name} is no counter")).1
}

fn repeat(detector: &mut Detector, host: u32, outcome: Outcome, n: u32) {
    for _ in 0..n {
        detector.report(at(1), host, outcome);
    }
}

/// Plays ticks up to `to` and tells when `host` came back.
fn returned(detector: &mut Detector, host: u32, to: Nanos) -> Option<Nanos> {
    while detector.next_tick() <= to {
        let now = detector.next_tick();
        detector.tick(now);
        if detector.drain_changes().any(|change| change == (host, false)) {
            return Some(now);
        }
    }
    None
}

#[test]
fn the_cap_allows_no_rounding() {
    for (n_hosts, max_ejection_percent, want) in
        [(10, 10, 1), (9, 10, 0), (2, 50, 1), (2, 49, 0), (1, 100, 1), (3, 100, 3), (20, 10, 2)]
    {
        let config = Outlier { consecutive_5xx: 1, max_ejection_percent, ..testing::outlier() };
        let mut detector = detector(&config, n_hosts);
        for host in 0..n_hosts {
            repeat(&mut detector, host, Outcome::Status(503), 1);
        }
        assert_eq!(detector.n_ejected(), want, "{n_hosts} hosts at {max_ejection_percent} %");
        assert_eq!(count(&detector, "ejections_active"), u64::from(want));
        assert_eq!(count(&detector, "ejections_enforced_total"), u64::from(want));
        assert_eq!(count(&detector, "ejections_overflow"), u64::from(n_hosts - want));
        let ejected: Vec<_> = detector.drain_changes().collect();
        assert_eq!(ejected, (0..want).map(|host| (host, true)).collect::<Vec<_>>());
    }
}

#[test]
fn always_eject_one_host_is_for_the_first_only() {
    let config = Outlier {
        consecutive_5xx: 1,
        max_ejection_percent: 0,
        always_eject_one_host: true,
        ..testing::outlier()
    };
    let mut detector = detector(&config, 4);
    for host in 0..3 {
        repeat(&mut detector, host, Outcome::Status(500), 1);
    }
    assert_eq!((detector.n_ejected(), count(&detector, "ejections_overflow")), (1, 2));
}

#[test]
fn an_empty_block_ejects_after_five_of_ten_hosts_and_never_of_nine() {
    for (n_hosts, want) in [(10, 1), (9, 0)] {
        let mut detector = detector(&testing::outlier(), n_hosts);
        repeat(&mut detector, 3, Outcome::Status(500), 4);
        assert_eq!(detector.n_ejected(), 0);
        repeat(&mut detector, 3, Outcome::Status(500), 1);
        assert_eq!(detector.n_ejected(), want);
        assert_eq!(count(&detector, "ejections_detected_consecutive_5xx"), 1);
    }
}

#[test]
fn a_run_restarts_after_each_detection() {
    // Six errors with a threshold of 3 are two detections; enforcing 0 ejects nothing, and the cap
    // is tested before.
    for (max_ejection_percent, overflow, total) in [(100, 0, 2), (0, 2, 0)] {
        let config = Outlier {
            consecutive_5xx: 3,
            enforcing_consecutive_5xx: 0,
            max_ejection_percent,
            ..testing::outlier()
        };
        let mut detector = detector(&config, 10);
        repeat(&mut detector, 0, Outcome::Status(500), 6);
        assert_eq!(count(&detector, "ejections_detected_consecutive_5xx"), 2);
        assert_eq!(count(&detector, "ejections_enforced_consecutive_5xx"), 0);
        assert_eq!(count(&detector, "ejections_overflow"), overflow);
        assert_eq!(count(&detector, "ejections_total"), total);
        assert_eq!(detector.n_ejected(), 0);
    }
}

#[test]
fn the_gateway_kind_counts_overflow_though_it_is_not_enforced() {
    // A run of five 503 is both kinds, and nine hosts never lose one.
    let mut detector = detector(&testing::outlier(), 9);
    repeat(&mut detector, 0, Outcome::Status(503), 5);
    assert_eq!(count(&detector, "ejections_overflow"), 2);
}

#[test]
fn outcomes_count_as_measured() {
    // Thresholds of 3, six in a row: detections of the 5xx and of the gateway kind.
    let cases = [
        (Outcome::Status(500), 2, 0),
        (Outcome::Status(503), 2, 2),
        (Outcome::Status(404), 0, 0),
        (Outcome::LocalTimeout, 2, 2),
        (Outcome::ConnectFailed, 2, 2),
        (Outcome::LocalReset, 2, 2),
        (Outcome::grpc(14), 2, 2),
        (Outcome::grpc(4), 2, 2),
        (Outcome::grpc(13), 2, 0),
        (Outcome::grpc(5), 0, 0),
        (Outcome::Success, 0, 0),
        (Outcome::ConnectSucceeded, 0, 0),
    ];
    for (outcome, server, gateway) in cases {
        let config = Outlier {
            consecutive_5xx: 3,
            consecutive_gateway_failure: 3,
            enforcing_consecutive_5xx: 0,
            ..testing::outlier()
        };
        let mut detector = detector(&config, 10);
        for _ in 0..6 {
            detector.report(at(1), 0, Outcome::ConnectSucceeded);
            detector.report(at(1), 0, outcome);
        }
        assert_eq!(count(&detector, "ejections_detected_consecutive_5xx"), server, "{outcome:?}");
        assert_eq!(
            count(&detector, "ejections_detected_consecutive_gateway_failure"),
            gateway,
            "{outcome:?}"
        );
        assert_eq!(count(&detector, "ejections_detected_consecutive_local_origin_failure"), 0);
    }
}

#[test]
fn a_500_ends_a_run_of_gateway_errors() {
    let config = Outlier { consecutive_gateway_failure: 2, consecutive_5xx: 9, ..testing::outlier() };
    let mut detector = detector(&config, 10);
    for status in [503, 500, 502, 500, 504] {
        detector.report(at(1), 0, Outcome::Status(status));
    }
    assert_eq!(count(&detector, "ejections_detected_consecutive_gateway_failure"), 0);
    detector.report(at(1), 0, Outcome::Status(504));
    assert_eq!(count(&detector, "ejections_detected_consecutive_gateway_failure"), 1);
}

#[test]
fn a_threshold_of_zero_is_off() {
    let config = Outlier {
        consecutive_5xx: 0,
        consecutive_gateway_failure: 0,
        consecutive_local_origin_failure: 0,
        split_external_local_origin_errors: true,
        ..testing::outlier()
    };
    let mut detector = detector(&config, 10);
    repeat(&mut detector, 0, Outcome::Status(500), 20);
    repeat(&mut detector, 0, Outcome::Status(503), 20);
    repeat(&mut detector, 0, Outcome::ConnectFailed, 20);
    assert!(detector.counters().all(|(_, n)| n == 0));
}

/// Local detections of six attempts with a threshold of 3, origins told apart.
fn local_detections(reports: impl IntoIterator<Item = Outcome>) -> (u64, u64) {
    let config = Outlier {
        consecutive_local_origin_failure: 3,
        enforcing_consecutive_local_origin_failure: 0,
        split_external_local_origin_errors: true,
        ..testing::outlier()
    };
    let mut detector = detector(&config, 10);
    reports.into_iter().for_each(|outcome| detector.report(at(1), 0, outcome));
    (
        count(&detector, "ejections_detected_consecutive_local_origin_failure"),
        count(&detector, "ejections_detected_consecutive_5xx"),
    )
}

#[test]
fn with_split_errors_sequential_timeouts_are_never_seen_and_parallel_ones_are() {
    let sequential = |failure| (0..6).flat_map(move |_| [Outcome::ConnectSucceeded, failure]);
    assert_eq!(local_detections(sequential(Outcome::LocalTimeout)), (0, 0));
    assert_eq!(local_detections(sequential(Outcome::LocalReset)), (0, 0));
    assert_eq!(local_detections([Outcome::ConnectFailed; 6]), (2, 0));
    let parallel = [Outcome::ConnectSucceeded; 6].into_iter().chain([Outcome::LocalTimeout; 6]);
    assert_eq!(local_detections(parallel), (2, 0));
}

#[test]
fn ejection_times_grow_and_end_at_ticks() {
    // base 1 s, max 3 s, interval 0.3 s, failing again at once: measured 1.24, 2.09, 3.00, 3.00 and
    // 3.30 s; each is min(k s, 3 s) up to the next tick.
    let config = Outlier {
        consecutive_5xx: 1,
        interval: at(300),
        base_ejection_time: at(1_000),
        max_ejection_time: at(3_000),
        max_ejection_percent: 100,
        ..testing::outlier()
    };
    let mut detector = detector(&config, 4);
    let mut now = at(10);
    let mut times = Vec::new();
    for _ in 0..5 {
        detector.report(now, 0, Outcome::Status(503));
        assert!(detector.is_ejected(0));
        detector.drain_changes().for_each(drop);
        let back = returned(&mut detector, 0, now.after(at(9_000))).expect("it comes back");
        times.push(back.since(now).0 / Nanos::MILLI.0);
        // Back on the workers and failing again 50 ms later.
        now = back.after(at(50));
    }
    assert_eq!(times, [1_190, 2_050, 3_250, 3_250, 3_250]);
    for (time, shortest) in times.iter().zip([1_000, 2_000, 3_000, 3_000, 3_000]) {
        assert!((shortest..=shortest + 300).contains(time));
    }
}

#[test]
fn with_defaults_the_first_ejections_last_thirty_and_sixty_seconds_to_the_tick() {
    let mut detector = detector(&testing::outlier(), 10);
    let mut now = at(3_000);
    for (k, want) in [37_000, 67_000, 97_000].into_iter().enumerate() {
        for _ in 0..5 {
            detector.report(now, 0, Outcome::Status(500));
        }
        detector.drain_changes().for_each(drop);
        let back = returned(&mut detector, 0, now.after(at(400_000))).expect("it comes back");
        assert_eq!(back.since(now), at(want), "ejection {k}");
        now = back.after(at(3_000));
    }
}

#[test]
fn a_multiplier_falls_by_one_for_each_whole_healthy_interval() {
    let config = Outlier {
        consecutive_5xx: 1,
        interval: at(1_000),
        base_ejection_time: at(2_000),
        max_ejection_percent: 100,
        ..testing::outlier()
    };
    // Ejected twice in a row, then healthy for so long: the third ejection.
    for (healthy_ms, want) in [(500, 6_000), (1_500, 4_000), (2_500, 2_000), (9_500, 2_000)] {
        let mut detector = detector(&config, 4);
        let mut now = at(0);
        for _ in 0..2 {
            detector.report(now, 0, Outcome::Status(503));
            detector.drain_changes().for_each(drop);
            now = returned(&mut detector, 0, at(60_000)).expect("it comes back");
        }
        let again = now.after(at(healthy_ms));
        assert_eq!(returned(&mut detector, 0, again), None);
        detector.report(again, 0, Outcome::Status(503));
        detector.drain_changes().for_each(drop);
        let back = returned(&mut detector, 0, at(99_000)).expect("it comes back");
        let time = back.since(again).0 / Nanos::MILLI.0;
        assert!((want..want + 1_000).contains(&time), "after {healthy_ms} ms: {time}");
    }
}

#[test]
fn jitter_is_whole_milliseconds_up_to_its_most() {
    // Measured: jitter 1 s on a base of 0.5 s: 0.67 to 1.50 s.
    let config = Outlier {
        consecutive_5xx: 1,
        interval: at(1),
        base_ejection_time: at(500),
        max_ejection_time_jitter: at(1_000),
        max_ejection_percent: 100,
        ..testing::outlier()
    };
    let times: Vec<u64> = (0..100)
        .map(|client| {
            let mut detector = Detector::new(&config, 4, 1, client);
            detector.report(Nanos::ZERO, 0, Outcome::Status(503));
            detector.drain_changes().for_each(drop);
            returned(&mut detector, 0, at(2_000)).expect("it comes back").0 / Nanos::MILLI.0
        })
        .collect();
    assert!(times.iter().all(|time| (500..=1_500).contains(time)), "{times:?}");
    assert!(times.iter().any(|&time| time < 600) && times.iter().any(|&time| time > 1_400));
}

/// Ejected hosts after an interval in which host `n` had 200 requests, of which `failed(n)` failed.
fn after_interval(config: &Outlier, n_hosts: u32, failed: impl Fn(u32) -> u32) -> Detector {
    let mut detector = detector(config, n_hosts);
    for host in 0..n_hosts {
        for n in 0..200 {
            // Spread out, so that no run gets long.
            let fails = failed(host) > 0 && n % (200 / failed(host)) == 0;
            detector.report(at(1), host, if fails { Outcome::Status(500) } else { Outcome::Success });
        }
    }
    assert_eq!(detector.n_ejected(), 0, "nothing is judged before the tick");
    detector.tick(detector.next_tick());
    detector
}

#[test]
fn one_total_failure_is_seen_by_success_rate_among_five_hosts() {
    let config = Outlier { consecutive_5xx: 0, max_ejection_percent: 100, ..testing::outlier() };
    let bad = |host| if host == 1 { 200 } else { 0 };
    for (n_hosts, minimum, factor, want) in
        [(4, 3, 1900, 0), (5, 3, 1900, 1), (6, 3, 1900, 1), (4, 3, 1700, 1), (4, 5, 1700, 0)]
    {
        let config = Outlier {
            success_rate_minimum_hosts: minimum,
            success_rate_stdev_factor: factor,
            ..config.clone()
        };
        let detector = after_interval(&config, n_hosts, bad);
        assert_eq!(detector.n_ejected(), want, "{n_hosts} hosts, factor {factor}");
        assert_eq!(count(&detector, "ejections_enforced_success_rate"), u64::from(want));
        assert_eq!(detector.is_ejected(1), want == 1);
    }
}

#[test]
fn the_rule_of_the_standard_deviation_is_that_of_the_manual() {
    // {50, 100, 100, 100, 100}: mean 90, deviation 20, threshold 52.
    let config = Outlier { max_ejection_percent: 100, ..testing::outlier() };
    assert_eq!(after_interval(&config, 5, |host| if host == 0 { 100 } else { 0 }).n_ejected(), 1);
    let two = |host| if host < 2 { 200 } else { 0 };
    // Two equal outliers of n are seen only if √((n - 2) / 2) > 1.9: of ten, not of nine.
    let config = Outlier { consecutive_5xx: 0, ..config };
    assert_eq!(after_interval(&config, 9, two).n_ejected(), 0);
    assert_eq!(after_interval(&config, 10, two).n_ejected(), 2);
}

#[test]
fn success_rate_needs_its_volume() {
    let config = Outlier {
        consecutive_5xx: 0,
        max_ejection_percent: 100,
        success_rate_request_volume: 201,
        ..testing::outlier()
    };
    assert_eq!(after_interval(&config, 6, |host| if host == 1 { 200 } else { 0 }).n_ejected(), 0);
}

#[test]
fn rates_are_of_one_interval() {
    let config = Outlier { consecutive_5xx: 0, max_ejection_percent: 100, ..testing::outlier() };
    let mut detector = detector(&config, 6);
    for tick in 1..4_u64 {
        for host in 0..6 {
            // 60 in each interval: never the 100 that are needed.
            repeat(&mut detector, host, if host == 0 { Outcome::Status(500) } else { Outcome::Success }, 60);
        }
        detector.tick(at(10_000 * tick));
    }
    assert_eq!(count(&detector, "ejections_detected_success_rate"), 0);
}

#[test]
fn failure_percentage_needs_three_hosts_and_to_be_enforced() {
    let config = Outlier {
        consecutive_5xx: 0,
        max_ejection_percent: 100,
        enforcing_failure_percentage: 100,
        failure_percentage_minimum_hosts: 3,
        ..testing::outlier()
    };
    let bad = |host| if host == 1 { 200 } else { 0 };
    assert_eq!(after_interval(&config, 3, bad).n_ejected(), 1);
    assert_eq!(after_interval(&config, 2, bad).n_ejected(), 0);
    let defaults = Outlier { enforcing_failure_percentage: 0, ..config };
    let detector = after_interval(&defaults, 3, bad);
    assert_eq!(count(&detector, "ejections_detected_failure_percentage"), 1);
    assert_eq!(detector.n_ejected(), 0);
}

#[test]
fn local_rates_are_judged_with_split_errors() {
    let config = Outlier {
        consecutive_local_origin_failure: 0,
        split_external_local_origin_errors: true,
        max_ejection_percent: 100,
        ..testing::outlier()
    };
    let mut detector = detector(&config, 6);
    for host in 0..6 {
        let outcome = if host == 2 { Outcome::ConnectFailed } else { Outcome::ConnectSucceeded };
        repeat(&mut detector, host, outcome, 100);
    }
    detector.tick(at(10_000));
    assert!(detector.is_ejected(2));
    assert_eq!(count(&detector, "ejections_enforced_local_origin_success_rate"), 1);
    assert_eq!(count(&detector, "ejections_detected_local_origin_failure_percentage"), 1);
}

#[test]
fn what_fails_in_flight_at_an_ejected_host_is_not_detected_again() {
    let config = Outlier { consecutive_5xx: 2, max_ejection_percent: 100, ..testing::outlier() };
    let mut detector = detector(&config, 4);
    repeat(&mut detector, 0, Outcome::Status(503), 12);
    assert_eq!(count(&detector, "ejections_detected_consecutive_5xx"), 1);
    detector.drain_changes().for_each(drop);
    returned(&mut detector, 0, at(60_000)).expect("it comes back");
    // The run starts anew.
    repeat(&mut detector, 0, Outcome::Status(503), 1);
    assert!(!detector.is_ejected(0));
    repeat(&mut detector, 0, Outcome::Status(503), 1);
    assert!(detector.is_ejected(0));
}

#[test]
fn enforcing_is_a_share() {
    let config = Outlier {
        consecutive_5xx: 1,
        enforcing_consecutive_5xx: 30,
        max_ejection_percent: 100,
        ..testing::outlier()
    };
    let mut detector = detector(&config, 4_000);
    for host in 0..4_000 {
        repeat(&mut detector, host, Outcome::Status(503), 1);
    }
    let n = f64::from(detector.n_ejected());
    assert!((n - 1_200.0).abs() < 4.0 * f64::sqrt(840.0), "{n}");
}

#[test]
fn memory_is_for_hosts_that_were_used() {
    let mut detector = detector(&testing::outlier(), 100_000);
    assert_eq!(detector.monitors.iter().count(), 0);
    repeat(&mut detector, 99_999, Outcome::Success, 3);
    assert_eq!(detector.monitors.iter().count(), 64);
    detector.tick(at(10_000));
    assert_eq!(detector.monitors.iter().count(), 0);
    // A host that is not there changes nothing.
    repeat(&mut detector, 100_031, Outcome::Status(503), 9);
}
