//! One fault: its fields read, checked, and filled in.

use super::{Given, Item, Stage, at};
use crate::engine::nearest::nearest;
use crate::engine::params::Unit;
use crate::engine::scenario::Problem;
use crate::engine::sim::setup::Plan;
use crate::engine::sim::{FAULTS, Fault, FaultKind, FaultSpec, Hosts, Nanos};
use crate::engine::units::display::{self, NBSP, echo};
use crate::engine::units::parse;

const FIELDS: [&str; 8] = ["kind", "from_s", "to_s", "hosts", "clients", "share", "strength", "add_ms"];

/// The longest time that may be added, in milliseconds: a day.
const MOST_ADDED_MS: f64 = 86_400_000.0;

/// The fault of an item, with what is worth knowing, or everything that is wrong with it.
pub fn fault(item: &Item, stage: &Stage) -> Result<(Fault, Vec<String>), Vec<Problem>> {
    let mut check = Check { item, stage, problems: names(item) };
    let kind = check.kind();
    let (from, to) = check.span();
    let hosts = check.part("hosts", stage.hosts, "hosts");
    let clients = check.part("clients", stage.clients, "proxies");
    let share = check.number("share", Unit::Share, (0.0, 1.0), "a share, 0 to 1");
    let spec = kind.map(FaultKind::spec);
    let strength = check.strength(spec);
    let add = check.number("add_ms", Unit::Ms, (0.0, MOST_ADDED_MS), "milliseconds, 0 to 86,400,000");
    let (Some(kind), true) = (kind, check.problems.is_empty()) else { return Err(check.problems) };
    let spec = kind.spec();
    let mut fault = kind.fault(from, to, stage.hosts, stage.clients);
    if let Some(hosts) = hosts.filter(|_| spec.takes.hosts) {
        fault.hosts = hosts;
    }
    if let Some(clients) = clients.filter(|_| spec.takes.clients) {
        fault.clients = clients;
    }
    fault.share = share.filter(|_| spec.takes.share).unwrap_or(fault.share);
    fault.strength = strength.filter(|_| spec.strength.is_some()).unwrap_or(fault.strength);
    fault.add = add.filter(|_| kind == FaultKind::Latency).map_or(fault.add, |ms| Nanos::rounded(ms * 1e6));
    let notes = notes(item, spec, &fault, stage);
    Ok((fault, notes))
}

/// Names that are not known, and names that stand twice.
fn names(item: &Item) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut seen: Vec<&str> = Vec::new();
    for (key, value) in &item.fields {
        let shown = value.shown();
        if seen.contains(&key.as_str()) {
            let message = format!("{} stands here twice. Remove one of them.", echo(key));
            problems.push(at(item, &echo(key), &shown, message));
        } else if !FIELDS.contains(&key.as_str()) {
            let hint = match nearest(key, FIELDS) {
                Some(near) => format!("Did you mean {near}?"),
                None => format!("Choose one of {}.", FIELDS.join(", ")),
            };
            let message = format!("{} is not a field of a fault. {hint}", echo(key));
            problems.push(at(item, &echo(key), &shown, message));
        }
        seen.push(key);
    }
    problems
}

struct Check<'a> {
    item: &'a Item,
    stage: &'a Stage,
    problems: Vec<Problem>,
}

impl Check<'_> {
    fn given(&self, field: &str) -> Option<&Given> {
        self.item.fields.iter().find(|(key, _)| key == field).map(|(_, value)| value)
    }

    fn complain(&mut self, field: &str, value: &str, message: String) {
        self.problems.push(at(self.item, field, value, message));
    }

    fn kind(&mut self) -> Option<FaultKind> {
        let words = FAULTS.iter().map(|spec| spec.word).collect::<Vec<_>>().join(", ");
        let word = match self.given("kind") {
            Some(Given::Text(word)) if !word.trim().is_empty() => word.clone(),
            Some(Given::List(_) | Given::Other(_)) => {
                self.complain("kind", "", format!("kind is no word here. Choose one of {words}."));
                return None;
            }
            _ => {
                self.complain("kind", "", format!("kind is missing. Choose one of {words}."));
                return None;
            }
        };
        let normal = word.trim().to_ascii_lowercase().replace(['-', ' '], "_");
        let found = FaultKind::from_word(&normal);
        if found.is_none() {
            let known = FAULTS.iter().flat_map(|spec| spec.aliases.iter().copied().chain([spec.word]));
            let near = nearest(&word, known).and_then(FaultKind::from_word).map(|kind| kind.spec().word);
            let hint = near
                .map_or_else(|| format!("Choose one of {words}."), |near| format!("Did you mean {near}?"));
            self.complain("kind", &echo(&word), format!("“{}” is no kind of fault. {hint}", echo(&word)));
        }
        found
    }

    /// From when to when: a third of the run from a third of it on where nothing is given.
    fn span(&mut self) -> (Nanos, Nanos) {
        let longest = Plan::LONGEST.as_secs();
        let allowed = "seconds, 0 to 86,400";
        let from = self.number("from_s", Unit::S, (0.0, longest), allowed);
        let to = self.number("to_s", Unit::S, (0.0, longest), allowed);
        let third = self.stage.duration.as_secs() / 3.0;
        let start = from.unwrap_or_else(|| if to.is_some_and(|to| to <= third) { 0.0 } else { third });
        let end = to.unwrap_or(start + third);
        let (start_at, end_at) = (Nanos::from_secs(start), Nanos::from_secs(end));
        let is_read = |field: &str, value: Option<f64>| self.given(field).is_none() || value.is_some();
        if is_read("from_s", from) && is_read("to_s", to) && start_at >= end_at {
            let (field, value) = if to.is_some() { ("to_s", end) } else { ("from_s", start) };
            let message = format!(
                "to_s {}{NBSP}s is not after from_s {}{NBSP}s. Raise to_s, or lower from_s.",
                display::number(end),
                display::number(start),
            );
            self.complain(field, &display::input(value), message);
        }
        (start_at, end_at)
    }

    /// A number in its range, or a problem.
    fn number(&mut self, field: &str, unit: Unit, range: (f64, f64), allowed: &str) -> Option<f64> {
        let given = self.given(field)?.clone();
        let shown = given.shown();
        let Given::Text(text) = &given else {
            self.complain(field, &shown, format!("{shown} is no number. Enter {allowed}."));
            return None;
        };
        let Ok(value) = parse::number(text, unit) else {
            self.complain(field, &shown, format!("“{shown}” is not understood. Enter {allowed}."));
            return None;
        };
        if value < range.0 || value > range.1 {
            self.complain(field, &shown, format!("{shown} is out of range. Allowed: {allowed}."));
            return None;
        }
        Some(value)
    }

    fn strength(&mut self, spec: Option<&FaultSpec>) -> Option<f64> {
        let Some(strength) = spec.and_then(|spec| spec.strength) else {
            // Without a meaning any number will do.
            return self.number("strength", Unit::Times, (f64::MIN, f64::MAX), "a number");
        };
        let unit = if strength.unit == "s" { Unit::S } else { Unit::Times };
        let allowed = format!(
            "{} to {}{}",
            display::number(strength.min),
            display::number(strength.max),
            if strength.unit == "s" { " seconds" } else { ", a multiple" },
        );
        self.number("strength", unit, (strength.min, strength.max), &allowed)
    }

    /// A count of things, or a list of their indices.
    fn part(&mut self, field: &str, there_are: u32, things: &str) -> Option<Hosts> {
        let n = display::count(f64::from(there_are));
        match self.given(field)?.clone() {
            Given::List(list) => self.these(field, &list, there_are, things).map(Hosts::These),
            Given::Other(shown) => {
                let message =
                    format!("{shown} is neither a count nor a list. Enter 1 to {n}, or a list of indices.");
                self.complain(field, &shown, message);
                None
            }
            Given::Text(text) => {
                let shown = echo(&text);
                let count = parse::number(&text, Unit::Count).ok().filter(|n| n.fract() == 0.0);
                let fits = count.filter(|n| (1.0..=f64::from(there_are)).contains(n));
                if fits.is_none() {
                    let what = if count.is_some() { "is out of range" } else { "is not a whole number" };
                    let message = format!(
                        "{shown} {what}. Allowed: 1 to {n}, the number of {things}, or a list of indices from 0."
                    );
                    self.complain(field, &shown, message);
                }
                #[allow(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "whole and in range"
                )]
                fits.map(|n| Hosts::Count(n as u32))
            }
        }
    }

    fn these(&mut self, field: &str, list: &[String], there_are: u32, things: &str) -> Option<Vec<u32>> {
        let highest = display::count(f64::from(there_are.saturating_sub(1)));
        let before = self.problems.len();
        if list.is_empty() {
            self.complain(
                field,
                "[]",
                format!("The list is empty. Name {things} by their index, 0 to {highest}."),
            );
        }
        let mut found: Vec<u32> = Vec::new();
        for text in list {
            let shown = echo(text);
            let index = text.trim().parse::<u32>().ok().filter(|at| *at < there_are);
            match index {
                None => {
                    let message =
                        format!("{shown} is no index of {things}. Allowed: whole numbers 0 to {highest}.");
                    self.complain(field, &shown, message);
                }
                Some(at) if found.contains(&at) => {
                    self.complain(
                        field,
                        &shown,
                        format!("{shown} stands in the list twice. Remove one of them."),
                    );
                }
                Some(at) => found.push(at),
            }
        }
        (self.problems.len() == before).then_some(found)
    }
}

/// What was given and has no effect, and what lies beyond the run.
fn notes(item: &Item, spec: &FaultSpec, fault: &Fault, stage: &Stage) -> Vec<String> {
    let mut notes = Vec::new();
    let has = |field: &str| item.fields.iter().any(|(key, _)| key == field);
    let takes = [
        ("hosts", spec.takes.hosts),
        ("clients", spec.takes.clients),
        ("share", spec.takes.share),
        ("strength", spec.strength.is_some()),
        ("add_ms", spec.kind == FaultKind::Latency),
    ];
    for (field, _) in takes.into_iter().filter(|(field, takes)| has(field) && !takes) {
        notes.push(format!("{field} has no effect on {} and is not looked at.", spec.word));
    }
    let end = display::number(stage.duration.as_secs());
    if fault.from >= stage.duration {
        let from = display::number(fault.from.as_secs());
        notes.push(format!(
            "{} begins at {from}{NBSP}s, after the run of {end}{NBSP}s: it does not happen.",
            spec.word
        ));
    } else if fault.to > stage.duration {
        let to = display::number(fault.to.as_secs());
        notes.push(format!(
            "{} lasts until {to}{NBSP}s, beyond the run of {end}{NBSP}s: nothing is seen of the time after it.",
            spec.word
        ));
    }
    notes
}

impl Given {
    /// As a message may show it.
    fn shown(&self) -> String {
        match self {
            Self::Text(text) => echo(text),
            Self::List(list) => echo(&format!("[{}]", list.join(", "))),
            Self::Other(shown) => shown.clone(),
        }
    }
}
