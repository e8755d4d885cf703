//! A row of a form: label, help, input, unit, message.

use crate::markup::{Html, Icon};

/// An input with everything around it. What it says and whether that can be used is not written:
/// the input keeps its text and its cursor, whatever is exchanged around it.
#[derive(Clone, Copy, Debug)]
pub struct Field<'a> {
    /// Id and name.
    pub id: &'static str,
    /// Label.
    pub label: &'static str,
    /// Unit beside the input; empty for a wide input.
    pub unit: &'static str,
    /// What the input means.
    pub help: &'static str,
    /// Whether the help is open.
    pub help_is_open: bool,
    /// What is wrong with the input; empty if nothing is.
    pub message: &'a str,
}

impl Field<'_> {
    /// A one-line input of text; `keys` says which keys a phone offers: `decimal`, `numeric` or `text`.
    pub fn text(&self, out: &mut Html, keys: &'static str) {
        self.begin(out);
        let class = if keys == "text" { "hr-input hr-input--text" } else { "hr-input" };
        out.put(
            "<input class=\"{}\" id=\"{}\" name=\"{}\" inputmode=\"{}\" autocomplete=\"off\" spellcheck=\"false\">",
            &[&class, &self.id, &self.id, &keys],
        );
        self.end(out);
    }

    /// A menu of words.
    pub fn menu(&self, out: &mut Html, words: &[&str]) {
        self.begin(out);
        out.put("<select class=\"hr-input hr-input--text\" id=\"{}\" name=\"{}\">", &[&self.id, &self.id]);
        for word in words {
            out.put("<option value=\"{}\">{}</option>", &[word, word]);
        }
        out.raw("</select>");
        self.end(out);
    }

    /// A box to check.
    pub fn check(&self, out: &mut Html) {
        out.put(
            "<div class=\"hr-flag\"><label class=\"hr-pick\"><input type=\"checkbox\" id=\"{}\" name=\"{}\">{}</label>",
            &[&self.id, &self.id, &self.label],
        );
        self.help_button(out);
        self.end(out);
    }

    fn begin(&self, out: &mut Html) {
        let class = if self.unit.is_empty() { "hr-field hr-field--wide" } else { "hr-field" };
        out.put(
            "<div class=\"{}\"><div class=\"hr-field__label\"><label for=\"{}\">{}</label>",
            &[&class, &self.id, &self.label],
        );
        self.help_button(out);
        out.raw("</div>");
    }

    fn help_button(&self, out: &mut Html) {
        out.begin("<span id=\"s-help-{}\">", self.id);
        out.put(
            "<button class=\"hr-help\" type=\"button\" id=\"help-{}\" data-do=\"unfold {}-note\" aria-label=\"About {}\"",
            &[&self.id, &self.id, &self.label],
        );
        if self.help_is_open {
            out.put(" aria-expanded=\"true\" aria-controls=\"{}-note\"", &[&self.id]);
        } else {
            out.raw(" aria-expanded=\"false\"");
        }
        out.put(">{}</button>", &[&Icon("help", "")]);
        out.end("</span>");
    }

    /// Unit, help and message below the input.
    fn end(&self, out: &mut Html) {
        out.put_some("<span class=\"hr-field__unit\">{}</span>", self.unit);
        out.begin("<div id=\"s-notes-{}\">", self.id);
        if self.help_is_open {
            out.put("<p class=\"hr-field__note\" id=\"{}-note\">{}</p>", &[&self.id, &self.help]);
        }
        if !self.message.is_empty() {
            out.put(
                "<p class=\"hr-field__error\" id=\"{}-error\">{}<span>{}</span></p>",
                &[&self.id, &Icon("danger", ""), &self.message],
            );
        }
        out.end("</div></div>");
    }
}

/// What follows an input's id in that of its help.
pub const NOTE: &str = "-note";

/// The id of an input's help.
pub fn note_id(id: &str) -> String {
    id.to_owned() + NOTE
}

/// The id of an input's message.
pub fn error_id(id: &str) -> String {
    id.to_owned() + "-error"
}
