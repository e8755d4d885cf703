//! What the charts that need no drawing have in common: labels and lines as SVG, data as a table.
//!
//! The page sets a chart as one piece. It has some two hundred elements; made one by one they
//! would cost more time on a keystroke than everything that is computed.

use super::Table;
use super::scale::At;
use super::text::Label;
use crate::markup::{Html, Piece};

/// CSS px, to a tenth.
pub(super) struct Px(pub f64);

impl Piece for Px {
    fn write(&self, out: &mut Html) {
        out.tenths(super::svg::units(self.0));
    }
}

impl Html {
    /// A label at its own baseline.
    pub(super) fn label(&mut self, label: &Label) {
        if label.is_blank() {
            return self.raw("<text> </text>");
        }
        self.place(label);
        self.put(" y=\"{}\"", &[&Px(label.y)]);
        self.words(label);
    }

    /// Words in the middle of a row of the plot.
    pub(super) fn row_label(&mut self, label: &Label) {
        self.place(label);
        self.raw(" y=\"50%\" dy=\"4\"");
        self.words(label);
    }

    fn place(&mut self, label: &Label) {
        self.put("<text x=\"{}\"", &[&label.at]);
        if label.dx != 0.0 {
            self.put(" dx=\"{}\"", &[&Px(label.dx)]);
        }
    }

    fn words(&mut self, label: &Label) {
        self.put_some(" class=\"{}\"", &label.class());
        self.put(">{}</text>", &[&label.text]);
    }

    /// A vertical line through a whole row.
    pub(super) fn vertical(&mut self, class: &str, at: At) {
        self.put("<line class=\"{}\" x1=\"{}\" x2=\"{}\" y1=\"0\" y2=\"100%\"/>", &[&class, &at, &at]);
    }

    /// The grid behind a row, as one path: a chart has dozens of these lines, and each element costs.
    /// The style sheet keeps their width while the picture within is stretched.
    pub(super) fn grid(&mut self, at: &[At]) {
        self.raw("<svg");
        self.verticals("hr-grid", at);
    }

    /// The ticks of an axis, from one height down to another, as one path too.
    pub(super) fn ticks(&mut self, at: &[At], top: f64, bottom: f64) {
        self.put("<svg y=\"{}\" height=\"{}\" overflow=\"visible\"", &[&Px(top), &Px(bottom - top)]);
        self.verticals("hr-axis", at);
    }

    fn verticals(&mut self, class: &str, at: &[At]) {
        self.put(" viewBox=\"0 0 100 1\" preserveAspectRatio=\"none\"><path class=\"{}\" d=\"", &[&class]);
        for at in at {
            self.put("M{} 0V1", &[&Px(at.percent())]);
        }
        self.raw("\"/></svg>");
    }

    /// A horizontal line in the middle of a row.
    pub(super) fn horizontal(&mut self, class: &str, from: At, to: At) {
        self.put("<line class=\"{}\" x1=\"{}\" x2=\"{}\" y1=\"50%\" y2=\"50%\"/>", &[&class, &from, &to]);
    }

    /// A dot in the middle of a row.
    pub(super) fn dot(&mut self, class: &str, at: At, radius: u32) {
        self.put("<circle class=\"{}\" cx=\"{}\" cy=\"50%\" r=\"{}\"/>", &[&class, &at, &radius]);
    }

    /// The axis under the rows of a plot: what it counts, and its labels.
    pub(super) fn row_axis(&mut self, note: &str, labels: &[Label]) {
        self.put(
            "<li class=\"hr-rows__axis\" aria-hidden=\"true\"><small>{}</small><svg class=\"hr-svg\">",
            &[&note],
        );
        for label in labels {
            self.label(label);
        }
        self.raw("</svg></li>");
    }
}

impl Table {
    /// Writes the content of a table element.
    pub fn write(&self, out: &mut Html) {
        out.raw("<thead><tr>");
        for (at, name) in self.head.iter().enumerate() {
            let tag = if at == 0 {
                "<th scope=\"col\">{}</th>"
            } else {
                "<th class=\"hr-num\" scope=\"col\">{}</th>"
            };
            out.put(tag, &[name]);
        }
        out.raw("</tr></thead><tbody>");
        for row in &self.rows {
            out.raw("<tr>");
            for (at, cell) in row.iter().enumerate() {
                let tag = if at == 0 { "<th scope=\"row\">{}</th>" } else { "<td class=\"hr-num\">{}</td>" };
                out.put(tag, &[cell]);
            }
            out.raw("</tr>");
        }
        out.raw("</tbody>");
    }
}
