//! What happens when something of the answer is pressed: `data-do="verb argument"` says what.
//!
//! One listener for all of it, because what is shown is exchanged as text and has no handlers.

use super::browser::{copy, download, focus, focus_input, jump_to, listen, say_in, select_contents};
use super::panels::{ANNOUNCER_ID, EXAMPLES_ID, LINK_ID, YAML_ID, file_name};
use super::state::{Derived, Form, Outcome, Sheet, View, address_of};
use crate::engine::analysis::FieldChange;
use crate::engine::export::{Target, export};
use crate::engine::params::{by_key, param};
use crate::engine::rules::Fix;
use crate::engine::scenario::{Draft, PRESETS};
use leptos::prelude::*;
use std::time::Duration;
use wasm_bindgen::JsCast;

/// How long a button says how copying went.
const SAY: Duration = Duration::from_secs(2);

/// All that an action may change.
#[derive(Clone, Copy, Debug)]
pub struct Actions {
    /// The inputs.
    pub form: Form,
    /// What follows from them.
    pub derived: Derived,
    /// What is shown.
    pub view: View,
}

impl Actions {
    /// Follows what is pressed, and what is unfolded.
    pub fn follow(self) {
        listen("click", move |event| {
            let target = event.target().map(JsCast::unchecked_into::<web_sys::Element>);
            let pressed = target.and_then(|target| target.closest("[data-do]").ok().flatten());
            let Some(what) = pressed.and_then(|pressed| pressed.get_attribute("data-do")) else { return };
            event.prevent_default();
            let (verb, argument) = what.split_once(' ').unwrap_or((&what, ""));
            self.run(verb, argument);
        });
        listen("keydown", move |event| {
            let key = event.unchecked_ref::<web_sys::KeyboardEvent>().key();
            if key == "Escape" && self.view.is_open(EXAMPLES_ID) {
                self.fold_examples();
            }
        });
        listen("toggle", move |event| {
            let Some(details) = event.target().map(JsCast::unchecked_into::<web_sys::Element>) else {
                return;
            };
            self.view.unfold(&details.id(), details.has_attribute("open"));
        });
    }

    fn run(self, verb: &str, argument: &str) {
        match verb {
            "go" => jump_to(argument),
            "unfold" => self.view.unfold(argument, !self.view.is_open(argument)),
            "input" => focus_input(argument),
            "ask" if self.is_on() => focus_input(argument),
            "add" => self.add_latency(),
            "example" => {
                if let Some(preset) = argument.parse().ok().and_then(|at: usize| PRESETS.get(at)) {
                    self.form.load(preset.draft());
                    self.fold_examples();
                }
            }
            "start-over" => self.form.start_over(),
            "fix" | "way" if self.is_on() => {
                if let Some(change) = argument.parse().ok().and_then(|at| self.change(verb, at)) {
                    self.form.apply(&change);
                    // The button goes or means something else now. Where it stood, the new answer begins.
                    focus(if verb == "fix" { "h-find" } else { "s-say" });
                    say_in(ANNOUNCER_ID, &changed(&change));
                }
            }
            "restore" => {
                self.form.load(self.derived.outcome.with_untracked(|o| Draft::clone(&o.valid)));
                focus("s-say");
            }
            "tab" => self.view.update(|seen| seen.tab = argument.parse().unwrap_or(0)),
            "copy" if self.is_on() => self.copy(argument),
            "save" if self.is_on() => {
                let name = self.derived.outcome.with_untracked(|o| file_name(&o.answer.scenario.name));
                download(&name, &self.yaml(self.target()));
            }
            "theme" => self.view.update(|seen| {
                seen.theme = seen.theme.next();
                seen.theme.apply();
            }),
            "dismiss" => self.view.update(|seen| seen.link_said = None),
            "close" => self.view.update(|seen| seen.by_hand = false),
            _ => {}
        }
    }

    fn fold_examples(self) {
        self.view.unfold(EXAMPLES_ID, false);
        focus("open-examples");
    }

    /// Offers all inputs of latency. The button goes; the keyboard goes on at the first of the new.
    fn add_latency(self) {
        if let Some(first) = untrack(|| self.form.with(Sheet::folded)) {
            self.form.unfold_latency();
            request_animation_frame(move || focus_input(param(first).key));
        }
    }

    /// Whether what depends on valid inputs works now.
    fn is_on(self) -> bool {
        !self.derived.outcome.with_untracked(Outcome::is_stale)
    }

    /// The change of an input that a button of the answer names by its place.
    fn change(self, verb: &str, at: usize) -> Option<FieldChange> {
        self.derived.outcome.with_untracked(|o| match verb {
            "way" => o.answer.ways_out.get(at)?.set.clone(),
            _ => match o.answer.findings.get(at)?.fix.clone()?.1 {
                Fix::SetInput(change) => Some(change),
                Fix::AskInput { .. } => None,
            },
        })
    }

    fn target(self) -> Target {
        Target::ALL.get(untrack(|| self.view.with(|seen| seen.tab))).copied().unwrap_or(Target::Envoy)
    }

    fn yaml(self, target: Target) -> String {
        self.derived.outcome.with_untracked(|o| export(&o.answer, target))
    }

    fn copy(self, what: &str) {
        let (button, text) = match what {
            "copy-link" => {
                ("copy-link", self.derived.outcome.with_untracked(|o| address_of(&o.answer.scenario)))
            }
            "copy-yaml" => ("copy-yaml", self.yaml(Target::Envoy)),
            _ => ("copy", self.yaml(self.target())),
        };
        copy(&text, move |worked| {
            self.view.update(|seen| seen.copied = Some((button, worked)));
            let end = move || {
                self.view.update(|seen| {
                    // Another button may have spoken since.
                    if seen.copied == Some((button, worked)) {
                        seen.copied = None;
                    }
                });
            };
            set_timeout(end, SAY);
            match (worked, button) {
                (true, _) => {}
                (false, "copy-link") => {
                    self.view.update(|seen| seen.by_hand = true);
                    request_animation_frame(|| select_contents(LINK_ID));
                }
                (false, _) => select_contents(YAML_ID),
            }
        });
    }
}

/// What a button has changed, for those who do not see it.
fn changed(change: &FieldChange) -> String {
    let label = by_key(change.field).map_or(change.field, |p| p.label);
    match change.value.as_str() {
        "" => format!("{label} is at its default now."),
        value => format!("{label} is {value} now."),
    }
}
