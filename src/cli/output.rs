//! The answer on standard output.

use crate::markdown;
use crate::problems::UNUSABLE;
use crate::request::{Format, Request};
use headroom::chart::card;
use headroom::engine::alerts;
use headroom::engine::analysis::Analysis;
use headroom::engine::export::export;
use std::io::{ErrorKind, Result, Write};
use std::process::ExitCode;

/// Answers the request.
pub fn print(request: &Request) -> ExitCode {
    let text = match request.format {
        Format::Yaml => export(&request.analysis, request.target),
        Format::Alerts => alerts::to_yaml(&request.analysis),
        Format::Markdown => markdown::document(&request.analysis, request.target, request.is_simulated),
        Format::Svg => card::svg(&request.analysis, &request.analysis.link),
        Format::Json => json(&request.analysis),
    };
    let mut out = std::io::stdout().lock();
    outcome(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

fn json(analysis: &Analysis) -> String {
    let text = serde_json::to_string_pretty(analysis).expect("structs with text keys have a JSON form");
    format!("{text}\n")
}

/// Writes a text.
///
/// # Errors
///
/// The exit code of a text that could not be written; a reader that has seen enough is no failure.
pub fn write(text: &str) -> std::result::Result<(), ExitCode> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(outcome(Err(error))),
        _ => Ok(()),
    }
}

/// A reader that has seen enough, such as `head`, is no failure. Exit code 1 is kept for findings.
pub fn outcome(written: Result<()>) -> ExitCode {
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            // Nobody is left to be told when standard error is gone too.
            let _ = writeln!(
                std::io::stderr(),
                "headroom: the answer cannot be written to standard output: {error}"
            );
            ExitCode::from(UNUSABLE)
        }
    }
}
