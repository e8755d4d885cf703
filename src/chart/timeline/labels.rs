//! Labels of a chart over time: names at the lines, limits, the fault.

use super::draw::{Plot, position};
use super::{Curve, Mark, Timeline};
use crate::chart::room::{Place, Room};
use crate::chart::svg::Role;
use crate::chart::text::{Anchor, Tone};

/// Where along a span of time a name is tried, the middle first.
const ALONG: [f64; 5] = [0.5, 0.3, 0.7, 0.15, 0.85];

/// Writes all labels, the ones that matter most first.
pub(super) fn place(chart: &Timeline, plot: &Plot<'_>, room: &mut Room, end: f64) {
    let shade = chart.shaded(end);
    for curve in &chart.curves {
        name(chart, curve, plot, room, end);
    }
    for mark in &chart.marks {
        limit(chart, mark, plot, room, end);
    }
    if let Some((from, _)) = shade {
        let em = room.em;
        let (x, bottom) = position(plot, (from, 0.0));
        let (_, top) = position(plot, (from, 1.0));
        let places = [
            (x + 0.5 * em, bottom - 0.6 * em, Anchor::Start),
            (x + 0.5 * em, top + 1.2 * em, Anchor::Start),
            (x + 0.5 * em, f64::midpoint(top, bottom), Anchor::Start),
        ];
        room.write_within(3, "fault", Tone::InkIn, &places);
    }
}

/// The name of a line: within the fault, where policies differ, else after it, else before it.
fn name(chart: &Timeline, curve: &Curve, plot: &Plot<'_>, room: &mut Room, end: f64) {
    let (tone, shaded_tone) = match curve.role {
        Role::Chosen => (Tone::Main, Tone::MainIn),
        _ => (Tone::Ink, Tone::InkIn),
    };
    let within = |from: f64, to: f64, room: &Room| -> Vec<Place> {
        let each = ALONG.iter().filter_map(|part| at(chart, curve, from + (to - from) * part, plot));
        each.flat_map(|point| around(point, room.em)).collect()
    };
    let mut tried: Vec<(f64, f64, Tone)> = Vec::new();
    match chart.shaded(end) {
        Some((from, to)) => {
            tried.push((from, to, shaded_tone));
            tried.push((to, end, tone));
            tried.push((0.0, from, tone));
        }
        None => tried.push((0.0, end, tone)),
    }
    for most in [1, 4, 12] {
        for (from, to, tone) in &tried {
            let places = within(*from, *to, room);
            let (left, right) = (position(plot, (*from, 0.0)).0, position(plot, (*to, 0.0)).0);
            // A name that reaches beyond its span would have the wrong halo, and be read of another time.
            let wide = tone.width(&curve.label) * room.em / tone.px();
            let fits = |(x, _, anchor): &Place| {
                let (a, b) = anchor.span(*x, wide);
                a >= left + 2.0 && b <= right - 2.0
            };
            let places: Vec<Place> = places.into_iter().filter(fits).collect();
            if room.write_within(most, &curve.label, *tone, &places) {
                return;
            }
        }
    }
    let all: Vec<Place> = within(0.0, end, room);
    room.write(&curve.label, tone, &all);
}

/// Below and above a point, and further away where another line is close.
fn around((x, y): (f64, f64), em: f64) -> [Place; 6] {
    [1.35, -0.6, 2.2, -1.5, 3.2, -2.6].map(|dy| (x, y + dy * em, Anchor::Middle))
}

/// Where the line is at a time.
fn at(chart: &Timeline, curve: &Curve, t: f64, plot: &Plot<'_>) -> Option<(f64, f64)> {
    let known = curve.points.iter().filter_map(|(at, value)| Some((*at, (*value)?)));
    let (seconds, value) = known.min_by(|a, b| (a.0 - t).abs().total_cmp(&(b.0 - t).abs()))?;
    let reach = chart.duration / 10.0;
    ((seconds - t).abs() <= reach).then(|| position(plot, (seconds, chart.scale.fraction(value))))
}

/// The name of a limit, at its line.
fn limit(chart: &Timeline, mark: &Mark, plot: &Plot<'_>, room: &mut Room, end: f64) {
    let em = room.em;
    let (right, y) = position(plot, (end, chart.scale.fraction(mark.value)));
    let (left, _) = position(plot, (0.0, 0.0));
    let row = |dy: f64| {
        let y = y + dy * em;
        [
            (right - 0.3 * em, y, Anchor::End),
            (left + 0.5 * em, y, Anchor::Start),
            (f64::midpoint(left, right), y, Anchor::Middle),
        ]
    };
    // One that is beyond the axis is named in the line over the chart.
    if mark.value <= chart.scale.end {
        let places = [row(-0.4), row(1.2), row(-1.5), row(2.4)].concat();
        room.write_within(8, &mark.label, Tone::Quiet, &places);
    }
}
