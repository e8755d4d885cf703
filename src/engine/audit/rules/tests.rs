//! What the tests of the rules share.

use super::Rule;
use crate::engine::audit::{Asked, Audit, Finding, audit};
use crate::engine::params::by_key;
use crate::engine::read::read;
use crate::engine::read::source::Input;
use crate::engine::scenario::Draft;

/// The inputs `rps=600 p50=100`.
pub fn asked(inputs: &str) -> Asked {
    let mut draft = Draft::default();
    for pair in inputs.split_whitespace() {
        let (key, value) = pair.split_once('=').expect("an input is key=value");
        draft.set(by_key(key).expect("an input that exists").id, value);
    }
    Asked::new(draft).unwrap_or_else(|problems| panic!("{inputs}: {problems:?}"))
}

/// The audit of a text for these inputs.
pub fn judge(text: &str, inputs: &str) -> Audit {
    audit(read(&[Input::new("test.yaml", text)]), &asked(inputs))
}

/// What a rule finds in a text for these inputs.
pub fn findings(rule: &Rule, text: &str, inputs: &str) -> Vec<Finding> {
    judge(text, inputs).findings.into_iter().filter(|f| f.code == rule.meta.code).collect()
}

/// Whether a rule fires.
pub fn fires(rule: &Rule, text: &str, inputs: &str) -> bool {
    !findings(rule, text, inputs).is_empty()
}

/// The only finding of a rule.
#[track_caller]
pub fn finding(rule: &Rule, text: &str, inputs: &str) -> Finding {
    let mut found = findings(rule, text, inputs);
    assert_eq!(found.len(), 1, "{} on {text}: {found:#?}", rule.meta.name);
    found.remove(0)
}
