//! The parts of the Simulate view, as functions that write HTML.
//!
//! Four elements of the page are theirs: the form, the answer, the rail, and a bar for narrow screens. Drawings go beside them,
//! as SVG for an element that the answer leaves empty.

mod answer;
mod ejections;
mod faults;
mod figures;
mod form;
mod hero;
mod moment;
mod policies;
mod rail;
mod replay;
mod tables;

pub use moment::spoken;
pub use rail::markdown;

use super::desk::Desk;
use super::request::Reply;
use crate::markup::{Changes, Html};
use std::collections::BTreeMap;

/// Ids of the elements that hold the view.
const FORM: &str = "sim-form";
const ANSWER: &str = "sim";
const RAIL: &str = "sim-rail";
const BAR: &str = "sim-bar";

/// What the page shows.
#[derive(Default)]
pub struct Shown {
    form: Html,
    answer: Html,
    rail: Html,
    bar: Html,
    drawings: BTreeMap<&'static str, String>,
    /// Whether the inputs of the page still have the texts that the desk thinks they have.
    has_values: bool,
}

impl Shown {
    /// The desk has changed texts: the page is told all of them next time.
    pub fn forget_values(&mut self) {
        self.has_values = false;
    }

    /// Writes the view and tells the page what differs.
    pub fn update(&mut self, desk: &Desk, reply: &mut Reply) {
        let mut now = Html::default();
        form::form(&mut now, desk);
        let changed = exchange(FORM, &now, &self.form, reply);
        // Inputs that are written anew are empty.
        let is_new = |id: &String| id == FORM || form::HOLDS_INPUTS.contains(&id.as_str());
        if !self.has_values || changed.iter().any(is_new) {
            reply.values = form::values(desk);
            self.has_values = true;
        }
        self.form = now;

        let mut now = Html::default();
        answer::answer(&mut now, desk);
        let changed = exchange(ANSWER, &now, &self.answer, reply);
        if changed.iter().any(|id| id == ANSWER) {
            self.drawings.clear();
        }
        self.answer = now;
        for (id, svg) in figures::drawings(desk) {
            if self.drawings.get(id) != Some(&svg) {
                reply.changes.push((id.to_owned(), svg.clone()));
                self.drawings.insert(id, svg);
            }
        }

        let mut now = Html::default();
        rail::rail(&mut now, desk);
        exchange(RAIL, &now, &self.rail, reply);
        self.rail = now;

        let mut now = Html::default();
        hero::bar(&mut now, desk);
        exchange(BAR, &now, &self.bar, reply);
        self.bar = now;
    }
}

/// Adds what differs to the reply; the ids of what that is.
fn exchange(root: &str, now: &Html, before: &Html, reply: &mut Reply) -> Vec<String> {
    let changes = match now.changes(before) {
        Changes::All => vec![(root.to_owned(), now.as_str().to_owned())],
        Changes::Slots(slots) => {
            slots.into_iter().map(|slot| (slot.id.to_owned(), slot.now.to_owned())).collect()
        }
    };
    let ids = changes.iter().map(|(id, _)| id.clone()).collect();
    reply.changes.extend(changes);
    ids
}
