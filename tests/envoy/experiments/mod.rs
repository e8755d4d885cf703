//! Experiments with a real Envoy, as data: what it does under load, recorded for the simulator.
//!
//! A [`case::Case`] is the whole experiment. From it come Envoy's configuration and the hosts
//! ([`run`]), and an experiment of the simulator ([`simulator`]). What Envoy did is recorded
//! (`tests/vectors/envoy`), the suite repeats a part of it and compares, and the simulator has to
//! show the same numbers.
//!
//! `RECORD=a,c-attempts .ci/with .ci/test envoy` records the cases whose ids start so.

mod against;
mod bars;
mod case;
mod checks;
mod groups;
mod held_back;
mod listeners;
mod record;
mod run;
mod server;
mod simulator;
mod yaml;

use crate::process::machine;
use bars::compare;
use case::Case;
use groups::groups;
use record::Recorded;
use run::Run;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Cases at once: their time is sleep.
const N_LANES: usize = 3;

/// A run that was done, with the release of the proxy.
type Done = (Run, String);

/// Does these runs, in their order. Those for which the machine was too busy are done again, one at a
/// time.
fn run_all(jobs: &[(&Case, u64)]) -> Vec<Done> {
    let first: Vec<Result<Done, String>> = run_in_lanes(jobs);
    jobs.iter()
        .zip(first)
        .map(|((case, seed), done)| done.unwrap_or_else(|why| again(case, *seed, why)))
        .collect()
}

fn again(case: &Case, seed: u64, why: String) -> Done {
    const MOST_TRIES: usize = 3;
    let mut reasons = vec![why];
    for _ in 0..MOST_TRIES {
        println!("again: {}", reasons[reasons.len() - 1]);
        match run::run(case, seed) {
            Ok(done) => return done,
            Err(why) => reasons.push(why),
        }
    }
    panic!("no run counts:\n{}", reasons.join("\n"));
}

fn run_in_lanes(jobs: &[(&Case, u64)]) -> Vec<Result<Done, String>> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..N_LANES {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some((case, seed)) = jobs.get(at) else { return };
                    let run = run::run(case, *seed);
                    done.lock().expect("no lane has failed").push((at, run));
                }
            });
        }
    });
    let mut done = done.into_inner().expect("no lane has failed");
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, done)| done).collect()
}

/// Records what `RECORD` names.
fn record(starts: &str) {
    let starts: Vec<&str> = starts.split(',').collect();
    for group in groups() {
        let is_meant = |case: &&Case| starts.iter().any(|start| case.id.starts_with(start));
        let cases: Vec<&Case> = group.cases.iter().filter(is_meant).collect();
        if cases.is_empty() {
            continue;
        }
        let jobs: Vec<(&Case, u64)> =
            cases.iter().flat_map(|case| (1..=case.runs).map(|seed| (*case, seed))).collect();
        let mut done = run_all(&jobs).into_iter();
        let measured: Vec<(&Case, Vec<Run>, String)> = cases
            .into_iter()
            .map(|case| {
                let n = usize::try_from(case.runs).expect("few runs");
                let (runs, versions): (Vec<Run>, Vec<String>) = done.by_ref().take(n).unzip();
                (case, runs, versions[0].clone())
            })
            .collect();
        Recorded::update(&group, &measured);
    }
}

/// The Envoy at hand does what was recorded: the first run of each live case again.
#[test]
fn this_envoy_does_what_was_recorded() {
    let _machine = machine();
    if let Some(starts) = std::env::var_os("RECORD") {
        return record(&starts.to_string_lossy());
    }
    let groups = groups();
    let live: Vec<(&Case, Recorded)> = groups
        .iter()
        .flat_map(|group| group.cases.iter().map(move |case| (case, Recorded::load(group))))
        .filter(|(case, _)| case.is_live)
        .collect();
    let first = 1;
    let jobs: Vec<(&Case, u64)> = live.iter().map(|(case, _)| (*case, first)).collect();
    let mut beyond = Vec::new();
    for ((case, file), (run, _)) in live.iter().zip(run_all(&jobs)) {
        let recorded = file.of(case);
        let then = recorded.runs.iter().find(|then| then.seed == first).expect("the first run is recorded");
        assert_eq!(run.requests, then.requests, "{}: the same arrivals", case.id);
        for measure in &case.measures {
            let spread = &recorded.measures[measure.name()];
            let what = format!("{} {}", case.id, measure.name());
            let (text, holds) = compare(&what, run.value(*measure), then.value(*measure), spread);
            println!("{text}");
            beyond.extend((!holds).then_some(text));
        }
    }
    assert!(beyond.is_empty(), "not what was recorded:\n{}", beyond.join("\n"));
}

/// What is recorded is of the experiments as they are, all of them, with all their runs.
#[test]
fn every_experiment_is_recorded() {
    for group in groups() {
        let file = Recorded::load(&group);
        assert_eq!(file.cases.len(), group.cases.len(), "{}: cases that are no longer there", group.letter);
        for case in &group.cases {
            let recorded = file.of(case);
            assert_eq!(recorded.envoy, "1.40.0", "{}", case.id);
            let seeds: Vec<u64> = recorded.runs.iter().map(|run| run.seed).collect();
            assert_eq!(seeds, (1..=case.runs).collect::<Vec<_>>(), "{}", case.id);
        }
    }
}
