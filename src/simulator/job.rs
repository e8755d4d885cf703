//! The runs of an experiment: both policies side by side, one seed after the other.

use super::setup::Setup;
use crate::engine::sim::{Play, Report};
use std::rc::Rc;

/// Runs under way.
pub struct Job {
    setup: Rc<Setup>,
    /// The two policies with the seed that is played now.
    pair: [Play; 2],
    /// Runs that are whole, by policy.
    whole: [Vec<Report>; 2],
    /// Requests of the runs that are whole.
    n_before: u64,
}

/// How far the runs are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// The run that is played, from 1.
    pub run: u32,
    /// Of so many.
    pub runs: u32,
    /// Requests played.
    pub done: f64,
    /// Of about so many.
    pub all: f64,
}

impl Job {
    /// Nothing is played yet.
    pub fn new(setup: Rc<Setup>) -> Self {
        let pair = begin(&setup, 0);
        Self { setup, pair, whole: [Vec::new(), Vec::new()], n_before: 0 }
    }

    /// What is played.
    pub fn setup(&self) -> &Rc<Setup> {
        &self.setup
    }

    /// Plays a little of it: some thousand requests.
    pub fn step(&mut self) {
        if self.is_done() {
            return;
        }
        // The two go side by side, so that their lines grow together.
        let [a, b] = &mut self.pair;
        let is_first = !a.is_done() && (b.is_done() || a.now() <= b.now());
        (if is_first { a } else { b }).advance();
        if self.pair.iter().all(Play::is_done) {
            for (play, whole) in self.pair.iter().zip(&mut self.whole) {
                self.n_before += play.requests();
                whole.push(play.report());
            }
            if !self.is_done() {
                self.pair = begin(&self.setup, self.n_whole());
            }
        }
    }

    /// Whether every run is whole.
    pub fn is_done(&self) -> bool {
        self.n_whole() >= self.setup.runs
    }

    /// Runs that are whole.
    pub fn n_whole(&self) -> u32 {
        u32::try_from(self.whole[0].len()).unwrap_or(u32::MAX)
    }

    /// The runs with the first seed, as far as they are.
    pub fn first(&self) -> [Report; 2] {
        match &self.whole {
            [a, b] if !a.is_empty() && !b.is_empty() => [a[0].clone(), b[0].clone()],
            _ => [self.pair[0].report(), self.pair[1].report()],
        }
    }

    /// The runs that are whole, by policy.
    pub fn into_whole(self) -> [Vec<Report>; 2] {
        self.whole
    }

    /// How far it is.
    pub fn progress(&self) -> Progress {
        let now: u64 = if self.is_done() { 0 } else { self.pair.iter().map(Play::requests).sum() };
        let done = (self.n_before + now) as f64;
        Progress {
            run: (self.n_whole() + 1).min(self.setup.runs),
            runs: self.setup.runs,
            done,
            // Arrivals are random, so there may be a few more than expected.
            all: self.setup.requests().max(done),
        }
    }
}

fn begin(setup: &Setup, run: u32) -> [Play; 2] {
    [Play::new(setup.experiment(0, run)), Play::new(setup.experiment(1, run))]
}
