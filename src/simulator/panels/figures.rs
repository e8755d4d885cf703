//! The curves: a figure for each quantity, and the drawing that the page puts into it.

use super::tables;
use crate::chart::svg::Role;
use crate::chart::timeline::{self, Curve, Mark, Scale, Timeline};
use crate::engine::sim::compare::PolicyName;
use crate::engine::sim::verdict::fault_sentence;
use crate::engine::sim::{Policy, RetryLimit};
use crate::engine::units::display;
use crate::markup::Html;
use crate::simulator::cells::{Quantity, seconds};
use crate::simulator::desk::{Desk, Live};
use std::fmt::Write;

/// What all charts show: run, step, fault.
pub fn condition(out: &mut Html, desk: &Desk) {
    let Some(live) = &desk.live else { return };
    let setup = &live.setup;
    let experiment = &setup.prepared[0].experiment;
    let step = experiment.run.bucket.as_secs();
    let (from, to) = setup.span();
    out.put(
        "Share of requests in steps of {}, seed {}. Shaded: the fault, {} to {}. {}",
        &[
            &seconds(step),
            &setup.plan.seed.to_string(),
            &seconds(from),
            &seconds(to),
            &fault_sentence(experiment),
        ],
    );
}

/// A figure without its drawing.
pub fn figure(out: &mut Html, desk: &Desk, quantity: Quantity) {
    let word = quantity.word();
    out.put(
        "<figure class=\"hr-fig hr-sim-fig\"><figcaption class=\"hr-head\"><h3>{}</h3>",
        &[&quantity.title()],
    );
    out.begin("<p class=\"hr-sub\" id=\"{}\">", &format!("s-sim-w-{word}"));
    if let Some(live) = &desk.live {
        out.text(&measured(live, quantity));
    }
    out.end("</p>");
    out.put(
        "</figcaption><div class=\"hr-sim-plot hr-sim-plot--{}\" id=\"sim-plot-{}\"></div>",
        &[&word, &word],
    );
    tables::disclosure(out, desk, word, quantity.title(), |live| tables::over_time(live, quantity));
    out.raw("</figure>");
}

/// Quantity, unit and condition of a chart.
fn measured(live: &Live, quantity: Quantity) -> String {
    let each = |of: fn(&Policy) -> String| {
        let [a, b] = [0, 1].map(|k| of(&live.setup.policies[k]));
        let [first, second] = live.setup.names.map(name);
        if a == b { format!("{a} for both") } else { format!("{a} {first}, {b} {second}") }
    };
    match quantity {
        // The line over all charts of the block says it.
        Quantity::Served | Quantity::Refused => String::new(),
        Quantity::InFlightMax => {
            let limit = |policy: &Policy| display::count(f64::from(policy.limits[0].max_requests));
            format!("Requests. max_requests: {}", each(limit))
        }
        Quantity::InFlight => "Requests, mean over time and over all proxies".to_owned(),
        Quantity::Retries => {
            format!("Sent a second, all proxies together. Limit of a proxy: {}", each(retry_limit))
        }
        Quantity::P50 => "Milliseconds; half of the requests served take longer".to_owned(),
        Quantity::P99 => "Milliseconds; one in a hundred takes longer".to_owned(),
    }
}

fn retry_limit(policy: &Policy) -> String {
    if policy.route.retry.is_none() {
        return "no retries".to_owned();
    }
    match policy.limits[0].retry_limit {
        RetryLimit::MaxRetries(n) => format!("max_retries {}", display::count(f64::from(n))),
        RetryLimit::Budget(b) => {
            format!("budget {}%, at least {}", display::number(b.budget_percent), b.min_retry_concurrency)
        }
    }
}

/// Whether a chart shares its row with another one.
fn is_half(quantity: Quantity) -> bool {
    matches!(quantity, Quantity::InFlightMax | Quantity::InFlight | Quantity::P50 | Quantity::P99)
}

/// Height of a plot in lines of text; the style sheet reserves it.
fn lines(quantity: Quantity) -> f64 {
    match quantity {
        Quantity::Served => 13.0,
        Quantity::Refused | Quantity::Retries => 8.0,
        _ => 10.0,
    }
}

/// The id of a figure's place.
fn place(quantity: Quantity) -> &'static str {
    match quantity {
        Quantity::Served => "sim-plot-served",
        Quantity::Refused => "sim-plot-refused",
        Quantity::InFlightMax => "sim-plot-most",
        Quantity::InFlight => "sim-plot-flight",
        Quantity::Retries => "sim-plot-retries",
        Quantity::P50 => "sim-plot-p50",
        Quantity::P99 => "sim-plot-p99",
    }
}

/// All drawings, with the ids of their places; none before the page has said how wide they are.
pub fn drawings(desk: &Desk) -> Vec<(&'static str, String)> {
    let (Some(frame), Some(live)) = (desk.frame, &desk.live) else { return Vec::new() };
    let draw = |quantity: Quantity| {
        let width = if is_half(quantity) { frame.half } else { frame.width };
        let frame = timeline::Frame { width, text_px: frame.text_px };
        (place(quantity), chart(live, quantity).svg(&frame))
    };
    Quantity::ALL.into_iter().map(draw).collect()
}

/// The chart of a quantity.
pub fn chart(live: &Live, quantity: Quantity) -> Timeline {
    let setup = &live.setup;
    let step = setup.prepared[0].experiment.run.bucket.as_secs();
    let fault = setup.span();
    let curves: Vec<Curve> = [Role::Chosen, Role::Other]
        .into_iter()
        .enumerate()
        .map(|(k, role)| {
            let points = quantity.points(&live.reports[k], step, setup.plan.duration.as_secs());
            let during = mean(&points, fault);
            Curve { role, label: label(setup.names[k], quantity, during), points }
        })
        .collect();
    let values = curves.iter().flat_map(|curve| &curve.points).filter_map(|(_, value)| *value);
    let most = values.fold(0.0, f64::max);
    let marks = if quantity == Quantity::InFlightMax { limits(live) } else { Vec::new() };
    Timeline {
        duration: setup.plan.duration.as_secs(),
        fault: Some(fault),
        scale: scale(quantity, most, &marks),
        alt: alt(live, quantity, &curves, &marks),
        curves,
        marks,
        lines: lines(quantity),
    }
}

fn scale(quantity: Quantity, most: f64, marks: &[Mark]) -> Scale {
    match quantity {
        Quantity::Served => Scale::whole_share(),
        Quantity::Refused => Scale::share(most * 1.15),
        Quantity::InFlightMax => {
            // A limit far above everything would flatten the lines: it is named with an arrow.
            let near = marks.iter().map(|mark| mark.value).filter(|v| *v <= 3.0 * most.max(1.0));
            Scale::count(near.fold(most, f64::max) * 1.3)
        }
        Quantity::InFlight => Scale::number(most * 1.15),
        Quantity::Retries => Scale::count(most * 1.15),
        Quantity::P50 | Quantity::P99 => Scale::millis(most * 1.15),
    }
}

/// `max_requests` of both policies.
fn limits(live: &Live) -> Vec<Mark> {
    let mut limits = [0, 1].map(|k| live.setup.policies[k].limits[0].max_requests).to_vec();
    limits.dedup();
    let mark = |n: u32| Mark {
        value: f64::from(n),
        label: format!("max_requests {}", display::count(f64::from(n))),
    };
    limits.into_iter().map(mark).collect()
}

/// A policy's name at its line.
pub fn name(policy: PolicyName) -> &'static str {
    match policy {
        PolicyName::Recommended => "recommended",
        PolicyName::EnvoyDefaults => "Envoy's default",
        PolicyName::Pasted => "pasted",
        PolicyName::Custom => "custom",
    }
}

/// The name of a line, with its mean during the fault where a mean says something.
fn label(policy: PolicyName, quantity: Quantity, during: Option<f64>) -> String {
    match (quantity, during) {
        (Quantity::Served | Quantity::Refused, Some(value)) => {
            format!("{} {}", name(policy), quantity.shown(Some(value)))
        }
        _ => name(policy).to_owned(),
    }
}

/// The mean of the points within a span.
fn mean(points: &[(f64, Option<f64>)], (from, to): (f64, f64)) -> Option<f64> {
    let within: Vec<f64> =
        points.iter().filter(|(t, _)| *t >= from && *t < to).filter_map(|(_, v)| *v).collect();
    (!within.is_empty()).then(|| within.iter().sum::<f64>() / within.len() as f64)
}

/// What a chart says: both policies before, at the worst of, and after the fault.
fn alt(live: &Live, quantity: Quantity, curves: &[Curve], marks: &[Mark]) -> String {
    let (from, to) = live.setup.span();
    let end = live.setup.plan.duration.as_secs();
    let mut said = format!("{} over {}.", quantity.title(), seconds(end));
    for (k, curve) in curves.iter().enumerate() {
        let part = |a: f64, b: f64| quantity.shown(mean(&curve.points, (a, b)));
        let who = live.setup.names[k].subject();
        let worst = worst(quantity, &curve.points, (from, to));
        _ = write!(
            said,
            " With {who}: {} before the fault, {} on average during it{}, {} after it.",
            part(0.0, from),
            part(from, to),
            worst.map_or_else(String::new, |(t, v)| format!(
                ", at worst {} at {}",
                quantity.shown(Some(v)),
                seconds(t)
            )),
            part(to, end),
        );
    }
    for mark in marks {
        _ = write!(said, " Limit: {}.", mark.label);
    }
    said
}

/// The worst point within the fault.
fn worst(quantity: Quantity, points: &[(f64, Option<f64>)], (from, to): (f64, f64)) -> Option<(f64, f64)> {
    let within = points.iter().filter(|(t, _)| *t >= from && *t < to).filter_map(|(t, v)| Some((*t, (*v)?)));
    if quantity == Quantity::Served {
        within.min_by(|a, b| a.1.total_cmp(&b.1))
    } else {
        within.max_by(|a, b| a.1.total_cmp(&b.1))
    }
}
