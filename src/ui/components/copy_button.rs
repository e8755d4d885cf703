//! A button that copies, and says how that went.

use super::OFF;
use crate::markup::{Html, Icon};

/// What was copied last, and whether that worked; the button says so for two seconds.
pub type Copied = Option<(&'static str, bool)>;

/// A button that copies.
#[derive(Clone, Copy, Debug)]
pub struct CopyButton {
    /// Its id, and what it copies.
    pub id: &'static str,
    /// What it says.
    pub label: &'static str,
    /// Icon in the sprite.
    pub icon: &'static str,
    /// Whether it is the main button of the screen.
    pub is_main: bool,
}

impl CopyButton {
    /// Writes the button. All that it may say lies in one cell, so its width stays.
    pub fn write(&self, out: &mut Html, copied: Copied, is_off: bool) {
        let worked = copied.filter(|(id, _)| *id == self.id).map(|(_, worked)| worked);
        out.raw("<button class=\"hr-btn");
        if worked == Some(false) {
            out.raw(" hr-btn--failed");
        }
        if self.is_main && !is_off {
            out.raw(" hr-btn--main");
        }
        out.put("\" type=\"button\" id=\"{}\" data-do=\"copy {}\"", &[&self.id, &self.id]);
        if is_off {
            out.raw(OFF);
        }
        let icon = if worked == Some(true) { "ok" } else { self.icon };
        out.put(">{}<span class=\"hr-swap\">", &[&Icon(icon, "")]);
        let mut word = |class: &str, word: &str, is_said: bool| {
            let tag = match (is_said, class.is_empty()) {
                (true, true) => "<span{}>{}</span>",
                (true, false) => "<span class=\"{}\">{}</span>",
                (false, _) => "<span class=\"{} hr-swap__off\" aria-hidden=\"true\">{}</span>",
            };
            out.put(tag, &[&class, &word]);
        };
        word("", self.label, worked.is_none());
        word("", "Copied", worked == Some(true));
        word("hr-swap__over", "Press Ctrl+C", worked == Some(false));
        out.raw("</span></button>");
    }
}
