//! From texts to what is played: fault, policies, seeds, or everything that is wrong.

use super::fields::{self, Wrong};
use super::link;
use super::texts::{SETTING, Texts};
use crate::engine::analysis::Analysis;
use crate::engine::scenario::Problem;
use crate::engine::sim::HandedOver as Pasted;
use crate::engine::sim::compare::PolicyName;
use crate::engine::sim::custom::{self, KNOBS};
use crate::engine::sim::setup::{Bounds, Plan, Prepared, prepare};
use crate::engine::sim::{Arrivals, Experiment, Fault, FaultKind, Hosts, Nanos, Policy};
use crate::engine::units::display;
use std::rc::Rc;

/// Steps of time that a chart has room for.
const STEPS: u64 = 300;

/// The key of problems that the scenario has, and not this form.
pub const SCENARIO: &str = "scenario";

/// What is played.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The scenario and its recommendation.
    pub analysis: Rc<Analysis>,
    /// What goes wrong.
    pub fault: Fault,
    /// What the two policies are called.
    pub names: [PolicyName; 2],
    /// The policies.
    pub policies: [Policy; 2],
    /// The first run of each.
    pub prepared: [Prepared; 2],
    /// Runs, with one seed after the other.
    pub runs: u32,
    /// Length, first seed, arrivals.
    pub plan: Plan,
    /// The query that leads here.
    pub link: String,
}

impl Setup {
    /// Reads everything.
    ///
    /// # Errors
    ///
    /// All that is wrong, field by field.
    pub fn new(texts: &Texts, analysis: &Rc<Analysis>, pasted: &Pasted) -> Result<Self, Vec<Wrong>> {
        let mut wrongs = Vec::new();
        let (plan, runs) = plan(texts, &mut wrongs);
        let fault = fault(texts, analysis, &plan, &mut wrongs);
        let names = texts.policies();
        let policies = policies(texts, analysis, pasted, &mut wrongs);
        let (Some(fault), Some(policies), true) = (fault, policies, wrongs.is_empty()) else {
            return Err(wrongs);
        };
        let prepared = [
            prepared(analysis, &policies[0], &fault, &plan)?,
            prepared(analysis, &policies[1], &fault, &plan)?,
        ];
        let link = link::to_link(texts);
        Ok(Self { analysis: Rc::clone(analysis), fault, names, policies, prepared, runs, plan, link })
    }

    /// The experiment of a policy with the seed of a run.
    pub fn experiment(&self, side: usize, run: u32) -> Experiment {
        let mut experiment = self.prepared[side].experiment.clone();
        experiment.run.seed = self.seed(run);
        experiment
    }

    /// The seed of a run.
    pub fn seed(&self, run: u32) -> u64 {
        self.plan.seed.wrapping_add(u64::from(run))
    }

    /// The fault within the run, in seconds.
    pub fn span(&self) -> (f64, f64) {
        (self.fault.from.as_secs(), self.fault.to.min(self.plan.duration).as_secs())
    }

    /// Requests of all runs together, about.
    pub fn requests(&self) -> f64 {
        self.prepared.iter().map(|p| p.requests).sum::<f64>() * f64::from(self.runs)
    }
}

/// A run that charts have room for, or what does not fit, as problems of the form.
pub fn prepared(
    analysis: &Analysis,
    policy: &Policy,
    fault: &Fault,
    plan: &Plan,
) -> Result<Prepared, Vec<Wrong>> {
    let faults = std::slice::from_ref(fault);
    let mut prepared = prepare(analysis, policy, faults, plan)
        .map_err(|list| list.into_iter().map(of_engine).collect::<Vec<_>>())?;
    let run = &mut prepared.experiment.run;
    let seconds = run.duration.0.div_ceil(Nanos::SECOND.0).div_ceil(STEPS).max(1);
    run.bucket = run.bucket.max(Nanos(seconds * Nanos::SECOND.0));
    Ok(prepared)
}

/// A problem of the engine at the field of the form that it is about.
fn of_engine(problem: Problem) -> Wrong {
    let (key, label) = match problem.field.as_str() {
        "duration" => ("length", "Length"),
        "callers" => ("callers", "Callers"),
        _ => (SCENARIO, "Scenario"),
    };
    Wrong { key: key.to_owned(), label: label.to_owned(), message: problem.message }
}

fn plan(texts: &Texts, wrongs: &mut Vec<Wrong>) -> (Plan, u32) {
    let word = texts.get("arrivals");
    let mut plan = Plan { bounds: Bounds::PAGE, ..Plan::DEFAULT };
    let mut runs = 1;
    let (mut callers, mut think) = (1, Nanos::ZERO);
    for field in fields::of_run(word == "closed") {
        match field.read(texts) {
            Err(wrong) => wrongs.push(wrong),
            Ok(value) => match field.key {
                "length" => plan.duration = Nanos::from_secs(value),
                "runs" => runs = small(value),
                #[allow(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "a whole number below 2^53"
                )]
                "seed" => plan.seed = value as u64,
                "callers" => callers = small(value),
                _ => think = Nanos::rounded(value * 1e6),
            },
        }
    }
    plan.arrivals = match word {
        "paced" => Arrivals::Paced,
        "closed" => Arrivals::Closed { callers, think },
        _ => Arrivals::Poisson,
    };
    (plan, runs)
}

/// A whole number whose range was checked.
fn small(value: f64) -> u32 {
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "whole, in the range of its field"
    )]
    let n = value as u32;
    n
}

fn fault(texts: &Texts, analysis: &Analysis, plan: &Plan, wrongs: &mut Vec<Wrong>) -> Option<Fault> {
    let kind = texts.kind();
    let s = &analysis.scenario;
    let length = plan.duration.as_secs();
    let before = wrongs.len();
    let mut fault = kind.fault(Nanos::ZERO, Nanos::ZERO, s.hosts, s.clients);
    let (mut from, mut lasts) = (0.0, 0.0);
    for field in fields::of_fault(kind, s, length) {
        match field.read(texts) {
            Err(wrong) => wrongs.push(wrong),
            Ok(value) => match field.key {
                "hosts" => fault.hosts = Hosts::Count(small(value)),
                "clients" => fault.clients = Hosts::Count(small(value)),
                "share" => fault.share = value / 100.0,
                "strength" => fault.strength = value,
                "add" => fault.add = Nanos::rounded(value * 1e6),
                "from" => from = value,
                _ => lasts = value,
            },
        }
    }
    if wrongs.len() == before && from >= length {
        wrongs.push(Wrong {
            key: "from".to_owned(),
            label: "Starts at".to_owned(),
            message: format!(
                "The fault starts at {}{nbsp}s, and the run ends at {}{nbsp}s. Start it earlier, or make the run longer.",
                display::number(from),
                display::number(length),
                nbsp = display::NBSP,
            ),
        });
    }
    (fault.from, fault.to) = (Nanos::from_secs(from), Nanos::from_secs(from + lasts));
    (wrongs.len() == before).then_some(fault)
}

/// The fault of a kind with nothing said about it but when.
pub fn plain_fault(kind: FaultKind, like: &Fault, analysis: &Analysis) -> Fault {
    let s = &analysis.scenario;
    kind.fault(like.from, like.to, s.hosts, s.clients)
}

fn policies(
    texts: &Texts,
    analysis: &Analysis,
    pasted: &Pasted,
    wrongs: &mut Vec<Wrong>,
) -> Option<[Policy; 2]> {
    let [a, b] = texts.policies();
    let first = policy(a, texts, analysis, pasted, wrongs);
    let second = if a == b { first.clone() } else { policy(b, texts, analysis, pasted, wrongs) };
    Some([first?, second?])
}

fn policy(
    name: PolicyName,
    texts: &Texts,
    analysis: &Analysis,
    pasted: &Pasted,
    wrongs: &mut Vec<Wrong>,
) -> Option<Policy> {
    let recommended = || Policy::recommended(analysis);
    match name {
        PolicyName::Recommended => Some(recommended()),
        PolicyName::EnvoyDefaults => Some(Policy::envoy_defaults(&analysis.scenario)),
        PolicyName::Pasted => match pasted {
            Pasted::Read(reading) => Some(reading.policy.clone()),
            Pasted::Missing => {
                let message = "Nothing is pasted yet. Paste a configuration, or choose another policy.";
                wrongs.push(of_pasted(message.to_owned()));
                None
            }
            Pasted::Unusable(problems) => {
                wrongs.push(of_pasted(problems.join(" ")));
                None
            }
        },
        PolicyName::Custom => match custom::change(&recommended(), texts.settings()) {
            Ok(policy) => Some(policy),
            Err(problems) => {
                wrongs.extend(problems.into_iter().map(of_setting));
                None
            }
        },
    }
}

fn of_pasted(message: String) -> Wrong {
    Wrong { key: "pasted".to_owned(), label: "Pasted policy".to_owned(), message }
}

fn of_setting(problem: Problem) -> Wrong {
    let label = KNOBS.iter().find(|knob| knob.key == problem.field).map_or("Setting", |knob| knob.label);
    Wrong { key: format!("{SETTING}{}", problem.field), label: label.to_owned(), message: problem.message }
}
