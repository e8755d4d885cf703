//! The policy in the words of Istio and of Envoy Gateway.
//!
//! Both are programs that write Envoy's configuration from resources of Kubernetes, with defaults of
//! their own and without words for parts of Envoy's API. Whatever the sizing decides is written out
//! where their default is another one; what these resources leave out is named in the text, with its
//! numbers.
//!
//! Sources: the resources' schemas (`tests/schemas`), istio/istio and envoyproxy/gateway of 2026.

mod gateway;
mod istio;
mod lost;
mod names;
mod notes;
mod resource;

use crate::engine::analysis::Analysis;
use crate::engine::analyze;
use crate::engine::export::Target;
use crate::engine::scenario::{Problem, Scenario};
use crate::engine::units::{Share, display};
use std::borrow::Cow;

pub use gateway::to_yaml as envoy_gateway;
pub use istio::to_yaml as istio;
pub use names::Names;

/// The answer for all traffic together.
///
/// Neither program can mark a route HIGH, so all of it counts as DEFAULT: the limits of DEFAULT alone
/// would refuse what they were not sized for.
///
/// # Errors
///
/// What is too large for Envoy's fields in one entry, though not in two.
fn together(analysis: &Analysis) -> Result<Cow<'_, Analysis>, Vec<Problem>> {
    if analysis.thresholds.len() < 2 {
        return Ok(Cow::Borrowed(analysis));
    }
    let scenario = Scenario { high_priority_share: Share(0.0), ..analysis.scenario.clone() };
    analyze(&scenario).map(Cow::Owned)
}

/// A number that a field of the program does not hold.
pub(crate) struct TooLarge {
    field: &'static str,
    needed: String,
    most: String,
}

impl TooLarge {
    /// A count above the largest that the field holds.
    pub(crate) fn count(field: &'static str, needed: u64, most: u32) -> Option<Self> {
        let (words, most) = (|n: u64| display::count(n as f64), u64::from(most));
        (needed > most).then(|| Self { field, needed: words(needed), most: words(most) })
    }
}

/// What the fields of a target do not hold of an answer, a sentence each; nothing for Envoy, whose
/// fields the sizing knows.
pub fn too_large(analysis: &Analysis, target: Target) -> Vec<String> {
    let (program, fields): (_, fn(&Analysis) -> Vec<TooLarge>) = match target {
        Target::Envoy | Target::EnvoyBootstrap => return Vec::new(),
        Target::Istio => ("Istio", istio::too_large),
        Target::EnvoyGateway => ("Envoy Gateway", gateway::too_large),
    };
    let sentence = |TooLarge { field, needed, most }| {
        format!(
            "{program} holds at most {most} in {field}, and this answer needs {needed}. Choose the target envoy, or change the inputs."
        )
    };
    let alone = |problem: Problem| {
        format!(
            "{program} has no priorities, and one limit for all traffic is too large: {}",
            problem.message
        )
    };
    match together(analysis) {
        Ok(one) => fields(&one).into_iter().map(sentence).collect(),
        Err(problems) => problems.into_iter().map(alone).collect(),
    }
}
