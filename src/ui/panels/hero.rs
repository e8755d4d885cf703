//! Status, sentence, reason, ways out.

use crate::engine::analysis::WayOut;
use crate::engine::rules::RULES;
use crate::engine::sentence::{Piece, Status};
use crate::ui::browser::jump_to;
use crate::ui::components::{Icon, rich};
use crate::ui::reactive::part;
use crate::ui::state::{Derived, Form};
use crate::ui::words::{count_findings, summarize_findings};
use leptos::prelude::*;

/// What to read aloud, and what it rests on.
#[component]
pub fn Hero() -> impl IntoView {
    let derived: Derived = expect_context();
    let strong = |text: String| view! { <strong>{text}</strong> }.into_any();
    let bold = |text: String| view! { <b>{text}</b> }.into_any();
    view! {
        <div class="hr-hero">
            {part(status_line)}
            <p class="hr-say">{part(move || derived.read(|a| pieces(&a.headline.sentence, strong)))}</p>
            <p class="hr-reason">{part(move || derived.read(|a| pieces(&a.headline.reason, bold)))}</p>
            {part(ways_out)}
        </div>
    }
}

/// The word for the state of things, and how many findings there are.
fn status_line() -> AnyView {
    let derived: Derived = expect_context();
    derived.read(|a| {
        let (icon, tone) = look_of(a.headline.status);
        let counts = count_findings(&a.findings);
        let counts = if counts.is_empty() {
            view! { <span>{summarize_findings(a, RULES.len())}</span> }.into_any()
        } else {
            view! { <a href="#h-find" on:click=|ev| jump_to(&ev, "h-find")>{counts}</a> }.into_any()
        };
        view! {
            <p class=format!("hr-status {tone}")>
                <Icon name=icon/>
                {a.headline.status_text.clone()}
                " "
                {counts}
            </p>
        }
        .into_any()
    })
}

/// Buttons that change one input each, where the window is tight or shut.
fn ways_out() -> AnyView {
    let derived: Derived = expect_context();
    let ways = derived.read(|a| a.ways_out.clone());
    if ways.is_empty() {
        return ().into_any();
    }
    view! {
        <div class="hr-actions" role="group" aria-label="Ways to make room">
            {ways.into_iter().map(way_button).collect_view()}
        </div>
    }
    .into_any()
}

fn way_button(way: WayOut) -> AnyView {
    let derived: Derived = expect_context();
    let form: Form = expect_context();
    let WayOut { label, set, effect } = way;
    let effect = view! { <span class="hr-vh">": "{effect}</span> };
    match set {
        Some(change) => view! {
            <button
                class="hr-btn"
                type="button"
                aria-disabled=derived.disabled()
                aria-describedby=derived.off_because()
                on:click=move |_| {
                    if !untrack(|| derived.is_stale()) {
                        form.apply(&change);
                    }
                }
            >
                {label}
                {effect}
            </button>
        }
        .into_any(),
        // Not a change of an input: something to do elsewhere.
        None => view! { <span class="hr-sub">"or "{rich(&label)}{effect}</span> }.into_any(),
    }
}

/// Pieces of text; what is strong is set as `strong` says.
fn pieces(pieces: &[Piece], strong: fn(String) -> AnyView) -> AnyView {
    let set = |piece: &Piece| {
        if piece.strong { strong(piece.text.clone()) } else { rich(&piece.text) }
    };
    pieces.iter().map(set).collect_view().into_any()
}

/// The icon and the class of a status.
pub fn look_of(status: Status) -> (&'static str, &'static str) {
    match status {
        Status::Ok => ("ok", "hr-ok"),
        Status::Caution => ("caution", "hr-caution"),
        Status::Danger => ("danger", "hr-danger"),
    }
}
