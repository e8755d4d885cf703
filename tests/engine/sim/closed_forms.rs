//! What has a closed form, or was measured on a real Envoy.

use super::confidence::{assert_agrees, deviation, interval, replications};
use super::setting::{queue, run};
use headroom::engine::latency::{LatencyModel, Point};
use headroom::engine::sim::{Experiment, Nanos, Report, Retry, RetryOn, Service};
use headroom::engine::units::Millis;

/// `num_retries` on 5xx, back-offs of milliseconds.
fn retry(num_retries: u32) -> Retry {
    Retry {
        retry_on: RetryOn::from_words(["5xx"]),
        num_retries,
        per_try_timeout: None,
        per_try_idle_timeout: None,
        base_interval: Nanos(25 * Nanos::MILLI.0),
        max_interval: Nanos(250 * Nanos::MILLI.0),
        retriable_status_codes: Vec::new(),
        previous_hosts: false,
        host_selection_retry_max_attempts: 1,
    }
}

#[test]
fn unlimited_retries_multiply_by_the_geometric_sum() {
    for (p, num_retries) in [(0.1, 3), (0.5, 1), (0.5, 3), (0.9, 5)] {
        let reports = replications(|seed| {
            let mut experiment = queue(4.0, 20_000, seed);
            experiment.hosts.error_rate = p;
            experiment.policy.route.retry = Some(retry(num_retries));
            experiment
        });
        let n_retries = f64::from(num_retries);
        let attempts = (1.0 - f64::powf(p, n_retries + 1.0)) / (1.0 - p);
        let what = format!("{num_retries} retries, {p} fail");
        assert_agrees(&what, interval(&reports, |r| r.amplification), attempts, 0.0);
        let served = 1.0 - f64::powf(p, n_retries + 1.0);
        assert_agrees(&format!("{what}: served"), interval(&reports, |r| r.goodput), served, 0.0);
    }
}

#[test]
fn a_certain_failure_uses_up_all_retries() {
    let mut experiment = queue(4.0, 5_000, 1);
    experiment.hosts.error_rate = 1.0;
    experiment.policy.route.retry = Some(retry(3));
    let report = run(experiment);
    assert!((report.amplification - 4.0).abs() < 1e-12, "{}", report.amplification);
    assert_eq!(report.outcomes.upstream_error, report.requests);
}

/// 500 requests a second of 41 ms over HTTP/1.1, as a real Envoy got them: 35 ms at the median, 110 ms
/// at the 99th percentile, and what the machine added.
fn at_500(hosts: u32, workers: u32, seed: u64) -> Experiment {
    let points = [(0.5, 35.0), (0.99, 110.0)];
    let model = LatencyModel::from_points(&points.map(|(quantile, at)| Point { quantile, at: Millis(at) }))
        .expect("the points are valid");
    let mut experiment = queue(20.5, 1, seed);
    experiment.load.rate_per_client = 500.0;
    experiment.hosts.service = Service::Percentiles { scale: 41.0 / model.mean().0, model };
    experiment.hosts.count = hosts;
    experiment.fleet.workers = workers;
    experiment.policy.upstream.multiplexes = false;
    experiment.run.duration = Nanos(20 * Nanos::SECOND.0);
    experiment.run.warm_up = Nanos::ZERO;
    experiment
}

#[test]
fn idle_connections_pile_up_in_pools_that_do_not_share() {
    // Measured: 66 to 72 connections for 20.5 erlangs over 2 workers × 10 hosts.
    let open = |r: &Report| r.counters["upstream_cx_active"] as f64;
    let (mean, half) = interval(&replications(|seed| at_500(10, 2, seed)), open);
    assert!((66.0 - half..=72.0 + half).contains(&mean), "{mean} ± {half}");
}

/// Hosts, workers, and the share that a real Envoy refused in a single run.
const REFUSED: [(u32, u32, f64); 3] = [(1, 1, 0.066), (5, 1, 0.103), (5, 2, 0.203)];

fn limited(hosts: u32, workers: u32, seed: u64) -> Experiment {
    let mut experiment = at_500(hosts, workers, seed);
    let limits = &mut experiment.policy.limits[0];
    (limits.max_connections, limits.max_pending_requests) = (20, 10);
    experiment
}

#[test]
fn pools_that_do_not_share_refuse_as_a_real_envoy_does() {
    for (hosts, workers, measured) in REFUSED {
        let reports = replications(|seed| limited(hosts, workers, seed));
        let (mean, _) = interval(&reports, |r| r.refused);
        // Pools keep the connections that they won early, so single runs with several pools spread
        // widely; the measured one is such a run.
        let sigma = deviation(&reports, |r| r.refused);
        assert!(
            (mean - measured).abs() <= 2.0 * sigma,
            "{hosts} hosts, {workers} workers: {mean}, single runs ± {sigma}, measured {measured}"
        );
    }
}

#[test]
fn the_more_pools_the_more_is_refused() {
    let mut before = 0.0;
    for (hosts, workers, _) in REFUSED {
        // A short idle timeout moves connections to where they are needed, so that runs are alike.
        let reports = replications(|seed| {
            let mut experiment = limited(hosts, workers, seed);
            experiment.policy.upstream.idle_timeout = Some(Nanos(30 * Nanos::MILLI.0));
            experiment
        });
        let (mean, half) = interval(&reports, |r| r.refused);
        assert!(mean - half > before, "{hosts} hosts, {workers} workers: {mean} ± {half}, after {before}");
        before = mean + half;
    }
}
