//! What is refused as load grows.

use super::data_table::DataTable;
use super::observed::{Fit, capture, observed_fit};
use super::what_if::WhatIf;
use crate::chart::svg::Skin;
use crate::chart::sweep::{Frame, Marker, Sweep};
use crate::engine::analysis::Analysis;
use leptos::{ev, html, prelude::*};
use std::sync::Arc;

/// Refused share against fleet rate, with a rate of the reader's choice.
#[component]
pub fn SweepChart(
    /// Whose limits to show.
    analysis: Signal<Arc<Analysis>>,
) -> impl IntoView {
    let sweep = Memo::new(move |_| analysis.with(|analysis| Sweep::of(analysis)));
    let plot = NodeRef::<html::Div>::new();
    let fit = observed_fit(plot);
    // Today's peak is marked anyway, so there the reader's mark is not drawn.
    let multiple = RwSignal::new(1.0);
    let marker =
        move || Some(Marker { multiple: multiple.get() }).filter(|m| (m.multiple - 1.0).abs() > 1e-9);
    let frame = move |Fit { width, text_px }: Fit| Frame { width, text_px, skin: Skin::Classes };
    let picture = Signal::derive(move || match fit.get() {
        Fit { width, .. } if width <= 0.0 => String::new(),
        fit => sweep.with(|sweep| sweep.svg(&frame(fit), marker())),
    });

    let text =
        Signal::derive(move || sweep.with(|sweep| sweep.describe(Marker { multiple: multiple.get() })));
    let rows = Signal::derive(move || sweep.with(|sweep| sweep.table().markup()));

    let dragging = StoredValue::new(false);
    let look = move |event: &ev::PointerEvent| {
        if let Some(plot) = plot.get_untracked() {
            let x = f64::from(event.client_x()) - plot.get_bounding_client_rect().left();
            let at = frame(fit.get_untracked()).multiple_at(x);
            multiple.set((at * 20.0).round() / 20.0);
        }
    };
    let grab = move |event: ev::PointerEvent| {
        if event.button() == 0 {
            capture(&event);
            dragging.set_value(true);
            look(&event);
        }
    };
    let drag = move |event: ev::PointerEvent| {
        if dragging.get_value() {
            look(&event);
        }
    };
    let release = move |_| dragging.set_value(false);
    view! {
        <figure class="hr-fig">
            <figcaption class="hr-head">
                <h2>"Refused as load grows"</h2>
                <p class="hr-sub">"Share of requests the busiest proxy refuses in the worst second"</p>
            </figcaption>
            <div
                class="hr-plot"
                node_ref=plot
                inner_html=picture
                on:pointerdown=grab
                on:pointermove=drag
                on:pointerup=release
                on:pointercancel=release
            ></div>
            <WhatIf multiple text/>
            <DataTable rows/>
        </figure>
    }
}
