//! The bar on top: name, views, theme, copy.

use super::yaml::YAML_ID;
use crate::engine::export::{Target, export};
use crate::ui::browser::{jump_to, select_contents};
use crate::ui::components::{CopyButton, Icon};
use crate::ui::reactive::{part, text};
use crate::ui::state::{Derived, ThemeChoice, address_of};
use leptos::prelude::*;

/// Where the link stands when the clipboard refuses it.
const LINK_ID: &str = "link-by-hand";

/// Name, theme, and what can be taken away.
#[component]
pub fn Top() -> impl IntoView {
    let derived: Derived = expect_context();
    let address = move || derived.outcome.with_untracked(|o| address_of(&o.answer.scenario));
    let by_hand = RwSignal::new(false);
    let show_link = move |()| {
        by_hand.set(true);
        request_animation_frame(|| select_contents(LINK_ID));
    };
    view! {
        <header class="hr-top">
            <p class="hr-top__name">"Headroom"</p>
            <nav class="hr-tabs" aria-label="Views">
                <a href="#answer" aria-current="page" on:click=|ev| jump_to(&ev, "answer")>"Size"</a>
            </nav>
            <div class="hr-top__tools">
                <ThemeButton/>
                <CopyButton
                    label="Copy link"
                    icon="link"
                    main=false
                    text=Callback::new(move |()| address())
                    on_failure=Callback::new(show_link)
                    off_because=derived.off_because()
                />
                <CopyButton
                    label="Copy YAML"
                    icon="copy"
                    main=true
                    text=Callback::new(move |()| derived.outcome.with_untracked(|o| export(&o.answer, Target::Envoy)))
                    on_failure=Callback::new(|()| select_contents(YAML_ID))
                    off_because=derived.off_because()
                />
            </div>
        </header>
        {part(move || {
            if !by_hand.get() {
                return ().into_any();
            }
            view! {
                <div class="hr-byhand" role="status">
                    <code id=LINK_ID>{address()}</code>
                    <button class="hr-btn hr-btn--quiet" type="button" on:click=move |_| by_hand.set(false)>
                        "Close"
                    </button>
                </div>
            }
            .into_any()
        })}
    }
}

#[component]
fn ThemeButton() -> impl IntoView {
    let theme: ThemeChoice = expect_context();
    view! {
        <button
            class="hr-btn hr-btn--quiet"
            type="button"
            aria-label=text(move || theme.0.get().describe().to_owned())
            on:click=move |_| theme.advance()
        >
            <Icon name="theme"/>
        </button>
    }
}
