//! The window of `max_requests`: gauge and how far it holds.

use super::{Model, why};
use crate::engine::analysis::{Analysis, Trip};
use crate::engine::units::display;
use crate::markup::Html;
use crate::ui::figures;
use crate::ui::words::{rate, whose};

/// Gauge of floor, choice and ceiling.
pub fn window(out: &mut Html, m: &Model<'_>) {
    out.raw(
        "<section class=\"hr-block\" aria-labelledby=\"h-win\"><div class=\"hr-head\">\
         <h2 id=\"h-win\">Window of <code>max_requests</code></h2><p class=\"hr-sub\">\
         Below the floor, healthy peak traffic is refused. \
         Above the ceiling, the fleet together can exceed what the hosts survive.",
    );
    out.slot("<span id=\"{}\">", "s-whose", &whose(m.answer()), "</span></p></div>");
    figures::gauge(out, m);
    out.slot("<p class=\"hr-sub\" id=\"{}\">", "s-holds", &holds(m.answer()), "</p>");
    why::details(
        out,
        m,
        "why-load",
        "Load, latency and forecast behind it",
        &["latency", "load", "forecast"],
    );
    out.raw("</section>");
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
        "Holds to {} or {} {} before refusing more than {}",
        rate(&answer.scenario, f.rate_at_target),
        display::multiple(f.multiple_at_target),
        if answer.scenario.protocol.streams() { "stream life" } else { "latency" },
        display::one_in(target),
    );
    // Whoever tolerates one in a hundred has been told already.
    if target.fraction() >= 0.01 {
        return format!("{first}.");
    }
    format!(
        "{first}; to {} or {} before 1 in\u{a0}100.",
        rate(&answer.scenario, at_one_percent),
        display::multiple(f.multiple_at_one_percent),
    )
}
