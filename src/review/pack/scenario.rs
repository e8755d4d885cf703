//! What was given, what counts as a default, and what is assumed.

use super::plain;
use crate::engine::analysis::{Analysis, Label};
use crate::engine::mapping::{inputs, margins};
use crate::engine::params::{Default, Kind, PARAMS, Param, ParamId, Unit};
use crate::engine::scenario::{Draft, Scenario};
use crate::engine::units::display::NBSP;
use crate::engine::units::{Share, display};
use crate::review::document::{Block, Section, Table};

/// Every input with its value and where that comes from.
pub fn scenario(a: &Analysis) -> Section {
    let s = &a.scenario;
    let draft = Draft::of(s);
    let mut table = Table::new("Inputs", &["input", "value", "where from"]);
    for p in PARAMS.iter().filter(|p| applies(p, s)) {
        let text = draft.get(p.id);
        let (value, from) =
            if text.is_empty() { default(p, a) } else { (value(p, text), "given".to_owned()) };
        table.row([p.label.to_owned(), value, from]);
    }
    let words = format!("{}; {}.", inputs(s).join(", "), margins(s).join(", "));
    Section {
        id: "scenario",
        title: "Scenario".to_owned(),
        blocks: vec![Block::Text(capital(&words)), Block::Table(table)],
    }
}

/// An input as one text: its value, and that it is a default where nobody gave it.
pub fn input_text(p: &Param, a: &Analysis) -> String {
    let text = Draft::of(&a.scenario).get(p.id).to_owned();
    let shown = if !text.is_empty() {
        value(p, &text)
    } else if let Default::Absent | Default::Required = p.default {
        "not given".to_owned()
    } else {
        format!("{} (default)", default(p, a).0)
    };
    shown.replace(NBSP, " ")
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |c| c.to_ascii_uppercase().to_string() + chars.as_str())
}

/// Whether an input has a meaning here: a stream has a life, everything else a latency.
fn applies(p: &Param, s: &Scenario) -> bool {
    match p.id {
        ParamId::StreamMean | ParamId::StreamP99 => s.protocol.streams(),
        _ => !(s.protocol.streams() && p.path[0] == "latency_ms"),
    }
}

fn value(p: &Param, text: &str) -> String {
    let text = plain(text);
    match p.kind {
        Kind::Whole(_) | Kind::Number(_) => with_unit(p, &text),
        _ => text,
    }
}

fn with_unit(p: &Param, text: &str) -> String {
    let Ok(number) = text.parse::<f64>() else { return text.to_owned() };
    if p.unit == Unit::Share {
        return display::share(Share(number));
    }
    let unit = if text == "1" { p.unit_label.trim_end_matches('s') } else { p.unit_label };
    let number = display::number(number);
    if unit.is_empty() { number } else { format!("{number}\u{a0}{unit}") }
}

/// What an empty input counts as, and that it does.
fn default(p: &Param, a: &Analysis) -> (String, String) {
    match p.default {
        Default::Number(n) => (with_unit(p, &display::input(n)), "default".to_owned()),
        Default::Word(word) => (word.to_owned(), "default".to_owned()),
        Default::Derived(how) => (derived(p, a), format!("not given: {how}")),
        Default::Absent | Default::Required => ("none".to_owned(), "not given".to_owned()),
    }
}

/// The value that stands for an input which is derived from others.
fn derived(p: &Param, a: &Analysis) -> String {
    match p.id {
        ParamId::Mean | ParamId::StreamMean => display::millis(a.latency.mean_ms),
        ParamId::HostsLost => with_unit(p, &a.scenario.hosts_lost.to_string()),
        ParamId::DeadlineMs => a.timeouts.deadline_ms.map_or_else(|| "none".to_owned(), display::millis),
        _ => "derived".to_owned(),
    }
}

/// What nobody measured and everything rests on.
pub fn assumptions(a: &Analysis) -> Section {
    let s = &a.scenario;
    let mut points: Vec<String> = a
        .numbers
        .iter()
        .filter(|n| n.label == Label::Assumption)
        .map(|n| {
            let value = n.value.map_or_else(|| "none".to_owned(), |value| display::quantity(value, n.unit));
            format!("`{}` is {value}: {} ({}).", n.id, n.substituted, n.source)
        })
        .collect();
    let what = if s.protocol.streams() { "Streams begin" } else { "Requests arrive" };
    points.push(format!(
        "{what} independently of each other within the worst second (Poisson); what comes in groups is refused more often."
    ));
    points.push(format!(
        "The busiest proxy has ×{} of a fair share, and the worst second ×{} of the peak rate; every limit is for that proxy in that second.",
        display::number(s.skew),
        display::number(s.burst)
    ));
    points.push(
        "Limits are counted in each proxy alone: Envoy coordinates nothing between proxies.".to_owned(),
    );
    if s.host_concurrency.is_none() {
        points.push("What a host survives is not known, so no limit is held below it.".to_owned());
    }
    let n = PARAMS.iter().filter(|p| applies(p, s) && Draft::of(s).get(p.id).is_empty()).count();
    points.push(format!(
        "{} are not given and count as their defaults (see Scenario).",
        display::plural(n as f64, "input", "inputs")
    ));
    Section { id: "assumptions", title: "Assumptions".to_owned(), blocks: vec![Block::List(points)] }
}
