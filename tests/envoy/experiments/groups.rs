//! The experiments.

use super::case::{Arrivals, Case, Failing, Load, Measure, Service, Settings};
use headroom::engine::sim::{Budget, Nanos, RetryLimit};

/// A group of cases that are recorded in one file.
pub struct Group {
    /// Its letter, so the name of the file.
    pub letter: &'static str,
    /// What it is about.
    pub title: &'static str,
    pub cases: Vec<Case>,
}

/// All of them.
pub fn groups() -> Vec<Group> {
    vec![
        Group { letter: "a", title: "max_requests refuses", cases: max_requests() },
        Group { letter: "b", title: "max_connections and max_pending_requests over pools", cases: pools() },
        Group { letter: "c", title: "retries under max_retries and retry budgets", cases: retries() },
        Group {
            letter: "d",
            title: "max_pending_requests while connections are set up",
            cases: cold_starts(),
        },
        Group { letter: "e", title: "one of 10 hosts is ejected, one of 9 is not", cases: ejections() },
        Group { letter: "f", title: "per-try and route timeouts with retries", cases: timeouts() },
        Group { letter: "g", title: "connections that idle pools keep", cases: idle_connections() },
    ]
}

const POISSON: Arrivals = Arrivals::Poisson;

fn case(id: String, rate: f64, seconds: f64, service: Service, settings: Settings) -> Case {
    Case {
        id,
        load: Load { rate, arrivals: POISSON, seconds },
        hosts: 1,
        workers: 1,
        service,
        failing: Failing::Nothing,
        connect: None,
        settings,
        runs: 6,
        is_live: true,
        measures: Vec::new(),
    }
}

/// 20 erlangs meet a limit below, at and above.
fn max_requests() -> Vec<Case> {
    let one = |limit: u32| Case {
        measures: vec![Measure::Refused, Measure::Counter("upstream_rq_active_overflow")],
        ..case(
            format!("a-max-requests-{limit}"),
            200.0,
            20.0,
            Service::Exponential(100.0),
            Settings { max_requests: limit, ..Settings::ample() },
        )
    };
    [15, 20, 25].map(one).into()
}

/// 20.5 erlangs meet 20 connections, shared by 1, 5 and 10 pools. Connections that are idle for 30 ms
/// go: otherwise pools keep those that they won early, and a run says more of that than of the limit.
fn pools() -> Vec<Case> {
    let one = |(hosts, workers): (u32, u32)| Case {
        hosts,
        workers,
        measures: vec![Measure::Refused],
        ..case(
            format!("b-pools-{hosts}x{workers}"),
            500.0,
            20.0,
            Service::Exponential(41.0),
            Settings {
                max_connections: 20,
                max_pending_requests: 10,
                idle_timeout: Some(30),
                ..Settings::ample()
            },
        )
    };
    [(1, 1), (5, 1), (5, 2)].map(one).into()
}

/// Three retries of a share of failures, under four limits of the retries. That share is of attempts,
/// then (recorded only) of requests, which then fail on every attempt.
fn retries() -> Vec<Case> {
    let budget = |min_retry_concurrency| {
        RetryLimit::Budget(Budget {
            budget_percent: 20.0,
            min_retry_concurrency,
            budget_interval: Nanos::ZERO,
        })
    };
    let limits = [
        ("unlimited", RetryLimit::MaxRetries(100_000)),
        ("max-retries-3", RetryLimit::MaxRetries(3)),
        ("budget-20-3", budget(3)),
        ("budget-20-1", budget(1)),
    ];
    let mut cases = Vec::new();
    for share in [0.1, 0.5, 1.0] {
        for (word, limit) in limits {
            let percent = share * 100.0;
            cases.push(retry_case(format!("c-attempts-{percent}-{word}"), Failing::Attempts(share), limit));
            // With all of them there is no difference.
            if share < 1.0 {
                let id = format!("c-requests-{percent}-{word}");
                cases.push(Case { is_live: false, ..retry_case(id, Failing::Requests(share), limit) });
            }
        }
    }
    cases
}

fn retry_case(id: String, failing: Failing, retry_limit: RetryLimit) -> Case {
    let settings = Settings { num_retries: Some(3), retry_limit, ..Settings::ample() };
    Case {
        failing,
        runs: 4,
        measures: vec![
            Measure::Amplification,
            Measure::UpstreamError,
            Measure::Counter("upstream_rq_retry"),
            Measure::Counter("upstream_rq_retry_overflow"),
        ],
        ..case(id, 400.0, 10.0, Service::Constant(41.0), settings)
    }
}

/// Nothing is ready: requests wait for connections that are being set up, and may be too many for
/// `max_pending_requests`. Eight within 8 ms, of which three may wait; then a cold start under load.
fn cold_starts() -> Vec<Case> {
    let waiting = |max_pending_requests| Settings { max_pending_requests, ..Settings::ample() };
    let measures = vec![Measure::Refused, Measure::Counter("upstream_rq_pending_overflow")];
    let burst = Case {
        connect: Some(400),
        measures: measures.clone(),
        ..case("d-burst".to_owned(), 1000.0, 0.008, Service::Constant(20.0), waiting(3))
    };
    let burst = Case { load: Load { arrivals: Arrivals::Paced, ..burst.load }, ..burst };
    let start = Case {
        connect: Some(200),
        runs: 12,
        measures,
        ..case("d-cold-start".to_owned(), 100.0, 3.0, Service::Exponential(50.0), waiting(5))
    };
    vec![burst, start]
}

/// The first host fails; outlier detection may eject 10% of the hosts at most, so one of 10, none of 9.
fn ejections() -> Vec<Case> {
    let one = |hosts: u32| Case {
        hosts,
        failing: Failing::FirstHost,
        measures: vec![
            Measure::UpstreamError,
            Measure::Counter("outlier_detection.ejections_enforced_total"),
            Measure::Counter("outlier_detection.ejections_active"),
            Measure::Counter("outlier_detection.ejections_overflow"),
        ],
        ..case(
            format!("e-one-of-{hosts}"),
            200.0,
            5.0,
            Service::Exponential(20.0),
            Settings { consecutive_5xx: Some(5), ..Settings::ample() },
        )
    };
    [10, 9].map(one).into()
}

/// A fifth of the attempts is too slow for the clock of an attempt, and some requests for that of the
/// route.
fn timeouts() -> Vec<Case> {
    vec![Case {
        measures: vec![
            Measure::Served,
            Measure::TimedOut,
            Measure::Amplification,
            Measure::Counter("upstream_rq_per_try_timeout"),
            Measure::Counter("upstream_rq_timeout"),
            Measure::Counter("upstream_rq_retry"),
            Measure::Counter("upstream_cx_destroy_local_with_active_rq"),
        ],
        ..case(
            "f-timeouts".to_owned(),
            200.0,
            20.0,
            Service::Exponential(60.0),
            Settings {
                num_retries: Some(2),
                per_try_timeout: Some(100),
                timeout: Some(250),
                ..Settings::ample()
            },
        )
    }]
}

/// 20.5 erlangs over 20 pools: each keeps as many connections as it ever needed, so that the longer it
/// goes on, the more there are.
fn idle_connections() -> Vec<Case> {
    let one = |seconds: f64| Case {
        hosts: 10,
        workers: 2,
        measures: vec![Measure::Counter("upstream_cx_active"), Measure::Counter("upstream_cx_total")],
        ..case(
            format!("g-idle-2x10-{seconds}s"),
            500.0,
            seconds,
            Service::Exponential(41.0),
            Settings::ample(),
        )
    };
    [5.0, 20.0].map(one).into()
}
