//! The rules, with the very numbers that were measured on a real Envoy.

mod breakers;
mod connections;
mod faults;
mod health;
mod retries;
mod timeouts;
mod whole;

use super::World;
use super::arrive::Ask;
use crate::engine::sim::event::Event;
use crate::engine::sim::record::End;
use crate::engine::sim::slab::NONE;
use crate::engine::sim::testing;
use crate::engine::sim::{
    Arrivals, Balancing, Caller, Experiment, Fleet, HostModel, Limits, Load, Nanos, Outlier, Policy,
    ResponseShape, Retry, RetryLimit, RetryOn, RoutePolicy, Run, Service, Upstream,
};

const MS: u64 = 1_000_000;
/// Long after everything.
const LATE: u64 = 1_000_000 * MS;

fn ms(n: u64) -> Nanos {
    Nanos(n * MS)
}

/// One proxy with one worker, one host that takes 400 ms, limits as Envoy has them.
fn base() -> Experiment {
    // A connection and a stream may idle for ever: a test moves time by hand.
    let policy = testing::policy();
    let policy = Policy {
        upstream: Upstream { idle_timeout: None, ..policy.upstream },
        route: RoutePolicy { idle_timeout: None, ..policy.route },
        ..policy
    };
    Experiment {
        load: Load {
            rate_per_client: 0.0,
            arrivals: Arrivals::Poisson,
            patterns: Vec::new(),
            high_priority_share: 0.0,
            caller: Caller::default(),
        },
        fleet: Fleet { simulated: 1, clients: 1, workers: 1, envoy_minor: 40 },
        hosts: HostModel {
            count: 1,
            service: Service::Constant(ms(400)),
            response: ResponseShape::AtOnce,
            error_rate: 0.0,
            fails_as_grpc: false,
            slots: None,
            knee: None,
            connect: ms(1),
            peer_max_concurrent_streams: None,
            keepalive: None,
        },
        policy,
        faults: Vec::new(),
        run: Run { duration: Nanos(LATE), warm_up: Nanos::ZERO, seed: 1, bucket: ms(10_000_000) },
    }
}

fn retry(words: &[&str], num_retries: u32) -> Retry {
    Retry {
        retry_on: RetryOn::from_words(words.iter().copied()),
        num_retries,
        per_try_timeout: None,
        per_try_idle_timeout: None,
        base_interval: ms(25),
        max_interval: ms(250),
        retriable_status_codes: Vec::new(),
        previous_hosts: false,
        host_selection_retry_max_attempts: 1,
    }
}

/// `outlier_detection: {}` without the success rate, with up to all hosts ejected.
fn outlier() -> Outlier {
    Outlier {
        enforcing_success_rate: 0,
        enforcing_local_origin_success_rate: 0,
        max_ejection_percent: 100,
        ..testing::outlier()
    }
}

/// A world that is fed by hand.
struct Fed {
    world: World,
    asked: u64,
}

impl Fed {
    fn new(experiment: Experiment) -> Self {
        let mut world = World::new(experiment);
        // Keeps the run going while nothing is on its way.
        world.schedule(LATE - 1, Event::Paced { client: 0 });
        Self { world, asked: 0 }
    }

    /// So many requests at that moment.
    fn ask(&mut self, at: u64, n: u32) -> &mut Self {
        self.run_to(at);
        for _ in 0..n {
            self.world.arrive(Ask { client: 0, key: self.asked, caller: NONE, asks_left: 0 });
            self.world.follow_up();
            self.asked += 1;
        }
        self
    }

    fn run_to(&mut self, at: u64) -> &mut Self {
        while self.world.step(at) {}
        self.world.advance(at);
        self
    }

    /// Runs until nothing of what was asked is left, for at most ten minutes.
    fn finish(&mut self) -> &mut Self {
        let at = self.world.now + 600_000 * MS;
        self.run_to(at)
    }

    fn counter(&self, name: &str) -> u64 {
        crate::engine::sim::summary::report(&self.world)
            .counters
            .get(name)
            .copied()
            .expect("a counter of that name")
    }

    /// Requests that ended so.
    fn ended(&self, end: End) -> usize {
        self.world.log.0.iter().filter(|(e, _)| *e == end).count()
    }

    /// When the requests ended that ended so, in milliseconds.
    fn times(&self, end: End) -> Vec<u64> {
        self.world.log.0.iter().filter(|(e, _)| *e == end).map(|(_, at)| at / MS).collect()
    }

    /// Hosts and times (ms) at which attempts got a connection.
    fn sent(&self) -> Vec<(u32, u64)> {
        self.world.log.1.iter().map(|&(host, at)| (host, at / MS)).collect()
    }
}

/// All at once at time zero, to the end.
fn parallel(experiment: Experiment, n: u32) -> Fed {
    let mut fed = Fed::new(experiment);
    fed.ask(0, n).finish();
    fed
}

/// For the tests of other modules.
pub fn experiment() -> Experiment {
    base()
}
