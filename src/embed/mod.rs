//! The embed: a calculator in a frame of somebody else's page.
//!
//! It is a page of its own, `public/embed.html`, with a Wasm module of its own, so that a document
//! does not have to load the whole application, and so that what must not happen in a foreign page
//! cannot: this module knows no storage and no history. The desk takes texts and answers with HTML,
//! a link and JSON; what a browser has to do with them is in `public/embed-mode.js`.

mod accent;
mod desk;
mod fields;
mod options;
mod panels;

pub use accent::{Accent, Chosen, contrast};
pub use desk::{Desk, Reply};
pub use options::{Options, Panel, Theme};
