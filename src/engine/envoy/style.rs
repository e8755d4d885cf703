//! How single values look in YAML: what goes on one line, and which names need quotes.

use serde::{Serialize, Serializer};
use serde_saphyr::{DoubleQuoted, FlowMap, FlowSeq};

/// A small map on one line: `{value: 20}`.
pub fn flow<T: Serialize, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    FlowMap(value).serialize(serializer)
}

/// A small list on one line: `["*"]`.
pub fn flow_list<T: Serialize, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    FlowSeq(value).serialize(serializer)
}

/// A name that a person made up: quoted unless it reads as a plain word to every YAML reader.
///
/// Readers differ in what they take for a number, a date or a truth value. The serializer quotes
/// those it knows; a name with anything but letters, digits and a few marks is quoted always.
pub fn name<S: Serializer>(name: &str, serializer: S) -> Result<S::Ok, S::Error> {
    let is_word = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/'));
    if is_word { name.serialize(serializer) } else { DoubleQuoted(name).serialize(serializer) }
}

/// A sentence or a query: quoted where it has anything beyond ASCII, so that what cannot be seen can
/// be written as an escape. The serializer quotes the rest where it must.
pub fn text<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    if text.is_ascii() { text.serialize(serializer) } else { DoubleQuoted(text).serialize(serializer) }
}
