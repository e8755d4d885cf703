//! Where the parts of a document stand in its text: keys, colons, dashes, values, line by line.
//!
//! The tree of the reader says what a text means; this says where to cut. What came through an
//! alias or a merge key stands elsewhere and is no part of it.

use super::text::{self, skip_space};
use crate::engine::read::tree::{Entry, Kind, Node};
use crate::engine::read::{Document, Span};
use std::ops::Range;

/// How a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A single value, or nothing at all.
    Scalar,
    /// `*name`.
    Alias,
    /// A map or a list of lines.
    Block,
    /// `{…}` or `[…]`.
    Flow,
    /// What cannot be cut: `[a: 1]`, `? key`.
    Other,
}

/// A value with its place in the text.
#[derive(Clone, Debug)]
pub struct Slot<'t> {
    /// What it means.
    pub node: &'t Node,
    /// The map or list it stands in.
    pub parent: Option<usize>,
    /// Its key; none for list items and the root.
    pub key: Option<&'t Entry>,
    /// Where its key, its dash or itself starts.
    pub start: usize,
    /// Behind the colon or the dash.
    pub head: usize,
    /// Where the value itself starts, behind anchor and tag.
    pub value: usize,
    /// Where it ends, without what follows on the line.
    pub end: usize,
    /// How it is written.
    pub shape: Shape,
    /// What stands in it, in the order of the text.
    pub children: Vec<usize>,
}

impl Slot<'_> {
    /// Where the key or the item stands with its value.
    pub fn range(&self) -> Range<usize> {
        self.start..self.end
    }

    /// Whether it is a list.
    pub fn is_list(&self) -> bool {
        self.shape != Shape::Alias && matches!(self.node.kind, Kind::List(_))
    }

    /// Whether it is a map.
    pub fn is_map(&self) -> bool {
        self.shape != Shape::Alias && matches!(self.node.kind, Kind::Map(_))
    }
}

/// A stretch of text that an alias stands for.
#[derive(Clone, Debug)]
struct Use {
    /// The alias.
    alias: Span,
    /// What it stands for.
    target: Range<usize>,
    /// It is merged into another map, so that what is added to its map is added there too.
    is_merged: bool,
}

/// A document as it is written.
#[derive(Clone, Debug)]
pub struct Outline<'t> {
    /// Index of the input.
    pub file: usize,
    /// The whole text of the input.
    pub text: &'t str,
    /// Every value; the first is the root.
    pub slots: Vec<Slot<'t>>,
    uses: Vec<Use>,
}

impl<'t> Outline<'t> {
    /// The outline of a document of `text`.
    pub fn new(text: &'t str, document: &'t Document) -> Self {
        let mut out = Self { file: document.file as usize, text, slots: Vec::new(), uses: Vec::new() };
        let start = document.root.span.start as usize;
        out.walk(&document.root, None, None, (start, start), false);
        collect(&document.root, &mut out.uses);
        out
    }

    /// Adds a value that starts at `start` and whose own text is behind `head`.
    fn walk(
        &mut self,
        node: &'t Node,
        parent: Option<usize>,
        key: Option<&'t Entry>,
        (start, head): (usize, usize),
        in_flow: bool,
    ) -> usize {
        let at = self.slots.len();
        let value = self.value_start(node, head);
        let shape = self.shape(node, value, in_flow);
        self.slots.push(Slot {
            node,
            parent,
            key,
            start,
            head,
            value,
            end: head,
            shape,
            children: Vec::new(),
        });
        let end = match (&node.kind, shape) {
            (_, Shape::Alias) => node.alias.map_or(head, |a| a.end as usize),
            (Kind::Scalar(_), _) => self.scalar_end(node, head, value),
            (Kind::Map(entries), _) => self.map(node, entries, at, in_flow || shape == Shape::Flow),
            (Kind::List(items), _) => self.list(node, items, at, shape),
        };
        let end = end.max(head);
        self.slots[at].end = end;
        // A text that breaks off within braces.
        if shape == Shape::Flow && (end < value + 2 || !matches!(self.byte(end - 1), Some(b'}' | b']'))) {
            self.slots[at].shape = Shape::Other;
        }
        at
    }

    fn value_start(&self, node: &Node, head: usize) -> usize {
        if let Some(alias) = node.alias {
            return alias.start as usize;
        }
        let from = skip_space(self.text, head);
        let start = text::skip_props(self.text, from);
        match node.kind {
            // Nothing is written: it is where it would be.
            Kind::Scalar(_) if node.span.end == node.span.start => (node.span.start as usize).max(head),
            Kind::Scalar(_) if self.is_header(start, node) => start,
            Kind::List(_) if self.byte(start) == Some(b'-') => start,
            _ => node.span.start as usize,
        }
    }

    /// Whether the text of a block scalar starts here: `|` or `>`.
    fn is_header(&self, at: usize, node: &Node) -> bool {
        matches!(self.byte(at), Some(b'|' | b'>')) && at < node.span.start as usize
    }

    fn scalar_end(&self, node: &Node, head: usize, value: usize) -> usize {
        let end = (node.span.end as usize).max(head);
        if self.is_header(value, node) {
            let header = text::line_end(self.text, value);
            return self.text[..end.max(header)].trim_end().len().max(header.min(end)).max(value + 1);
        }
        end
    }

    fn shape(&self, node: &Node, value: usize, in_flow: bool) -> Shape {
        match (&node.kind, self.byte(value)) {
            _ if node.alias.is_some() => Shape::Alias,
            (Kind::Scalar(_), _) => Shape::Scalar,
            (Kind::Map(_), Some(b'{')) | (Kind::List(_), Some(b'[')) => Shape::Flow,
            (Kind::Map(_), Some(b'?')) => Shape::Other,
            _ if in_flow => Shape::Other,
            _ => Shape::Block,
        }
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    fn map(&mut self, node: &'t Node, entries: &'t [Entry], at: usize, in_flow: bool) -> usize {
        let mut end = node.span.end as usize;
        let own: Vec<&'t Entry> = entries.iter().filter(|e| self.is_own(e, node)).collect();
        for entry in own {
            let key_end = entry.key_span.end as usize;
            let colon = skip_space(self.text, key_end);
            let head = if self.byte(colon) == Some(b':') { colon + 1 } else { key_end };
            let start = entry.key_span.start as usize;
            let child = self.walk(&entry.value, Some(at), Some(entry), (start, head), in_flow);
            self.slots[at].children.push(child);
            end = end.max(self.slots[child].end);
        }
        end
    }

    /// Whether an entry stands in the text of its map and was not merged into it.
    fn is_own(&self, entry: &Entry, map: &Node) -> bool {
        let within = entry.key_span.start >= map.span.start && entry.key_span.end <= map.span.end;
        let Some(alias) = entry.value.alias.filter(|_| within) else { return within };
        let colon = skip_space(self.text, entry.key_span.end as usize);
        self.byte(colon) == Some(b':') && skip_space(self.text, colon + 1) == alias.start as usize
    }

    fn list(&mut self, node: &'t Node, items: &'t [Node], at: usize, shape: Shape) -> usize {
        let mut cursor = self.slots[at].value;
        for item in items {
            let at_item = item.alias.map_or(item.span.start, |a| a.start) as usize;
            let (start, head) = match shape {
                Shape::Block => {
                    let dash = skip_space(self.text, cursor);
                    if self.byte(dash) != Some(b'-') {
                        self.slots[at].shape = Shape::Other;
                        break;
                    }
                    (dash, dash + 1)
                }
                _ => (at_item, at_item),
            };
            let child = self.walk(item, Some(at), None, (start, head), shape != Shape::Block);
            self.slots[at].children.push(child);
            cursor = self.slots[child].end;
        }
        cursor.max(if shape == Shape::Flow { node.span.end as usize } else { 0 })
    }

    /// The column of a position, counted in characters from 0.
    pub fn column(&self, at: usize) -> usize {
        self.text[text::line_start(self.text, at)..at].trim_start_matches('\u{feff}').chars().count()
    }

    /// Whether nothing but space stands before a position on its line.
    pub fn is_first_on_line(&self, at: usize) -> bool {
        let before = &self.text[text::line_start(self.text, at)..at];
        before.trim_start_matches('\u{feff}').trim().is_empty()
    }

    /// Whether a value stands within braces or brackets.
    pub fn is_in_flow(&self, slot: usize) -> bool {
        let parent = self.slots[slot].parent;
        parent.is_some_and(|p| self.slots[p].shape == Shape::Flow || self.slots[p].shape == Shape::Other)
    }

    /// The alias that would change with the text of a value.
    pub fn user_of_value(&self, slot: usize) -> Option<Span> {
        let span = self.slots[slot].node.span;
        self.user(|u| u.target.start <= span.start as usize && span.end as usize <= u.target.end)
    }

    /// The alias that would change with what is added to a map or a list.
    pub fn user_of_container(&self, at: usize) -> Option<Span> {
        let slot = &self.slots[at];
        let is_merged =
            |u: &Use| u.is_merged && slot.children.iter().any(|&c| self.slots[c].start == u.target.start);
        self.user_of_value(at).or_else(|| self.user(is_merged))
    }

    /// The alias that would lose its anchor with a stretch of text.
    pub fn user_of_range(&self, range: &Range<usize>) -> Option<Span> {
        let is_outside = |a: Span| (a.start as usize) < range.start || (a.end as usize) > range.end;
        self.user(|u| {
            is_outside(u.alias)
                && range.start <= u.target.start
                && u.target.end <= range.end
                && !u.target.is_empty()
        })
    }

    fn user(&self, is_it: impl Fn(&Use) -> bool) -> Option<Span> {
        self.uses.iter().find(|u| is_it(u)).map(|u| u.alias)
    }
}

/// Everything that aliases stand for.
fn collect(node: &Node, uses: &mut Vec<Use>) {
    if let Some(alias) = node.alias {
        uses.push(Use { alias, target: node.span.start as usize..node.span.end as usize, is_merged: false });
        return;
    }
    match &node.kind {
        Kind::Scalar(_) => {}
        Kind::List(items) => items.iter().for_each(|item| collect(item, uses)),
        Kind::Map(entries) => {
            for entry in entries {
                if let Some(alias) = entry.value.alias
                    && (entry.key_span.start < node.span.start || entry.key_span.end > node.span.end)
                {
                    let target = entry.key_span.start as usize..entry.value.span.end as usize;
                    uses.push(Use { alias, target, is_merged: true });
                }
                collect(&entry.value, uses);
            }
        }
    }
}
