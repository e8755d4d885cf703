//! Small pieces of wording that several panels share.

use crate::chart::scale::short;
use crate::engine::analysis::Analysis;
use crate::engine::rules::{Finding, Severity};
use crate::engine::scenario::Scenario;
use crate::engine::units::{Rate, display};

/// `3 warnings, 2 notes`: how many findings there are, worst first; empty when there are none.
pub fn count_findings(findings: &[Finding]) -> String {
    let count = |severity| findings.iter().filter(|f| f.severity == severity).count();
    let kinds = [
        (count(Severity::Error), "error", "errors"),
        (count(Severity::Warning), "warning", "warnings"),
        (count(Severity::Info), "note", "notes"),
    ];
    let parts: Vec<String> = kinds
        .into_iter()
        .filter(|(n, ..)| *n > 0)
        .map(|(n, one, many)| display::plural(n as f64, one, many))
        .collect();
    parts.join(", ")
}

/// `No errors, 3 warnings, 2 notes`, or what was checked when nothing was found.
pub fn summarize_findings(answer: &Analysis, n_rules: usize) -> String {
    let counts = count_findings(&answer.findings);
    if counts.is_empty() {
        return format!("{n_rules} rules checked, none fired. Envoy {}", answer.scenario.envoy_version);
    }
    if answer.findings.iter().any(|f| f.severity == Severity::Error) {
        return counts;
    }
    format!("No errors, {counts}")
}

/// A text about requests, in the words of the scenario: streams are no requests, they live and do
/// not take their time.
pub fn in_words_of(s: &Scenario, text: &str) -> String {
    if s.protocol.streams() {
        text.replace("requests", "streams").replace("request", "stream").replace(" latency", " life")
    } else {
        text.to_owned()
    }
}

/// A rate that can be read at a glance, whatever its size: `9 req/s`, `12M req/s`, `3.6 streams/h`.
pub fn rate(s: &Scenario, rate: Rate) -> String {
    let what = if s.protocol.streams() { "streams" } else { "req" };
    let (number, per) = match rate.0 {
        r if r >= 0.01 => (short(r), "s"),
        r if r >= 0.01 / 3600.0 => (display::number(r * 3600.0), "h"),
        r => (display::number(r * 86_400.0), "day"),
    };
    format!("{number}\u{a0}{what}/{per}")
}

/// Which of several priorities a picture shows; empty where there is only one.
pub fn whose(a: &Analysis) -> &'static str {
    if a.thresholds.len() > 1 { " DEFAULT priority only." } else { "" }
}

/// The first letter as a capital: a count that begins a label. ASCII, because the tables of all
/// letters would be a tenth of the page.
pub fn capitalize(text: &str) -> String {
    let mut chars = text.chars();
    chars
        .next()
        .map_or_else(String::new, |first| [first.to_ascii_uppercase()].into_iter().chain(chars).collect())
}
