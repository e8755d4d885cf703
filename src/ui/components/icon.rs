//! Icons from the sprite in `index.html`.

use crate::ui::reactive::text;
use leptos::prelude::*;

/// An icon beside a word that says the same.
#[component]
pub fn Icon(
    /// Name in the sprite, without the `i-`.
    name: &'static str,
    /// Class of its color.
    #[prop(optional)]
    tone: &'static str,
) -> impl IntoView {
    view! {
        <svg class=format!("hr-icon {tone}") viewBox="0 0 16 16" aria-hidden="true">
            <use_ href=format!("#i-{name}")/>
        </svg>
    }
}

/// An icon that changes, beside a word that says the same.
#[component]
pub fn ChangingIcon(
    /// Name in the sprite, without the `i-`.
    #[prop(into)]
    name: Signal<String>,
) -> impl IntoView {
    view! {
        <svg class="hr-icon" viewBox="0 0 16 16" aria-hidden="true">
            <use_ href=text(move || format!("#i-{}", name.get()))/>
        </svg>
    }
}

/// An icon that stands alone and so has a label.
#[component]
pub fn LabeledIcon(
    /// Name in the sprite, without the `i-`.
    name: &'static str,
    /// Class of its color.
    tone: &'static str,
    /// What it means.
    #[prop(into)]
    label: String,
) -> impl IntoView {
    view! {
        <svg class=format!("hr-icon {tone}") viewBox="0 0 16 16" role="img" aria-label=label>
            <use_ href=format!("#i-{name}")/>
        </svg>
    }
}
