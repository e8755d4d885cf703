//! Drawing of the sweep with plotters, for one width.

use super::labels;
use super::{CURVES, Curve, LEAST, MOST, Marker, Point, Sweep};
use crate::chart::room::{self, Room};
use crate::chart::scale::short;
use crate::chart::svg::{Dot, Role, Stroke, Svg, UNITS, Words, open, units};
use crate::chart::text::{Anchor, Area, Tone};
use crate::engine::units::Share;
use plotters::coord::Shift;
use plotters::coord::cartesian::Cartesian2d;
use plotters::coord::combinators::{IntoLogRange, LogCoord};
use plotters::coord::types::RangedCoordf64;
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use plotters_backend::BackendCoord;

/// Height of the drawing in lines of text.
pub const HEIGHT: f64 = 23.0;
/// Shares at the grid lines, with their names.
const DECADES: [(f64, &str); 7] = [
    (1.0, "100%"),
    (1e-1, "10%"),
    (1e-2, "1%"),
    (1e-3, "0.1%"),
    (1e-4, "0.01%"),
    (1e-5, "0.001%"),
    (1e-6, "0.0001%"),
];

type Plot<'a> = DrawingArea<Svg<'a>, Cartesian2d<RangedCoordf64, LogCoord<f64>>>;

/// Draws a line through points of the data.
type Line<'a> = &'a mut dyn FnMut(&[(f64, f64)], Role) -> Option<()>;

/// What a drawing is fitted to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Width of the container in CSS px.
    pub width: f64,
    /// Height of text in CSS px.
    pub text_px: f64,
}

impl Frame {
    /// Height of the drawing in CSS px.
    pub fn height(&self) -> f64 {
        HEIGHT * self.text_px
    }

    /// The plot within the drawing, in CSS px; around it there is room for the axes' labels.
    pub fn plot(&self) -> Area {
        let em = self.text_px;
        Area {
            left: 5.0 * em,
            top: em,
            right: (self.width - 1.4 * em).max(6.0 * em),
            bottom: self.height() - 3.0 * em,
        }
    }

    /// The multiple at `x` CSS px from the left of the container.
    pub fn multiple_at(&self, x: f64) -> f64 {
        let plot = self.plot();
        ((x - plot.left) / (plot.right - plot.left) * MOST).clamp(0.0, MOST)
    }
}

impl Sweep {
    /// The chart as SVG text: markup of our own with numbers in it, never a text of the user.
    pub fn svg(&self, frame: &Frame, marker: Option<Marker>) -> String {
        // A hundred points of eleven characters a line, and the labels.
        let mut out = String::with_capacity(8192);
        let (width, height) = (frame.width.max(120.0), frame.height());
        open(&mut out, (width, height), &self.alt(marker));
        let drawn = self.draw(&mut out, &Frame { width, ..*frame }, marker);
        debug_assert!(drawn.is_some(), "writing to a string does not fail");
        out.push_str("</svg>");
        out
    }

    fn draw(&self, out: &mut String, frame: &Frame, marker: Option<Marker>) -> Option<()> {
        let canvas: DrawingArea<Svg<'_>, Shift> =
            Svg::new(out, (frame.width, frame.height())).into_drawing_area();
        let area = frame.plot();
        let pixels = (units(area.left)..units(area.right), units(area.bottom)..units(area.top));
        let plot = canvas.apply_coord_spec(Cartesian2d::new(0.0..MOST, (LEAST..1.0).log_scale(), pixels));
        let trace = |curve| Traced {
            curve,
            line: curve.line.iter().map(|point| plot.map_coordinate(point)).collect(),
        };
        let traced: Vec<_> = CURVES.iter().map(|role| self.curve(*role).map(trace)).collect();
        // Words are placed first: a line of comparison that cannot be named is not drawn.
        let mut room = self.room(&plot, &traced, frame, marker);
        let is_named = labels::place(self, &plot, &traced, &mut room, marker);
        let mut line = |points: &[(f64, f64)], role| {
            let points: Vec<BackendCoord> = points.iter().map(|point| plot.map_coordinate(point)).collect();
            canvas.draw(&Stroke { points: &points, role }).ok()
        };
        self.grid(&canvas, &plot, frame, &mut line)?;
        self.references(&mut line)?;
        for ((role, traced), is_named) in CURVES.into_iter().zip(&traced).zip(is_named).rev() {
            let traced = traced.as_ref().filter(|_| role == Role::Chosen || is_named);
            canvas.draw(&Stroke { points: traced.map_or(&[], |traced| &traced.line), role }).ok()?;
        }
        let probe = marker.map(|marker| [(marker.multiple, LEAST), (marker.multiple, 1.0)]);
        line(probe.as_ref().map_or(&[], |probe| probe), Role::Probe)?;
        for dot in self.dots(marker) {
            let (at, radius) = dot.unwrap_or(((0.0, LEAST), 0));
            canvas.draw(&Dot { at: plot.map_coordinate(&at), radius }).ok()?;
        }
        for words in room.into_words() {
            canvas.draw(&words).ok()?;
        }
        Some(())
    }

    /// Grid, axis and their numbers.
    fn grid(
        &self,
        canvas: &DrawingArea<Svg<'_>, Shift>,
        plot: &Plot<'_>,
        frame: &Frame,
        line: Line<'_>,
    ) -> Option<()> {
        let (area, em) = (frame.plot(), frame.text_px);
        let write = |text: String, x: f64, y: f64, anchor, tone| {
            canvas.draw(&Words { text, at: (units(x), units(y)), anchor, tone }).ok()
        };
        for (share, name) in DECADES {
            let role = if share <= LEAST { Role::Axis } else { Role::Grid };
            line(&[(0.0, share), (MOST, share)], role)?;
            let (_, y) = position(plot, (0.0, share));
            write(name.to_owned(), area.left - 0.66 * em, y + 0.33 * em, Anchor::End, Tone::Quiet)?;
        }
        let below = area.bottom + 1.35 * em;
        for multiple in [0.0, 1.0, 2.0, 3.0, 4.0] {
            line(&[(multiple, LEAST), (multiple, 1.0)], Role::Grid)?;
            let x = area.left + (area.right - area.left) * multiple / MOST;
            let tone = if super::is_peak(multiple) { Tone::Ink } else { Tone::Quiet };
            write(short(self.rate * multiple), x, below, Anchor::Middle, tone)?;
            if tone == Tone::Ink {
                write("peak".to_owned(), x, below + 1.25 * em, Anchor::Middle, tone)?;
            }
        }
        let name = format!("fleet rate, {}", self.unit);
        write(name, area.right, below + 1.25 * em, Anchor::End, Tone::Quiet)
    }

    fn references(&self, line: Line<'_>) -> Option<()> {
        line(&[(1.0, LEAST), (1.0, 1.0)], Role::Reference)?;
        let target = [(0.0, self.target.0), (MOST, self.target.0)];
        line(if self.target.0 > LEAST { &target } else { &[] }, Role::Reference)?;
        let full = self.full.map(|full| [(full, LEAST), (full, 1.0)]);
        line(full.as_ref().map_or(&[], |full| full), Role::Reference)
    }

    /// Places and radii of the dots.
    fn dots(&self, marker: Option<Marker>) -> [Option<((f64, f64), u32)>; 4] {
        let on_axis = |share: Share| share.0.clamp(LEAST, 1.0);
        let [a, b, c] = &self.points;
        let of_point = |point: &Option<Point>| point.as_ref().map(|p| ((p.multiple, on_axis(p.share)), 5));
        let probe = marker.map(|m| ((m.multiple, on_axis(self.share_at(m.multiple))), 6));
        [of_point(a), of_point(b), of_point(c), probe]
    }

    /// The plot with all lines and dots that words should keep clear of.
    fn room(
        &self,
        plot: &Plot<'_>,
        traced: &[Option<Traced<'_>>],
        frame: &Frame,
        marker: Option<Marker>,
    ) -> Room {
        let mut space = Room::new(frame.plot(), frame.text_px);
        for traced in traced.iter().flatten() {
            space.add_line(traced.points(), room::CURVE);
        }
        let mut add = |points: &[(f64, f64)], price| {
            space.add_line(points.iter().map(|point| position(plot, *point)), price);
        };
        for multiple in [Some(1.0), self.full].into_iter().flatten() {
            add(&[(multiple, LEAST), (multiple, 1.0)], room::REFERENCE);
        }
        if self.target.0 > LEAST {
            add(&[(0.0, self.target.0), (MOST, self.target.0)], room::REFERENCE);
        }
        if let Some(Marker { multiple }) = marker {
            add(&[(multiple, LEAST), (multiple, 1.0)], room::PROBE);
        }
        for (at, _) in self.dots(marker).into_iter().flatten() {
            space.add_dot(position(plot, at));
        }
        space
    }
}

/// Where a value of the data is, in CSS px.
pub(super) fn position(plot: &Plot<'_>, at: (f64, f64)) -> (f64, f64) {
    px(plot.map_coordinate(&at))
}

fn px((x, y): BackendCoord) -> (f64, f64) {
    (f64::from(x) / UNITS, f64::from(y) / UNITS)
}

/// A curve and where its points are in the drawing: a logarithm each, so once for all who ask.
pub(super) struct Traced<'a> {
    pub curve: &'a Curve,
    line: Vec<BackendCoord>,
}

impl Traced<'_> {
    /// The points in CSS px, left to right.
    pub fn points(&self) -> impl ExactSizeIterator<Item = (f64, f64)> + DoubleEndedIterator {
        self.line.iter().map(|point| px(*point))
    }
}

pub(super) type SweepPlot<'a> = Plot<'a>;
