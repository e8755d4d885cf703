//! Why a number is what it is: formula, values, source, and why not the others.

use super::Model;
use crate::engine::analysis::{Analysis, Label, Number};
use crate::engine::units::{Millis, Share, display};
use crate::markup::Html;

/// Derivations that open below a line of text; `groups` as for [`derivation`].
pub fn details(out: &mut Html, m: &Model<'_>, id: &str, summary: &'static str, groups: &[&str]) {
    out.put("<details class=\"hr-details\" id=\"{}\"><summary>{}</summary>", &[&id, &summary]);
    out.begin("<div class=\"hr-why\" id=\"s-{}\">", id);
    if m.is_open(id) {
        derivation(out, m.answer(), groups);
    }
    out.end("</div></details>");
}

/// The derivations of some groups of numbers, e.g. `default.max_requests`, formulas on one side,
/// reasons on the other; a group holds every number below it.
pub fn derivation(out: &mut Html, a: &Analysis, groups: &[&str]) {
    let numbers = numbers_of(a, groups);
    out.raw("<div><ol class=\"hr-steps\">");
    for n in &numbers {
        step(out, n, !is_limit(&n.id));
    }
    out.raw("</ol><ul>");
    reasons(out, &numbers);
    out.raw("</ul></div>");
}

fn numbers_of<'a>(answer: &'a Analysis, groups: &[&str]) -> Vec<&'a Number> {
    let within = |n: &Number| {
        groups.iter().any(|group| n.id.strip_prefix(group).is_some_and(|rest| rest.starts_with('.')))
    };
    answer.numbers.iter().filter(|n| within(n)).collect()
}

fn step(out: &mut Html, n: &Number, with_setting: bool) {
    out.put("<li><span>{}", &[&name_of(n, with_setting)]);
    out.put_some("<code>{}</code>", n.formula);
    let substituted = n.substituted.to_string();
    if substituted != n.formula {
        out.put("<code>= {}</code>", &[&substituted]);
    }
    out.put("</span><b>{}</b><span class=\"hr-tag\">{}</span></li>", &[&value_of(n), &n.label.as_str()]);
}

/// Alternatives that lost, then the sources.
fn reasons(out: &mut Html, numbers: &[&Number]) {
    let mut sources: Vec<&'static str> = Vec::new();
    for n in numbers {
        if !n.source.is_empty() && n.label != Label::Given && !sources.contains(&n.source) {
            sources.push(n.source);
        }
        for other in &n.alternatives {
            out.put("<li><b>{}:</b> {}</li>", &[&other.what, &other.because]);
        }
    }
    if !sources.is_empty() {
        let word = if sources.len() == 1 { "Source" } else { "Sources" };
        out.put("<li class=\"hr-source\">{}: {}.</li>", &[&word, &sources.join("; ")]);
    }
}

/// `floor`, or `per_try: all attempts` where numbers of several settings stand together.
fn name_of(n: &Number, with_setting: bool) -> String {
    let mut parts = n.id.rsplit('.');
    let last = parts.next().unwrap_or_default();
    let setting = parts.next().unwrap_or_default();
    let words = last.replace('_', " ");
    match (with_setting, last) {
        (true, "chosen") => setting.replace('_', " "),
        (true, _) if n.id.matches('.').count() > 1 => format!("{}: {words}", setting.replace('_', " ")),
        _ => words,
    }
}

/// Whether a number belongs to a row of the thresholds table, which names the setting already.
fn is_limit(id: &str) -> bool {
    id.starts_with("default.") || id.starts_with("high.")
}

fn value_of(n: &Number) -> String {
    let Some(value) = n.value else { return "none".to_owned() };
    match n.unit {
        "ms" => display::millis(Millis(value)),
        "share" => display::share(Share(value)),
        "%" => format!("{}%", display::number(value)),
        _ => display::number(value),
    }
}
