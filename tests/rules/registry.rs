//! The registry: codes, names, files, metadata, coverage.

use super::cases;
use headroom::engine::rules::{RULES, RuleMeta, Severity};
use std::collections::BTreeSet;

/// Files of the folder that hold no rule.
const NO_RULES: [&str; 5] = ["mod", "finding", "fixes", "registry", "tests"];

#[test]
fn codes_and_names_are_unique_and_sorted() {
    let codes: Vec<&str> = RULES.iter().map(|rule| rule.meta.code).collect();
    assert!(codes.windows(2).all(|pair| pair[0] < pair[1]), "{codes:?}");
    let names: BTreeSet<&str> = RULES.iter().map(|rule| rule.meta.name).collect();
    assert_eq!(names.len(), RULES.len());
    for code in codes {
        let number: u32 = code.strip_prefix("HR").and_then(|n| n.parse().ok()).expect("HR and a number");
        assert!((100..600).contains(&number) || (900..1000).contains(&number), "{code} is in no block");
    }
}

#[test]
fn every_rule_has_a_file_of_its_name_and_every_file_is_registered() {
    let files: BTreeSet<String> = std::fs::read_dir("src/engine/rules")
        .expect("the sources are here")
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .map(|file| file.trim_end_matches(".rs").to_owned())
        .filter(|file| !NO_RULES.contains(&file.as_str()))
        .collect();
    let rules: BTreeSet<String> = RULES.iter().map(|rule| rule.meta.name.replace('-', "_")).collect();
    assert_eq!(files, rules);
    for rule in RULES {
        let path = format!("src/engine/rules/{}.rs", rule.meta.name.replace('-', "_"));
        let text = std::fs::read_to_string(&path).expect("a file just listed");
        let first = format!("//! `{} {}`:", rule.meta.code, rule.meta.name);
        assert!(text.starts_with(&first), "{path} does not start with {first}");
    }
}

#[test]
fn every_rule_explains_itself() {
    for rule in RULES {
        explains_itself(&rule.meta);
    }
}

/// What holds for the metadata of every rule.
#[track_caller]
pub fn explains_itself(meta: &RuleMeta) {
    assert!(meta.summary.len() > 20 && meta.summary.len() < 90, "{}: {}", meta.code, meta.summary);
    assert!(!meta.summary.ends_with('.'), "{}: {}", meta.code, meta.summary);
    assert!(meta.rationale.len() > 100 && meta.rationale.ends_with('.'), "{}: {}", meta.code, meta.rationale);
    for text in [meta.summary, meta.rationale] {
        assert!(!text.contains("  "), "{}: a line break left its spaces", meta.code);
        assert!(text.matches('`').count().is_multiple_of(2), "{}: {text}", meta.code);
    }
    assert!(!meta.sources.is_empty() && meta.sources.iter().all(|source| source.len() > 10), "{}", meta.code);
}

#[test]
fn every_rule_fires_somewhere_and_is_silent_somewhere() {
    let cases = cases::all();
    let fired: Vec<BTreeSet<&str>> =
        cases.iter().map(|s| cases::answer(s).findings.iter().map(|f| f.code).collect()).collect();
    for rule in RULES {
        let code = rule.meta.code;
        assert!(fired.iter().any(|codes| codes.contains(code)), "{code} {} never fires", rule.meta.name);
        assert!(fired.iter().any(|codes| !codes.contains(code)), "{code} {} always fires", rule.meta.name);
    }
    assert!(fired[0].is_empty(), "the calm case is not calm: {:?}", fired[0]);
}

#[test]
fn the_worst_comes_first() {
    for s in cases::all() {
        let order: Vec<(Severity, &str)> =
            cases::answer(&s).findings.iter().map(|f| (f.severity, f.code)).collect();
        assert!(order.is_sorted(), "{order:?}");
    }
}
