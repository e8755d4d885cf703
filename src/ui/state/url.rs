//! The address bar keeps the scenario: one entry of the history for each settled change.

use super::derived::Derived;
use super::form::Form;
use super::view::View;
use crate::engine::scenario::{Draft, LinkError, Preset, Scenario};
use crate::ui::browser::listen_on;
use leptos::prelude::*;
use wasm_bindgen::JsValue;

/// The texts that the address asks for: its own, or the worked example's.
///
/// # Errors
///
/// What is wrong with the address.
pub fn read_address() -> Result<Draft, LinkError> {
    Ok(Scenario::from_link(&fragment())?.map_or_else(|| Preset::first_paint().draft(), |s| Draft::of(&s)))
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

/// The fragment that stands for what the address shows now.
fn current_link() -> String {
    let fragment = fragment();
    if fragment.is_empty() { Preset::first_paint().scenario().to_link() } else { fragment }
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
            Ok(_) if is_current => {}
            Ok(draft) => {
                view.update(|seen| seen.link_error = None);
                form.load(draft);
            }
            // What is typed stays: the link gives nothing to put in its place.
            Err(error) => view.update(|seen| seen.link_error = Some(error)),
        }
    };
    let follow = std::rc::Rc::new(follow);
    for name in ["popstate", "hashchange"] {
        let follow = std::rc::Rc::clone(&follow);
        listen_on(&window(), name, move |_| follow());
    }
}
