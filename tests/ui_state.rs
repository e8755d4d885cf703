//! The page's state without a page: texts in, answer out.

use headroom::engine::analysis::FieldChange;
use headroom::engine::params::ParamId;
use headroom::engine::scenario::{Draft, PRESETS, Preset};
use headroom::engine::units::Rate;
use headroom::ui::state::{Derived, Form};
use leptos::prelude::*;

/// A form with the worked example and what follows from it, under an owner that lives as long.
fn page() -> (Owner, Form, Derived) {
    let owner = Owner::new();
    owner.set();
    let form = Form::new(Preset::first_paint().draft());
    let derived = Derived::new(form);
    (owner, form, derived)
}

/// Types into an input, and lets the page answer: memos are lazy, and the page reads after each key.
fn type_into(form: Form, derived: Derived, id: ParamId, text: &str) {
    form.set(id, text);
    _ = derived.outcome.get_untracked();
}

fn chosen(derived: Derived) -> u32 {
    derived.read(|a| a.window.chosen)
}

#[test]
fn every_text_is_answered() {
    let (_owner, form, derived) = page();
    assert_eq!(chosen(derived), 7);
    form.set(ParamId::Hosts, "10");
    assert_eq!(chosen(derived), 5, "the mock's scenario: floor and ceiling are both 5");
    form.set(ParamId::HostConcurrency, "");
    assert_eq!(derived.read(|a| a.window.ceiling), None);
    assert!(!derived.is_stale());
}

#[test]
fn presets_are_answered() {
    let (_owner, form, derived) = page();
    for preset in PRESETS {
        form.load(preset.draft());
        assert!(!derived.is_stale(), "{}", preset.key);
        assert_eq!(derived.read(|a| a.scenario.clone()), preset.scenario());
    }
    form.start_over();
    assert_eq!(derived.read(|a| a.scenario.clone()), Preset::first_paint().scenario());
}

#[test]
fn invalid_texts_leave_the_answer_and_say_all() {
    let (_owner, form, derived) = page();
    form.set(ParamId::Rps, "750");
    let before = chosen(derived);
    form.set(ParamId::Rps, "many");
    form.set(ParamId::P99, "10");
    assert!(derived.is_stale());
    assert_eq!(chosen(derived), before);
    assert_eq!(derived.problems().iter().map(|p| p.field.clone()).collect::<Vec<_>>(), ["rps", "p99"]);
    assert!(derived.message("rps").is_some_and(|message| message.starts_with("“many” is not a number.")));
    assert_eq!(derived.message("p50"), None);
    assert_eq!(derived.off_because().get().as_deref(), Some("copy-off"));
    assert_eq!(form.loaded_text(ParamId::Rps), "many", "what is typed stays");
}

#[test]
fn the_last_valid_texts_come_back() {
    let (_owner, form, derived) = page();
    type_into(form, derived, ParamId::P99, "0.15s");
    type_into(form, derived, ParamId::P99, "0.15 parsecs");
    assert!(derived.is_stale());
    form.load(derived.outcome.with(|o| Draft::clone(&o.valid)));
    assert!(!derived.is_stale());
    assert_eq!(form.loaded_text(ParamId::P99), "0.15s", "as typed, not as read");
}

#[test]
fn the_answer_before_an_edit_is_kept_while_the_edit_goes_on() {
    let (_owner, form, derived) = page();
    let before = || derived.outcome.with(|o| o.before.scenario.rps);
    for text in ["6", "60", "600"] {
        form.set(ParamId::Rps, text);
        assert_eq!(before(), Rate(500.0));
    }
    assert_eq!(derived.read(|a| a.scenario.rps), Rate(600.0));
    form.set(ParamId::Clients, "50");
    assert_eq!(before(), Rate(600.0), "another input is another edit");
    form.end_edit();
    form.set(ParamId::Clients, "51");
    assert_eq!(derived.outcome.with(|o| o.before.scenario.clients), 50, "and so is coming back");
}

#[test]
fn a_change_by_a_button_is_an_edit_and_reaches_the_input() {
    let (_owner, form, derived) = page();
    type_into(form, derived, ParamId::Hosts, "10");
    form.apply(&FieldChange { field: "hosts", value: "12".to_owned() });
    assert_eq!(form.loaded_text(ParamId::Hosts), "12");
    assert_eq!(derived.outcome.with(|o| (o.before.scenario.hosts, o.answer.scenario.hosts)), (10, 12));
    form.apply(&FieldChange { field: "no_such_input", value: "12".to_owned() });
    assert_eq!(derived.outcome.with(|o| o.answer.scenario.hosts), 12);
}

#[test]
fn latency_inputs_unfold_and_stay() {
    let (_owner, form, _derived) = page();
    assert!(form.offers(ParamId::P50) && form.offers(ParamId::P99) && !form.offers(ParamId::P95));
    assert_eq!(form.folded(), Some(ParamId::P75));
    form.set(ParamId::P95, "80");
    form.set(ParamId::P95, "");
    assert!(form.offers(ParamId::P95), "an input does not vanish while it is typed into");
    form.unfold_latency();
    assert_eq!(form.folded(), None);
    form.start_over();
    assert!(!form.offers(ParamId::P95));
    form.load(PRESETS[0].draft());
    assert!(form.offers(ParamId::Mean), "a preset shows what it sets");
}

#[test]
fn streams_do_not_count_latency() {
    let (_owner, form, derived) = page();
    form.set(ParamId::P50, "not a number");
    form.set(ParamId::Protocol, "grpc_stream");
    form.set(ParamId::StreamMean, "300");
    assert!(!derived.is_stale(), "what is not asked for cannot be wrong");
    assert!(form.offers(ParamId::StreamMean) && !form.offers(ParamId::P50));
    assert!(derived.read(|a| a.scenario.latency_ms.is_empty()));
    form.set(ParamId::Protocol, "");
    assert!(derived.message("p50").is_some(), "but it is kept");
}

#[test]
fn readers_of_the_answer_sleep_while_inputs_are_wrong() {
    let (_owner, form, derived) = page();
    let runs = StoredValue::new(0);
    let reader = Memo::new(move |_| {
        runs.update_value(|runs| *runs += 1);
        derived.read(|a| a.window.chosen)
    });
    assert_eq!(reader.get(), 7);
    for text in ["x", "xy", "xyz"] {
        form.set(ParamId::Rps, text);
        assert_eq!(reader.get(), 7);
    }
    assert_eq!(runs.get_value(), 1);
}
