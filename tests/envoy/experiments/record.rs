//! The recorded numbers: `tests/vectors/envoy/LETTER.json`, a file for each group.

use super::bars::Summary;
use super::case::Case;
use super::groups::Group;
use super::run::Run;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A file.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Recorded {
    pub title: String,
    /// How the numbers came about.
    pub method: Vec<String>,
    pub cases: Vec<RecordedCase>,
}

/// What was measured of a case.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RecordedCase {
    /// The case as it was then.
    pub case: Value,
    /// Release of the proxy.
    pub envoy: String,
    /// The day.
    pub recorded: String,
    /// What is compared.
    pub measures: BTreeMap<String, Summary>,
    pub runs: Vec<Run>,
}

const METHOD: [&str; 8] = [
    "A real Envoy as proxy, started cold for each run. Command: RECORD=<start of the ids, with commas between> .ci/with .ci/test envoy",
    "Load: open loop over HTTP/1.1 with keep-alive, 240 connections dealt out evenly to the workers. Seed k gives the same arrivals in every run.",
    "Hosts: threads that sleep for the time in service of an attempt and then answer. Time and failure depend on seed, request and attempt alone.",
    "A run in which more than 1 of 100 requests left later than 5 ms after it was due, or (where latest_ms is noted) one later than 25 ms, or hosts took longer than asked for by more than 1 ms (beside chance), is thrown away and done again. These were measured on two shared cores, with raised priority (nice, chrt).",
    "Counters are those of Envoy's admin interface at the end of a run, when all requests have ended. attempts are counted by the hosts. refused are 503 with x-envoy-overloaded, and must equal Envoy's own overflow counters.",
    "service_ms is the mean that hosts measured for an attempt, connect_ms the mean of Envoy's upstream_cx_connect_ms; that is cut to whole milliseconds, so half of one is added, and counted in bins of two digits.",
    "Spans of a case are in milliseconds; load.seconds in seconds, load.rate a second.",
    "sigma is the standard deviation of one run over the runs of the case.",
];

impl Recorded {
    /// Of a group; empty while there is none.
    pub fn load(group: &Group) -> Self {
        let Ok(text) = fs::read_to_string(path(group)) else { return Self::default() };
        serde_json::from_str(&text).expect("recorded numbers are JSON of this form")
    }

    /// What was recorded of a case as it is now.
    ///
    /// # Panics
    /// When there is nothing, or of a case that was another one.
    pub fn of(&self, case: &Case) -> &RecordedCase {
        let recorded = self.cases.iter().find(|recorded| recorded.case["id"] == case.id.as_str());
        let recorded = recorded.unwrap_or_else(|| panic!("{} is not recorded: RECORD={0}", case.id));
        assert_eq!(recorded.case, declared(case), "{} was another one: RECORD={0}", case.id);
        recorded
    }

    /// Puts in what was measured, in the order of the group, and writes the file.
    pub fn update(group: &Group, measured: &[(&Case, Vec<Run>, String)]) {
        let old = Self::load(group);
        let cases = group.cases.iter().filter_map(|case| {
            let new = measured.iter().find(|(of, ..)| of.id == case.id);
            match new {
                Some((case, runs, envoy)) => Some(RecordedCase::new(case, runs, envoy)),
                None => old.cases.iter().find(|recorded| recorded.case["id"] == case.id.as_str()).cloned(),
            }
        });
        let file = Self {
            title: group.title.to_owned(),
            method: METHOD.map(str::to_owned).into(),
            cases: cases.collect(),
        };
        let text = serde_json::to_string_pretty(&file).expect("plain data");
        fs::write(path(group), text + "\n").expect("the vectors can be written");
    }
}

impl RecordedCase {
    fn new(case: &Case, runs: &[Run], envoy: &str) -> Self {
        let summary =
            |measure: &super::case::Measure| (measure.name().to_owned(), Summary::of_runs(runs, *measure));
        Self {
            case: declared(case),
            envoy: envoy.to_owned(),
            recorded: today(),
            measures: case.measures.iter().map(summary).collect(),
            runs: runs.to_vec(),
        }
    }
}

fn declared(case: &Case) -> Value {
    serde_json::to_value(case).expect("plain data")
}

fn path(group: &Group) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/envoy");
    folder.join(format!("{}.json", group.letter))
}

fn today() -> String {
    let date = Command::new("date").args(["-u", "+%F"]).output().expect("there is a clock");
    String::from_utf8_lossy(&date.stdout).trim().to_owned()
}
