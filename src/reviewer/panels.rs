//! The parts of the Review view, as functions that write HTML.

use super::desk::{CHOOSE, PASTED};
use crate::markup::{Html, Icon, Rich};
use crate::review::document::Document;
use crate::review::html::{self, Hands};

/// What the view is written from.
pub struct Shown<'a> {
    /// The pack or the comparison; none where there is nothing to show yet.
    pub document: Option<&'a Document>,
    /// Whether inputs are wrong, so that the last answer stands.
    pub is_stale: bool,
    /// What it is compared with; empty for the pack.
    pub with: &'a str,
    /// What is wrong with the other side.
    pub wrong: &'a [String],
}

/// The whole view.
pub fn desk(out: &mut Html, shown: &Shown<'_>) {
    out.begin("<div class=\"hr-review__bar\" id=\"{}\">", "s-review-bar");
    bar(out, shown);
    out.end("</div>");
    out.begin("<div id=\"{}\">", "s-review-stale");
    if shown.is_stale {
        out.put(
            "<p class=\"hr-banner\" role=\"status\">{} Inputs need attention. This is the last answer; copy and download are off until they are corrected.</p>",
            &[&Icon("caution", "hr-caution")],
        );
    }
    out.end("</div>");
    // Written once: what is typed there stays.
    out.begin("<div id=\"{}\">", "s-review-ask");
    if !shown.with.is_empty() {
        ask(out);
    }
    out.end("</div>");
    out.raw(
        "<div id=\"review-progress\" hidden><span class=\"hr-sub\"></span>\
         <button class=\"hr-btn\" type=\"button\" id=\"review-play\" data-do=\"review-play\">Stop</button></div>",
    );
    out.begin("<div id=\"{}\">", "s-review-wrong");
    wrong(out, shown);
    out.end("</div>");
    out.begin("<article class=\"hr-doc\" id=\"{}\">", "s-review-doc");
    if let Some(document) = shown.document {
        html::write(out, document, if shown.with.is_empty() { Hands::On } else { Hands::Off });
    }
    out.end("</article>");
}

fn bar(out: &mut Html, shown: &Shown<'_>) {
    let off = if shown.is_stale || shown.document.is_none() { "true" } else { "false" };
    let compares = !shown.with.is_empty();
    let pressed = |is: bool| if is { "true" } else { "false" };
    out.put(
        "<div class=\"hr-seg\" role=\"group\" aria-label=\"What is shown\">\
         <button type=\"button\" id=\"review-pack\" data-do=\"review-with\" aria-pressed=\"{}\">Design review</button>\
         <button type=\"button\" id=\"review-compare\" data-do=\"review-with choose\" aria-pressed=\"{}\">Compare</button></div>",
        &[&pressed(!compares), &pressed(compares)],
    );
    out.put(
        "<div class=\"hr-actions\"><button class=\"hr-btn hr-btn--main\" type=\"button\" id=\"review-print\" data-do=\"review-print\" aria-disabled=\"{}\">Print or save as PDF</button>\
         <button class=\"hr-btn\" type=\"button\" id=\"review-copy\" data-do=\"review copy\" aria-disabled=\"{}\">{}<span id=\"review-copied\">Copy Markdown</span></button>\
         <button class=\"hr-btn\" type=\"button\" id=\"review-save\" data-do=\"review save\" aria-disabled=\"{}\">Download Markdown</button></div>",
        &[&off, &off, &Icon("copy", ""), &off],
    );
}

fn ask(out: &mut Html) {
    out.raw(
        "<div class=\"hr-review__ask\"><form id=\"review-link-form\"><label for=\"review-link\">Another link of Headroom</label>\
         <div class=\"hr-actions\"><input id=\"review-link\" autocomplete=\"off\" spellcheck=\"false\" placeholder=\"#v=1&amp;rps=…\">\
         <button class=\"hr-btn\" type=\"submit\" id=\"review-link-go\">Compare with it</button></div></form>\
         <div><label for=\"review-pasted\">Or a configuration, against what is recommended here</label>\
         <textarea class=\"hr-paste\" id=\"review-pasted\" spellcheck=\"false\" rows=\"4\" placeholder=\"Envoy, Istio, Envoy Gateway …\"></textarea>\
         <div class=\"hr-actions\"><button class=\"hr-btn\" type=\"button\" id=\"review-file\" data-do=\"review-file\">Choose a file</button>\
         <button class=\"hr-btn\" type=\"button\" id=\"review-audited\" data-do=\"review-audited\">Take the text of the Audit view</button></div></div></div>",
    );
}

fn wrong(out: &mut Html, shown: &Shown<'_>) {
    if !shown.wrong.is_empty() {
        out.put("<div class=\"hr-banner\" role=\"alert\">{}<ul>", &[&Icon("danger", "hr-danger")]);
        shown.wrong.iter().for_each(|message| out.put("<li>{}</li>", &[&Rich(message)]));
        out.raw("</ul></div>");
    } else if shown.with == CHOOSE || (shown.with == PASTED && shown.document.is_none()) {
        out.raw(
            "<p class=\"hr-sub\">Paste a link or a configuration: what differs, what that does to refusals, to the hosts and \
             to recovery, and the lines that differ. Nothing leaves this page.</p>",
        );
    }
}
