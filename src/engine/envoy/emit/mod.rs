//! Typed resources to YAML text with comments: the one serializer.
//!
//! The text is made plainly first; comments are put in afterwards, each on its own line above the
//! setting it explains. A setting is found by its path of keys, read off the indentation, so that
//! nothing a value says can be taken for a key: keys are ours, values stay on the line of their
//! key. No decision is taken here: what is said and where is up to the caller.

mod node;

use node::Node;
use serde::Serialize;
use std::borrow::Cow;
use std::fmt::Write as _;

/// Columns a comment line fills at most, as far as its words allow: what the page's rail shows.
pub const WIDTH: usize = 48;

/// Words above a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// Keys from the root, list items by number: `clusters[0].connect_timeout`.
    pub path: String,
    /// The words; broken into lines as needed.
    pub text: String,
}

impl Comment {
    /// A comment above the setting at `path`.
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self { path: path.into(), text: text.into() }
    }
}

/// The document as YAML, below the lines of a header.
///
/// A comment whose setting is not in the document is left out.
pub fn to_yaml<T: Serialize>(document: &T, header: &[String], comments: &[Comment]) -> String {
    write(&Node::of(document), header, comments)
}

fn write(tree: &Node, header: &[String], comments: &[Comment]) -> String {
    // Folded text would put parts of a long value on lines of their own.
    let options = serde_saphyr::ser_options! { prefer_block_scalars: false };
    let plain = serde_saphyr::to_string_with_options(tree, options).expect("a tree has a YAML form");
    let mut out = String::new();
    push_lines(&mut out, 0, header);
    let mut place = Place::default();
    let mut path = String::new();
    for line in plain.lines() {
        let indent = line.len() - line.trim_start_matches(' ').len();
        place.enter(line, indent);
        place.write_path(&mut path);
        for comment in comments.iter().filter(|c| c.path == path) {
            push_lines(&mut out, indent, &paragraph(&comment.text, indent));
        }
        push_visible(&mut out, line);
        out.push('\n');
    }
    out
}

/// Writes a line of the document with invisible characters as escapes. They come from names, and
/// names with anything but plain letters are double-quoted, where the escapes mean the same.
fn push_visible(out: &mut String, line: &str) {
    // All of them are beyond ASCII, and nearly every line is within.
    if line.is_ascii() {
        return out.push_str(line);
    }
    for c in line.chars() {
        if is_invisible(c) {
            // Writing to a string cannot fail.
            let _ = write!(out, "\\U{:08X}", u32::from(c));
        } else {
            out.push(c);
        }
    }
}

/// One level of the document above the current line.
enum Level<'a> {
    Key { indent: usize, name: &'a str },
    Item { indent: usize, index: usize },
}

impl Level<'_> {
    fn indent(&self) -> usize {
        match self {
            Self::Key { indent, .. } | Self::Item { indent, .. } => *indent,
        }
    }
}

/// Where a line of block-style YAML stands.
#[derive(Default)]
struct Place<'a> {
    levels: Vec<Level<'a>>,
}

impl<'a> Place<'a> {
    /// Moves on to `line`.
    fn enter(&mut self, line: &'a str, mut indent: usize) {
        let mut rest = &line[indent..];
        while let Some(item) = rest.strip_prefix("- ") {
            self.enter_item(indent);
            indent += 2;
            rest = item;
        }
        if let Some((key, _)) = rest.split_once(':') {
            self.levels.truncate(self.levels.partition_point(|level| level.indent() < indent));
            self.levels.push(Level::Key { indent, name: key.trim_matches('"') });
        }
    }

    /// A list stands as far in as the key it belongs to, so only deeper levels end here.
    fn enter_item(&mut self, indent: usize) {
        self.levels.truncate(self.levels.partition_point(|level| level.indent() <= indent));
        match self.levels.last_mut() {
            Some(Level::Item { index, indent: at }) if *at == indent => *index += 1,
            _ => self.levels.push(Level::Item { indent, index: 0 }),
        }
    }

    fn write_path(&self, path: &mut String) {
        path.clear();
        for level in &self.levels {
            match level {
                Level::Key { name, .. } => {
                    if !path.is_empty() {
                        path.push('.');
                    }
                    path.push_str(name);
                }
                // Writing to a string cannot fail.
                Level::Item { index, .. } => _ = write!(path, "[{index}]"),
            }
        }
    }
}

/// The words of a comment `indent` columns in, as lines without their `#`.
pub fn paragraph(text: &str, indent: usize) -> Vec<String> {
    wrap(&one_line(text), WIDTH.saturating_sub(indent + "# ".len()))
}

fn push_lines(out: &mut String, indent: usize, lines: &[String]) {
    for line in lines {
        out.extend(std::iter::repeat_n(' ', indent));
        out.push_str("# ");
        out.push_str(&one_line(line));
        out.push('\n');
    }
}

/// The text without anything that ends a line or hides what a line says.
///
/// YAML readers end lines at different characters, and marks of writing direction can make a
/// comment look like a setting; names from strangers may have both.
fn one_line(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return text.into();
    }
    text.chars().map(|c| if c.is_control() || is_separator(c) || is_invisible(c) { ' ' } else { c }).collect()
}

/// Characters that some YAML readers take for a line break, besides control characters.
fn is_separator(c: char) -> bool {
    matches!(c, '\u{2028}' | '\u{2029}')
}

/// Format characters: zero width, writing direction, byte order mark, tags.
fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}'
    )
}

/// Lines of at most `room` characters, broken at spaces; words longer than a line are cut. A
/// no-break space holds a number and its unit together and then becomes a space: nobody wants
/// invisible characters in a configuration.
fn wrap(text: &str, room: usize) -> Vec<String> {
    let room = room.max(16);
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    // Characters in the line, counted along: the page writes all of this at every keystroke.
    let mut n = 0;
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        if n > 0 && n + 1 + word.chars().count() > room {
            lines.push(std::mem::take(&mut line));
            n = 0;
        }
        if n > 0 {
            line.push(' ');
            n += 1;
        }
        if n + word.len() <= room && word.is_ascii() {
            line.push_str(word);
            n += word.len();
            continue;
        }
        let mut chars = word.chars().peekable();
        while let Some(c) = chars.next() {
            line.push(if c == '\u{a0}' { ' ' } else { c });
            n += 1;
            if n >= room && chars.peek().is_some() {
                lines.push(std::mem::take(&mut line));
                n = 0;
            }
        }
    }
    lines.extend((!line.is_empty()).then_some(line));
    lines
}

#[cfg(test)]
mod tests;
