//! What is asked for: files, what is known of the traffic, a format, what counts as a failure.

use super::files::{self, Found};
use crate::args;
use crate::base;
use crate::problems::Complaint;
use crate::request::choice;
use crate::words::Words;
use headroom::engine::analyze;
use headroom::engine::audit::Asked;
use headroom::engine::rules::Severity;

/// How the answer is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// For a person at a terminal.
    Text,
    /// The findings as data.
    Json,
    /// For code scanning and editors.
    Sarif,
    /// A comment for a pull request.
    Markdown,
}

impl Format {
    fn from_word(word: &str) -> Option<Self> {
        match word {
            "text" => Some(Self::Text),
            "json" => Some(Self::Json),
            "sarif" => Some(Self::Sarif),
            "markdown" => Some(Self::Markdown),
            _ => None,
        }
    }
}

/// A request that can be answered.
pub struct Request {
    /// What is known of the traffic.
    pub asked: Asked,
    /// The mildest finding that fails the audit; none never does.
    pub fail_on: Option<Severity>,
    /// The format.
    pub format: Format,
    /// The texts.
    pub found: Found,
}

/// Reads the request, or everything that is wrong with it.
pub fn read(mut words: Words) -> Result<Request, Vec<Complaint>> {
    let mut complaints = std::mem::take(&mut words.complaints);
    let slipped = !complaints.is_empty();
    let words = &words;
    let asked = asked(words, &mut complaints);
    let format = choice(words, args::OUTPUT, &args::AUDIT_OUTPUTS, Format::from_word, &mut complaints);
    let fail_on = choice(words, args::FAIL_ON, &args::FAILS_ON, fail_on, &mut complaints);
    let found = files::read(&words.files, words.file() == Some("-".as_ref()), &mut complaints);
    if words.files.is_empty() && !slipped {
        complaints.push(Complaint {
            place: "FILE".to_owned(),
            message: "No configuration is named. Name files or folders, or - for standard input.".to_owned(),
        });
    }
    match asked {
        Some(asked) if complaints.is_empty() => Ok(Request {
            asked,
            fail_on: fail_on.unwrap_or(Some(Severity::Error)),
            format: format.unwrap_or(Format::Text),
            found,
        }),
        _ => Err(complaints),
    }
}

#[allow(clippy::option_option, reason = "a word that is not known, or one that names no severity")]
fn fail_on(word: &str) -> Option<Option<Severity>> {
    match word {
        "error" => Some(Some(Severity::Error)),
        "warning" => Some(Some(Severity::Warning)),
        "info" => Some(Some(Severity::Info)),
        "never" => Some(None),
        _ => None,
    }
}

fn asked(words: &Words, complaints: &mut Vec<Complaint>) -> Option<Asked> {
    let (draft, base) = base::draft(words, complaints);
    let asked = Asked::new(draft).and_then(|asked| match asked.scenario() {
        // What is beyond Envoy's fields is said, not left out.
        Some(scenario) if asked.is_complete() => analyze(&scenario).map(|_| asked),
        _ => Ok(asked),
    });
    asked.map_err(|problems| base.complain(words, &problems, complaints)).ok()
}
