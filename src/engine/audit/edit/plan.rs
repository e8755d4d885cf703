//! What is to be changed, before a byte is: an overlay over the outlines of all documents.
//!
//! Fixes are entered one after the other and see what those before them do, so that two of them can
//! write into one new block, and one that contradicts another is refused.

use super::outline::{Outline, Shape};
use super::scalar::Single;
use super::write::New;
use crate::engine::read::tree::{Entry, Kind, Node, same_field};
use std::collections::{BTreeMap, BTreeSet};

/// A value of the text: a document and a slot of its outline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Old {
    /// Index of the document.
    pub document: usize,
    /// Index of the slot.
    pub slot: usize,
}

/// A value, in the text or to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum At {
    /// It is in the text.
    Old(Old),
    /// It will be.
    New(usize),
}

/// Why a change is not made.
pub type Refused = String;

/// Changes that are agreed on.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// All new values.
    pub news: Vec<New>,
    /// Values of the text that become another single value, as it will stand there.
    pub raw: BTreeMap<Old, String>,
    /// Values of the text that become something else as a whole.
    pub replaced: BTreeMap<Old, usize>,
    /// What is left out.
    pub removed: BTreeSet<Old>,
    /// What is added to a map, with its key, or to a list.
    pub added: BTreeMap<Old, Vec<(Option<String>, usize)>>,
    /// Maps that become the first item of a list, and the items that follow it.
    pub beside: BTreeMap<Old, Vec<usize>>,
    /// Keys that are spelled otherwise.
    pub renamed: BTreeMap<Old, String>,
    /// Which fix decided about a value.
    pub(super) owners: BTreeMap<At, usize>,
}

/// A plan, and what it is made for.
#[derive(Debug)]
pub struct Editor<'t> {
    /// The documents.
    pub outlines: Vec<Outline<'t>>,
    /// What is agreed on.
    pub plan: Plan,
    /// The fix that is being entered.
    pub fix: usize,
    /// It wants something that another fix has seen to.
    pub agrees: bool,
    /// New fields are spelled `maxRequests`, not `max_requests`.
    pub is_camel: bool,
}

/// What a map holds under a key.
pub(super) enum Found<'t> {
    Here(At),
    Merged(&'t Entry),
    Nothing,
}

impl<'t> Editor<'t> {
    /// The slot of a value.
    pub fn slot(&self, old: Old) -> &super::outline::Slot<'t> {
        &self.outlines[old.document].slots[old.slot]
    }

    pub(super) fn outline(&self, old: Old) -> &Outline<'t> {
        &self.outlines[old.document]
    }

    pub(super) fn new_value(&mut self, new: New) -> usize {
        self.plan.news.push(new);
        self.plan.news.len() - 1
    }

    /// A new single value.
    pub fn new_text(&mut self, text: Single) -> usize {
        self.new_value(New::Scalar(text))
    }

    /// A new map; a short one stands on the line of its key.
    pub fn new_map(&mut self, short: bool) -> usize {
        self.new_value(New::Map { entries: Vec::new(), short })
    }

    /// A new list.
    pub fn new_list(&mut self, items: Vec<usize>) -> usize {
        self.new_value(New::List(items))
    }

    /// A copy of what a value means.
    pub(super) fn copy(&mut self, node: &Node) -> usize {
        let new = match &node.kind {
            Kind::Scalar(s) if s.quoted => New::Scalar(Single::text(s.text.clone())),
            Kind::Scalar(s) => {
                New::Scalar(Single { body: s.text.clone(), is_text: !node.is_null() && is_word(&s.text) })
            }
            Kind::List(items) => New::List(items.iter().map(|item| self.copy(item)).collect()),
            Kind::Map(entries) => {
                let entries = entries.iter().map(|e| (e.key.clone(), self.copy(&e.value))).collect();
                New::Map { entries, short: false }
            }
        };
        self.new_value(new)
    }

    /// A copy of a value of the text, with what is planned for nothing of it.
    pub fn copy_of(&mut self, at: At) -> Result<usize, Refused> {
        match at {
            At::New(new) => Ok(new),
            At::Old(old) if self.touches_within(old) => {
                Err("another fix changes the block that this one would have to copy".to_owned())
            }
            At::Old(old) => {
                let node = self.slot(old).node;
                Ok(self.copy(node))
            }
        }
    }

    /// Where a value stands now: what it was replaced by, if it was.
    pub(super) fn now(&self, at: At) -> At {
        match at {
            At::Old(old) => self.plan.replaced.get(&old).map_or(at, |new| At::New(*new)),
            At::New(_) => at,
        }
    }

    /// The value of a field that is set, in either spelling.
    pub fn get(&self, map: At, field: &str) -> Option<At> {
        match self.find(map, field) {
            Ok(Found::Here(at)) if !self.is_null(at) => Some(at),
            _ => None,
        }
    }

    /// Whether a field is set, here or by a merge key.
    pub fn has(&self, map: At, field: &str) -> bool {
        self.get(map, field).is_some() || matches!(self.find(map, field), Ok(Found::Merged(_)))
    }

    pub(super) fn is_null(&self, at: At) -> bool {
        match self.now(at) {
            At::Old(old) => self.slot(old).node.is_null() && !self.plan.raw.contains_key(&old),
            At::New(new) => {
                matches!(&self.plan.news[new], New::Scalar(t) if !t.is_text && matches!(t.body.as_str(), "" | "~" | "null"))
            }
        }
    }

    pub(super) fn find(&self, map: At, field: &str) -> Result<Found<'t>, Refused> {
        let map = match self.now(map) {
            At::New(new) => {
                let New::Map { entries, .. } = &self.plan.news[new] else { return Ok(Found::Nothing) };
                let entry = entries.iter().rev().find(|(key, _)| same_field(key, field));
                return Ok(entry.map_or(Found::Nothing, |(_, value)| Found::Here(At::New(*value))));
            }
            At::Old(old) => old,
        };
        let slot = self.slot(map);
        let old = |&slot: &usize| Old { slot, ..map };
        let is_it = |o: &Old| self.key_of(*o).is_some_and(|key| same_field(key, field));
        let all: Vec<Old> = slot.children.iter().rev().map(old).filter(is_it).collect();
        let kept = || all.iter().copied().filter(|o| !self.plan.removed.contains(o));
        // As Envoy has it: its own name before the other spelling, the last one before the others.
        let is_exact = |o: &Old| self.key_of(*o) == Some(field);
        let set = || kept().filter(|o| !self.is_null(At::Old(*o)));
        if let Some(found) = set().find(is_exact).or_else(|| set().next()).or_else(|| kept().next()) {
            return Ok(Found::Here(At::Old(found)));
        }
        let added = self.plan.added.get(&map).into_iter().flatten();
        if let Some((_, new)) =
            added.rev().find(|(key, _)| key.as_ref().is_some_and(|k| same_field(k, field)))
        {
            return Ok(Found::Here(At::New(*new)));
        }
        if all.iter().any(|o| self.plan.owners.get(&At::Old(*o)).is_some_and(|fix| *fix != self.fix)) {
            return Err(format!("another fix leaves `{field}` out"));
        }
        let entries = slot.node.entries().filter(|_| slot.is_map()).unwrap_or_default();
        let merged = entries.iter().find(|e| same_field(&e.key, field) && !self.is_child(map, e));
        Ok(merged.map_or(Found::Nothing, Found::Merged))
    }

    pub(super) fn is_child(&self, map: Old, entry: &Entry) -> bool {
        let is_it = |slot: &usize| self.outline(map).slots[*slot].key.is_some_and(|e| std::ptr::eq(e, entry));
        self.slot(map).children.iter().any(is_it)
    }

    pub(super) fn key_of(&self, old: Old) -> Option<&str> {
        let renamed = self.plan.renamed.get(&old).map(String::as_str);
        renamed.or_else(|| self.slot(old).key.map(|e| e.key.as_str()))
    }

    /// The text of a single value.
    pub fn text(&self, at: At) -> Option<String> {
        match self.now(at) {
            At::Old(old) => match self.plan.raw.get(&old) {
                Some(raw) => Some(raw.trim_matches(['"', '\'']).to_owned()),
                None => self.slot(old).node.text().map(str::to_owned),
            },
            At::New(new) => match &self.plan.news[new] {
                New::Scalar(text) => Some(text.body.clone()),
                _ => None,
            },
        }
    }

    /// The text of a field of a map, wherever it comes from.
    pub fn text_of(&self, map: At, field: &str) -> Option<String> {
        match self.find(map, field).ok()? {
            Found::Here(at) => self.text(at),
            Found::Merged(entry) => entry.value.text().map(str::to_owned),
            Found::Nothing => match self.now(map) {
                // An alias: its map stands elsewhere.
                At::Old(old) => self
                    .slot(old)
                    .node
                    .text_of(field)
                    .filter(|_| self.slot(old).shape == Shape::Alias)
                    .map(str::to_owned),
                At::New(_) => None,
            },
        }
    }

    /// Whether a value is a map.
    pub fn is_map(&self, at: At) -> bool {
        match self.now(at) {
            At::Old(old) => self.slot(old).node.entries().is_some(),
            At::New(new) => matches!(self.plan.news[new], New::Map { .. }),
        }
    }

    /// The items of a list; a single value counts as a list of one.
    pub fn items(&self, at: At) -> Vec<At> {
        match self.now(at) {
            At::Old(old) if self.slot(old).is_list() => {
                let kept = self.slot(old).children.iter().map(|&slot| Old { slot, ..old });
                let kept = kept.filter(|o| !self.plan.removed.contains(o)).map(At::Old);
                let added = self.plan.added.get(&old).into_iter().flatten().map(|(_, new)| At::New(*new));
                kept.chain(added).collect()
            }
            At::Old(old) if self.is_null(at) || self.slot(old).shape == Shape::Alias => Vec::new(),
            At::Old(old) => {
                let beside = self.plan.beside.get(&old).into_iter().flatten().map(|new| At::New(*new));
                std::iter::once(At::Old(old)).chain(beside).collect()
            }
            At::New(new) => match &self.plan.news[new] {
                New::List(items) => items.iter().map(|new| At::New(*new)).collect(),
                _ => vec![At::New(new)],
            },
        }
    }
}

/// Whether a plain text is a word to YAML, not a number or a truth value.
fn is_word(text: &str) -> bool {
    !(matches!(text, "true" | "false")
        || crate::engine::read::scalar::plain_number(text).is_some()
        || text.starts_with("0x"))
}

impl Plan {
    /// Whether two plans come to the same.
    pub fn is_same(&self, other: &Self) -> bool {
        self.news == other.news
            && self.raw == other.raw
            && self.replaced == other.replaced
            && self.removed == other.removed
            && self.added == other.added
            && self.beside == other.beside
            && self.renamed == other.renamed
    }
}
