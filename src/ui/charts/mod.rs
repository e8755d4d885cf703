//! The charts of the page: what [`crate::chart`] writes, put into figures.
//!
//! Gauge, headroom rows and ladder are plain SVG in percent of their width, so they stretch
//! without a redraw. The sweep is drawn for its width and again when that changes. Colors come
//! from the style sheet, so a change of theme needs nothing here.
//!
//! Each chart's inside is set as HTML, in one piece: made node by node, two hundred elements
//! would cost more on a keystroke than everything that is computed. That is safe because
//! `crate::chart` writes every byte of it, from numbers of the analysis and from its own words,
//! and escapes those; no text that a person typed is ever in it.

mod data_table;
mod gauge;
mod headroom;
mod ladder;
mod observed;
mod picture;
mod sweep;
mod what_if;

pub use gauge::Gauge;
pub use headroom::HeadroomRows;
pub use ladder::Ladder;
pub use sweep::SweepChart;
