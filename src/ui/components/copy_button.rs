//! A button that copies, and says how that went.

use super::ChangingIcon;
use crate::ui::browser::copy;
use crate::ui::reactive::{flag, maybe, text as changing};
use leptos::prelude::*;
use std::time::Duration;

/// How long the button says how copying went.
const SAY: Duration = Duration::from_secs(2);

/// What the button says: numbers, because a signal of them is compiled already.
const LABEL: usize = 0;
const COPIED: usize = 1;
const FAILED: usize = 2;

/// Copies a text. Says "Copied" for two seconds at the same width, or asks for the keys to press.
#[component]
pub fn CopyButton(
    /// What the button says.
    label: &'static str,
    /// Icon in the sprite.
    icon: &'static str,
    /// Whether it is the main button of the screen.
    main: bool,
    /// Gives the text.
    text: Callback<(), String>,
    /// Selects the text for copying by hand, when the clipboard refuses.
    on_failure: Callback<()>,
    /// Id of the reason why copying is off; none while it is on.
    #[prop(into)]
    off_because: Signal<Option<String>>,
) -> impl IntoView {
    let said = RwSignal::new(LABEL);
    let say = move |what: usize| {
        // The button may be gone by the time the clipboard or the clock answers.
        _ = said.try_set(what);
        set_timeout(move || _ = said.try_set(LABEL), SAY);
    };
    let press = move |_| {
        if off_because.get_untracked().is_some() {
            return;
        }
        copy(&text.run(()), move |worked| {
            say(if worked { COPIED } else { FAILED });
            if !worked {
                _ = on_failure.try_run(());
            }
        });
    };
    let icon_now = changing(move || if said.get() == COPIED { "ok" } else { icon }.to_owned());
    let word = move |what: usize, class: &'static str, word: &'static str| {
        let hidden = flag(move || said.get() != what);
        view! {
            <span class=class class:hr-swap__off=hidden aria-hidden=maybe(move || hidden.get().then(|| "true".to_owned()))>
                {word}
            </span>
        }
    };
    view! {
        <button
            class="hr-btn"
            class:hr-btn--failed=flag(move || said.get() == FAILED)
            class:hr-btn--main=flag(move || main && off_because.with(Option::is_none))
            type="button"
            aria-disabled=maybe(move || off_because.get().map(|_| "true".to_owned()))
            aria-describedby=off_because
            on:click=press
        >
            <ChangingIcon name=icon_now/>
            <span class="hr-swap">
                {word(LABEL, "", label)} {word(COPIED, "", "Copied")}
                {word(FAILED, "hr-swap__over", "Press Ctrl+C")}
            </span>
        </button>
    }
}
