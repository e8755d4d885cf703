//! The address bar keeps the scenario: one entry of the history for each settled change.

use super::derived::Derived;
use super::form::Form;
use super::view::{LinkSaid, View};
use crate::engine::history::HISTORY;
use crate::engine::scenario::{Draft, Linked, Preset, Scenario};
use crate::ui::browser::listen_on;
use leptos::prelude::*;
use wasm_bindgen::JsValue;

/// The texts that the address asks for, its own or the worked example's, and what is to be said of them.
///
/// # Errors
///
/// What is wrong with the address.
pub fn read_address() -> Result<(Draft, Option<LinkSaid>), LinkSaid> {
    Ok(match Linked::read(&fragment(), HISTORY)? {
        Some(linked) => (Draft::of(&linked.scenario), LinkSaid::news(&linked)),
        None => (Preset::first_paint().draft(), None),
    })
}

/// The fragment without its `#`; empty where it names a place of the page and not a scenario.
fn fragment() -> String {
    let hash = window().location().hash().unwrap_or_default();
    let fragment = hash.strip_prefix('#').unwrap_or_default();
    if document().get_element_by_id(fragment).is_some() { String::new() } else { fragment.to_owned() }
}

/// The whole address of a scenario.
pub fn address_of(scenario: &Scenario) -> String {
    let here = window().location().href().unwrap_or_default();
    let page = here.split_once('#').map_or(here.as_str(), |(page, _)| page);
    format!("{page}#{}", scenario.to_link())
}

/// Where the page is, for the link in what leaves it; empty where nobody could follow that.
pub fn page() -> String {
    // Off the browser, where the state is tested, there is no page.
    let here = if cfg!(target_arch = "wasm32") { window().location().href() } else { Ok(String::new()) };
    let here = here.unwrap_or_default();
    let page = here.split(['?', '#']).next().filter(|page| page.starts_with("http"));
    page.unwrap_or_default().to_owned()
}

/// The fragment of today for what the address shows now: an old one or one typed by hand is not
/// written anew as long as it says the same.
fn current_link() -> String {
    read_address().ok().and_then(|(draft, _)| draft.check().ok()).map_or_else(String::new, |s| s.to_link())
}

/// Writes a settled scenario into the address, as a new entry of the history.
pub fn write_address(scenario: &Scenario) {
    let link = scenario.to_link();
    if link != current_link()
        && let Ok(history) = window().history()
    {
        // Fails only where the browser limits the rate; the next change writes again.
        _ = history.push_state_with_url(&JsValue::NULL, "", Some(&format!("#{link}")));
    }
}

/// Follows back, forward, and links pasted into the address bar.
pub fn follow_address(form: Form, derived: Derived, view: View) {
    let follow = move || {
        let shown = derived.outcome.get_untracked();
        let is_current = !shown.is_stale() && current_link() == shown.answer.scenario.to_link();
        match read_address() {
            Ok((draft, said)) => {
                view.update(|seen| seen.link_said = said);
                if !is_current {
                    form.load(draft);
                }
            }
            // What is typed stays: the link gives nothing to put in its place.
            Err(wrong) => view.update(|seen| seen.link_said = Some(wrong)),
        }
    };
    let follow = std::rc::Rc::new(follow);
    for name in ["popstate", "hashchange"] {
        let follow = std::rc::Rc::clone(&follow);
        listen_on(&window(), name, move |_| follow());
    }
}
