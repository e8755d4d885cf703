//! A plan as replacements in the text.

use super::outline::{Outline, Shape, Slot};
use super::plan::{Editor, Old};
use super::splice::Splice;
use super::style::style;
use super::text::{content_end, line_end, line_start, next_line, skip_blank, skip_space};
use super::write::{New, Writer};
use std::collections::BTreeSet;
use std::ops::Range;

/// All replacements that a plan comes to.
pub fn splices(editor: &Editor<'_>) -> Vec<Splice> {
    let plan = &editor.plan;
    let mut out = Vec::new();
    let parent = |old: &Old| editor.slot(*old).parent.map(|slot| Old { slot, ..*old });
    let changed: BTreeSet<Old> =
        plan.removed.iter().filter_map(parent).chain(plan.added.keys().copied()).collect();
    for old in changed.into_iter().filter(|o| !is_gone(editor, *o)) {
        Part::new(editor, old, &mut out).container();
    }
    for (&old, &new) in plan.replaced.iter().filter(|(o, _)| !is_within_gone(editor, **o)) {
        Part::new(editor, old, &mut out).value(new);
    }
    for (&old, raw) in plan.raw.iter().filter(|(o, _)| !is_gone(editor, **o)) {
        let slot = editor.slot(old);
        Part::new(editor, old, &mut out).put(slot.value..slot.end, raw.clone());
    }
    for (&old, items) in plan.beside.iter().filter(|(o, _)| !is_gone(editor, **o)) {
        Part::new(editor, old, &mut out).list_of_one(items);
    }
    for (&old, key) in plan.renamed.iter().filter(|(o, _)| !is_gone(editor, **o)) {
        Part::new(editor, old, &mut out).key(key);
    }
    out
}

/// Whether a value is replaced or left out, or stands in one that is.
fn is_gone(editor: &Editor<'_>, old: Old) -> bool {
    editor.plan.replaced.contains_key(&old) || is_within_gone(editor, old)
}

fn is_within_gone(editor: &Editor<'_>, old: Old) -> bool {
    let plan = &editor.plan;
    let mut at = Some(old);
    while let Some(here) = at {
        if plan.removed.contains(&here) || here != old && plan.replaced.contains_key(&here) {
            return true;
        }
        at = editor.slot(here).parent.map(|slot| Old { slot, ..here });
    }
    false
}

/// One value of the text whose replacements are made.
struct Part<'e, 't> {
    editor: &'e Editor<'t>,
    outline: &'e Outline<'t>,
    text: &'t str,
    old: Old,
    slot: &'e Slot<'t>,
    writer: Writer<'e>,
    depth: usize,
    /// Columns that its lines move to the right.
    shift: usize,
    out: &'e mut Vec<Splice>,
}

impl<'e, 't> Part<'e, 't> {
    fn new(editor: &'e Editor<'t>, old: Old, out: &'e mut Vec<Splice>) -> Self {
        let outline = &editor.outlines[old.document];
        let writer = Writer { news: &editor.plan.news, style: style(outline, old.slot) };
        let (mut depth, mut shift, mut at) = (0, 0, Some(old.slot));
        while let Some(slot) = at {
            depth += 1;
            if editor.plan.beside.contains_key(&Old { slot, ..old }) {
                shift += 2;
            }
            at = outline.slots[slot].parent;
        }
        let slot = &outline.slots[old.slot];
        Self { editor, outline, text: outline.text, old, slot, writer, depth, shift, out }
    }

    fn put(&mut self, range: Range<usize>, text: String) {
        self.out.push(Splice { file: self.outline.file, range, text, depth: self.depth });
    }

    /// Lines below the one that `at` is on.
    fn lines_below(&mut self, at: usize, lines: &[String]) {
        let end = line_end(self.text, at);
        self.put(end..end, each(self.writer.style.eol, lines));
    }

    fn key(&mut self, key: &str) {
        let Some(span) = self.slot.key.map(|e| e.key_span) else { return };
        let range = span.start as usize..span.end as usize;
        let text = match self.text.as_bytes().get(range.start) {
            Some(b'"') => super::scalar::double_quoted(key),
            Some(b'\'') => format!("'{}'", key.replace('\'', "''")),
            _ => key.to_owned(),
        };
        self.put(range, text);
    }

    /// What is added to a map or a list and left out of it.
    fn container(&mut self) {
        let plan = &self.editor.plan;
        let is_kept = |slot: &usize| !plan.removed.contains(&Old { slot: *slot, ..self.old });
        let kept: Vec<usize> = self.slot.children.iter().copied().filter(is_kept).collect();
        let added = plan.added.get(&self.old).map(Vec::as_slice).unwrap_or_default();
        // Behind a merge key, which is no child.
        let merged = self.merged_end();
        let last = kept.last().map(|c| self.outline.slots[*c].end).max(merged);
        match (self.slot.shape, last) {
            (Shape::Flow, Some(last)) => {
                self.remove_from_flow(&kept);
                self.add_to_flow(last, kept.last().copied(), added);
            }
            (Shape::Flow, None) => self.fill_flow(added),
            (_, Some(last)) => {
                self.remove_lines(&kept);
                if !added.is_empty() {
                    let lines = self.lines_of(added);
                    let last = kept.last().map(|c| self.surviving_end(*c)).max(merged).unwrap_or(last);
                    self.lines_below(last, &lines);
                }
            }
            (_, None) => self.fill_block(added),
        }
    }

    /// Where a value ends once what is left out of it is gone.
    fn surviving_end(&self, slot: usize) -> usize {
        let here = &self.outline.slots[slot];
        let old = Old { slot, ..self.old };
        if here.shape != Shape::Block || self.editor.plan.replaced.contains_key(&old) {
            return here.end;
        }
        let removed = &self.editor.plan.removed;
        let is_kept = |c: &&usize| !removed.contains(&Old { slot: **c, ..self.old });
        match (here.children.iter().rfind(is_kept), here.children.first()) {
            (Some(last), _) if here.children.last() == Some(last) => self.surviving_end(*last).max(
                // A merge key behind the last child.
                if self.outline.slots[*last].end < here.end { here.end } else { 0 },
            ),
            (Some(last), _) => self.surviving_end(*last),
            (None, Some(first)) if self.outline.is_first_on_line(self.outline.slots[*first].start) => {
                here.head
            }
            _ => here.end,
        }
    }

    fn merged_end(&self) -> Option<usize> {
        let entries = self.slot.node.entries().filter(|_| self.slot.is_map())?;
        let range = self.slot.node.span.start..=self.slot.node.span.end;
        let outside = |start: u32| !range.contains(&start);
        let merged = entries.iter().filter(|e| outside(e.key_span.start)).filter_map(|e| e.value.alias);
        merged.map(|a| a.end as usize).filter(|end| *end <= self.slot.end).max()
    }

    /// The column of the keys or dashes of a block.
    fn column(&self) -> usize {
        let first = self.slot.children.first().map_or(self.slot.value, |c| self.outline.slots[*c].start);
        self.outline.column(first) + self.shift
    }

    fn lines_of(&self, added: &[(Option<String>, usize)]) -> Vec<String> {
        let column = self.column();
        let lines = |(key, new): &(Option<String>, usize)| match key {
            Some(key) => self.writer.entry(key, *new, column),
            None => self.writer.item(*new, column),
        };
        added.iter().flat_map(lines).collect()
    }

    /// Leaves children of a block out, whole lines where it can.
    fn remove_lines(&mut self, kept: &[usize]) {
        let mut children = self.slot.children.iter().copied().peekable();
        while let Some(child) = children.next() {
            if kept.contains(&child) {
                continue;
            }
            let slot = &self.outline.slots[child];
            if self.outline.is_first_on_line(slot.start) {
                let range = whole_lines(self.text, slot);
                self.put(range, String::new());
                continue;
            }
            // Behind a dash: what follows takes its place, and so do the next ones if they go too.
            let mut last = child;
            while let Some(next) = children.next_if(|c| !kept.contains(c)) {
                last = next;
            }
            let mut to = next_line(self.text, self.outline.slots[last].end);
            while to < self.text.len() && content_end(self.text, to) == to {
                to = next_line(self.text, to);
            }
            self.put(slot.start..skip_blank(self.text, to), String::new());
        }
    }

    /// A block of which nothing stays: what is added, or braces.
    fn fill_block(&mut self, added: &[(Option<String>, usize)]) {
        let (Some(&first), Some(&last)) = (self.slot.children.first(), self.slot.children.last()) else {
            return;
        };
        let (first, last) = (&self.outline.slots[first], &self.outline.slots[last]);
        let lines = self.lines_of(added);
        let empty = if self.slot.is_list() { "[]" } else { "{}" };
        if !self.outline.is_first_on_line(first.start) {
            let text = if lines.is_empty() { empty.to_owned() } else { lines.join(self.writer.style.eol) };
            self.put(first.start..last.end, text.trim_start().to_owned());
            return;
        }
        self.remove_lines(&[]);
        if lines.is_empty() {
            self.put(self.slot.head..self.slot.head, format!(" {empty}"));
        } else {
            self.lines_below(self.slot.head, &lines);
        }
    }

    fn remove_from_flow(&mut self, kept: &[usize]) {
        let children = self.slot.children.clone();
        for (i, child) in children.iter().enumerate().filter(|(_, c)| !kept.contains(c)) {
            let slot = &self.outline.slots[*child];
            let before = i.checked_sub(1).map(|i| &self.outline.slots[children[i]]);
            let follows_kept = children[..i].iter().any(|c| kept.contains(c));
            let range = match (before, children.get(i + 1)) {
                (Some(before), _) if follows_kept && self.is_commented(before.end, slot) => {
                    whole_lines(self.text, slot)
                }
                (Some(before), _) if follows_kept => before.end..slot.end,
                (_, Some(next)) => slot.start..self.outline.slots[*next].start,
                // A merge key follows, or nothing.
                _ => slot.start..after_comma(self.text, slot.end),
            };
            self.put(range, String::new());
        }
    }

    /// Whether an entry in braces has lines of its own and a comment before them.
    fn is_commented(&self, before: usize, slot: &Slot<'_>) -> bool {
        let rest = self.text[slot.end..line_end(self.text, slot.end)].trim_start_matches([',', ' ', '\t']);
        self.text[before..slot.start].contains('#')
            && self.outline.is_first_on_line(slot.start)
            && (rest.is_empty() || rest.starts_with('#'))
    }

    fn add_to_flow(&mut self, last: usize, child: Option<usize>, added: &[(Option<String>, usize)]) {
        if added.is_empty() {
            return;
        }
        let start = child.map_or(last, |c| self.outline.slots[c].start);
        let has_lines = child.is_some() && self.outline.is_first_on_line(start);
        if !has_lines {
            let comma = if self.writer.style.is_tight { "," } else { ", " };
            let text = each(comma, &self.parts_of(added, None));
            self.put(last..last, text);
            return;
        }
        let column = self.outline.column(start) + self.shift;
        let line = format!("{}{}", self.writer.style.eol, " ".repeat(column));
        let parts = self.parts_of(added, self.writer.style.is_json.then_some(column));
        let text = parts.join(&format!(",{line}"));
        let comma = skip_space(self.text, last);
        // The comma before an entry that goes goes with it.
        let goes = child.is_some_and(|child| {
            let next = self.slot.children.iter().skip_while(|c| **c != child).nth(1);
            next.is_some_and(|next| !self.is_commented(last, &self.outline.slots[*next]))
        });
        let has_comma = !goes && self.text.as_bytes().get(comma) == Some(&b',');
        if goes {
            return self.put(last..last, format!(",{line}{text}"));
        }
        let from = if has_comma { comma + 1 } else { last };
        // The closing brace may stand on the same line.
        let end =
            if self.slot.end - 1 < line_end(self.text, from) { from } else { line_end(self.text, from) };
        if !has_comma {
            self.put(last..last, ",".to_owned());
        }
        self.put(end..end, format!("{line}{text}{}", if has_comma { "," } else { "" }));
    }

    fn parts_of(&self, added: &[(Option<String>, usize)], column: Option<usize>) -> Vec<String> {
        let part = |(key, new): &(Option<String>, usize)| match key {
            Some(key) => self.writer.pair(key, *new, column),
            None => self.writer.flow_at(*new, column),
        };
        added.iter().map(part).collect()
    }

    fn fill_flow(&mut self, added: &[(Option<String>, usize)]) {
        let inner = self.slot.value + 1..self.slot.end - 1;
        let comma = if self.writer.style.is_tight { "," } else { ", " };
        let text = self.parts_of(added, None).join(comma);
        let pad = if text.is_empty() || !self.text[inner.clone()].starts_with(' ') { "" } else { " " };
        self.put(inner, format!("{pad}{text}{pad}"));
    }

    /// Something else in the place of a value.
    fn value(&mut self, new: usize) {
        let (head, value, end) = (self.slot.head, self.slot.value, self.slot.end);
        let is_nothing = end <= value;
        let is_item = self.slot.key.is_none();
        let token = if is_nothing { head..head } else { value..end };
        let space = if is_nothing { " " } else { "" };
        let in_flow = self.outline.is_in_flow(self.old.slot);
        let in_line = match &self.writer.news[new] {
            New::Scalar(text) => Some(text.write(in_flow, self.writer.style.is_json)),
            _ if in_flow || self.slot.shape == Shape::Flow || self.fits(new) => Some(self.writer.flow(new)),
            _ => None,
        };
        let starts_below = self.slot.shape == Shape::Block && self.outline.is_first_on_line(value);
        match in_line {
            Some(text) if starts_below => {
                self.put(head..head, format!(" {text}"));
                self.put(line_end(self.text, head)..end, String::new());
            }
            Some(text) => self.put(token, format!("{space}{text}")),
            None if is_item => {
                let column = self.outline.column(self.slot.start) + 2 + self.shift;
                let lines = self.writer.block(new, column);
                let Some((first, rest)) = lines.split_first() else { return };
                self.put(token.clone(), format!("{space}{}", first.trim_start()));
                self.lines_below(token.end, rest);
            }
            None => {
                let key = self.outline.column(self.slot.start) + self.shift;
                let style = self.writer.style;
                let below =
                    if matches!(self.writer.news[new], New::List(_)) { style.dash } else { style.step };
                let lines = self.writer.block(new, key + below);
                if starts_below {
                    self.put(line_end(self.text, head)..end, each(style.eol, &lines));
                } else {
                    let from = self.text[..token.start].trim_end_matches([' ', '\t']).len().max(head);
                    self.put(from..token.end, String::new());
                    self.lines_below(token.end, &lines);
                }
            }
        }
    }

    fn fits(&self, new: usize) -> bool {
        match &self.writer.news[new] {
            New::Scalar(_) => true,
            New::Map { entries, short } => *short || entries.is_empty(),
            New::List(items) => items.iter().all(|i| matches!(self.writer.news[*i], New::Scalar(_))),
        }
    }

    /// The lines of the document that other replacements take away.
    fn gone(&self) -> Vec<Range<usize>> {
        let plan = &self.editor.plan;
        let of_document = |old: &&Old| old.document == self.old.document;
        let slot = |old: &Old| &self.outline.slots[old.slot];
        let removed = plan.removed.iter().filter(of_document).map(|old| whole_lines(self.text, slot(old)));
        let replaced = plan.replaced.keys().filter(of_document).map(|old| slot(old).head..slot(old).end);
        removed.chain(replaced).collect()
    }

    /// A map becomes the first item of a list.
    fn list_of_one(&mut self, items: &[usize]) {
        if self.slot.shape == Shape::Flow {
            let (start, end) = (self.slot.value, self.slot.end);
            let more: Vec<String> = items.iter().map(|new| self.writer.flow(*new)).collect();
            self.put(start..start, "[".to_owned());
            self.put(end..end, format!("{}]", each(", ", &more)));
            return;
        }
        let column = self.column() - 2;
        let first = line_start(self.text, self.slot.value);
        let mut line = next_line(self.text, first);
        self.put(self.slot.value..self.slot.value, "- ".to_owned());
        let gone = self.gone();
        while line < self.slot.end {
            let stays = !gone.iter().any(|range| range.contains(&line));
            if stays && content_end(self.text, line) > line {
                self.put(line..line, "  ".to_owned());
            }
            line = next_line(self.text, line);
        }
        let lines: Vec<String> = items.iter().flat_map(|new| self.writer.item(*new, column)).collect();
        self.lines_below(self.surviving_end(self.old.slot), &lines);
    }
}

/// Every part behind a mark.
fn each(mark: &str, parts: &[String]) -> String {
    parts.iter().flat_map(|part| [mark, part.as_str()]).collect()
}

/// The lines of an entry or an item that starts a line, with its own comment.
fn whole_lines(text: &str, slot: &Slot<'_>) -> Range<usize> {
    let (start, end) = (line_start(text, slot.start), line_end(text, slot.end));
    if end == text.len() && start > 0 {
        // The last line of a text without a final break: the break before it goes.
        let break_length = if text[..start].ends_with("\r\n") { 2 } else { 1 };
        return start - break_length..end;
    }
    start..next_line(text, slot.end)
}

/// Behind a comma and the space that follows it.
fn after_comma(text: &str, at: usize) -> usize {
    let comma = skip_blank(text, at);
    if text.as_bytes().get(comma) == Some(&b',') { skip_blank(text, comma + 1) } else { at }
}
