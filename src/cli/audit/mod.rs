//! `headroom audit`: configurations in, findings out.

mod edits;
mod effective;
pub(crate) mod files;
mod json;
mod markdown;
mod paint;
mod report;
mod request;
mod sarif;
mod text;

use crate::output::write;
use crate::problems::Complaint;
use crate::words::Words;
use headroom::engine::audit::audit;
use headroom::engine::read::config::{Configuration, ProblemKind};
use headroom::engine::read::read;
use report::Report;
use request::{Format, Request};
use std::process::ExitCode;

/// Exit code of findings at or above `--fail-on`.
const FINDINGS: u8 = 1;

/// Answers the words.
///
/// # Errors
///
/// Everything that makes the input unusable. If nothing at all could be read, the findings that say
/// why are printed too.
pub fn run(words: Words) -> Result<ExitCode, Vec<Complaint>> {
    let Request { asked, fail_on, format, found } = request::read(words)?;
    let mut notes = found.notes;
    let mut configuration = read(&found.inputs);
    let is_unusable = holds_nothing(&configuration);
    if !is_unusable {
        notes.extend(set_aside(&mut configuration, &found.walked));
    }
    let report = Report { audit: audit(configuration, &asked), inputs: found.inputs, asked, notes, fail_on };
    let text = match format {
        Format::Text => text::document(&report),
        Format::Json => json::document(&report),
        Format::Sarif => sarif::document(&report),
        Format::Markdown => markdown::document(&report),
    };
    if let Err(code) = write(&text) {
        return Ok(code);
    }
    if is_unusable {
        return Err(report.nothing_read());
    }
    Ok(if report.is_failed() { ExitCode::from(FINDINGS) } else { ExitCode::SUCCESS })
}

/// Whether nothing was recognized in any file.
fn holds_nothing(c: &Configuration) -> bool {
    c.clusters.is_empty()
        && c.routes.is_empty()
        && c.managers.is_empty()
        && c.runtime.is_empty()
        && c.foreign.is_empty()
        && c.evidence.says_nothing_of_traffic()
        && c.notes.is_empty()
}

/// In a folder other files are no findings: they become one note.
fn set_aside(configuration: &mut Configuration, walked: &[bool]) -> Option<String> {
    const NAMED: usize = 5;
    let of_folder = |file: u32| walked.get(file as usize).copied().unwrap_or(false);
    let mut others: Vec<u32> = Vec::new();
    configuration.problems.retain(|p| {
        let aside = p.kind == ProblemKind::NothingToRead && of_folder(p.at.file);
        if aside {
            others.push(p.at.file);
        }
        !aside
    });
    others.dedup();
    let c = &configuration;
    others.retain(|file| {
        c.clusters.iter().all(|x| x.origin.block.file != *file)
            && c.routes.iter().all(|x| x.origin.block.file != *file)
            && c.problems.iter().all(|p| p.at.file != *file)
    });
    let names: Vec<&str> = others.iter().filter_map(|f| Some(c.files.get(*f as usize)?.as_str())).collect();
    let more = names.len().saturating_sub(NAMED);
    let listed = names.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
    match (names.len(), more) {
        (0, _) => None,
        (1, _) => Some(format!("one file of the folder holds nothing to audit: {listed}")),
        (n, 0) => Some(format!("{n} files of the folder hold nothing to audit: {listed}")),
        (n, more) => Some(format!("{n} files of the folder hold nothing to audit: {listed} and {more} more")),
    }
}
