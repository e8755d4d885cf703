//! What is wrong with a text before anything is judged.

use crate::engine::read::Place;
use crate::engine::units::{Millis, Percent};
use serde::{Deserialize, Serialize};

/// One problem of the text: always with a place, never the end of reading.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReadProblem {
    /// What it is.
    pub kind: ProblemKind,
    /// What follows from it.
    pub effect: Effect,
    /// Where.
    pub at: Place,
    /// What is wrong, with the value; lower case, no full stop.
    pub message: String,
    /// What to do, in the imperative; may be empty.
    pub help: String,
    /// The value that is right in its place, where the text leaves no doubt about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub correction: Option<Correction>,
}

/// A value that is understood and refused, and how it has to be written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Correction {
    /// What stands there, short.
    pub from: String,
    /// What the program reads, as text.
    pub to: String,
    /// The same as a value.
    pub value: Corrected,
}

/// The value of a [`Correction`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum Corrected {
    Count(u64),
    Duration(Millis),
    Percent(Percent),
    Flag(bool),
    Word(String),
}

/// Kinds of problems of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProblemKind {
    /// The text breaks the rules of YAML or JSON.
    Syntax,
    /// A tab indents a line.
    Tab,
    /// A template that is not rendered.
    Template,
    /// A limit of the reader: size, depth, number of values, expansion of aliases.
    Limit,
    /// The input is empty or holds no configuration.
    NothingToRead,
    /// A resource that the text breaks off in.
    Unfinished,
    /// A key stands twice in a map.
    DuplicateKey,
    /// `<<` in a text for a program that does not resolve it.
    MergeKey,
    /// An alias without an anchor.
    UnknownAnchor,
    /// A field that the message does not have.
    UnknownField {
        /// A field it does have, if one is near.
        nearest: Option<String>,
    },
    /// A field that belongs elsewhere.
    MisplacedField {
        /// Where it belongs.
        belongs: String,
    },
    /// Not a duration in the form the program reads.
    BadDuration,
    /// Not a number.
    BadNumber,
    /// A number outside what the program takes.
    OutOfRange,
    /// Not a truth value.
    BadBool,
    /// Not a word of the enumeration.
    BadEnum,
    /// A bare number where a message is wanted, or the reverse.
    WrongShape,
    /// A field that is required and missing.
    Missing,
    /// Two fields of which only one may be set.
    Conflict,
    /// A field that is deprecated and still works.
    Deprecated,
    /// A field that the program accepts and does not read.
    NoEffect,
}

/// What follows from a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// The program refuses the configuration.
    Rejected,
    /// The rest of the document, or the field, could not be read.
    Unread,
    /// The program ignores it.
    Ignored,
    /// It works all the same.
    Accepted,
}

/// A fact about the input that is no problem.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Note {
    /// What it is.
    pub kind: NoteKind,
    /// Where.
    pub at: Place,
    /// The fact, lower case, no full stop.
    pub message: String,
}

/// Kinds of notes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoteKind {
    /// A resource that was recognized and read in part or not at all.
    PartlyRead,
    /// A resource that was recognized and has nothing to audit.
    Skipped,
    /// A setting that Headroom has no word for.
    NotAudited,
    /// How the settings reach the proxies.
    Scope,
}
