//! What a rule says.

use crate::engine::analysis::FieldChange;
use crate::engine::params::{ParamId, param};
use crate::engine::units::display;
use serde::Serialize;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The mesh will reject healthy traffic, or the configuration is invalid.
    Error,
    /// Likely harm under load.
    Warning,
    /// Worth knowing.
    Info,
}

impl Severity {
    /// The word in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
        }
    }
}

/// A change that silences a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Fix {
    /// Set one input of the scenario.
    SetInput(FieldChange),
    /// Ask the person for an input: nobody else knows its value.
    AskInput {
        /// Key of the input.
        field: &'static str,
    },
}

impl Fix {
    /// Sets an input to a number.
    pub fn set(id: ParamId, value: f64) -> Self {
        Self::SetInput(FieldChange { field: param(id).key, value: display::input(value) })
    }

    /// Empties an input, so that it counts as its default.
    pub fn clear(id: ParamId) -> Self {
        Self::SetInput(FieldChange { field: param(id).key, value: String::new() })
    }

    /// Asks for an input.
    pub fn ask(id: ParamId) -> Self {
        Self::AskInput { field: param(id).key }
    }
}

/// One thing that is wrong or worth knowing.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// Stable code, `HR501`.
    pub code: &'static str,
    /// Stable name, `distributed-limit-trap`.
    pub name: &'static str,
    /// How bad.
    pub severity: Severity,
    /// What is wrong, with the numbers; lower case, no full stop.
    pub message: String,
    /// What follows from it, with the numbers.
    pub consequence: String,
    /// What to do, in the imperative.
    pub help: String,
    /// Scenario inputs or Envoy fields concerned.
    pub fields: Vec<&'static str>,
    /// Line in a pasted file.
    pub line: Option<u32>,
    /// Name of the pasted file.
    pub file: Option<String>,
    /// The fix as data, with the text of its button.
    pub fix: Option<(String, Fix)>,
}

impl Finding {
    /// Adds what follows from it.
    #[must_use]
    pub fn consequence(mut self, text: impl Into<String>) -> Self {
        self.consequence = text.into();
        self
    }

    /// Adds what to do.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = text.into();
        self
    }

    /// Adds a fix with the text of its button.
    #[must_use]
    pub fn fix(mut self, label: impl Into<String>, fix: Fix) -> Self {
        self.fix = Some((label.into(), fix));
        self
    }

    /// Adds a fix where there is one.
    #[must_use]
    pub fn maybe_fix(mut self, fix: Option<(String, Fix)>) -> Self {
        self.fix = fix;
        self
    }
}
