//! The answer in words: the same sentence in page, command line and review documents.

mod answer;
mod reason;
mod status;

use super::rules::Finding;
use super::scenario::Scenario;
use super::sizing::Sizing;
use serde::Serialize;

/// A piece of text; strong pieces are the numbers that matter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Piece {
    /// The text.
    pub text: String,
    /// Whether it stands out.
    pub strong: bool,
}

/// How the answer looks at first sight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Everything asked for is kept.
    Ok,
    /// Something asked for is not kept.
    Caution,
    /// No value both serves and protects.
    Danger,
}

/// Status line, sentence and reason.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Headline {
    /// Word and icon of the status line.
    pub status: Status,
    /// The status in a few words: "Caution: no room to slow down".
    pub status_text: String,
    /// The sentence to read aloud.
    pub sentence: Vec<Piece>,
    /// What it follows from, two lines at most.
    pub reason: Vec<Piece>,
}

/// The answer to a scenario in words.
pub fn headline(s: &Scenario, z: &Sizing, findings: &[Finding]) -> Headline {
    let case = Case::of(s, z);
    let (status, status_text) = status::status(s, z, &case, findings);
    Headline {
        status,
        status_text,
        sentence: pieces(&answer::sentence(s, z, &case)),
        reason: pieces(&reason::reason(s, z, &case)),
    }
}

/// What the answer is about.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Case {
    /// Any value between floor and ceiling serves and protects, and the chosen one keeps every
    /// promise.
    Open,
    /// The ceiling cuts the recommendation.
    Tight,
    /// No value both serves and protects: the distributed-limit trap.
    Shut,
    /// The hosts survive fewer requests in flight than the healthy peak takes.
    TooSmall {
        /// What the hosts survive.
        survive: f64,
    },
}

impl Case {
    fn of(s: &Scenario, z: &Sizing) -> Self {
        let survive = s.host_concurrency.map(|each| each * f64::from(s.hosts_left()));
        match survive {
            Some(survive) if survive < z.load.fleet_concurrency_at_peak.0 => Self::TooSmall { survive },
            _ if z.priorities.iter().any(|p| p.window.is_shut()) => Self::Shut,
            _ if z.priorities.iter().any(|p| p.window.is_tight()) => Self::Tight,
            _ => Self::Open,
        }
    }
}

/// A text whose strong parts stand between double asterisks, as pieces.
fn pieces(text: &str) -> Vec<Piece> {
    text.split("**")
        .enumerate()
        .filter(|(_, part)| !part.is_empty())
        .map(|(at, part)| Piece { text: part.to_owned(), strong: at % 2 == 1 })
        .collect()
}

impl Headline {
    /// The sentence as plain text.
    pub fn sentence_text(&self) -> String {
        plain(&self.sentence)
    }

    /// The reason as plain text.
    pub fn reason_text(&self) -> String {
        plain(&self.reason)
    }
}

fn plain(pieces: &[Piece]) -> String {
    pieces.iter().map(|p| p.text.as_str()).collect()
}

#[cfg(test)]
mod tests;
