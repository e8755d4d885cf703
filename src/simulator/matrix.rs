//! All ten faults against both policies, one run each: played when nothing else is.

use super::setup::{Setup, plain_fault, prepared};
use crate::engine::sim::matrix::{Cell, Damage};
use crate::engine::sim::{FAULTS, FaultKind, Play};
use std::rc::Rc;

/// The table, and the run that is under way.
pub struct Matrix {
    setup: Rc<Setup>,
    cells: Vec<[Cell; 2]>,
    now: Option<(usize, usize, Play)>,
    is_stopped: bool,
}

impl Matrix {
    /// Nothing is played yet.
    pub fn new(setup: Rc<Setup>) -> Self {
        Self { setup, cells: vec![[Cell::Open, Cell::Open]; FAULTS.len()], now: None, is_stopped: false }
    }

    /// Whether this table is also that of another experiment, which differs in its own fault only.
    pub fn suits(&self, other: &Setup) -> bool {
        let (a, b) = (&*self.setup, other);
        a.policies == b.policies
            && a.names == b.names
            && a.plan == b.plan
            && (a.fault.from, a.fault.to) == (b.fault.from, b.fault.to)
            && a.analysis.scenario == b.analysis.scenario
    }

    /// What is played.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The rows: fault, and what it does to each policy.
    pub fn rows(&self) -> impl Iterator<Item = (FaultKind, &[Cell; 2])> {
        FAULTS.iter().map(|spec| spec.kind).zip(&self.cells)
    }

    /// Cells that are filled.
    pub fn n_filled(&self) -> usize {
        self.cells.iter().flatten().filter(|cell| **cell != Cell::Open).count()
    }

    /// Whether there is nothing left to play, or nobody wants it.
    pub fn rests(&self) -> bool {
        self.is_stopped || self.is_whole()
    }

    /// Whether every cell is filled.
    pub fn is_whole(&self) -> bool {
        self.n_filled() == 2 * self.cells.len()
    }

    /// Whether it was stopped before it was whole.
    pub fn is_stopped(&self) -> bool {
        self.is_stopped && !self.is_whole()
    }

    /// Stops, or goes on.
    pub fn set_stopped(&mut self, is_stopped: bool) {
        self.is_stopped = is_stopped;
    }

    /// Plays a little of it.
    pub fn step(&mut self) {
        let Some((row, side, play)) = &mut self.now else {
            self.begin();
            return;
        };
        if !play.is_done() {
            play.advance();
            return;
        }
        self.cells[*row][*side] = Cell::Played(Damage::of(&play.report()));
        self.now = None;
    }

    /// Begins with the next open cell.
    fn begin(&mut self) {
        let open = |row: &[Cell; 2]| row.iter().position(|cell| *cell == Cell::Open);
        let Some((row, side)) = self.cells.iter().enumerate().find_map(|(at, row)| Some((at, open(row)?)))
        else {
            return;
        };
        let setup = &self.setup;
        let fault = plain_fault(FAULTS[row].kind, &setup.fault, &setup.analysis);
        match prepared(&setup.analysis, &setup.policies[side], &fault, &setup.plan) {
            Ok(prepared) => self.now = Some((row, side, Play::new(prepared.experiment))),
            Err(_) => self.cells[row][side] = Cell::TooLarge,
        }
    }
}
