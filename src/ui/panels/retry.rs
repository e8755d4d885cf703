//! The retry policy in facts.

use super::{Model, why};
use crate::engine::analysis::Analysis;
use crate::engine::units::display;
use crate::markup::Html;
use crate::ui::words::capitalize;

/// What is retried, how often, and what that may cost.
pub fn retry(out: &mut Html, m: &Model<'_>) {
    let a = m.answer();
    out.raw(
        "<section class=\"hr-fig\" aria-labelledby=\"h-ret\"><div class=\"hr-head\">\
         <h2 id=\"h-ret\">Retry policy</h2>",
    );
    out.slot("<p class=\"hr-sub\" id=\"{}\">", "s-retry", &about(a), "</p></div>");
    out.begin("<dl class=\"hr-facts\" id=\"{}\">", "s-retry-facts");
    facts(out, a);
    out.end("</dl>");
    out.slot("<p class=\"hr-sub\" id=\"{}\">", "s-retry-limits", &limits(a), "</p>");
    why::details(out, m, "why-retry", "Why this policy", &["retry"]);
    out.raw("</section>");
}

fn facts(out: &mut Html, a: &Analysis) {
    let r = &a.retry;
    out.raw("<dt><code>retry_on</code></dt><dd>");
    match r.retry_on.split_first() {
        None => out.raw("off"),
        Some((first, rest)) => {
            out.put("<code>{}", &[first]);
            for word in rest {
                out.put("<br>{}", &[word]);
            }
            out.raw("</code>");
        }
    }
    out.put(
        "</dd><dt><code>num_retries</code></dt><dd><b>{}</b></dd>\
         <dt><code>retry_back_off</code></dt><dd><b>{}</b>, at most <b>{}</b></dd>\
         <dt>Attempts per request, worst case</dt><dd><b>{}</b></dd>",
        &[
            &r.num_retries,
            &display::millis(r.backoff_base_ms),
            &display::millis(r.backoff_max_ms),
            &display::factor(r.amplification_cap),
        ],
    );
    let hops = a.scenario.retrying_hops;
    if hops > 1 {
        out.put(
            "<dt>The same through {} layers</dt><dd><b>{}</b></dd>",
            &[&display::words(hops), &display::factor(a.forecast.attempts_with_hops)],
        );
    }
    out.put(
        "<dt>Retries at once, whole fleet</dt><dd><b>{}</b> against {} in flight</dd>",
        &[
            &display::count(a.forecast.fleet_retries as f64),
            &display::number(a.load.fleet_concurrency_at_peak.0),
        ],
    );
}

fn about(a: &Analysis) -> String {
    let name = &a.scenario.name;
    let n = display::words(a.retry.num_retries);
    let retries = if a.retry.num_retries == 1 { "retry" } else { "retries" };
    let count = capitalize(&format!("{n} {retries}"));
    match (a.retry.num_retries, a.scenario.idempotent) {
        (0, _) => "No retries: none fits into the deadline.".to_owned(),
        (_, true) => format!("{count}: {name} is marked safe to run twice."),
        (_, false) => format!(
            "{count}, and only before the {} reached a host: {name} is not marked safe to run twice.",
            if a.scenario.protocol.streams() { "stream" } else { "request" }
        ),
    }
}

/// Which of budget and floor rules.
fn limits(a: &Analysis) -> String {
    let budget = a.default_threshold().retry_budget;
    let percent = budget.budget_percent.0;
    let cap = display::factor(1.0 / (1.0 - (percent / 100.0).min(0.999)));
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
