//! The control of the sweep's marker, for keyboard, touch and mouse.

use crate::chart::sweep::MOST;
use leptos::prelude::*;

/// A slider over the multiples of today's peak, as long as the chart's axis.
#[component]
pub fn WhatIf(
    /// The multiple.
    multiple: RwSignal<f64>,
    /// What it does, in words.
    text: Signal<String>,
) -> impl IntoView {
    let position = Signal::derive(move || multiple.get().to_string());
    view! {
        <div class="hr-what-if">
            <label for="what-if">"What if: times today’s peak"</label>
            // The slider says the same when it moves; a live region would say it twice.
            <output for="what-if" aria-live="off">{text}</output>
            <input
                type="range"
                id="what-if"
                min="0"
                max=MOST.to_string()
                step="0.05"
                prop:value=position
                aria-valuetext=text
                on:input:target=move |event| multiple.set(event.target().value_as_number())
            />
        </div>
    }
}
