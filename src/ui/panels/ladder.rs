//! The timeout ladder: chart, what it cuts, what a stall holds.

use super::why::WhyDetails;
use crate::engine::analysis::Analysis;
use crate::engine::phrases;
use crate::engine::units::display;
use crate::ui::charts::Ladder;
use crate::ui::components::rich;
use crate::ui::reactive::part;
use crate::ui::state::Derived;
use leptos::prelude::*;

/// Timeouts to scale, and what follows from them.
#[component]
pub fn LadderPanel() -> impl IntoView {
    let derived: Derived = expect_context();
    view! {
        <section class="hr-block" aria-labelledby="h-lad">
            <div class="hr-head">
                <h2 id="h-lad">"Timeout ladder"</h2>
                <p class="hr-sub">
                    "Worst case, to scale. The per-try clock starts only once a connection is attached, so connecting counts on top."
                </p>
            </div>
            <Ladder analysis=derived.analysis()/>
            <p class="hr-sub">{part(move || rich(&derived.read(consequences)))}</p>
            <WhyDetails summary="Why these timeouts" groups=&["timeouts"]/>
        </section>
    }
}

/// What the ladder cuts today, and what happens when every host stalls.
fn consequences(a: &Analysis) -> String {
    let mut text = String::new();
    if let Some(cut) = a.forecast.cut_by_per_try {
        text = format!("Today `per_try_timeout` cuts {} of good requests", display::share(cut));
        if let Some(slow) = a.forecast.cut_by_per_try_at_slowdown {
            text += ", and ";
            text += &display::share(slow);
            text += " once the upstream is ";
            text += &phrases::times(a.scenario.slowdown);
            text += " slower";
        }
        text += ". ";
    }
    text + &stall(a)
}

fn stall(a: &Analysis) -> String {
    let f = &a.forecast;
    let limit = display::count(f64::from(a.window.chosen));
    let slots = display::number(f.stall_slots);
    match (f.stall_fill_ms, a.timeouts.per_try_ms) {
        (Some(fill), _) => format!(
            "If every host stalls, the busiest proxy would need {slots} slots and fills its {limit} in {}; then it refuses at once.",
            display::millis(fill)
        ),
        (None, Some(_)) => format!(
            "If every host stalls, `per_try_timeout` frees slots faster than they fill: {slots} of {limit} are in use."
        ),
        (None, None) => {
            format!(
                "If every host stalls, timeouts free slots faster than they fill: {slots} of {limit} are in use."
            )
        }
    }
}
