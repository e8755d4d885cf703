//! The page's state without a page: texts in, answer out.

#[path = "ui_state/document.rs"]
mod document;
#[path = "ui_state/patch.rs"]
mod patch;

use headroom::engine::analysis::FieldChange;
use headroom::engine::params::ParamId;
use headroom::engine::scenario::{Draft, PRESETS, Preset};
use headroom::engine::units::Rate;
use headroom::markup::{Changes, Html};
use headroom::ui::panels::{self, Model, YamlText};
use headroom::ui::state::{Derived, Form, Outcome, Sheet, Theme};
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

/// What an input shows.
fn text(form: Form, id: ParamId) -> String {
    form.with(|sheet| sheet.text(id).to_owned())
}

fn offers(form: Form, id: ParamId) -> bool {
    form.with(|sheet| sheet.offers(id))
}

/// What is said to be wrong with an input.
fn message(derived: Derived, key: &str) -> String {
    derived.outcome.with(|now| Model { now, open: &[] }.message(key))
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
    form.rest();
    form.set(ParamId::Rps, "many");
    form.set(ParamId::P99, "10");
    assert!(derived.is_stale());
    assert_eq!(chosen(derived), before);
    assert_eq!(derived.problems().iter().map(|p| p.field.clone()).collect::<Vec<_>>(), ["rps", "p50", "p99"]);
    assert!(message(derived, "rps").starts_with("“many” is not a number."));
    assert!(message(derived, "p50").contains("is above p99"), "both of the pair are told");
    assert_eq!(message(derived, "p999"), "");
    assert_eq!(text(form, ParamId::Rps), "many", "what is typed stays");
}

#[test]
fn the_last_valid_texts_come_back() {
    let (_owner, form, derived) = page();
    type_into(form, derived, ParamId::P99, "0.15s");
    form.rest();
    type_into(form, derived, ParamId::P99, "0.15 parsecs");
    assert!(derived.is_stale());
    form.load(derived.outcome.with(|o| Draft::clone(&o.valid)));
    assert!(!derived.is_stale());
    assert_eq!(text(form, ParamId::P99), "0.15s", "as typed, not as read");
}

#[test]
fn half_a_number_does_not_come_back() {
    let (_owner, form, derived) = page();
    for text in ["7", "75", "75o"] {
        type_into(form, derived, ParamId::Rps, text);
    }
    assert!(derived.is_stale());
    assert_eq!(derived.read(|a| a.scenario.rps), Rate(500.0), "75 was valid, but nobody meant it");
    type_into(form, derived, ParamId::Rps, "750");
    assert_eq!(derived.read(|a| a.scenario.rps), Rate(750.0));
    // Another input begins: what was in this one was meant.
    type_into(form, derived, ParamId::Hosts, "x");
    assert_eq!(derived.outcome.with(|o| o.valid.get(ParamId::Rps).to_owned()), "750");
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
    assert_eq!(text(form, ParamId::Hosts), "12");
    assert_eq!(derived.outcome.with(|o| (o.before.scenario.hosts, o.answer.scenario.hosts)), (10, 12));
    form.apply(&FieldChange { field: "no_such_input", value: "12".to_owned() });
    assert_eq!(derived.outcome.with(|o| o.answer.scenario.hosts), 12);
}

#[test]
fn latency_inputs_unfold_and_stay() {
    let (_owner, form, _derived) = page();
    assert!(offers(form, ParamId::P50) && offers(form, ParamId::P99) && !offers(form, ParamId::P95));
    assert_eq!(form.with(Sheet::folded), Some(ParamId::P75));
    form.set(ParamId::P95, "80");
    form.set(ParamId::P95, "");
    assert!(offers(form, ParamId::P95), "an input does not vanish while it is typed into");
    form.unfold_latency();
    assert_eq!(form.with(Sheet::folded), None);
    form.start_over();
    assert!(!offers(form, ParamId::P95));
    form.load(PRESETS[0].draft());
    assert!(offers(form, ParamId::Mean), "a preset shows what it sets");
}

#[test]
fn streams_do_not_count_latency() {
    let (_owner, form, derived) = page();
    form.set(ParamId::P50, "not a number");
    form.set(ParamId::Protocol, "grpc_stream");
    form.set(ParamId::StreamMean, "300");
    assert!(!derived.is_stale(), "what is not asked for cannot be wrong");
    assert!(offers(form, ParamId::StreamMean) && !offers(form, ParamId::P50));
    assert!(derived.read(|a| a.scenario.latency_ms.is_empty()));
    form.set(ParamId::Protocol, "");
    assert!(!message(derived, "p50").is_empty(), "but it is kept");
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

/// What is open in the page at the start, and everything that can be opened.
const FIRST: [&str; 1] = ["why-default-max_requests"];
const ALL: [&str; 18] = [
    "examples",
    "rps-note",
    "idempotent-note",
    "why-default-max_requests",
    "why-default-max_connections",
    "why-default-max_pending_requests",
    "why-default-budget_percent",
    "why-default-min_retry_concurrency",
    "why-high-max_requests",
    "why-load",
    "why-retries",
    "why-timeouts",
    "why-retry",
    "why-outlier",
    "table-gauge",
    "table-trips",
    "table-sweep",
    "table-ladder",
];

/// All panels of a page.
fn written((now, sheet): &(Outcome, Sheet), open: &[&str]) -> Html {
    let open: Vec<String> = open.iter().map(|id| (*id).to_owned()).collect();
    let model = Model { now, open: &open };
    let yaml = YamlText::next(None, &now.answer, &now.before, headroom::engine::export::Target::Envoy);
    let mut out = Html::default();
    panels::top(&mut out, Theme::Auto, None, now.is_stale());
    panels::form(&mut out, &model, sheet);
    panels::answer(&mut out, &model);
    panels::yaml(&mut out, &yaml, 0, Some(("copy", false)), now.problems.len());
    panels::result_bar(&mut out, &model);
    out
}

/// The form alone.
fn form_of((now, sheet): &(Outcome, Sheet)) -> Html {
    let mut out = Html::default();
    panels::form(&mut out, &Model { now, open: &[] }, sheet);
    out
}

/// What the inputs amount to, which the page writes apart from the form.
fn amounts((now, _): &(Outcome, Sheet)) -> Html {
    let mut out = Html::default();
    panels::derived(&mut out, &Model { now, open: &[] });
    out
}

/// The outcome of the worked example after some inputs have got other texts.
fn outcome(edits: &[(ParamId, &str)]) -> (Outcome, Sheet) {
    let (_owner, form, derived) = page();
    for (id, text) in edits {
        form.set(*id, text);
    }
    (derived.outcome.get_untracked(), form.with(Sheet::clone))
}

fn many_outcomes() -> Vec<(Outcome, Sheet)> {
    use ParamId as P;
    let edits: [&[(ParamId, &str)]; 12] = [
        &[],
        &[(P::Hosts, "10")],
        &[(P::Hosts, "1"), (P::Clients, "1")],
        &[(P::HostConcurrency, "")],
        &[(P::HighPriorityShare, "0.3")],
        &[(P::RetryOverhead, "0")],
        &[(P::Idempotent, "true"), (P::RetryingHops, "3")],
        &[(P::Protocol, "grpc_stream"), (P::StreamMean, "300")],
        &[(P::Rps, "100000000"), (P::Clients, "1")],
        &[(P::Rps, "0.001"), (P::ShedTarget, "1e-9")],
        &[(P::Rps, "many"), (P::P99, "1")],
        &[(P::Name, "\"><img src=x onerror=alert(1)>"), (P::P50, "</p><script>alert(1)</script>")],
    ];
    let presets = PRESETS.iter().map(|preset| {
        let (_owner, form, derived) = page();
        form.load(preset.draft());
        (derived.outcome.get_untracked(), form.with(Sheet::clone))
    });
    presets.chain(edits.into_iter().map(outcome)).collect()
}

/// Fails if elements are not ended in order, an attribute is not quoted, or an id comes twice.
#[track_caller]
fn assert_well_formed(html: &str) {
    const WITHOUT_END: [&str; 2] = ["input", "br"];
    let (mut open, mut ids) = (Vec::new(), Vec::new());
    for part in html.split('<').skip(1) {
        let (tag, text) = part.split_once('>').unwrap_or_else(|| panic!("<{part} has no end"));
        assert!(!text.contains(['>', '"']) || !text.contains('>'), "unescaped: {text:?}");
        assert_eq!(tag.matches('"').count() % 2, 0, "an attribute of <{tag}> has no end");
        let name = tag.split([' ', '/']).find(|word| !word.is_empty()).unwrap_or_default();
        // Outside of quotes, attributes are names and equals signs.
        let bare: String = tag.split('"').step_by(2).collect();
        assert!(!bare.contains(" on") && !bare.contains(" style"), "<{tag}>");
        assert!(!["script", "img", "iframe", "style", "object"].contains(&name), "<{tag}>");
        if let Some((_, id)) = tag.split_once(" id=\"") {
            ids.push(id.split('"').next().unwrap_or_default());
        }
        match tag {
            _ if tag.starts_with('/') => assert_eq!(open.pop(), Some(name), "{html}"),
            _ if tag.ends_with('/') || WITHOUT_END.contains(&name) => {}
            _ => open.push(name),
        }
    }
    assert!(open.is_empty(), "{open:?} are not ended");
    let n = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), n, "an id comes twice");
}

#[test]
fn panels_are_whole_html_whatever_is_typed() {
    for now in many_outcomes() {
        for open in [&[][..], &FIRST, &ALL] {
            assert_well_formed(written(&now, open).as_str());
        }
    }
}

#[test]
fn the_high_priority_has_a_forecast_of_its_own() {
    use headroom::ui::panels::{Column, LIMITS};
    let (now, _) = outcome(&[(ParamId::HighPriorityShare, "0.25")]);
    for limit in &LIMITS {
        for column in [Column::Used, Column::Refused, Column::Note] {
            let [default, high] = [0, 1].map(|at| limit.cell(&now.answer, at, column));
            assert_eq!(high.is_empty(), default.is_empty(), "{} {column:?}", limit.name);
            assert_eq!(high == "–", default == "–", "{} {column:?}", limit.name);
        }
    }
    let used = [0, 1].map(|at| LIMITS[0].cell(&now.answer, at, Column::Used).parse::<f64>().unwrap());
    assert!((used[0] / used[1] - 3.0).abs() < 0.05, "a quarter is HIGH: {used:?}");
}

#[test]
fn the_high_priority_has_a_gauge_of_its_own() {
    let gauge = |share: &str| {
        let now = outcome(&[(ParamId::HighPriorityShare, share)]);
        (now.0.answer.high_window.clone(), written(&now, &FIRST).into_string())
    };
    let (window, page) = gauge("0.25");
    let window = window.expect("a quarter is HIGH");
    let said = page.split_once("s-high-alt\">").expect("the gauge is there").1;
    // At 25 % the first paint is a trap for HIGH: the ceiling is named before the floor.
    assert!(window.is_shut() && said.contains(&format!("below floor {}", window.floor)), "{window:?}");
    let (none, page) = gauge("");
    assert_eq!((none, page.contains("s-high-bar")), (None, false));
}

#[test]
fn hostile_names_stay_text() {
    for name in
        ["\"><img src=x onerror=alert(1)>", "&lt;b&gt;", "</h1><script>alert(1)</script>", "`<b>`", "{}"]
    {
        let now = outcome(&[(ParamId::Name, name)]);
        assert_eq!(now.0.answer.scenario.name, name, "it is a valid name");
        let html = written(&now, &ALL);
        assert_well_formed(html.as_str());
        let mut escaped = String::new();
        headroom::markup::escape(&mut escaped, name);
        assert!(html.as_str().contains(&format!(">Size of {escaped}<")), "{name}");
        assert!(!html.as_str().contains("<img") && !html.as_str().contains("<script"), "{name}");
    }
}

/// What is outside of all slots is written once: a page never exchanges a whole area.
#[test]
fn the_frame_is_the_same_for_every_scenario() {
    let outcomes = many_outcomes();
    for now in &outcomes {
        for open in [&[][..], &FIRST, &ALL] {
            let changes = written(now, open);
            let before = written(&outcomes[0], &FIRST);
            assert!(matches!(changes.changes(&before), Changes::Slots(_)));
        }
    }
}

#[test]
fn a_small_change_exchanges_little() {
    let (before, now) = (outcome(&[]), outcome(&[(ParamId::Hosts, "40")]));
    let (before, now) = (written(&before, &FIRST), written(&now, &FIRST));
    let Changes::Slots(changed) = now.changes(&before) else { panic!("the frame is the same") };
    let ids: Vec<&str> = changed.iter().map(|slot| slot.id).collect();
    for id in ["s-value-default.max_connections", "s-gauge-bar"] {
        assert!(ids.contains(&id), "{id} is not among {ids:?}");
    }
    for id in ["s-title", "s-cuts", "s-chain", "s-value-default.budget_percent", "s-tools", "s-stale"] {
        assert!(!ids.contains(&id), "{id} has not changed: {ids:?}");
    }
}

#[test]
fn opening_a_derivation_touches_no_cell() {
    let now = outcome(&[]);
    let (before, after) = (written(&now, &FIRST), written(&now, &[]));
    let Changes::Slots(changed) = after.changes(&before) else { panic!("the frame is the same") };
    let ids: Vec<&str> = changed.iter().map(|slot| slot.id).collect();
    assert_eq!(ids, ["s-why-default.max_requests", "s-why-default-max_requests"]);
    assert!(changed[1].now.is_empty());
}

#[test]
fn what_depends_on_valid_inputs_is_off_without_them() {
    let now = outcome(&[(ParamId::Hosts, "10"), (ParamId::Rps, "x")]);
    let html = written(&now, &FIRST).into_string();
    for part in html.split("<button").skip(1) {
        let tag = part.split('>').next().unwrap_or_default();
        let waits = ["data-do=\"way", "data-do=\"fix", "data-do=\"ask", "data-do=\"copy", "data-do=\"save"];
        let is_off = tag.contains("aria-disabled=\"true\" aria-describedby=\"copy-off\"");
        assert_eq!(is_off, waits.iter().any(|verb| tag.contains(verb)), "{tag}");
    }
    assert_eq!(html.matches("id=\"copy-off\"").count(), 1);
}
