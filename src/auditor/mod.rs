//! The audit desk: pasted files and what is known of the traffic in, HTML of the Audit view out.
//!
//! It runs in a worker with a Wasm module of its own, which the page loads when the view is first
//! opened: the reader is as heavy as the page, and a large file must not stop it. The desk keeps the
//! texts and what it has shown; it knows no browser, so all of it is tested on the host.

mod desk;
mod example;
mod panels;
mod policy;
mod request;

pub use desk::Desk;
pub use policy::policy;
pub use request::{Reply, Request};
