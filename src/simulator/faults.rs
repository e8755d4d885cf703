//! The table of all faults for a document: what the Review view asks this module for, as text.

use crate::engine::analyze;
use crate::engine::params::ParamId;
use crate::engine::scenario::Draft;
use crate::engine::sim::HandedOver as Pasted;
use crate::engine::sim::matrix::Matrix;
use crate::engine::sim::{FaultTable, Policy};

/// How long it works at a time, in milliseconds.
const SLICE_MS: f64 = 40.0;

/// A table that is played in slices.
#[derive(Default)]
pub struct Faults {
    matrix: Option<Matrix>,
    names: Vec<String>,
}

impl Faults {
    /// Begins with a scenario: the recommended policy against the pasted one, or against Envoy's defaults.
    pub fn begin(&mut self, inputs: &[(ParamId, String)], pasted: Option<&str>) {
        let mut draft = Draft::default();
        for (id, text) in inputs {
            draft.set(*id, text.clone());
        }
        self.matrix = None;
        let Ok(analysis) = draft.check().and_then(|scenario| analyze(&scenario)) else { return };
        let second = match pasted.map(Pasted::from_json) {
            Some(Pasted::Read(reading)) => ("Pasted", reading.policy),
            _ => ("Envoy's default", Policy::envoy_defaults(&analysis.scenario)),
        };
        self.names = vec!["Recommended".to_owned(), second.0.to_owned()];
        self.matrix = Some(Matrix::new(&analysis, vec![Policy::recommended(&analysis), second.1]));
    }

    /// Plays for a slice; the table as far as it is, as text. Empty where there is nothing to play.
    pub fn go_on(&mut self, clock: &dyn Fn() -> f64) -> String {
        let Some(matrix) = &mut self.matrix else { return String::new() };
        let start = clock();
        while !matrix.is_whole() && clock() - start < SLICE_MS {
            matrix.step();
        }
        FaultTable::of(matrix, &self.names).to_text()
    }
}
