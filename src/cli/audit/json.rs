//! The answer as data. Its keys are a contract: more may come, none changes its meaning.

use super::edits::{self, Edit};
use super::effective::{InForce, in_force};
use super::report::{Report, plain};
use headroom::engine::audit::{Change, Finding, rules};
use headroom::engine::params::param;
use headroom::engine::read::config::ReadProblem;
use headroom::engine::rules::Severity;
use headroom::engine::scenario::RULES_VERSION;
use serde::Serialize;
use serde_json::Value;

#[derive(Serialize)]
struct Document<'r> {
    findings: Vec<FindingJson<'r>>,
    summary: Summary,
    effective: InForce,
    problems: Vec<ProblemJson<'r>>,
    notes: Vec<NoteJson<'r>>,
    /// What is not known and would sharpen the result.
    questions: Vec<String>,
    files: Vec<&'r str>,
    scenario: Value,
    rules: usize,
    rules_version: &'static str,
    envoy_version: String,
    version: &'static str,
}

#[derive(Serialize)]
struct Summary {
    errors: usize,
    warnings: usize,
    infos: usize,
    clusters: usize,
    routes: usize,
    files: usize,
    fail_on: &'static str,
    failed: bool,
}

#[derive(Serialize)]
struct FindingJson<'r> {
    code: &'static str,
    name: &'static str,
    severity: Severity,
    message: String,
    consequence: String,
    help: String,
    fields: &'r [&'static str],
    file: &'r str,
    line: u32,
    column: u32,
    end_column: u32,
    /// Keys from the root of the document.
    path: &'r str,
    cluster: Option<String>,
    route: Option<&'r str>,
    /// Other clusters and routes with the very same finding at the same place.
    also: Vec<AlsoJson<'r>>,
    related: Vec<RelatedJson<'r>>,
    fix: Option<FixJson<'r>>,
    asks: Option<&'static str>,
}

#[derive(Serialize)]
struct AlsoJson<'r> {
    cluster: Option<String>,
    route: Option<&'r str>,
}

#[derive(Serialize)]
struct RelatedJson<'r> {
    message: String,
    file: &'r str,
    line: u32,
    column: u32,
}

#[derive(Serialize)]
struct FixJson<'r> {
    label: String,
    changes: &'r [Change],
    /// Replacements of text, where the fix can be made in it.
    edits: Option<Vec<Edit>>,
}

#[derive(Serialize)]
struct ProblemJson<'r> {
    #[serde(flatten)]
    problem: Value,
    file: &'r str,
    line: u32,
    column: u32,
}

#[derive(Serialize)]
struct NoteJson<'r> {
    message: &'r str,
    file: Option<&'r str>,
    line: Option<u32>,
    column: Option<u32>,
}

/// The whole answer.
pub fn document(report: &Report) -> String {
    let c = &report.audit.configuration;
    let document = Document {
        findings: report
            .audit
            .findings
            .iter()
            .zip(edits::of_findings(report))
            .map(|(f, edits)| finding(report, f, edits))
            .collect(),
        summary: Summary {
            errors: report.count(Severity::Error),
            warnings: report.count(Severity::Warning),
            infos: report.count(Severity::Info),
            clusters: c.clusters.len(),
            routes: c.routes.len(),
            files: report.inputs.len(),
            fail_on: report.fail_on.map_or("never", Severity::as_str),
            failed: report.is_failed(),
        },
        effective: in_force(report),
        problems: c.problems.iter().map(|p| problem(report, p)).collect(),
        notes: notes(report),
        questions: report.questions(),
        files: report.inputs.iter().map(|i| i.name.as_str()).collect(),
        scenario: scenario(report),
        rules: rules::all().count(),
        rules_version: RULES_VERSION,
        envoy_version: report.envoy_version(),
        version: env!("CARGO_PKG_VERSION"),
    };
    let text = serde_json::to_string_pretty(&document).expect("structs with text keys have a JSON form");
    format!("{text}\n")
}

fn finding<'r>(report: &'r Report, f: &'r Finding, edits: Option<Vec<Edit>>) -> FindingJson<'r> {
    let spot = report.spot(&f.at);
    let related = f.related.iter().map(|r| {
        let spot = report.spot(&r.at);
        RelatedJson { message: plain(&r.message), file: spot.file, line: spot.line, column: spot.column }
    });
    let also = f.also.iter().map(|(cluster, route)| AlsoJson {
        cluster: cluster.and_then(|at| report.cluster_name(at)),
        route: route.and_then(|at| report.route_name(at)),
    });
    FindingJson {
        code: f.code,
        name: f.name,
        severity: f.severity,
        message: plain(&f.message),
        consequence: plain(&f.consequence),
        help: plain(&f.help),
        fields: &f.fields,
        file: spot.file,
        line: spot.line,
        column: spot.column,
        end_column: spot.end_column(),
        path: &f.at.path,
        cluster: report.cluster(f),
        route: report.route(f),
        also: also.collect(),
        related: related.collect(),
        fix: f.fix.as_ref().map(|fix| FixJson { label: plain(&fix.label), changes: &fix.changes, edits }),
        asks: f.asks.map(|id| param(id).key),
    }
}

fn problem<'r>(report: &'r Report, p: &ReadProblem) -> ProblemJson<'r> {
    let spot = report.spot(&p.at);
    let mut problem = serde_json::to_value(p).expect("structs with text keys have a JSON form");
    if let Value::Object(fields) = &mut problem {
        fields.remove("at");
        fields.remove("correction");
    }
    ProblemJson { problem, file: spot.file, line: spot.line, column: spot.column }
}

fn notes(report: &Report) -> Vec<NoteJson<'_>> {
    let of_files =
        report.notes.iter().map(|message| NoteJson { message, file: None, line: None, column: None });
    let of_reader = report.audit.configuration.notes.iter().map(|note| {
        let spot = report.spot(&note.at);
        NoteJson {
            message: &note.message,
            file: Some(spot.file),
            line: Some(spot.line),
            column: Some(spot.column),
        }
    });
    of_files.chain(of_reader).collect()
}

/// The whole scenario where rate and latency are known, else the inputs that were given, else null.
fn scenario(report: &Report) -> Value {
    let Some(scenario) = report.asked.scenario().filter(|_| !report.asked.is_empty()) else {
        return Value::Null;
    };
    let whole = serde_json::to_value(scenario).expect("structs with text keys have a JSON form");
    if report.asked.is_complete() {
        return whole;
    }
    let mut given = Value::Object(serde_json::Map::new());
    for (id, _) in report.asked.draft().entries() {
        let path = param(id).path;
        let value = path.iter().try_fold(&whole, |at, key| at.get(key));
        if let Some(value) = value {
            let mut at = &mut given;
            for key in path {
                at = &mut at[*key];
            }
            *at = value.clone();
        }
    }
    given
}
