//! All ten faults against one policy or several, one run each: what each fault costs.
//!
//! Faults are as strong as they are by default and come in the middle third of a minute, all runs have
//! one seed. A table that is too large is played by fewer proxies, as every run is.

use super::compare::{served, share, window};
use super::setup::{Bounds, Plan, prepare};
use super::{Before, FAULTS, Fault, FaultKind, Nanos, Play, Policy, Recovery, Report};
use crate::engine::analysis::Analysis;
use crate::engine::units::display::{self, NBSP};
use crate::engine::units::{Millis, Share};

/// What a fault costs a policy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Damage {
    /// Share served before the fault less the share served during it; zero where it is not less.
    pub lost: f64,
    /// Share refused by a limit during the fault.
    pub refused: f64,
    /// How it recovered.
    pub recovery: Option<Recovery>,
}

impl Damage {
    /// Of a run.
    pub fn of(report: &Report) -> Self {
        let part = |part: Before| window(report, part).map(|w| w.outcomes);
        let during = part(Before::During).unwrap_or_default();
        let before = part(Before::Before).and_then(|o| served(&o)).unwrap_or(1.0);
        Self {
            lost: (before - served(&during).unwrap_or(before)).max(0.0),
            refused: share(during.refused(), &during).unwrap_or(0.0),
            recovery: report.recovery,
        }
    }

    /// Goodput lost, refused, recovered: in words.
    pub fn words(&self) -> [String; 3] {
        [tenths(self.lost), tenths(self.refused), back(self.recovery)]
    }
}

/// A share to a tenth of a percent: columns are compared by eye.
fn tenths(share: f64) -> String {
    if share > 0.0 && share < 0.0005 {
        return format!("<{NBSP}0.1%");
    }
    if share >= 0.1 { display::share(Share(share)) } else { format!("{:.1}%", share * 100.0) }
}

/// When it served as before again, counted from the start of the fault.
fn back(recovery: Option<Recovery>) -> String {
    let seconds = |s: f64| format!("{}{NBSP}s", display::number(display::round_to(s, 2)));
    let Some(recovery) = recovery else { return "unknown".to_owned() };
    match (recovery.hurt, recovery.during_s, recovery.after_s) {
        (false, ..) => "not hurt".to_owned(),
        (true, _, None) => "stays down".to_owned(),
        (true, Some(s), _) => seconds(s),
        (true, None, Some(s)) if s < 0.5 => "with its end".to_owned(),
        (true, None, Some(s)) => format!("{} after it", seconds(s)),
    }
}

/// A place of the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell {
    /// Not played yet.
    Open,
    /// Too large to be played, by its requests or by the attempts that they become.
    TooLarge,
    /// Played.
    Played(Damage),
}

/// Sizes of a run, in requests, that are tried one after the other: twenty of the first take well below
/// a second, and the second is for proxies that are too busy for it.
const REQUESTS: [f64; 2] = [2e5, 1e6];

/// Events of one run, at most; some seconds of one core. A policy that retries a million times makes of a few
/// requests more attempts than anybody waits for.
const MAX_EVENTS: u64 = 20_000_000;

/// The table, and the run that is under way.
pub struct Matrix {
    analysis: Analysis,
    policies: Vec<Policy>,
    plan: Plan,
    /// By fault, then by policy.
    cells: Vec<Vec<Cell>>,
    now: Option<(usize, usize, Play)>,
    assumptions: Vec<String>,
    max_events: u64,
}

impl Matrix {
    /// Nothing is played yet.
    pub fn new(analysis: &Analysis, policies: Vec<Policy>) -> Self {
        let cells = vec![vec![Cell::Open; policies.len()]; FAULTS.len()];
        let plan = Plan::DEFAULT;
        let mut matrix = Self {
            analysis: analysis.clone(),
            policies,
            plan,
            cells,
            now: None,
            assumptions: Vec::new(),
            max_events: MAX_EVENTS,
        };
        if let Some(policy) = matrix.policies.first() {
            let prepared = matrix.prepare(policy, &matrix.fault(FaultKind::Latency));
            matrix.assumptions = prepared.map(|p| p.1).unwrap_or_default();
        }
        matrix
    }

    /// The rows: fault, and what it costs each policy.
    pub fn rows(&self) -> impl Iterator<Item = (FaultKind, &[Cell])> {
        FAULTS.iter().map(|spec| spec.kind).zip(self.cells.iter().map(Vec::as_slice))
    }

    /// The seed of all runs.
    pub fn seed(&self) -> u64 {
        self.plan.seed
    }

    /// Events of one run, at most.
    pub fn max_events(&self) -> u64 {
        self.max_events
    }

    /// Length of a run, and when its fault begins and ends, in seconds.
    pub fn span_s(&self) -> [f64; 3] {
        let third = self.plan.duration.as_secs() / 3.0;
        [3.0 * third, third, 2.0 * third]
    }

    /// What the runs assume, as sentences.
    pub fn assumptions(&self) -> &[String] {
        &self.assumptions
    }

    /// Places that are filled, and all of them.
    pub fn progress(&self) -> (usize, usize) {
        let all = self.cells.iter().flatten();
        (all.clone().filter(|cell| **cell != Cell::Open).count(), all.count())
    }

    /// Whether every place is filled.
    pub fn is_whole(&self) -> bool {
        let (filled, all) = self.progress();
        filled == all
    }

    /// Plays a little of it: about a millisecond.
    pub fn step(&mut self) {
        match &mut self.now {
            None => self.begin(),
            Some((row, at, play)) if play.is_done() => {
                self.cells[*row][*at] = Cell::Played(Damage::of(&play.report()));
                self.now = None;
            }
            Some((row, at, play)) if play.events() > self.max_events => {
                self.cells[*row][*at] = Cell::TooLarge;
                self.now = None;
            }
            Some((.., play)) => play.advance(),
        }
    }

    /// Plays all of it.
    pub fn play(&mut self) {
        while !self.is_whole() {
            self.step();
        }
    }

    /// Begins with the next open place.
    fn begin(&mut self) {
        let open = |row: &Vec<Cell>| row.iter().position(|cell| *cell == Cell::Open);
        let Some((row, at)) =
            self.cells.iter().enumerate().find_map(|(row, cells)| Some((row, open(cells)?)))
        else {
            return;
        };
        match self.prepare(&self.policies[at], &self.fault(FAULTS[row].kind)) {
            Some((play, _)) => self.now = Some((row, at, play)),
            None => self.cells[row][at] = Cell::TooLarge,
        }
    }

    fn prepare(&self, policy: &Policy, fault: &Fault) -> Option<(Play, Vec<String>)> {
        let prepared = REQUESTS.into_iter().find_map(|requests| {
            let plan = Plan { bounds: Bounds { requests, ..Bounds::PAGE }, ..self.plan };
            prepare(&self.analysis, policy, std::slice::from_ref(fault), &plan).ok()
        })?;
        Some((Play::new(prepared.experiment), prepared.assumptions))
    }

    fn fault(&self, kind: FaultKind) -> Fault {
        let s = &self.analysis.scenario;
        let [_, from, to] = self.span_s().map(|s| Nanos::of(Millis::from_secs(s)));
        kind.fault(from, to, s.hosts, s.clients)
    }
}

#[cfg(test)]
mod tests {
    use super::{Cell, Matrix};
    use crate::engine::analyze;
    use crate::engine::scenario::Preset;
    use crate::engine::sim::policies::default_retry;
    use crate::engine::sim::{FAULTS, FaultTable, Nanos, Policy, Retry, RetryLimit, RetryOn};

    fn played() -> Matrix {
        let mut scenario = Preset::first_paint().scenario();
        // A tenth of it, so that an unoptimized build is done in a second.
        scenario.rps.0 /= 10.0;
        let analysis = analyze(&scenario).expect("a preset can be sized");
        let policies = vec![Policy::recommended(&analysis), Policy::envoy_defaults(&scenario)];
        let mut matrix = Matrix::new(&analysis, policies);
        matrix.play();
        matrix
    }

    #[test]
    fn a_policy_that_retries_without_end_ends() {
        let mut scenario = Preset::first_paint().scenario();
        (scenario.rps.0, scenario.clients, scenario.hosts, scenario.hosts_lost) = (50.0, 1, 1, 0);
        let analysis = analyze(&scenario).expect("one host can be sized");
        let mut policy = Policy::envoy_defaults(&scenario);
        policy.limits[0].retry_limit = RetryLimit::MaxRetries(u32::MAX);
        policy.route.timeout = None;
        policy.route.retry = Some(Retry {
            retry_on: RetryOn::from_words(["5xx"]),
            num_retries: 1_000_000,
            base_interval: Nanos::MILLI,
            max_interval: Nanos::MILLI,
            ..default_retry()
        });
        let mut matrix = Matrix::new(&analysis, vec![policy]);
        assert_eq!(matrix.max_events(), 20_000_000);
        // An unoptimized build is done sooner.
        matrix.max_events = 40_000;
        matrix.play();
        let cells: Vec<Cell> = matrix.rows().flat_map(|(_, cells)| cells.to_vec()).collect();
        assert!(cells.contains(&Cell::TooLarge), "{cells:?}");
        assert!(cells.iter().any(|cell| matches!(cell, Cell::Played(_))), "{cells:?}");
        let table = FaultTable::of(&matrix, &["Pasted".to_owned()]);
        assert!(table.about.contains("a run of more than 40,000 events"), "{}", table.about);
    }

    #[test]
    fn every_fault_is_played_and_twice_the_same() {
        let matrix = played();
        assert_eq!(matrix.progress(), (2 * FAULTS.len(), 2 * FAULTS.len()));
        assert!(matrix.rows().all(|(_, cells)| cells.iter().all(|c| matches!(c, Cell::Played(_)))));
        assert_eq!((matrix.seed(), matrix.span_s()), (42, [60.0, 20.0, 40.0]));
        assert!(matrix.assumptions()[0].contains("Poisson"), "{:?}", matrix.assumptions());
        let again = played();
        assert!(matrix.rows().zip(again.rows()).all(|(a, b)| a == b));
    }
}
