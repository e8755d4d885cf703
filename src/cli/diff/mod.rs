//! `headroom diff`: two scenarios, or two policies, in; what differs, out.

mod checks;
mod sides;

use crate::args;
use crate::base;
use crate::output::write;
use crate::problems::Complaint;
use crate::request::{choice, truth};
use crate::words::Words;
use headroom::engine::analysis::Analysis;
use headroom::engine::analyze;
use headroom::engine::params::PARAMS;
use headroom::engine::sim::FaultTable;
use headroom::engine::sim::matrix::Matrix;
use headroom::review::compare::{Comparison, Side, compare};
use headroom::review::{markdown, text};
use serde::Serialize;
use std::process::ExitCode;

/// Exit code of sides that differ.
const DIFFERENT: u8 = 1;

/// How the answer is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Text,
    Json,
    Markdown,
}

fn format(word: &str) -> Option<Format> {
    match word {
        "text" => Some(Format::Text),
        "json" => Some(Format::Json),
        "markdown" => Some(Format::Markdown),
        _ => None,
    }
}

/// Answers the words.
///
/// # Errors
///
/// Everything that makes the input unusable.
pub fn run(mut words: Words) -> Result<ExitCode, Vec<Complaint>> {
    let mut complaints = std::mem::take(&mut words.complaints);
    let words = &words;
    let wanted = choice(words, args::OUTPUT, &args::DIFF_OUTPUTS, format, &mut complaints);
    let is_silent = truth(words, args::NO_SIMULATION, &mut complaints);
    let traffic = traffic(words, &mut complaints);
    let sides = sides::read(words, traffic.as_ref(), &mut complaints);
    let (Some([a, b]), true) = (sides, complaints.is_empty()) else { return Err(complaints) };
    let faults = (!is_silent && a.has_traffic && b.has_traffic).then(|| faults(&a, &b));
    let comparison = compare(&a, &b, faults);
    let answer = match wanted.unwrap_or(Format::Text) {
        Format::Text => text::write(&comparison.document()),
        Format::Markdown => markdown::write(&comparison.document()),
        Format::Json => json(&comparison),
    };
    Ok(match write(&answer) {
        Err(code) => code,
        Ok(()) if comparison.same => ExitCode::SUCCESS,
        Ok(()) => ExitCode::from(DIFFERENT),
    })
}

/// The traffic that configurations are compared under; none where nothing is said of it.
fn traffic(words: &Words, complaints: &mut Vec<Complaint>) -> Option<Analysis> {
    let is_said = words.file().is_some()
        || words.has(args::PRESET)
        || !words.unusable.is_empty()
        // A name alone picks a cluster.
        || PARAMS.iter().any(|p| p.key != "name" && words.has(p.key));
    if !is_said {
        return None;
    }
    let (draft, base) = base::draft(words, complaints);
    let analysis = draft.check().and_then(|scenario| analyze(&scenario));
    analysis.map_err(|problems| base.complain(words, &problems, complaints)).ok()
}

/// What both cost in ten faults: in one table where the traffic is the same.
fn faults(a: &Side, b: &Side) -> FaultTable {
    let play = |analysis: &Analysis, sides: &[&Side]| {
        let mut matrix = Matrix::new(analysis, sides.iter().map(|side| side.policy.clone()).collect());
        matrix.play();
        FaultTable::of(&matrix, &sides.iter().map(|side| side.name.clone()).collect::<Vec<_>>())
    };
    if a.analysis.scenario == b.analysis.scenario {
        return play(&a.analysis, &[a, b]);
    }
    play(&a.analysis, &[a]).beside(&play(&b.analysis, &[b]), &[&a.name, &b.name])
}

/// The comparison as data.
#[derive(Serialize)]
struct Answer<'a> {
    #[serde(flatten)]
    comparison: &'a Comparison,
    faults: Vec<Costs<'a>>,
    lines: Vec<String>,
}

/// What a fault costs both: goodput lost, refused, recovered, in words.
#[derive(Serialize)]
struct Costs<'a> {
    fault: &'a str,
    a: Option<&'a [String]>,
    b: Option<&'a [String]>,
}

fn json(comparison: &Comparison) -> String {
    let rows = comparison.faults.iter().flat_map(|table| &table.rows);
    let cost = |costs: &'_ [Option<Vec<String>>], at: usize| costs.get(at).cloned().flatten();
    let costs: Vec<_> = rows.clone().map(|row| (cost(&row.costs, 0), cost(&row.costs, 1))).collect();
    let faults =
        rows.zip(&costs).map(|(row, (a, b))| Costs { fault: &row.title, a: a.as_deref(), b: b.as_deref() });
    let lines = comparison.lines.iter().map(|(mark, text)| format!("{}{text}", mark.sign()));
    let answer = Answer { comparison, faults: faults.collect(), lines: lines.collect() };
    let text = serde_json::to_string_pretty(&answer).expect("structs with text keys have a JSON form");
    format!("{text}\n")
}
