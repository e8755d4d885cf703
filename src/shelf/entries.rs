//! The list of what is kept. A name is there once: it is what an entry is known by, also in another tab.

use super::names::free;

/// Most entries kept.
pub const MAX_ENTRIES: usize = 200;

/// A scenario under a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// Its link, without the `#`. It names the rules that it was saved under.
    pub link: String,
}

/// What is kept, newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entries(pub Vec<Entry>);

impl Entries {
    /// Place of a name.
    pub fn place(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|entry| entry.name == name)
    }

    /// The entry of a name.
    pub fn get(&self, name: &str) -> Option<&Entry> {
        self.0.get(self.place(name)?)
    }

    /// A name that is free, made from this one.
    pub fn free(&self, name: &str) -> String {
        free(name, |name| self.get(name).is_some())
    }

    /// Whether one more has room.
    pub fn has_room(&self) -> bool {
        self.0.len() < MAX_ENTRIES
    }

    /// Puts an entry at a place, or at the end; its name has to be free.
    pub fn put(&mut self, at: usize, entry: Entry) {
        self.0.insert(at.min(self.0.len()), entry);
    }

    /// Takes an entry out, with its place.
    pub fn take(&mut self, name: &str) -> Option<(usize, Entry)> {
        let at = self.place(name)?;
        Some((at, self.0.remove(at)))
    }
}
