//! The answer as a comment for a pull request.

use super::effective::in_force;
use super::paint::turns;
use super::report::{Report, SEVERITIES, flag, plain};
use headroom::engine::audit::{Finding, rules};
use headroom::engine::rules::Severity;
use headroom::engine::units::Millis;
use headroom::engine::units::display;
use headroom::review::document::sentence;
use headroom::review::markdown::{code, line as prose, literal as escaped};
use serde_json::Value;
use std::fmt::Write;

/// A comment of GitHub holds 65,536 characters; so much is used by what is in force at most.
const MAX_IN_FORCE: usize = 30_000;

/// So many findings are listed.
const MAX_FINDINGS: usize = 100;

/// The whole document.
pub fn document(report: &Report) -> String {
    let parts = [opening(report), findings(report), asides(report), configuration(report), closing(report)];
    let text = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n");
    plain(&text).chars().map(|c| if turns(c) { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

fn opening(report: &Report) -> String {
    let c = &report.audit.configuration;
    let counts = SEVERITIES.map(|s| report.count(s).to_string()).join(" | ");
    let verdict = if report.is_failed() { "failed" } else { "passed" };
    format!(
        "## Headroom audit: {}\n\n\
         | errors | warnings | infos | rules checked | clusters | routes | files | audit |\n\
         |---|---|---|---|---|---|---|---|\n\
         | {counts} | {} | {} | {} | {} | {verdict} |\n",
        report.counts(),
        rules::all().count(),
        c.clusters.len(),
        c.routes.len(),
        report.inputs.len(),
    )
}

fn findings(report: &Report) -> String {
    let mut out = String::new();
    let mut left = MAX_FINDINGS;
    for severity in SEVERITIES {
        let of: Vec<&Finding> = report.audit.findings.iter().filter(|f| f.severity == severity).collect();
        if of.is_empty() || left == 0 {
            continue;
        }
        let title = match severity {
            Severity::Error => "Errors",
            Severity::Warning => "Warnings",
            Severity::Info => "Infos",
        };
        let _ = write!(out, "### {title}\n\n");
        for f in of.iter().take(left) {
            out.push_str(&finding(report, f));
        }
        left = left.saturating_sub(of.len());
        out.push('\n');
    }
    if let Some(more) = report.audit.findings.len().checked_sub(MAX_FINDINGS).filter(|more| *more > 0) {
        let _ = writeln!(out, "{more} more findings are in the other formats.");
    }
    out.trim_end_matches('\n').to_owned() + if out.is_empty() { "" } else { "\n" }
}

fn finding(report: &Report, f: &Finding) -> String {
    let subject = report.subject(f);
    let about = if subject.is_empty() { String::new() } else { format!(" ({})", escaped(&subject)) };
    let place = escaped(&report.spot(&f.at).title());
    let mut out =
        format!("- **{} {}** at {place}{about}: {}\n", f.code, f.name, prose(&sentence(&f.message)));
    let mut point = |name: &str, text: String| {
        if !text.is_empty() {
            let _ = writeln!(out, "  - {name}{text}");
        }
    };
    point("", prose(&sentence(&f.consequence)));
    point("Help: ", prose(&f.help));
    point("Fix: ", f.fix.as_ref().map_or_else(String::new, |fix| prose(&fix.label)));
    for related in &f.related {
        let place = escaped(&report.spot(&related.at).title());
        point("See ", format!("{place}: {}", prose(&related.message)));
    }
    if let Some(id) = f.asks {
        point("", format!("`{}` would settle it", flag(id)));
    }
    out
}

fn asides(report: &Report) -> String {
    let of_reader = report.reader_notes().into_iter().map(|(at, message, more)| {
        let more = if more == 0 { String::new() } else { format!(" (and {more} more)") };
        format!("{}: {}{more}", escaped(&report.spot(at).title()), prose(message))
    });
    let notes: Vec<String> = report.notes.iter().map(|note| escaped(note)).chain(of_reader).collect();
    let questions: Vec<String> = report.questions().iter().map(|q| prose(&with_code(&sentence(q)))).collect();
    let mut out = String::new();
    for question in questions {
        let _ = writeln!(out, "{question}");
    }
    if !notes.is_empty() {
        let _ = writeln!(
            out,
            "\n<details><summary>{} of the reader</summary>\n",
            if notes.len() == 1 { "One note".to_owned() } else { format!("{} notes", notes.len()) }
        );
        for note in notes.iter().take(MAX_FINDINGS) {
            let _ = writeln!(out, "- {note}");
        }
        out.push_str("\n</details>\n");
    }
    out
}

/// A sentence with its flags as code.
fn with_code(text: &str) -> String {
    let word = |word: &str| {
        let (flag, rest) = word.split_at(word.trim_end_matches([',', '.', ')']).len());
        if flag.starts_with("--") { format!("`{flag}`{rest}") } else { word.to_owned() }
    };
    text.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// Tables of what is in force, closed until someone opens them.
fn configuration(report: &Report) -> String {
    let all = in_force(report);
    let clusters = all.clusters.iter().map(|v| ("cluster", v));
    let routes = all.routes.iter().map(|v| ("route", v));
    let mut tables = String::new();
    let mut left_out = 0;
    for (kind, value) in clusters.chain(routes) {
        let table = table(kind, value);
        if tables.len() + table.len() > MAX_IN_FORCE {
            left_out += 1;
        } else {
            tables.push_str(&table);
        }
    }
    if tables.is_empty() {
        return String::new();
    }
    if left_out > 0 {
        let _ = writeln!(tables, "{left_out} more are in the output of `--output json`.\n");
    }
    format!("<details><summary>What is in force</summary>\n\n{tables}</details>\n")
}

fn table(kind: &str, value: &Value) -> String {
    let word = |key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default();
    let mut rows = Vec::new();
    leaves("", value, &mut rows);
    let mut lines = String::new();
    for (name, value, from) in rows {
        let _ = writeln!(lines, "| {} | {} | {} |", code(&name), escaped(&value), escaped(&from));
    }
    format!(
        "**{kind} {}** ({} at {})\n\n| setting | value | from |\n|---|---|---|\n{lines}\n",
        escaped(word("name")),
        escaped(word("resource")),
        escaped(&format!("{}:{}", word("file"), value.get("line").and_then(Value::as_u64).unwrap_or(1))),
    )
}

/// Path, value and origin of every setting.
fn leaves(path: &str, value: &Value, rows: &mut Vec<(String, String, String)>) {
    let join = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    match value {
        Value::Object(map) if map.contains_key("value") && map.contains_key("from") => {
            let word = |key: &str| map.get(key).and_then(Value::as_str).unwrap_or_default();
            let from = match word("from") {
                "default" => format!("default of {}", word("of")),
                why => {
                    let line = map.get("line").and_then(Value::as_u64).unwrap_or(1);
                    let runtime = if why == "runtime" { "runtime key, " } else { "" };
                    format!("{runtime}{}:{line}", word("file"))
                }
            };
            rows.push((path.to_owned(), shown(&map["value"], word("unit")), from));
        }
        Value::Object(map) => {
            // Limits of a priority stand below its name.
            let priority = map.get("priority").and_then(Value::as_str);
            for (key, value) in map {
                match priority {
                    Some(priority) => leaves(&format!("{priority}.{key}"), value, rows),
                    None => leaves(&join(key), value, rows),
                }
            }
        }
        Value::Array(items) => {
            for item in items {
                leaves(path, item, rows);
            }
        }
        _ => {}
    }
}

fn shown(value: &Value, unit: &str) -> String {
    match (value, value.as_f64()) {
        (_, Some(ms)) if unit == "ms" => display::millis(Millis(ms)),
        (_, Some(n)) if unit == "%" => format!("{}%", display::number(n)),
        (_, Some(n)) => display::count(n),
        (Value::Null, _) => "none".to_owned(),
        (Value::String(text), _) => text.clone(),
        (Value::Array(items), _) if items.is_empty() => "none".to_owned(),
        (Value::Array(items), _) => items.iter().map(|v| shown(v, unit)).collect::<Vec<_>>().join(", "),
        (other, _) => other.to_string(),
    }
}

fn closing(report: &Report) -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!("<sub>Headroom {version}, Envoy {}</sub>\n", report.envoy_version())
}
