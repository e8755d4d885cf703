//! Confidence intervals over replications.

use super::setting::run;
use headroom::engine::sim::{Experiment, Report};

/// How many replications, and the 99.5 % point of Student's t with one degree of freedom less.
const N_REPLICATIONS: u64 = 20;
const STUDENT_T: f64 = 2.860_934_606;

/// The reports of all replications of an experiment.
pub fn replications(experiment: impl Fn(u64) -> Experiment) -> Vec<Report> {
    (1..=N_REPLICATIONS).map(|seed| run(experiment(seed))).collect()
}

/// Mean and standard deviation of a figure over replications.
fn moments(reports: &[Report], figure: impl Fn(&Report) -> f64) -> (f64, f64) {
    let figures: Vec<f64> = reports.iter().map(figure).collect();
    let n = figures.len() as f64;
    let mean = figures.iter().sum::<f64>() / n;
    let variance = figures.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean, variance.sqrt())
}

/// How far single runs spread: one standard deviation.
pub fn deviation(reports: &[Report], figure: impl Fn(&Report) -> f64) -> f64 {
    moments(reports, figure).1
}

/// Mean of a figure over replications, and half the width of its 99 % confidence interval.
pub fn interval(reports: &[Report], figure: impl Fn(&Report) -> f64) -> (f64, f64) {
    let (mean, deviation) = moments(reports, figure);
    (mean, STUDENT_T * deviation / (reports.len() as f64).sqrt())
}

/// Fails unless the theory's value is in the interval, which must be narrow enough to say something:
/// half of it at most a tenth of the value. `reading` is the error of the figure itself.
#[track_caller]
pub fn assert_agrees(what: &str, (mean, half): (f64, f64), want: f64, reading: f64) {
    assert!(half <= 0.1 * want, "{what}: {mean} ± {half} is too wide to say anything about {want}");
    assert!((mean - want).abs() <= half + reading, "{what}: {mean} ± {half}, and theory says {want}");
}
