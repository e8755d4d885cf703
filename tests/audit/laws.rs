//! What holds of every configuration and all its fixes.

use crate::generate::{gateway, generated, istio, with_slips};
use crate::support::{all_words, asked};
use headroom::engine::audit::edit::{apply_all, preview};
use headroom::engine::audit::{Audit, audit};
use headroom::engine::read::config::Effect;
use headroom::engine::read::{read, source::Input};
use headroom::engine::rules::Severity;
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Findings at Warning or Error that a fix is offered for.
fn due(audit: &Audit) -> Vec<String> {
    let is_due = |f: &&headroom::engine::audit::Finding| f.fix.is_some() && f.severity <= Severity::Warning;
    audit
        .findings
        .iter()
        .filter(is_due)
        .map(|f| format!("{} line {}: {} {:?}", f.code, f.at.line(), all_words(f), f.fix))
        .collect()
}

fn rejected(audit: &Audit) -> Vec<String> {
    let problems = &audit.configuration.problems;
    problems
        .iter()
        .filter(|p| p.effect <= Effect::Unread)
        .map(|p| format!("line {}: {}", p.at.line(), p.message))
        .collect()
}

/// What of the way a text is written did not survive its fixes.
fn style_lost(before: &str, after: &str) -> Option<&'static str> {
    let json =
        |text: &str| serde_json::from_str::<serde_json::Value>(text.trim_start_matches('\u{feff}')).is_ok();
    let lone_breaks = |text: &str| text.matches('\n').count() - text.matches("\r\n").count();
    let mark = |text: &str| text.starts_with('\u{feff}');
    if json(before) && !json(after) {
        return Some("it was JSON");
    }
    if lone_breaks(before) == 0 && before.contains('\n') && lone_breaks(after) > 0 {
        return Some("lines ended with CR LF");
    }
    if mark(before) != mark(after) {
        return Some("the byte order mark");
    }
    after
        .lines()
        .any(|line| line.ends_with(' ') && !before.contains(line))
        .then_some("space at the end of a line")
}

/// Checks the configuration of a seed; what is wrong with it.
fn check(seed: u64) -> Result<(), String> {
    let bad = match seed % 8 {
        6 => istio(seed),
        7 => gateway(seed),
        _ => generated(seed, 3),
    };
    let asked = asked(&bad.asked);
    let inputs = [Input::new("bad.yaml", bad.text.as_str())];
    let first = audit(read(&inputs), &asked);
    let told = |what: &str, list: Vec<String>, text: &str| {
        Err(format!(
            "seed {seed} ({}): {what}\n{}\n----\n{}\n----\n{text}",
            bad.asked,
            list.join("\n"),
            bad.text
        ))
    };
    if !rejected(&first).is_empty() {
        return told("the generator's own text is refused", rejected(&first), "");
    }
    for at in 0..first.findings.len() {
        if first.findings[at].fix.is_some()
            && let Err(why) = preview(&inputs, &first, at)
        {
            return told("a fix is refused", vec![why, format!("{:#?}", first.findings[at])], "");
        }
    }
    let (fixed, left) = apply_all(&inputs, &asked);
    if !rejected(&left).is_empty() {
        return told("refused after all fixes", rejected(&left), &fixed[0].text);
    }
    if !due(&left).is_empty() {
        return told("left after all fixes", due(&left), &fixed[0].text);
    }
    if let Some(why) = style_lost(&bad.text, &fixed[0].text) {
        return told("style lost", vec![why.to_owned()], &fixed[0].text);
    }
    if apply_all(&fixed, &asked).0 != fixed {
        return told("not at rest", Vec::new(), &fixed[0].text);
    }
    Ok(())
}

proptest! {
    // A seed says everything; it is in the message.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(150) })]
    #[test]
    fn all_fixes_together_leave_nothing_to_fix(seed in any::<u64>()) {
        if let Err(why) = check(seed) {
            return Err(TestCaseError::fail(why));
        }
    }

    #[test]
    fn fixes_of_a_text_that_is_refused_make_it_no_worse(seed in any::<u64>()) {
        if let Err(why) = check_slips(seed) {
            return Err(TestCaseError::fail(why));
        }
    }
}

/// Checks a configuration that Envoy refuses; what is wrong with it.
fn check_slips(seed: u64) -> Result<(), String> {
    let bad = with_slips(seed);
    let asked = asked(&bad.asked);
    let inputs = [Input::new("bad.yaml", bad.text.as_str())];
    // A block under a name that nobody knew is read once it has the right one, with its slips.
    let unread = |audit: &Audit| {
        let problems = audit.configuration.problems.iter();
        problems.filter(|p| p.effect == Effect::Unread).map(|p| p.message.clone()).collect::<Vec<_>>()
    };
    let before = unread(&audit(read(&inputs), &asked));
    let (fixed, left) = apply_all(&inputs, &asked);
    let after = unread(&left);
    let told = |what: &str, list: &[String]| {
        Err(format!(
            "seed {seed} ({}): {what}\n{}\n----\n{}\n----\n{}",
            bad.asked,
            list.join("\n"),
            bad.text,
            fixed[0].text
        ))
    };
    if after.len() > before.len() {
        return told("no longer read", &after);
    }
    if !due(&left).is_empty() {
        return told("left after all fixes", &due(&left));
    }
    Ok(())
}

/// Many seeds, for a look at everything that is wrong at once: `HEADROOM_SEEDS=1000`.
#[test]
fn many_seeds() {
    let n: u64 = std::env::var("HEADROOM_SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(50);
    // By the rule, and by what is wrong.
    let mut kinds: BTreeMap<String, (usize, String)> = BTreeMap::new();
    let slips = (0..n).step_by(2).filter_map(|seed| check_slips(seed).err());
    for wrong in (0..n).filter_map(|seed| check(seed).err()).chain(slips) {
        let what = wrong.lines().next().and_then(|line| line.rsplit("): ").next()).unwrap_or_default();
        let code = wrong.split("HR").nth(1).and_then(|rest| rest.get(..3)).unwrap_or("   ");
        kinds.entry(format!("HR{code} {what}")).or_insert((0, wrong)).0 += 1;
    }
    let list: Vec<String> = kinds.iter().map(|(kind, (n, _))| format!("{n:>5} {kind}")).collect();
    let first: Vec<&str> = kinds.values().map(|(_, wrong)| wrong.as_str()).collect();
    assert!(kinds.is_empty(), "of {n}:\n{}\n\n{}", list.join("\n"), first.join("\n\n================\n"));
}
