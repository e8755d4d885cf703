//! What can be filled into markup.

use super::Html;

/// Something that can be filled into markup; it escapes itself.
pub trait Piece {
    /// Writes it.
    fn write(&self, out: &mut Html);
}

impl Piece for &str {
    fn write(&self, out: &mut Html) {
        out.text(self);
    }
}

impl Piece for String {
    fn write(&self, out: &mut Html) {
        out.text(self);
    }
}

impl Piece for u32 {
    fn write(&self, out: &mut Html) {
        digits(&mut out.text, *self);
    }
}

/// HTML that is finished: it was escaped when it was written. Its slots are text here.
impl Piece for Html {
    fn write(&self, out: &mut Html) {
        out.text.push_str(&self.text);
    }
}

/// Text in which backticks mark code: every second piece is set as code.
#[derive(Clone, Copy, Debug)]
pub struct Rich<'a>(pub &'a str);

impl Piece for Rich<'_> {
    fn write(&self, out: &mut Html) {
        for (at, text) in self.0.split('`').enumerate() {
            if at % 2 == 1 {
                out.put("<code>{}</code>", &[&text]);
            } else {
                out.text(text);
            }
        }
    }
}

/// An icon of the sprite in `index.html`, beside a word that says the same.
#[derive(Clone, Copy, Debug)]
pub struct Icon(pub &'static str, pub &'static str);

impl Piece for Icon {
    fn write(&self, out: &mut Html) {
        let Self(name, tone) = self;
        out.raw("<svg class=\"hr-icon");
        out.put_some(" {}", tone);
        out.put("\" viewBox=\"0 0 16 16\" aria-hidden=\"true\"><use href=\"#i-{}\"/></svg>", &[name]);
    }
}

/// An icon that stands alone and so has a label.
#[derive(Clone, Copy, Debug)]
pub struct LabeledIcon<'a>(pub &'static str, pub &'static str, pub &'a str);

impl Piece for LabeledIcon<'_> {
    fn write(&self, out: &mut Html) {
        let Self(name, tone, label) = self;
        out.put(
            "<svg class=\"hr-icon {}\" viewBox=\"0 0 16 16\" role=\"img\" aria-label=\"{}\"><use href=\"#i-{}\"/></svg>",
            &[tone, label, name],
        );
    }
}

/// The signs that markup gives a meaning, and how they are written.
pub(super) const ESCAPED: [(&str, char); 4] = [("&lt;", '<'), ("&gt;", '>'), ("&amp;", '&'), ("&quot;", '"')];

/// Appends a text with the signs that markup gives a meaning replaced.
pub fn escape(out: &mut String, text: &str) {
    let mut from = 0;
    for (at, byte) in text.bytes().enumerate() {
        let name = match byte {
            b'<' => "&lt;",
            b'>' => "&gt;",
            b'&' => "&amp;",
            b'"' => "&quot;",
            _ => continue,
        };
        out.push_str(&text[from..at]);
        out.push_str(name);
        from = at + 1;
    }
    out.push_str(&text[from..]);
}

/// Appends tenths as a decimal number. Formatting a float costs ten times as much, and a chart has
/// hundreds of them.
pub fn tenths(out: &mut String, value: i32) {
    if value < 0 {
        out.push('-');
    }
    digits(out, value.unsigned_abs() / 10);
    let rest = value.unsigned_abs() % 10;
    if rest > 0 {
        out.push('.');
        digits(out, rest);
    }
}

pub(super) fn digits(out: &mut String, value: u32) {
    if value >= 10 {
        digits(out, value / 10);
    }
    out.push(char::from_digit(value % 10, 10).unwrap_or('0'));
}
