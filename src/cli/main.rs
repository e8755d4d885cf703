//! The command line: the engine without the page.
//!
//! Exit codes: 0 fine; 1 findings of an audit, or a difference; 2 unusable input, with every problem on standard
//! error, or an answer that could not be written.

mod args;
mod audit;
mod base;
mod diff;
mod inputs;
mod link;
mod markdown;
mod output;
mod problems;
mod request;
mod simulate;
mod words;

use args::Task;

use clap::error::ErrorKind;
use headroom::engine::nearest::nearest;
use headroom::engine::units::display::echo;
use problems::Complaint;
use std::ffi::{OsStr, OsString};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut words: Vec<OsString> = std::env::args_os().skip(1).collect();
    let task = Task::ALL.into_iter().find(|task| words.len() > 1 && words[0] == task.as_str());
    match task {
        Some(task) => run(task, words.split_off(1)),
        None => describe(&words),
    }
}

fn run(task: Task, words: Vec<OsString>) -> ExitCode {
    let sorted = words::sort(words, task);
    if let Some(help) = sorted.help {
        return describe(&[task.as_str().into(), help.into()]);
    }
    let answer = match task {
        Task::Size => request::read(sorted).map(|request| output::print(&request)),
        Task::Audit => audit::run(sorted),
        Task::Simulate => simulate::run(sorted),
        Task::Diff => diff::run(sorted),
        Task::Inputs => inputs::run(sorted),
    };
    answer.unwrap_or_else(|complaints| problems::report(&complaints, Some(task)))
}

/// Help and version, and what to do with words that are no command.
fn describe(words: &[OsString]) -> ExitCode {
    let line = [&["headroom".into()], words].concat();
    let Err(error) = args::command().try_get_matches_from(line) else {
        unreachable!("clap answers a command without its words with help")
    };
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => output::outcome(error.print()),
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            // Nobody is left to be told when standard error is gone.
            let _ = error.print();
            ExitCode::from(problems::UNUSABLE)
        }
        _ => problems::report(&[no_command(words)], None),
    }
}

fn no_command(words: &[OsString]) -> Complaint {
    let is_command = |word: &OsStr| word == "help" || Task::ALL.iter().any(|task| word == task.as_str());
    let word = words.iter().find(|word| !is_command(word)).map(|word| word.to_string_lossy());
    let word = word.unwrap_or_default();
    let message = if word.starts_with('-') {
        "The command comes first. Write headroom size, headroom audit, headroom simulate, headroom diff or headroom inputs, then its flags."
            .to_owned()
    } else {
        let near = nearest(&word, ["size", "audit", "simulate", "diff", "inputs", "help"]);
        let hint = near.map_or_else(String::new, |near| format!(" Did you mean {near}?"));
        format!(
            "This is not a command of headroom.{hint} Write headroom size, headroom audit, headroom simulate, headroom diff or headroom inputs, then its flags."
        )
    };
    Complaint { place: echo(&word), message }
}
