//! Settings that a person may change on a policy: what the page's custom policy shows and what
//! `--set key=value` understands.
//!
//! Every setting is read and written as text. Changes are checked together, so that all problems are
//! told at once, and what contradicts each other is one of them.

mod access;
mod table;

pub use table::{KNOBS, Kind, Knob};

use super::Policy;
use crate::engine::nearest::nearest;
use crate::engine::scenario::Problem;
use crate::engine::units::display::echo;
use access::Target;

/// The texts of a policy, one for each of [`KNOBS`].
///
/// What is switched off reads `off`; what does not apply (a budget where `max_retries` limits) is
/// empty.
pub fn texts(policy: &Policy) -> Vec<(&'static str, String)> {
    KNOBS.iter().map(|knob| (knob.key, access::text(policy, knob))).collect()
}

/// The policy with the changes, or everything that is wrong with them.
///
/// # Errors
///
/// A [`Problem`] for each key that is not known, each value that cannot be read or is out of range,
/// and each pair of changes that contradicts each other.
pub fn change<'a>(
    policy: &Policy,
    changes: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Result<Policy, Vec<Problem>> {
    let mut problems = Vec::new();
    let mut seen: Vec<&'static str> = Vec::new();
    let mut target = Target::new(policy);
    let mut given: Vec<(&'static Knob, &str)> = Vec::new();
    for (key, value) in changes {
        let (key, value) = (key.trim(), value.trim());
        let Some(knob) = KNOBS.iter().find(|k| k.key == key) else {
            problems.push(unknown(key, value));
            continue;
        };
        if seen.contains(&knob.key) {
            problems.push(problem(knob, value, "is set twice. Remove one of them."));
            continue;
        }
        seen.push(knob.key);
        given.push((knob, value));
    }
    // In the order of the table, so that what switches a block on comes before what is in it.
    given.sort_by_key(|(knob, _)| KNOBS.iter().position(|k| k.key == knob.key));
    for (knob, value) in given {
        if let Err(message) = target.set(knob, value) {
            problems.push(Problem { field: knob.key.to_owned(), value: echo(value), message });
        }
    }
    problems.extend(contradictions(&seen, &target));
    if problems.is_empty() { Ok(target.finish()) } else { Err(problems) }
}

fn unknown(key: &str, value: &str) -> Problem {
    let near = nearest(key, KNOBS.iter().map(|k| k.key));
    let hint = match near {
        Some(near) => format!("Did you mean {near}?"),
        None => format!("Choose one of {}.", KNOBS.iter().map(|k| k.key).collect::<Vec<_>>().join(", ")),
    };
    Problem {
        field: echo(key),
        value: echo(value),
        message: format!("“{}” is no setting that can be changed. {hint}", echo(key)),
    }
}

fn problem(knob: &Knob, value: &str, what: &str) -> Problem {
    Problem { field: knob.key.to_owned(), value: echo(value), message: format!("{} {what}", knob.key) }
}

/// Changes that cannot hold together.
fn contradictions(seen: &[&str], target: &Target) -> Vec<Problem> {
    let has = |key: &str| seen.contains(&key);
    let mut found = Vec::new();
    let mut say = |key: &str, message: String| {
        found.push(Problem { field: key.to_owned(), value: String::new(), message });
    };
    let budget = ["budget_percent", "min_retry_concurrency"].into_iter().find(|key| has(key));
    if let Some(budget) = budget.filter(|_| has("max_retries")) {
        say(
            "max_retries",
            format!(
                "max_retries and {budget} exclude each other: with a budget Envoy does not look at max_retries. Set one of them."
            ),
        );
    }
    if target.ejects_nobody {
        for knob in KNOBS.iter().filter(|k| k.is_of_outlier() && has(k.key)) {
            say(
                knob.key,
                format!("{} has no effect with outlier_detection off. Remove one of them.", knob.key),
            );
        }
    }
    found.extend(retry_words(seen, &target.policy));
    found
}

/// Changes of retries that have no effect alone.
fn retry_words(seen: &[&str], policy: &Policy) -> Vec<Problem> {
    let has = |key: &str| seen.contains(&key);
    let retries = policy.route.retry.as_ref();
    let mut found = Vec::new();
    let mut say = |key: &str, message: String| {
        found.push(Problem { field: key.to_owned(), value: String::new(), message });
    };
    let fires = retries.is_some_and(|r| r.retry_on != super::RetryOn::default());
    if !fires {
        for key in ["num_retries", "hedge_on_per_try_timeout"].into_iter().filter(|key| has(key)) {
            let is_zero = key == "num_retries" && retries.is_some_and(|r| r.num_retries == 0);
            let is_off = key != "num_retries" && !policy.route.hedge_on_per_try_timeout;
            if !is_zero && !is_off {
                say(
                    key,
                    format!("{key} has no effect without retry_on. Set retry_on too, for example reset."),
                );
            }
        }
    }
    let codes =
        retries.is_some_and(|r| r.retry_on.retriable_status_codes && r.retriable_status_codes.is_empty());
    if codes && (has("retry_on") || has("retriable_status_codes")) {
        say(
            "retriable_status_codes",
            "retry_on has retriable-status-codes and no code is listed. Set retriable_status_codes, for example 503."
                .to_owned(),
        );
    }
    let hedges = policy.route.hedge_on_per_try_timeout && retries.is_none_or(|r| r.per_try_timeout.is_none());
    if hedges && has("hedge_on_per_try_timeout") {
        say(
            "hedge_on_per_try_timeout",
            "hedge_on_per_try_timeout has no effect without per_try_timeout. Set per_try_timeout too."
                .to_owned(),
        );
    }
    found
}

/// What a policy changes against another, for a table: label, and the text in both.
pub fn differences(a: &Policy, b: &Policy) -> Vec<(&'static Knob, String, String)> {
    let pairs = KNOBS.iter().map(|knob| (knob, access::text(a, knob), access::text(b, knob)));
    pairs.filter(|(_, a, b)| a != b).collect()
}
