//! The experiments themselves: a comparison that could not fail, or a case that becomes another one
//! in the simulator, would prove nothing.

use super::against::{judge, judge_case};
use super::bars::{Summary, compare};
use super::case::{Case, Measure};
use super::groups::{Group, groups};
use super::record::Recorded;
use super::simulator::experiment;
use headroom::engine::queueing::{erlang_b, mmck};
use headroom::engine::sim::{self, FaultKind, Hosts, Nanos, Report, RetryLimit};
use headroom::engine::units::{Erlangs, Millis, Rate, Share};
use std::collections::{BTreeMap, BTreeSet};

fn group(letter: &str) -> Group {
    groups().into_iter().find(|group| group.letter == letter).expect("a group")
}

fn case(id: &str) -> Case {
    let mut cases = groups().into_iter().flat_map(|group| group.cases);
    cases.find(|case| case.id == id).unwrap_or_else(|| panic!("there is no case {id}"))
}

/// Envoy's counters that are compared, all of them zero.
fn nothing_counted() -> BTreeMap<&'static str, u64> {
    let measures = groups().into_iter().flat_map(|group| group.cases).flat_map(|case| case.measures);
    let counter = |measure| if let Measure::Counter(name) = measure { Some((name, 0)) } else { None };
    measures.filter_map(counter).collect()
}

#[test]
fn the_bar_is_two_sigma_or_a_tenth() {
    let spread = Summary::of(&[0.9, 1.0, 1.1]);
    assert!((spread.mean - 1.0).abs() < 1e-12 && (spread.sigma - 0.1).abs() < 1e-12);
    assert!((spread.tolerance(1.0) - 0.2).abs() < 1e-12, "two sigma");
    assert!((spread.tolerance(3.0) - 0.3).abs() < 1e-12, "a tenth");
    assert!(compare("inside", 1.19, 1.0, &spread).1);
    assert!(!compare("above", 1.21, 1.0, &spread).1);
    assert!(!compare("below", 0.79, 1.0, &spread).1);
    assert!(!compare("no number", f64::NAN, 1.0, &spread).1);
}

/// A simulator in which nothing ever happens fails every case that it is asked to play.
#[test]
fn doing_nothing_is_beyond_the_bar() {
    let idle = Report { requests: 1, counters: nothing_counted(), ..Report::default() };
    let verdicts = judge(&|_| idle.clone());
    let id = |text: &str| text.split(' ').next().unwrap_or_default().to_owned();
    let judged: BTreeSet<String> = verdicts.iter().map(|verdict| id(&verdict.text)).collect();
    let failed: BTreeSet<String> =
        verdicts.iter().filter(|verdict| !verdict.holds).map(|verdict| id(&verdict.text)).collect();
    assert_eq!(judged, failed);
    let n_cases: usize = groups().iter().map(|group| group.cases.len()).sum();
    // Hosts that fail requests, and not attempts, are not in the simulator: two shares, four limits.
    assert_eq!(judged.len(), n_cases - 8);
}

/// What was recorded is within the bar of itself; a third more is not.
#[test]
fn the_recorded_is_within_the_bar() {
    let (group, case) = (group("a"), case("a-max-requests-15"));
    let file = Recorded::load(&group);
    let recorded = file.of(&case);
    let overflow = recorded.measures["upstream_rq_active_overflow"].mean;
    let report = |times: f64| Report {
        requests: 1,
        refused: recorded.measures["refused"].mean * times,
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
        counters: [("upstream_rq_active_overflow", (overflow * times) as u64)].into(),
        ..Report::default()
    };
    assert!(judge_case(&case, recorded, &|_| report(1.0)).iter().all(|verdict| verdict.holds));
    assert!(judge_case(&case, recorded, &|_| report(1.33)).iter().all(|verdict| !verdict.holds));
}

/// Where a queueing law says what a real Envoy must show, it did: what was recorded is no artifact of
/// the harness.
#[test]
fn refusals_are_those_of_the_queueing_laws() {
    let loss = |servers| move |offered| erlang_b::blocking(servers, offered);
    check_law("a", "a-max-requests-15", loss(15));
    check_law("a", "a-max-requests-20", loss(20));
    check_law("a", "a-max-requests-25", loss(25));
    // 20 connections and 10 places to wait.
    check_law("b", "b-pools-1x1", |offered| mmck::blocking(offered, 20, 30));
}

#[track_caller]
fn check_law(letter: &str, id: &str, law: impl Fn(Erlangs) -> Share) {
    let (group, case) = (group(letter), case(id));
    let file = Recorded::load(&group);
    let recorded = file.of(&case);
    let expected: Vec<f64> = recorded
        .runs
        .iter()
        .map(|run| {
            let rate = Rate(run.requests as f64 / case.load.seconds);
            law(Erlangs::of(rate, Millis(run.service_ms))).fraction()
        })
        .collect();
    let refused = recorded.measures["refused"];
    let (text, holds) = compare(id, refused.mean, Summary::of(&expected).mean, &refused);
    assert!(holds, "{text} by the law");
}

/// Amplification as it had been measured before these experiments were written, by another program:
/// 400 requests a second, three retries, a share of requests that fail on every attempt, at 41 ms.
#[test]
fn retries_are_those_that_were_known() {
    const LIMITS: [&str; 4] = ["unlimited", "max-retries-3", "budget-20-3", "budget-20-1"];
    const KNOWN: [(&str, [f64; 4]); 3] = [
        ("c-requests-10", [1.315, 1.096, 1.113, 1.106]),
        ("c-requests-50", [2.505, 1.106, 1.140, 1.136]),
        ("c-attempts-100", [4.000, 1.107, 1.142, 1.140]),
    ];
    let file = Recorded::load(&group("c"));
    for (start, row) in KNOWN {
        for (limit, known) in LIMITS.into_iter().zip(row) {
            let case = case(&format!("{start}-{limit}"));
            let measured = file.of(&case).measures["amplification"].mean;
            // The share of those requests differs from sample to sample.
            assert!((measured / known - 1.0).abs() < 0.02, "{}: {measured}, known {known}", case.id);
        }
    }
}

#[test]
fn a_case_becomes_the_same_experiment_of_the_simulator() {
    let seconds = Nanos::from_secs;
    let millis = |ms: f64| Nanos::from_secs(ms / 1000.0);

    let timeouts = experiment(&case("f-timeouts"), &[], 7).expect("the simulator can play it");
    assert_eq!(timeouts.run.seed, 7);
    assert_eq!(timeouts.run.duration, seconds(20.0));
    assert_eq!(timeouts.run.warm_up, Nanos::ZERO);
    assert!((timeouts.load.rate_per_client - 200.0).abs() < 1e-9);
    assert!(matches!(timeouts.hosts.service, sim::Service::Exponential(mean) if mean == millis(60.0)));
    let route = &timeouts.policy.route;
    assert_eq!(route.timeout, Some(millis(250.0)));
    let retry = route.retry.as_ref().expect("it retries");
    assert_eq!((retry.num_retries, retry.per_try_timeout), (2, Some(millis(100.0))));
    assert_eq!((retry.base_interval, retry.max_interval), (millis(25.0), millis(250.0)));
    assert!(retry.retry_on.server_error_5xx && !retry.retry_on.connect_failure);

    let pools = experiment(&case("b-pools-5x2"), &[], 1).expect("the simulator can play it");
    assert_eq!((pools.hosts.count, pools.fleet.workers, pools.fleet.clients), (5, 2, 1));
    let limits = &pools.policy.limits[0];
    assert_eq!((limits.max_connections, limits.max_pending_requests), (20, 10));
    assert_eq!(pools.policy.upstream.idle_timeout, Some(millis(30.0)));
    assert!(!pools.policy.upstream.multiplexes && pools.policy.route.retry.is_none());

    let budget = experiment(&case("c-attempts-50-budget-20-1"), &[], 1).expect("the simulator can play it");
    assert!((budget.hosts.error_rate - 0.5).abs() < 1e-12);
    let RetryLimit::Budget(budget) = budget.policy.limits[0].retry_limit else { panic!("a budget") };
    assert!((budget.budget_percent - 20.0).abs() < 1e-12);
    assert_eq!((budget.min_retry_concurrency, budget.budget_interval), (1, Nanos::ZERO));
    assert!(experiment(&case("c-requests-50-budget-20-1"), &[], 1).is_none());

    let ejection = experiment(&case("e-one-of-9"), &[], 1).expect("the simulator can play it");
    let fault = &ejection.faults[0];
    assert_eq!((fault.kind, &fault.hosts), (FaultKind::Host5xx, &Hosts::These(vec![0])));
    let outlier = ejection.policy.outlier.as_ref().expect("outlier detection is on");
    assert_eq!((outlier.consecutive_5xx, outlier.max_ejection_percent), (5, 10));

    let burst = experiment(&case("d-burst"), &[], 1).expect("the simulator can play it");
    assert_eq!(burst.load.arrivals, sim::Arrivals::Paced);
    assert_eq!(burst.policy.limits[0].max_pending_requests, 3);
}

/// Rate and times are those that the runs really had.
#[test]
fn the_simulator_gets_what_was_measured() {
    let (group, case) = (group("d"), case("d-cold-start"));
    let file = Recorded::load(&group);
    let runs = &file.of(&case).runs;
    let simulated = experiment(&case, runs, 1).expect("the simulator can play it");
    let n = runs.len() as f64;
    let requests: u64 = runs.iter().map(|run| run.requests).sum();
    assert!((simulated.load.rate_per_client - requests as f64 / n / 3.0).abs() < 1e-9);
    let connect = simulated.hosts.connect.as_millis().0;
    // Held back for 200 ms; TLS itself takes a few more.
    assert!((200.0..220.0).contains(&connect), "{connect}");
    let sim::Service::Exponential(service) = simulated.hosts.service else { panic!("exponential") };
    assert!((40.0..60.0).contains(&service.as_millis().0), "{service:?}");
}
