//! Status, sentence, reason, ways out.

use super::Model;
use crate::engine::analysis::WayOut;
use crate::engine::rules::RULES;
use crate::engine::sentence::{Piece, Status};
use crate::markup::{Html, Icon, Rich};
use crate::ui::words::{count_findings, summarize_findings};

/// What to read aloud, and what it rests on.
pub fn hero(out: &mut Html, m: &Model<'_>) {
    let headline = &m.answer().headline;
    out.raw("<div class=\"hr-hero\">");
    out.begin("<div id=\"{}\">", "s-status");
    status_line(out, m);
    out.end("</div>");
    out.begin("<p class=\"hr-say\" tabindex=\"-1\" id=\"{}\">", "s-say");
    pieces(out, &headline.sentence, "<strong>{}</strong>");
    out.end("</p>");
    out.begin("<p class=\"hr-reason\" id=\"{}\">", "s-reason");
    pieces(out, &headline.reason, "<b>{}</b>");
    out.end("</p>");
    out.begin("<div id=\"{}\">", "s-ways");
    ways_out(out, m);
    out.end("</div></div>");
}

/// The word for the state of things, and how many findings there are.
fn status_line(out: &mut Html, m: &Model<'_>) {
    let a = m.answer();
    let (icon, tone) = look_of(a.headline.status);
    out.put("<p class=\"hr-status {}\">{}{} ", &[&tone, &Icon(icon, ""), &a.headline.status_text]);
    let counts = count_findings(&a.findings);
    if counts.is_empty() {
        out.put("<span>{}</span></p>", &[&summarize_findings(a, RULES.len())]);
    } else {
        out.put("<a href=\"#h-find\" id=\"to-findings\" data-do=\"go h-find\">{}</a></p>", &[&counts]);
    }
}

/// Buttons that change one input each, where the window is tight or shut.
fn ways_out(out: &mut Html, m: &Model<'_>) {
    let ways = &m.answer().ways_out;
    if ways.is_empty() {
        return;
    }
    out.raw("<div class=\"hr-actions\" role=\"group\" aria-label=\"Ways to make room\">");
    for (at, WayOut { label, set, effect }) in (0u32..).zip(ways) {
        if set.is_some() {
            out.put("<button class=\"hr-btn\" type=\"button\" id=\"way-{}\" data-do=\"way {}\"", &[&at, &at]);
            out.raw(m.waits());
            out.put(">{}<span class=\"hr-vh\">: {}</span></button>", &[label, effect]);
        } else {
            // Not a change of an input: something to do elsewhere.
            out.put(
                "<span class=\"hr-sub\">or {}<span class=\"hr-vh\">: {}</span></span>",
                &[&Rich(label), effect],
            );
        }
    }
    out.raw("</div>");
}

/// Pieces of text; what is strong is set as `strong` says.
fn pieces(out: &mut Html, pieces: &[Piece], strong: &'static str) {
    for piece in pieces {
        if piece.strong {
            out.put(strong, &[&piece.text]);
        } else {
            out.put("{}", &[&Rich(&piece.text)]);
        }
    }
}

/// The icon and the class of a status.
pub fn look_of(status: Status) -> (&'static str, &'static str) {
    match status {
        Status::Ok => ("ok", "hr-ok"),
        Status::Caution => ("caution", "hr-caution"),
        Status::Danger => ("danger", "hr-danger"),
    }
}
