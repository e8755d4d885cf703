//! Everything that is wrong with the input, at once, on standard error.

use crate::args::Task;
use headroom::engine::units::display::{NBSP, echo};
use std::io::{IsTerminal, Write};
use std::process::ExitCode;

/// Exit code of input that cannot be used, and of an answer that cannot be written.
pub const UNUSABLE: u8 = 2;

/// One thing to correct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// The flag, or the field of a file.
    pub place: String,
    /// What is wrong, what is allowed, what to do.
    pub message: String,
}

impl Complaint {
    /// A complaint about a flag.
    pub fn flag(name: &str, message: impl Into<String>) -> Self {
        Self { place: format!("--{name}"), message: message.into() }
    }

    /// A word that is not in a list.
    pub fn not_a_choice(name: &str, word: &str, allowed: &[&str]) -> Self {
        Self::flag(name, format!("“{}” is not known. Choose one of {}.", echo(word), allowed.join(", ")))
    }
}

/// Writes the complaints about what is asked; the exit code is that of unusable input.
pub fn report(complaints: &[Complaint], task: Option<Task>) -> ExitCode {
    let (bold, plain) = styles();
    let n = complaints.len();
    let see = task.map_or_else(String::new, |task| format!("{} ", task.as_str()));
    let head = if n == 1 { "one problem".to_owned() } else { format!("{n} problems") };
    let lines = complaints.iter().map(|complaint| {
        // Messages are shared with the page, where a no-break space stands before a unit.
        let message = one_line(&complaint.message.replace(NBSP, " "));
        format!("  {bold}{}{plain}: {message}", one_line(&complaint.place))
    });
    let list = lines.collect::<Vec<_>>().join("\n");
    let text = format!("{bold}headroom: {head} in the input{plain}\n{list}\nSee headroom {see}--help.\n");
    // Nobody is left to be told when standard error is gone.
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
    ExitCode::from(UNUSABLE)
}

/// Start and end of bold, on a terminal that wants it.
fn styles() -> (&'static str, &'static str) {
    let wanted = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty());
    if wanted { ("\u{1b}[1m", "\u{1b}[0m") } else { ("", "") }
}

/// A file can hold anything, also what moves the cursor of a terminal.
pub fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}
