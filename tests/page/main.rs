//! The whole page in a real browser: type, read, copy, reload from a link, go back, break it.
//!
//! Needs the built page (`HEADROOM_DIST`), chromedriver (`HEADROOM_CHROMEDRIVER`) and Chromium
//! (`HEADROOM_CHROMIUM`); `.ci/with` provides them. A missing one is a failure.

mod access;
mod audit;
mod driver;
mod editing;
mod first_paint;
mod links;
mod looks;
mod patched;
mod png;
mod quiet;
mod server;
mod simulate;
mod site;
mod taking;
mod theme;
