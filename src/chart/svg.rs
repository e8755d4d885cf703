//! A plotters backend that writes SVG by meaning: elements carry a role, not a color.
//!
//! plotters maps data to the drawing; this backend writes what it draws. plotters' own SVG backend
//! rounds to whole pixels, which shows as steps in a slow curve, sizes text by rules of its own,
//! and knows neither dashes nor halos nor class names. Here coordinates are tenths of a CSS pixel,
//! and a [`Skin`] decides whether a role becomes a class (in the page, so that theme, stale state
//! and print need no redraw) or colors (in a picture that stands alone). No `style` attribute is
//! ever written, since the page's security policy forbids it.

use super::palette::{Color, Palette};
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

    /// Color, width in px and dashes, as the style sheet has them.
    fn pen(self, palette: &Palette) -> (Color, &'static str, &'static str) {
        match self {
            Self::Grid => (palette.line, "1", ""),
            Self::Axis => (palette.edge, "1", ""),
            Self::Reference => (palette.ink_3, "1", "2 3"),
            Self::Chosen => (palette.accent, "2", ""),
            Self::Other => (palette.ink_2, "1.5", "6 4"),
            Self::Third => (palette.ink_3, "1", "1 3"),
            Self::Probe => (palette.accent, "1", ""),
        }
    }
}

/// How roles become attributes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Skin {
    /// Class names; the page's style sheet has the colors.
    Classes,
    /// Colors of a palette; the picture needs no style sheet.
    Colors(&'static Palette),
}

impl Skin {
    /// Opens a drawing of `width` × `height` CSS px that says its text alternative; markup of our own, the text escaped.
    pub fn open(self, out: &mut String, (width, height): (f64, f64), alt: &str) {
        // Writing to a string does not fail.
        let _ = match self {
            Self::Classes => write!(out, "<svg class=\"hr-svg\" width=\"{width:.0}\" height=\"{height:.0}\""),
            Self::Colors(_) => write!(
                out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
                 viewBox=\"0 0 {width:.0} {height:.0}\""
            ),
        };
        out.push_str(" role=\"img\" aria-label=\"");
        escape(out, alt);
        out.push_str("\">");
    }
}

/// Writes SVG elements into a string.
pub struct Svg<'a> {
    out: &'a mut String,
    size: (u32, u32),
    skin: Skin,
    text_px: f64,
}

impl<'a> Svg<'a> {
    /// A drawing of `width` × `height` CSS px whose text is `text_px` high.
    pub fn new(out: &'a mut String, (width, height): (f64, f64), text_px: f64, skin: Skin) -> Self {
        Self { out, size: (units(width).unsigned_abs(), units(height).unsigned_abs()), skin, text_px }
    }

    /// Whether what is not there keeps its element: in a page, that costs less than one that comes and goes.
    fn keeps_places(&self) -> bool {
        self.skin == Skin::Classes
    }

    fn polyline(&mut self, points: impl Iterator<Item = BackendCoord>, role: Role) {
        self.out.push_str("<path");
        self.pen(role);
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
        match self.skin {
            Skin::Classes => self.out.push_str(" class=\"hr-shade\""),
            Skin::Colors(p) => {
                let _ = write!(self.out, " fill=\"{}\"", p.sunken);
            }
        }
        self.out.push_str("/>");
    }

    fn dot(&mut self, (x, y): BackendCoord, radius: u32) {
        if radius == 0 && !self.keeps_places() {
            return;
        }
        self.out.push_str("<circle");
        self.attribute("cx", x);
        self.attribute("cy", y);
        let _ = write!(self.out, " r=\"{radius}\"");
        match self.skin {
            Skin::Classes => self.out.push_str(" class=\"hr-mark hr-dot\""),
            Skin::Colors(p) => {
                let _ =
                    write!(self.out, " fill=\"{}\" stroke=\"{}\" stroke-width=\"2\"", p.accent, p.surface);
            }
        }
        self.out.push_str("/>");
    }

    fn label(&mut self, (x, y): BackendCoord, text: &Words) {
        if text.text.is_empty() {
            self.out.push_str(if self.keeps_places() { "<text> </text>" } else { "" });
            return;
        }
        self.out.push_str("<text");
        self.attribute("x", x);
        self.attribute("y", y);
        self.ink(text);
        self.out.push('>');
        escape(self.out, &text.text);
        self.out.push_str("</text>");
    }

    fn pen(&mut self, role: Role) {
        match self.skin {
            Skin::Classes => self.class(role.class()),
            Skin::Colors(palette) => {
                let (color, width, dashes) = role.pen(palette);
                let _ = write!(self.out, " fill=\"none\" stroke=\"{color}\" stroke-width=\"{width}\"");
                if !dashes.is_empty() {
                    let _ = write!(self.out, " stroke-dasharray=\"{dashes}\"");
                }
            }
        }
    }

    fn ink(&mut self, text: &Words) {
        let palette = match self.skin {
            Skin::Classes => {
                return self.class(&classes(&[text.anchor.class(), text.tone.class()]));
            }
            Skin::Colors(palette) => palette,
        };
        let anchor = match text.anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let (fill, weight) = match text.tone {
            Tone::Quiet => (palette.ink_2, "400"),
            Tone::Main | Tone::MainIn => (palette.accent, "600"),
            Tone::Danger => (palette.danger, "600"),
            _ => (palette.ink, "600"),
        };
        let _ = write!(
            self.out,
            " text-anchor=\"{anchor}\" font-family=\"system-ui, sans-serif\" font-size=\"{}\" \
             font-weight=\"{weight}\" fill=\"{fill}\" stroke=\"{}\" stroke-width=\"4\" \
             stroke-linejoin=\"round\" paint-order=\"stroke\"",
            self.text_px,
            if text.tone.is_in_shade() { palette.sunken } else { palette.surface }
        );
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

/// A line through points of the data.
pub struct Stroke<'p> {
    /// The points, in the coordinates of the drawing area.
    pub points: &'p [(f64, f64)],
    /// What it is for.
    pub role: Role,
}

impl<'b> PointCollection<'b, (f64, f64)> for &'b Stroke<'_> {
    type Point = &'b (f64, f64);
    type IntoIter = &'b [(f64, f64)];

    fn point_iter(self) -> Self::IntoIter {
        self.points
    }
}

impl Drawable<Svg<'_>> for Stroke<'_> {
    fn draw<I: Iterator<Item = BackendCoord>>(&self, points: I, svg: &mut Svg<'_>, _: (u32, u32)) -> Drawn {
        if !self.points.is_empty() || svg.keeps_places() {
            svg.polyline(points, self.role);
        }
        Ok(())
    }
}

/// A line through points of the drawing.
pub struct Trace<'p> {
    /// The points, in units of the backend.
    pub points: &'p [BackendCoord],
    /// What it is for.
    pub role: Role,
}

impl<'b> PointCollection<'b, BackendCoord> for &'b Trace<'_> {
    type Point = &'b BackendCoord;
    type IntoIter = &'b [BackendCoord];

    fn point_iter(self) -> Self::IntoIter {
        self.points
    }
}

impl Drawable<Svg<'_>> for Trace<'_> {
    fn draw<I: Iterator<Item = BackendCoord>>(&self, points: I, svg: &mut Svg<'_>, _: (u32, u32)) -> Drawn {
        if !self.points.is_empty() || svg.keeps_places() {
            svg.polyline(points, self.role);
        }
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
