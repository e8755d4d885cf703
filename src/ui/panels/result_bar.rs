//! The answer at the foot of a small screen.

use super::hero::look_of;
use crate::engine::sentence::Status;
use crate::engine::units::{Share, display};
use crate::ui::browser::jump_to;
use crate::ui::components::LabeledIcon;
use crate::ui::reactive::part;
use crate::ui::state::Derived;
use leptos::prelude::*;

/// Value, refusals, status and the way to the answer.
#[component]
pub fn ResultBar() -> impl IntoView {
    let derived: Derived = expect_context();
    view! {
        <div class="hr-resultbar" class:hr-stale=derived.stale() aria-label="Result" role="region">
            {part(result)}
            <a href="#answer" on:click=|ev| jump_to(&ev, "answer")>"See why"</a>
        </div>
    }
}

fn result() -> AnyView {
    let derived: Derived = expect_context();
    let stale = derived.is_stale();
    derived.read(|a| {
        let ((name, tone), label, refused) = if stale {
            (look_of(Status::Caution), "Inputs need attention".to_owned(), "not updated".to_owned())
        } else {
            let refused = display::one_in(Share(a.forecast.refused_at_peak.0.max(f64::MIN_POSITIVE)));
            (look_of(a.headline.status), a.headline.status_text.clone(), refused + " refused")
        };
        view! {
            <span><b>{display::count(f64::from(a.window.chosen))}</b> " per proxy"</span>
            <span>{refused}</span>
            <LabeledIcon name tone label/>
        }
        .into_any()
    })
}
