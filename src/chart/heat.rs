//! A strip a host: which share of something (proxies that have ejected it) holds over time.
//!
//! Plain SVG in percent of the width, so it stretches without a redraw. Shares are drawn in four
//! steps; a run of equal steps is one rectangle, and the longest full one of a row says so in words.

use super::scale::At;
use super::text::Tone;
use super::timeline::times;
use crate::engine::units::display;
use crate::markup::Html;

/// Height of a row and of the strip in it, in CSS px.
const ROW: u32 = 15;
const STRIP: u32 = 13;
/// Height of the time axis.
const AXIS: u32 = 22;

/// Strips over the time of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Heat {
    /// Length of the run in seconds.
    pub duration: f64,
    /// Width of a step of time in seconds.
    pub step: f64,
    /// The fault, from and to, in seconds.
    pub fault: Option<(f64, f64)>,
    /// Rows from top to bottom.
    pub rows: Vec<Strip>,
    /// What a full step is called: `all 100`.
    pub full: String,
    /// What the picture says.
    pub alt: String,
}

/// A row.
#[derive(Clone, Debug, PartialEq)]
pub struct Strip {
    /// Its name.
    pub label: String,
    /// Whether the fault hits it.
    pub is_hit: bool,
    /// Shares, 0 to 1, one a step.
    pub shares: Vec<f64>,
}

/// Steps of equal color: from, to (in steps) and level, 1 to 4.
fn runs(shares: &[f64]) -> Vec<(usize, usize, u8)> {
    let mut runs: Vec<(usize, usize, u8)> = Vec::new();
    for (at, share) in shares.iter().enumerate() {
        let level = level(*share);
        match runs.last_mut() {
            Some((_, to, last)) if *last == level && *to == at => *to = at + 1,
            _ if level > 0 => runs.push((at, at + 1, level)),
            _ => {}
        }
    }
    runs
}

/// 0 for none, then a level for each quarter that is begun.
fn level(share: f64) -> u8 {
    match share {
        s if s > 0.75 => 4,
        s if s > 0.5 => 3,
        s if s > 0.25 => 2,
        // Less than a thousandth is a rounding of the mean.
        s if s > 0.001 => 1,
        _ => 0,
    }
}

const OPACITY: [&str; 4] = [".25", ".5", ".75", "1"];

impl Heat {
    /// Height of the drawing in CSS px.
    pub fn height(&self) -> u32 {
        u32::try_from(self.rows.len()).unwrap_or(0) * ROW + AXIS
    }

    /// Writes the picture; `width` is that of the plot in CSS px and `em` the height of its text, to see
    /// what a label needs.
    pub fn write(&self, out: &mut Html, width: f64, em: f64) {
        out.put(
            "<svg class=\"hr-svg hr-svg--y\" height=\"{}\" role=\"img\" aria-label=\"{}\">",
            &[&self.height(), &self.alt],
        );
        for (at, row) in self.rows.iter().enumerate() {
            let top = u32::try_from(at).unwrap_or(0) * ROW;
            self.row(out, row, top, width);
        }
        let bottom = self.height() - AXIS;
        let at = |seconds: f64| At::linear(seconds, self.duration);
        if let Some((from, to)) = self.fault {
            for edge in [from, to] {
                out.put(
                    "<line class=\"hr-ref\" x1=\"{}\" x2=\"{}\" y1=\"0\" y2=\"{}\"/>",
                    &[&at(edge), &at(edge), &bottom],
                );
            }
        }
        out.put("<line class=\"hr-axis\" x1=\"0\" x2=\"100%\" y1=\"{}\" y2=\"{}\"/>", &[&bottom, &bottom]);
        let ticks = times(self.duration, (width / (4.5 * em)).clamp(2.0, 12.0));
        let last = ticks.len() - 1;
        for (k, seconds) in ticks.iter().enumerate() {
            let unit = if k == last { "\u{a0}s" } else { "" };
            let text = format!("{}{unit}", display::number(*seconds));
            let class = if at(*seconds).percent() > 99.0 { "hr-t-end" } else { "hr-t-mid" };
            // The last label reaches a little beyond the plot, as those of the curves do.
            let dx = if class == "hr-t-end" { 14_u32 } else { 0 };
            out.put(
                "<text x=\"{}\" dx=\"{}\" y=\"{}\" class=\"{}\">{}</text>",
                &[&at(*seconds), &dx, &(bottom + 16), &class, &text],
            );
        }
        out.raw("</svg>");
    }

    fn row(&self, out: &mut Html, row: &Strip, top: u32, width: f64) {
        let class = if row.is_hit { "hr-t-end hr-t-ink" } else { "hr-t-end" };
        out.put(
            "<text x=\"0\" y=\"{}\" dx=\"-8\" dy=\"11\" class=\"{}\">{}</text><rect class=\"hr-shade\" x=\"0\" y=\"{}\" width=\"100%\" height=\"{}\"/>",
            &[&top, &class, &row.label, &(top + 1), &STRIP],
        );
        let runs = runs(&row.shares);
        for (from, to, level) in &runs {
            let (x, end) = (self.place(*from), self.place(*to));
            out.put(
                "<rect class=\"hr-mark hr-cell\" fill-opacity=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
                &[&OPACITY[usize::from(*level - 1)], &x, &(top + 1), &At::linear(end.percent() - x.percent(), 100.0), &STRIP],
            );
        }
        let longest = runs.iter().filter(|run| run.2 == 4).max_by_key(|run| run.1 - run.0);
        let Some((from, to, _)) = longest else { return };
        let is_full = row.shares.get(*from..*to).is_some_and(|s| s.iter().any(|share| *share > 0.999));
        let (x, end) = (self.place(*from), self.place(*to));
        if is_full && end.px(width) - x.px(width) > Tone::Ink.width(&self.full) + 8.0 {
            out.put(
                "<text x=\"{}\" y=\"{}\" dy=\"11\" class=\"hr-t-mid hr-t-on\">{}</text>",
                &[&x.middle(end), &top, &self.full],
            );
        }
    }

    /// Where a step begins.
    fn place(&self, step: usize) -> At {
        At::linear(step as f64 * self.step, self.duration)
    }
}

#[cfg(test)]
mod tests {
    use super::runs;

    #[test]
    fn equal_steps_are_one_run_and_nothing_is_none() {
        assert_eq!(
            runs(&[0.0, 0.1, 0.2, 0.3, 0.9, 1.0, 0.0, 1.0]),
            [(1, 3, 1), (3, 4, 2), (4, 6, 4), (7, 8, 4)]
        );
        assert_eq!(runs(&[0.0, 1e-9, f64::NAN]), []);
    }
}
