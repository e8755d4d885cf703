//! One policy or two, each played several times: what the runs show, and how surely.
//!
//! Runs have the seeds seed, seed + 1, …, the same for both policies, and arrivals and times in service
//! follow the seed. So differences are taken run by run (in pairs): chance that hits both policies
//! alike falls out.

mod measures;
mod spread;

pub use measures::{Better, MEASURES, Measure, Unit, ejections, served, served_share, share, window};
pub use spread::Spread;

use super::Report;
use serde::Serialize;

/// Where a policy comes from, and what to call it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum PolicyName {
    Recommended,
    EnvoyDefaults,
    Pasted,
    Custom,
}

impl PolicyName {
    /// The word in JSON, flags and links.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Recommended => "recommended",
            Self::EnvoyDefaults => "envoy-defaults",
            Self::Pasted => "pasted",
            Self::Custom => "custom",
        }
    }

    /// The heading of a column, and the subject of a status.
    pub fn title(self) -> &'static str {
        match self {
            Self::Recommended => "Recommended",
            Self::EnvoyDefaults => "Envoy's default",
            Self::Pasted => "Pasted",
            Self::Custom => "Custom",
        }
    }

    /// The subject of a sentence.
    pub fn subject(self) -> &'static str {
        match self {
            Self::Recommended => "the recommended policy",
            Self::EnvoyDefaults => "Envoy's default policy",
            Self::Pasted => "the pasted policy",
            Self::Custom => "the custom policy",
        }
    }
}

/// A measure of one policy or two.
#[derive(Clone, Debug)]
pub struct Row {
    /// Which.
    pub measure: &'static Measure,
    /// Of the first policy.
    pub a: Option<Spread>,
    /// Of the second.
    pub b: Option<Spread>,
    /// `a − b`, run by run; `None` where no run has both.
    pub difference: Option<Spread>,
}

impl Row {
    /// Whether the runs show a difference; `None` where a single run cannot tell.
    ///
    /// Without any spread (every pair differs by the same) any difference shows.
    pub fn differs(&self) -> Option<bool> {
        let difference = self.difference?;
        difference.half_width.map(|_| difference.excludes_zero())
    }
}

/// The rows of a table: every measure that a run of either policy has.
pub fn rows(a: &[Report], b: Option<&[Report]>) -> Vec<Row> {
    let b = b.unwrap_or_default();
    let row = |measure: &'static Measure| {
        let values = |reports: &[Report]| reports.iter().filter_map(measure.of).collect::<Vec<_>>();
        let pairs = a.iter().zip(b).filter_map(|(a, b)| Some((measure.of)(a)? - (measure.of)(b)?));
        let (a, b) = (Spread::of(&values(a)), Spread::of(&values(b)));
        let difference = Spread::of(&pairs.collect::<Vec<_>>());
        (a.is_some() || b.is_some()).then_some(Row { measure, a, b, difference })
    };
    let has_fault = a.iter().chain(b).any(|r| r.recovery.is_some());
    // With a fault the parts say more than the whole.
    let is_shown = |m: &Measure| !has_fault || !matches!(m.key, "failed" | "p99_ms");
    MEASURES.iter().filter(|m| is_shown(m)).filter_map(row).collect()
}
