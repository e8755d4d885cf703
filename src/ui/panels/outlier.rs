//! Outlier detection in facts.

use super::{Model, why};
use crate::chart::pool::Pool;
use crate::engine::analysis::Analysis;
use crate::engine::envoy::model::OutlierDetection;
use crate::engine::units::display;
use crate::markup::Html;
use crate::ui::words::{capitalize, rate};

/// Who may be ejected, how fast, and at which price.
pub fn outlier(out: &mut Html, m: &Model<'_>) {
    let a = m.answer();
    out.raw(
        "<section class=\"hr-fig\" aria-labelledby=\"h-out\"><div class=\"hr-head\">\
         <h2 id=\"h-out\">Outlier detection</h2>",
    );
    out.slot("<p class=\"hr-sub\" id=\"{}\">", "s-outlier", &about(a), "</p></div>");
    out.begin("<div id=\"{}\">", "s-pool");
    Pool { hosts: a.scenario.hosts, may_go: a.ejection.hosts }.write(out);
    out.end("</div>");
    out.begin("<div class=\"hr-fig\" id=\"{}\">", "s-outlier-facts");
    if let Some(settings) = &a.outlier {
        facts(out, a, settings);
    } else {
        let why = a.ejection.off_because.as_deref().unwrap_or_default();
        out.put("<p class=\"hr-sub\"><b>Off. </b>{}</p>", &[&capitalize(why)]);
    }
    out.end("</div>");
    why::details(out, m, "why-outlier", "Why these settings", &["outlier"]);
    out.raw("</section>");
}

fn about(a: &Analysis) -> String {
    if a.outlier.is_none() {
        return "Ejection takes a host that fails out of the pool for a while.".to_owned();
    }
    let rate = rate(&a.scenario, a.ejection.rate_per_host);
    format!("Each proxy judges alone, from the {rate} it sends to a host.")
}

fn facts(out: &mut Html, a: &Analysis, o: &OutlierDetection) {
    let e = &a.ejection;
    out.put(
        "<dl class=\"hr-facts\"><dt><code>max_ejection_percent</code></dt><dd><b>{}%</b>, {} of {} hosts</dd>\
         <dt><code>consecutive_gateway_failure</code></dt><dd><b>{}</b></dd>\
         <dt><code>base_ejection_time</code></dt><dd><b>{}</b>, every {} checked</dd>",
        &[
            &o.max_ejection_percent,
            &display::count(f64::from(e.hosts)),
            &display::count(f64::from(a.scenario.hosts)),
            &o.consecutive_gateway_failure,
            &display::millis(o.base_ejection_time.0),
            &display::millis(o.interval.0),
        ],
    );
    if let Some(ms) = e.detection_ms {
        out.put("<dt>Time to eject a dead host</dt><dd><b>{}</b></dd>", &[&display::duration(ms)]);
    }
    if let Some(n) = e.failures_until_all {
        out.put("<dt>Failures until all proxies have</dt><dd><b>{}</b></dd>", &[&display::count(n.ceil())]);
    }
    if let Some(n) = e.false_per_day {
        let (before, number, after) = frequency(n);
        out.put("<dt>False ejections, whole fleet</dt><dd>{}<b>{}</b>{}</dd>", &[&before, &number, &after]);
    }
    out.put("</dl><p class=\"hr-sub\">{}", &[&left_over(a)]);
    if a.hanging_hosts_stay() {
        out.raw(
            " A host that hangs stays in: <code>max_stream_duration</code> ends its calls, which counts for no host.",
        );
    }
    out.raw("</p>");
}

/// What is left when as many hosts are ejected as may be.
fn left_over(a: &Analysis) -> String {
    let left = a.scenario.hosts - a.ejection.hosts;
    let hosts = capitalize(&format!("{} {}", display::words(left), if left == 1 { "host" } else { "hosts" }));
    let Some(each) = a.scenario.host_concurrency else {
        return format!("{hosts} stay whatever happens.");
    };
    let survive = each * f64::from(left);
    let each_allows: f64 = a.thresholds.iter().map(|t| f64::from(t.max_requests)).sum();
    let allowed = each_allows * f64::from(a.scenario.clients);
    let than = if survive >= allowed { "no less than" } else { "less than" };
    format!(
        "{hosts} that stay survive {} in flight, {than} the {} that the limits allow.",
        display::count(survive.floor()),
        display::count(allowed)
    )
}

/// A rate per day in words: `one in 231 days`, cut where the number begins and ends.
fn frequency(per_day: f64) -> (&'static str, String, &'static str) {
    if per_day <= 0.0 {
        return ("", "none".to_owned(), "");
    }
    if per_day >= 1.0 {
        return ("", display::number(per_day), " a day");
    }
    let days = 1.0 / per_day;
    if days < 730.0 {
        ("one in ", display::count(days.floor()), " days")
    } else {
        ("one in ", display::number((days / 365.25).floor()), " years")
    }
}
