//! `headroom inputs`: admin pages, dumps and logs in, a scenario out.

mod json;
mod refusal;
mod text;

use crate::args;
use crate::audit::files;
use crate::base;
use crate::output::write;
use crate::problems::{Complaint, one_line};
use crate::request::{choice, truth};
use crate::words::Words;
use headroom::engine::inputs::{Ask, Inputs, derive};
use headroom::engine::params::PARAMS;
use headroom::engine::read::Place;
use headroom::engine::read::config::{Configuration, ProblemKind, ReadProblem};
use headroom::engine::read::read;
use headroom::engine::units::display::NBSP;
use std::io::Write;
use std::process::ExitCode;

/// How the answer is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Text,
    Json,
}

fn format(word: &str) -> Option<Format> {
    match word {
        "text" => Some(Format::Text),
        "json" => Some(Format::Json),
        _ => None,
    }
}

/// Everything that is shown.
struct Answer<'a> {
    inputs: &'a Inputs,
    /// Names of the texts.
    files: &'a [String],
    /// What was left out, and what else was noticed.
    notes: Vec<String>,
}

/// `stats.txt:42`
fn place(files: &[String], at: &Place) -> String {
    spot(files, at.file, at.line())
}

fn spot(files: &[String], file: u32, line: u32) -> String {
    let file = files.get(file as usize).map_or("", String::as_str);
    one_line(&format!("{file}:{line}"))
}

/// Answers the words.
///
/// # Errors
///
/// Everything that makes the input unusable.
pub fn run(mut words: Words) -> Result<ExitCode, Vec<Complaint>> {
    let mut complaints = std::mem::take(&mut words.complaints);
    let slipped = !complaints.is_empty();
    let words = &words;
    let wanted = choice(words, args::OUTPUT, &args::INPUTS_OUTPUTS, format, &mut complaints);
    let last_interval = truth(words, args::LAST_INTERVAL, &mut complaints);
    let (given, base) = base::draft(words, &mut complaints);
    let found = files::read(&words.files, false, &mut complaints);
    if words.files.is_empty() && !slipped {
        let message = "No text is named. Name admin pages, dumps or logs, or - for standard input.";
        complaints.push(Complaint { place: "FILE".to_owned(), message: message.to_owned() });
    }
    let configuration = read(&found.inputs);
    complaints.extend(refusal::unread(&configuration, &found.inputs, &found.walked));
    let ask = Ask { cluster: words.text(args::CLUSTER).map(str::to_owned), given, last_interval };
    let inputs = match derive(&configuration, &ask) {
        Ok(inputs) if complaints.is_empty() => inputs,
        Ok(_) => return Err(complaints),
        Err(why) => {
            refusal::complain(why, words, &base, &mut complaints);
            // What was not read may hold what is missing.
            complaints.extend(refusal::left_out(&configuration, &complaints));
            return Err(complaints);
        }
    };
    let mut notes = found.notes;
    notes.extend(configuration.problems.iter().filter(|p| is_of_reading(p)).map(|p| note(&configuration, p)));
    notes.extend(inputs.notes.iter().map(|remark| {
        let at = remark.at.as_ref().map(|at| place(&configuration.files, at) + ": ");
        at.unwrap_or_default() + &remark.message
    }));
    let answer = Answer { inputs: &inputs, files: &configuration.files, notes };
    let written = match wanted.unwrap_or(Format::Text) {
        Format::Text => write(&plain(&text::document(&answer))),
        Format::Json => {
            // The answer is for a program: what a person should know goes beside it.
            for note in &answer.notes {
                // Nobody is left to be told when standard error is gone.
                let _ = writeln!(std::io::stderr(), "headroom: note: {}", plain(&one_line(note)));
            }
            write(&json::document(&answer))
        }
    };
    Ok(written.err().unwrap_or(ExitCode::SUCCESS))
}

/// What a terminal breaks lines at is its own business.
fn plain(text: &str) -> String {
    text.replace(NBSP, " ")
}

/// Whether a problem means that something was not read; what Envoy thinks of a setting does not
/// matter here.
fn is_of_reading(problem: &ReadProblem) -> bool {
    use ProblemKind::{Limit, NothingToRead, Syntax, Tab, Template, Unfinished};
    matches!(problem.kind, Syntax | Tab | Template | Limit | NothingToRead | Unfinished)
}

fn note(configuration: &Configuration, problem: &ReadProblem) -> String {
    let help = if problem.help.is_empty() { String::new() } else { format!("; {}", problem.help) };
    format!("{}: {}{help}", place(&configuration.files, &problem.at), problem.message)
}

/// The key of an input in scenario JSON: `latency_ms.p50`.
fn path(id: headroom::engine::params::ParamId) -> String {
    PARAMS.iter().find(|p| p.id == id).map(|p| p.path.join(".")).unwrap_or_default()
}
