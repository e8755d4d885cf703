//! Charts on the host: geometry by hand-computed positions, SVG by its structure.

#![allow(clippy::float_cmp, reason = "axis ends and baselines are exact")]

mod card;
mod gauge;
mod ladder;
mod palette;
mod rows;
mod support;
mod sweep;
mod timeline;
