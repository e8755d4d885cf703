//! A row of a form: label, help, input, unit, message.

use super::Icon;
use crate::ui::reactive::{maybe, part, text};
use leptos::prelude::*;

/// Wraps an input with its label, unit, help and message; the input says `described_by` itself.
#[component]
pub fn Field(
    /// Id of the input.
    id: &'static str,
    /// Label; empty where the input brings its own.
    label: &'static str,
    /// Unit beside the input; empty for a wide input.
    unit: &'static str,
    /// What the input means.
    help: &'static str,
    /// Whether the help is open.
    help_open: RwSignal<bool>,
    /// What is wrong with the input.
    #[prop(into)]
    message: Signal<Option<String>>,
    /// The input.
    children: Children,
) -> impl IntoView {
    let class = if unit.is_empty() { "hr-field hr-field--wide" } else { "hr-field" };
    view! {
        <div class=class>
            <div class="hr-field__label">
                <label for=id>{label}</label>
                <HelpButton id=id label=label open=help_open/>
            </div>
            {children()}
            {(!unit.is_empty()).then(|| view! { <span class="hr-field__unit">{unit}</span> })}
            <FieldNotes id=id help=help help_open=help_open message=message/>
        </div>
    }
}

/// Opens and closes the help of an input.
#[component]
pub fn HelpButton(
    /// Id of the input.
    id: &'static str,
    /// Label of the input.
    label: &'static str,
    /// Whether the help is open.
    open: RwSignal<bool>,
) -> impl IntoView {
    view! {
        <button
            class="hr-help"
            type="button"
            aria-expanded=text(move || open.get().to_string())
            aria-controls=maybe(move || open.get().then(|| note_id(id)))
            aria-label=format!("About {label}")
            on:click=move |_| open.update(|open| *open = !*open)
        >
            <Icon name="help"/>
        </button>
    }
}

/// Help and message below an input.
#[component]
pub fn FieldNotes(
    /// Id of the input.
    id: &'static str,
    /// What the input means.
    help: &'static str,
    /// Whether the help is open.
    #[prop(into)]
    help_open: Signal<bool>,
    /// What is wrong with the input.
    #[prop(into)]
    message: Signal<Option<String>>,
) -> impl IntoView {
    view! {
        {part(move || {
            if help_open.get() {
                view! { <p class="hr-field__note" id=note_id(id)>{help}</p> }.into_any()
            } else {
                ().into_any()
            }
        })}
        {part(move || match message.get() {
            Some(message) => view! {
                <p class="hr-field__error" id=error_id(id)>
                    <Icon name="danger"/>
                    <span>{message}</span>
                </p>
            }
            .into_any(),
            None => ().into_any(),
        })}
    }
}

/// The ids that describe an input now.
pub fn described_by(
    id: &'static str,
    help_open: RwSignal<bool>,
    invalid: Signal<bool>,
) -> Signal<Option<String>> {
    maybe(move || match (help_open.get(), invalid.get()) {
        (true, true) => Some(format!("{} {}", error_id(id), note_id(id))),
        (true, false) => Some(note_id(id)),
        (false, true) => Some(error_id(id)),
        (false, false) => None,
    })
}

fn note_id(id: &str) -> String {
    format!("{id}-note")
}

fn error_id(id: &str) -> String {
    format!("{id}-error")
}
