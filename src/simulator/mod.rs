//! The simulation desk: the form of the Simulate view, the runs it asks for, and the HTML of the view.
//!
//! It runs in a worker with a Wasm module of its own, built for speed, which the page loads when the
//! view is first opened. The desk works in slices: each request of the page is answered at once or
//! after some tens of milliseconds, with the runs as far as they are, and says whether there is more
//! to do. It knows neither browser nor clock, so all of it is tested on the host.

mod cells;
mod desk;
mod faults;
mod fields;
mod job;
pub mod lessons;
mod link;
mod matrix;
mod panels;
mod request;
mod setup;
pub mod speed;
mod texts;

pub use desk::Desk;
pub use faults::Faults;
pub use request::{Frame, Reply, Request};
