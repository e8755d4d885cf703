//! What is asked for: a scenario, policies, faults, runs, a format.

use super::faults;
use super::numbers;
use super::policies::{self, Contestant};
use crate::args;
use crate::problems::Complaint;
use crate::request::{analysis, choice};
use crate::words::Words;
use headroom::engine::analysis::Analysis;
use headroom::engine::params::by_key;
use headroom::engine::scenario::Problem;
use headroom::engine::sim::faults_file::{Faults, Stage, to_json};
use headroom::engine::sim::setup::{Plan, prepare};
use headroom::engine::sim::{Arrivals, Experiment};
use headroom::engine::units::display;

/// How the answer is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// For a person at a terminal.
    Text,
    /// Everything, as data.
    Json,
    /// A line a step of time.
    Csv,
}

impl Format {
    fn from_word(word: &str) -> Option<Self> {
        match word {
            "text" => Some(Self::Text),
            "json" => Some(Self::Json),
            "csv" => Some(Self::Csv),
            _ => None,
        }
    }
}

/// A request that can be answered.
pub struct Request {
    /// The experiment, with the first policy and the first seed.
    pub experiment: Experiment,
    /// Requests of a run, about.
    pub requests: f64,
    /// The policies.
    pub contestants: Vec<Contestant>,
    /// Runs of each.
    pub runs: u32,
    /// What is assumed of all runs.
    pub assumptions: Vec<String>,
    /// The faults as a file has them.
    pub faults: String,
    /// What each fault is called.
    pub fault_titles: Vec<String>,
    /// The format.
    pub format: Format,
}

/// All runs together may take so many times the requests of one.
const RUNS_OF_BOUND: f64 = 40.0;

/// Reads the request, or everything that is wrong with it.
pub fn read(mut words: Words) -> Result<Request, Vec<Complaint>> {
    let mut complaints = std::mem::take(&mut words.complaints);
    let words = &words;
    stdin_once(words, &mut complaints);
    let analysis = analysis(words, &mut complaints);
    let (mut plan, runs) = numbers::plan(words, &mut complaints);
    plan.arrivals = arrivals(words, &mut complaints);
    let format = choice(words, args::OUTPUT, &args::SIMULATE_OUTPUTS, Format::from_word, &mut complaints);
    let faults = faults::read(words, &stage(analysis.as_ref(), &plan), &mut complaints);
    let contestants = policies::read_all(words, analysis.as_ref(), &mut complaints);
    let (Some(analysis), Some(first), true) = (analysis, contestants.first(), complaints.is_empty()) else {
        return Err(complaints);
    };
    // What one policy leaves out is said beside it, not of all.
    let mut policy = first.policy.clone();
    policy.not_simulated.clear();
    let prepared = prepare(&analysis, &policy, &faults.list, &plan)
        .map_err(|problems| problems.iter().map(complaint).collect::<Vec<_>>())?;
    let total = prepared.requests * f64::from(runs) * contestants.len() as f64;
    let most = plan.bounds.requests * RUNS_OF_BOUND;
    if total > most {
        return Err(vec![too_many_runs(total, most, runs)]);
    }
    Ok(Request {
        experiment: prepared.experiment,
        requests: prepared.requests,
        contestants,
        runs,
        assumptions: [prepared.assumptions, faults.notes.clone()].concat(),
        faults: to_json(&faults.list),
        fault_titles: titles(&faults),
        format: format.unwrap_or(Format::Text),
    })
}

/// How arrivals come; callers and their think time mean a closed loop.
fn arrivals(words: &Words, complaints: &mut Vec<Complaint>) -> Arrivals {
    let closed = numbers::closed_loop(words, complaints);
    let of_word = |word: &str| match word {
        "poisson" => Some(Arrivals::Poisson),
        "paced" => Some(Arrivals::Paced),
        "closed" => Some(closed),
        _ => None,
    };
    let named = choice(words, args::ARRIVALS, &args::ARRIVAL_WORDS, of_word, complaints);
    let asked = [args::CALLERS, args::THINK].into_iter().find(|key| words.text(key).is_some());
    match (named, asked) {
        (Some(open @ (Arrivals::Poisson | Arrivals::Paced)), Some(key)) => {
            let message = "Only a closed loop has callers. Leave it out, or give --arrivals closed.";
            complaints.push(Complaint::flag(key, message));
            open
        }
        (Some(named), _) => named,
        (None, Some(_)) => closed,
        (None, None) => Arrivals::Poisson,
    }
}

/// Without a scenario any number of hosts will do: what is wrong otherwise is still told.
fn stage(analysis: Option<&Analysis>, plan: &Plan) -> Stage {
    let (hosts, clients) = analysis.map_or((u32::MAX, u32::MAX), |a| (a.scenario.hosts, a.scenario.clients));
    Stage { duration: plan.duration, hosts, clients }
}

/// Standard input can be read once only.
fn stdin_once(words: &Words, complaints: &mut Vec<Complaint>) {
    let takers = [args::SCENARIO, args::CONFIG, args::FAULTS];
    let n = takers.iter().filter(|key| words.path(key).is_some_and(|path| path == "-")).count();
    if n > 1 {
        complaints.push(Complaint {
            place: "standard input".to_owned(),
            message: "It can be read once only. Put all but one into files.".to_owned(),
        });
    }
}

fn titles(faults: &Faults) -> Vec<String> {
    let s = |n: f64| format!("{} s", display::number(n));
    let title = faults
        .list
        .iter()
        .map(|f| format!("{}, from {} to {}", f.kind.spec().title, s(f.from.as_secs()), s(f.to.as_secs())));
    title.collect()
}

/// A problem of the set-up, at the flag where it can be corrected.
fn complaint(problem: &Problem) -> Complaint {
    let flag = match by_key(&problem.field) {
        Some(p) => args::flag(p),
        None => problem.field.replace('_', "-"),
    };
    Complaint::flag(&flag, &problem.message)
}

fn too_many_runs(total: f64, most: f64, runs: u32) -> Complaint {
    let fit = (f64::from(runs) * most / total).floor();
    Complaint::flag(
        args::RUNS,
        format!(
            "All runs together are {} requests. Up to {} are played. Lower --runs to {}, or shorten --duration.",
            display::count(display::round_to(total, 3)),
            display::count(most),
            display::count(fit.max(1.0)),
        ),
    )
}
