//! The text itself: every kind of problem of the reader is a rule of its own, in one [`table`].
//!
//! Where and what it is, the reader says; how bad it is follows from its effect, and the fix from
//! what the reader could make of the value.

mod table;
#[cfg(test)]
mod tests;

pub use table::RULES;

use crate::engine::audit::{Change, Finding, Fix, Value};
use crate::engine::read::config::{
    Configuration, Corrected, Correction, Dialect, Effect, Origin, ProblemKind, ReadProblem,
};
use crate::engine::rules::{RuleMeta, Severity};

/// What a rule says about a problem of the text.
pub(super) fn finding(configuration: &Configuration, meta: &RuleMeta, problem: &ReadProblem) -> Finding {
    let finding = meta
        .found(&[], &problem.at, problem.message.as_str())
        .severity(severity(problem.effect, meta))
        .consequence(consequence(problem, program(configuration, problem)))
        .help(if problem.help.is_empty() { help(&problem.kind) } else { &problem.help })
        .maybe_fix(fix(problem));
    Finding { cluster: cluster(configuration, problem), ..finding }
}

/// What is refused is an error, what is ignored or left unread is not in force or not judged.
fn severity(effect: Effect, meta: &RuleMeta) -> Severity {
    match effect {
        Effect::Rejected => Severity::Error,
        Effect::Unread => meta.severity,
        Effect::Ignored => Severity::Warning,
        Effect::Accepted => Severity::Info,
    }
}

fn consequence(problem: &ReadProblem, program: Option<Dialect>) -> String {
    let name = program.map_or("the program it is for", Dialect::title);
    match (&problem.kind, problem.effect) {
        (ProblemKind::DuplicateKey, _) => "the other value is lost without a word".to_owned(),
        (ProblemKind::Template, _) => "nothing is known of it, so nothing of it is judged".to_owned(),
        (ProblemKind::Limit, _) => "the rest is not judged".to_owned(),
        (ProblemKind::NothingToRead, _) => "nothing of it is judged".to_owned(),
        (ProblemKind::Unfinished, _) => {
            "what is missing would be taken for not set, so part of it is not judged".to_owned()
        }
        (_, Effect::Unread) => "no program can read it, and what is left out is not judged".to_owned(),
        (_, Effect::Rejected) if program.is_none_or(|p| p == Dialect::Envoy) => {
            format!(
                "{name} refuses the whole configuration: it does not start with it, and an update is dropped"
            )
        }
        (_, Effect::Rejected) => format!("{name} refuses the resource, and what was in force before stays"),
        (_, Effect::Ignored) => format!("{name} ignores it without a word: what was meant is not in force"),
        (_, Effect::Accepted) => format!("{name} still reads it, until a release that does not"),
    }
}

/// What to do where the reader has no more to say than what is wrong.
fn help(kind: &ProblemKind) -> &'static str {
    match kind {
        ProblemKind::BadDuration => "write a duration such as 0.25s",
        ProblemKind::Syntax | ProblemKind::Unfinished => "check whether the text is whole",
        _ => "correct it, or leave it out",
    }
}

/// Another key, or another value, where the reader has no doubt about it.
fn fix(problem: &ReadProblem) -> Option<Fix> {
    if let ProblemKind::UnknownField { nearest: Some(nearest) } = &problem.kind {
        problem.at.key?;
        let label = format!("{} → {nearest}", last_key(&problem.at.path));
        return Some(Fix::new(label, Change::Rename(problem.at.clone(), nearest.clone())));
    }
    let Correction { from, to, value } = problem.correction.as_ref()?;
    let value = match value {
        Corrected::Count(n) => Value::Count(*n),
        Corrected::Duration(d) => Value::Duration(*d),
        Corrected::Percent(p) => Value::Percent(*p),
        Corrected::Flag(yes) => Value::Flag(*yes),
        Corrected::Word(word) => Value::Word(word.clone()),
    };
    let label = if from == to { format!("Write {to} without quotes") } else { format!("{from} → {to}") };
    Some(Fix::new(label, Change::Replace(problem.at.clone(), value)))
}

fn last_key(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

/// The program that the text around a problem is for.
fn program(configuration: &Configuration, problem: &ReadProblem) -> Option<Dialect> {
    let clusters = configuration.clusters.iter().map(|c| &c.origin);
    let routes = configuration.routes.iter().map(|r| &r.origin);
    let managers = configuration.managers.iter().map(|m| &m.origin);
    let in_file = clusters.chain(routes).chain(managers).filter(|o| o.block.file == problem.at.file);
    let start = |o: &Origin| o.block.span.start;
    // The nearest one above, else the first of the file.
    let (mut above, mut first): (Option<&Origin>, Option<&Origin>) = (None, None);
    for origin in in_file {
        if start(origin) <= problem.at.span.start && above.is_none_or(|o| start(o) <= start(origin)) {
            above = Some(origin);
        }
        if first.is_none_or(|o| start(origin) < start(o)) {
            first = Some(origin);
        }
    }
    above.or(first).map(|origin| origin.dialect)
}

/// The cluster that a problem stands in.
fn cluster(configuration: &Configuration, problem: &ReadProblem) -> Option<usize> {
    let at = problem.at.key.unwrap_or(problem.at.span);
    configuration.clusters.iter().position(|c| {
        let block = &c.origin.block;
        block.file == problem.at.file && block.span.start <= at.start && at.start < block.span.end
    })
}
