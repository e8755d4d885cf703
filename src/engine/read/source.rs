//! Inputs as they come: names, texts, marks at their start, limits, and excerpts for messages.

use super::config::{Effect, ProblemKind, ReadProblem};
use super::{Place, Span};
use std::ops::Range;

/// A pasted text or a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Input {
    /// Its name in messages: a path, or `pasted`.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// Largest input that is read. A configuration dump of a large mesh has a few megabytes.
pub const MAX_BYTES: usize = 10 << 20;

/// Deepest nesting that is read; Envoy's own messages nest about forty deep.
pub const MAX_DEPTH: usize = 128;

/// Most values that are read from all inputs together.
pub const MAX_NODES: usize = 1_000_000;

/// Most values that aliases may stand for, in all inputs together.
pub const MAX_ALIASED_NODES: usize = 200_000;

/// Most problems that are kept; the rest is counted.
pub const MAX_PROBLEMS: usize = 500;

impl Input {
    /// A named text.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into() }
    }

    /// A file's bytes: UTF-8, or UTF-16 with a byte order mark as some editors write it.
    ///
    /// Bytes that are no text become replacement characters; nothing fails.
    pub fn from_bytes(name: impl Into<String>, bytes: &[u8]) -> Self {
        let wide = |of: fn([u8; 2]) -> u16| {
            let units = bytes[2..].chunks_exact(2).map(|pair| of([pair[0], pair[1]]));
            char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
        };
        let text = match bytes {
            [0xff, 0xfe, ..] => wide(u16::from_le_bytes),
            [0xfe, 0xff, ..] => wide(u16::from_be_bytes),
            _ => String::from_utf8_lossy(bytes).into_owned(),
        };
        Self { name: name.into(), text }
    }
}

/// What is left of the limits.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Values.
    pub nodes: usize,
    /// Values that aliases stand for.
    pub aliased: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self { nodes: MAX_NODES, aliased: MAX_ALIASED_NODES }
    }
}

/// A line of an input for a message, and where in it the value starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt<'a> {
    /// Number of the line, from 1.
    pub line: u32,
    /// The line without its end, cut where it is very long.
    pub text: &'a str,
    /// Characters of `text` before the value.
    pub offset: usize,
    /// Characters of the value on this line, at least one.
    pub length: usize,
}

/// What ends a line: alone, or `\r\n` together.
const BREAKS: [char; 2] = ['\n', '\r'];

/// The lines of a text with their ends.
pub fn lines(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let rest = text.get(from..).filter(|rest| !rest.is_empty())?;
        let length = match rest.find(BREAKS) {
            None => rest.len(),
            Some(at) if rest[at..].starts_with("\r\n") => at + 2,
            Some(at) => at + 1,
        };
        let start = from;
        from += length;
        Some(start..from)
    })
}

/// Ends of lines in a text.
pub fn breaks(text: &str) -> usize {
    lines(text).filter(|line| text[line.clone()].ends_with(BREAKS)).count()
}

/// Characters of a line that an excerpt shows at most.
const MAX_EXCERPT: usize = 160;

/// The line of `text` where `span` starts.
///
/// ```
/// use headroom::engine::read::{Span, source::excerpt};
///
/// let at = Span { line: 2, column: 4, start: 8, end: 9 };
/// let shown = excerpt("a: 1\nb: 2\n", at);
/// assert_eq!((shown.text, shown.offset, shown.length), ("b: 2", 3, 1));
/// ```
pub fn excerpt(text: &str, span: Span) -> Excerpt<'_> {
    let start = floor(text, span.start as usize);
    // A dump on a single line is one very long line: only what can be shown is looked at.
    let near = floor(text, start.saturating_sub(4 * MAX_EXCERPT));
    let far = floor(text, start + 4 * MAX_EXCERPT);
    let from = text[near..start].rfind(BREAKS).map_or(near, |at| near + at + 1);
    let to = text[start..far].find(BREAKS).map_or(far, |at| start + at);
    let end = floor(text, span.end as usize).clamp(start, to);
    let cut = text[from..start].char_indices().rev().nth(MAX_EXCERPT / 2).map_or(from, |(at, _)| from + at);
    let line = text[cut..to].trim_start_matches('\u{feff}');
    let shown = line.char_indices().nth(MAX_EXCERPT).map_or(line, |(at, _)| &line[..at]);
    let offset = text[cut..start].trim_start_matches('\u{feff}').chars().count();
    Excerpt { line: span.line, text: shown, offset, length: text[start..end].chars().count().max(1) }
}

fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// A problem of an input's text.
pub fn problem(
    file: u32,
    span: Span,
    (kind, effect): (ProblemKind, Effect),
    message: impl Into<String>,
    help: impl Into<String>,
) -> ReadProblem {
    let at = Place { file, span, ..Place::default() };
    ReadProblem { kind, effect, at, message: message.into(), help: help.into(), correction: None }
}
