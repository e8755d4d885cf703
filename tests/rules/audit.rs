//! The rules of the audit: codes, names, files, metadata, words.

use super::registry::explains_itself;
use super::texts::TEXTS;
use headroom::engine::audit::rules::{self, Rule, breakers, evidence, outlier, reading, retries, timeouts};
use headroom::engine::audit::{Asked, Finding, audit};
use headroom::engine::params::by_key;
use headroom::engine::read::{read, source::Input};
use headroom::engine::rules::RULES;
use headroom::engine::scenario::Draft;
use std::collections::BTreeSet;

/// Folders with a file a rule; `reading` is one table.
const FOLDERS: [(&str, &[&Rule]); 5] = [
    ("breakers", breakers::RULES),
    ("evidence", evidence::RULES),
    ("outlier", outlier::RULES),
    ("retries", retries::RULES),
    ("timeouts", timeouts::RULES),
];

/// Files that hold no rule by themselves: what several rules of the folder share.
fn is_shared(path: &std::path::Path) -> bool {
    let text = std::fs::read_to_string(path).expect("a file just listed");
    !text.contains("pub static RULE: Rule")
}

#[test]
fn codes_and_names_are_unique_in_both_registries() {
    let metas: Vec<_> = RULES.iter().map(|r| r.meta).chain(rules::all().map(|r| r.meta)).collect();
    let codes: BTreeSet<&str> = metas.iter().map(|meta| meta.code).collect();
    let names: BTreeSet<&str> = metas.iter().map(|meta| meta.name).collect();
    let twice = |word: fn(&headroom::engine::rules::RuleMeta) -> &'static str| {
        let mut seen = BTreeSet::new();
        metas.iter().map(word).filter(|w| !seen.insert(*w)).collect::<Vec<_>>()
    };
    assert_eq!((codes.len(), twice(|m| m.code)), (metas.len(), Vec::new()));
    assert_eq!((names.len(), twice(|m| m.name)), (metas.len(), Vec::new()));
    // Side by side in a list, what is said of two rules must tell them apart.
    assert_eq!(twice(|m| m.summary), Vec::<&str>::new());
}

#[test]
fn rules_are_sorted_within_their_block() {
    let all = FOLDERS.into_iter().chain([("reading", reading::RULES)]);
    for (folder, rules) in all {
        let codes: Vec<&str> = rules.iter().map(|rule| rule.meta.code).collect();
        assert!(codes.windows(2).all(|pair| pair[0] < pair[1]), "{folder}: {codes:?}");
        for code in codes {
            let number: u32 = code.strip_prefix("HR").and_then(|n| n.parse().ok()).expect("HR and a number");
            assert!((100..700).contains(&number) || (900..1000).contains(&number), "{code} is in no block");
            assert_eq!(folder == "reading", number >= 900, "{code} is in {folder}");
        }
    }
    let registered = FOLDERS.iter().map(|(_, rules)| rules.len()).sum::<usize>() + reading::RULES.len();
    assert_eq!(rules::all().count(), registered, "a folder is not part of rules::all()");
}

#[test]
fn every_rule_has_a_file_of_its_name_and_every_file_is_registered() {
    for (folder, rules) in FOLDERS {
        let path = format!("{}/src/engine/audit/rules/{folder}", env!("CARGO_MANIFEST_DIR"));
        let files: BTreeSet<String> = std::fs::read_dir(&path)
            .expect("the sources are here")
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|e| e == "rs") && !is_shared(path))
            .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
            .collect();
        let names: BTreeSet<String> = rules.iter().map(|rule| rule.meta.name.replace('-', "_")).collect();
        assert_eq!(files, names, "{folder}");
        for rule in rules {
            let file = format!("{path}/{}.rs", rule.meta.name.replace('-', "_"));
            let text = std::fs::read_to_string(&file).expect("a file just listed");
            let first = format!("//! `{} {}`:", rule.meta.code, rule.meta.name);
            assert!(text.starts_with(&first), "{file} does not start with {first}");
            assert!(text.contains("#[cfg(test)]"), "{file} has no tests");
        }
    }
}

#[test]
fn every_rule_explains_itself() {
    for rule in rules::all() {
        explains_itself(&rule.meta);
    }
}

/// Texts that would betray a number that went wrong or a noun in the wrong form.
const NEVER: [&str; 9] =
    ["NaN", "inf ", "∞", " 1 proxies", " 1 hosts", " 1 retries", "one hosts", "  ", "{}"];

fn check_words(f: &Finding) {
    // Flags of Envoy are capitals (`UF,UO`), and names are names.
    const NAMES: [&str; 5] = ["Envoy", "Istio", "Linkerd", "Contour", "Consul"];
    let mut start = f.message.chars().take(2);
    let is_capital =
        start.next().is_some_and(char::is_uppercase) && start.next().is_some_and(char::is_lowercase);
    let is_name = NAMES.iter().any(|name| f.message.starts_with(name));
    assert!(!is_capital || is_name || f.code.starts_with("HR9"), "{}: {}", f.code, f.message);
    for text in [&f.message, &f.consequence, &f.help] {
        assert!(!text.is_empty() && !text.ends_with('.') && !text.contains('!'), "{}: {text}", f.code);
        assert!(text.matches('`').count().is_multiple_of(2), "{}: {text}", f.code);
        for bad in NEVER {
            assert!(!text.contains(bad), "{} says “{bad}”: {text}", f.code);
        }
    }
    assert!(f.message.chars().count() <= 240, "{} is long: {}", f.code, f.message);
    assert!(f.at.line() >= 1, "{} has no place", f.code);
    if let Some(fix) = &f.fix {
        let length = fix.label.chars().count();
        assert!((1..=60).contains(&length) && !fix.changes.is_empty(), "{}: {}", f.code, fix.label);
    }
}

/// What is found in a text for inputs such as `rps=500 mean=40`.
pub fn findings(text: &str, inputs: &str) -> Vec<Finding> {
    let mut draft = Draft::default();
    for pair in inputs.split_whitespace() {
        let (key, value) = pair.split_once('=').expect("an input is key=value");
        draft.set(by_key(key).expect("an input of the table").id, value);
    }
    let asked = Asked::new(draft).unwrap_or_else(|problems| panic!("{inputs}: {problems:?}"));
    audit(read(&[Input::new("test.yaml", text)]), &asked).findings
}

#[test]
fn everything_is_well_said() {
    const INPUTS: [&str; 4] = [
        "",
        "rps=500 p50=35 p99=110 clients=100 hosts=10 host_concurrency=64 deadline_ms=1000",
        "rps=5 stream_mean=300 protocol=grpc_stream clients=4 hosts=6",
        "rps=1 p50=100 clients=1 hosts=1 workers=1 idempotent=true",
    ];
    for (_, inputs, text) in TEXTS {
        findings(text, inputs).iter().for_each(check_words);
    }
    let samples = format!("{}/tests/samples", env!("CARGO_MANIFEST_DIR"));
    for entry in std::fs::read_dir(samples).expect("the samples are here") {
        let bytes = std::fs::read(entry.expect("a folder lists its entries").path()).expect("a sample");
        let text = Input::from_bytes("sample", &bytes).text;
        for inputs in INPUTS {
            findings(&text, inputs).iter().for_each(check_words);
        }
    }
}
