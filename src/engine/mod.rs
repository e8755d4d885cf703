//! The engine: a scenario in, an analysis out. No page, no clock, no random source, no panic on
//! what people type.

pub mod units;
