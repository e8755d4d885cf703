//! One input of the form, as its row in the table of parameters says.

use crate::engine::analysis::Analysis;
use crate::engine::params::{Default as ParamDefault, Kind, Param, ParamId, Unit};
use crate::engine::units::display;
use crate::ui::components::{
    CheckField, Field, FieldNotes, HelpButton, SelectInput, TextInput, described_by,
};
use crate::ui::reactive::{flag, maybe, text};
use crate::ui::state::{Derived, Form};
use leptos::prelude::*;

/// An input with everything around it.
#[component]
pub fn Input(
    /// Its row in the table.
    p: &'static Param,
) -> impl IntoView {
    let derived: Derived = expect_context();
    let form: Form = expect_context();
    let message = maybe(move || derived.message(p.key));
    let invalid = flag(move || message.with(Option::is_some));
    let help_open = RwSignal::new(false);
    let described = described_by(p.key, help_open, invalid);
    match p.kind {
        Kind::Flag => view! {
            <div class="hr-flag">
                <CheckField
                    id=p.key
                    label=p.label
                    checked=flag(move || form.loaded_text(p.id) == "true")
                    described_by=described
                    on_check=Callback::new(move |yes: bool| {
                        form.set(p.id, if yes { "true" } else { "" });
                        form.end_edit();
                    })
                />
                <HelpButton id=p.key label=p.label open=help_open/>
                <FieldNotes id=p.key help=p.help help_open message/>
            </div>
        }
        .into_any(),
        Kind::Choice(options) => view! {
            <Field id=p.key label=p.label unit="" help=p.help help_open message>
                <SelectInput
                    id=p.key
                    options
                    value=text(move || chosen(form, p))
                    described_by=described
                    on_choose=Callback::new(move |word: String| {
                        form.set(p.id, if is_default(p, &word) { "" } else { &word });
                        form.end_edit();
                    })
                />
            </Field>
        }
        .into_any(),
        _ => view! {
            <Field id=p.key label=p.label unit=p.unit_label help=p.help help_open message>
                <TextInput
                    id=p.key
                    value=text(move || form.loaded_text(p.id))
                    placeholder=placeholder(derived, p)
                    keys=keys(p.kind)
                    invalid
                    described_by=described
                    on_input=Callback::new(move |text: String| form.set(p.id, &text))
                    on_done=Callback::new(move |()| form.end_edit())
                />
            </Field>
        }
        .into_any(),
    }
}

/// The word that a menu shows: the text, or the default.
fn chosen(form: Form, p: &'static Param) -> String {
    let text = form.loaded_text(p.id);
    match p.default {
        ParamDefault::Word(word) if text.is_empty() => word.to_owned(),
        _ => text,
    }
}

fn is_default(p: &Param, word: &str) -> bool {
    matches!(p.default, ParamDefault::Word(default) if default == word)
}

fn keys(kind: Kind) -> &'static str {
    match kind {
        Kind::Whole(_) => "numeric",
        Kind::Text { .. } => "text",
        _ => "decimal",
    }
}

/// What an empty input counts as.
fn placeholder(derived: Derived, p: &'static Param) -> Signal<String> {
    match p.default {
        ParamDefault::Number(value) => Signal::stored(display::input(value)),
        ParamDefault::Word(word) => Signal::stored(word.to_owned()),
        ParamDefault::Absent if p.unit != Unit::None => Signal::stored("unknown".to_owned()),
        ParamDefault::Derived(_) => text(move || derived.read(|a| derived_default(a, p.id))),
        _ => Signal::stored(String::new()),
    }
}

/// A default that follows other inputs, from the answer.
fn derived_default(a: &Analysis, id: ParamId) -> String {
    match id {
        ParamId::HostsLost => u32::from(a.scenario.hosts > 1).to_string(),
        ParamId::DeadlineMs if a.scenario.deadline_ms.is_none() => {
            a.timeouts.deadline_ms.map_or_else(String::new, |ms| display::input(display::round_to(ms.0, 4)))
        }
        ParamId::Mean if a.scenario.latency_ms.mean.is_none() => {
            display::input(display::round_to(a.latency.mean_ms.0, 3))
        }
        _ => String::new(),
    }
}
