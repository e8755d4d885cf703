//! New values as text: lines of a block, or braces.

use super::scalar::{Single, is_plain};
use std::fmt::Write as _;

/// A value that is not in the text yet; the parts of it are in the same list.
#[derive(Clone, Debug, PartialEq)]
pub enum New {
    /// A single value.
    Scalar(Single),
    /// A map; `short` ones stand in braces on the line of their key.
    Map { entries: Vec<(String, usize)>, short: bool },
    /// A list.
    List(Vec<usize>),
}

/// How the text around a new value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// The break between lines.
    pub eol: &'static str,
    /// Columns that a map is indented by below its key.
    pub step: usize,
    /// Columns that a dash is indented by below its key.
    pub dash: usize,
    /// Keys and texts are quoted, as JSON wants it.
    pub is_json: bool,
    /// No space follows a colon or a comma.
    pub is_tight: bool,
}

/// New values in a style.
#[derive(Clone, Copy, Debug)]
pub struct Writer<'n> {
    /// All new values.
    pub news: &'n [New],
    /// How they are written.
    pub style: Style,
}

impl Writer<'_> {
    /// The lines of a map or a list whose keys or dashes stand at a column.
    pub fn block(&self, new: usize, column: usize) -> Vec<String> {
        match &self.news[new] {
            New::Map { entries, .. } => entries.iter().flat_map(|(k, v)| self.entry(k, *v, column)).collect(),
            New::List(items) => items.iter().flat_map(|item| self.item(*item, column)).collect(),
            New::Scalar(text) => vec![format!("{}{}", pad(column), text.write(false, false))],
        }
    }

    /// The lines of a key with its value.
    pub fn entry(&self, key: &str, value: usize, column: usize) -> Vec<String> {
        let start = format!("{}{}:", pad(column), self.key(key));
        match &self.news[value] {
            New::Scalar(text) => return vec![format!("{start} {}", text.write(false, self.style.is_json))],
            _ if self.fits_in_line(value) => return vec![format!("{start} {}", self.flow(value))],
            _ => {}
        }
        let below = match self.news[value] {
            New::List(_) => column + self.style.dash,
            _ => column + self.style.step,
        };
        let mut lines = vec![start];
        lines.extend(self.block(value, below));
        lines
    }

    /// The lines of a list item whose dash stands at a column.
    pub fn item(&self, value: usize, column: usize) -> Vec<String> {
        let dash = format!("{}- ", pad(column));
        if self.fits_in_line(value) {
            return vec![format!("{dash}{}", self.flow(value))];
        }
        let mut lines = self.block(value, column + 2);
        if let Some(first) = lines.first_mut() {
            *first = format!("{dash}{}", first.trim_start());
        }
        lines
    }

    fn fits_in_line(&self, new: usize) -> bool {
        let is_scalar = |new: &usize| matches!(self.news[*new], New::Scalar(_));
        match &self.news[new] {
            New::Scalar(_) => true,
            New::Map { entries, short } => entries.is_empty() || *short,
            New::List(items) => items.iter().all(is_scalar),
        }
    }

    /// A value in braces, on one line.
    pub fn flow(&self, new: usize) -> String {
        self.flow_at(new, None)
    }

    /// A value in braces; below a column its parts have lines of their own.
    pub fn flow_at(&self, new: usize, column: Option<usize>) -> String {
        match &self.news[new] {
            New::Scalar(text) => text.write(true, self.style.is_json),
            New::Map { entries, .. } => {
                let inner = column.map(|c| c + self.style.step);
                let parts: Vec<String> =
                    entries.iter().map(|(key, value)| self.pair(key, *value, inner)).collect();
                self.group(('{', '}'), &parts, column)
            }
            New::List(items) => {
                let inner = column.map(|c| c + self.style.step);
                let parts: Vec<String> = items.iter().map(|item| self.flow_at(*item, inner)).collect();
                self.group(('[', ']'), &parts, column)
            }
        }
    }

    /// A key and its value within braces.
    pub fn pair(&self, key: &str, value: usize, column: Option<usize>) -> String {
        let colon = if self.style.is_tight && self.style.is_json { ":" } else { ": " };
        format!("{}{colon}{}", self.key(key), self.flow_at(value, column))
    }

    fn group(&self, (open, close): (char, char), parts: &[String], column: Option<usize>) -> String {
        let comma = if self.style.is_tight { "," } else { ", " };
        let Some(column) = column.filter(|_| !parts.is_empty()) else {
            return format!("{open}{}{close}", parts.join(comma));
        };
        let mut out = String::from(open);
        for (at, part) in parts.iter().enumerate() {
            let comma = if at == 0 { "" } else { "," };
            let _ = write!(out, "{comma}{}{}{part}", self.style.eol, pad(column + self.style.step));
        }
        let _ = write!(out, "{}{}{close}", self.style.eol, pad(column));
        out
    }

    fn key(&self, key: &str) -> String {
        if !self.style.is_json && is_plain(key, true) {
            return key.to_owned();
        }
        super::scalar::double_quoted(key)
    }
}

fn pad(column: usize) -> String {
    " ".repeat(column)
}
