//! A run with a bit of everything; its report is the same, to the last digit, on every machine.
//!
//! `tests/golden/sim/report.json` is what it gives natively; the browser must give the same text.

use super::setting::{queue, run};
use headroom::engine::latency::{LatencyModel, Point};
use headroom::engine::sim::{
    Balancing, Budget, Experiment, FaultKind, Nanos, Outlier, Pattern, Retry, RetryLimit, RetryOn, Service,
};
use headroom::engine::units::Millis;

fn millis(n: u64) -> Nanos {
    Nanos(n * Nanos::MILLI.0)
}

fn outlier() -> Outlier {
    Outlier {
        consecutive_5xx: 5,
        consecutive_gateway_failure: 3,
        consecutive_local_origin_failure: 5,
        enforcing_consecutive_5xx: 100,
        enforcing_consecutive_gateway_failure: 50,
        enforcing_consecutive_local_origin_failure: 100,
        enforcing_success_rate: 100,
        enforcing_local_origin_success_rate: 100,
        enforcing_failure_percentage: 100,
        enforcing_failure_percentage_local_origin: 0,
        interval: millis(700),
        base_ejection_time: millis(900),
        max_ejection_time: millis(3_000),
        max_ejection_time_jitter: millis(300),
        max_ejection_percent: 50,
        success_rate_minimum_hosts: 3,
        success_rate_request_volume: 10,
        success_rate_stdev_factor: 1900,
        failure_percentage_threshold: 85,
        failure_percentage_minimum_hosts: 3,
        failure_percentage_request_volume: 10,
        split_external_local_origin_errors: false,
        always_eject_one_host: true,
    }
}

fn retry() -> Retry {
    Retry {
        retry_on: RetryOn::from_words(["5xx", "reset", "connect-failure"]),
        num_retries: 3,
        per_try_timeout: Some(millis(150)),
        per_try_idle_timeout: None,
        base_interval: millis(10),
        max_interval: millis(100),
        retriable_status_codes: Vec::new(),
        previous_hosts: true,
        host_selection_retry_max_attempts: 3,
    }
}

fn experiment() -> Experiment {
    let points = [(0.5, 20.0), (0.9, 60.0), (0.99, 250.0)];
    let model = LatencyModel::from_points(&points.map(|(quantile, at)| Point { quantile, at: Millis(at) }))
        .expect("the points are valid");
    let mut e = queue(4.0, 1, 2_026);
    e.load.rate_per_client = 120.0;
    e.load.high_priority_share = 0.1;
    e.load.patterns = vec![Pattern::Burst { every: millis(1_000), length: millis(200), times: 2.5 }];
    e.load.caller.deadline = Some(millis(900));
    e.load.caller.retries = 1;
    (e.fleet.simulated, e.fleet.clients, e.fleet.workers) = (4, 8, 2);
    e.hosts.count = 6;
    e.hosts.service = Service::Percentiles { model, scale: 1.1 };
    e.hosts.error_rate = 0.01;
    (e.hosts.slots, e.hosts.knee) = (Some(40), Some(25.0));
    e.hosts.connect = millis(3);
    let limits = &mut e.policy.limits[0];
    (limits.max_connections, limits.max_pending_requests, limits.max_requests) = (12, 6, 14);
    limits.retry_limit = RetryLimit::Budget(Budget {
        budget_percent: 20.0,
        min_retry_concurrency: 2,
        budget_interval: millis(500),
    });
    e.policy.upstream.multiplexes = false;
    e.policy.upstream.idle_timeout = Some(millis(400));
    e.policy.route.timeout = Some(millis(700));
    e.policy.route.retry = Some(retry());
    e.policy.outlier = Some(outlier());
    e.policy.balancing = Balancing::LeastRequest { choices: 2 };
    let fault = |kind: FaultKind, from, to| kind.fault(millis(from), millis(to), 6, 4);
    e.faults = vec![
        fault(FaultKind::Host5xx, 2_000, 4_000),
        fault(FaultKind::ConnectionReset, 3_000, 3_500),
        fault(FaultKind::SlowHost, 3_500, 5_000),
        fault(FaultKind::LoadSurge, 5_000, 5_500),
    ];
    (e.run.duration, e.run.warm_up) = (millis(8_000), millis(500));
    e
}

/// The report of the run as JSON.
pub fn report() -> String {
    serde_json::to_string_pretty(&run(experiment())).expect("a report is plain data")
}
