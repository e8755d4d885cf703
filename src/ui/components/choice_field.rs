//! Inputs with few answers.

use crate::ui::reactive::flag;
use leptos::prelude::*;

/// A menu of words.
#[component]
pub fn SelectInput(
    /// Id and name.
    id: &'static str,
    /// The words.
    options: &'static [&'static str],
    /// The word chosen.
    #[prop(into)]
    value: Signal<String>,
    /// Ids of what describes it.
    #[prop(into)]
    described_by: Signal<Option<String>>,
    /// Takes the word chosen.
    on_choose: Callback<String>,
) -> impl IntoView {
    let options = options
        .iter()
        .map(|word| {
            view! { <option value=*word prop:selected=flag(move || value.with(|v| v == word))>{*word}</option> }
        })
        .collect_view();
    view! {
        <select
            class="hr-input hr-input--text"
            id=id
            name=id
            aria-describedby=described_by
            on:change:target=move |ev| on_choose.run(ev.target().value())
        >
            {options}
        </select>
    }
}

/// A box to check, with its label.
#[component]
pub fn CheckField(
    /// Id and name.
    id: &'static str,
    /// What checking it says.
    label: &'static str,
    /// Whether it is checked.
    #[prop(into)]
    checked: Signal<bool>,
    /// Ids of what describes it.
    #[prop(into)]
    described_by: Signal<Option<String>>,
    /// Takes the new answer.
    on_check: Callback<bool>,
) -> impl IntoView {
    view! {
        <label class="hr-pick">
            <input
                type="checkbox"
                id=id
                name=id
                prop:checked=checked
                aria-describedby=described_by
                on:change:target=move |ev| on_check.run(ev.target().checked())
            />
            {label}
        </label>
    }
}
