//! The thresholds table, one a priority.

use super::limits::{Column, LIMITS, Limit};
use super::why::{Why, WhyDetails};
use crate::engine::analysis::Analysis;
use crate::engine::units::display;
use crate::ui::components::Icon;
use crate::ui::reactive::{maybe, part, text};
use crate::ui::state::Derived;
use leptos::prelude::*;

/// Limits per proxy and for the fleet, how much is used, and why.
#[component]
pub fn Thresholds() -> impl IntoView {
    let derived: Derived = expect_context();
    // Its tables remember which rows are open, so they are built once and not with each answer.
    let has_high = Memo::new(move |_| derived.read(|a| a.thresholds.len() > 1));
    view! {
        <section class="hr-block" aria-labelledby="h-lim">
            <div class="hr-head">
                <h2 id="h-lim">"Thresholds"</h2>
                <p class="hr-sub">{text(move || derived.read(about))}</p>
            </div>
            <LimitTable at=0 label="Limits, DEFAULT priority"/>
            {part(move || {
                if has_high.get() {
                    view! { <h3>"HIGH priority"</h3><LimitTable at=1 label="Limits, HIGH priority"/> }.into_any()
                } else {
                    ().into_any()
                }
            })}
            <p class="hr-sub">
                <code>"max_retries"</code> " "
                {text(move || derived.read(|a| display::count(f64::from(a.default_threshold().max_retries))))}
                " for targets without " <code>"retry_budget"</code> ". " <code>"track_remaining"</code> " on."
            </p>
            <WhyDetails summary="Why this max_retries" groups=&["default.max_retries"]/>
        </section>
    }
}

fn about(a: &Analysis) -> String {
    let allow = match a.scenario.clients {
        1 => "one of them allows".to_owned(),
        n => format!("{} of them allow together", display::count(f64::from(n))),
    };
    format!("Envoy counts per proxy process and priority. The fleet column is what {allow}.")
}

#[component]
fn LimitTable(
    /// Place of the priority in the answer.
    at: usize,
    /// What the table holds.
    label: &'static str,
) -> impl IntoView {
    let derived: Derived = expect_context();
    let fleet =
        move || derived.read(|a| format!("Fleet of {}", display::count(f64::from(a.scenario.clients))));
    view! {
        <table class="hr-table hr-table--limits" aria-label=label>
            <thead>
                <tr>
                    <th scope="col">"Limit"</th>
                    <th scope="col" class="hr-num">"Per proxy"</th>
                    <th scope="col" class="hr-num">{text(fleet)}</th>
                    <th scope="col" class="hr-num">"In use at peak"</th>
                    <th scope="col" class="hr-num">"Refused at peak"</th>
                    <th scope="col"><span class="hr-vh">"Derivation"</span></th>
                </tr>
            </thead>
            <tbody>{LIMITS.iter().map(|limit| view! { <LimitRow limit at/> }).collect_view()}</tbody>
        </table>
    }
}

#[component]
fn LimitRow(limit: &'static Limit, at: usize) -> impl IntoView {
    let derived: Derived = expect_context();
    let cell = move |column| text(move || derived.read(|a| limit.cell(a, at, column)));
    // The first row shows that there is something to open.
    let open = RwSignal::new(at == 0 && limit.name == "max_requests");
    let group = format!("{}.{}", if at == 0 { "default" } else { "high" }, limit.name);
    let id = format!("why-{}", group.replace('.', "-"));
    let controls = id.clone();
    let testid = group.clone();
    view! {
        <tr data-testid=testid>
            <th scope="row"><code>{limit.name}</code><small>{limit.about}</small></th>
            <td class="hr-num" data-k="Per proxy"><span class="hr-big">{cell(Column::PerProxy)}</span></td>
            <td class="hr-num" data-k="Fleet">{cell(Column::Fleet)}</td>
            <td class="hr-num" data-k="In use">{cell(Column::Used)}</td>
            <td class="hr-num" data-k="Refused">{cell(Column::Refused)}<small>{cell(Column::Note)}</small></td>
            <td class="hr-num">
                <button
                    class="hr-btn hr-btn--quiet"
                    type="button"
                    aria-expanded=text(move || open.get().to_string())
                    aria-controls=maybe(move || open.get().then(|| controls.clone()))
                    aria-label=text(move || {
                        derived.read(|a| format!("Why {} for {}", limit.cell(a, at, Column::PerProxy), limit.name))
                    })
                    on:click=move |_| open.update(|open| *open = !*open)
                >
                    "Why"
                    <Icon name="chevron"/>
                </button>
            </td>
        </tr>
        {part(move || if open.get() { why_row(&id, &group) } else { ().into_any() })}
    }
}

fn why_row(id: &str, group: &str) -> AnyView {
    view! {
        <tr class="hr-table__why" id=id.to_owned()>
            <td colspan="6"><Why groups=vec![group.to_owned()]/></td>
        </tr>
    }
    .into_any()
}
