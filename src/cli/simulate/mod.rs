//! `headroom simulate`: a scenario, a policy and faults in, what happens out.

mod csv;
mod faults;
mod json;
mod numbers;
mod play;
mod policies;
mod request;
mod text;

use crate::output::write;
use crate::problems::Complaint;
use crate::words::Words;
use headroom::engine::sim::compare::PolicyName;
use headroom::engine::sim::verdict::{Side, Verdict, verdict};
use headroom::engine::sim::{Policy, Report};
use request::{Format, Request};
use std::process::ExitCode;

/// A policy with its runs.
pub struct Played {
    /// What to call it.
    pub name: PolicyName,
    /// The policy.
    pub policy: Policy,
    /// The runs, in the order of the seeds.
    pub reports: Vec<Report>,
    /// What was assumed about this policy only.
    pub notes: Vec<String>,
}

/// Everything that was played.
pub struct Answer {
    /// One policy or two.
    pub played: Vec<Played>,
    /// What it shows, in words.
    pub verdict: Verdict,
    /// What was assumed of all runs, as sentences.
    pub assumptions: Vec<String>,
    /// The faults, as a faults file has them.
    pub faults: String,
    /// The faults, each in its kind's words, for a person.
    pub fault_titles: Vec<String>,
    /// Length of a run in seconds.
    pub duration_s: f64,
}

/// Answers the words.
///
/// # Errors
///
/// Everything that makes the input unusable.
pub fn run(words: Words) -> Result<ExitCode, Vec<Complaint>> {
    let request = request::read(words)?;
    let format = request.format;
    let answer = play(request);
    let text = match format {
        Format::Text => text::document(&answer),
        Format::Json => json::document(&answer),
        Format::Csv => csv::document(&answer),
    };
    match write(&text) {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(code) => Ok(code),
    }
}

fn play(request: Request) -> Answer {
    let Request { contestants, assumptions, faults, fault_titles, runs, experiment, requests, .. } = request;
    let mut progress = play::Progress::new(runs * u32::try_from(contestants.len()).unwrap_or(1), requests);
    let seed = experiment.run.seed;
    let played: Vec<Played> = contestants
        .into_iter()
        .map(|contestant| {
            let reports = (0..runs).map(|run| {
                let mut experiment = experiment.clone();
                experiment.policy = contestant.policy.clone();
                experiment.run.seed = seed.wrapping_add(u64::from(run));
                play::run(experiment, &mut progress)
            });
            let reports = reports.collect();
            Played { name: contestant.name, policy: contestant.policy, reports, notes: contestant.notes }
        })
        .collect();
    progress.clear();
    let sides: Vec<Side<'_>> =
        played.iter().map(|p| Side { name: p.name, policy: &p.policy, reports: &p.reports }).collect();
    let verdict = verdict(&experiment, &sides);
    let duration_s = experiment.run.duration.as_secs();
    Answer { played, verdict, assumptions, faults, fault_titles, duration_s }
}
