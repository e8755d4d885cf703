//! How far each limit is from tripping.

use super::data_table::DataTable;
use super::picture::{Picture, part, picture};
use crate::chart::rows::Headroom;
use crate::engine::analysis::Analysis;
use leptos::prelude::*;
use std::sync::Arc;

/// Limits with the growth they leave, the first to trip on top.
#[component]
pub fn HeadroomRows(
    /// Whose limits to show.
    analysis: Signal<Arc<Analysis>>,
) -> impl IntoView {
    let rows = picture(analysis, |analysis| {
        let headroom = Headroom::of(analysis);
        Picture {
            markup: headroom.markup(),
            subtitle: headroom.subtitle,
            alt: headroom.alt,
            table: headroom.table,
            ..Picture::default()
        }
    });
    view! {
        <figure class="hr-fig">
            <figcaption class="hr-head">
                <h2>"Headroom: what trips first"</h2>
                <p class="hr-sub">{part(rows, |r| r.subtitle.clone())}</p>
            </figcaption>
            <ul
                class="hr-rows"
                aria-label=part(rows, |r| r.alt.clone())
                inner_html=part(rows, |r| r.markup.clone())
            ></ul>
            <DataTable rows=part(rows, |r| r.table.markup())/>
        </figure>
    }
}
