//! Why a number is what it is: formula, values, source, and why not the others.

use crate::engine::analysis::{Alternative, Analysis, Label, Number};
use crate::engine::units::{Millis, Share, display};
use crate::ui::reactive::part;
use crate::ui::state::Derived;
use leptos::prelude::*;

/// The derivations of some groups of numbers.
#[component]
pub fn Why(
    /// Groups, e.g. `default.max_requests`; a group holds every number below it.
    groups: Vec<String>,
) -> impl IntoView {
    let derived: Derived = expect_context();
    view! {
        <div class="hr-why">
            <div>
                {part(move || derived.read(|a| steps(a, &groups)))}
            </div>
        </div>
    }
}

/// Derivations that open below a line of text.
#[component]
pub fn WhyDetails(
    /// What opens them.
    summary: &'static str,
    /// Groups, see [`Why`].
    groups: &'static [&'static str],
) -> impl IntoView {
    let open = RwSignal::new(false);
    let names = move || -> Vec<String> { groups.iter().map(|group| (*group).to_owned()).collect() };
    let toggle =
        move |ev: leptos::ev::Event| open.set(event_target::<web_sys::Element>(&ev).has_attribute("open"));
    view! {
        <details class="hr-details" on:toggle=toggle>
            <summary>{summary}</summary>
            {part(move || if open.get() { view! { <Why groups=names()/> }.into_any() } else { ().into_any() })}
        </details>
    }
}

/// Formulas on one side, reasons on the other.
fn steps(a: &Analysis, groups: &[String]) -> AnyView {
    let numbers = numbers_of(a, groups);
    let steps = numbers.iter().map(|n| step(n, !is_limit(&n.id))).collect_view();
    view! { <ol class="hr-steps">{steps}</ol>{reasons(&numbers)} }.into_any()
}

fn numbers_of<'a>(answer: &'a Analysis, groups: &[String]) -> Vec<&'a Number> {
    let within = |n: &Number| {
        groups.iter().any(|group| n.id.strip_prefix(group.as_str()).is_some_and(|rest| rest.starts_with('.')))
    };
    answer.numbers.iter().filter(|n| within(n)).collect()
}

fn step(n: &Number, with_setting: bool) -> AnyView {
    view! {
        <li>
            <span>
                {name_of(n, with_setting)}
                {(!n.formula.is_empty()).then(|| view! { <code>{n.formula.clone()}</code> })}
                {(n.substituted != n.formula).then(|| view! { <code>"= "{n.substituted.clone()}</code> })}
            </span>
            <b>{value_of(n)}</b>
            <span class="hr-tag">{n.label.as_str()}</span>
        </li>
    }
    .into_any()
}

/// Alternatives that lost, then the sources.
fn reasons(numbers: &[&Number]) -> AnyView {
    let mut sources: Vec<&'static str> = Vec::new();
    for n in numbers {
        if !n.source.is_empty() && n.label != Label::Given && !sources.contains(&n.source) {
            sources.push(n.source);
        }
    }
    let alternatives: Vec<Alternative> = numbers.iter().flat_map(|n| n.alternatives.clone()).collect();
    view! {
        <ul>
            {alternatives.into_iter().map(|other| view! { <li><b>{other.what}":"</b>" "{other.because}</li> }).collect_view()}
            {(!sources.is_empty())
                .then(|| {
                    let word = if sources.len() == 1 { "Source: " } else { "Sources: " };
                    view! { <li class="hr-source">{word} {sources.join("; ")} "."</li> }
                })}
        </ul>
    }
    .into_any()
}

/// `floor`, or `per_try: all attempts` where numbers of several settings stand together.
fn name_of(n: &Number, with_setting: bool) -> String {
    let mut parts = n.id.rsplit('.');
    let last = parts.next().unwrap_or_default();
    let setting = parts.next().unwrap_or_default();
    let words = last.replace('_', " ");
    match (with_setting, last) {
        (true, "chosen") => setting.replace('_', " "),
        (true, _) if n.id.matches('.').count() > 1 => format!("{}: {words}", setting.replace('_', " ")),
        _ => words,
    }
}

/// Whether a number belongs to a row of the thresholds table, which names the setting already.
fn is_limit(id: &str) -> bool {
    id.starts_with("default.") || id.starts_with("high.")
}

fn value_of(n: &Number) -> String {
    let Some(value) = n.value else { return "none".to_owned() };
    match n.unit {
        "ms" => display::millis(Millis(value)),
        "share" => display::share(Share(value)),
        "%" => format!("{}%", display::number(value)),
        _ => display::number(value),
    }
}
