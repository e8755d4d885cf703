//! The inputs of the form: what is typed into them, and what they say about themselves.
//!
//! The form is written like the answer, but for texts and attributes of its inputs: those are set on
//! the elements, so that an input keeps its cursor while everything around it is exchanged.

use super::browser::listen;
use super::components::{error_id, follow, note_id, writes};
use super::panels::{self, Model, blank};
use super::state::{Derived, Form, Sheet, View};
use crate::engine::params::{Default as ParamDefault, Kind, PARAMS, Param, by_key};
use crate::engine::scenario::Problem;
use crate::markup::Html;
use leptos::prelude::*;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlInputElement, HtmlSelectElement};

/// The form's HTML, kept up to date from then on.
pub fn inputs(form: Form, derived: Derived, view: View) -> String {
    let shown = Rc::new(RefCell::new(vec![Shown::default(); PARAMS.len()]));
    let typed = Rc::clone(&shown);
    listen("input", move |event| {
        if let Some((p, element)) = input_of(event) {
            let text = take(form, p, element);
            let mut typed = typed.borrow_mut();
            if let Some((_, shown)) = PARAMS.iter().zip(typed.iter_mut()).find(|(other, _)| other.id == p.id)
            {
                shown.text = text;
            }
            // It said that the inputs stay as they are, and they no longer do.
            if untrack(|| view.with(|seen| seen.link_said.is_some())) {
                view.update(|seen| seen.link_said = None);
            }
        }
    });
    listen("blur", move |event| {
        if input_of(event).is_some() {
            form.end_edit();
        }
    });
    listen("submit", web_sys::Event::prevent_default);
    let with_model = move |read: &mut dyn FnMut(&Model<'_>, &Sheet)| {
        derived.outcome.with(|now| {
            view.with(|seen| form.with(|sheet| read(&Model { now, open: &seen.open }, sheet)));
        });
    };
    let mut first = Html::default();
    let look = RefCell::new(None);
    untrack(|| {
        with_model(&mut |m, sheet| {
            panels::form(&mut first, m, sheet);
            look.replace(Some(Look::of(m, sheet)));
        });
    });
    let text = first.as_str().to_owned();
    let write = writes(move |out| {
        let mut is_other = false;
        with_model(&mut |m, sheet| {
            let now = Some(Look::of(m, sheet));
            is_other = *look.borrow() != now;
            if is_other {
                panels::form(out, m, sheet);
                look.replace(now);
            }
        });
        is_other
    });
    follow("form", first, write, move || {
        with_model(&mut |m, sheet| {
            for (p, shown) in PARAMS.iter().zip(shown.borrow_mut().iter_mut()) {
                shown.update(p, m, sheet);
            }
        });
    });
    let derived = writes(move |out| {
        with_model(&mut |m, _| panels::derived(out, m));
        true
    });
    follow("form", panels::underived(), derived, || ());
    text
}

/// All that the form is written from, but for what its groups amount to. As long as it is the same, it is not
/// written: it has as many bytes as half of the answer.
#[derive(Debug, PartialEq)]
struct Look {
    problems: Arc<[Problem]>,
    open: Vec<String>,
    /// For each input, whether it is offered and whether it has a text.
    inputs: Vec<(bool, bool)>,
}

impl Look {
    fn of(m: &Model<'_>, sheet: &Sheet) -> Self {
        let input = |p: &Param| (sheet.offers(p.id), sheet.text(p.id).is_empty());
        Self {
            problems: Arc::clone(&m.now.problems),
            open: m.open.to_vec(),
            inputs: PARAMS.iter().map(input).collect(),
        }
    }
}

/// The input that an event came from.
fn input_of(event: &web_sys::Event) -> Option<(&'static Param, Element)> {
    let element: Element = event.target()?.unchecked_into();
    Some((by_key(&element.id())?, element))
}

/// Takes what was typed or chosen, and returns it. A menu or a box is done with at once.
fn take(form: Form, p: &Param, element: Element) -> String {
    let text = match p.kind {
        Kind::Flag => {
            let yes = element.unchecked_into::<HtmlInputElement>().checked();
            if yes { "true".to_owned() } else { String::new() }
        }
        Kind::Choice(_) => {
            let word = element.unchecked_into::<HtmlSelectElement>().value();
            let is_default = matches!(p.default, ParamDefault::Word(default) if default == word);
            if is_default { String::new() } else { word }
        }
        _ => element.unchecked_into::<HtmlInputElement>().value(),
    };
    form.set(p.id, &text);
    if matches!(p.kind, Kind::Flag | Kind::Choice(_)) {
        form.end_edit();
    }
    text
}

/// What an input says and what it says about itself, as far as it has been set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Shown {
    is_there: bool,
    text: String,
    blank: String,
    has_note: bool,
    is_invalid: bool,
}

impl Shown {
    /// Brings an input up to date; one that stays as it is costs no call into the browser.
    fn update(&mut self, p: &Param, m: &Model<'_>, sheet: &Sheet) {
        let is_invalid = !m.message(p.key).is_empty();
        if !is_invalid && !sheet.offers(p.id) {
            *self = Self::default();
            return;
        }
        let (text, has_note) = (sheet.text(p.id), m.shows_note(p.key));
        // Only a default that follows other inputs can have changed.
        let may_differ = !self.is_there || matches!(p.default, ParamDefault::Derived(_));
        let blank = may_differ.then(|| blank(m.answer(), p)).filter(|blank| *blank != self.blank);
        let is_described_alike = (has_note, is_invalid) == (self.has_note, self.is_invalid);
        if self.is_there && self.text == text && blank.is_none() && is_described_alike {
            return;
        }
        let Some(element) = document().get_element_by_id(p.key) else { return };
        let is_text = !matches!(p.kind, Kind::Flag | Kind::Choice(_));
        if let Some(blank) = blank {
            if is_text {
                _ = element.set_attribute("placeholder", &blank);
            }
            self.blank = blank;
        }
        if !is_described_alike {
            let ids = [(is_invalid, error_id(p.key)), (has_note, note_id(p.key))];
            let ids: Vec<String> =
                ids.into_iter().filter(|(is_there, _)| *is_there).map(|(_, id)| id).collect();
            set_or_remove(&element, "aria-describedby", &ids.join(" "));
            set_or_remove(&element, "aria-invalid", if is_invalid { "true" } else { "" });
        }
        fill(p, element, text);
        text.clone_into(&mut self.text);
        (self.is_there, self.has_note, self.is_invalid) = (true, has_note, is_invalid);
    }
}

fn set_or_remove(element: &Element, name: &str, value: &str) {
    _ = if value.is_empty() { element.remove_attribute(name) } else { element.set_attribute(name, value) };
}

/// Puts a text into an input that does not have it yet. What is typed there, it has.
fn fill(p: &Param, element: Element, text: &str) {
    match p.kind {
        Kind::Flag => element.unchecked_into::<HtmlInputElement>().set_checked(text == "true"),
        Kind::Choice(_) => {
            let menu: HtmlSelectElement = element.unchecked_into();
            let word = match p.default {
                ParamDefault::Word(word) if text.is_empty() => word,
                _ => text,
            };
            if menu.value() != word {
                menu.set_value(word);
            }
        }
        _ => {
            let input: HtmlInputElement = element.unchecked_into();
            if input.value() != text {
                input.set_value(text);
            }
        }
    }
}
