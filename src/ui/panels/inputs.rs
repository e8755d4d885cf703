//! The form: groups of inputs, what they amount to, and what is wrong with them.

use super::attention::Attention;
use super::derived_lines::DerivedLines;
use super::examples::FormHead;
use super::input::Input;
use crate::engine::params::{Group, PARAMS, Param, param};
use crate::engine::units::display;
use crate::ui::browser::focus_input;
use crate::ui::components::Icon;
use crate::ui::reactive::{part, text};
use crate::ui::state::{Derived, Form, LATENCY, STREAM};
use leptos::prelude::*;

/// The groups that are always open, with their headings.
const GROUPS: [(Group, &str); 4] = [
    (Group::Traffic, "Traffic, whole fleet"),
    (Group::Clients, "Client proxies"),
    (Group::Upstream, "Upstream"),
    (Group::Margins, "Margins"),
];

/// The whole form.
#[component]
pub fn Inputs() -> impl IntoView {
    let groups =
        GROUPS.iter().map(|(group, title)| view! { <InputGroup group=*group title/> }).collect_view();
    view! {
        <form class="hr-form" aria-label="Scenario" on:submit=|ev| ev.prevent_default()>
            <FormHead/>
            <Attention/>
            {groups}
            <MoreInputs/>
        </form>
    }
}

#[component]
fn InputGroup(group: Group, title: &'static str) -> impl IntoView {
    view! {
        <fieldset class="hr-group">
            <legend>{title}</legend>
            {rows(group).map(|p| view! { <Offered p/> }).collect_view()}
            {(group == Group::Traffic).then(|| view! { <MoreLatency/> })}
            <DerivedLines group/>
        </fieldset>
    }
}

fn rows(group: Group) -> impl Iterator<Item = &'static Param> {
    PARAMS.iter().filter(move |p| p.group == group)
}

/// An input, while the form offers it or something is wrong with it.
#[component]
fn Offered(p: &'static Param) -> impl IntoView {
    if !LATENCY.contains(&p.id) && !STREAM.contains(&p.id) {
        return view! { <Input p/> }.into_any();
    }
    let form: Form = expect_context();
    let derived: Derived = expect_context();
    // A memo: the input must not be built anew while someone types into it.
    let shown = Memo::new(move |_| form.offers(p.id) || derived.message(p.key).is_some());
    part(move || if shown.get() { view! { <Input p/> }.into_any() } else { ().into_any() })
}

#[component]
fn MoreLatency() -> impl IntoView {
    let form: Form = expect_context();
    let can_unfold = Memo::new(move |_| form.folded().is_some());
    let unfold = move |_| {
        let Some(first) = untrack(|| form.folded()) else { return };
        form.unfold_latency();
        // The button goes; the keyboard goes on at the first of the new inputs.
        request_animation_frame(move || focus_input(param(first).key));
    };
    part(move || {
        if !can_unfold.get() {
            return ().into_any();
        }
        view! {
            <button class="hr-btn hr-btn--quiet hr-add" type="button" on:click=unfold>
                "Add a percentile or the mean"
            </button>
        }
        .into_any()
    })
}

#[component]
fn MoreInputs() -> impl IntoView {
    let form: Form = expect_context();
    let derived: Derived = expect_context();
    let summary = move || {
        let wrong = rows(Group::More).filter(|p| derived.message(p.key).is_some()).count();
        let text = match rows(Group::More).filter(|p| form.is_blank(p.id)).count() {
            0 => "More inputs".to_owned(),
            1 => "More inputs: one at its default".to_owned(),
            n => format!("More inputs: {n} at their defaults"),
        };
        match wrong {
            0 => text,
            n => format!("{text}, {} wrong", display::words(u32::try_from(n).unwrap_or(u32::MAX))),
        }
    };
    view! {
        <details class="hr-group">
            <summary>
                <span>{text(summary)}</span>
                <Icon name="chevron"/>
            </summary>
            {rows(Group::More).map(|p| view! { <Input p/> }).collect_view()}
        </details>
    }
}
