//! Outlier detection in facts.

use super::why::WhyDetails;
use crate::engine::analysis::{Analysis, Ejection};
use crate::engine::envoy::model::OutlierDetection;
use crate::engine::units::{Millis, display};
use crate::ui::reactive::{part, text};
use crate::ui::state::Derived;
use crate::ui::words::capitalize;
use leptos::prelude::*;

/// Most boxes of the pool; larger pools are drawn in proportion.
const MAX_BOXES: u32 = 40;

/// Who may be ejected, how fast, and at which price.
#[component]
pub fn OutlierPanel() -> impl IntoView {
    let derived: Derived = expect_context();
    view! {
        <section class="hr-fig" aria-labelledby="h-out">
            <div class="hr-head">
                <h2 id="h-out">"Outlier detection"</h2>
                <p class="hr-sub">{text(move || derived.read(about))}</p>
            </div>
            {part(move || derived.read(pool))}
            {part(move || {
                derived
                    .read(|a| match &a.outlier {
                        Some(settings) => facts(a, settings),
                        None => off(&a.ejection),
                    })
            })}
            <WhyDetails summary="Why these settings" groups=&["outlier"]/>
        </section>
    }
}

fn about(a: &Analysis) -> String {
    format!(
        "Each proxy judges alone, from the {} it sends to a host.",
        display::rate(a.ejection.rate_per_host)
    )
}

/// The hosts as boxes: those that stay, and those that may go. Dashes, as many as hosts, draw them.
fn pool(a: &Analysis) -> AnyView {
    let (hosts, may_go) = (a.scenario.hosts, a.ejection.hosts);
    let (stay, go) = (display::count(f64::from(hosts - may_go)), display::count(f64::from(may_go)));
    let label = format!("{} hosts: {go} may be ejected, {stay} stay", display::count(f64::from(hosts)));
    let share = f64::from(hosts - may_go) / f64::from(hosts);
    let boxes = f64::from(hosts.min(MAX_BOXES));
    let line = |class: &'static str, from: f64, to: f64, dash: &'static str, offset: &'static str| {
        // A length of zero would draw one dash.
        let length = ((to - from) * boxes).max(f64::MIN_POSITIVE);
        view! {
            <line
                class=class
                x1=percent(from)
                x2=percent(to)
                y1="6"
                y2="6"
                pathLength=display::input(length)
                stroke-dasharray=dash
                stroke-dashoffset=offset
            />
        }
    };
    view! {
        <svg class="hr-svg hr-pool" height="28" role="img" aria-label=label>
            {line("hr-pool__stay", 0.0, share, ".88 .12", "0")}
            {line("hr-pool__may", share, 1.0, ".88 .12", "0")}
            {line("hr-pool__inside", share, 1.0, ".72 .28", "-.08")}
            <text x="0" y="26">{stay} " stay"</text>
            <text x="100%" y="26" class="hr-t-end">{go} " may go"</text>
        </svg>
    }
    .into_any()
}

fn percent(share: f64) -> String {
    format!("{:.3}%", share * 100.0)
}

fn facts(a: &Analysis, o: &OutlierDetection) -> AnyView {
    let e = &a.ejection;
    let hosts = display::count(f64::from(a.scenario.hosts));
    view! {
        <dl class="hr-facts">
            <dt><code>"max_ejection_percent"</code></dt>
            <dd><b>{o.max_ejection_percent} "%"</b> ", " {display::count(f64::from(e.hosts))} " of " {hosts} " hosts"</dd>
            <dt><code>"consecutive_gateway_failure"</code></dt>
            <dd><b>{o.consecutive_gateway_failure}</b></dd>
            <dt><code>"base_ejection_time"</code></dt>
            <dd><b>{display::millis(o.base_ejection_time.0)}</b> ", every " {display::millis(o.interval.0)} " checked"</dd>
            {e.detection_ms.map(|ms| fact("Time to eject a dead host", "", duration(ms), ""))}
            {e.failures_until_all.map(|n| fact("Failures until all proxies have", "", display::count(n.ceil()), ""))}
            {e.false_per_day.map(|n| {
                let (before, number, after) = frequency(n);
                fact("False ejections, whole fleet", before, number, after)
            })}
        </dl>
        <p class="hr-sub">{left_over(a)}</p>
    }
    .into_any()
}

fn fact(name: &'static str, before: &'static str, value: String, after: &'static str) -> AnyView {
    view! { <dt>{name}</dt><dd>{before}<b>{value}</b>{after}</dd> }.into_any()
}

fn off(e: &Ejection) -> AnyView {
    let why = e.off_because.clone().unwrap_or_default();
    view! { <p class="hr-sub"><b>"Off. "</b>{capitalize(&why)}</p> }.into_any()
}

/// What is left when as many hosts are ejected as may be.
fn left_over(a: &Analysis) -> String {
    let left = a.scenario.hosts - a.ejection.hosts;
    let hosts = crate::ui::words::capitalize(&format!(
        "{} {}",
        display::words(left),
        if left == 1 { "host" } else { "hosts" }
    ));
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

/// Detection takes seconds; `7.2 s` says it better than `7,200 ms`.
fn duration(ms: Millis) -> String {
    if ms.0 >= 1000.0 && ms.0 < 10_000.0 {
        return format!("{}\u{a0}s", display::significant(ms.as_secs(), 2));
    }
    display::millis(ms)
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
