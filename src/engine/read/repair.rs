//! Broken texts: where the break is, what it is, and how to read around it.

use super::Span;
use super::json::offset;
use super::source::lines;
use std::ops::Range;

/// The part of a text up to the document marker behind a break.
pub struct Part {
    /// End of the part.
    pub end: usize,
    /// Where the next document starts, at its marker.
    pub next: Option<usize>,
}

/// The document that holds the byte `at`, together with those before it.
pub fn document_around(text: &str, at: usize) -> Part {
    let next = lines(text)
        .skip_while(|line| line.end <= at)
        .skip(1)
        .find(|line| is_marker(&text[line.clone()]))
        .map(|line| line.start);
    Part { end: next.unwrap_or(text.len()), next }
}

fn is_marker(line: &str) -> bool {
    line.strip_prefix("---")
        .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '\r', '\n', '#']))
}

/// A list item of a block: its lines.
pub struct Item {
    /// First byte of its first line.
    pub from: usize,
    /// Byte behind its last line.
    pub to: usize,
    /// Columns before its dash.
    indent: usize,
}

/// The innermost list item around the byte `at`.
pub fn item_around(text: &str, at: usize) -> Option<Item> {
    item_above(text, at, usize::MAX)
}

/// The list item around another one.
pub fn parent(text: &str, item: &Item) -> Option<Item> {
    let outer = item_above(text, item.from, item.indent)?;
    Some(Item { to: outer.to.max(item.to), ..outer })
}

/// The nearest line up from `at` that starts a list item left of column `below`, with its lines.
fn item_above(text: &str, at: usize, below: usize) -> Option<Item> {
    let all: Vec<Range<usize>> = lines(text).collect();
    let here = all.partition_point(|line| line.end <= at).min(all.len().checked_sub(1)?);
    let mut below = below;
    // What stands left of the break limits which items can hold it.
    if below == usize::MAX {
        let line = &text[all[here].clone()];
        if !line.trim().is_empty() && !line.starts_with('\t') {
            below = indent(line) + 1;
        }
    }
    let (first, indent_of_item) = all[..=here].iter().rev().find_map(|line| {
        let text = &text[line.clone()];
        let spaces = indent(text);
        let dash = text[spaces..].starts_with("- ") || text[spaces..].trim_end() == "-";
        (dash && spaces < below && spaces > 0 || dash && spaces == 0 && below > 0)
            .then_some((line.start, spaces))
    })?;
    let last = all[here..].iter().skip(1).find(|line| {
        let text = &text[(*line).clone()];
        let is_content =
            !text.trim().is_empty() && !text.trim_start().starts_with('#') && !text.starts_with('\t');
        is_content && indent(text) <= indent_of_item
    });
    Some(Item { from: first, to: last.map_or(text.len(), |line| line.start), indent: indent_of_item })
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// Overwrites an item with spaces, so that everything else keeps its place.
pub fn blank(text: &mut String, item: &Item) {
    let blanked: String = text[item.from..item.to]
        .bytes()
        .map(|b| if b == b'\n' || b == b'\r' { char::from(b) } else { ' ' })
        .collect();
    text.replace_range(item.from..item.to, &blanked);
}

/// The first tab that indents a line near the break: on it, or on the next two.
pub fn tab_near(text: &str, at: usize, certain: bool) -> Option<Span> {
    let reach = if certain { usize::MAX } else { 3 };
    let numbered = lines(text).enumerate().skip_while(|(_, line)| line.end <= at);
    let mut near = numbered.take(reach).filter_map(|(number, line)| {
        let leading = text[line.clone()].bytes().take_while(|b| matches!(b, b' ' | b'\t'));
        let tab = leading.enumerate().find(|&(_, b)| b == b'\t').map(|(at, _)| at)?;
        let start = offset(line.start + tab);
        Some(Span { line: offset(number + 1), column: offset(tab + 1), start, end: start + 1 })
    });
    near.next()
}

/// The first `{{` that is neither quoted nor in a comment: a template.
pub fn template(text: &str) -> Option<Span> {
    lines(text).enumerate().find_map(|(number, range)| {
        let line = &text[range.clone()];
        let at = line.match_indices("{{").map(|(at, _)| at).find(|&at| {
            let before = &line[..at];
            let quotes = |mark| before.matches(mark).count() % 2 == 1;
            !quotes('"') && !quotes('\'') && !before.trim_start().starts_with('#') && !before.contains(" #")
        })?;
        let start = offset(range.start + at);
        let column = offset(line[..at].chars().count() + 1);
        Some(Span { line: offset(number + 1), column, start, end: start + 2 })
    })
}
