//! What is in force in a pasted text, for the simulator: its module has no reader.

use crate::engine::analyze;
use crate::engine::params::ParamId;
use crate::engine::read::read;
use crate::engine::read::source::Input;
use crate::engine::scenario::{Draft, Problem};
use crate::engine::sim::{Pasted, Policy};
use serde::Serialize;

/// The answer, written without the detour of a tree: this module has a budget.
#[derive(Serialize)]
#[serde(untagged)]
enum Answer {
    Read { policy: Box<Policy>, cluster: String, route: Option<String> },
    Unusable { problems: Vec<String> },
}

/// The policy of the texts for that scenario as JSON: `{policy, cluster, route}`, or `{problems}`.
pub fn policy(files: &[Input], inputs: &[(ParamId, String)]) -> String {
    let answer = match find(files, inputs) {
        Ok(Pasted { policy, cluster, route, .. }) => {
            Answer::Read { policy: Box::new(policy), cluster, route }
        }
        Err(problems) => {
            Answer::Unusable { problems: problems.into_iter().map(|problem| problem.message).collect() }
        }
    };
    // Only maps with other keys than texts cannot be written.
    serde_json::to_string(&answer).unwrap_or_default()
}

fn find(files: &[Input], inputs: &[(ParamId, String)]) -> Result<Pasted, Vec<Problem>> {
    let mut draft = Draft::default();
    for (id, text) in inputs {
        draft.set(*id, text.clone());
    }
    // Problems of the scenario are shown where it is typed.
    let analysis = draft.check().and_then(|scenario| analyze(&scenario)).map_err(|_| {
        vec![Problem {
            field: "scenario".to_owned(),
            value: String::new(),
            message: "The text is read once the inputs of the scenario are corrected.".to_owned(),
        }]
    })?;
    Policy::from_configuration(&read(files), &analysis)
}
