//! The two sides: a file of a scenario, a link, a configuration, or a word for a policy.

use super::checks;
use crate::base;
use crate::problems::Complaint;
use crate::words::Words;
use headroom::engine::analysis::Analysis;
use headroom::engine::analyze;
use headroom::engine::params::by_key;
use headroom::engine::read::config::Configuration;
use headroom::engine::read::read as read_configuration;
use headroom::engine::read::source::{Input, MAX_BYTES};
use headroom::engine::scenario::{Preset, Problem, Scenario};
use headroom::engine::sim::Policy;
use headroom::engine::units::display::echo;
use headroom::review::compare::Side;
use serde_json::Value;
use std::ffi::OsStr;

/// Words that stand for a policy; it is for the traffic of the flags, or of the other side.
const RECOMMENDED: &str = "recommended";
const DEFAULTS: &str = "envoy-defaults";

/// Keys of scenarios that a cluster of Envoy has too.
const SHARED: [&str; 2] = ["name", "hosts"];

/// What a word turned out to be.
pub enum Found {
    /// A scenario: its recommendation is compared.
    Scenario(Box<Analysis>),
    /// A configuration.
    Configuration(Input),
    /// A word for a policy.
    Word(&'static str),
}

/// Reads both sides, or complains about everything that is wrong with them.
pub fn read(words: &Words, traffic: Option<&Analysis>, complaints: &mut Vec<Complaint>) -> Option<[Side; 2]> {
    let [a, b] = words.files.as_slice() else {
        let message = format!(
            "Two sides are compared, {} named. Name two: scenario files, links, configurations, {RECOMMENDED} or {DEFAULTS}.",
            match words.files.len() {
                0 => "none is".to_owned(),
                1 => "one is".to_owned(),
                n => format!("{n} are"),
            }
        );
        complaints.push(Complaint { place: "A B".to_owned(), message });
        return None;
    };
    let takes_stdin = [Some(a.as_os_str()), Some(b.as_os_str()), words.file()];
    if takes_stdin.iter().flatten().filter(|word| **word == "-").count() > 1 {
        complaints.push(Complaint {
            place: "standard input".to_owned(),
            message: "It can be read once only. Put all but one into files.".to_owned(),
        });
        return None;
    }
    let (first, second) = (find(a, complaints), find(b, complaints));
    // One side is lost: what is wrong with the other is told too.
    let (first, second) = match (first, second) {
        (Some(first), Some(second)) => (first, second),
        (None, Some(found @ Found::Configuration(_))) => {
            _ = side(&name_of(b), found, traffic, words.text("name"), complaints);
            return None;
        }
        (Some(found @ Found::Configuration(_)), None) => {
            _ = side(&name_of(a), found, traffic, words.text("name"), complaints);
            return None;
        }
        _ => return None,
    };
    complaints.extend(checks::unused_flags(words, [&first, &second]));
    // A configuration beside a scenario is for its traffic.
    let of_other = |found: &Found| match found {
        Found::Scenario(analysis) => Some((**analysis).clone()),
        _ => None,
    };
    let traffic = traffic.cloned().or_else(|| of_other(&first)).or_else(|| of_other(&second));
    let names = [name_of(a), name_of(b)];
    let wanted = words.text("name");
    let first = side(&names[0], first, traffic.as_ref(), wanted, complaints);
    let second = side(&names[1], second, traffic.as_ref(), wanted, complaints);
    Some([first?, second?])
}

/// What to call a side: a link is long.
fn name_of(word: &OsStr) -> String {
    let text = word.to_string_lossy();
    if is_link(&text) { "the link ".to_owned() + &echo(&text) } else { base::name_of(word) }
}

fn is_link(text: &str) -> bool {
    let is_file = std::path::Path::new(text).exists();
    !is_file && (text.contains('#') || text.starts_with("v=") || text.contains("://"))
}

fn find(word: &OsStr, complaints: &mut Vec<Complaint>) -> Option<Found> {
    let text = word.to_string_lossy();
    if let Some(known) = [RECOMMENDED, DEFAULTS].into_iter().find(|known| *known == text) {
        return Some(Found::Word(known));
    }
    if is_link(&text) {
        return link(&text, complaints);
    }
    let name = base::name_of(word);
    let bytes = base::bytes(word, MAX_BYTES as u64, "a scenario, a configuration or a link")
        .map_err(|message| complaints.push(Complaint { place: name.clone(), message }))
        .ok()?;
    let input = Input::from_bytes(&name, &bytes);
    match scenario_of(&input.text) {
        Some(json) => sized(Scenario::from_json(&json), &name, complaints),
        None => Some(Found::Configuration(input)),
    }
}

/// The scenario in a file: the whole of it, or the one in an answer of `headroom size --output json`.
fn scenario_of(text: &str) -> Option<String> {
    let json = serde_json::from_str::<Value>(text.trim_start_matches('\u{feff}')).ok()?;
    let object = json.as_object()?;
    if let Some(scenario) = object.get("scenario").filter(|_| object.contains_key("thresholds")) {
        return Some(scenario.to_string());
    }
    let is_known = |key: &String| {
        !SHARED.contains(&key.as_str())
            && (by_key(key).is_some() || ["latency_ms", "stream_duration_s"].contains(&key.as_str()))
    };
    object.keys().any(is_known).then(|| text.to_owned())
}

fn link(text: &str, complaints: &mut Vec<Complaint>) -> Option<Found> {
    let fragment = text.rsplit_once('#').map_or(text, |(_, fragment)| fragment);
    let place = name_of(OsStr::new(text));
    match Scenario::from_link(fragment) {
        Ok(Some(scenario)) if text.contains('#') || text.starts_with("v=") => {
            sized(Ok(scenario), &place, complaints)
        }
        Err(error) if text.contains('#') || text.starts_with("v=") => {
            sized(Err(error.problems), &place, complaints)
        }
        _ => {
            let message = "The link has no scenario: it stands behind a #, as in …#v=1&rps=500&p50=35. Copy the whole link, in quotes.";
            complaints.push(Complaint { place, message: message.to_owned() });
            None
        }
    }
}

fn sized(
    scenario: Result<Scenario, Vec<Problem>>,
    place: &str,
    complaints: &mut Vec<Complaint>,
) -> Option<Found> {
    match scenario.and_then(|scenario| analyze(&scenario)) {
        Ok(analysis) => Some(Found::Scenario(Box::new(analysis))),
        Err(problems) => {
            let told = problems.into_iter().map(|p| Complaint {
                place: if p.field.is_empty() { place.to_owned() } else { format!("{} in {place}", p.field) },
                message: p.message,
            });
            complaints.extend(told);
            None
        }
    }
}

fn side(
    name: &str,
    found: Found,
    traffic: Option<&Analysis>,
    wanted: Option<&str>,
    complaints: &mut Vec<Complaint>,
) -> Option<Side> {
    if let Found::Scenario(analysis) = found {
        return Some(Side::recommended(name, *analysis));
    }
    let has_traffic = traffic.is_some();
    let analysis = match traffic {
        Some(analysis) => analysis.clone(),
        None => unknown(wanted)?,
    };
    match found {
        Found::Word(RECOMMENDED) if has_traffic => Some(Side::recommended("recommended", analysis)),
        Found::Word(RECOMMENDED) => {
            complaints.push(Complaint {
                place: RECOMMENDED.to_owned(),
                message:
                    "Nothing can be recommended without traffic. Add --scenario, or --rps with a latency."
                        .to_owned(),
            });
            None
        }
        Found::Word(word) => {
            let policy = Policy::envoy_defaults(&analysis.scenario);
            Some(Side { has_traffic, ..Side::written(word, analysis, policy, Vec::new()) })
        }
        Found::Configuration(input) => {
            let text = read_configuration(std::slice::from_ref(&input));
            if let Some(complaint) = checks::unusable(&input, &text, wanted) {
                complaints.push(complaint);
                return None;
            }
            configuration(&input, &text, analysis, has_traffic).map_err(|told| complaints.extend(told)).ok()
        }
        Found::Scenario(_) => None,
    }
}

/// Stands for traffic of which nothing is said: only what is written is compared then.
fn unknown(wanted: Option<&str>) -> Option<Analysis> {
    let name = wanted.unwrap_or_default().to_owned();
    analyze(&Scenario { name, ..Preset::first_paint().scenario() }).ok()
}

fn configuration(
    input: &Input,
    text: &Configuration,
    analysis: Analysis,
    has_traffic: bool,
) -> Result<Side, Vec<Complaint>> {
    let name = &input.name;
    let pasted = Policy::from_configuration(text, &analysis).map_err(|problems| {
        // Where the text breaks is why nothing was found in it.
        let told = |p: Problem| Complaint { place: name.clone(), message: p.message };
        checks::breaks(input, text)
            .map_or_else(|| problems.into_iter().map(told).collect(), |complaint| vec![complaint])
    })?;
    let mut notes: Vec<String> = pasted.policy.not_simulated.iter().map(|note| format!("{note}.")).collect();
    if !has_traffic {
        notes.push(
            "no traffic is given, so refusals, exposure and recovery are not known: add --scenario, or --rps with a latency."
                .to_owned(),
        );
    }
    if !text.problems.is_empty() {
        notes.push("the text has problems: headroom audit names them.".to_owned());
    }
    Ok(Side { has_traffic, ..Side::written(name, analysis, pasted.policy, notes) })
}
