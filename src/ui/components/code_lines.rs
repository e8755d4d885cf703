//! Lines of code with colors, of which only those that differ are touched.
//!
//! A document of a hundred lines changes in three of them on a keystroke. Comparing texts and
//! exchanging three elements by hand takes a tenth of the time of building the view anew.

use crate::ui::browser::{element, text_node};
use leptos::prelude::*;

/// A piece of a line: its class, empty for plain text, and its text.
pub type Piece = (&'static str, String);

/// A line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeLine {
    /// The line without its end.
    pub text: String,
    /// Whether it is marked as changed.
    pub marked: bool,
}

/// Brings the element with that id from the lines shown in it to `lines`; `cut` cuts a line into
/// pieces.
pub fn patch_lines(id: &str, shown: &[CodeLine], lines: &[CodeLine], cut: fn(&str) -> Vec<Piece>) {
    let Some(code) = document().get_element_by_id(id) else { return };
    let children = code.children();
    for (at, line) in lines.iter().enumerate() {
        let here = u32::try_from(at).ok().and_then(|at| children.item(at));
        match here {
            Some(_) if shown.get(at) == Some(line) => {}
            Some(old) => _ = old.replace_with_with_node_1(&line_element(line, cut)),
            None => _ = code.append_child(&line_element(line, cut)),
        }
    }
    let end = u32::try_from(lines.len()).unwrap_or(u32::MAX);
    while let Some(rest) = children.item(end) {
        rest.remove();
    }
}

fn line_element(line: &CodeLine, cut: fn(&str) -> Vec<Piece>) -> web_sys::Element {
    let element_of_line = element("span", if line.marked { "hr-line hr-line--changed" } else { "hr-line" });
    for (class, text) in cut(&line.text) {
        if class.is_empty() {
            _ = element_of_line.append_child(&text_node(&text));
        } else {
            let span = element("span", class);
            span.set_text_content(Some(&text));
            _ = element_of_line.append_child(&span);
        }
    }
    _ = element_of_line.append_child(&text_node("\n"));
    element_of_line
}
