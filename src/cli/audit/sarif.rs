//! The answer in SARIF 2.1.0, for code scanning and editors.

use super::edits::{self, Edit};
use super::files::STDIN;
use super::report::{Report, Spot, plain};
use headroom::engine::audit::rules::{self, Rule};
use headroom::engine::audit::{Finding, Related};
use headroom::engine::params::param;
use headroom::engine::read::Place;
use headroom::engine::rules::{RuleMeta, Severity};
use headroom::review::document::sentence;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

const SCHEMA: &str =
    "https://raw.githubusercontent.com/oasis-tcs/sarif-spec/master/Schemata/sarif-schema-2.1.0.json";

/// The page of all rules, relative to the project; each has an anchor of its code.
const DOCS: &str = "docs/rules.md";

/// What may stand in a path as it is.
const PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// The whole answer.
pub fn document(report: &Report) -> String {
    let rules: Vec<&Rule> = rules::all().collect();
    let mut seen = BTreeMap::new();
    let findings = report.audit.findings.iter().zip(edits::of_findings(report));
    let results: Vec<Value> = findings
        .map(|(f, edits)| {
            let mut result = result(report, f, &rules, &mut seen);
            if let (Some(fix), Some(edits)) = (&f.fix, edits) {
                result["fixes"] = json!([replacing(&plain(&fix.label), &edits)]);
            }
            result
        })
        .collect();
    let document = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "Headroom",
                "version": env!("CARGO_PKG_VERSION"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules.iter().map(|rule| described(&rule.meta)).collect::<Vec<_>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "invocations": [{
                "executionSuccessful": true,
                "toolExecutionNotifications": notifications(report),
            }],
            "results": results,
        }],
    });
    let text = serde_json::to_string_pretty(&document).expect("a JSON value has a text");
    format!("{text}\n")
}

fn described(meta: &RuleMeta) -> Value {
    let link = format!("{DOCS}#{}", meta.code);
    let sources = meta.sources.join("\n- ");
    json!({
        "id": meta.code,
        "name": meta.name,
        "shortDescription": {"text": sentence(meta.summary)},
        "fullDescription": {"text": meta.rationale},
        "help": {
            "text": format!("{} {}", sentence(meta.summary), meta.rationale),
            "markdown": format!("{} {}\n\nSources:\n\n- {sources}", sentence(meta.summary), meta.rationale),
        },
        "helpUri": link,
        "defaultConfiguration": {"level": level(meta.severity)},
    })
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

fn result(report: &Report, f: &Finding, rules: &[&Rule], seen: &mut BTreeMap<String, usize>) -> Value {
    let parts = [&f.message, &f.consequence, &f.help].into_iter().filter(|part| !part.is_empty());
    let text = parts.map(|part| plain(&sentence(part))).collect::<Vec<_>>().join(" ");
    let mut result = json!({
        "ruleId": f.code,
        "level": level(f.severity),
        "message": {"text": text},
        "locations": [location(report, f)],
        "partialFingerprints": {"headroomFinding/v1": fingerprint(report, f, seen)},
        "properties": properties(f),
    });
    if let Some(index) = rules.iter().position(|rule| rule.meta.code == f.code) {
        result["ruleIndex"] = index.into();
    }
    if !f.related.is_empty() {
        let related = f.related.iter().enumerate().map(|(id, related)| other(report, id, related));
        result["relatedLocations"] = related.collect();
    }
    result
}

fn replacing(label: &str, edits: &[Edit]) -> Value {
    let changes = edits.iter().map(|edit| {
        json!({
            "artifactLocation": {"uri": uri(&edit.file)},
            "replacements": [{
                "deletedRegion": {
                    "startLine": edit.line, "startColumn": edit.column,
                    "endLine": edit.end_line, "endColumn": edit.end_column,
                },
                "insertedContent": {"text": edit.text},
            }],
        })
    });
    json!({"description": {"text": label}, "artifactChanges": changes.collect::<Vec<_>>()})
}

fn properties(f: &Finding) -> Value {
    let mut all = Map::new();
    let mut put = |key: &str, value: &str| {
        if !value.is_empty() {
            all.insert(key.to_owned(), plain(value).into());
        }
    };
    put("consequence", &f.consequence);
    put("help", &f.help);
    put("fix", f.fix.as_ref().map_or("", |fix| &fix.label));
    put("asks", f.asks.map_or("", |id| param(id).key));
    if !f.fields.is_empty() {
        all.insert("fields".to_owned(), f.fields.clone().into());
    }
    Value::Object(all)
}

fn location(report: &Report, f: &Finding) -> Value {
    let mut location = json!({"physicalLocation": physical(&report.spot(&f.at))});
    let mut logical = Vec::new();
    for (kind, name) in [("cluster", report.cluster(f)), ("route", report.route(f).map(str::to_owned))] {
        if let Some(name) = name {
            logical.push(
                json!({"name": name, "fullyQualifiedName": format!("{kind} {name}"), "kind": "resource"}),
            );
        }
    }
    if !logical.is_empty() {
        location["logicalLocations"] = logical.into();
    }
    location
}

fn other(report: &Report, id: usize, related: &Related) -> Value {
    json!({
        "id": id,
        "message": {"text": plain(&sentence(&related.message))},
        "physicalLocation": physical(&report.spot(&related.at)),
    })
}

fn physical(spot: &Spot<'_>) -> Value {
    let (line, column) = (spot.line.max(1), spot.column.max(1));
    json!({
        "artifactLocation": {"uri": uri(spot.file)},
        "region": {
            "startLine": line, "startColumn": column,
            "endLine": line, "endColumn": spot.end_column().max(column),
        },
    })
}

/// The address of a file: as it was named, so that it is relative to where the command ran.
fn uri(file: &str) -> String {
    if file == STDIN {
        return "stdin".to_owned();
    }
    let path = if cfg!(windows) { file.replace('\\', "/") } else { file.to_owned() };
    let path = path.strip_prefix("./").unwrap_or(&path);
    let encoded = utf8_percent_encode(path, PATH).to_string();
    if path.starts_with('/') {
        format!("file://{encoded}")
    } else if cfg!(windows) && path.as_bytes().get(1) == Some(&b':') {
        format!("file:///{encoded}")
    } else {
        encoded
    }
}

fn notifications(report: &Report) -> Vec<Value> {
    let of_files = report.notes.iter().map(|note| json!({"level": "note", "message": {"text": note}}));
    let of_reader = report.audit.configuration.notes.iter().map(|note| {
        let at: &Place = &note.at;
        json!({
            "level": "note",
            "message": {"text": plain(&note.message)},
            "locations": [{"physicalLocation": physical(&report.spot(at))}],
        })
    });
    of_files.chain(of_reader).collect()
}

/// What stays the same while lines above are added and numbers change: rule, file, keys, and which
/// one of several it is.
fn fingerprint(report: &Report, f: &Finding, seen: &mut BTreeMap<String, usize>) -> String {
    let cluster = report.cluster(f).unwrap_or_default();
    let route = report.route(f).unwrap_or_default();
    let key = [f.code, &uri(report.spot(&f.at).file), &f.at.path, &cluster, route].join("\n");
    let nth = seen.entry(key.clone()).or_default();
    *nth += 1;
    format!("{:016x}", fnv(format!("{key}\n{nth}").as_bytes()))
}

/// FNV-1a, 64 bits: the same on every machine and in every release.
fn fnv(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}
