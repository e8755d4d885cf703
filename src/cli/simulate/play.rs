//! Playing runs, with progress on a terminal.

use headroom::engine::sim::{Experiment, Report, Simulation};
use headroom::engine::units::display::count;
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// Events between two looks at the clock.
const EVENTS: u64 = 200_000;
/// How often a terminal is written to.
const PAUSE: Duration = Duration::from_millis(200);

/// Plays an experiment to its end.
pub fn run(experiment: Experiment, progress: &mut Progress) -> Report {
    progress.begin();
    let mut simulation = Simulation::new(experiment);
    while !simulation.done() {
        simulation.step(EVENTS);
        progress.tell(&simulation);
    }
    progress.end();
    simulation.report()
}

/// How far the runs are; silent where nobody watches.
pub struct Progress {
    is_watched: bool,
    runs: u32,
    run: u32,
    requests: f64,
    told: Instant,
    is_shown: bool,
}

impl Progress {
    /// Of so many runs of so many requests each.
    pub fn new(runs: u32, requests: f64) -> Self {
        let is_watched = std::io::stderr().is_terminal();
        Self { is_watched, runs, run: 0, requests, told: Instant::now(), is_shown: false }
    }

    fn begin(&mut self) {
        self.run += 1;
    }

    fn tell(&mut self, simulation: &Simulation) {
        if !self.is_watched || self.told.elapsed() < PAUSE {
            return;
        }
        self.told = Instant::now();
        self.is_shown = true;
        let done = simulation.report().requests as f64;
        let of = self.requests.max(done);
        let text = format!(
            "\r\u{1b}[KRun {} of {}, {} of about {} requests",
            self.run,
            self.runs,
            count(done),
            count(of)
        );
        // Nobody is left to be told when standard error is gone.
        let _ = std::io::stderr().lock().write_all(text.as_bytes());
    }

    fn end(&self) {
        debug_assert!(self.run <= self.runs, "a run too many");
    }

    /// Takes the line away.
    pub fn clear(&self) {
        if self.is_shown {
            let _ = std::io::stderr().lock().write_all(b"\r\x1b[K");
        }
    }
}
