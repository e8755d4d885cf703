//! Against a real Envoy: what is emitted is accepted, and what is predicted happens.
//!
//! `HEADROOM_ENVOY` names the binary. Without it these tests fail: a promise that is not checked is
//! none.

mod alerts;
mod embed;
mod experiments;
mod fixes;
#[allow(dead_code, reason = "other dialects are not for Envoy itself")]
#[path = "../audit/generate.rs"]
mod generate;
mod inputs;
mod live;
mod load;
mod process;
mod scenarios;
mod upstream;
mod validate;
