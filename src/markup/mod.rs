//! HTML under construction, in which markup and text cannot be confused.
//!
//! Markup is a text of the program (`&'static str`); everything else goes in through a `{}` of such
//! a text as a [`Piece`], and every piece escapes itself. So nothing that a person typed can become
//! markup, and no call says "trust me". A `{}` stands in text or within the double quotes of an
//! attribute. No `style` attribute is ever written, since the page's security policy forbids it.
//!
//! What changes while the rest stays is written as a slot: the inside of an element with an id.
//! Two texts of the same panel are compared by slots ([`Html::changes`]), so that a page exchanges
//! what differs and leaves focus, selection and what is open elsewhere alone.

mod changes;
mod pairs;
mod patch;
mod pieces;
mod read;

pub use changes::{Changes, Exchange};
pub use patch::Steps;
pub use pieces::{Icon, LabeledIcon, Piece, Rich, escape, tenths};

use std::ops::Range;

/// HTML under construction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Html {
    text: String,
    /// In the order in which they begin, so that what is within a slot follows it.
    slots: Vec<Slot>,
    /// Places in `slots` of those that have not ended, outermost first.
    open: Vec<usize>,
}

/// The inside of an element with an id.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Slot {
    /// Where its id stands in the text.
    id: Range<usize>,
    start: usize,
    end: usize,
    /// Place after the last slot that lies within.
    next: usize,
}

impl Html {
    /// Nothing yet, with room for about so many bytes, so that it need not move as it grows.
    pub fn with_room(n: usize) -> Self {
        Self { text: String::with_capacity(n + n / 8), ..Self::default() }
    }

    /// Markup without anything to fill in.
    pub fn raw(&mut self, markup: &'static str) {
        self.text.push_str(markup);
    }

    /// Markup with a piece for each `{}`.
    pub fn put(&mut self, markup: &'static str, pieces: &[&dyn Piece]) {
        let mut pieces = pieces.iter();
        let mut rest = markup;
        while let Some(at) = read::find(rest, 0, b'{') {
            let (before, after) = rest.split_at(at);
            self.text.push_str(before);
            debug_assert!(pieces.len() > 0, "no piece for a place of {markup:?}");
            if let Some(piece) = pieces.next() {
                piece.write(self);
            }
            rest = after.get(2..).unwrap_or_default();
        }
        self.text.push_str(rest);
        debug_assert!(pieces.len() == 0, "no place for a piece in {markup:?}");
    }

    /// Markup with a text in it, or nothing where the text is empty: an attribute that may be missing.
    pub fn put_some(&mut self, markup: &'static str, text: &str) {
        if !text.is_empty() {
            self.put(markup, &[&text]);
        }
    }

    /// A text, escaped.
    pub fn text(&mut self, text: &str) {
        escape(&mut self.text, text);
    }

    /// Tenths as a decimal number: digits need no escapes.
    pub fn tenths(&mut self, value: i32) {
        tenths(&mut self.text, value);
    }

    /// Hundredths as a number with two decimals.
    pub fn hundredths(&mut self, value: u32) {
        pieces::digits(&mut self.text, value / 100);
        self.text.push('.');
        pieces::digits(&mut self.text, value / 10 % 10);
        pieces::digits(&mut self.text, value % 10);
    }

    /// Begins a slot: markup that ends with the opening tag of its element, whose id ends with its only
    /// `{}`, the place of `id`.
    pub fn begin(&mut self, markup: &'static str, id: &str) {
        let place = markup.bytes().position(|byte| byte == b'{').unwrap_or_default();
        let quote = markup.bytes().take(place).rposition(|byte| byte == b'"').unwrap_or_default();
        let start = self.text.len();
        self.put(markup, &[&id]);
        let (at, id_at) = (self.text.len(), start + quote + 1..start + place + id.len());
        debug_assert!(self.text.ends_with('>'), "{markup:?} is no opening tag");
        debug_assert!(self.text[id_at.clone()].ends_with(id), "an id needs no escapes");
        debug_assert_eq!(self.text.as_bytes().get(id_at.end), Some(&b'"'), "nothing follows in {markup:?}");
        self.open.push(self.slots.len());
        self.slots.push(Slot { id: id_at, start: at, end: at, next: self.slots.len() + 1 });
    }

    /// Ends the slot that began last, with markup that begins with the closing tag of its element.
    pub fn end(&mut self, markup: &'static str) {
        let n = self.slots.len();
        if let Some(slot) = self.open.pop().and_then(|at| self.slots.get_mut(at)) {
            slot.end = self.text.len();
            slot.next = n;
        }
        self.raw(markup);
    }

    /// A slot with one piece in it.
    pub fn slot(&mut self, before: &'static str, id: &str, piece: &dyn Piece, after: &'static str) {
        self.begin(before, id);
        piece.write(self);
        self.end(after);
    }

    /// The same with other ids, for a copy that stands in the page beside the first: `s-` at the beginning
    /// of an id becomes `copy-s-`. A quote in a text is escaped, so only attributes can begin so.
    #[must_use]
    pub fn copy(&self) -> Self {
        Self { text: self.text.replace("\"s-", "\"copy-s-"), slots: Vec::new(), open: Vec::new() }
    }

    /// The HTML as text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The HTML as text, for good.
    pub fn into_string(self) -> String {
        self.text
    }
}

#[cfg(test)]
mod tests;
