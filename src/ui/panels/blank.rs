//! What an empty input counts as.

use crate::engine::analysis::Analysis;
use crate::engine::params::{Default as ParamDefault, Param, ParamId, Unit};
use crate::engine::units::display;

/// The placeholder of an input: its default, where there is one to name.
pub fn blank(a: &Analysis, p: &Param) -> String {
    match p.default {
        ParamDefault::Number(value) => display::input(value),
        ParamDefault::Word(word) => word.to_owned(),
        ParamDefault::Absent if p.unit != Unit::None => "unknown".to_owned(),
        ParamDefault::Derived(_) => derived_default(a, p.id),
        _ => String::new(),
    }
}

/// A default that follows other inputs, from the answer.
fn derived_default(a: &Analysis, id: ParamId) -> String {
    match id {
        ParamId::HostsLost => u32::from(a.scenario.hosts > 1).to_string(),
        ParamId::DeadlineMs if a.scenario.deadline_ms.is_none() => {
            a.timeouts.deadline_ms.map_or_else(String::new, |ms| display::input(display::round_to(ms.0, 4)))
        }
        ParamId::Mean if a.scenario.latency_ms.mean.is_none() => {
            display::input(display::round_to(a.latency.mean_ms.0, 3))
        }
        _ => String::new(),
    }
}
