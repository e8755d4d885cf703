//! Values are written, replaced, left out and renamed, unless that changes more than it should.

use super::outline::Shape;
use super::plan::{At, Editor, Found, Old, Refused};
use super::scalar::Single;
use super::write::New;
use crate::engine::read::Span;
use crate::engine::read::scalar::Notation;
use crate::engine::read::tree::same_field;

impl Editor<'_> {
    /// Writes a single value under a key.
    ///
    /// # Errors
    ///
    /// Another fix writes another value, or others use the text through an anchor.
    pub fn set(&mut self, map: At, field: &str, text: Single, notation: Notation) -> Result<(), Refused> {
        let map = self.open(map)?;
        match self.find(map, field)? {
            Found::Here(at) => self.write(at, text, notation),
            Found::Merged(_) | Found::Nothing => {
                let new = self.new_text(text);
                self.own(At::New(new));
                self.add(map, Some(self.spelled(field)), new)
            }
        }
    }

    /// Writes a single value in the place of another.
    ///
    /// # Errors
    ///
    /// As [`Editor::set`].
    pub fn write(&mut self, at: At, text: Single, notation: Notation) -> Result<(), Refused> {
        let old = match self.now(at) {
            At::New(new) => {
                let is_same = self.plan.news[new] == New::Scalar(text.clone());
                self.agree(At::New(new), is_same, &text)?;
                self.plan.news[new] = New::Scalar(text);
                return Ok(());
            }
            At::Old(old) => old,
        };
        let slot = self.slot(old);
        let is_single = slot.shape == Shape::Scalar && slot.end > slot.value;
        if !is_single {
            // An alias, a list, a map or nothing: the whole of it is replaced.
            let new = self.new_text(text);
            return self.replace(at, new);
        }
        let outline = self.outline(old);
        if let Some(user) = outline.user_of_value(old.slot) {
            return Err(self.shared(old, user));
        }
        let token = &outline.text[slot.value..slot.end];
        let is_json = super::style::is_json(outline, old.slot);
        let raw = text.replacing(token, notation, outline.is_in_flow(old.slot), is_json);
        let is_same = self.plan.raw.get(&old).is_some_and(|before| *before == raw);
        let is_there = raw == *token;
        self.agree(At::Old(old), is_same, &text)?;
        if is_there {
            self.plan.raw.remove(&old);
        } else {
            self.plan.raw.insert(old, raw);
        }
        Ok(())
    }

    /// Puts a new value in the place of another.
    ///
    /// # Errors
    ///
    /// As [`Editor::set`].
    pub fn replace(&mut self, at: At, new: usize) -> Result<(), Refused> {
        match self.now(at) {
            At::New(before) => {
                let value = self.plan.news[new].clone();
                let is_same = self.same(before, new);
                let shown = Single::text("another value");
                self.agree(At::New(before), is_same, &shown)?;
                self.plan.news[before] = value;
                Ok(())
            }
            At::Old(old) => {
                let slot = self.slot(old);
                if slot.shape != Shape::Alias {
                    if let Some(user) = self.outline(old).user_of_value(old.slot) {
                        return Err(self.shared(old, user));
                    }
                    let inner = slot.value..slot.end;
                    if let Some(user) = self.outline(old).user_of_range(&inner) {
                        return Err(self.shared(old, user));
                    }
                }
                if self.touches_within(old) {
                    return Err("another fix changes a part of it".to_owned());
                }
                self.own(At::Old(old));
                self.own(At::New(new));
                self.plan.replaced.insert(old, new);
                Ok(())
            }
        }
    }

    pub(super) fn same(&self, a: usize, b: usize) -> bool {
        match (&self.plan.news[a], &self.plan.news[b]) {
            (New::Scalar(a), New::Scalar(b)) => a == b,
            (New::List(a), New::List(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.same(*a, *b))
            }
            (New::Map { entries: a, .. }, New::Map { entries: b, .. }) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.0 == b.0 && self.same(a.1, b.1))
            }
            _ => false,
        }
    }

    /// Leaves a key out, with its value; nothing happens if it is not there.
    ///
    /// # Errors
    ///
    /// It comes from elsewhere, or others use its text.
    pub fn clear(&mut self, map: At, field: &str) -> Result<(), Refused> {
        if let At::New(new) = self.now(map) {
            if let New::Map { entries, .. } = &mut self.plan.news[new] {
                entries.retain(|(key, _)| !same_field(key, field));
            }
            return Ok(());
        }
        if self.find(map, field).is_err() {
            // Another fix has left it out.
            self.agrees = true;
            return Ok(());
        }
        while let Found::Here(at) = self.find(map, field)? {
            match at {
                At::Old(old) => self.remove(old)?,
                At::New(new) => {
                    for list in self.plan.added.values_mut() {
                        list.retain(|(_, value)| *value != new);
                    }
                }
            }
        }
        match self.find(map, field)? {
            Found::Merged(_) => Err(format!("`{field}` is merged in by `<<` and cannot be left out here")),
            _ => Ok(()),
        }
    }

    /// Leaves a key or a list item out.
    ///
    /// # Errors
    ///
    /// Others use its text, or another fix changes it.
    pub fn remove(&mut self, old: Old) -> Result<(), Refused> {
        let (outline, slot) = (self.outline(old), self.slot(old));
        if slot.parent.is_none() {
            return Err("it is the whole document".to_owned());
        }
        if self.plan.removed.contains(&old) {
            self.agrees = true;
            return Ok(());
        }
        let parent = slot.parent.unwrap_or_default();
        let users = outline.user_of_container(parent).or_else(|| outline.user_of_range(&slot.range()));
        if let Some(user) = users {
            return Err(self.shared(old, user));
        }
        if outline.slots[parent].shape == Shape::Other || slot.shape == Shape::Other {
            return Err(format!("{} is written in a form that is not rewritten here", self.name(old)));
        }
        if self.touches_within(old) {
            return Err("another fix changes what this one leaves out".to_owned());
        }
        self.forget_within(old);
        self.own(At::Old(old));
        self.plan.removed.insert(old);
        Ok(())
    }

    /// Spells a key otherwise.
    ///
    /// # Errors
    ///
    /// The map has that key already, or others use its text.
    pub fn rename(&mut self, old: Old, key: String) -> Result<(), Refused> {
        let parent = self.slot(old).parent;
        let Some(parent) = parent.filter(|_| self.slot(old).key.is_some()) else {
            return Err("there is no key".to_owned());
        };
        let map = Old { slot: parent, ..old };
        if let Some(user) = self.outline(old).user_of_container(parent) {
            return Err(self.shared(old, user));
        }
        let has_it = self.get(At::Old(map), &key).is_some_and(|at| at != At::Old(old));
        if has_it {
            return Err(format!("`{key}` is there already"));
        }
        self.own(At::Old(old));
        self.plan.renamed.insert(old, key);
        Ok(())
    }

    /// Records that the fix at hand decides about a value.
    pub fn own(&mut self, at: At) {
        self.plan.owners.insert(at, self.fix);
    }

    pub(super) fn agree(&mut self, at: At, is_same: bool, text: &Single) -> Result<(), Refused> {
        match self.plan.owners.get(&at) {
            Some(other) if *other != self.fix && !is_same => {
                Err(format!("another fix writes another value than {}", text.body))
            }
            Some(other) if *other != self.fix => {
                self.agrees = true;
                Ok(())
            }
            _ => {
                self.own(at);
                Ok(())
            }
        }
    }

    /// Whether another fix changes something within a value.
    pub(super) fn touches_within(&self, old: Old) -> bool {
        self.touched().any(|t| {
            self.is_within(t, old) && self.plan.owners.get(&At::Old(t)).is_none_or(|f| *f != self.fix)
        })
    }

    fn touched(&self) -> impl Iterator<Item = Old> {
        let plan = &self.plan;
        let keys = plan.raw.keys().chain(plan.replaced.keys()).chain(&plan.removed);
        keys.chain(plan.added.keys()).chain(plan.beside.keys()).chain(plan.renamed.keys()).copied()
    }

    fn is_within(&self, inner: Old, outer: Old) -> bool {
        let mut at = Some(inner.slot);
        while let Some(slot) = at.filter(|_| inner.document == outer.document) {
            if slot == outer.slot {
                return true;
            }
            at = self.outlines[inner.document].slots[slot].parent;
        }
        false
    }

    /// Drops what the fix at hand has planned within a value that it leaves out.
    pub(super) fn forget_within(&mut self, outer: Old) {
        let within: Vec<Old> = self.touched().filter(|t| self.is_within(*t, outer)).collect();
        for old in within {
            self.plan.raw.remove(&old);
            self.plan.replaced.remove(&old);
            self.plan.removed.remove(&old);
            self.plan.added.remove(&old);
            self.plan.beside.remove(&old);
            self.plan.renamed.remove(&old);
        }
    }

    pub(super) fn shared(&self, old: Old, user: Span) -> Refused {
        format!("line {} uses {} through an anchor, and would change with it", user.line, self.name(old))
    }

    /// A value in a sentence: its key, or the line it stands on.
    pub(super) fn name(&self, old: Old) -> String {
        match self.slot(old).key {
            Some(entry) => format!("`{}`", entry.key),
            None => format!("the value on line {}", self.slot(old).node.span.line),
        }
    }
}
