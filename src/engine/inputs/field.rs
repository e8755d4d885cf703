//! An input with where its value is from.

use crate::engine::params::ParamId;
use crate::engine::read::Place;
use crate::engine::units::display;
use serde::Serialize;

/// Where a value is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum How {
    /// A person said so.
    Given,
    /// It stands in a text.
    Read,
    /// It follows from what stands in texts.
    Derived,
    /// It is not known.
    Missing,
}

impl How {
    /// The word in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Given => "given",
            Self::Read => "read",
            Self::Derived => "derived",
            Self::Missing => "missing",
        }
    }
}

/// An input of a scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Which.
    pub id: ParamId,
    /// How its value came about.
    pub how: How,
    /// Its value, as a form would have it; none while it is missing.
    pub value: Option<String>,
    /// What it was read from, by the name that stands there.
    pub source: String,
    /// Where that stands.
    pub places: Vec<Place>,
    /// The formula of a derived value.
    pub formula: String,
    /// The formula with its values put in.
    pub substituted: String,
    /// What to know of it; of a missing one, why.
    pub note: String,
}

impl Field {
    fn new(id: ParamId, how: How) -> Self {
        Self {
            id,
            how,
            value: None,
            source: String::new(),
            places: Vec::new(),
            formula: String::new(),
            substituted: String::new(),
            note: String::new(),
        }
    }

    /// A value that a person gave, and what it replaces.
    pub fn given(id: ParamId, text: &str, instead_of: Option<&Self>) -> Self {
        let read = instead_of.and_then(|field| field.value.as_deref());
        let note = read
            .filter(|read| *read != text)
            .map_or_else(String::new, |read| format!("the texts say {read}"));
        Self { value: Some(text.to_owned()), note, ..Self::new(id, How::Given) }
    }

    /// A value that stands in a text.
    pub fn read(id: ParamId, value: impl Into<String>, source: impl Into<String>, at: &Place) -> Self {
        Self {
            value: Some(value.into()),
            source: source.into(),
            places: vec![at.clone()],
            ..Self::new(id, How::Read)
        }
    }

    /// A number that follows from a formula.
    pub fn derived(id: ParamId, value: f64, formula: &str, substituted: String, places: Vec<Place>) -> Self {
        Self {
            value: Some(display::input(value)),
            formula: formula.to_owned(),
            substituted,
            places,
            ..Self::new(id, How::Derived)
        }
    }

    /// A word that follows from what is written.
    pub fn concluded(id: ParamId, value: &str, source: impl Into<String>, places: Vec<Place>) -> Self {
        Self { value: Some(value.to_owned()), source: source.into(), places, ..Self::new(id, How::Derived) }
    }

    /// A value that is not known, and why.
    pub fn missing(id: ParamId, why: impl Into<String>) -> Self {
        Self { note: why.into(), ..Self::new(id, How::Missing) }
    }

    /// The same with what to know of it.
    #[must_use]
    pub fn noting(self, note: impl Into<String>) -> Self {
        Self { note: note.into(), ..self }
    }

    /// The same with the name of what was read.
    #[must_use]
    pub fn from(self, source: impl Into<String>) -> Self {
        Self { source: source.into(), ..self }
    }

    /// The same with where it stands.
    #[must_use]
    pub fn standing(self, places: Vec<Place>) -> Self {
        Self { places, ..self }
    }
}

/// A count in words.
pub fn count(n: u64) -> String {
    display::count(n as f64)
}
