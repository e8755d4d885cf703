//! The shelf: scenarios that a person keeps under names, in their own browser, never sent anywhere.
//!
//! It has a Wasm module of its own, which the page loads when the shelf is first opened. The desk keeps what
//! is shown and speaks to a store through [`Store`]; it knows no browser, so all of it is tested on the host.

mod desk;
mod entries;
mod file;
mod names;
mod panel;

pub use desk::{Desk, Reply, Request, Store, Stored};
pub use entries::{Entries, Entry, MAX_ENTRIES};
pub use file::{MAX_BYTES, read, write};
pub use names::{MAX_NAME, check_name};
