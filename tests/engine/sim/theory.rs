//! The simulator against queueing theory.

use super::confidence::{assert_agrees, interval, replications};
use super::setting::{SERVICE, mmck, queue};
use headroom::engine::latency::{LatencyModel, Point};
use headroom::engine::sim::{Experiment, Report, Service};
use headroom::engine::units::Millis;
use serde_json::Value;

/// Below this share of refusals a run would need millions of requests.
const OFTEN: f64 = 1e-2;
/// Refusals that a run has to have for its share of them to mean something; they come in clusters.
const N_REFUSALS: f64 = 1_500.0;
const N_AT_LEAST: f64 = 20_000.0;
/// Quantiles of a report are off by at most so much.
const HISTOGRAM_ERROR: f64 = 0.005;

fn rows(text: &str) -> Vec<Value> {
    serde_json::from_str(text).expect("vectors are JSON lists")
}

fn number(row: &Value, key: &str) -> f64 {
    row[key].as_f64().expect(key)
}

fn count(row: &Value, key: &str) -> u32 {
    u32::try_from(row[key].as_u64().expect(key)).expect(key)
}

/// A loss system: `max_requests` and no queue.
fn loss(offered: f64, servers: u32, n_requests: u32, seed: u64) -> Experiment {
    let mut experiment = queue(offered, n_requests, seed);
    experiment.policy.limits[0].max_requests = servers;
    experiment
}

/// Shapes of the time in service, all with the mean [`SERVICE`]: constant, and from percentiles with
/// a coefficient of variation of 0.5 and of 2.4.
fn shapes() -> [(&'static str, Service); 3] {
    let percentiles = |points: &[(f64, f64)]| {
        let points: Vec<_> =
            points.iter().map(|&(quantile, at)| Point { quantile, at: Millis(at) }).collect();
        let model = LatencyModel::from_points(&points).expect("the points are valid");
        let scale = SERVICE.as_millis().0 / model.mean().0;
        Service::Percentiles { model, scale }
    };
    [
        ("constant", Service::Constant(SERVICE)),
        ("narrow", percentiles(&[(0.5, 35.0), (0.99, 110.0)])),
        ("wide", percentiles(&[(0.5, 20.0), (0.9, 60.0), (0.99, 250.0), (0.999, 900.0)])),
    ]
}

/// Requests of a run that refuses that share.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "some hundred thousand")]
fn n_requests(refused: f64) -> u32 {
    (N_REFUSALS / refused).max(N_AT_LEAST) as u32
}

fn refused(report: &Report) -> f64 {
    report.refused
}

/// The mean time from arrival to answer, in times in service.
fn mean_time(report: &Report) -> f64 {
    report.latency_ms.served.mean.expect("requests were served") / SERVICE.as_millis().0
}

#[test]
fn max_requests_is_erlang_b() {
    let mut n_rows = 0;
    for row in rows(include_str!("../../vectors/erlang_b.json")) {
        for (servers, column) in
            [(count(&row, "servers"), "blocking"), (count(&row, "servers") - 1, "blocking_one_less")]
        {
            let (offered, want) = (number(&row, "offered"), number(&row, column));
            if want < OFTEN {
                continue;
            }
            n_rows += 1;
            let reports = replications(|seed| loss(offered, servers, n_requests(want), seed));
            let what = format!("refusals of {offered} erlangs at {servers}");
            assert_agrees(&what, interval(&reports, refused), want, 0.0);
        }
    }
    assert!(n_rows >= 2, "{n_rows}");
}

/// From the tables of the loss formula (Frankel 1976; in every textbook): servers, load, refusals.
const LOSS_TABLE: [(u32, f64, f64); 3] = [(10, 4.461, 0.01), (20, 15.249, 0.05), (50, 49.562, 0.1)];

#[test]
fn max_requests_is_erlang_b_whatever_the_shape_of_the_time_in_service() {
    for (servers, offered, want) in LOSS_TABLE {
        for (shape, service) in shapes() {
            let reports = replications(|seed| {
                let mut experiment = loss(offered, servers, n_requests(want), seed);
                experiment.hosts.service = service.clone();
                experiment
            });
            let what = format!("refusals of {offered} erlangs at {servers}, {shape}");
            assert_agrees(&what, interval(&reports, refused), want, 0.0);
        }
    }
}

#[test]
fn max_requests_is_shared_by_all_workers_and_hosts() {
    let (servers, offered, want) = LOSS_TABLE[1];
    let reports = replications(|seed| {
        let mut experiment = loss(offered, servers, n_requests(want), seed);
        experiment.fleet.workers = 4;
        experiment.hosts.count = 5;
        experiment
    });
    assert_agrees("refusals over 4 workers and 5 hosts", interval(&reports, refused), want, 0.0);
}

#[test]
fn a_pool_with_a_queue_is_m_m_c_k() {
    let mut n_rows = 0;
    for row in rows(include_str!("../../vectors/mmck.json")) {
        let want = number(&row, "blocking");
        if want < OFTEN {
            continue;
        }
        n_rows += 1;
        let (offered, servers) = (number(&row, "offered"), count(&row, "servers"));
        let places = count(&row, "places");
        let reports = replications(|seed| mmck(offered, servers, places, n_requests(want), seed));
        let what = format!("refusals of {offered} erlangs at {servers} of {places}");
        assert_agrees(&what, interval(&reports, refused), want, 0.0);
    }
    assert!(n_rows >= 5, "{n_rows}");
}

/// An HTTP/1.1 pool of that many connections, and all may wait.
fn waiting(offered: f64, servers: u32, n_requests: u32, seed: u64) -> Experiment {
    let mut experiment = mmck(offered, servers, servers + 1, n_requests, seed);
    experiment.policy.limits[0].max_pending_requests = u32::MAX;
    experiment
}

#[test]
fn waiting_for_a_connection_is_m_m_c() {
    for row in rows(include_str!("../../vectors/waiting.json")) {
        let (offered, servers) = (number(&row, "offered"), count(&row, "servers"));
        let reports = replications(|seed| waiting(offered, servers, 60_000, seed));
        let what = |figure: &str| format!("{figure} of {offered} erlangs at {servers}");
        let want = number(&row, "mean_time");
        assert_agrees(&what("mean time"), interval(&reports, mean_time), want, 0.0);
        for (column, quantile) in [
            ("time_p50", (|r| r.latency_ms.served.p50) as fn(&Report) -> Option<f64>),
            ("time_p90", |r| r.latency_ms.served.p90),
            ("time_p99", |r| r.latency_ms.served.p99),
        ] {
            let in_services = |r: &Report| quantile(r).expect("requests were served") / SERVICE.as_millis().0;
            let want = number(&row, column);
            assert_agrees(&what(column), interval(&reports, in_services), want, HISTOGRAM_ERROR * want);
        }
    }
}

#[test]
fn the_queue_of_a_host_with_slots_is_m_m_c_too() {
    for row in rows(include_str!("../../vectors/waiting.json")) {
        let (offered, servers) = (number(&row, "offered"), count(&row, "servers"));
        if servers > 5 {
            continue;
        }
        let reports = replications(|seed| {
            let mut experiment = queue(offered, 40_000, seed);
            experiment.hosts.slots = Some(servers);
            experiment
        });
        let what = format!("mean time of {offered} erlangs at a host with {servers} slots");
        assert_agrees(&what, interval(&reports, mean_time), number(&row, "mean_time"), 0.0);
    }
}

#[test]
fn one_slot_waits_as_pollaczek_and_khinchine_say() {
    // E[W] = λ E[S²] / (2 (1 - ρ)), in units of the mean; E[S²] / E[S]² is 1 for a constant, 2 for the
    // exponential, and of the percentiles what the latency vectors say. The widest shape is left out:
    // the variance of its mean hangs on so rare times that no run of minutes settles.
    let offered = 0.6;
    let vectors = rows(include_str!("../../vectors/latency.json"));
    let narrow = number(&vectors[0], "second_moment_ms2") / number(&vectors[0], "mean_ms").powi(2);
    let [constant, percentiles, _] = shapes();
    let exponential = ("exponential", Service::Exponential(SERVICE));
    for ((shape, service), square) in [(constant, 1.0), (exponential, 2.0), (percentiles, narrow)] {
        let reports = replications(|seed| {
            let mut experiment = queue(offered, 60_000, seed);
            experiment.hosts.slots = Some(1);
            experiment.hosts.service = service.clone();
            experiment
        });
        let want = 1.0 + offered * square / (2.0 * (1.0 - offered));
        assert_agrees(&format!("mean time, {shape}"), interval(&reports, mean_time), want, 0.0);
    }
}
