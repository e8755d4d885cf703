//! The review desk: the scenario's texts in, the HTML and the Markdown of the Review view out.
//!
//! It runs in a worker with a Wasm module of its own, which the page loads when the view is first
//! opened. It carries no reader and no simulator: what a pasted text says comes as data from the
//! audit's module, what faults cost from the simulator's. It knows no browser, so all of it is tested
//! on the host.

mod desk;
mod panels;
mod request;

pub use desk::Desk;
pub use request::{Play, Reply, Request};
