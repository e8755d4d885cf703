//! The policy that is played, and the one it is compared with.

use crate::args;
use crate::base;
use crate::problems::Complaint;
use crate::request::{choice, truth};
use crate::words::Words;
use headroom::engine::analysis::Analysis;
use headroom::engine::read::read;
use headroom::engine::read::source::{Input, MAX_BYTES};
use headroom::engine::scenario::Preset;
use headroom::engine::sim::compare::PolicyName;
use headroom::engine::sim::{Policy, custom};
use headroom::engine::units::display;

/// A policy that is played.
pub struct Contestant {
    /// What to call it.
    pub name: PolicyName,
    /// The policy.
    pub policy: Policy,
    /// What is worth knowing about it, as sentences.
    pub notes: Vec<String>,
}

/// The policies to play: one, or with `--compare` two.
pub fn read_all(
    words: &Words,
    analysis: Option<&Analysis>,
    complaints: &mut Vec<Complaint>,
) -> Vec<Contestant> {
    let named = choice(words, args::POLICY, &args::POLICIES, named, complaints);
    let compares = truth(words, args::COMPARE, complaints);
    let pasted = words.path(args::CONFIG).is_some();
    if pasted && words.has(args::POLICY) && !compares {
        complaints.push(Complaint::flag(
            args::POLICY,
            "A policy and a --config are two policies. Choose one, or add --compare to play both.",
        ));
    }
    let first = if pasted { config(words, analysis, complaints) } else { None };
    let Some(analysis) = analysis else {
        // Without a scenario the changes are still checked, against any policy.
        changed(words, Policy::envoy_defaults(&Preset::first_paint().scenario()), complaints);
        return Vec::new();
    };
    let of = |name: PolicyName| match name {
        PolicyName::EnvoyDefaults => Policy::envoy_defaults(&analysis.scenario),
        _ => Policy::recommended(analysis),
    };
    let own = named.unwrap_or(PolicyName::Recommended);
    let first = first.unwrap_or_else(|| Contestant { name: own, policy: of(own), notes: Vec::new() });
    let name = if words.list(args::SET).is_empty() { first.name } else { PolicyName::Custom };
    let policy = changed(words, first.policy, complaints);
    let mut all = vec![Contestant { name, policy, notes: first.notes }];
    if compares {
        let other = match (pasted, own) {
            (true, own) => own,
            (false, PolicyName::EnvoyDefaults) => PolicyName::Recommended,
            (false, _) => PolicyName::EnvoyDefaults,
        };
        all.push(Contestant { name: other, policy: of(other), notes: Vec::new() });
    }
    all
}

fn named(word: &str) -> Option<PolicyName> {
    match word {
        "recommended" => Some(PolicyName::Recommended),
        "envoy-defaults" => Some(PolicyName::EnvoyDefaults),
        _ => None,
    }
}

/// What is in force in the configuration.
fn config(words: &Words, analysis: Option<&Analysis>, complaints: &mut Vec<Complaint>) -> Option<Contestant> {
    let path = words.path(args::CONFIG)?;
    let name = base::name_of(path);
    let bytes = match base::bytes(path, MAX_BYTES as u64, "a configuration") {
        Ok(bytes) => bytes,
        Err(message) => {
            complaints.push(Complaint::flag(args::CONFIG, message));
            return None;
        }
    };
    let configuration = read(&[Input::from_bytes(&name, &bytes)]);
    let analysis = analysis?;
    match Policy::from_configuration(&configuration, analysis) {
        Ok(pasted) => {
            let mut notes = Vec::new();
            if let Some(hosts) = pasted.hosts.filter(|hosts| *hosts != analysis.scenario.hosts) {
                let n = display::plural(f64::from(hosts), "host", "hosts");
                let played = display::count(f64::from(analysis.scenario.hosts));
                notes.push(format!("The configuration lists {n}; the scenario's {played} are played."));
            }
            if !configuration.problems.is_empty() {
                let n = display::plural(configuration.problems.len() as f64, "problem", "problems");
                notes.push(format!("The text of {name} has {n}: headroom audit names them."));
            }
            Some(Contestant { name: PolicyName::Pasted, policy: pasted.policy, notes })
        }
        Err(problems) => {
            let told = problems.into_iter().map(|p| Complaint {
                place: format!("--{}", args::CONFIG),
                message: format!("{name} cannot be played. {}", p.message),
            });
            complaints.extend(told);
            None
        }
    }
}

/// The policy with the changes of `--set`.
fn changed(words: &Words, policy: Policy, complaints: &mut Vec<Complaint>) -> Policy {
    let mut pairs: Vec<(&str, &str)> = Vec::new();
    for text in words.list(args::SET) {
        match text.split_once('=') {
            Some(pair) => pairs.push(pair),
            None => complaints.push(Complaint::flag(
                args::SET,
                format!(
                    "“{}” is no setting and value. Write key=value, for example max_requests=64.",
                    display::echo(text)
                ),
            )),
        }
    }
    match custom::change(&policy, pairs) {
        Ok(changed) => changed,
        Err(problems) => {
            complaints.extend(
                problems
                    .into_iter()
                    .map(|p| Complaint { place: format!("--{} {}", args::SET, p.field), message: p.message }),
            );
            policy
        }
    }
}
