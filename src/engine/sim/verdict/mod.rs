//! What the runs show, in words: a status for each policy, one sentence, and the reason under it.
//!
//! Numbers are means of the runs. A difference that the runs do not show is called none, and a reason
//! is given only where a counter proves it.

mod causes;
mod fault_words;
mod status;

pub use status::{Status, status};

use super::compare::{PolicyName, rows, served_share};
use super::{Before, Experiment, Policy, Report};
use crate::engine::units::display;
use causes::reason;
use fault_words::fault;
pub use fault_words::fault as fault_sentence;
use serde::Serialize;
use status::Course;

/// A policy and its runs.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// What to call it.
    pub name: PolicyName,
    /// The policy.
    pub policy: &'a Policy,
    /// Its runs, in the order of the seeds.
    pub reports: &'a [Report],
}

/// The answer in words.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// One a policy: `Recommended recovers during the fault`.
    pub statuses: Vec<Told>,
    /// What happened.
    pub sentence: String,
    /// What it cost and why, of the first policy that lost something.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
}

/// A status of a policy.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Told {
    /// The policy.
    pub policy: PolicyName,
    /// How it fared.
    pub status: Status,
    /// In words.
    pub words: String,
}

/// Why something was lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reason {
    /// `What those 9 s cost`.
    pub lead: String,
    /// The rest.
    pub words: String,
}

/// The verdict on one policy or two.
pub fn verdict(experiment: &Experiment, sides: &[Side<'_>]) -> Verdict {
    let courses: Vec<Course> = sides.iter().map(|side| Course::of(side.reports)).collect();
    let statuses = sides.iter().zip(&courses).map(|(side, course)| {
        let status = status(course);
        Told { policy: side.name, status, words: format!("{} {}", side.name.title(), course.status_words()) }
    });
    let statuses = statuses.collect();
    let lost = sides.iter().zip(&courses).find(|(_, course)| course.has_lost());
    Verdict {
        statuses,
        sentence: sentence(experiment, sides, &courses),
        reason: lost.and_then(|(side, course)| reason(experiment, side, course)),
    }
}

fn sentence(experiment: &Experiment, sides: &[Side<'_>], courses: &[Course]) -> String {
    let what = if experiment.faults.is_empty() { String::new() } else { format!("{} ", fault(experiment)) };
    if let ([a, b], [first, second]) = (sides, courses)
        && let Some(tie) = tie(a, b, first, second)
    {
        return format!("{what}{tie}");
    }
    if let ([a, b], [first, second]) = (sides, courses)
        && let Some(both) = first.beside(second, a.name.subject(), b.name.subject())
    {
        return format!("{what}{both}");
    }
    let clauses = |has_room| {
        let each = sides.iter().zip(courses).map(|(side, course)| {
            let clause = course.clause(side.name.subject(), has_room);
            format!("{}.", fault_words::capital(&clause))
        });
        format!("{what}{}", each.collect::<Vec<_>>().join(" "))
    };
    let whole = clauses(true);
    // More than four numbers nobody keeps in mind.
    if n_numbers(&whole) > 4 { clauses(false) } else { whole }
}

fn n_numbers(text: &str) -> usize {
    let is_number = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit());
    text.split([' ', display::NBSP]).filter(is_number).count()
}

/// The words for two policies between which the runs show no difference.
fn tie(a: &Side<'_>, b: &Side<'_>, first: &Course, second: &Course) -> Option<String> {
    if status(first) != status(second) {
        return None;
    }
    let table = rows(a.reports, Some(b.reports));
    let has_fault = first.during.is_some();
    let key = if has_fault { "served_during" } else { "served" };
    let deciding = ["recovery_s", "served_after", "refused", key];
    let differs = |key: &str| {
        let row = table.iter().find(|row| row.measure.key == key);
        row.is_some_and(|row| {
            let same = row.difference.is_some_and(|d| d.low.abs() < 1e-12 && d.high.abs() < 1e-12);
            // A single run cannot tell chance from a difference; only being equal is certain.
            !same && row.differs().unwrap_or(true)
        })
    };
    if deciding.into_iter().any(differs) {
        return None;
    }
    let served = if has_fault { first.during? } else { first.whole? };
    let when = if has_fault { " during the fault" } else { "" };
    let n = u32::try_from(a.reports.len().min(b.reports.len())).unwrap_or(u32::MAX);
    let shown = if n == 1 {
        "this run shows no difference".to_owned()
    } else {
        format!("{} runs show no difference", display::words(n))
    };
    Some(format!("Both serve {}{when}: {shown}.", served_share(served)))
}

/// The outcomes of one part of all runs together.
fn together(reports: &[Report], part: Option<Before>) -> super::Shares {
    let mut sum = super::Shares::default();
    for report in reports {
        let of = match part {
            None => Some(report.outcomes),
            Some(part) => report.windows.iter().find(|w| w.part == part).map(|w| w.outcomes),
        };
        if let Some(o) = of {
            sum.served += o.served;
            sum.refused_active += o.refused_active;
            sum.refused_pending += o.refused_pending;
            sum.no_host += o.no_host;
            sum.timed_out += o.timed_out;
            sum.per_try_timed_out += o.per_try_timed_out;
            sum.connect_failed += o.connect_failed;
            sum.reset += o.reset;
            sum.upstream_error += o.upstream_error;
            sum.abandoned += o.abandoned;
        }
    }
    sum
}
