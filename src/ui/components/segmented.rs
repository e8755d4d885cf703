//! A few choices of which one holds.

use crate::ui::reactive::text;
use leptos::prelude::*;

/// A row of buttons of which one is pressed.
#[component]
pub fn Segmented(
    /// What is chosen, for assistive technology.
    label: &'static str,
    /// The choices.
    options: &'static [&'static str],
    /// Index of the one that holds.
    chosen: RwSignal<usize>,
) -> impl IntoView {
    let buttons = options
        .iter()
        .enumerate()
        .map(|(at, option)| {
            view! {
                <button
                    type="button"
                    aria-pressed=text(move || (chosen.get() == at).to_string())
                    on:click=move |_| chosen.set(at)
                >
                    {*option}
                </button>
            }
        })
        .collect_view();
    view! { <div class="hr-seg" role="group" aria-label=label>{buttons}</div> }
}
