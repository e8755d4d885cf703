//! JSON with places: a dump of a megabyte is read in milliseconds.

use super::Span;
use super::build::{Builder, Full};

/// Why JSON could not be read to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The grammar is broken: what was expected.
    Syntax(Span, &'static str),
    /// A limit.
    Full(Span, Full),
}

/// A reader of one text; a text may hold several values one after the other.
pub struct Json<'t> {
    text: &'t str,
    at: usize,
    line: u32,
    column: u32,
}

impl<'t> Json<'t> {
    /// Starts behind the first `skip` bytes of `text`, the byte order mark.
    pub fn new(text: &'t str, skip: usize) -> Self {
        Self { text, at: skip, line: 1, column: 1 }
    }

    /// Whether nothing is left but space.
    pub fn at_end(&mut self) -> bool {
        self.space();
        self.at >= self.text.len()
    }

    /// Reads one value into `tree`.
    ///
    /// # Errors
    ///
    /// Where and why it stopped; the tree then holds what came before.
    pub fn value(&mut self, tree: &mut Builder<'_>) -> Result<(), Stop> {
        // Closing marks of what is open.
        let mut open: Vec<u8> = Vec::new();
        loop {
            self.space();
            let start = self.span(0);
            match self.peek() {
                Some(mark @ (b'{' | b'[')) => {
                    self.step(1);
                    let is_map = mark == b'{';
                    tree.open(is_map, self.since(start), 0).map_err(|full| Stop::Full(start, full))?;
                    let close = if is_map { b'}' } else { b']' };
                    self.space();
                    if self.peek() == Some(close) {
                        self.step(1);
                        tree.close(Some(self.since(start).end));
                    } else {
                        open.push(close);
                        if is_map {
                            self.key(tree)?;
                        }
                        continue;
                    }
                }
                Some(b'"') => self.string(tree)?,
                Some(b'-' | b'0'..=b'9' | b't' | b'f' | b'n') => self.word(tree)?,
                _ => return Err(Stop::Syntax(start, "a value")),
            }
            // After a value: close what ends here, then the next one.
            loop {
                let Some(&close) = open.last() else { return Ok(()) };
                self.space();
                let here = self.mark();
                match self.peek() {
                    Some(b',') => {
                        self.step(1);
                        self.space();
                        if close == b'}' {
                            self.key(tree)?;
                        }
                        break;
                    }
                    Some(mark) if mark == close => {
                        self.step(1);
                        open.pop();
                        tree.close(Some(here.end));
                    }
                    _ if close == b'}' => return Err(Stop::Syntax(here, "a comma or a closing brace")),
                    _ => return Err(Stop::Syntax(here, "a comma or a closing bracket")),
                }
            }
        }
    }

    fn key(&mut self, tree: &mut Builder<'_>) -> Result<(), Stop> {
        if self.peek() != Some(b'"') {
            return Err(Stop::Syntax(self.mark(), "a key in double quotes"));
        }
        self.string(tree)?;
        self.space();
        if self.peek() != Some(b':') {
            return Err(Stop::Syntax(self.mark(), "a colon after the key"));
        }
        self.step(1);
        Ok(())
    }

    fn string(&mut self, tree: &mut Builder<'_>) -> Result<(), Stop> {
        let start = self.span(0);
        let bytes = self.text.as_bytes();
        let from = self.at + 1;
        let mut to = from;
        let mut escaped = false;
        loop {
            match bytes.get(to) {
                Some(b'"') => break,
                Some(b'\\') => {
                    escaped = true;
                    to += 2;
                }
                Some(0..=0x1f) | None => {
                    self.step(1);
                    return Err(Stop::Syntax(start, "a closing quote on the same line"));
                }
                Some(_) => to += 1,
            }
        }
        let raw = self.text.get(from..to).ok_or(Stop::Syntax(start, "text in the quotes"))?;
        let text = if escaped {
            unescape(raw).ok_or(Stop::Syntax(start, "a legal escape in the quotes"))?
        } else {
            raw.to_owned()
        };
        self.step(to + 1 - self.at);
        let span = self.since(start);
        tree.scalar(text, true, span, 0).map_err(|full| Stop::Full(span, full))
    }

    fn word(&mut self, tree: &mut Builder<'_>) -> Result<(), Stop> {
        let start = self.span(0);
        let rest = &self.text[self.at..];
        let length = rest
            .bytes()
            .position(|b| !(b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.' | b'_')))
            .unwrap_or(rest.len());
        let text = &rest[..length];
        let is_word = matches!(text, "true" | "false" | "null") || text.parse::<f64>().is_ok();
        if !is_word {
            return Err(Stop::Syntax(start, "a value: text needs double quotes"));
        }
        self.step(length);
        let span = self.since(start);
        tree.scalar(text.to_owned(), false, span, 0).map_err(|full| Stop::Full(span, full))
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn space(&mut self) {
        while let Some(b) = self.peek() {
            match b {
                b'\n' => {
                    self.at += 1;
                    self.line += 1;
                    self.column = 1;
                }
                b'\r' if self.text.as_bytes().get(self.at + 1) != Some(&b'\n') => {
                    self.at += 1;
                    self.line += 1;
                    self.column = 1;
                }
                b' ' | b'\t' | b'\r' => {
                    self.at += 1;
                    self.column += 1;
                }
                _ => break,
            }
        }
    }

    /// Goes on by `bytes` that hold no line end.
    fn step(&mut self, bytes: usize) {
        let to = (self.at + bytes).min(self.text.len());
        // Bytes that continue a character are no column of their own.
        let columns = self.text.as_bytes()[self.at..to].iter().filter(|&&b| b & 0xc0 != 0x80).count();
        self.column = self.column.saturating_add(u32::try_from(columns).unwrap_or(u32::MAX));
        self.at = to;
    }

    fn span(&self, bytes: usize) -> Span {
        let end = (self.at + bytes).min(self.text.len());
        Span { line: self.line, column: self.column, start: offset(self.at), end: offset(end) }
    }

    /// The character here.
    fn mark(&self) -> Span {
        self.span(self.text.get(self.at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8))
    }

    fn since(&self, start: Span) -> Span {
        Span { end: offset(self.at), ..start }
    }
}

/// Inputs are below 4 GB by their limit.
pub fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// The text that escapes stand for; half a surrogate pair becomes the replacement character.
fn unescape(raw: &str) -> Option<String> {
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let mark = rest[at + 1..].chars().next()?;
        rest = &rest[at + 1 + mark.len_utf8()..];
        match mark {
            '"' | '\\' | '/' => out.push(mark),
            'b' => out.push('\u{8}'),
            'f' => out.push('\u{c}'),
            'n' => out.push('\n'),
            'r' => out.push('\r'),
            't' => out.push('\t'),
            'u' => {
                let mut units = vec![u16::from_str_radix(rest.get(..4)?, 16).ok()?];
                rest = rest.get(4..)?;
                if (0xd800..0xdc00).contains(&units[0])
                    && let Some(low) = rest.strip_prefix("\\u").and_then(|r| r.get(..4))
                {
                    units.push(u16::from_str_radix(low, 16).ok()?);
                    rest = rest.get(6..)?;
                }
                out.extend(char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)));
            }
            _ => return None,
        }
    }
    out.push_str(rest);
    Some(out)
}
