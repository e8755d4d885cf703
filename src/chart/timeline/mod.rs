//! Quantities over the time of a run: two policies on one axis, the fault shaded.
//!
//! Time is linear from 0, and so is the quantity. Points lie in the middle of their step of time; a
//! step without a value is a gap in the line.

mod axis;
mod draw;
mod labels;

pub use axis::{Scale, times};
pub use draw::Frame;

use super::svg::Role;

/// A chart over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Timeline {
    /// Length of the run in seconds.
    pub duration: f64,
    /// The fault, from and to, in seconds.
    pub fault: Option<(f64, f64)>,
    /// The axis of the quantity.
    pub scale: Scale,
    /// Lines, the most important one first.
    pub curves: Vec<Curve>,
    /// Values to compare with.
    pub marks: Vec<Mark>,
    /// Height of the plot in lines of text.
    pub lines: f64,
    /// What the picture says.
    pub alt: String,
}

/// A line.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// How it is drawn.
    pub role: Role,
    /// Label at the line.
    pub label: String,
    /// Time in seconds and value, in the order of time.
    pub points: Vec<(f64, Option<f64>)>,
}

/// A value to compare with: a limit.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// Where.
    pub value: f64,
    /// What it is.
    pub label: String,
}

impl Curve {
    /// The runs of points without a gap.
    fn runs(&self) -> impl Iterator<Item = Vec<(f64, f64)>> {
        self.points
            .split(|(_, value)| value.is_none_or(|v| !v.is_finite()))
            .map(|run| run.iter().filter_map(|(t, value)| Some((*t, (*value)?))).collect::<Vec<_>>())
            .filter(|run| !run.is_empty())
    }
}
