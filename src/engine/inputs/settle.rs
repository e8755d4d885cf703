//! Values to a scenario: what cannot be is left out, unless a person gave it.

use super::field::{Field, How};
use super::latency::PERCENTILES;
use super::{Inputs, Refusal, Remark};
use crate::engine::params::{ParamId, by_key};
use crate::engine::scenario::{Draft, Problem, Protocol, Scenario};

/// The scenario of a draft, with 1 for a rate or a latency that is missing.
pub fn scenario(draft: &Draft) -> Result<Scenario, Vec<Problem>> {
    let mut draft = draft.clone();
    let has = |draft: &Draft, ids: &[ParamId]| ids.iter().any(|id| !draft.get(*id).is_empty());
    if !has(&draft, &[ParamId::Rps]) {
        draft.set(ParamId::Rps, "1");
    }
    let percentiles = PERCENTILES.map(|(id, _)| id);
    let (mean, needed) = if draft.get(ParamId::Protocol).trim() == Protocol::GrpcStream.as_str() {
        (ParamId::StreamMean, has(&draft, &[ParamId::StreamMean, ParamId::StreamP99]))
    } else {
        (ParamId::Mean, has(&draft, &percentiles) || has(&draft, &[ParamId::Mean]))
    };
    if !needed {
        draft.set(mean, "1");
    }
    draft.check()
}

/// Puts the inputs together.
pub fn settle(
    cluster: Option<String>,
    mut fields: Vec<Field>,
    mut notes: Vec<Remark>,
) -> Result<Inputs, Refusal> {
    loop {
        let mut draft = Draft::default();
        for field in &fields {
            draft.set(field.id, field.value.clone().unwrap_or_default());
        }
        let problems = match scenario(&draft) {
            Ok(scenario) => {
                let needed = draft.check().err().unwrap_or_default();
                return Ok(Inputs { cluster, fields, draft, scenario, needed, notes });
            }
            Err(problems) => problems,
        };
        // Each round drops one at least, or ends.
        if !drop_wrong(&mut fields, &problems, &mut notes) {
            return Err(Refusal::Wrong(problems));
        }
    }
}

/// Leaves out what was read and cannot be.
fn drop_wrong(fields: &mut [Field], problems: &[Problem], notes: &mut Vec<Remark>) -> bool {
    let mut dropped = false;
    for problem in problems {
        let id = by_key(&problem.field).map(|p| p.id);
        let of_text = |f: &&mut Field| Some(f.id) == id && matches!(f.how, How::Read | How::Derived);
        if let Some(field) = fields.iter_mut().find(of_text) {
            // What is calculated goes by another name then.
            if field.id == ParamId::Name {
                let why = problem.message.trim_end_matches('.');
                let message = format!("the name of the cluster is left out: {why}; give --name");
                notes.push(Remark { at: field.places.first().cloned(), message });
            }
            let places = std::mem::take(&mut field.places);
            *field = Field { places, ..Field::missing(field.id, problem.message.trim_end_matches('.')) };
            dropped = true;
        }
    }
    dropped
}
