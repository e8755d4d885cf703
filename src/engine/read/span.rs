//! Places in pasted text: where a value stands, and how it got there.

use serde::{Deserialize, Serialize};

/// A stretch of one input's text.
///
/// # Units and range
///
/// Lines and columns start at 1; a column counts characters. `start` and `end` are byte offsets
/// into the text as it was given, byte order mark included, so that a fix can rewrite it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Span {
    pub line: u32,
    pub column: u32,
    pub start: u32,
    pub end: u32,
}

/// Where a value stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// Index of the input among those that were read.
    pub file: u32,
    /// The value itself; for what is absent but implied, the nearest block that could hold it.
    pub span: Span,
    /// Its key; none for list items and whole documents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<Span>,
    /// Keys from the root of the document as they are written: `clusters[0].connect_timeout`.
    pub path: String,
    /// The alias (`*name` or `<<`) through which the value came: changing the text at `span`
    /// changes it for every other user of the anchor too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alias: Option<Span>,
}

impl Place {
    /// The line a finding points at: of the key where there is one.
    pub fn line(&self) -> u32 {
        self.key.unwrap_or(self.span).line
    }

    /// The column a finding points at.
    pub fn column(&self) -> u32 {
        self.key.unwrap_or(self.span).column
    }
}

/// A value and where it stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spanned<T> {
    /// What was read.
    pub value: T,
    /// Where.
    pub at: Place,
}

impl<T> Spanned<T> {
    /// A value at a place.
    pub fn new(value: T, at: Place) -> Self {
        Self { value, at }
    }

    /// Another value at the same place.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Spanned<U> {
        Spanned { value: f(self.value), at: self.at }
    }
}

/// A setting that may be absent.
pub type Setting<T> = Option<Spanned<T>>;

/// The value of a setting, without its place.
#[allow(clippy::ref_option, reason = "fields are settings, and this reads one field")]
pub fn value<T: Copy>(setting: &Setting<T>) -> Option<T> {
    setting.as_ref().map(|s| s.value)
}
