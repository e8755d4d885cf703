//! From a stream of events to a tree: what the readers of JSON and YAML share.

use super::Span;
use super::source::{Budget, MAX_DEPTH};
use super::tree::{Entry, Kind, Node, Scalar};
use std::collections::{BTreeMap, BTreeSet};

/// Why a tree cannot grow any further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Full {
    /// Too many values.
    Nodes,
    /// Aliases stand for too many values.
    Aliases,
    /// Nested too deep.
    Depth,
}

/// A key that stands twice in a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Duplicate {
    /// The key.
    pub key: String,
    /// Where it stands first.
    pub first: Span,
    /// Where it stands again.
    pub again: Span,
}

/// A tree under construction.
#[derive(Debug)]
pub struct Builder<'b> {
    frames: Vec<Frame>,
    anchors: BTreeMap<usize, (Node, Size)>,
    root: Option<Node>,
    budget: &'b mut Budget,
    /// Keys that stand twice.
    pub duplicates: Vec<Duplicate>,
    /// The first merge key (`<<`).
    pub merge_key: Option<Span>,
    /// The first key that is a list or a map.
    pub complex_key: Option<Span>,
    /// The first alias within its own anchor.
    pub own_alias: Option<Span>,
}

#[derive(Debug)]
struct Frame {
    start: Span,
    anchor: usize,
    size: Size,
    content: Content,
}

/// How much a value holds.
#[derive(Clone, Copy, Debug)]
struct Size {
    nodes: usize,
    depth: usize,
}

impl Size {
    const ONE: Self = Self { nodes: 1, depth: 1 };
}

#[derive(Debug)]
enum Content {
    List(Vec<Node>),
    Map { entries: Vec<Entry>, key: Option<(String, Span)> },
}

impl<'b> Builder<'b> {
    /// An empty tree.
    pub fn new(budget: &'b mut Budget) -> Self {
        Self {
            frames: Vec::new(),
            anchors: BTreeMap::new(),
            root: None,
            budget,
            duplicates: Vec::new(),
            merge_key: None,
            complex_key: None,
            own_alias: None,
        }
    }

    /// Adds a single value, or a key where one is due.
    pub fn scalar(&mut self, text: String, quoted: bool, span: Span, anchor: usize) -> Result<(), Full> {
        self.spend(1)?;
        let key_is_due = self.wants_key();
        if key_is_due && anchor == 0 {
            self.set_key(text, span);
            return Ok(());
        }
        let node = Node { span, alias: None, unfinished: false, kind: Kind::Scalar(Scalar { text, quoted }) };
        if anchor > 0 {
            self.anchors.insert(anchor, (node.clone(), Size::ONE));
        }
        match node.kind {
            Kind::Scalar(scalar) if key_is_due => self.set_key(scalar.text, span),
            _ => self.put(node, Size::ONE),
        }
        Ok(())
    }

    /// Starts a list or a map.
    pub fn open(&mut self, is_map: bool, start: Span, anchor: usize) -> Result<(), Full> {
        self.spend(1)?;
        if self.frames.len() >= MAX_DEPTH {
            return Err(Full::Depth);
        }
        let content =
            if is_map { Content::Map { entries: Vec::new(), key: None } } else { Content::List(Vec::new()) };
        self.frames.push(Frame { start, anchor, size: Size::ONE, content });
        Ok(())
    }

    /// Ends the innermost list or map.
    pub fn close(&mut self, end: Option<u32>) {
        let Some(frame) = self.frames.pop() else { return };
        let (anchor, size) = (frame.anchor, frame.size);
        let node = self.finish(frame, end, false);
        if anchor > 0 {
            self.anchors.insert(anchor, (node.clone(), size));
        }
        self.put(node, size);
    }

    /// Adds what an anchor stands for.
    pub fn alias(&mut self, anchor: usize, span: Span) -> Result<(), Full> {
        let (node, size) = match self.anchors.get(&anchor) {
            Some((_, size)) if size.nodes > self.budget.aliased => return Err(Full::Aliases),
            Some((_, size)) if self.frames.len() + size.depth > MAX_DEPTH => return Err(Full::Depth),
            Some((node, size)) => (Node { alias: Some(span), ..node.clone() }, *size),
            None => {
                self.own_alias.get_or_insert(span);
                (null(span), Size::ONE)
            }
        };
        self.budget.aliased = self.budget.aliased.saturating_sub(size.nodes);
        self.spend(size.nodes)?;
        match node.text() {
            Some(text) if self.wants_key() => {
                let text = text.to_owned();
                self.set_key(text, span);
            }
            _ => self.put(node, size),
        }
        Ok(())
    }

    /// Adds an empty value where something could not be read.
    pub fn hole(&mut self, span: Span) -> Result<(), Full> {
        self.scalar(String::new(), false, span, 0)
    }

    /// The whole tree; what is still open is marked as unfinished.
    pub fn end(&mut self) -> Option<Node> {
        while let Some(frame) = self.frames.pop() {
            let size = frame.size;
            let node = self.finish(frame, None, true);
            // A key that is itself unfinished has no value to go with.
            if !self.wants_key() {
                self.put(node, size);
            }
        }
        self.anchors.clear();
        self.root.take()
    }

    fn spend(&mut self, nodes: usize) -> Result<(), Full> {
        self.budget.nodes = self.budget.nodes.checked_sub(nodes).ok_or(Full::Nodes)?;
        Ok(())
    }

    fn wants_key(&self) -> bool {
        matches!(self.frames.last(), Some(Frame { content: Content::Map { key: None, .. }, .. }))
    }

    fn set_key(&mut self, text: String, span: Span) {
        if let Some(Frame { content: Content::Map { key, .. }, size, .. }) = self.frames.last_mut() {
            size.nodes += 1;
            *key = Some((text, span));
        }
    }

    fn put(&mut self, node: Node, size: Size) {
        let Some(frame) = self.frames.last_mut() else {
            self.root = Some(node);
            return;
        };
        frame.size.nodes += size.nodes;
        frame.size.depth = frame.size.depth.max(size.depth + 1);
        match &mut frame.content {
            Content::List(items) => items.push(node),
            Content::Map { entries, key } => {
                if let Some((key, key_span)) = key.take() {
                    entries.push(Entry { key, key_span, value: node });
                } else {
                    // A list or a map as a key: YAML allows it, no configuration has it.
                    self.complex_key.get_or_insert(node.span);
                    *key = Some(("?".to_owned(), node.span));
                }
            }
        }
    }

    fn finish(&mut self, frame: Frame, end: Option<u32>, unfinished: bool) -> Node {
        let mut span = frame.start;
        let kind = match frame.content {
            Content::List(items) => Kind::List(items),
            Content::Map { mut entries, .. } => {
                self.find_duplicates(&entries);
                self.merge(&mut entries);
                Kind::Map(entries)
            }
        };
        let last = match &kind {
            Kind::List(items) => items.last().map(|n| n.alias.unwrap_or(n.span).end),
            Kind::Map(entries) => {
                // Merged entries stand elsewhere.
                let own =
                    entries.iter().filter(|e| e.value.alias.is_none_or(|a| a.start >= e.key_span.start));
                own.map(|e| e.value.alias.unwrap_or(e.value.span).end.max(e.key_span.end)).max()
            }
            Kind::Scalar(_) => None,
        };
        span.end = end.or(last).unwrap_or(span.end).max(span.end);
        Node { span, alias: None, unfinished, kind }
    }

    fn find_duplicates(&mut self, entries: &[Entry]) {
        if entries.len() < 2 {
            return;
        }
        let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
        for entry in entries {
            match seen.get(entry.key.as_str()) {
                Some(&first) if entry.key != "<<" => {
                    self.duplicates.push(Duplicate { key: entry.key.clone(), first, again: entry.key_span });
                }
                _ => {
                    seen.insert(&entry.key, entry.key_span);
                }
            }
        }
    }

    /// Resolves `<<`: keys of the map itself win, then those of the first map that is merged.
    fn merge(&mut self, entries: &mut Vec<Entry>) {
        let Some(first) = entries.iter().find(|e| e.key == "<<") else { return };
        self.merge_key.get_or_insert(first.key_span);
        let (merged, own): (Vec<Entry>, Vec<Entry>) =
            std::mem::take(entries).into_iter().partition(|e| e.key == "<<");
        let mut known: BTreeSet<String> = own.iter().map(|e| e.key.clone()).collect();
        *entries = own;
        for Entry { value, key_span, .. } in merged {
            let used = value.alias.unwrap_or(key_span);
            let sources = match value.kind {
                Kind::List(items) => items,
                _ => vec![value],
            };
            for source in sources {
                let used = source.alias.unwrap_or(used);
                let Kind::Map(more) = source.kind else { continue };
                for mut entry in more.into_iter().filter(|e| known.insert(e.key.clone())) {
                    entry.value.alias.get_or_insert(used);
                    entries.push(entry);
                }
            }
        }
    }
}

/// A value that is not set.
pub fn null(span: Span) -> Node {
    let kind = Kind::Scalar(Scalar { text: String::new(), quoted: false });
    Node { span, alias: None, unfinished: false, kind }
}
