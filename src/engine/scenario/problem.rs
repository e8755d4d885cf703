//! What is wrong with an input, in words a person can act on.

use crate::engine::params::{Kind, Param, ParamId, Range, Unit};
use crate::engine::units::parse::NotANumber;
use crate::engine::units::{Millis, display};
use serde::Serialize;

/// One problem of one input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// Key of the input, or the unknown key that was found.
    pub field: String,
    /// What was typed.
    pub value: String,
    /// What is wrong, what is allowed and what to do, as sentences.
    pub message: String,
}

impl Problem {
    /// A problem of a known input.
    pub fn new(id: ParamId, value: &str, message: String) -> Self {
        Self { field: id.to_string(), value: value.to_owned(), message }
    }

    /// A text that is not a number.
    pub fn not_a_number(p: &Param, value: &str, why: NotANumber) -> Self {
        let what = match why {
            NotANumber::Unreadable => format!("“{value}” is not a number."),
            NotANumber::AmbiguousComma => {
                format!("“{value}” could mean two numbers. Write a point for the fraction.")
            }
            NotANumber::ForeignUnit => format!("“{value}” is in another unit than {}.", unit_words(p)),
        };
        Self::new(p.id, value, format!("{what} Enter {}.", wanted(p)))
    }

    /// A number outside its range.
    pub fn out_of_range(p: &Param, value: &str) -> Self {
        Self::new(p.id, value, format!("{value} is out of range. Allowed: {}.", range_words(p)))
    }

    /// A fraction where only whole numbers make sense.
    pub fn not_whole(p: &Param, value: &str) -> Self {
        Self::new(p.id, value, format!("{value} is not a whole number. Allowed: {}.", range_words(p)))
    }

    /// A word outside a closed list.
    pub fn not_a_choice(p: &Param, value: &str, words: &[&str]) -> Self {
        Self::new(p.id, value, format!("“{value}” is not known. Choose one of {}.", words.join(", ")))
    }

    /// A version that is not known, and what to write instead.
    pub fn not_a_version(p: &Param, value: &str, near: &str, is_same: bool, words: &[&str]) -> Self {
        let hint = if is_same {
            format!("Write {near}.")
        } else {
            format!("The nearest is {near}. Choose one of {}.", words.join(", "))
        };
        Self::new(p.id, value, format!("“{value}” is not known. {hint}"))
    }

    /// A required input that is missing.
    pub fn missing(p: &Param) -> Self {
        Self::new(p.id, "", format!("{} is missing. Enter {}.", p.label, wanted(p)))
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.field, self.message)
    }
}

/// The unit of an input in words: "requests per second".
fn unit_words(p: &Param) -> &'static str {
    match p.unit {
        Unit::PerSecond => "requests per second",
        Unit::Ms => "milliseconds",
        Unit::S => "seconds",
        Unit::Share => "a share",
        Unit::Times => "a multiple",
        Unit::Count => "a number",
        Unit::None => "a value",
    }
}

/// What to enter: "milliseconds, 0.000001 to 100,000,000", "a whole number, 1 to 64".
fn wanted(p: &Param) -> String {
    match p.kind {
        Kind::Whole(range) => format!("a whole number, {}", number_words(range)),
        _ => format!("{}, {}", unit_words(p), range_words(p)),
    }
}

/// The range of an input in words: "above 0 and up to 100,000,000".
pub fn range_words(p: &Param) -> String {
    match p.kind {
        Kind::Number(range) => number_words(range),
        Kind::Whole(range) => format!("whole numbers {}", number_words(range)),
        Kind::Choice(words) => words.join(", "),
        Kind::Flag => "true or false".to_owned(),
        Kind::Text { max_chars } => format!("up to {max_chars} characters"),
    }
}

fn number_words(range: Range) -> String {
    let (min, max) = (display::number(range.min), display::number(range.max));
    if range.above_min { format!("above {min} and up to {max}") } else { format!("{min} to {max}") }
}

/// Percentiles that decrease: `this` is `how` ("above", "below") the `other`.
pub fn decreasing(
    this: (&'static str, Millis),
    how: &'static str,
    other: (&'static str, Millis),
    id: ParamId,
    value: &str,
) -> Problem {
    let at = |(name, at): (&str, Millis)| format!("{name} {}{}ms", display::number(at.0), display::NBSP);
    let message =
        format!("{} is {how} {}. Percentiles must not decrease: correct one of them.", at(this), at(other));
    Problem::new(id, value, message)
}
