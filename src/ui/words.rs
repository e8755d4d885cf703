//! Small pieces of wording that several panels share.

use crate::engine::analysis::Analysis;
use crate::engine::rules::{Finding, Severity};
use crate::engine::units::display;

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

/// The first letter as a capital: a count that begins a label. ASCII, because the tables of all
/// letters would be a tenth of the page.
pub fn capitalize(text: &str) -> String {
    let mut chars = text.chars();
    chars
        .next()
        .map_or_else(String::new, |first| [first.to_ascii_uppercase()].into_iter().chain(chars).collect())
}
