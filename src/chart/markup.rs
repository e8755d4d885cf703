//! Markup of the charts that need no drawing: gauge, rows and ladder as HTML and SVG text.
//!
//! The page sets it as one piece. A chart has some two hundred elements; made one by one they
//! would cost more time on a keystroke than everything that is computed, and more transfer than
//! all charts together. All of it is written here, from numbers and from words of our own; texts
//! are escaped all the same. No `style` attribute is ever written.

use super::Table;
use super::scale::At;
use super::text::{Label, escape};
use std::fmt::{Display, Write};

/// Markup under construction.
#[derive(Debug, Default)]
pub struct Markup(String);

/// Names and values of attributes.
pub type Attributes<'a> = &'a [(&'a str, &'a dyn Display)];

impl Markup {
    /// Opens an element; [`Markup::close`] ends it.
    pub fn open(&mut self, name: &str, attributes: Attributes<'_>) {
        self.tag(name, attributes);
        self.0.push('>');
    }

    /// Ends an element.
    pub fn close(&mut self, name: &str) {
        let _ = write!(self.0, "</{name}>");
    }

    /// An element without content, of SVG.
    pub fn empty(&mut self, name: &str, attributes: Attributes<'_>) {
        self.tag(name, attributes);
        self.0.push_str("/>");
    }

    /// An element with nothing but text in it.
    pub fn text(&mut self, name: &str, attributes: Attributes<'_>, text: &str) {
        self.open(name, attributes);
        escape(&mut self.0, text);
        self.close(name);
    }

    /// The finished text.
    pub fn finish(self) -> String {
        self.0
    }

    /// Words of our own between elements.
    pub(super) fn words(&mut self, text: &str) {
        escape(&mut self.0, text);
    }

    /// A label at its own baseline.
    pub(super) fn label(&mut self, label: &Label) {
        let place: Attributes<'_> =
            &[("x", &label.at), ("dx", &label.dx), ("y", &label.y), ("class", &label.class())];
        self.text("text", place, &label.text);
    }

    /// Words in the middle of a row of the plot.
    pub(super) fn row_label(&mut self, label: &Label) {
        let place: Attributes<'_> =
            &[("x", &label.at), ("dx", &label.dx), ("y", &"50%"), ("dy", &4), ("class", &label.class())];
        self.text("text", place, &label.text);
    }

    /// A vertical line through a whole row.
    pub(super) fn vertical(&mut self, class: &str, at: At) {
        self.empty("line", &[("class", &class), ("x1", &at), ("x2", &at), ("y1", &0), ("y2", &"100%")]);
    }

    /// A horizontal line in the middle of a row.
    pub(super) fn horizontal(&mut self, class: &str, from: At, to: At) {
        self.empty("line", &[("class", &class), ("x1", &from), ("x2", &to), ("y1", &"50%"), ("y2", &"50%")]);
    }

    /// A dot in the middle of a row.
    pub(super) fn dot(&mut self, class: &str, at: At, radius: u8) {
        self.empty("circle", &[("class", &class), ("cx", &at), ("cy", &"50%"), ("r", &radius)]);
    }

    /// An icon of the sprite that says something by itself.
    pub(super) fn icon(&mut self, class: &str, name: &str, label: &str) {
        let class = format!("hr-icon {class}");
        self.open(
            "svg",
            &[("class", &class), ("viewBox", &"0 0 16 16"), ("role", &"img"), ("aria-label", &label)],
        );
        self.empty("use", &[("href", &format!("#i-{name}"))]);
        self.close("svg");
    }

    /// The axis under the rows of a plot: what it counts, and its labels.
    pub(super) fn row_axis(&mut self, note: &str, labels: &[Label]) {
        self.open("li", &[("class", &"hr-rows__axis"), ("aria-hidden", &"true")]);
        self.text("small", &[], note);
        self.open("svg", &[("class", &"hr-svg")]);
        for label in labels {
            self.label(label);
        }
        self.close("svg");
        self.close("li");
    }

    fn tag(&mut self, name: &str, attributes: Attributes<'_>) {
        let _ = write!(self.0, "<{name}");
        for (name, value) in attributes {
            let value = value.to_string();
            // A class or a shift of nothing says nothing.
            if !(value.is_empty() || *name == "dx" && value == "0") {
                let _ = write!(self.0, " {name}=\"");
                escape(&mut self.0, &value);
                self.0.push('"');
            }
        }
    }
}

impl Table {
    /// The content of a table element.
    pub fn markup(&self) -> String {
        let mut out = Markup::default();
        let number: Attributes<'_> = &[("class", &"hr-num"), ("scope", &"col")];
        out.open("thead", &[]);
        out.open("tr", &[]);
        for (at, name) in self.head.iter().enumerate() {
            out.text("th", if at == 0 { &[("scope", &"col")] } else { number }, name);
        }
        out.close("tr");
        out.close("thead");
        out.open("tbody", &[]);
        for row in &self.rows {
            out.open("tr", &[]);
            for (at, cell) in row.iter().enumerate() {
                if at == 0 {
                    out.text("th", &[("scope", &"row")], cell);
                } else {
                    out.text("td", &[("class", &"hr-num")], cell);
                }
            }
            out.close("tr");
        }
        out.close("tbody");
        out.finish()
    }
}
