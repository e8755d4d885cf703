//! Every rule fires somewhere, and is silent somewhere.

use crate::support::{all_words, asked};
use crate::texts::TEXTS;
use headroom::engine::audit::{Audit, audit, rules};
use headroom::engine::read::{read, source::Input};
use std::collections::BTreeSet;
use std::process::{Command, Stdio};

/// The file to which cases write the codes that fired, if they are asked to.
pub const FIRED: &str = "HEADROOM_FIRED";

/// Rules that need more than a small text.
const ELSEWHERE: &[&str] = &[
    // A limit of the reader: `tests/read/limits.rs`.
    "HR904",
];

fn judge(text: &str, inputs: &str) -> Audit {
    audit(read(&[Input::new("text.yaml", text)]), &asked(inputs))
}

fn codes(audit: &Audit) -> BTreeSet<String> {
    audit.findings.iter().map(|f| f.code.to_owned()).collect()
}

#[test]
fn each_text_fires_its_rule() {
    let mut wrong = Vec::new();
    for (code, inputs, text) in TEXTS {
        let audit = judge(text, inputs);
        if !codes(&audit).contains(*code) {
            let found: Vec<String> =
                audit.findings.iter().map(|f| format!("{} {}", f.code, all_words(f))).collect();
            wrong.push(format!("{code} does not fire; fired: {found:#?}\n{text}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(TEXTS.windows(2).all(|pair| pair[0].0 <= pair[1].0), "texts are sorted by code");
}

/// The codes that fire in the cases: they run once more and tell.
fn of_cases() -> BTreeSet<String> {
    let file = std::env::temp_dir().join(format!("headroom-{}-fired", std::process::id()));
    let tests = std::env::current_exe().expect("this program has a path");
    let status = Command::new(tests)
        .args(["cases::", "--test-threads=2"])
        .env(FIRED, &file)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .expect("the tests start again");
    let text = std::fs::read_to_string(&file).unwrap_or_default();
    let _ = std::fs::remove_file(&file);
    assert!(status.success(), "a case fails; it says so by itself");
    text.lines().map(str::to_owned).collect()
}

#[test]
fn every_rule_fires_somewhere_and_is_silent_somewhere() {
    let mut fired = of_cases();
    let mut common: Option<BTreeSet<String>> = None;
    for (_, inputs, text) in TEXTS {
        let codes = codes(&judge(text, inputs));
        common = Some(common.map_or_else(|| codes.clone(), |c| &c & &codes));
        fired.extend(codes);
    }
    let samples = format!("{}/tests/samples", env!("CARGO_MANIFEST_DIR"));
    for entry in std::fs::read_dir(samples).expect("the samples are here") {
        let bytes = std::fs::read(entry.expect("a folder lists its entries").path()).expect("a sample");
        let input = [Input::from_bytes("sample", &bytes)];
        for inputs in ["", "rps=500 p50=35 p99=110 clients=100 hosts=10 host_concurrency=64"] {
            fired.extend(codes(&audit(read(&input), &asked(inputs))));
        }
    }
    let never: Vec<String> = rules::all()
        .filter(|rule| !fired.contains(rule.meta.code) && !ELSEWHERE.contains(&rule.meta.code))
        .map(|rule| format!("{} {}", rule.meta.code, rule.meta.name))
        .collect();
    assert!(never.is_empty(), "add a text to tests/audit/texts.rs for: {never:#?}");
    assert_eq!(common.unwrap_or_default(), BTreeSet::new(), "always fires");
}
