//! What is wrong or worth knowing, with one fix each.

use crate::engine::rules::{Finding, Fix, RULES, Severity};
use crate::ui::browser::focus_input;
use crate::ui::components::{LabeledIcon, rich};
use crate::ui::reactive::{part, text};
use crate::ui::state::{Derived, Form};
use crate::ui::words::summarize_findings;
use leptos::prelude::*;

/// The findings, worst first.
#[component]
pub fn Findings() -> impl IntoView {
    let derived: Derived = expect_context();
    view! {
        <section class="hr-block" aria-labelledby="h-find">
            <div class="hr-head--row">
                <h2 id="h-find" tabindex="-1">"Findings"</h2>
                <p class="hr-sub">{text(move || derived.read(|a| summarize_findings(a, RULES.len())))}</p>
            </div>
            {part(list)}
        </section>
    }
}

fn list() -> AnyView {
    let derived: Derived = expect_context();
    let findings = derived.read(|a| a.findings.clone());
    if findings.is_empty() {
        return ().into_any();
    }
    let rows = findings.into_iter().map(row).collect_view();
    view! { <ul class="hr-finds">{rows}</ul> }.into_any()
}

fn row(finding: Finding) -> AnyView {
    let (icon, tone, word) = match finding.severity {
        Severity::Error => ("danger", "hr-danger", "Error"),
        Severity::Warning => ("caution", "hr-caution", "Warning"),
        Severity::Info => ("info", "hr-info", "Note"),
    };
    // A button says what to do already.
    let help = if finding.fix.is_some() { String::new() } else { finding.help };
    view! {
        <li>
            <LabeledIcon name=icon tone=tone label=word/>
            <span class="hr-code">{finding.code}</span>
            <p>
                {rich(&finding.message)}
                {detail(&finding.consequence)}
                {detail(&help)}
            </p>
            {finding.fix.map(fix_button)}
        </li>
    }
    .into_any()
}

fn detail(text: &str) -> AnyView {
    if text.is_empty() { ().into_any() } else { view! { <small>{rich(text)}</small> }.into_any() }
}

fn fix_button((label, fix): (String, Fix)) -> AnyView {
    let derived: Derived = expect_context();
    let form: Form = expect_context();
    let press = move |_| match &fix {
        _ if untrack(|| derived.is_stale()) => {}
        Fix::SetInput(change) => form.apply(change),
        Fix::AskInput { field } => focus_input(field),
    };
    view! {
        <button
            class="hr-btn"
            type="button"
            aria-disabled=derived.disabled()
            aria-describedby=derived.off_because()
            on:click=press
        >
            {label}
        </button>
    }
    .into_any()
}
