//! The timeouts to scale, and in order.

use super::data_table::DataTable;
use super::picture::{Picture, part, picture};
use crate::chart::ladder;
use crate::engine::analysis::Analysis;
use leptos::prelude::*;
use std::sync::Arc;

/// Attempts, back-offs and the clocks around them on one axis of time, and as inequalities.
#[component]
pub fn Ladder(
    /// Whose timeouts to show.
    analysis: Signal<Arc<Analysis>>,
) -> impl IntoView {
    let ladder = picture(analysis, |analysis| {
        let ladder = ladder::Ladder::of(analysis);
        Picture {
            markup: ladder.markup(),
            below: ladder.chain.markup(),
            alt: ladder.alt,
            table: ladder.table,
            ..Picture::default()
        }
    });
    view! {
        <figure class="hr-fig">
            <ul
                class="hr-rows"
                aria-label=part(ladder, |l| l.alt.clone())
                inner_html=part(ladder, |l| l.markup.clone())
            ></ul>
            <p class="hr-chain" inner_html=part(ladder, |l| l.below.clone())></p>
            <DataTable rows=part(ladder, |l| l.table.markup())/>
        </figure>
    }
}
