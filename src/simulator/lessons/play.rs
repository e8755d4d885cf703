//! A lesson with choices, played.

use super::{Lesson, SEED};
use crate::engine::analysis::Analysis;
use crate::engine::analyze;
use crate::engine::params::by_key;
use crate::engine::scenario::Draft;
use crate::engine::sim::custom;
use crate::engine::sim::setup::{Bounds, Plan, prepare};
use crate::engine::sim::{Experiment, Fault, Hosts, Nanos, Policy, Report, Simulation};

/// Events at a time; a run is over after some hundred times as many.
const EVENTS: u64 = 1 << 16;
/// How long what is still in flight is followed after the last arrival.
const PATIENCE: Nanos = Nanos(60 * Nanos::SECOND.0);

/// A choice for each control of a lesson, by place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chosen(Vec<usize>);

impl Chosen {
    /// Those that the page is written with.
    pub fn default_of(lesson: &Lesson) -> Self {
        Self(lesson.controls.iter().map(|control| control.default).collect())
    }

    /// Chooses; a control or a choice that does not exist changes nothing.
    pub fn choose(&mut self, lesson: &Lesson, key: &str, place: &str) {
        let Some(at) = lesson.controls.iter().position(|control| control.key == key) else { return };
        let place = place.parse().ok().filter(|place| *place < lesson.controls[at].choices.len());
        if let (Some(place), Some(slot)) = (place, self.0.get_mut(at)) {
            *slot = place;
        }
    }

    /// What the choices set.
    fn sets(&self, lesson: &Lesson) -> Vec<(&'static str, &'static str)> {
        let chosen = lesson.controls.iter().zip(&self.0);
        chosen.filter_map(|(control, at)| control.choices.get(*at)).flat_map(|c| c.sets).copied().collect()
    }
}

/// A policy and its run.
#[derive(Clone, Debug)]
pub struct Played {
    /// What was played, the policy with it.
    pub experiment: Experiment,
    /// What it showed.
    pub report: Report,
}

/// A lesson that was played.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Which.
    pub lesson: &'static Lesson,
    /// The scenario and its recommendation.
    pub analysis: Analysis,
    /// The policy that goes wrong, and the recommended one.
    pub sides: [Played; 2],
}

/// Plays both policies once; `None` where a lesson contradicts itself, which a test of the table
/// excludes.
pub fn play(lesson: &'static Lesson, chosen: &Chosen) -> Option<Outcome> {
    let analysis = analysis(lesson)?;
    let recommended = Policy::recommended(&analysis);
    let mut sets: Vec<(&str, &str)> = Vec::new();
    for (key, text) in lesson.both.iter().chain(lesson.wrong).copied().chain(chosen.sets(lesson)) {
        sets.retain(|(of, _)| *of != key);
        sets.push((key, text));
    }
    let wrong = custom::change(&recommended, of_policy(&sets)).ok()?;
    let right = custom::change(&recommended, of_policy(lesson.both)).ok()?;
    let (fault, caller_retries) = conditions(lesson, &analysis, &sets);
    let run = |policy: Policy| played(lesson, &analysis, &policy, &fault, caller_retries);
    let sides = [run(wrong)?, run(right)?];
    Some(Outcome { lesson, analysis, sides })
}

fn analysis(lesson: &Lesson) -> Option<Analysis> {
    let mut draft = Draft::default();
    for (key, text) in lesson.scenario {
        draft.set(by_key(key)?.id, *text);
    }
    analyze(&draft.check().ok()?).ok()
}

/// What is set about a policy.
fn of_policy<'a>(sets: &'a [(&'a str, &'a str)]) -> impl Iterator<Item = (&'a str, &'a str)> {
    sets.iter().copied().filter(|(key, _)| !key.contains('.'))
}

/// What is set about the fault and the callers, which both policies meet.
fn conditions(lesson: &Lesson, analysis: &Analysis, sets: &[(&str, &str)]) -> (Fault, u32) {
    let scenario = &analysis.scenario;
    let [from, to] = [lesson.span_s.0, lesson.span_s.1].map(Nanos::from_secs);
    let mut fault = lesson.fault.fault(from, to, scenario.hosts, scenario.clients);
    let mut caller_retries = 0;
    for (key, text) in sets {
        match *key {
            "fault.share" => fault.share = text.parse().unwrap_or(100.0) / 100.0,
            "fault.strength" => fault.strength = text.parse().unwrap_or(fault.strength),
            "fault.hosts" => fault.hosts = Hosts::Count(text.parse().unwrap_or(1)),
            "fault.clients" => fault.clients = Hosts::Count(text.parse().unwrap_or(1)),
            "caller.retries" => caller_retries = text.parse().unwrap_or(0),
            _ => {}
        }
    }
    (fault, caller_retries)
}

fn played(
    lesson: &Lesson,
    analysis: &Analysis,
    policy: &Policy,
    fault: &Fault,
    caller_retries: u32,
) -> Option<Played> {
    let plan = Plan {
        duration: Nanos::from_secs(lesson.length_s),
        seed: SEED,
        bounds: Bounds::PAGE,
        ..Plan::DEFAULT
    };
    let mut experiment = prepare(analysis, policy, std::slice::from_ref(fault), &plan).ok()?.experiment;
    experiment.load.caller.retries = caller_retries;
    let end = experiment.run.duration.after(PATIENCE);
    let mut simulation = Simulation::new(experiment.clone());
    while !simulation.done() && simulation.now() < end {
        simulation.step(EVENTS);
    }
    Some(Played { experiment, report: simulation.report() })
}
