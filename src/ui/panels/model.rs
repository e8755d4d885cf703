//! What a panel is written from.

use crate::engine::analysis::Analysis;
use crate::ui::components::{NOTE, OFF};
use crate::ui::state::Outcome;

/// An outcome and how much of it is unfolded.
#[derive(Clone, Copy, Debug)]
pub struct Model<'a> {
    /// The answer, and what is wrong with the inputs.
    pub now: &'a Outcome,
    /// Ids of what is unfolded.
    pub open: &'a [String],
}

impl<'a> Model<'a> {
    /// The answer to show.
    pub fn answer(&self) -> &'a Analysis {
        &self.now.answer
    }

    /// Whether something is unfolded.
    pub fn is_open(&self, id: &str) -> bool {
        self.open.iter().any(|open| open == id)
    }

    /// Whether the help of an input is open.
    pub fn shows_note(&self, key: &str) -> bool {
        self.open.iter().any(|open| open.strip_suffix(NOTE) == Some(key))
    }

    /// What is wrong with an input; empty if nothing is.
    pub fn message(&self, key: &str) -> String {
        let mut messages = self.now.problems.iter().filter(|p| p.field == key).map(|p| p.message.as_str());
        let first = messages.next().unwrap_or_default().to_owned();
        messages.fold(first, |text, more| text + " " + more)
    }

    /// Attributes of a button that waits for valid inputs.
    pub fn waits(&self) -> &'static str {
        if self.now.is_stale() { OFF } else { "" }
    }
}
