//! The gauge as SVG.

use super::{BAR, Gauge, ZoneKind, row};
use crate::chart::markup::Markup;
use crate::chart::scale::At;
use crate::chart::text::{Anchor, Label};

impl Gauge {
    /// The content of the gauge's `svg` element.
    pub fn markup(&self) -> String {
        let mut out = Markup::default();
        for (name, y) in [("a proxy", row::PROXY), ("fleet", row::FLEET)] {
            out.label(&Label::new(name, At::START, y).hang(Anchor::Start, -60.0));
        }
        for zone in &self.zones {
            let (from, width) = (zone.from, zone.width());
            match zone.kind {
                ZoneKind::TooTight => span(&mut out, ("fill", "url(#hr-hatch)"), from, width),
                ZoneKind::Window => span(&mut out, ("class", "hr-window"), from, width),
                ZoneKind::Overruns => span(&mut out, ("fill", "url(#hr-hatch-back)"), from, width),
                ZoneKind::Both => {
                    span(&mut out, ("class", "hr-both"), from, width);
                    span(&mut out, ("fill", "url(#hr-hatch-danger)"), from, width);
                }
            }
        }
        span(&mut out, ("class", "hr-axis hr-outline"), At::START, At::END);
        let mut line = |class: &str, at: At, top: f64, bottom: f64| {
            out.empty("line", &[("class", &class), ("x1", &at), ("x2", &at), ("y1", &top), ("y2", &bottom)]);
        };
        if let Some(at) = self.recommended {
            line("hr-alt", at, row::TOP - 10.0, BAR.1 + 8.0);
        }
        if let Some(at) = self.chosen {
            line("hr-main", at, row::TOP + 8.0, BAR.1 + 8.0);
        }
        for at in &self.ticks {
            line("hr-axis", *at, BAR.1, BAR.1 + 5.0);
        }
        for label in &self.labels {
            out.label(label);
        }
        out.finish()
    }
}

/// A span of the bar that looks so.
fn span(out: &mut Markup, (name, value): (&str, &str), from: At, width: At) {
    let (top, height) = (BAR.0, BAR.1 - BAR.0);
    out.empty("rect", &[(name, &value), ("x", &from), ("y", &top), ("width", &width), ("height", &height)]);
}
