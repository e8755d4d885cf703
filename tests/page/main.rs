//! The whole page in a real browser: type, read, copy, reload from a link, go back, break it.
//!
//! Needs the built page (`HEADROOM_DIST`), chromedriver (`HEADROOM_CHROMEDRIVER`) and Chromium
//! (`HEADROOM_CHROMIUM`); `.ci/with` provides them. A missing one is a failure.

mod access;
mod appearance;
mod art;
mod audit;
mod driver;
mod editing;
mod embed;
mod embed_hostile;
mod embed_maker;
mod first_paint;
mod hostile;
mod hosting;
mod keyboard;
mod learn;
mod links;
mod looks;
mod offline;
mod patched;
mod png;
mod quiet;
mod review;
mod server;
mod shelf;
mod simulate;
mod site;
mod taking;
mod theme;
mod views;
mod voice;
