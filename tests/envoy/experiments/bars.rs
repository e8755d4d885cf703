//! How far a number may be from the recorded one.

use super::case::Measure;
use super::run::Run;
use serde::{Deserialize, Serialize};

/// A measure over the runs of a case.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    pub mean: f64,
    /// Standard deviation of one run.
    pub sigma: f64,
}

impl Summary {
    /// Of values, at least two.
    pub fn of(values: &[f64]) -> Self {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0);
        Self { mean, sigma: variance.sqrt() }
    }

    /// A measure of runs.
    pub fn of_runs(runs: &[Run], measure: Measure) -> Self {
        Self::of(&runs.iter().map(|run| run.value(measure)).collect::<Vec<_>>())
    }

    /// The bar: two standard deviations of a run, or a tenth of what was recorded.
    pub fn tolerance(&self, recorded: f64) -> f64 {
        const RELATIVE: f64 = 0.1;
        (2.0 * self.sigma).max(RELATIVE * recorded.abs())
    }
}

/// A comparison, in words; with whether it holds.
pub fn compare(what: &str, value: f64, recorded: f64, spread: &Summary) -> (String, bool) {
    let tolerance = spread.tolerance(recorded);
    // Not a number is beyond.
    let holds = (value - recorded).abs() <= tolerance;
    let verdict = if holds { "" } else { "  <-- beyond the bar" };
    (format!("{what}: {value:.4}, recorded {recorded:.4} ± {tolerance:.4}{verdict}"), holds)
}
