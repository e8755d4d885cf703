//! The form: fault, policies, run.

use super::policies;
use crate::engine::mapping::inputs;
use crate::engine::sim::FAULTS;
use crate::engine::sim::custom::KNOBS;
use crate::markup::{Html, Icon};
use crate::simulator::desk::Desk;
use crate::simulator::fields::{self, Field};
use crate::simulator::texts::{ARRIVALS, SETTING};

/// Slots of the form that hold inputs.
pub const HOLDS_INPUTS: [&str; 4] = ["s-sim-fault", "s-sim-pasted", "s-sim-custom", "s-sim-run"];

/// The whole form.
pub fn form(out: &mut Html, desk: &Desk) {
    out.raw("<div class=\"hr-head--row\"><h2>Experiment</h2>");
    out.begin("<div id=\"{}\">", "s-sim-go");
    if desk.job.is_some() {
        button(out, "stop", "Stop", "stop");
    } else {
        button(out, "run", if desk.live.is_some() { "Run again" } else { "Run" }, "play");
    }
    out.end("</div></div>");
    out.begin("<div id=\"{}\">", "s-sim-attention");
    attention(out, desk);
    out.end("</div>");
    out.begin("<p class=\"hr-sub hr-sim-line\" id=\"{}\">", "s-sim-line");
    if let Some(analysis) = &desk.analysis {
        out.put(
            "{}. <a href=\"./\" data-view-of=\"size\">Change</a>",
            &[&inputs(&analysis.scenario).join(", ")],
        );
    }
    out.end("</p>");
    out.raw("<fieldset class=\"hr-group\"><legend>Fault</legend><div class=\"hr-sim-picks\">");
    for spec in &FAULTS {
        out.put(
            "<label class=\"hr-pick\"><input type=\"radio\" name=\"fault\" id=\"sim-fault-{}\" value=\"{}\">{}</label>",
            &[&spec.word, &spec.word, &spec.title],
        );
    }
    out.raw("</div></fieldset>");
    out.begin("<fieldset class=\"hr-group\" id=\"{}\">", "s-sim-fault");
    fault(out, desk);
    out.end("</fieldset><fieldset class=\"hr-group\"><legend>Policies</legend>");
    policies::policies(out, desk);
    out.raw("</fieldset><fieldset class=\"hr-group\"><legend>Run</legend>");
    out.begin("<div class=\"hr-sim-fields\" id=\"{}\">", "s-sim-run");
    run(out, desk);
    out.end("</div></fieldset>");
}

fn button(out: &mut Html, what: &'static str, label: &'static str, icon: &'static str) {
    out.put(
        "<button class=\"hr-btn hr-btn--main hr-sim-go\" type=\"button\" id=\"sim-go\" data-do=\"sim {}\">{}{}</button>",
        &[&what, &Icon(icon, ""), &label],
    );
}

/// How many inputs need attention, and which.
fn attention(out: &mut Html, desk: &Desk) {
    if desk.wrongs.is_empty() {
        return;
    }
    let n = desk.wrongs.len();
    let (noun, need) = if n == 1 { ("input", "needs") } else { ("inputs", "need") };
    let n = crate::engine::units::display::count(n as f64);
    out.put(
        "<div class=\"hr-banner\" role=\"alert\">{}<div><p><b>{} {} {} attention</b></p><ul>",
        &[&Icon("danger", ""), &n, &noun, &need],
    );
    for wrong in &desk.wrongs {
        if wrong.key == crate::simulator::setup::SCENARIO {
            out.put("<li>{} <a href=\"./\" data-view-of=\"size\">Size</a></li>", &[&wrong.message]);
        } else {
            out.put(
                "<li><a href=\"#sim-{}\" data-do=\"sim-go {}\">{}</a></li>",
                &[&wrong.key, &wrong.key, &wrong.label],
            );
        }
    }
    out.raw("</ul></div></div>");
}

fn fault(out: &mut Html, desk: &Desk) {
    let spec = desk.texts.kind().spec();
    out.put("<legend>{}</legend><p class=\"hr-sub\">{}</p>", &[&spec.title, &spec.help]);
    let Some(analysis) = &desk.analysis else { return };
    for field in fields::of_fault(spec.kind, &analysis.scenario, length(desk)) {
        number(out, desk, &field);
    }
}

/// Length of the run, as far as it can be read.
fn length(desk: &Desk) -> f64 {
    let field = fields::length();
    field.read(&desk.texts).unwrap_or(field.default)
}

fn run(out: &mut Html, desk: &Desk) {
    for field in fields::of_run(desk.texts.get("arrivals") == "closed") {
        number(out, desk, &field);
        if field.key == "seed" {
            out.raw(
                "<div class=\"hr-field hr-field--wide\"><div class=\"hr-field__label\"><label for=\"sim-arrivals\">Arrivals</label></div>\
                 <select class=\"hr-input hr-input--text\" id=\"sim-arrivals\" name=\"arrivals\">",
            );
            for (word, label) in ARRIVALS {
                out.put("<option value=\"{}\">{}</option>", &[&word, &label]);
            }
            out.raw("</select></div>");
        }
    }
}

/// A number with label, unit and message. Its text is the page's; empty is the default, shown in its place.
fn number(out: &mut Html, desk: &Desk, field: &Field) {
    out.put(
        "<div class=\"hr-field\"><div class=\"hr-field__label\"><label for=\"sim-{}\">{}</label></div>\
         <input class=\"hr-input\" id=\"sim-{}\" name=\"{}\" inputmode=\"decimal\" autocomplete=\"off\" spellcheck=\"false\" \
         placeholder=\"{}\" aria-describedby=\"s-sim-n-{}\"><span class=\"hr-field__unit\">{}</span>",
        &[
            &field.key,
            &field.label,
            &field.key,
            &field.key,
            &crate::engine::units::display::number(field.default),
            &field.key,
            &field.unit,
        ],
    );
    message(out, desk, field.key);
    out.raw("</div>");
}

/// The place of an input's message.
pub fn message(out: &mut Html, desk: &Desk, key: &str) {
    out.begin("<div class=\"hr-sim-message\" id=\"{}\">", &format!("s-sim-n-{key}"));
    for wrong in desk.wrongs.iter().filter(|wrong| wrong.key == key) {
        out.put("<p class=\"hr-field__error\">{}<span>{}</span></p>", &[&Icon("danger", ""), &wrong.message]);
    }
    out.end("</div>");
}

/// The texts of all inputs that the form has now, by id.
pub fn values(desk: &Desk) -> Vec<(String, String)> {
    let kind = desk.texts.kind();
    let mut values: Vec<(String, String)> = FAULTS
        .iter()
        .map(|spec| (format!("sim-fault-{}", spec.word), (spec.kind == kind).to_string()))
        .collect();
    let [a, b] = desk.texts.policies();
    values.push(("sim-a".to_owned(), a.as_str().to_owned()));
    values.push(("sim-b".to_owned(), b.as_str().to_owned()));
    let arrivals = desk.texts.get("arrivals");
    let arrivals = if arrivals.is_empty() { ARRIVALS[0].0 } else { arrivals };
    values.push(("sim-arrivals".to_owned(), arrivals.to_owned()));
    let mut add = |key: &str| values.push((format!("sim-{key}"), desk.texts.get(key).to_owned()));
    if let Some(analysis) = &desk.analysis {
        for field in fields::of_fault(kind, &analysis.scenario, length(desk)) {
            add(field.key);
        }
    }
    for field in fields::of_run(desk.texts.get("arrivals") == "closed") {
        add(field.key);
    }
    for knob in KNOBS {
        add(&format!("{SETTING}{}", knob.key));
    }
    values
}
