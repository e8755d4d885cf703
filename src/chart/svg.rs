//! A plotters backend that writes SVG by meaning: elements carry a role, not a color.
//!
//! plotters maps data to the drawing; this backend writes what it draws. plotters' own SVG backend
//! rounds to whole pixels, which shows as steps in a slow curve, sizes text by rules of its own,
//! and knows neither dashes nor halos nor class names. Here coordinates are tenths of a CSS pixel,
//! and a role becomes a class, so that theme, stale state and print need no redraw. No `style` attribute is
//! ever written, since the page's security policy forbids it.

use super::text::{Anchor, Tone, classes};
use crate::markup::{escape, tenths};
use plotters::element::{Drawable, PointCollection};
use plotters_backend::{BackendColor, BackendCoord, DrawingBackend, DrawingErrorKind};
use std::convert::Infallible;
use std::fmt::Write;

/// Units of the backend in a CSS pixel.
pub const UNITS: f64 = 10.0;

/// What a line is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Behind everything.
    Grid,
    /// An axis.
    Axis,
    /// A value to compare with: peak, tolerated, full.
    Reference,
    /// The chosen policy.
    Chosen,
    /// The policy it is compared with.
    Other,
    /// A third line, the last that a chart may have.
    Third,
    /// Where the reader looks.
    Probe,
}

impl Role {
    fn class(self) -> &'static str {
        match self {
            Self::Grid => "hr-grid",
            Self::Axis => "hr-axis",
            Self::Reference => "hr-ref",
            Self::Chosen => "hr-main",
            Self::Other => "hr-alt",
            Self::Third => "hr-third",
            Self::Probe => "hr-probe",
        }
    }
}

/// Opens a drawing of `width` × `height` CSS px that says its text alternative; markup of our own, the text escaped.
pub fn open(out: &mut String, (width, height): (f64, f64), alt: &str) {
    // Writing to a string does not fail.
    let _ = write!(
        out,
        "<svg class=\"hr-svg\" width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\" aria-label=\""
    );
    escape(out, alt);
    out.push_str("\">");
}

/// Writes SVG elements into a string. What is not there keeps its element, with no points or words in it: in a
/// page that costs less than one that comes and goes.
pub struct Svg<'a> {
    out: &'a mut String,
    size: (u32, u32),
}

impl<'a> Svg<'a> {
    /// A drawing of `width` × `height` CSS px.
    pub fn new(out: &'a mut String, (width, height): (f64, f64)) -> Self {
        Self { out, size: (units(width).unsigned_abs(), units(height).unsigned_abs()) }
    }

    fn polyline(&mut self, points: impl Iterator<Item = BackendCoord>, role: Role) {
        self.out.push_str("<path");
        self.class(role.class());
        self.out.push_str(" d=\"");
        for (at, (x, y)) in points.enumerate() {
            self.out.push(if at == 0 { 'M' } else { 'L' });
            tenths(self.out, x);
            self.out.push(' ');
            tenths(self.out, y);
        }
        self.out.push_str("\"/>");
    }

    fn band(&mut self, (left, top): BackendCoord, (right, bottom): BackendCoord) {
        self.out.push_str("<rect");
        for (name, value) in [("x", left), ("y", top), ("width", right - left), ("height", bottom - top)] {
            self.attribute(name, value);
        }
        self.class("hr-shade");
        self.out.push_str("/>");
    }

    fn dot(&mut self, (x, y): BackendCoord, radius: u32) {
        self.out.push_str("<circle");
        self.attribute("cx", x);
        self.attribute("cy", y);
        let _ = write!(self.out, " r=\"{radius}\"");
        self.class("hr-mark hr-dot");
        self.out.push_str("/>");
    }

    fn label(&mut self, (x, y): BackendCoord, text: &Words) {
        if text.text.is_empty() {
            return self.out.push_str("<text> </text>");
        }
        self.out.push_str("<text");
        self.attribute("x", x);
        self.attribute("y", y);
        self.class(&classes(&[text.anchor.class(), text.tone.class()]));
        self.out.push('>');
        escape(self.out, &text.text);
        self.out.push_str("</text>");
    }

    fn class(&mut self, names: &str) {
        if !names.is_empty() {
            for part in [" class=\"", names, "\""] {
                self.out.push_str(part);
            }
        }
    }

    fn attribute(&mut self, name: &str, value: i32) {
        for part in [" ", name, "=\""] {
            self.out.push_str(part);
        }
        tenths(self.out, value);
        self.out.push('"');
    }
}

/// CSS px in units of the backend; what is no number goes to the corner.
pub fn units(px: f64) -> i32 {
    #[allow(clippy::cast_possible_truncation, reason = "the cast saturates, and is 0 for what is no number")]
    let units = (px * UNITS).round() as i32;
    units
}

type Drawn = Result<(), DrawingErrorKind<Infallible>>;

impl DrawingBackend for Svg<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        Ok(())
    }

    /// Pixels have no place in a vector picture; all charts draw the elements of this module.
    fn draw_pixel(&mut self, _: BackendCoord, _: BackendColor) -> Drawn {
        Ok(())
    }
}

/// A line through points.
pub struct Stroke<'p, P> {
    /// The points, in the coordinates of the drawing area: of the data, or in units of the backend.
    pub points: &'p [P],
    /// What it is for.
    pub role: Role,
}

impl<'b, P> PointCollection<'b, P> for &'b Stroke<'_, P> {
    type Point = &'b P;
    type IntoIter = &'b [P];

    fn point_iter(self) -> Self::IntoIter {
        self.points
    }
}

impl<P> Drawable<Svg<'_>> for Stroke<'_, P> {
    fn draw<I: Iterator<Item = BackendCoord>>(&self, points: I, svg: &mut Svg<'_>, _: (u32, u32)) -> Drawn {
        svg.polyline(points, self.role);
        Ok(())
    }
}

/// A span of the data that is shaded, from one corner to the opposite one.
pub struct Band {
    /// Corners, in the coordinates of the drawing area.
    pub corners: [(f64, f64); 2],
}

impl<'b> PointCollection<'b, (f64, f64)> for &'b Band {
    type Point = &'b (f64, f64);
    type IntoIter = &'b [(f64, f64); 2];

    fn point_iter(self) -> Self::IntoIter {
        &self.corners
    }
}

impl Drawable<Svg<'_>> for Band {
    fn draw<I: Iterator<Item = BackendCoord>>(
        &self,
        mut corners: I,
        svg: &mut Svg<'_>,
        _: (u32, u32),
    ) -> Drawn {
        if let (Some((x0, y0)), Some((x1, y1))) = (corners.next(), corners.next()) {
            svg.band((x0.min(x1), y0.min(y1)), (x0.max(x1), y0.max(y1)));
        }
        Ok(())
    }
}

/// A point of the drawing that is marked.
pub struct Dot {
    /// Where, in units of the backend.
    pub at: BackendCoord,
    /// Radius in CSS px; nothing is seen of one without.
    pub radius: u32,
}

impl<'b> PointCollection<'b, BackendCoord> for &'b Dot {
    type Point = &'b BackendCoord;
    type IntoIter = std::iter::Once<&'b BackendCoord>;

    fn point_iter(self) -> Self::IntoIter {
        std::iter::once(&self.at)
    }
}

impl Drawable<Svg<'_>> for Dot {
    fn draw<I: Iterator<Item = BackendCoord>>(&self, mut at: I, svg: &mut Svg<'_>, _: (u32, u32)) -> Drawn {
        if let Some(at) = at.next() {
            svg.dot(at, self.radius);
        }
        Ok(())
    }
}

/// Words at a place of the drawing.
#[derive(Clone, Debug, PartialEq)]
pub struct Words {
    /// What they say; nothing is seen of empty ones.
    pub text: String,
    /// Anchor on the baseline, in units of the backend.
    pub at: BackendCoord,
    /// Which end sits at the anchor.
    pub anchor: Anchor,
    /// Weight and color.
    pub tone: Tone,
}

impl Words {
    /// None: they keep the place of those that may be needed in the next drawing.
    pub fn none() -> Self {
        Self { text: String::new(), at: (0, 0), anchor: Anchor::Start, tone: Tone::Quiet }
    }
}

impl<'b> PointCollection<'b, BackendCoord> for &'b Words {
    type Point = &'b BackendCoord;
    type IntoIter = std::iter::Once<&'b BackendCoord>;

    fn point_iter(self) -> Self::IntoIter {
        std::iter::once(&self.at)
    }
}

impl Drawable<Svg<'_>> for Words {
    fn draw<I: Iterator<Item = BackendCoord>>(&self, mut at: I, svg: &mut Svg<'_>, _: (u32, u32)) -> Drawn {
        if let Some(at) = at.next() {
            svg.label(at, self);
        }
        Ok(())
    }
}
