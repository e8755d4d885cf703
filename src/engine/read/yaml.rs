//! YAML with places: events of the parser become a tree.
//!
//! The parser is `granit-parser`, which `serde-saphyr` brings along: it borrows from the text, counts
//! bytes as well as columns, limits nesting by itself and goes on behind aliases without an anchor.

use super::Span;
use super::build::{Builder, Full};
use super::json::offset;
use super::source::{Budget, MAX_DEPTH};
use super::tree::Node;
use granit_parser::{ErrorKind, Event, Marker, Options, Parser, ScalarStyle, ScanError};

/// What was read of a text.
pub struct Parsed {
    /// Documents in the order of the text; the last one is cut short where the text is broken.
    pub roots: Vec<Node>,
    /// What is noteworthy about the values.
    pub remarks: Vec<Remark>,
    /// Why it was not read to its end.
    pub stop: Option<Stop>,
}

/// Something about the values that is worth a message.
pub enum Remark {
    /// A key stands twice.
    Duplicate(super::build::Duplicate),
    /// An alias has no anchor, or stands within its own.
    UnknownAnchor(Span, String),
    /// `<<` was resolved.
    MergeKey(Span),
    /// A list or a map is a key: mostly a template.
    ComplexKey(Span),
}

/// Why YAML could not be read to its end.
pub enum Stop {
    /// The grammar is broken.
    Syntax {
        /// Where.
        at: Span,
        /// The parser's words.
        message: String,
        /// The parser takes offence at a tab.
        tab: bool,
    },
    /// A limit.
    Full(Span, Full),
}

/// Where a part of a text begins in the whole.
#[derive(Clone, Copy, Default)]
pub struct Base {
    /// Bytes before it.
    pub bytes: usize,
    /// Lines before it.
    pub lines: usize,
}

impl Base {
    fn span(self, from: Marker, to: Marker) -> Span {
        let byte = |m: Marker| offset(self.bytes + m.byte_offset().unwrap_or(0));
        let start = byte(from);
        Span {
            line: offset(from.line() + self.lines),
            column: offset(from.col() + 1),
            start,
            end: byte(to).max(start),
        }
    }
}

/// Reads every document of `text`.
pub fn parse(text: &str, base: Base, budget: &mut Budget) -> Parsed {
    let mut options = Options::default();
    options.emit_unresolved_aliases = true;
    options.flow_nesting_limit = MAX_DEPTH;
    options.block_nesting_limit = MAX_DEPTH;
    options.set_emit_comments(false);
    let mut parsed = Parsed { roots: Vec::new(), remarks: Vec::new(), stop: None };
    let mut tree = Builder::new(budget);
    for event in Parser::new_from_str_with_options(text, options) {
        let (event, span) = match event {
            Ok(event) => event,
            Err(error) => {
                parsed.stop = Some(stop(&error, base));
                break;
            }
        };
        let at = base.span(span.start, span.end);
        if matches!(event, Event::DocumentEnd) {
            parsed.roots.extend(tree.end());
            continue;
        }
        if let Event::UnresolvedAlias(name) = &event {
            parsed.remarks.push(Remark::UnknownAnchor(at, name.to_string()));
        }
        if let Err(full) = grow(&mut tree, event, at) {
            parsed.stop = Some(Stop::Full(at, full));
            break;
        }
    }
    parsed.roots.extend(tree.end());
    parsed.remarks.extend(tree.duplicates.drain(..).map(Remark::Duplicate));
    parsed.remarks.extend(tree.merge_key.map(Remark::MergeKey));
    parsed.remarks.extend(tree.complex_key.map(Remark::ComplexKey));
    parsed.remarks.extend(tree.own_alias.map(|at| Remark::UnknownAnchor(at, String::new())));
    parsed
}

fn grow(tree: &mut Builder<'_>, event: Event<'_>, at: Span) -> Result<(), Full> {
    match event {
        Event::Scalar(text, style, anchor, tag) => {
            // An explicit `!!str` does what quotes do.
            let quoted = style != ScalarStyle::Plain
                || tag.is_some_and(|t| t.core_suffix().is_some_and(|suffix| suffix == "str"));
            tree.scalar(text.into_owned(), quoted, at, anchor)
        }
        Event::SequenceStart(_, anchor, _) => tree.open(false, at, anchor),
        Event::MappingStart(_, anchor, _) => tree.open(true, at, anchor),
        Event::SequenceEnd | Event::MappingEnd => {
            // A flow collection ends with a mark of its own, a block with its last value.
            tree.close((at.end > at.start).then_some(at.end));
            Ok(())
        }
        Event::Alias(anchor) => tree.alias(anchor, at),
        Event::UnresolvedAlias(_) => tree.hole(at),
        _ => Ok(()),
    }
}

fn stop(error: &ScanError, base: Base) -> Stop {
    let at = base.span(*error.marker(), *error.marker());
    match error.kind() {
        ErrorKind::TabNotAllowed | ErrorKind::TabInBlockIndentation => {
            Stop::Syntax { at, message: error.kind().to_string(), tab: true }
        }
        ErrorKind::RecursionLimitExceeded => Stop::Full(at, Full::Depth),
        _ => Stop::Syntax { at, message: error.kind().to_string(), tab: false },
    }
}
