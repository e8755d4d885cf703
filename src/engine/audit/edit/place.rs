//! From the place of a finding to the value in the outline, and the changes that name a place.

use super::form::{Form, write_at};
use super::outline::Outline;
use super::plan::{At, Editor, Old, Refused};
use super::write::New;
use crate::engine::audit::Value;
use crate::engine::read::scalar::Notation;
use crate::engine::read::tree::{Kind, Node};
use crate::engine::read::{Place, Span};

/// A step down from a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Entry(usize),
    Item(usize),
}

const ELSEWHERE: &str = "it is part of a text within the text, which is not rewritten here";

impl Editor<'_> {
    /// The value at a place, ready to be written into or over.
    ///
    /// # Errors
    ///
    /// The place is within a text that is itself a value, or in none of the documents.
    pub fn locate(&mut self, place: &Place) -> Result<At, Refused> {
        if let Some(alias) = place.alias {
            return self.locate_alias(place, alias);
        }
        self.slot_at(place).map(At::Old).ok_or_else(|| ELSEWHERE.to_owned())
    }

    /// The slot of a place that is reached without an alias.
    pub fn slot_at(&self, place: &Place) -> Option<Old> {
        let of_file = self.outlines.iter().enumerate().filter(|(_, o)| o.file == place.file as usize);
        let mut of_file = of_file;
        of_file.find_map(|(document, outline)| Some(Old { document, slot: slot_in(outline, place)? }))
    }

    fn locate_alias(&mut self, place: &Place, alias: Span) -> Result<At, Refused> {
        for document in 0..self.outlines.len() {
            let outline = &self.outlines[document];
            if outline.file != place.file as usize {
                continue;
            }
            for slot in 0..outline.slots.len() {
                let here = &outline.slots[slot];
                let old = Old { document, slot };
                if here.node.alias == Some(alias)
                    && let Some(steps) = steps_to(here.node, place, here.key.map(|e| e.key_span))
                {
                    let copy = self.open(At::Old(old))?;
                    return self.follow(copy, &steps);
                }
                let entries = here.node.entries().filter(|_| here.node.alias.is_none()).unwrap_or_default();
                let merged = entries
                    .iter()
                    .filter(|e| e.value.alias == Some(alias) && !is_within(e.key_span, here.node.span));
                for entry in merged {
                    if let Some(steps) = steps_to(&entry.value, place, Some(entry.key_span)) {
                        let key = entry.key.clone();
                        let copy = self.adopt(At::Old(old), &key)?;
                        return self.follow(copy, &steps);
                    }
                }
            }
        }
        Err(ELSEWHERE.to_owned())
    }

    /// The value that steps lead to in a copy.
    fn follow(&self, from: At, steps: &[Step]) -> Result<At, Refused> {
        let mut at = from;
        for step in steps {
            let At::New(new) = at else { return Err(ELSEWHERE.to_owned()) };
            let next = match (&self.plan.news[new], step) {
                (New::Map { entries, .. }, Step::Entry(i)) => entries.get(*i).map(|(_, value)| *value),
                (New::List(items), Step::Item(i)) => items.get(*i).copied(),
                _ => None,
            };
            at = At::New(next.ok_or_else(|| ELSEWHERE.to_owned())?);
        }
        Ok(at)
    }

    /// Leaves out what stands at a place.
    ///
    /// # Errors
    ///
    /// As [`Editor::locate`] and [`Editor::remove`].
    pub fn remove_at(&mut self, place: &Place) -> Result<(), Refused> {
        match self.locate(place)? {
            At::Old(old) => self.remove(old),
            At::New(new) => {
                self.remove_new(new);
                Ok(())
            }
        }
    }

    /// Writes another value at a place.
    ///
    /// # Errors
    ///
    /// As [`Editor::locate`] and [`Editor::write`].
    pub fn replace_at(&mut self, place: &Place, value: &Value, notation: Notation) -> Result<(), Refused> {
        let at = self.locate(place)?;
        write_at(self, at, value, Form::of(value, self.is_map(at), &place.path), notation)
    }

    /// Writes another key at a place.
    ///
    /// # Errors
    ///
    /// As [`Editor::locate`] and [`Editor::rename`].
    pub fn rename_at(&mut self, place: &Place, key: &str) -> Result<(), Refused> {
        match self.slot_at(place).filter(|_| place.alias.is_none()) {
            Some(old) => self.rename(old, key.to_owned()),
            None if place.alias.is_some() => Err("the key comes through an anchor".to_owned()),
            None => Err(ELSEWHERE.to_owned()),
        }
    }
}

fn is_within(inner: Span, outer: Span) -> bool {
    inner.start >= outer.start && inner.end <= outer.end
}

/// The slot at a place, if the keys above it are those of the place: a text within the text has all
/// its fields where it stands itself.
fn slot_in(outline: &Outline<'_>, place: &Place) -> Option<usize> {
    let mut open = vec![0];
    while let Some(at) = open.pop() {
        let slot = &outline.slots[at];
        let is_here = slot.node.span == place.span
            && slot.key.map(|e| e.key_span) == place.key
            && slot.node.alias.is_none();
        if is_here && path(outline, at) == place.path {
            return Some(at);
        }
        let from = place.key.unwrap_or(place.span).start as usize;
        let holds = |c: &&usize| (outline.slots[**c].start..=outline.slots[**c].end).contains(&from);
        open.extend(slot.children.iter().filter(holds));
    }
    None
}

/// The keys above a value as the reader writes them.
pub fn path(outline: &Outline<'_>, slot: usize) -> String {
    let here = &outline.slots[slot];
    let Some(parent) = here.parent else { return String::new() };
    let above = path(outline, parent);
    if let Some(entry) = here.key {
        let dot = if above.is_empty() { "" } else { "." };
        return format!("{above}{dot}{}", crate::engine::read::cut_key(&entry.key));
    }
    let index = outline.slots[parent].children.iter().position(|c| *c == slot).unwrap_or_default();
    format!("{above}[{index}]")
}

/// The way from a value to the place below it.
fn steps_to(node: &Node, place: &Place, key: Option<Span>) -> Option<Vec<Step>> {
    if node.span == place.span && (place.key.is_none() || key == place.key) {
        return Some(Vec::new());
    }
    let below = |step: Step, node: &Node, key: Option<Span>| {
        let mut steps = steps_to(node, place, key)?;
        steps.insert(0, step);
        Some(steps)
    };
    match &node.kind {
        Kind::Scalar(_) => None,
        Kind::List(items) => items.iter().enumerate().find_map(|(i, item)| below(Step::Item(i), item, None)),
        Kind::Map(entries) => {
            entries.iter().enumerate().find_map(|(i, e)| below(Step::Entry(i), &e.value, Some(e.key_span)))
        }
    }
}
