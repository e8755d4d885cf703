//! Charts: engine results in, geometry and SVG text out.
//!
//! Nothing here knows a browser. Gauge, headroom rows and ladder are plain geometry in percent of
//! the plot's width, so that a view can stretch without a redraw; [`sweep`] and [`timeline`] are curves, so they are
//! drawn for one width with plotters, through the small backend in [`svg`]. Every chart also says
//! in words what it shows, and gives its data as a [`Table`].
//!
//! A chart decides nothing: what is tolerated, chosen or tripped was decided in the engine.

pub mod card;
pub mod gauge;
pub mod heat;
pub mod ladder;
pub mod markup;
pub mod palette;
pub mod pool;
mod room;
pub mod rows;
pub mod scale;
pub mod svg;
pub mod sweep;
pub mod text;
pub mod timeline;

/// The data behind a chart, ready to print; the first cell of a row names it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// Column headings.
    pub head: Vec<String>,
    /// Rows, as long as the heading.
    pub rows: Vec<Vec<String>>,
}
