//! Envoy's side: the typed subset of its API, its defaults, and the text it reads.

pub mod defaults;
pub mod emit;
pub mod model;

pub(crate) mod style;
