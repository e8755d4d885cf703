//! A run in steps.

use super::{Experiment, Nanos, Report, Simulation};

/// Events of a step: about a millisecond.
const EVENTS: u64 = 5_000;

/// How long a run is followed beyond its last arrival: what is then still in flight, is counted as
/// such. A stream may live for hours, and one to a host that is cut off for ever.
const PATIENCE: Nanos = Nanos(86_400 * Nanos::SECOND.0);

/// A run under way.
pub struct Play {
    simulation: Simulation,
    /// When nobody waits for it any more.
    end: Nanos,
}

impl Play {
    /// Nothing is played yet.
    pub fn new(experiment: Experiment) -> Self {
        let end = experiment.run.duration.after(PATIENCE);
        Self { simulation: Simulation::new(experiment), end }
    }

    /// Plays a little of it.
    pub fn advance(&mut self) {
        self.simulation.step(EVENTS);
    }

    /// How far it has come.
    pub fn now(&self) -> Nanos {
        self.simulation.now()
    }

    /// Whether it is over.
    pub fn is_done(&self) -> bool {
        self.simulation.done() || self.simulation.now() >= self.end
    }

    /// Events handled so far: what it has cost.
    pub fn events(&self) -> u64 {
        self.simulation.events()
    }

    /// Requests that have arrived.
    pub fn requests(&self) -> u64 {
        self.simulation.arrived()
    }

    /// What it has shown so far.
    pub fn report(&self) -> Report {
        let mut report = self.simulation.report();
        report.done |= self.is_done();
        report
    }
}
