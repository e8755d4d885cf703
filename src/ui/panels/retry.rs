//! The retry policy in facts.

use super::why::WhyDetails;
use crate::engine::analysis::Analysis;
use crate::engine::units::{Millis, display};
use crate::ui::reactive::{part, text};
use crate::ui::state::Derived;
use leptos::prelude::*;

/// What is retried, how often, and what that may cost.
#[component]
pub fn RetryPanel() -> impl IntoView {
    let derived: Derived = expect_context();
    view! {
        <section class="hr-fig" aria-labelledby="h-ret">
            <div class="hr-head">
                <h2 id="h-ret">"Retry policy"</h2>
                <p class="hr-sub">{text(move || derived.read(about))}</p>
            </div>
            {part(move || derived.read(facts))}
            <p class="hr-sub">{text(move || derived.read(limits))}</p>
            <WhyDetails summary="Why this policy" groups=&["retry"]/>
        </section>
    }
}

fn facts(a: &Analysis) -> AnyView {
    let r = &a.retry;
    let conditions = r
        .retry_on
        .iter()
        .enumerate()
        .map(|(at, word)| view! { {(at > 0).then(|| view! { <br/> })} {*word} })
        .collect_view();
    let hops = a.scenario.retrying_hops;
    view! {
        <dl class="hr-facts">
            <dt><code>"retry_on"</code></dt>
            <dd>{if r.retry_on.is_empty() { "off".into_any() } else { view! { <code>{conditions}</code> }.into_any() }}</dd>
            <dt><code>"num_retries"</code></dt>
            <dd><b>{r.num_retries}</b></dd>
            <dt><code>"retry_back_off"</code></dt>
            <dd>{range(r.backoff_base_ms, r.backoff_max_ms)}</dd>
            <dt>"Attempts per request, worst case"</dt>
            <dd><b>{display::multiple(r.amplification_cap)}</b></dd>
            {(hops > 1)
                .then(|| {
                    view! {
                        <dt>{format!("The same through {} layers", display::words(hops))}</dt>
                        <dd><b>{display::multiple(a.forecast.attempts_with_hops)}</b></dd>
                    }
                })}
            <dt>"Retries at once, whole fleet"</dt>
            <dd>
                <b>{display::count(a.forecast.fleet_retries as f64)}</b> " against "
                {display::number(a.load.fleet_concurrency_at_peak.0)} " in flight"
            </dd>
        </dl>
    }
    .into_any()
}

fn range(base: Millis, max: Millis) -> impl IntoView + use<> {
    view! { <b>{display::millis(base)}</b> ", at most " <b>{display::millis(max)}</b> }
}

fn about(a: &Analysis) -> String {
    let name = &a.scenario.name;
    let n = display::words(a.retry.num_retries);
    let retries = if a.retry.num_retries == 1 { "retry" } else { "retries" };
    let count = crate::ui::words::capitalize(&format!("{n} {retries}"));
    match (a.retry.num_retries, a.scenario.idempotent) {
        (0, _) => "No retries: none fits into the deadline.".to_owned(),
        (_, true) => format!("{count}: {name} is marked safe to run twice."),
        (_, false) => format!(
            "{count}, and only before the request reached a host: {name} is not marked safe to run twice."
        ),
    }
}

/// Which of budget and floor rules.
fn limits(a: &Analysis) -> String {
    let budget = a.default_threshold().retry_budget;
    let percent = budget.budget_percent.0;
    let cap = display::multiple(1.0 / (1.0 - (percent / 100.0).min(0.999)));
    let offered = a.load.offered.0;
    if offered * percent < 100.0 {
        format!(
            "The {}% budget would cap attempts at {cap}, but {}% of {} requests rounds to none, so the floor of {} rules.",
            display::number(percent),
            display::number(percent),
            display::number(offered),
            budget.min_retry_concurrency,
        )
    } else {
        format!(
            "The {}% budget caps attempts of this layer at {cap} when everything fails.",
            display::number(percent)
        )
    }
}
