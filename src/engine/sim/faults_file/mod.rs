//! Faults as a person writes them: a JSON list, or the shorthand of the command line.
//!
//! ```text
//! [{"kind": "latency", "from_s": 20, "to_s": 50, "hosts": 2, "strength": 40}]
//! latency:from=20,to=50,hosts=2,strength=40
//! ```
//!
//! Only `kind` is required; the rest has defaults that make the fault visible. `hosts` and `clients` are
//! a count (the first ones) or a list of indices, counted from 0. Every problem of every item is told at
//! once.

mod check;
mod json;
mod shorthand;

use super::{Fault, Nanos};
use crate::engine::scenario::Problem;
use crate::engine::units::display;

/// What faults are laid over: how long the run is, and how many there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// Length of the run.
    pub duration: Nanos,
    /// Hosts of the scenario.
    pub hosts: u32,
    /// Proxies of the scenario.
    pub clients: u32,
}

/// Faults, and what is worth knowing about them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Faults {
    /// In the order in which they were given.
    pub list: Vec<Fault>,
    /// What was given and has no effect, and ends beyond the run, as sentences.
    pub notes: Vec<String>,
}

/// Largest file that is read.
pub const MAX_BYTES: usize = 1 << 20;

/// Most faults of a run.
pub const MAX_FAULTS: usize = 100;

/// A fault as it was written.
#[derive(Clone, Debug, Default, PartialEq)]
struct Item {
    /// What to call it in messages: `item 2`, or the shorthand's kind.
    place: String,
    /// Its fields in the order of the text.
    fields: Vec<(String, Given)>,
}

/// A value as it was written.
#[derive(Clone, Debug, PartialEq)]
enum Given {
    /// A number or a text.
    Text(String),
    /// A list of numbers or texts.
    List(Vec<String>),
    /// Something else, as it may be shown.
    Other(String),
}

/// Reads a faults file.
///
/// # Errors
///
/// Every problem of the text; the field names the item (counted from 1) and its field.
pub fn from_json(text: &str, stage: &Stage) -> Result<Faults, Vec<Problem>> {
    let items = json::items(text)?;
    check_all(items, stage)
}

/// Reads one fault in the shorthand `kind:field=value,…`.
///
/// # Errors
///
/// Every problem of the text.
pub fn from_shorthand(text: &str, stage: &Stage) -> Result<Faults, Vec<Problem>> {
    let (item, mut problems) = shorthand::item(text);
    match check_all(vec![(item, Vec::new())], stage) {
        Ok(faults) if problems.is_empty() => Ok(faults),
        Ok(_) => Err(problems),
        Err(more) => {
            problems.extend(more);
            Err(problems)
        }
    }
}

/// The JSON form of faults: what [`from_json`] reads back.
pub fn to_json(faults: &[Fault]) -> String {
    json::written(faults)
}

fn check_all(items: Vec<(Item, Vec<Problem>)>, stage: &Stage) -> Result<Faults, Vec<Problem>> {
    let (mut found, mut problems) = (Faults::default(), Vec::new());
    if items.len() > MAX_FAULTS {
        return Err(vec![whole(&format!(
            "There are {} faults. Allowed: up to {MAX_FAULTS}.",
            display::count(items.len() as f64)
        ))]);
    }
    for (item, own) in items {
        problems.extend(own);
        match check::fault(&item, stage) {
            Ok((fault, notes)) => {
                found.list.push(fault);
                found.notes.extend(notes);
            }
            Err(more) => problems.extend(more),
        }
    }
    if problems.is_empty() { Ok(found) } else { Err(problems) }
}

/// A problem of the whole text.
fn whole(message: &str) -> Problem {
    Problem { field: "faults".to_owned(), value: String::new(), message: message.to_owned() }
}

/// A problem of a field of an item.
fn at(item: &Item, field: &str, value: &str, message: String) -> Problem {
    let place = &item.place;
    let field = if field.is_empty() { place.clone() } else { format!("{place}.{field}") };
    Problem { field, value: value.to_owned(), message }
}
