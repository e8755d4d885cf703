//! The moment that is looked at: a slider over the time of the run, and all values there.

use super::figures::name;
use crate::engine::sim::Bucket;
use crate::engine::units::display;
use crate::markup::Html;
use crate::simulator::cells::{Quantity, seconds};
use crate::simulator::desk::{Desk, Live};

/// Slider and values.
pub fn moment(out: &mut Html, desk: &Desk) {
    out.raw("<section class=\"hr-sim-moment\" aria-label=\"A moment of the run\">");
    out.begin("<div class=\"hr-sim-slide\" id=\"{}\">", "s-sim-slide");
    if let Some(live) = &desk.live {
        let end = live.setup.plan.duration.as_secs();
        let step = live.setup.prepared[0].experiment.run.bucket.as_secs();
        out.put(
            "<label class=\"hr-vh\" for=\"sim-at\">Moment of the run, in seconds</label><input type=\"range\" id=\"sim-at\" min=\"0\" max=\"{}\" step=\"{}\">",
            &[&display::input(end), &display::input(step / 2.0)],
        );
    }
    out.end("</div>");
    out.begin("<dl class=\"hr-sim-now\" id=\"{}\">", "s-sim-now");
    if let (Some(live), Some(at)) = (&desk.live, desk.looked_at()) {
        values(out, live, at);
    }
    out.end("</dl></section>");
}

fn values(out: &mut Html, live: &Live, at: f64) {
    let names = live.setup.names;
    row(out, &format!("At {}", seconds(at)), [name(names[0]).to_owned(), name(names[1]).to_owned()]);
    for quantity in Quantity::ALL {
        row(out, quantity.short(), value(live, quantity, at));
    }
    row(out, "Ejected hosts", ejected(live, at));
}

fn row(out: &mut Html, label: &str, [a, b]: [String; 2]) {
    out.put("<div><dt>{}</dt><dd class=\"hr-sim-a\">{}</dd><dd>{}</dd></div>", &[&label, &a, &b]);
}

/// A quantity of both policies at a time.
fn value(live: &Live, quantity: Quantity, at: f64) -> [String; 2] {
    let step = step(live);
    [0, 1].map(|k| match bucket(live, k, at) {
        Some(bucket) => quantity.shown(quantity.of(bucket, step)),
        None => "not yet".to_owned(),
    })
}

fn step(live: &Live) -> f64 {
    live.setup.prepared[0].experiment.run.bucket.as_secs()
}

/// The step of time that a moment is in; the last one for the end.
fn place(live: &Live, at: f64) -> usize {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a time within the run")]
    let place = (at / step(live)).floor().max(0.0) as usize;
    place
}

fn bucket(live: &Live, side: usize, at: f64) -> Option<&Bucket> {
    let report = &live.reports[side];
    let last = report.series.len().checked_sub(1)?;
    let bucket = report.series.get(place(live, at).min(last))?;
    (report.done || bucket.t_s + step(live) <= report.now_s).then_some(bucket)
}

/// Hosts that a proxy has ejected, mean of the proxies.
fn ejected(live: &Live, at: f64) -> [String; 2] {
    [0, 1].map(|k| {
        let hosts = &live.reports[k].hosts;
        let sum: f64 = hosts
            .iter()
            .filter_map(|series| {
                let last = series.buckets.len().checked_sub(1)?;
                series.buckets.get(place(live, at).min(last))
            })
            .map(|b| b.ejected)
            .sum();
        format!("{} of {}", display::number(display::round_to(sum, 2)), display::count(hosts.len() as f64))
    })
}

/// The moment in words, for those who move the slider without seeing it.
pub fn spoken(live: &Live, at: f64) -> String {
    let [a, b] = value(live, Quantity::Served, at);
    let [first, second] = live.setup.names.map(name);
    format!("{}: served {a} {first}, {b} {second}", seconds(at))
}
