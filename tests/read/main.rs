//! Reading pasted configurations: samples, rows, broken texts, limits, laws and speed.
#![allow(clippy::float_cmp, reason = "what is read from a text is exactly what the text says")]
#![allow(clippy::unwrap_used, clippy::ref_option, reason = "in a test, a panic is the report")]

mod broken;
mod envoy;
mod evidence;
mod inputs;
mod laws;
mod limits;
mod meshes;
mod played;
mod samples;
mod scalars;
mod show;
mod speed;
mod support;
