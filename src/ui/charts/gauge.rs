//! The window of `max_requests` as a gauge.

use super::data_table::DataTable;
use super::picture::{Picture, part, picture};
use crate::chart::gauge;
use crate::engine::analysis::Analysis;
use leptos::prelude::*;
use std::sync::Arc;

/// Floor, choice, recommendation and ceiling on one axis for a proxy and the fleet.
#[component]
pub fn Gauge(
    /// Whose window to show.
    analysis: Signal<Arc<Analysis>>,
) -> impl IntoView {
    let gauge = picture(analysis, |analysis| {
        let gauge = gauge::Gauge::of(analysis);
        Picture { markup: gauge.markup(), alt: gauge.alt, table: gauge.table, ..Picture::default() }
    });
    view! {
        <figure class="hr-fig">
            <svg
                class="hr-svg hr-svg--y"
                height=gauge::HEIGHT.to_string()
                role="img"
                aria-label=part(gauge, |g| g.alt.clone())
                inner_html=part(gauge, |g| g.markup.clone())
            ></svg>
            <DataTable rows=part(gauge, |g| g.table.markup())/>
        </figure>
    }
}
