//! Scenarios to start from.

use crate::engine::scenario::PRESETS;
use crate::ui::components::Icon;
use crate::ui::reactive::{maybe, part, text};
use crate::ui::state::Form;
use leptos::prelude::*;

/// Title of the form with the presets behind a button, and the way back to the start.
#[component]
pub fn FormHead() -> impl IntoView {
    let form: Form = expect_context();
    let open = RwSignal::new(false);
    view! {
        <div class="hr-head--row">
            <h2>"Scenario"</h2>
            <div class="hr-formtools">
                <button
                    class="hr-btn hr-btn--quiet"
                    type="button"
                    aria-expanded=text(move || open.get().to_string())
                    aria-controls=maybe(move || open.get().then(|| "examples".to_owned()))
                    on:click=move |_| open.update(|open| *open = !*open)
                >
                    "Examples"
                    <Icon name="chevron"/>
                </button>
                <button class="hr-btn hr-btn--quiet" type="button" on:click=move |_| form.start_over()>"Start over"</button>
            </div>
        </div>
        {part(move || if open.get() { view! { <Examples/> }.into_any() } else { ().into_any() })}
    }
}

#[component]
fn Examples() -> impl IntoView {
    let form: Form = expect_context();
    let buttons = PRESETS
        .iter()
        .map(|preset| {
            view! {
                <li>
                    <button class="hr-example" type="button" on:click=move |_| form.load(preset.draft())>
                        <b>{preset.title}</b>
                        <small>{preset.serves}</small>
                    </button>
                </li>
            }
        })
        .collect_view();
    view! { <ul class="hr-examples" id="examples">{buttons}</ul> }
}
