//! What would make the two sides be compared otherwise than was meant.

use super::sides::Found;
use crate::args;
use crate::problems::Complaint;
use crate::words::Words;
use headroom::engine::params::PARAMS;
use headroom::engine::read::config::{Configuration, ProblemKind, ReadProblem};
use headroom::engine::read::source::Input;
use headroom::engine::sim::Pasted;
use headroom::engine::units::display::{count, echo};

/// So many names are listed.
const MAX_NAMES: usize = 12;

/// Flags that would change nothing: scenarios have inputs of their own.
pub fn unused_flags(words: &Words, found: [&Found; 2]) -> Option<Complaint> {
    let has = |is: fn(&Found) -> bool| found.iter().any(|side| is(side));
    if has(|side| matches!(side, Found::Configuration(_))) {
        return None;
    }
    let is_beginning = words.file().is_some() || words.has(args::PRESET);
    let inputs = PARAMS.iter().filter(|p| words.has(p.key)).map(|p| (p.key, args::flag(p)));
    let given: Vec<(&str, String)> = words
        .file()
        .map(|_| (args::SCENARIO, args::SCENARIO.to_owned()))
        .into_iter()
        .chain(words.has(args::PRESET).then(|| (args::PRESET, args::PRESET.to_owned())))
        .chain(inputs)
        .collect();
    let all = given.iter().map(|(_, flag)| format!("--{flag}")).collect::<Vec<_>>().join(", ");
    if !has(|side| matches!(side, Found::Word(_))) {
        let message = "Both sides are scenarios with inputs of their own, so the flags would change nothing. \
                       Write the inputs into a scenario or a link, and leave the flags out.";
        return (!given.is_empty()).then(|| Complaint { place: all, message: message.to_owned() });
    }
    // A word has no clusters to pick one from, and a name alone is no traffic.
    let is_name_alone = !is_beginning && matches!(given.as_slice(), [("name", _)]);
    let message = "The name picks a cluster of a configuration, and neither side is one. Leave the flag out.";
    is_name_alone.then(|| Complaint { place: all, message: message.to_owned() })
}

/// Why a configuration cannot be compared although something of it can be read: JSON that breaks, whose
/// rest would count as left out, and a name on the command line that it does not have.
pub fn unusable(input: &Input, text: &Configuration, wanted: Option<&str>) -> Option<Complaint> {
    let is_json = input.text.trim_start_matches('\u{feff}').trim_start().starts_with(['{', '[']);
    if let Some(complaint) = breaks(input, text).filter(|_| is_json) {
        return Some(complaint);
    }
    let wanted = wanted?;
    let names = Pasted::find_name(text, wanted).err().filter(|names| !names.is_empty())?;
    let shown = names.iter().take(MAX_NAMES).map(|name| echo(name)).collect::<Vec<_>>().join(", ");
    let more = names.len().saturating_sub(MAX_NAMES);
    let more = if more == 0 { String::new() } else { format!(" and {} more", count(more as f64)) };
    let message = format!(
        "{} has no cluster “{}”. It has {shown}{more}. Name one of them, or leave the flag out.",
        input.name,
        echo(wanted)
    );
    Some(Complaint::flag("name", message))
}

/// Where a text stops to be JSON or YAML.
pub fn breaks(input: &Input, text: &Configuration) -> Option<Complaint> {
    let is_broken = |problem: &&ReadProblem| {
        matches!(
            problem.kind,
            ProblemKind::Syntax | ProblemKind::Tab | ProblemKind::Template | ProblemKind::Limit
        )
    };
    let problem = text.problems.iter().find(is_broken)?;
    let span = problem.at.span;
    Some(Complaint {
        place: input.name.clone(),
        message: format!("Line {}, column {}: {}.", span.line, span.column, problem.message),
    })
}
