//! The learn pages: text in `docs/learn`, numbers from the engine, the simulator, and what was measured;
//! `make docs` writes `public/learn`.

mod blocks;
mod calibration;
mod knowledge;
mod links;
mod markdown;
mod page;
mod pages;
mod values;
