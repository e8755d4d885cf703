//! Down into the documents: values are made ready to be written into, and what is missing on the way
//! comes into being.

use super::outline::Shape;
use super::plan::{At, Editor, Found, Old, Refused};
use super::write::New;
use crate::engine::read::tree::to_camel;

impl Editor<'_> {
    /// The same value, ready to be written into: what an alias stands for is copied to where the
    /// alias is, and nothing becomes an empty map.
    ///
    /// # Errors
    ///
    /// It is a single value, or others use its text through an anchor.
    pub fn open(&mut self, at: At) -> Result<At, Refused> {
        let old = match self.now(at) {
            At::New(new) => return Ok(At::New(new)),
            At::Old(old) => old,
        };
        let slot = self.slot(old);
        match slot.shape {
            Shape::Alias => {
                let node = slot.node;
                let new = self.copy(node);
                Ok(self.becomes(old, new))
            }
            Shape::Scalar if slot.node.is_null() => {
                let new = self.new_map(false);
                Ok(self.becomes(old, new))
            }
            Shape::Scalar => Err(format!("{} is a single value", self.name(old))),
            Shape::Other => {
                Err(format!("{} is written in a form that is not rewritten here", self.name(old)))
            }
            Shape::Block | Shape::Flow => Ok(At::Old(old)),
        }
    }

    pub(super) fn becomes(&mut self, old: Old, new: usize) -> At {
        self.plan.owners.entry(At::Old(old)).or_insert(self.fix);
        self.plan.replaced.insert(old, new);
        At::New(new)
    }

    /// The map under a key, ready to be written into; it comes into being if it is not there.
    ///
    /// # Errors
    ///
    /// As [`Editor::open`].
    pub fn enter(&mut self, map: At, field: &str) -> Result<At, Refused> {
        self.enter_as(map, field, false)
    }

    /// As [`Editor::enter`]; a new map stands on the line of its key.
    ///
    /// # Errors
    ///
    /// As [`Editor::open`].
    pub fn enter_as(&mut self, map: At, field: &str, short: bool) -> Result<At, Refused> {
        let map = self.open(map)?;
        match self.find(map, field)? {
            Found::Here(at) => self.open(at),
            Found::Merged(entry) => self.adopt(map, &entry.key),
            Found::Nothing => {
                let new = self.new_map(short);
                self.add(map, Some(self.spelled(field)), new)?;
                Ok(At::New(new))
            }
        }
    }

    /// The value under a key; what is merged into the map by `<<` is copied to the map itself.
    ///
    /// # Errors
    ///
    /// There is none, or others use the map through an anchor.
    pub fn adopt(&mut self, map: At, key: &str) -> Result<At, Refused> {
        match self.find(map, key)? {
            Found::Here(at) => Ok(at),
            Found::Merged(entry) => {
                let (key, new) = (entry.key.clone(), self.copy(&entry.value));
                self.add(map, Some(key), new)?;
                Ok(At::New(new))
            }
            Found::Nothing => Err(format!("there is no `{key}`")),
        }
    }

    /// The map or list under a key, ready to be written into, if it is there.
    ///
    /// # Errors
    ///
    /// As [`Editor::open`].
    pub fn below(&mut self, map: At, field: &str) -> Result<Option<At>, Refused> {
        match self.find(map, field)? {
            Found::Here(at) if self.is_null(at) => Ok(None),
            Found::Here(at) => self.open(at).map(Some),
            Found::Merged(entry) => self.adopt(map, &entry.key).map(Some),
            Found::Nothing => Ok(None),
        }
    }

    /// Puts a new value under a key that is not set.
    ///
    /// # Errors
    ///
    /// As [`Editor::open`].
    pub fn put(&mut self, map: At, field: &str, new: usize) -> Result<(), Refused> {
        let map = self.open(map)?;
        match self.find(map, field)? {
            Found::Here(at) => self.replace(at, new),
            Found::Merged(_) | Found::Nothing => {
                self.own(At::New(new));
                self.add(map, Some(self.spelled(field)), new)
            }
        }
    }

    /// Leaves a new value out again.
    pub fn remove_new(&mut self, new: usize) {
        for value in &mut self.plan.news {
            match value {
                New::Map { entries, .. } => entries.retain(|(_, value)| *value != new),
                New::List(items) => items.retain(|item| *item != new),
                New::Scalar(_) => {}
            }
        }
        for added in self.plan.added.values_mut() {
            added.retain(|(_, value)| *value != new);
        }
    }

    /// A field in the spelling of the text.
    pub(super) fn spelled(&self, field: &str) -> String {
        if self.is_camel { to_camel(field) } else { field.to_owned() }
    }

    /// Adds to a map or a list that is ready to be written into.
    pub(super) fn add(&mut self, at: At, key: Option<String>, new: usize) -> Result<(), Refused> {
        match at {
            At::Old(old) => {
                if let Some(user) = self.outline(old).user_of_container(old.slot) {
                    return Err(self.shared(old, user));
                }
                self.plan.owners.entry(at).or_insert(self.fix);
                self.plan.added.entry(old).or_default().push((key, new));
            }
            At::New(into) => match (&mut self.plan.news[into], key) {
                (New::Map { entries, .. }, Some(key)) => entries.push((key, new)),
                (New::List(items), None) => items.push(new),
                _ => return Err("it is of another kind".to_owned()),
            },
        }
        Ok(())
    }

    /// Adds an item to the list under a key; a single value there becomes the first item.
    ///
    /// # Errors
    ///
    /// As [`Editor::open`].
    pub fn push(&mut self, map: At, field: &str, item: usize) -> Result<(), Refused> {
        let map = self.open(map)?;
        match self.find(map, field)? {
            Found::Here(at) if !self.is_null(at) => match self.open(at)? {
                At::Old(old) if self.slot(old).is_list() => self.add(At::Old(old), None, item),
                At::Old(old) => {
                    if let Some(user) = self.outline(old).user_of_container(old.slot) {
                        return Err(self.shared(old, user));
                    }
                    self.plan.owners.entry(At::Old(old)).or_insert(self.fix);
                    self.plan.beside.entry(old).or_default().push(item);
                    Ok(())
                }
                At::New(new) => {
                    if let New::List(items) = &mut self.plan.news[new] {
                        items.push(item);
                    } else {
                        let single = self.plan.news[new].clone();
                        let first = self.new_value(single);
                        self.plan.news[new] = New::List(vec![first, item]);
                    }
                    Ok(())
                }
            },
            Found::Here(At::Old(old)) => {
                let list = self.new_list(vec![item]);
                self.becomes(old, list);
                Ok(())
            }
            Found::Merged(entry) => {
                let (key, list) = (entry.key.clone(), self.copy(&entry.value));
                if let New::List(items) = &mut self.plan.news[list] {
                    items.push(item);
                }
                self.add(map, Some(key), list)
            }
            Found::Here(_) | Found::Nothing => {
                let list = self.new_list(vec![item]);
                self.add(map, Some(self.spelled(field)), list)
            }
        }
    }
}
