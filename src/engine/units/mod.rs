//! Quantities with their unit in the type, and the numbers people write.
//!
//! A bare `f64` can be a rate, a duration or a share, and mixing them up is the easiest way to
//! publish a wrong limit. Each quantity is a newtype with public access to its value in one named
//! unit; arithmetic that changes the unit is a named function or an operator where the meaning is
//! beyond doubt (a rate times a duration is a number of erlangs, Little's law).
//!
//! [`parse`] reads what people type (`250ms`, `1.5s`, `2k`, `1,200`, `99.9%`); [`display`] writes
//! numbers the one way that page, YAML comments and command line share.

pub mod decimal;
mod digits;
pub mod display;
pub mod parse;

mod duration;
mod load;
mod ratio;

pub use duration::Millis;
pub use load::{Erlangs, Rate};
pub use ratio::{Percent, Share};
