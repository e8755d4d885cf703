//! The simulator against what was recorded.

use super::bars::{Summary, compare};
use super::case::Case;
use super::groups::groups;
use super::record::{Recorded, RecordedCase};
use super::simulator;
use headroom::engine::sim::{Experiment, Report, Simulation};

/// Simulated runs of a case: they are cheap, so that their mean is sharp.
const N_SEEDS: u64 = 20;

/// A measure of a case, in words, and whether it is within the bar.
pub struct Verdict {
    pub text: String,
    pub holds: bool,
}

/// Plays every case that the simulator has hosts for; `simulate` runs an experiment to its end.
pub fn judge(simulate: &dyn Fn(Experiment) -> Report) -> Vec<Verdict> {
    let mut verdicts = Vec::new();
    for group in groups() {
        let file = Recorded::load(&group);
        for case in &group.cases {
            verdicts.extend(judge_case(case, file.of(case), simulate));
        }
    }
    verdicts
}

pub fn judge_case(
    case: &Case,
    recorded: &RecordedCase,
    simulate: &dyn Fn(Experiment) -> Report,
) -> Vec<Verdict> {
    let experiments = (1..=N_SEEDS).filter_map(|seed| simulator::experiment(case, &recorded.runs, seed));
    let reports: Vec<Report> = experiments.map(simulate).collect();
    if reports.is_empty() {
        return Vec::new();
    }
    let verdict = |measure: &super::case::Measure| {
        let values: Vec<f64> = reports.iter().map(|report| simulator::value(report, *measure)).collect();
        let spread = &recorded.measures[measure.name()];
        let what = format!("{} {}", case.id, measure.name());
        let (text, holds) = compare(&what, Summary::of(&values).mean, spread.mean, spread);
        Verdict { text, holds }
    };
    case.measures.iter().map(verdict).collect()
}

/// The proof: what the simulator says of each case is within the bar of what a real Envoy did.
#[test]
fn the_simulator_does_what_was_recorded() {
    let verdicts = judge(&|experiment| {
        let mut simulation = Simulation::new(experiment);
        simulation.run();
        simulation.report()
    });
    assert!(!verdicts.is_empty());
    for verdict in &verdicts {
        println!("{} {}", if verdict.holds { "ok  " } else { "MISS" }, verdict.text);
    }
    let misses: Vec<&str> = verdicts.iter().filter(|v| !v.holds).map(|v| v.text.as_str()).collect();
    assert!(
        misses.is_empty(),
        "{} of {} beyond the bar:\n{}",
        misses.len(),
        verdicts.len(),
        misses.join("\n")
    );
}
