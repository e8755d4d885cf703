//! All problems of the inputs in one place, with the way to each.

use crate::engine::params::{Param, by_key};
use crate::engine::units::display;
use crate::ui::browser::focus_input;
use crate::ui::components::Icon;
use crate::ui::reactive::part;
use crate::ui::state::Derived;
use leptos::prelude::*;

/// How many inputs need attention, and which.
#[component]
pub fn Attention() -> impl IntoView {
    let derived: Derived = expect_context();
    // Only which inputs: messages change with every keystroke, and this list is read aloud.
    let keys =
        Memo::new(move |_| derived.problems().iter().fold(String::new(), |keys, p| keys + &p.field + " "));
    part(move || {
        let mut rows: Vec<&'static Param> = keys.with(|keys| keys.split(' ').filter_map(by_key).collect());
        rows.dedup_by_key(|row| row.key);
        if rows.is_empty() { ().into_any() } else { banner(&rows) }
    })
}

fn banner(rows: &[&'static Param]) -> AnyView {
    let n = rows.len();
    let need = if n == 1 { "needs" } else { "need" };
    let title = format!("{} {need} attention", display::plural(n as f64, "input", "inputs"));
    let links = rows
        .iter()
        .map(|row| {
            let key = row.key;
            let go = move |ev: leptos::ev::MouseEvent| {
                ev.prevent_default();
                focus_input(key);
            };
            view! { <li><a href=format!("#{key}") on:click=go>{row.label}</a></li> }
        })
        .collect_view();
    view! {
        <div class="hr-banner" role="alert" data-testid="attention">
            <Icon name="danger"/>
            <div>
                <p><b>{title}</b></p>
                <ul>{links}</ul>
            </div>
        </div>
    }
    .into_any()
}
