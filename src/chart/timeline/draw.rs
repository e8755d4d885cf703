//! Drawing of a chart over time with plotters, for one width.

use super::{Timeline, axis, labels};
use crate::chart::room::{self, Room};
use crate::chart::svg::{Band, Role, Stroke, Svg, UNITS, Words, open, units};
use crate::chart::text::{Anchor, Area, Tone};
use crate::engine::units::display;
use plotters::coord::Shift;
use plotters::coord::cartesian::Cartesian2d;
use plotters::coord::types::RangedCoordf64;
use plotters::drawing::{DrawingArea, IntoDrawingArea};

/// The plot: seconds across, the fraction of the axis upward.
pub(super) type Plot<'a> = DrawingArea<Svg<'a>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// What a drawing is fitted to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Width of the container in CSS px.
    pub width: f64,
    /// Height of text in CSS px.
    pub text_px: f64,
}

/// Room beside and around the plot, in units of the text size: the style sheet's `3.75rem` and `1rem`.
const LEFT: f64 = 5.0;
const RIGHT: f64 = 4.0 / 3.0;
const TOP: f64 = 0.7;
const BELOW: f64 = 2.0;

impl Frame {
    fn plot(&self, lines: f64) -> Area {
        let em = self.text_px;
        Area {
            left: LEFT * em,
            top: TOP * em,
            right: (self.width - RIGHT * em).max((LEFT + 1.0) * em),
            bottom: (TOP + lines) * em,
        }
    }
}

impl Timeline {
    /// Height of the drawing in CSS px.
    pub fn height(&self, frame: &Frame) -> f64 {
        (TOP + self.lines + BELOW) * frame.text_px
    }

    /// The chart as SVG text: markup of our own, with all texts escaped.
    pub fn svg(&self, frame: &Frame) -> String {
        let mut out = String::with_capacity(4096);
        let width = if frame.width.is_finite() { frame.width.clamp(120.0, 10_000.0) } else { 120.0 };
        let height = self.height(frame);
        open(&mut out, (width, height), &self.alt);
        let drawn = self.draw(&mut out, &Frame { width, ..*frame });
        debug_assert!(drawn.is_some(), "writing to a string does not fail");
        out.push_str("</svg>");
        out
    }

    fn draw(&self, out: &mut String, frame: &Frame) -> Option<()> {
        let size = (frame.width, self.height(frame));
        let canvas: DrawingArea<Svg<'_>, Shift> = Svg::new(out, size).into_drawing_area();
        let area = frame.plot(self.lines);
        let pixels = (units(area.left)..units(area.right), units(area.bottom)..units(area.top));
        let end = if self.duration > 0.0 && self.duration.is_finite() { self.duration } else { 1.0 };
        let plot = canvas.apply_coord_spec(Cartesian2d::new(0.0..end, 0.0..1.0, pixels));
        self.shade(&plot, end)?;
        self.grid(&canvas, &plot, &area, frame.text_px)?;
        let mut room = self.room(&plot, area, frame.text_px, end);
        labels::place(self, &plot, &mut room, end);
        for curve in self.curves.iter().rev() {
            for points in curve.runs() {
                let points: Vec<_> = points.iter().map(|(t, v)| (*t, self.scale.fraction(*v))).collect();
                plot.draw(&Stroke { points: &points, role: curve.role }).ok()?;
            }
        }
        for words in room.into_words() {
            canvas.draw(&words).ok()?;
        }
        Some(())
    }

    fn shade(&self, plot: &Plot<'_>, end: f64) -> Option<()> {
        let Some((from, to)) = self.shaded(end) else { return Some(()) };
        plot.draw(&Band { corners: [(from, 0.0), (to, 1.0)] }).ok()?;
        for at in [from, to] {
            plot.draw(&Stroke { points: &[(at, 0.0), (at, 1.0)], role: Role::Reference }).ok()?;
        }
        Some(())
    }

    /// The part of the fault within the run.
    pub(super) fn shaded(&self, end: f64) -> Option<(f64, f64)> {
        let (from, to) = self.fault?;
        let (from, to) = (from.clamp(0.0, end), to.clamp(0.0, end));
        (to > from).then_some((from, to))
    }

    /// Grid, axis and their numbers.
    fn grid(
        &self,
        canvas: &DrawingArea<Svg<'_>, Shift>,
        plot: &Plot<'_>,
        area: &Area,
        em: f64,
    ) -> Option<()> {
        let end = plot.get_x_range().end;
        let write = |text: String, x: f64, y: f64, anchor| {
            canvas.draw(&Words { text, at: (units(x), units(y)), anchor, tone: Tone::Quiet }).ok()
        };
        for (value, name) in &self.scale.ticks {
            let y = self.scale.fraction(*value);
            let role = if *value > 0.0 { Role::Grid } else { Role::Axis };
            plot.draw(&Stroke { points: &[(0.0, y), (end, y)], role }).ok()?;
            let (_, y) = position(plot, (0.0, y));
            write(name.clone(), area.left - 0.66 * em, y + 0.33 * em, Anchor::End)?;
        }
        for mark in self.marks.iter().filter(|mark| mark.value <= self.scale.end) {
            let y = self.scale.fraction(mark.value);
            plot.draw(&Stroke { points: &[(0.0, y), (end, y)], role: Role::Reference }).ok()?;
        }
        let most = ((area.right - area.left) / (4.5 * em)).clamp(2.0, 12.0);
        let ticks = axis::times(end, most);
        let below = area.bottom + 1.35 * em;
        let last = ticks.len() - 1;
        for (at, seconds) in ticks.iter().enumerate() {
            let (x, _) = position(plot, (*seconds, 0.0));
            // The last one names the unit, so that no line is needed for it.
            let unit = if at == last { "\u{a0}s" } else { "" };
            let anchor = if at == last && x > area.right - em { Anchor::End } else { Anchor::Middle };
            let x = if anchor == Anchor::End { area.right + RIGHT * em * 0.9 } else { x };
            write(format!("{}{unit}", display::number(*seconds)), x, below, anchor)?;
        }
        Some(())
    }

    /// The plot with all lines that words should keep clear of.
    fn room(&self, plot: &Plot<'_>, area: Area, em: f64, end: f64) -> Room {
        let mut space = Room::new(area, em);
        for curve in &self.curves {
            for points in curve.runs() {
                let line = points.iter().map(|(t, v)| position(plot, (*t, self.scale.fraction(*v))));
                space.add_line(line, room::CURVE);
            }
        }
        for (value, _) in &self.scale.ticks {
            let y = self.scale.fraction(*value);
            space.add_line([(0.0, y), (end, y)].map(|at| position(plot, at)).into_iter(), room::REFERENCE);
        }
        for mark in self.marks.iter().filter(|mark| mark.value <= self.scale.end) {
            let y = self.scale.fraction(mark.value);
            space.add_line([(0.0, y), (end, y)].map(|at| position(plot, at)).into_iter(), room::PROBE);
        }
        if let Some((from, to)) = self.shaded(end) {
            for t in [from, to] {
                space.add_line([(t, 0.0), (t, 1.0)].map(|at| position(plot, at)).into_iter(), room::PROBE);
            }
        }
        space
    }
}

/// Where a value is, in CSS px.
pub(super) fn position(plot: &Plot<'_>, at: (f64, f64)) -> (f64, f64) {
    let (x, y) = plot.map_coordinate(&at);
    (f64::from(x) / UNITS, f64::from(y) / UNITS)
}
