//! How many requests a second this module plays: M/M/c/K, the plainest run there is.

use crate::engine::sim::Play;
use crate::engine::sim::{
    Arrivals, Caller, Experiment, Fleet, HostModel, Load, Nanos, Policy, ResponseShape, Run, Service,
};

/// Servers of the queue, places in it, and what is offered to each.
const SERVERS: u32 = 8;
const PLACES: u32 = 32;
const RATE: f64 = 7_200.0;
const SERVICE: Nanos = Nanos(1_000_000);

/// One proxy, one host with so many servers, and a limit on what may be there at once.
pub fn experiment(policy: Policy, seconds: f64) -> Experiment {
    let mut policy = policy;
    for limits in &mut policy.limits {
        limits.max_requests = PLACES;
    }
    Experiment {
        load: Load {
            rate_per_client: RATE,
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
            slots: Some(SERVERS),
            knee: None,
            connect: Nanos::ZERO,
            peer_max_concurrent_streams: None,
            keepalive: None,
        },
        policy,
        faults: Vec::new(),
        run: Run {
            duration: Nanos::from_secs(seconds),
            warm_up: Nanos::ZERO,
            seed: 42,
            bucket: Nanos::SECOND,
        },
    }
}

/// Requests a second, measured over so many seconds of the model's time.
pub fn measure(seconds: f64, clock: &dyn Fn() -> f64) -> f64 {
    let Some(preset) = crate::engine::scenario::PRESETS.first() else { return 0.0 };
    let policy = Policy::envoy_defaults(&preset.scenario());
    let mut play = Play::new(experiment(policy, seconds));
    let start = clock();
    while !play.is_done() {
        play.advance();
    }
    play.requests() as f64 / ((clock() - start) / 1000.0).max(1e-9)
}
