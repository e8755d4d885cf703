//! The two policies: where they come from, the pasted text, the settings of the custom one.

use super::form::message;
use crate::engine::sim::HandedOver as Pasted;
use crate::engine::sim::Policy;
use crate::engine::sim::compare::PolicyName;
use crate::engine::sim::custom::{KNOBS, Kind, Knob, texts};
use crate::markup::{Html, Rich};
use crate::simulator::desk::Desk;
use crate::simulator::texts::{POLICIES, SETTING};

/// The menus, and what their choices ask for.
pub fn policies(out: &mut Html, desk: &Desk) {
    for (id, label) in [("a", "A, solid"), ("b", "B, dashed")] {
        out.put(
            "<div class=\"hr-field hr-field--wide\"><div class=\"hr-field__label\"><label for=\"sim-{}\">{}</label></div>\
             <select class=\"hr-input hr-input--text\" id=\"sim-{}\" name=\"{}\">",
            &[&id, &label, &id, &id],
        );
        for name in POLICIES {
            out.put("<option value=\"{}\">{}</option>", &[&name.as_str(), &menu(name)]);
        }
        out.raw("</select></div>");
    }
    out.begin("<div id=\"{}\">", "s-sim-pasted");
    if desk.texts.plays(PolicyName::Pasted) {
        pasted(out, desk);
    }
    out.end("</div>");
    out.begin("<div id=\"{}\">", "s-sim-custom");
    if desk.texts.plays(PolicyName::Custom) {
        custom(out, desk);
    }
    out.end("</div>");
}

fn menu(name: PolicyName) -> &'static str {
    match name {
        PolicyName::Recommended => "Recommended",
        PolicyName::EnvoyDefaults => "Envoy's default",
        PolicyName::Pasted => "Pasted",
        PolicyName::Custom => "Custom",
    }
}

fn pasted(out: &mut Html, desk: &Desk) {
    out.raw(
        "<div class=\"hr-sim-paste\"><label for=\"sim-pasted\">Pasted configuration</label>\
         <textarea class=\"hr-input hr-paste\" id=\"sim-pasted\" spellcheck=\"false\" autocomplete=\"off\" rows=\"6\" \
         placeholder=\"Envoy, Istio or Gateway API, YAML or JSON\" aria-describedby=\"s-sim-n-pasted s-sim-read\"></textarea>",
    );
    message(out, desk, "pasted");
    out.begin("<p class=\"hr-sub\" id=\"{}\">", "s-sim-read");
    if let Pasted::Read(reading) = &desk.pasted {
        let cluster = if reading.cluster.is_empty() { "a cluster without a name" } else { &reading.cluster };
        let route = match &reading.route {
            Some(route) => format!("route {route}"),
            None => "no route leads there: Envoy's default policy holds".to_owned(),
        };
        out.put("Played: {}, {}. ", &[&cluster, &route]);
    }
    out.text("The text stays on this page and is not part of the link.");
    out.end("</p>");
    out.raw(
        "<div class=\"hr-actions\"><button class=\"hr-btn\" type=\"button\" id=\"sim-file\" data-do=\"sim-file\">Open a file</button>\
         <button class=\"hr-btn\" type=\"button\" id=\"sim-audited\" data-do=\"sim-audited\">Text of the Audit view</button></div></div>",
    );
}

/// The settings that can be changed. What is recommended stands in place of what is not typed.
fn custom(out: &mut Html, desk: &Desk) {
    let Some(analysis) = &desk.analysis else { return };
    out.raw(
        "<p class=\"hr-sub\">The recommended policy with these changes. Empty: as recommended.</p><div class=\"hr-sim-fields\">",
    );
    let recommended = texts(&Policy::recommended(analysis));
    for (knob, (_, text)) in KNOBS.iter().zip(&recommended) {
        setting(out, desk, knob, text);
    }
    out.raw("</div>");
}

fn setting(out: &mut Html, desk: &Desk, knob: &Knob, recommended: &str) {
    let id = format!("{SETTING}{}", knob.key);
    let class = if is_wide(knob.kind) { "hr-field hr-field--wide" } else { "hr-field" };
    out.put(
        "<div class=\"{}\"><div class=\"hr-field__label\"><label for=\"sim-{}\" title=\"{}\">{}</label></div>",
        &[&class, &id, &knob.help, &Rich(knob.label)],
    );
    let words: &[&str] = match knob.kind {
        Kind::Switch => &["on", "off"],
        Kind::Choice(words) => words,
        _ => &[],
    };
    if words.is_empty() {
        let shown = if recommended.is_empty() { "none" } else { recommended };
        let align = if is_wide(knob.kind) { "hr-input hr-input--text" } else { "hr-input" };
        out.put(
            "<input class=\"{}\" id=\"sim-{}\" name=\"{}\" autocomplete=\"off\" spellcheck=\"false\" placeholder=\"{}\" \
             aria-describedby=\"s-sim-n-{}\">",
            &[&align, &id, &id, &shown, &id],
        );
    } else {
        out.put(
            "<select class=\"hr-input hr-input--text\" id=\"sim-{}\" name=\"{}\" aria-describedby=\"s-sim-n-{}\">",
            &[&id, &id, &id],
        );
        let shown = if recommended.is_empty() { "does not apply" } else { recommended };
        out.put("<option value=\"\">{}, as recommended</option>", &[&shown]);
        for word in words {
            out.put("<option value=\"{}\">{}</option>", &[word, word]);
        }
        out.raw("</select>");
    }
    if !is_wide(knob.kind) {
        out.put("<span class=\"hr-field__unit\">{}</span>", &[&knob.unit_label]);
    }
    message(out, desk, &id);
    out.raw("</div>");
}

/// Words need more room than numbers.
fn is_wide(kind: Kind) -> bool {
    matches!(kind, Kind::Switch | Kind::Choice(_) | Kind::Words(_) | Kind::Codes)
}
