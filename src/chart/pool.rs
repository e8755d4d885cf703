//! The hosts as boxes: those that stay, and those that may go.

use super::scale::At;
use crate::engine::units::display;
use crate::markup::Html;

/// Most boxes of the pool; larger pools are drawn in proportion.
const MOST: u32 = 40;

/// The hosts of an upstream.
#[derive(Clone, Copy, Debug)]
pub struct Pool {
    /// All of them.
    pub hosts: u32,
    /// How many may be ejected.
    pub may_go: u32,
}

impl Pool {
    /// Writes the picture: dashes, as many as hosts, draw the boxes.
    pub fn write(&self, out: &mut Html) {
        let count = |n: u32| display::count(f64::from(n));
        let stay = self.hosts.saturating_sub(self.may_go);
        let share = f64::from(stay) / f64::from(self.hosts.max(1));
        let boxes = f64::from(self.hosts.min(MOST));
        out.put(
            "<svg class=\"hr-svg hr-pool\" height=\"28\" role=\"img\" aria-label=\"{} hosts: {} may be ejected, {} stay\">",
            &[&count(self.hosts), &count(self.may_go), &count(stay)],
        );
        let edge = At::linear(share, 1.0);
        line(out, "hr-pool__stay", (At::START, edge), share * boxes, ".88 .12", "0");
        line(out, "hr-pool__may", (edge, At::END), (1.0 - share) * boxes, ".88 .12", "0");
        line(out, "hr-pool__inside", (edge, At::END), (1.0 - share) * boxes, ".72 .28", "-.08");
        out.put(
            "<text x=\"0\" y=\"26\">{} stay</text><text x=\"100%\" y=\"26\" class=\"hr-t-end\">{} may go</text></svg>",
            &[&count(stay), &count(self.may_go)],
        );
    }
}

/// A row of `boxes` boxes. A length of zero would draw one dash.
fn line(out: &mut Html, class: &str, (from, to): (At, At), boxes: f64, dash: &str, offset: &str) {
    if boxes > 0.0 {
        out.put(
            "<line class=\"{}\" x1=\"{}\" x2=\"{}\" y1=\"6\" y2=\"6\" pathLength=\"{}\" stroke-dasharray=\"{}\" stroke-dashoffset=\"{}\"/>",
            &[&class, &from, &to, &display::input(display::round_to(boxes, 4)), &dash, &offset],
        );
    }
}
