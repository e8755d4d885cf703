//! The page's skeleton: what holds its state, and the order of its areas.

use crate::engine::export::Target;
use crate::engine::scenario::Preset;
use crate::markup::Html;
use crate::ui::actions::Actions;
use crate::ui::browser::{listen, say_in};
use crate::ui::components::region;
use crate::ui::inputs::inputs;
use crate::ui::panels::{self, ANNOUNCER_ID, Announcer, Model, YamlText};
use crate::ui::state::{
    Derived, Form, Seen, Settling, View, address_of, follow_address, read_address, write_address,
};
use crate::ui::sweep::sweep;
use leptos::prelude::*;
use std::cell::RefCell;

/// The whole page.
#[component]
pub fn App() -> impl IntoView {
    let (draft, said) = read_address().unwrap_or_else(|wrong| (Preset::first_paint().draft(), Some(wrong)));
    let view = View::new(said);
    let form = Form::new(draft);
    let derived = Derived::new(form);
    follow_address(form, derived, view);
    tell_the_browser(form, derived);
    sweep(derived);
    Actions { form, derived, view }.follow();

    let top = region("top", move |out| {
        view.with(|seen| panels::top(out, seen.theme, seen.copied, derived.is_stale()));
    });
    let notices = region("notices", move |out| view.with(|seen| notices(out, seen, derived)));
    let form_html = inputs(form, derived, view);
    let answer = region("answer", move |out| with_model(derived, view, out, panels::answer));
    let result = region("result", move |out| with_model(derived, view, out, panels::result_bar));
    let stale = derived.stale();
    view! {
        <a class="hr-skip" href="#answer" data-do="go answer">"Skip to the answer"</a>
        <header class="hr-top" id="top" inner_html=top></header>
        <div id="notices" inner_html=notices></div>
        <div class="hr-shell">
            <form class="hr-form" id="form" aria-label="Scenario" inner_html=form_html></form>
            <main class="hr-answer" class:hr-stale=stale id="answer" tabindex="-1" inner_html=answer></main>
            <aside class="hr-rail" class:hr-stale=stale id="rail" aria-label="Output" inner_html=rail(derived, view)></aside>
        </div>
        <div class="hr-resultbar" class:hr-stale=stale id="result" aria-label="Result" role="region" inner_html=result></div>
        <Announcer/>
    }
}

fn with_model(derived: Derived, view: View, out: &mut Html, write: fn(&mut Html, &Model<'_>)) {
    derived.outcome.with(|now| view.with(|seen| write(out, &Model { now, open: &seen.open })));
}

/// What has to be said above everything.
fn notices(out: &mut Html, seen: &Seen, derived: Derived) {
    out.begin("<div id=\"{}\">", "s-by-hand");
    if seen.by_hand {
        panels::by_hand(out, &derived.outcome.with_untracked(|o| address_of(&o.answer.scenario)));
    }
    out.end("</div>");
    out.begin("<div id=\"{}\">", "s-link");
    if let Some(said) = &seen.link_said {
        panels::link_notice(out, said);
    }
    out.end("</div>");
}

/// The output, which remembers the text before the last edit.
fn rail(derived: Derived, view: View) -> String {
    let last = RefCell::new(None);
    region("rail", move |out| {
        derived.outcome.with(|now| {
            view.with(|seen| {
                let target = Target::ALL.get(seen.tab).copied().unwrap_or(Target::Envoy);
                let mut last = last.borrow_mut();
                let text = YamlText::next(last.as_ref(), &now.answer, &now.before, target);
                panels::yaml(out, &text, seen.tab, seen.copied, now.problems.len());
                *last = Some(text);
            });
        });
    })
}

/// Keeps in step what is not part of the page: the document's title at once; the address and the
/// live region once a change has settled, so that a number is not read digit by digit.
fn tell_the_browser(form: Form, derived: Derived) {
    let settling = Settling::new(move || {
        let now = derived.outcome.get_untracked();
        form.rest();
        write_address(&now.answer.scenario);
        let sentence = if now.is_stale() { String::new() } else { now.answer.headline.sentence_text() };
        say_in(ANNOUNCER_ID, &sentence);
    });
    // Who goes to another view or page finds the way back with what was typed last.
    let waiting = settling.clone();
    listen("blur", move |_| waiting.finish());
    let titled = RefCell::new(String::new());
    Effect::new(move |before: Option<()>| {
        let answer = derived.outcome.get().answer;
        // A browser takes its time to set even the title that is there.
        if titled.replace(answer.scenario.name.clone()) != answer.scenario.name {
            document().set_title(&(answer.scenario.name.clone() + " · Headroom"));
        }
        // The first answer is read with the page, and its address is there already.
        if before.is_some() {
            settling.changed();
        }
    });
}
