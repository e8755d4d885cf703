//! What a rule of the audit says, and where.

use super::Fix;
use crate::engine::params::ParamId;
use crate::engine::read::Place;
use crate::engine::rules::{RuleMeta, Severity};

/// One thing that is wrong or worth knowing in a configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Stable code, `HR301`.
    pub code: &'static str,
    /// Stable name, `limit-below-floor`.
    pub name: &'static str,
    /// How bad.
    pub severity: Severity,
    /// What is wrong, with value, limit and unit; lower case, no full stop, Envoy's names in backticks.
    pub message: String,
    /// What follows from it, with the numbers.
    pub consequence: String,
    /// What to do, in the imperative.
    pub help: String,
    /// Fields concerned, by Envoy's names.
    pub fields: Vec<&'static str>,
    /// Where it stands; for what is absent, the nearest block that could hold it.
    pub at: Place,
    /// Other places that have a part in it.
    pub related: Vec<Related>,
    /// Index of the cluster it is about; filled in by the driver.
    pub cluster: Option<usize>,
    /// Index of the route it is about; filled in by the driver.
    pub route: Option<usize>,
    /// Other clusters and routes with the very same finding at the same place; filled in by the driver.
    pub also: Vec<(Option<usize>, Option<usize>)>,
    /// The change that silences it.
    pub fix: Option<Fix>,
    /// The input that would settle it, where the text alone cannot.
    pub asks: Option<ParamId>,
}

/// Another place with a part in a finding.
#[derive(Clone, Debug, PartialEq)]
pub struct Related {
    /// What it does there: `the entry in force`.
    pub message: String,
    /// Where.
    pub at: Place,
}

impl RuleMeta {
    /// A finding of this rule at a place of the text.
    pub fn found(&self, fields: &[&'static str], at: &Place, message: impl Into<String>) -> Finding {
        Finding {
            code: self.code,
            name: self.name,
            severity: self.severity,
            message: message.into(),
            consequence: String::new(),
            help: String::new(),
            fields: fields.to_vec(),
            at: at.clone(),
            related: Vec::new(),
            cluster: None,
            route: None,
            also: Vec::new(),
            fix: None,
            asks: None,
        }
    }
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

    /// Adds the change that silences it.
    #[must_use]
    pub fn fix(mut self, fix: Fix) -> Self {
        self.fix = Some(fix);
        self
    }

    /// Adds the change that silences it, where there is one.
    #[must_use]
    pub fn maybe_fix(mut self, fix: Option<Fix>) -> Self {
        self.fix = fix;
        self
    }

    /// Says which input would settle it.
    #[must_use]
    pub fn asks(mut self, id: ParamId) -> Self {
        self.asks = Some(id);
        self
    }

    /// Makes it as bad as it is here; a rule is named after its worst.
    #[must_use]
    pub fn severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// Adds another place.
    #[must_use]
    pub fn related(mut self, message: impl Into<String>, at: &Place) -> Self {
        self.related.push(Related { message: message.into(), at: at.clone() });
        self
    }

    /// Worst first, then as in the text.
    pub(super) fn order(&self) -> (Severity, u32, u32, u32, &'static str) {
        (self.severity, self.at.file, self.at.line(), self.at.column(), self.code)
    }
}
