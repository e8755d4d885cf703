//! The form: groups of inputs, what they amount to, and what is wrong with them.

use super::Model;
use super::attention::attention;
use super::derived_lines::derived_lines;
use crate::engine::params::{Group, Kind, PARAMS, Param};
use crate::engine::scenario::PRESETS;
use crate::engine::units::display;
use crate::markup::{Html, Icon};
use crate::ui::components::Field;
use crate::ui::state::{LATENCY, STREAM, Sheet};

/// The groups that are always open, with their headings and the place of what they amount to: that changes with
/// every keystroke, the form hardly ever, so it is written apart ([`derived_lines`]).
const GROUPS: [(Group, &str, &str); 4] = [
    (Group::Traffic, "Traffic, whole fleet", "s-traffic"),
    (Group::Clients, "Client proxies", "s-clients"),
    (Group::Upstream, "Upstream", "s-upstream"),
    (Group::Margins, "Margins", "s-margins"),
];

/// What unfolds the presets.
pub const EXAMPLES_ID: &str = "examples";

/// The whole form, but for the texts in it and what they amount to.
pub fn form(out: &mut Html, m: &Model<'_>, sheet: &Sheet) {
    head(out, m);
    out.begin("<div id=\"{}\">", "s-attention");
    attention(out, m);
    out.end("</div>");
    for (group, title, derived) in GROUPS {
        out.put("<fieldset class=\"hr-group\"><legend>{}</legend>", &[&title]);
        for p in rows(group) {
            offered(out, m, sheet, p);
        }
        if group == Group::Traffic {
            out.begin("<div id=\"{}\">", "s-add");
            if sheet.folded().is_some() {
                out.raw(
                    "<button class=\"hr-btn hr-btn--quiet hr-add\" type=\"button\" data-do=\"add\">\
                     Add a percentile or the mean</button>",
                );
            }
            out.end("</div>");
        }
        out.put("<div id=\"{}\"></div></fieldset>", &[&derived]);
    }
    out.raw("<details class=\"hr-group\"><summary>");
    out.slot("<span id=\"{}\">", "s-more", &more(m, sheet), "</span>");
    out.put("{}</summary>", &[&Icon("chevron", "")]);
    for p in rows(Group::More) {
        input(out, m, p);
    }
    out.raw("</details>");
}

/// What its groups amount to, in their places.
pub fn derived(out: &mut Html, m: &Model<'_>) {
    for (group, _, place) in GROUPS {
        out.begin("<div id=\"{}\">", place);
        derived_lines(out, m, group);
        out.end("</div>");
    }
}

/// The places of what the groups amount to, with nothing in them.
pub fn underived() -> Html {
    let mut out = Html::default();
    for (_, _, place) in GROUPS {
        out.slot("<div id=\"{}\">", place, &"", "</div>");
    }
    out
}

/// Title with the presets behind a button, and the way back to the start.
fn head(out: &mut Html, m: &Model<'_>) {
    let is_open = m.is_open(EXAMPLES_ID);
    out.raw("<div class=\"hr-head--row\"><h2>Scenario</h2>");
    out.begin("<div class=\"hr-formtools\" id=\"{}\">", "s-formtools");
    out.raw(
        "<button class=\"hr-btn hr-btn--quiet\" type=\"button\" id=\"open-examples\" data-do=\"unfold examples\"",
    );
    out.raw(if is_open {
        " aria-expanded=\"true\" aria-controls=\"examples\""
    } else {
        " aria-expanded=\"false\""
    });
    out.put(
        ">Examples{}</button>\
         <button class=\"hr-btn hr-btn--quiet\" type=\"button\" id=\"saved\" aria-haspopup=\"dialog\">Saved</button>\
         <button class=\"hr-btn hr-btn--quiet\" type=\"button\" id=\"start-over\" data-do=\"start-over\">Start over</button>",
        &[&Icon("chevron", "")],
    );
    out.end("</div></div>");
    out.begin("<div id=\"{}\">", "s-examples");
    if is_open {
        out.raw("<ul class=\"hr-examples\" id=\"examples\">");
        for (at, preset) in (0u32..).zip(PRESETS) {
            out.put(
                "<li><button class=\"hr-example\" type=\"button\" data-do=\"example {}\"><b>{}</b><small>{}</small></button></li>",
                &[&at, &preset.title, &preset.serves],
            );
        }
        out.raw("</ul>");
    }
    out.end("</div>");
}

fn rows(group: Group) -> impl Iterator<Item = &'static Param> {
    PARAMS.iter().filter(move |p| p.group == group)
}

/// An input, while the form offers it or something is wrong with it.
fn offered(out: &mut Html, m: &Model<'_>, sheet: &Sheet, p: &'static Param) {
    if !LATENCY.contains(&p.id) && !STREAM.contains(&p.id) {
        return input(out, m, p);
    }
    // A place of its own: no input is made anew because another one comes or goes.
    out.begin("<div id=\"s-in-{}\">", p.key);
    if sheet.offers(p.id) || !m.message(p.key).is_empty() {
        input(out, m, p);
    }
    out.end("</div>");
}

fn input(out: &mut Html, m: &Model<'_>, p: &'static Param) {
    let message = m.message(p.key);
    let unit = if matches!(p.kind, Kind::Choice(_)) { "" } else { p.unit_label };
    let help_is_open = m.shows_note(p.key);
    let field = Field { id: p.key, label: p.label, unit, help: p.help, help_is_open, message: &message };
    match p.kind {
        Kind::Flag => field.check(out),
        Kind::Choice(words) => field.menu(out, words),
        Kind::Whole(_) => field.text(out, "numeric"),
        Kind::Text { .. } => field.text(out, "text"),
        Kind::Number(_) => field.text(out, "decimal"),
    }
}

fn more(m: &Model<'_>, sheet: &Sheet) -> String {
    let wrong = rows(Group::More).filter(|p| !m.message(p.key).is_empty()).count();
    let text = match rows(Group::More).filter(|p| sheet.text(p.id).is_empty()).count() {
        0 => "More inputs".to_owned(),
        1 => "More inputs: one at its default".to_owned(),
        n => format!("More inputs: {n} at their defaults"),
    };
    match wrong {
        0 => text,
        n => format!("{text}, {} wrong", display::words(u32::try_from(n).unwrap_or(u32::MAX))),
    }
}
