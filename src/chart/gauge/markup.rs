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
        for zone in &self.zones {
            let (from, width) = (zone.from, zone.width());
            match zone.kind {
                ZoneKind::TooTight => span(out, ("", "url(#hr-hatch)"), from, width),
                ZoneKind::Window => span(out, ("hr-window", ""), from, width),
                ZoneKind::Overruns => span(out, ("", "url(#hr-hatch-back)"), from, width),
                ZoneKind::Both => {
                    span(out, ("hr-both", ""), from, width);
                    span(out, ("", "url(#hr-hatch-danger)"), from, width);
                }
            }
        }
        span(out, ("hr-axis hr-outline", ""), At::START, At::END);
        if let Some(at) = self.recommended {
            line(out, "hr-alt", at, row::TOP - 10.0, BAR.1 + 8.0);
        }
        if let Some(at) = self.chosen {
            line(out, "hr-main", at, row::TOP + 8.0, BAR.1 + 8.0);
        }
        let is_tick = |label: &&Label| label.y >= row::PROXY;
        for label in self.labels.iter().filter(|label| !is_tick(label)) {
            out.label(label);
        }
        // The axis stays while the window moves on it.
        out.end("</g>");
        out.begin("<g id=\"{}\">", axis);
        for at in &self.ticks {
            line(out, "hr-axis", *at, BAR.1, BAR.1 + 5.0);
        }
        for label in self.labels.iter().filter(is_tick) {
            out.label(label);
        }
        out.end("</g></svg>");
    }
}

/// A span of the bar: with a class, or filled with a pattern.
fn span(out: &mut Html, (class, fill): (&str, &str), from: At, width: At) {
    let (top, height) = (Px(BAR.0), Px(BAR.1 - BAR.0));
    let (tag, look) = if class.is_empty() {
        ("<rect fill=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>", fill)
    } else {
        ("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>", class)
    };
    out.put(tag, &[&look, &from, &top, &width, &height]);
}

fn line(out: &mut Html, class: &str, at: At, top: f64, bottom: f64) {
    out.put(
        "<line class=\"{}\" x1=\"{}\" x2=\"{}\" y1=\"{}\" y2=\"{}\"/>",
        &[&class, &at, &at, &Px(top), &Px(bottom)],
    );
}
