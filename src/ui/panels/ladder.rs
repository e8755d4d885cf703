//! The timeout ladder: chart, what it cuts, what a stall holds.

use super::{Model, why};
use crate::engine::analysis::Analysis;
use crate::engine::phrases;
use crate::engine::units::display;
use crate::markup::{Html, Rich};
use crate::ui::figures;

/// Timeouts to scale, and what follows from them.
pub fn ladder(out: &mut Html, m: &Model<'_>) {
    out.raw(
        "<section class=\"hr-block\" aria-labelledby=\"h-lad\"><div class=\"hr-head\">\
         <h2 id=\"h-lad\">Timeout ladder</h2><p class=\"hr-sub\">Worst case, to scale. \
         The per-try clock starts only once a connection is attached, so connecting counts on top.</p></div>",
    );
    figures::ladder(out, m);
    let text = consequences(m.answer());
    out.slot("<p class=\"hr-sub\" id=\"{}\">", "s-cuts", &Rich(&text), "</p>");
    why::details(out, m, "why-timeouts", "Why these timeouts", &["timeouts"]);
    out.raw("</section>");
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
