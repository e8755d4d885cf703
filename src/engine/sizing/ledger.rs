//! The account of every number: formula, values put in, source, and why not the others.

use crate::engine::analysis::{Alternative, Label, Number};
use crate::engine::filled::Filled;

/// Collects derivations in the order in which they are made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ledger {
    numbers: Vec<Number>,
}

/// Where a number comes from and who says so.
#[derive(Clone, Copy, Debug)]
pub struct Origin {
    /// Given, derived, assumed, a rule or Envoy's default.
    pub label: Label,
    /// Who says so.
    pub source: &'static str,
}

/// Computed from given numbers by a law.
pub const fn derived(source: &'static str) -> Origin {
    Origin { label: Label::Derived, source }
}

/// Our rule.
pub const fn rule(source: &'static str) -> Origin {
    Origin { label: Label::Rule, source }
}

/// Not known, assumed.
pub const fn assumption(source: &'static str) -> Origin {
    Origin { label: Label::Assumption, source }
}

/// Typed by the person, or a default of the form.
pub const fn given(source: &'static str) -> Origin {
    Origin { label: Label::Given, source }
}

impl Ledger {
    /// Adds a number; alternatives can be added to what is returned.
    pub fn add(
        &mut self,
        id: impl Into<String>,
        value: impl Into<Option<f64>>,
        unit: &'static str,
        origin: Origin,
        formula: &'static str,
        substituted: impl Into<Filled>,
    ) -> &mut Vec<Alternative> {
        let Origin { label, source } = origin;
        let alternatives = Vec::new();
        let (id, value, substituted) = (id.into(), value.into(), substituted.into());
        self.push(Number { id, value, unit, label, formula, substituted, source, alternatives })
    }

    fn push(&mut self, number: Number) -> &mut Vec<Alternative> {
        self.numbers.push(number);
        let last = self.numbers.len() - 1;
        &mut self.numbers[last].alternatives
    }

    /// The account, in the order in which it was made.
    pub fn into_numbers(self) -> Vec<Number> {
        self.numbers
    }
}

/// A value that was not chosen, and why.
pub fn not(what: impl Into<String>, because: impl Into<String>) -> Alternative {
    Alternative { what: what.into(), because: because.into() }
}
