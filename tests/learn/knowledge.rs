//! Parts of the pages that are no lessons: lists of pages, terms, formulas, inputs, defaults.

use crate::calibration;
use crate::markdown::{escaped, inline, name, slug, table_html};
use crate::page::Source;
use crate::values::shown;
use headroom::engine::analysis::{Analysis, Number};
use headroom::engine::analyze;
use headroom::engine::params::{Default, PARAMS};
use headroom::engine::scenario::{PRESETS, Preset, range_words};
use headroom::engine::units::display;
use std::fmt::Write;
use std::sync::OnceLock;

pub fn block(part: &str, pages: &[Source]) -> String {
    static MEASURED: OnceLock<(String, String)> = OnceLock::new();
    let measured = || {
        MEASURED.get_or_init(|| {
            let rows = calibration::rows();
            (calibration::summary(&rows), calibration::table(&rows))
        })
    };
    match part {
        "combinations" => combinations(pages),
        "terms" => terms(pages),
        "calibration-words" => measured().0.clone(),
        "calibration" => measured().1.clone(),
        "formulas" => formulas(),
        "params" => params(),
        "defaults" => defaults(),
        _ => panic!("there is no part {part}"),
    }
}

fn combinations(pages: &[Source]) -> String {
    let mut out = String::from("<ol class=\"hr-learn-six\">\n");
    for page in pages.iter().filter(|page| headroom::simulator::lessons::Lesson::of(page.name).is_some()) {
        let _ = writeln!(
            out,
            "<li><a href=\"{}.html\">{}</a> <small>{}</small><span>{}</span></li>",
            page.name,
            escaped(page.title()),
            escaped(page.field("pair")),
            inline(page.field("lead")),
        );
    }
    out + "</ol>\n"
}

/// Anchors and names of the terms of the glossary.
fn terms(pages: &[Source]) -> String {
    let glossary = pages.iter().find(|page| page.name == "glossary").expect("there is a glossary");
    let mut terms: Vec<(String, String)> = glossary
        .body
        .lines()
        .filter_map(|line| line.strip_prefix("### "))
        .map(|line| match line.trim_end_matches('}').split_once(" {#") {
            Some((term, id)) => (term.to_owned(), id.to_owned()),
            None => (line.to_owned(), slug(line)),
        })
        .collect();
    terms.sort_by_key(|(term, _)| term.to_lowercase());
    let mut out = String::from("<ul class=\"hr-learn-terms\">\n");
    for (term, id) in terms {
        let _ = writeln!(out, "<li><a href=\"glossary.html#{id}\">{}</a></li>", escaped(&term));
    }
    out + "</ul>\n"
}

fn analysis(preset: &Preset) -> Analysis {
    analyze(&preset.scenario()).expect("presets have an answer")
}

/// The ledger of the worked example, then what the other presets reckon by another formula.
fn formulas() -> String {
    let first = Preset::first_paint();
    let numbers = analysis(first).numbers;
    let mut out = String::new();
    let mut seen: Vec<(String, String)> = Vec::new();
    for (title, prefix) in [
        ("Load and latency", &["latency.", "load."][..]),
        ("Limits", &["default.", "high.", "forecast."]),
        ("Timeouts", &["timeouts."]),
        ("Retries", &["retry."]),
        ("Outlier detection", &["outlier."]),
    ] {
        let of: Vec<&Number> =
            numbers.iter().filter(|n| prefix.iter().any(|p| n.id.starts_with(p))).collect();
        let _ = writeln!(out, "<h3 id=\"{}\">{title}</h3>", slug(&format!("formulas {title}")));
        out.push_str(&number_table(&of));
        seen.extend(of.iter().map(|n| (n.id.clone(), n.formula.to_owned())));
    }
    assert_eq!(seen.len(), numbers.len(), "numbers that are in no group");
    for preset in PRESETS.iter().filter(|preset| preset.key != first.key) {
        let numbers = analysis(preset).numbers;
        let new: Vec<&Number> =
            numbers.iter().filter(|n| !seen.contains(&(n.id.clone(), n.formula.to_owned()))).collect();
        if new.is_empty() {
            continue;
        }
        let _ = writeln!(
            out,
            "<h3 id=\"formulas-{}\">{}: where it differs</h3>\n<p>{}</p>",
            preset.key,
            escaped(preset.title),
            escaped(preset.serves)
        );
        out.push_str(&number_table(&new));
        seen.extend(new.iter().map(|n| (n.id.clone(), n.formula.to_owned())));
    }
    out
}

fn number_table(numbers: &[&Number]) -> String {
    let rows = numbers.iter().map(|n| {
        let value = n.value.map_or_else(|| "none".to_owned(), |value| shown(value, n.unit));
        vec![
            name(&n.id),
            format!(
                "<code>{}</code><small>= {}</small>",
                escaped(n.formula),
                escaped(&n.substituted.to_string())
            ),
            format!("{}<small>{}</small>", escaped(&value), n.label.as_str()),
            escaped(n.source),
        ]
    });
    table_html(&["Number", "Formula", "Here", "Source"], &rows.collect::<Vec<_>>())
}

fn params() -> String {
    let rows = PARAMS.iter().map(|p| {
        let default = match p.default {
            Default::Required => "required".to_owned(),
            Default::Absent => "nothing assumed".to_owned(),
            Default::Number(value) => display::input(value),
            Default::Word(word) => word.to_owned(),
            Default::Derived(how) => how.to_owned(),
        };
        vec![
            format!("{}<small>{}</small>", name(p.key), escaped(p.label)),
            format!("{}<small>{}</small>", inline(p.help), escaped(p.unit_label)),
            escaped(&range_words(p)),
            escaped(&default),
            escaped(p.source),
        ]
    });
    table_html(&["Input", "Meaning, unit", "Range", "Default", "Why"], &rows.collect::<Vec<_>>())
}

/// The constants of `src/engine/envoy/defaults.rs`, with what their documentation says.
fn defaults() -> String {
    let text = include_str!("../../src/engine/envoy/defaults.rs");
    let mut rows = Vec::new();
    let mut docs = String::new();
    for line in text.lines().map(str::trim) {
        if let Some(doc) = line.strip_prefix("///") {
            let _ = write!(docs, "{} ", doc.trim());
        } else if let Some(constant) = line.strip_prefix("pub const ") {
            let (_, value) = constant.split_once(" = ").expect("a constant has a value");
            let (about, source) = docs.split_once("Source: ").expect("a default has a source");
            rows.push(vec![
                inline(about.trim().trim_end_matches('.')),
                escaped(&plain(value.trim_end_matches(';'))),
                inline(source.trim().trim_end_matches('.')),
            ]);
            docs.clear();
        } else {
            docs.clear();
        }
    }
    assert!(rows.len() > 20, "the file of defaults is read");
    table_html(&["Default of", "Value", "Source"], &rows)
}

/// `Duration(Millis(15_000.0))` as `15 s`.
fn plain(value: &str) -> String {
    let inner = value.trim_end_matches(')');
    let number = |text: &str| text.replace('_', "").parse::<f64>().expect("a number");
    if let Some(ms) = inner.strip_prefix("Duration(Millis(") {
        return display::quantity(number(ms), "ms");
    }
    if let Some(percent) = inner.strip_prefix("Percent(") {
        return format!("{}%", display::number(number(percent)));
    }
    if let Some(minor) = inner.strip_prefix("EnvoyVersion::minor(") {
        return format!("1.{minor}");
    }
    display::number(number(inner))
}
