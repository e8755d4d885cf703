//! The answer as data. The top level is the first run of the first policy; whatever is beyond it has
//! keys of its own.

use super::{Answer, Played};
use headroom::engine::sim::compare::{PolicyName, Row, Spread, rows};
use headroom::engine::sim::verdict::Verdict;
use headroom::engine::sim::{Latency, Policy, Recovery, Report, Shares, Window};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// The whole answer.
pub fn document(answer: &Answer) -> String {
    let Some(first) = answer.played.first().and_then(|played| Some((played, played.reports.first()?))) else {
        return "{}\n".to_owned();
    };
    let several = answer.played.len() > 1 || first.0.reports.len() > 1;
    let document = Document {
        report: first.1,
        policy: Used::of(first.0),
        compared_with: answer.played.get(1).map(Used::of),
        faults: serde_json::from_str(&answer.faults).unwrap_or_default(),
        verdict: &answer.verdict,
        assumptions: &answer.assumptions,
        measures: if several { measures(answer) } else { Vec::new() },
        runs: if several { answer.played.iter().flat_map(runs).collect() } else { Vec::new() },
    };
    let text = serde_json::to_string_pretty(&document).expect("structs with text keys have a JSON form");
    format!("{text}\n")
}

#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    report: &'a Report,
    policy: Used<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    compared_with: Option<Used<'a>>,
    faults: Value,
    verdict: &'a Verdict,
    assumptions: &'a [String],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    measures: Vec<Compared>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    runs: Vec<Run<'a>>,
}

/// A policy that was played.
#[derive(Serialize)]
struct Used<'a> {
    name: PolicyName,
    settings: &'a Policy,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    notes: &'a [String],
}

impl<'a> Used<'a> {
    fn of(played: &'a Played) -> Self {
        Self { name: played.name, settings: &played.policy, notes: &played.notes }
    }
}

/// A measure over all runs.
#[derive(Serialize)]
struct Compared {
    measure: &'static str,
    #[serde(flatten)]
    of: BTreeMap<&'static str, Spread>,
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<Spread>,
    /// Whether the runs show a difference; absent where one run cannot tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    differs: Option<bool>,
}

fn measures(answer: &Answer) -> Vec<Compared> {
    let [a, rest @ ..] = answer.played.as_slice() else { return Vec::new() };
    let b = rest.first();
    let compared = |row: Row| {
        let of = [(Some(a), row.a), (b, row.b)];
        let of =
            of.into_iter().filter_map(|(played, spread)| Some((played?.name.as_str(), spread?))).collect();
        Compared { measure: row.measure.key, of, difference: row.difference, differs: row.differs() }
    };
    rows(&a.reports, b.map(|b| b.reports.as_slice())).into_iter().map(compared).collect()
}

/// A run without what goes over time.
#[derive(Serialize)]
struct Run<'a> {
    policy: PolicyName,
    seed: u64,
    requests: u64,
    counters: &'a BTreeMap<&'static str, u64>,
    latency_ms: Latency,
    goodput: f64,
    refused: f64,
    outcomes: Shares,
    amplification: f64,
    windows: &'a [Window],
    recovery: Option<Recovery>,
    host_in_flight_max: f64,
}

fn runs(played: &Played) -> impl Iterator<Item = Run<'_>> {
    played.reports.iter().map(|r| Run {
        policy: played.name,
        seed: r.seed,
        requests: r.requests,
        counters: &r.counters,
        latency_ms: r.latency_ms,
        goodput: r.goodput,
        refused: r.refused,
        outcomes: r.outcomes,
        amplification: r.amplification,
        windows: &r.windows,
        recovery: r.recovery,
        host_in_flight_max: r.host_in_flight_max,
    })
}
