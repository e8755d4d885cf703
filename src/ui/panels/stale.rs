//! The banner over an answer that is not that of the inputs.

use crate::engine::mapping::inputs;
use crate::engine::scenario::Draft;
use crate::ui::components::Icon;
use crate::ui::state::{Derived, Form};
use leptos::prelude::*;

/// Says which inputs the answer belongs to, and offers them back.
pub fn stale_notice() -> AnyView {
    let derived: Derived = expect_context();
    let form: Form = expect_context();
    if !derived.is_stale() {
        return ().into_any();
    }
    let restore = move |_| form.load(derived.outcome.with_untracked(|o| Draft::clone(&o.valid)));
    view! {
        <div class="hr-banner hr-banner--caution" role="status" data-testid="stale">
            <Icon name="caution"/>
            <div>
                <p><b>"Not updated."</b> " This answer is still the one for your last valid inputs."</p>
                <p>
                    {derived.read(|a| inputs(&a.scenario).join(", "))} ". "
                    <button class="hr-link" type="button" on:click=restore>"Restore them"</button>
                </p>
            </div>
        </div>
    }
    .into_any()
}
