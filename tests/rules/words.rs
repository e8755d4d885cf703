//! The words: style of messages, grammar of the sentence.

use super::cases::{self, any_scenario};
use headroom::engine::analysis::Analysis;
use headroom::engine::rules::Finding;
use proptest::prelude::*;

/// Texts that would betray a number that went wrong or a noun in the wrong form.
const NEVER: [&str; 12] = [
    "NaN",
    "inf",
    "∞",
    "-0",
    " 1 proxies",
    " 1 hosts",
    " 1 retries",
    " 1 requests",
    "one hosts",
    "0 in -",
    "  ",
    "{}",
];

fn check_finding(f: &Finding) {
    let first = f.message.chars().next().expect("a message says something");
    assert!(!first.is_uppercase(), "{}: {}", f.code, f.message);
    assert!(f.message.chars().any(|c| c.is_ascii_digit()), "{} has no number: {}", f.code, f.message);
    assert!(f.message.chars().count() <= 200, "{} is long: {}", f.code, f.message);
    assert!(!f.fields.is_empty(), "{}", f.code);
    for text in [&f.message, &f.consequence, &f.help] {
        assert!(!text.is_empty() && !text.ends_with('.') && !text.contains('!'), "{}: {text}", f.code);
        assert!(text.matches('`').count().is_multiple_of(2), "{}: {text}", f.code);
        check_text(text);
    }
}

#[track_caller]
fn check_text(text: &str) {
    for bad in NEVER {
        assert!(!text.contains(bad), "“{bad}” in: {text}");
    }
}

fn check_headline(a: &Analysis) {
    let h = &a.headline;
    let sentence = h.sentence_text();
    check_text(&sentence);
    check_text(&h.reason_text());
    assert!(sentence.starts_with(char::is_uppercase) && sentence.ends_with('.'), "{sentence}");
    assert!(h.reason_text().ends_with('.') && !h.status_text.ends_with('.'), "{h:?}");
    let n_strong = h.sentence.iter().filter(|piece| piece.strong).count();
    assert!((1..=4).contains(&n_strong), "{n_strong} strong numbers: {sentence}");
    for way in &a.ways_out {
        assert!(!way.label.ends_with('.') && !way.effect.is_empty(), "{way:?}");
    }
}

#[test]
fn every_case_is_well_said() {
    for s in cases::all() {
        let analysis = cases::answer(&s);
        analysis.findings.iter().for_each(check_finding);
        check_headline(&analysis);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn everything_is_well_said(s in any_scenario()) {
        let analysis = cases::answer(&s);
        analysis.findings.iter().for_each(check_finding);
        check_headline(&analysis);
    }
}
