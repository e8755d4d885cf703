//! A share over time for two policies, as SVG that stretches: x in percent, y in px, text never scales.
//!
//! It needs no width, so the same drawing stands in a page without a script and is exchanged by one.

use crate::markup::{Html, tenths};

/// Height of the plot, in px: shares 1 to 0 from top to bottom.
const HEIGHT: f64 = 120.0;
/// Two labels closer than this, in px, move apart.
const APART: f64 = 15.0;

/// What is drawn.
pub struct Chart<'a> {
    /// What the picture says, for those who do not see it.
    pub says: &'a str,
    /// A share for each step of each policy; `None` where nothing ended.
    pub curves: [Vec<Option<f64>>; 2],
    /// Length of the run, in seconds.
    pub length_s: f64,
    /// The fault, in seconds.
    pub span_s: (f64, f64),
}

/// The names of the curves, and their classes.
const NAMES: [(&str, &str); 2] = [("as set here", "hr-lesson-wrong"), ("recommended", "hr-lesson-right")];

/// Writes the drawing.
pub fn draw(out: &mut Html, chart: &Chart<'_>) {
    out.put("<svg class=\"hr-lesson-plot\" height=\"158\" role=\"img\" aria-label=\"{}\">", &[&chart.says]);
    shade(out, chart);
    for (share, name) in [(1.0, "100%"), (0.5, "50%"), (0.0, "0%")] {
        let y = px(y(share));
        out.put(
            "<line class=\"hr-lesson-grid\" x1=\"0\" x2=\"100%\" y1=\"{}\" y2=\"{}\"/><text x=\"0\" dx=\"-6\" y=\"{}\" dy=\"4\" class=\"hr-lesson-end\">{}</text>",
            &[&y, &y, &y, &name],
        );
    }
    for (curve, (_, class)) in chart.curves.iter().zip(NAMES) {
        out.put(
            "<svg viewBox=\"0 0 {} 120\" width=\"100%\" height=\"120\" y=\"8\" preserveAspectRatio=\"none\"><path class=\"{}\" d=\"{}\"/></svg>",
            &[&px(chart.length_s), &class, &path(curve, chart.length_s)],
        );
    }
    ticks(out, chart);
    labels(out, chart);
    out.raw("</svg>");
}

fn y(share: f64) -> f64 {
    8.0 + HEIGHT * (1.0 - share)
}

fn shade(out: &mut Html, chart: &Chart<'_>) {
    let (from, to) = (percent(chart.span_s.0, chart), percent(chart.span_s.1 - chart.span_s.0, chart));
    out.put(
        "<rect class=\"hr-lesson-fault\" x=\"{}\" width=\"{}\" y=\"8\" height=\"120\"/><text x=\"{}\" dx=\"6\" y=\"122\">fault</text>",
        &[&from, &to, &from],
    );
}

fn percent(at_s: f64, chart: &Chart<'_>) -> String {
    format!("{}%", px(at_s / chart.length_s * 100.0))
}

/// Steps as a line from middle to middle, as a curve of means is drawn.
fn path(curve: &[Option<f64>], length_s: f64) -> String {
    let step = length_s / curve.len().max(1) as f64;
    let mut path = String::new();
    let mut begins = true;
    for (at, share) in curve.iter().enumerate() {
        let Some(share) = share else {
            begins = true;
            continue;
        };
        path.push(if begins { 'M' } else { 'L' });
        path.push_str(&px((at as f64 + 0.5) * step));
        path.push(' ');
        path.push_str(&px(HEIGHT * (1.0 - share)));
        begins = false;
    }
    path
}

fn ticks(out: &mut Html, chart: &Chart<'_>) {
    for n in 0..=4_u32 {
        let at = chart.length_s / 4.0 * f64::from(n);
        let class = ["hr-lesson-start", "hr-lesson-mid", "hr-lesson-mid", "hr-lesson-mid", "hr-lesson-end"];
        let class = class[n as usize];
        let text = if n == 4 { format!("{}\u{a0}s", px(at)) } else { px(at) };
        out.put("<text x=\"{}\" y=\"146\" class=\"{}\">{}</text>", &[&percent(at, chart), &class, &text]);
    }
}

/// A name at the end of each curve, away from the other one.
fn labels(out: &mut Html, chart: &Chart<'_>) {
    let last = |curve: &[Option<f64>]| curve.iter().rev().flatten().next().copied();
    let [Some(a), Some(b)] = [last(&chart.curves[0]), last(&chart.curves[1])] else { return };
    // Below a curve that runs along the top, above one that does not.
    let place = |share: f64| if share > 0.8 { y(share) + 17.0 } else { y(share) - 7.0 };
    let mut ys = [place(a), place(b)];
    if (ys[0] - ys[1]).abs() < APART {
        let (upper, lower) = if a > b { (0, 1) } else { (1, 0) };
        ys[lower] = (ys[upper] + APART).min(y(0.0) - 7.0);
        ys[upper] = ys[upper].min(ys[lower] - APART);
    }
    for (y, (name, class)) in ys.into_iter().zip(NAMES) {
        out.put(
            "<text x=\"100%\" dx=\"-4\" y=\"{}\" class=\"hr-lesson-end {}\">{}</text>",
            &[&px(y), &class, &name],
        );
    }
}

/// A number with one decimal, where that is not zero.
fn px(value: f64) -> String {
    let mut text = String::new();
    #[allow(clippy::cast_possible_truncation, reason = "places in a drawing")]
    tenths(&mut text, libm::round(value * 10.0) as i32);
    text
}
