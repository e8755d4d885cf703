//! The page's skeleton: what holds its state, and the order of its areas.

use crate::engine::scenario::Preset;
use crate::ui::browser::{jump_to, say_in};
use crate::ui::panels::{ANNOUNCER_ID, Announcer, Answer, Inputs, ResultBar, Top, YamlPane, link_notice};
use crate::ui::reactive::part;
use crate::ui::state::{Derived, Form, LinkNotice, ThemeChoice, follow_address, read_address, write_address};
use leptos::prelude::*;
use std::time::Duration;

/// The whole page.
#[component]
pub fn App() -> impl IntoView {
    let address = read_address();
    let notice = LinkNotice(RwSignal::new(address.as_ref().err().cloned()));
    let form = Form::new(address.unwrap_or_else(|_| Preset::first_paint().draft()));
    let derived = Derived::new(form);
    let theme = ThemeChoice::remembered();
    provide_context(form);
    provide_context(derived);
    provide_context(notice);
    provide_context(theme);
    follow_address(form, derived, notice);
    theme.show();
    tell_the_browser(derived);

    view! {
        <a class="hr-skip" href="#answer" on:click=|ev| jump_to(&ev, "answer")>"Skip to the answer"</a>
        <Top/>
        {part(link_notice)}
        <div class="hr-shell">
            <Inputs/>
            <Answer/>
            <YamlPane/>
        </div>
        <ResultBar/>
        <Announcer/>
    }
}

/// Quiet time after which a change counts as settled: longer than between two keystrokes of a
/// number, shorter than the way to the address bar.
const SETTLE: Duration = Duration::from_millis(400);

/// Keeps in step what is not part of the page: the document's title at once; the address and the
/// live region once a change has settled, so that a number is not read digit by digit.
fn tell_the_browser(derived: Derived) {
    let mut settled = debounce(SETTLE, move |()| {
        let now = derived.outcome.get_untracked();
        write_address(&now.answer.scenario);
        let sentence = if now.is_stale() { String::new() } else { now.answer.headline.sentence_text() };
        say_in(ANNOUNCER_ID, &sentence);
    });
    Effect::new(move |before: Option<()>| {
        let answer = derived.outcome.get().answer;
        document().set_title(&(answer.scenario.name.clone() + " · Headroom"));
        // The first answer is read with the page, and its address is there already.
        if before.is_some() {
            settled(());
        }
    });
}
