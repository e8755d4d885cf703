//! What the charts without a drawing have in common.

use crate::chart::Table;
use crate::engine::analysis::Analysis;
use leptos::prelude::*;
use std::sync::Arc;

/// A chart as the page takes it: texts, and its inside as HTML.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    /// What it measures.
    pub subtitle: String,
    /// What it says.
    pub alt: String,
    /// Its inside.
    pub markup: String,
    /// The inside of the line below it.
    pub below: String,
    /// Its data.
    pub table: Table,
}

/// The picture of an analysis, which wakes its readers only when it looks different.
pub fn picture(analysis: Signal<Arc<Analysis>>, draw: fn(&Analysis) -> Picture) -> Memo<Picture> {
    Memo::new(move |_| analysis.with(|analysis| draw(analysis)))
}

/// A text of a picture. One type for all of them: Leptos compiles its machinery for each.
pub fn part(picture: Memo<Picture>, part: fn(&Picture) -> String) -> Signal<String> {
    Signal::derive(move || picture.with(part))
}
