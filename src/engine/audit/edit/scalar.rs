//! Single values as text, in the notation of the author.

use crate::engine::envoy::model::Duration;
use crate::engine::read::scalar::Notation;
use crate::engine::units::Millis;
use std::fmt::Write as _;

/// A single value before it is put into quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Single {
    /// The value.
    pub body: String,
    /// It is a text to JSON: not a number, not `true`.
    pub is_text: bool,
}

impl Single {
    /// A number or a truth value.
    pub fn bare(value: impl std::fmt::Display) -> Self {
        Self { body: format!("{value}"), is_text: false }
    }

    /// A text.
    pub fn text(value: impl Into<String>) -> Self {
        Self { body: value.into(), is_text: true }
    }

    /// As a new value: quoted where it has to be.
    pub fn write(&self, in_flow: bool, is_json: bool) -> String {
        let is_safe =
            if self.is_text { !is_json && is_plain(&self.body, in_flow) } else { is_bare(&self.body) };
        if is_safe { self.body.clone() } else { double_quoted(&self.body) }
    }

    /// In the place of `old`, as its author writes: in the same quotes, hexadecimal if that was.
    pub fn replacing(&self, old: &str, notation: Notation, in_flow: bool, is_json: bool) -> String {
        // A schema takes no number in quotes; Envoy does.
        let keeps_quotes = self.is_text || notation == Notation::Proto;
        let hex = |digits: &str| self.hex(digits).unwrap_or_else(|| self.body.clone());
        match old.as_bytes() {
            [b'"', inner @ .., b'"'] if keeps_quotes => {
                double_quoted(&std::str::from_utf8(inner).map_or_else(|_| self.body.clone(), hex))
            }
            [b'\'', inner @ .., b'\''] if keeps_quotes => {
                let body = std::str::from_utf8(inner).map_or_else(|_| self.body.clone(), hex);
                format!("'{}'", body.replace('\'', "''"))
            }
            _ => self.hex(old).unwrap_or_else(|| self.write(in_flow, is_json)),
        }
    }

    /// As a hexadecimal number, if `old` is one.
    fn hex(&self, old: &str) -> Option<String> {
        let digits = old.strip_prefix("0x").or_else(|| old.strip_prefix("0X"))?;
        let number: u64 = self.body.parse().ok()?;
        let is_upper = digits.bytes().any(|b| b.is_ascii_uppercase());
        let prefix = &old[..2];
        Some(if is_upper { format!("{prefix}{number:X}") } else { format!("{prefix}{number:x}") })
    }
}

/// Whether a number or a word can stand without quotes.
fn is_bare(body: &str) -> bool {
    !body.is_empty()
        && body.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'+' | b'_' | b'~'))
}

/// Whether a text means itself without quotes.
pub fn is_plain(text: &str, in_flow: bool) -> bool {
    let starts = text.bytes().next().is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'/'));
    let is_safe = |b: u8| {
        b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'-' | b'/' | b'+') || b == b',' && !in_flow
    };
    let words = ["true", "false", "yes", "no", "on", "off", "y", "n", "null"];
    let is_word = words.iter().any(|w| text.eq_ignore_ascii_case(w));
    let is_number = text.parse::<f64>().is_ok() || text.starts_with("0x") || text.starts_with("0o");
    starts && text.bytes().all(is_safe) && !is_word && !is_number
}

/// A text in double quotes, as JSON and YAML both read it.
pub fn double_quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c < ' ' || matches!(c, '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}') => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A duration as the program reads it.
///
/// ```
/// use headroom::engine::audit::edit::duration;
/// use headroom::engine::read::scalar::Notation;
/// use headroom::engine::units::Millis;
///
/// assert_eq!(duration(Millis(250.0), Notation::Proto), "0.25s");
/// assert_eq!(duration(Millis(250.0), Notation::Go), "250ms");
/// assert_eq!(duration(Millis(90_000_000.0), Notation::GatewayApi), "90000s");
/// assert_eq!(duration(Millis(100_001.0), Notation::GatewayApi), "100s1ms");
/// ```
pub fn duration(duration: Millis, notation: Notation) -> String {
    let rounded = Duration::in_whole_millis(duration);
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "whole milliseconds, not negative, far below 2^53"
    )]
    let millis = rounded.0.0 as u64;
    match notation {
        Notation::Proto => rounded.to_string(),
        Notation::Go => in_units(millis, u64::MAX),
        Notation::GatewayApi => in_units(millis, 99_999),
    }
}

/// In the largest unit that takes it whole, or in several if a number has to stay below `most`.
fn in_units(millis: u64, most: u64) -> String {
    let (seconds, rest) = (millis / 1000, millis % 1000);
    match (seconds, rest) {
        (0, 0) => "0s".to_owned(),
        (s, 0) if s <= most => format!("{s}s"),
        (s, 0) if s % 60 == 0 && s / 60 <= most => format!("{}m", s / 60),
        (s, 0) => format!("{}h{}m{}s", s / 3600, s % 3600 / 60, s % 60),
        _ if millis <= most => format!("{millis}ms"),
        (s, rest) if s <= most => format!("{s}s{rest}ms"),
        (s, rest) => format!("{}h{}m{}s{rest}ms", s / 3600, s % 3600 / 60, s % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::{Single, double_quoted, is_plain};
    use crate::engine::read::scalar::Notation;

    #[test]
    fn the_author_s_notation_stays() {
        let rows = [
            ("1024", "50", "50"),
            ("\"1024\"", "50", "\"50\""),
            ("'1024'", "50", "'50'"),
            ("0x400", "50", "0x32"),
            ("0X4FF", "170", "0XAA"),
            ("\"0x400\"", "50", "\"0x32\""),
            ("010", "50", "50"),
            ("1e3", "50", "50"),
        ];
        for (old, new, wanted) in rows {
            assert_eq!(Single::bare(new).replacing(old, Notation::Proto, false, false), wanted, "{old}");
        }
        assert_eq!(Single::bare(5).replacing("\"1\"", Notation::Go, false, false), "5");
        assert_eq!(Single::text("5s").replacing("'1s'", Notation::Go, false, false), "'5s'");
        assert_eq!(Single::text("5s").replacing("1", Notation::Proto, false, true), "\"5s\"");
    }

    #[test]
    fn texts_that_mean_something_else_are_quoted() {
        for text in ["", "true", "No", "5", "0x5", "1e3", "@type", "a b", "a: b", "a#", "-a", "~", "*"] {
            assert!(!is_plain(text, false), "{text}");
        }
        for text in ["5xx", "0.25s", "5xx,reset", "connect-failure", "type.googleapis.com/a.b"] {
            assert!(is_plain(text, false), "{text}");
        }
        assert!(!is_plain("5xx,reset", true));
        assert_eq!(double_quoted("a\"\\\t\u{1}é"), "\"a\\\"\\\\\\t\\u0001é\"");
    }
}
