//! An input that keeps what is typed as text.

use crate::ui::reactive::maybe;
use leptos::prelude::*;

/// A one-line input; its text is the caller's.
#[component]
pub fn TextInput(
    /// Id and name.
    id: &'static str,
    /// The text.
    #[prop(into)]
    value: Signal<String>,
    /// What an empty text counts as.
    #[prop(into)]
    placeholder: Signal<String>,
    /// Which keys a phone offers: `decimal`, `numeric` or `text`.
    keys: &'static str,
    /// Whether the text cannot be used.
    #[prop(into)]
    invalid: Signal<bool>,
    /// Ids of what describes it.
    #[prop(into)]
    described_by: Signal<Option<String>>,
    /// Takes the text after each keystroke.
    on_input: Callback<String>,
    /// Told when the person has finished with the input.
    on_done: Callback<()>,
) -> impl IntoView {
    let class = if keys == "text" { "hr-input hr-input--text" } else { "hr-input" };
    view! {
        <input
            class=class
            id=id
            name=id
            inputmode=keys
            autocomplete="off"
            spellcheck="false"
            placeholder=placeholder
            prop:value=value
            aria-invalid=maybe(move || invalid.get().then(|| "true".to_owned()))
            aria-describedby=described_by
            on:input:target=move |ev| on_input.run(ev.target().value())
            on:blur=move |_| on_done.run(())
        />
    }
}
