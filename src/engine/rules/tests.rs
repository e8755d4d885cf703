//! What the tests of the rules share: a calm scenario and changes to it.

use super::{Context, Finding, Rule};
use crate::engine::params::by_key;
use crate::engine::scenario::{Draft, Scenario};
use crate::engine::sizing::size;
use crate::engine::ways_out::ways;

/// A scenario about which no rule has anything to say; what a test changes stands out.
const CALM: &str = "rps=600 p50=100 p99=200 clients=2 hosts=8 host_concurrency=400 idempotent=true \
                    deadline_ms=2500 upstream_keepalive_s=75";

/// The calm scenario with changes: `hosts=3 p99=`.
pub fn scenario(changes: &str) -> Scenario {
    let mut draft = Draft::default();
    for pair in CALM.split_whitespace().chain(changes.split_whitespace()) {
        let (key, value) = pair.split_once('=').expect("a change is key=value");
        draft.set(by_key(key).expect("a change names an input").id, value);
    }
    draft.check().unwrap_or_else(|problems| panic!("{changes}: {problems:?}"))
}

/// What a rule finds in the calm scenario with changes.
#[track_caller]
pub fn findings(rule: &Rule, changes: &str) -> Vec<Finding> {
    let scenario = scenario(changes);
    let sizing = size(&scenario).unwrap_or_else(|problems| panic!("{changes}: {problems:?}"));
    (rule.check)(&Context { scenario: &scenario, sizing: &sizing, ways: &ways(&scenario, &sizing) })
}

/// Whether a rule fires.
#[track_caller]
pub fn fires(rule: &Rule, changes: &str) -> bool {
    !findings(rule, changes).is_empty()
}

/// The only finding of a rule.
#[track_caller]
pub fn finding(rule: &Rule, changes: &str) -> Finding {
    let mut found = findings(rule, changes);
    assert_eq!(found.len(), 1, "{} on {changes}: {found:?}", rule.meta.name);
    found.remove(0)
}

#[test]
fn no_rule_fires_on_the_calm_scenario() {
    for rule in super::RULES {
        assert!(!fires(rule, ""), "{}: {:?}", rule.meta.name, findings(rule, ""));
    }
}
