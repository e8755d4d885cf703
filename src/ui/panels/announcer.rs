//! Says a new answer to those who do not see it.

use leptos::prelude::*;

/// The id of the live region.
pub const ANNOUNCER_ID: &str = "announcer";

/// A live region with the sentence of the newest answer.
#[component]
pub fn Announcer() -> impl IntoView {
    view! { <p class="hr-vh" aria-live="polite" id=ANNOUNCER_ID></p> }
}
