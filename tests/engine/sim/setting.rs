//! Experiments: the plainest one, from which every test changes what it is about.

use headroom::engine::sim::{
    Arrivals, Balancing, Caller, Experiment, Fleet, HostModel, Limits, Load, Nanos, Policy, Report,
    ResponseShape, RetryLimit, RoutePolicy, Run, Service, Simulation, Upstream,
};

/// The mean time in service of every queue here; all times of theory are in units of it.
pub const SERVICE: Nanos = Nanos(10_000_000);

/// Nothing is limited, nothing times out, connections cost nothing, one connection carries all.
fn unlimited() -> Policy {
    let limits = Limits {
        max_connections: u32::MAX,
        max_pending_requests: u32::MAX,
        max_requests: u32::MAX,
        retry_limit: RetryLimit::MaxRetries(u32::MAX),
        max_connection_pools: None,
        max_connections_per_host: None,
    };
    Policy {
        limits: [limits.clone(), limits],
        upstream: Upstream {
            multiplexes: true,
            connect_timeout: Nanos(5 * Nanos::SECOND.0),
            max_concurrent_streams: u32::MAX,
            max_requests_per_connection: None,
            idle_timeout: None,
            max_stream_duration: None,
            preconnect_ratio: 1.0,
        },
        route: RoutePolicy {
            timeout: None,
            idle_timeout: None,
            max_stream_duration: None,
            retry: None,
            hedge_on_per_try_timeout: false,
        },
        outlier: None,
        balancing: Balancing::RoundRobin,
        healthy_panic_threshold: 50.0,
        fail_traffic_on_panic: false,
        update_merge_window: Nanos::SECOND,
        not_simulated: Vec::new(),
    }
}

/// One proxy with one worker, one host, exponential times in service, Poisson arrivals of so many
/// erlangs; about so many requests, of which the first fifth is not counted.
pub fn queue(offered: f64, n_requests: u32, seed: u64) -> Experiment {
    let rate = offered / SERVICE.as_secs();
    let duration = Nanos::from_secs(f64::from(n_requests) / rate);
    Experiment {
        load: Load {
            rate_per_client: rate,
            arrivals: Arrivals::Poisson,
            patterns: Vec::new(),
            high_priority_share: 0.0,
            caller: Caller::default(),
        },
        fleet: Fleet { simulated: 1, clients: 1, workers: 1, envoy_minor: 40 },
        hosts: HostModel {
            count: 1,
            service: Service::Exponential(SERVICE),
            response: ResponseShape::AtOnce,
            error_rate: 0.0,
            fails_as_grpc: false,
            slots: None,
            knee: None,
            connect: Nanos::ZERO,
            peer_max_concurrent_streams: None,
            keepalive: None,
        },
        policy: unlimited(),
        faults: Vec::new(),
        run: Run { duration, warm_up: Nanos(duration.0 / 5), seed, bucket: Nanos::SECOND },
    }
}

/// M/M/c/K: an HTTP/1.1 pool of `servers` connections with room for `places - servers` to wait.
pub fn mmck(offered: f64, servers: u32, places: u32, n_requests: u32, seed: u64) -> Experiment {
    let mut experiment = queue(offered, n_requests, seed);
    experiment.policy.upstream.multiplexes = false;
    let limits = &mut experiment.policy.limits[0];
    limits.max_connections = servers;
    limits.max_pending_requests = places - servers;
    experiment
}

/// Runs an experiment to its end.
pub fn run(experiment: Experiment) -> Report {
    let mut simulation = Simulation::new(experiment);
    simulation.run();
    simulation.report()
}
