//! A run, from the outside.

use super::rates::Rates;
use super::world::World;
use super::{Arrivals, Experiment, Nanos, Report, Service};

/// A run: made from an [`Experiment`], run in pieces, asked for a [`Report`] at any time.
///
/// ```
/// use headroom::engine::sim::{Nanos, Simulation};
/// # fn example(experiment: headroom::engine::sim::Experiment) {
/// let mut simulation = Simulation::new(experiment);
/// while simulation.step(10_000) {
///     // Draw, or stop.
/// }
/// let report = simulation.report();
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Simulation {
    world: World,
}

impl Simulation {
    /// A run that has not begun: no connection is open.
    pub fn new(experiment: Experiment) -> Self {
        Self { world: World::new(experiment) }
    }

    /// Handles up to so many events. Whether there is more to do.
    pub fn step(&mut self, max_events: u64) -> bool {
        for _ in 0..max_events {
            if !self.world.step(u64::MAX) {
                break;
            }
        }
        !self.world.done
    }

    /// Handles everything up to and including that moment. Whether there is more to do.
    pub fn run_until(&mut self, until: Nanos) -> bool {
        while self.world.step(until.0) {}
        !self.world.done
    }

    /// Runs to the end.
    pub fn run(&mut self) {
        self.run_until(Nanos::NEVER);
    }

    /// How far the run has come.
    pub fn now(&self) -> Nanos {
        Nanos(self.world.now)
    }

    /// Whether every request has ended and none will come.
    pub fn done(&self) -> bool {
        self.world.done
    }

    /// Requests that have arrived so far, those of the warm-up and of callers who ask again
    /// included.
    pub fn arrived(&self) -> u64 {
        self.world.arrived
    }

    /// Requests that have ended so far and count.
    pub fn ended(&self) -> u64 {
        self.world.record.ended
    }

    /// Events handled so far.
    pub fn events(&self) -> u64 {
        self.world.events
    }

    /// What the run has shown so far.
    pub fn report(&self) -> Report {
        super::summary::report(&self.world)
    }
}

impl Experiment {
    /// About how many requests will arrive, so that a caller can refuse what takes too long.
    ///
    /// Exact on average for an open loop. Callers of a closed loop think and are served by turns,
    /// which is an estimate from below of the time and from above of the requests. Callers who ask
    /// again are not in it.
    pub fn expected_requests(&self) -> f64 {
        let Arrivals::Closed { callers, think } = self.load.arrivals else {
            return Rates::new(self).expected();
        };
        let service = match &self.hosts.service {
            Service::Constant(time) | Service::Exponential(time) => time.0 as f64,
            Service::Percentiles { model, scale } => model.mean().0 * scale * Nanos::MILLI.0 as f64,
        };
        // A refusal takes no time; such a caller asks a thousand times a second.
        let turn = (think.0 as f64 + service).max(1.0);
        f64::from(callers) * f64::from(self.fleet.simulated) * self.run.duration.0 as f64 / turn
    }
}
