//! A fix silences the rule that offers it, and a way out makes room.

use super::cases::{self, any_scenario};
use headroom::engine::analysis::{Analysis, FieldChange};
use headroom::engine::params::by_key;
use headroom::engine::rules::Fix;
use headroom::engine::scenario::{Draft, Scenario};
use proptest::prelude::*;

/// The scenario as the form would have it after a button was pressed.
fn applied(s: &Scenario, change: &FieldChange) -> Scenario {
    let mut draft = Draft::of(s);
    draft.set(by_key(change.field).expect("a fix names an input").id, change.value.clone());
    draft.check().unwrap_or_else(|problems| panic!("{change:?} on {s:?}: {problems:?}"))
}

fn check_fixes(s: &Scenario, analysis: &Analysis) {
    for finding in &analysis.findings {
        let Some((label, fix)) = &finding.fix else { continue };
        assert!(!label.is_empty() && label.chars().count() <= 24, "{}: {label}", finding.code);
        match fix {
            Fix::SetInput(change) => {
                let after = cases::answer(&applied(s, change));
                let still = after.findings.iter().find(|f| f.code == finding.code);
                assert!(still.is_none(), "{} after “{label}” on {s:?}: {still:?}", finding.code);
            }
            Fix::AskInput { field } => {
                let id = by_key(field).expect("a fix names an input").id;
                assert!(Draft::of(s).get(id).is_empty(), "{} asks for {field}, which is known", finding.code);
            }
        }
    }
}

fn check_ways_out(s: &Scenario, before: &Analysis) {
    let troubled = before.thresholds.len() > 1 || before.window.is_shut() || before.window.is_tight();
    assert!(troubled || before.ways_out.is_empty(), "{:?} on {s:?}", before.ways_out);
    // In the trap a change may make room for the healthy peak only.
    let trapped = before.findings.iter().any(|f| f.code == "HR501");
    for change in before.ways_out.iter().filter_map(|way| way.set.as_ref()) {
        let after = cases::answer(&applied(s, change));
        let now = &after.window;
        assert!(!now.is_shut(), "{change:?} on {s:?}: {now:?}");
        assert!(!now.is_tight() || trapped, "{change:?} on {s:?}: {now:?}");
    }
}

#[test]
fn every_fix_of_every_case_silences_its_rule() {
    for s in cases::all() {
        let analysis = cases::answer(&s);
        check_fixes(&s, &analysis);
        check_ways_out(&s, &analysis);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn every_fix_silences_its_rule(s in any_scenario()) {
        let analysis = cases::answer(&s);
        check_fixes(&s, &analysis);
        check_ways_out(&s, &analysis);
    }
}
