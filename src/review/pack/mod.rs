//! The design-review pack: everything that a review of a sizing asks for, in one document.

mod charts;
mod configuration;
mod faults;
mod findings;
mod numbers;
mod questions;
mod scenario;
mod settings;
mod sign_off;
mod summary;

pub use faults::of as fault_table;
pub use scenario::input_text;

use super::document::{Document, Section};
use crate::engine::analysis::Analysis;
use crate::engine::export::Target;
use crate::engine::scenario::RULES_VERSION;
use crate::engine::sim::FaultTable;
use std::collections::BTreeMap;

/// What a pack has besides the analysis.
#[derive(Clone, Debug)]
pub struct Extras {
    /// The kind of configuration.
    pub target: Target,
    /// The table of faults.
    pub faults: Faults,
    /// Findings that were accepted, by code, and why.
    pub accepted: BTreeMap<String, String>,
}

/// What is known of the table of faults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Faults {
    /// Nobody wants it.
    LeftOut,
    /// As far as it is played.
    Played(FaultTable),
}

/// The pack of an analysis.
pub fn pack(a: &Analysis, extras: &Extras) -> Document {
    let s = &a.scenario;
    let sections = [
        Some(summary::summary(a)),
        summary::ways_out(a),
        Some(findings::findings(a, &extras.accepted)),
        Some(scenario::scenario(a)),
        Some(scenario::assumptions(a)),
        Some(settings::limits(a)),
        Some(charts::headroom(a)),
        Some(settings::timeouts(a)),
        Some(settings::retries(a)),
        Some(settings::outlier(a)),
        Some(faults::section(&extras.faults)),
        Some(questions::questions(a)),
        Some(sign_off::sign_off(a, extras.target)),
        Some(numbers::numbers(a)),
        Some(configuration::configuration(a, extras.target)),
    ];
    let link = link(a);
    Document {
        // A backtick in a name would begin code.
        title: format!("{}: size of its Envoy cluster", plain(&s.name)),
        about: about(a, link.as_ref()),
        link,
        sections: sections.into_iter().flatten().collect::<Vec<Section>>(),
    }
}

fn about(a: &Analysis, link: Option<&String>) -> Vec<String> {
    let rules = format!("Sized by Headroom, rules {RULES_VERSION}, for Envoy {}.", a.scenario.envoy_version);
    let part = format!(
        "The link: `{}` (put it behind the address of the page to see and change this there).",
        a.link
    );
    if link.is_some() { vec![rules] } else { vec![rules, part] }
}

/// The whole address, where the page or the command line knows it: nothing else may become a link.
fn link(a: &Analysis) -> Option<String> {
    let link = &a.link;
    let is_address = link.starts_with("https://") || link.starts_with("http://");
    (is_address && !link.contains(['<', '>', '"', ' '])).then(|| link.clone())
}

/// A name that somebody typed, in a text in which backticks mark code.
pub(super) fn plain(text: &str) -> String {
    text.replace('`', "’")
}

/// The sum over the fleet.
fn fleet(a: &Analysis, each: f64) -> f64 {
    each * f64::from(a.scenario.clients)
}
