//! The window of `max_requests`: gauge and how far it holds.

use super::why::WhyDetails;
use crate::engine::analysis::{Analysis, Trip};
use crate::engine::units::display;
use crate::ui::charts::Gauge;
use crate::ui::reactive::text;
use crate::ui::state::Derived;
use leptos::prelude::*;

/// Gauge of floor, choice and ceiling.
#[component]
pub fn WindowPanel() -> impl IntoView {
    let derived: Derived = expect_context();
    view! {
        <section class="hr-block" aria-labelledby="h-win">
            <div class="hr-head">
                <h2 id="h-win">"Window of "<code>"max_requests"</code></h2>
                <p class="hr-sub">
                    "Below the floor, healthy peak traffic is refused. Above the ceiling, the fleet together can exceed what the hosts survive."
                </p>
            </div>
            <Gauge analysis=derived.analysis()/>
            <p class="hr-sub">{text(move || derived.read(holds))}</p>
            <WhyDetails summary="Load, latency and forecast behind it" groups=&["latency", "load", "forecast"]/>
        </section>
    }
}

/// How much growth the chosen limit takes, in a sentence.
fn holds(answer: &Analysis) -> String {
    let f = &answer.forecast;
    let target = answer.scenario.shed_target;
    let at_one_percent = answer.scenario.rps * f.multiple_at_one_percent;
    // A limit that holds beyond what the hosts survive is no comfort.
    let hosts = answer.trips.iter().find(|trip| trip.setting == "hosts").and_then(Trip::first);
    if let Some(full) = hosts.filter(|full| *full < f.multiple_at_target) {
        return format!(
            "The hosts are full at {} of today's peak, before the limit refuses more than {}, at {}.",
            display::multiple(full),
            display::one_in(target),
            display::multiple(f.multiple_at_target),
        );
    }
    let first = format!(
        "Holds to {} or {} latency before refusing more than {}",
        display::rate(f.rate_at_target),
        display::multiple(f.multiple_at_target),
        display::one_in(target),
    );
    // Whoever tolerates one in a hundred has been told already.
    if target.fraction() >= 0.01 {
        return format!("{first}.");
    }
    format!(
        "{first}; to {} or {} before 1 in\u{a0}100.",
        display::rate(at_one_percent),
        display::multiple(f.multiple_at_one_percent),
    )
}
