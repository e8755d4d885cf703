//! The gauge as SVG.

use super::{BAR, Gauge, HEIGHT, ZoneKind, row};
use crate::chart::markup::Px;
use crate::chart::scale::At;
use crate::chart::text::{Anchor, Label};
use crate::markup::Html;

impl Gauge {
    /// Writes the gauge.
    pub fn write(&self, out: &mut Html) {
        self.write_as(out, ["s-gauge-alt", "s-gauge-bar", "s-gauge-axis"]);
    }

    /// Writes the gauge with these ids for its text, its bar and its axis.
    pub fn write_as(&self, out: &mut Html, [alt, bar, axis]: [&'static str; 3]) {
        out.slot("<p hidden id=\"{}\">", alt, &self.alt, "</p>");
        out.put(
            "<svg class=\"hr-svg hr-svg--y\" height=\"{}\" role=\"img\" aria-labelledby=\"{}\">",
            &[&Px(HEIGHT), &alt],
        );
        out.begin("<g id=\"{}\">", bar);
        for (name, y) in [("a proxy", row::PROXY), ("fleet", row::FLEET)] {
            out.label(&Label::new(name, At::START, y).hang(Anchor::Start, -60.0));
        }
        // All kinds are always there, as wide as they are: an element that comes and goes costs more.
        let span_of = |kind: ZoneKind| {
            let zone = self.zones.iter().find(|zone| zone.kind == kind);
            zone.map_or((At::START, At::START), |zone| (zone.from, zone.width()))
        };
        span(out, ("", "url(#hr-hatch)"), span_of(ZoneKind::TooTight));
        span(out, ("hr-window", ""), span_of(ZoneKind::Window));
        span(out, ("", "url(#hr-hatch-back)"), span_of(ZoneKind::Overruns));
        span(out, ("hr-both", ""), span_of(ZoneKind::Both));
        span(out, ("", "url(#hr-hatch-danger)"), span_of(ZoneKind::Both));
        span(out, ("hr-axis hr-outline", ""), (At::START, At::END));
        line(out, "hr-alt", self.recommended, row::TOP - 10.0);
        line(out, "hr-main", self.chosen, row::TOP + 8.0);
        for label in &self.labels {
            out.label(label);
        }
        // The axis stays while the window moves on it.
        out.end("</g>");
        out.begin("<g id=\"{}\">", axis);
        out.ticks(&self.ticks, BAR.1, BAR.1 + 5.0);
        for label in &self.tick_labels {
            out.label(label);
        }
        out.end("</g></svg>");
    }
}

/// A span of the bar: with a class, or filled with a pattern.
fn span(out: &mut Html, (class, fill): (&str, &str), (from, width): (At, At)) {
    let (top, height) = (Px(BAR.0), Px(BAR.1 - BAR.0));
    let (tag, look) = if class.is_empty() {
        ("<rect fill=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>", fill)
    } else {
        ("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>", class)
    };
    out.put(tag, &[&look, &from, &top, &width, &height]);
}

/// A mark of the bar, from its label down; not shown where there is nothing to mark.
fn line(out: &mut Html, class: &str, at: Option<At>, top: f64) {
    let (at, hidden) = at.map_or((At::START, " hr-none"), |at| (at, ""));
    out.put(
        "<line class=\"{}{}\" x1=\"{}\" x2=\"{}\" y1=\"{}\" y2=\"{}\"/>",
        &[&class, &hidden, &at, &at, &Px(top), &Px(BAR.1 + 8.0)],
    );
}
