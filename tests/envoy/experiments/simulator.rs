//! A case as an experiment of the simulator, and what its report shows of a measure.

use super::case::{Arrivals, Case, Failing, Measure, Service, Settings};
use super::run::Run as Measured;
use headroom::engine::sim::{self, Experiment, Fault, FaultKind, HostModel, Nanos, Policy, Report};
use headroom::engine::units::Millis;

/// The case with a seed, with the rate and the times that runs of it really had; `None`: the
/// simulator has no such hosts.
pub fn experiment(case: &Case, measured: &[Measured], seed: u64) -> Option<Experiment> {
    let error_rate = match case.failing {
        Failing::Nothing | Failing::FirstHost => 0.0,
        Failing::Attempts(share) => share,
        Failing::Requests(share) if share < 1.0 => return None,
        Failing::Requests(_) => 1.0,
    };
    let hosts = HostModel {
        count: case.hosts,
        service: service(case, measured),
        response: sim::ResponseShape::AtOnce,
        error_rate,
        fails_as_grpc: false,
        slots: None,
        knee: None,
        connect: mean(measured, |run| run.connect_ms).map_or(Nanos::ZERO, nanos),
        peer_max_concurrent_streams: None,
        keepalive: None,
    };
    Some(Experiment {
        load: load(case, measured),
        fleet: sim::Fleet { simulated: 1, clients: 1, workers: case.workers, envoy_minor: 40 },
        hosts,
        policy: policy(&case.settings),
        faults: faults(case.failing),
        run: sim::Run {
            duration: Nanos::from_secs(case.load.seconds),
            warm_up: Nanos::ZERO,
            seed,
            bucket: Nanos::SECOND,
        },
    })
}

/// What a report shows of a measure.
pub fn value(report: &Report, measure: Measure) -> f64 {
    let outcomes = report.outcomes;
    let share = |count: u64| count as f64 / report.requests as f64;
    match measure {
        Measure::Served => report.goodput,
        Measure::Refused => report.refused,
        Measure::TimedOut => share(outcomes.timed_out + outcomes.per_try_timed_out),
        Measure::UpstreamError => share(outcomes.upstream_error),
        Measure::Amplification => report.amplification,
        Measure::Counter(name) => {
            let count = report.counters.get(name);
            *count.unwrap_or_else(|| panic!("the report has no counter {name}")) as f64
        }
    }
}

fn nanos(ms: f64) -> Nanos {
    Nanos::of(Millis(ms))
}

fn mean(measured: &[Measured], of: impl Fn(&Measured) -> Option<f64>) -> Option<f64> {
    let values: Option<Vec<f64>> = measured.iter().map(of).collect();
    let values = values.filter(|values| !values.is_empty())?;
    Some(values.iter().sum::<f64>() / values.len() as f64)
}

/// Samples of Poisson arrivals differ from their rate by chance: it is theirs that counts.
fn load(case: &Case, measured: &[Measured]) -> sim::Load {
    let sent = mean(measured, |run| Some(run.requests as f64 / case.load.seconds));
    sim::Load {
        rate_per_client: sent.unwrap_or(case.load.rate),
        arrivals: match case.load.arrivals {
            Arrivals::Poisson => sim::Arrivals::Poisson,
            Arrivals::Paced => sim::Arrivals::Paced,
        },
        patterns: Vec::new(),
        high_priority_share: 0.0,
        caller: sim::Caller::default(),
    }
}

/// As with the rate: what the hosts took on average, timers and a busy machine included.
fn service(case: &Case, measured: &[Measured]) -> sim::Service {
    let took = mean(measured, |run| Some(run.service_ms));
    match case.service {
        Service::Constant(ms) => sim::Service::Constant(nanos(took.unwrap_or(ms))),
        Service::Exponential(ms) => sim::Service::Exponential(nanos(took.unwrap_or(ms))),
    }
}

fn faults(failing: Failing) -> Vec<Fault> {
    let fault = Fault {
        kind: FaultKind::Host5xx,
        from: Nanos::ZERO,
        to: Nanos::NEVER,
        hosts: sim::Hosts::These(vec![0]),
        clients: sim::Hosts::Count(1),
        share: 1.0,
        strength: 1.0,
        add: Nanos::ZERO,
    };
    if failing == Failing::FirstHost { vec![fault] } else { Vec::new() }
}

/// The settings of a case, and Envoy's defaults for the rest.
fn policy(settings: &Settings) -> Policy {
    let span = |ms: u32| nanos(f64::from(ms));
    let limits = sim::Limits {
        max_connections: settings.max_connections,
        max_pending_requests: settings.max_pending_requests,
        max_requests: settings.max_requests,
        retry_limit: settings.retry_limit,
        max_connection_pools: None,
        max_connections_per_host: None,
    };
    let retry = |num_retries| sim::Retry {
        retry_on: sim::RetryOn { server_error_5xx: true, ..sim::RetryOn::default() },
        num_retries,
        per_try_timeout: settings.per_try_timeout.map(span),
        per_try_idle_timeout: None,
        base_interval: span(25),
        max_interval: span(250),
        retriable_status_codes: Vec::new(),
        previous_hosts: false,
        host_selection_retry_max_attempts: 1,
    };
    Policy {
        limits: [limits.clone(), limits],
        upstream: sim::Upstream {
            multiplexes: false,
            connect_timeout: span(settings.connect_timeout),
            max_concurrent_streams: 1024,
            max_requests_per_connection: None,
            idle_timeout: Some(settings.idle_timeout.map_or(Nanos::from_secs(3600.0), span)),
            max_stream_duration: None,
            preconnect_ratio: 1.0,
        },
        route: sim::RoutePolicy {
            timeout: settings.timeout.map(span),
            idle_timeout: Some(Nanos::from_secs(300.0)),
            max_stream_duration: None,
            retry: settings.num_retries.map(retry),
            hedge_on_per_try_timeout: false,
        },
        outlier: settings.consecutive_5xx.map(outlier),
        balancing: sim::Balancing::RoundRobin,
        healthy_panic_threshold: 50.0,
        fail_traffic_on_panic: false,
        update_merge_window: Nanos::SECOND,
        not_simulated: Vec::new(),
    }
}

fn outlier(consecutive_5xx: u32) -> sim::Outlier {
    sim::Outlier {
        consecutive_5xx,
        consecutive_gateway_failure: 5,
        consecutive_local_origin_failure: 5,
        enforcing_consecutive_5xx: 100,
        enforcing_consecutive_gateway_failure: 0,
        enforcing_consecutive_local_origin_failure: 100,
        enforcing_success_rate: 100,
        enforcing_local_origin_success_rate: 100,
        enforcing_failure_percentage: 0,
        enforcing_failure_percentage_local_origin: 0,
        interval: Nanos::from_secs(10.0),
        base_ejection_time: Nanos::from_secs(30.0),
        max_ejection_time: Nanos::from_secs(300.0),
        max_ejection_time_jitter: Nanos::ZERO,
        max_ejection_percent: 10,
        success_rate_minimum_hosts: 5,
        success_rate_request_volume: 100,
        success_rate_stdev_factor: 1900,
        failure_percentage_threshold: 85,
        failure_percentage_minimum_hosts: 5,
        failure_percentage_request_volume: 50,
        split_external_local_origin_errors: false,
        always_eject_one_host: false,
    }
}
