//! What was wrong with a link.

use crate::ui::components::Icon;
use crate::ui::state::LinkNotice;
use leptos::prelude::*;

/// A hostile link could name a hundred problems; the first ones show that it is broken.
const MOST_SHOWN: usize = 5;

/// Says why the address gave no scenario, until dismissed.
pub fn link_notice() -> AnyView {
    let LinkNotice(notice) = expect_context();
    let Some(error) = notice.get() else { return ().into_any() };
    let problems = error
        .problems
        .into_iter()
        .take(MOST_SHOWN)
        .map(|problem| view! { <li><code>{problem.field}</code>" "{problem.message}</li> })
        .collect_view();
    view! {
        <div class="hr-banner hr-banner--link" role="alert" data-testid="link-problems">
            <Icon name="danger"/>
            <div>
                <p><b>"This link gives no scenario."</b> " The inputs stay as they are."</p>
                <ul>{problems}</ul>
                <button class="hr-link" type="button" on:click=move |_| notice.set(None)>"Dismiss"</button>
            </div>
        </div>
    }
    .into_any()
}
