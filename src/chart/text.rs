//! How wide a label is, how it hangs at its anchor, and whether two of them touch.
//!
//! The page's font is the system's, so widths can only be estimated. The estimate is of a wide
//! face; a label that fits by it fits in the others.

use super::scale::At;

/// Which end of a text sits at its anchor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The text starts there.
    Start,
    /// The text is centered on it.
    Middle,
    /// The text ends there.
    End,
}

/// Weight and color of a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Ticks, secondary words.
    Quiet,
    /// A number that counts.
    Ink,
    /// A number that counts and that a line passes behind: its halo is wider.
    InkClear,
    /// The chosen value.
    Main,
    /// A number that counts, on a shaded span.
    InkIn,
    /// The chosen value, on a shaded span.
    MainIn,
    /// Nothing works.
    Danger,
    /// The one large number.
    Readout,
    /// The one large number when it has many digits.
    ReadoutLong,
}

/// Container widths at which a label is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// Always.
    Always,
    /// Not in a narrow container.
    Wide,
    /// Only in a narrow container.
    Narrow,
    /// Only in a container with much room.
    Roomy,
}

impl Anchor {
    /// The class of the style sheet.
    pub fn class(self) -> &'static str {
        match self {
            Self::Start => "",
            Self::Middle => "hr-t-mid",
            Self::End => "hr-t-end",
        }
    }

    /// Left and right edge of a text `width` wide at `x`.
    pub fn span(self, x: f64, width: f64) -> (f64, f64) {
        let left = match self {
            Self::Start => x,
            Self::Middle => x - width / 2.0,
            Self::End => x - width,
        };
        (left, left + width)
    }
}

impl Tone {
    /// The class of the style sheet.
    pub fn class(self) -> &'static str {
        match self {
            Self::Quiet => "",
            Self::Ink => "hr-t-ink",
            Self::InkClear => "hr-t-ink hr-t-clear",
            Self::Main => "hr-t-main",
            Self::InkIn => "hr-t-ink hr-t-in",
            Self::MainIn => "hr-t-main hr-t-in",
            Self::Danger => "hr-t-danger",
            Self::Readout => "hr-t-read",
            Self::ReadoutLong => "hr-t-read hr-t-read--long",
        }
    }

    /// Size in CSS px at the browser's default of 16.
    pub fn px(self) -> f64 {
        match self {
            Self::Readout => 40.0,
            Self::ReadoutLong => 26.0,
            _ => 12.0,
        }
    }

    /// How much wider its letters are than regular ones.
    pub fn weight(self) -> f64 {
        if self == Self::Quiet { 1.0 } else { 1.1 }
    }

    /// Width of `text` in CSS px.
    pub fn width(self, text: &str) -> f64 {
        ems(text) * self.px() * self.weight()
    }
}

impl Shown {
    /// The class of the style sheet.
    pub fn class(self) -> &'static str {
        match self {
            Self::Always => "",
            Self::Wide => "hr-odd",
            Self::Narrow => "hr-even",
            Self::Roomy => "hr-roomy",
        }
    }
}

/// Width of `text` in units of its font size.
pub fn ems(text: &str) -> f64 {
    text.chars().map(em).sum()
}

fn em(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | '’' => 0.29,
        ' ' | '\u{a0}' | 'f' | 'r' | 't' | 'I' | '(' | ')' | '/' | '-' => 0.38,
        'm' | 'w' | 'M' | 'W' | '%' | '→' | '…' => 0.92,
        '0'..='9' | '×' | '<' | '>' | '≤' | '=' | '+' => 0.64,
        'A'..='Z' => 0.72,
        _ => 0.59,
    }
}

/// A label of a chart in percent of the width.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// What it says.
    pub text: String,
    /// Where its anchor is.
    pub at: At,
    /// Shift from the anchor in CSS px.
    pub dx: f64,
    /// Baseline in CSS px from the top.
    pub y: f64,
    /// Which end sits at the anchor.
    pub anchor: Anchor,
    /// Weight and color.
    pub tone: Tone,
    /// At which widths it is shown.
    pub shown: Shown,
}

impl Label {
    /// A quiet label centered at `at`.
    pub fn new(text: impl Into<String>, at: At, y: f64) -> Self {
        Self {
            text: text.into(),
            at,
            dx: 0.0,
            y,
            anchor: Anchor::Middle,
            tone: Tone::Quiet,
            shown: Shown::Always,
        }
    }

    /// A label that says nothing: it keeps the place of one that may be needed after the next keystroke.
    /// Words in an element cost less than an element that comes and goes.
    pub fn blank() -> Self {
        Self::new("", At::START, 0.0)
    }

    /// Whether it says nothing.
    pub fn is_blank(&self) -> bool {
        self.text.is_empty()
    }

    /// The same label hanging from another end, shifted by `dx`.
    #[must_use]
    pub fn hang(self, anchor: Anchor, dx: f64) -> Self {
        // A tenth of a pixel is more than anyone sees, and it is short to write.
        let dx = (dx * 10.0).round() / 10.0;
        Self { dx, anchor, ..self }
    }

    /// The same label in another tone.
    #[must_use]
    pub fn tone(self, tone: Tone) -> Self {
        Self { tone, ..self }
    }

    /// Left and right edge in CSS px when the plot is `width` wide.
    pub fn span(&self, width: f64) -> (f64, f64) {
        self.anchor.span(self.at.px(width) + self.dx, self.tone.width(&self.text))
    }

    /// All class names.
    pub fn class(&self) -> String {
        classes(&[self.anchor.class(), self.tone.class(), self.shown.class()])
    }
}

/// Class names with single spaces between, empty ones left out.
pub(super) fn classes(names: &[&str]) -> String {
    let mut all = String::new();
    for name in names.iter().filter(|name| !name.is_empty()) {
        if !all.is_empty() {
            all.push(' ');
        }
        all.push_str(name);
    }
    all
}

/// A rectangle in CSS px.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    /// Left edge.
    pub left: f64,
    /// Top edge.
    pub top: f64,
    /// Right edge.
    pub right: f64,
    /// Bottom edge.
    pub bottom: f64,
}

impl Area {
    /// Whether the two share a point.
    pub fn touches(&self, other: &Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    /// Whether `other` lies in it.
    pub fn holds(&self, other: &Self) -> bool {
        self.left <= other.left
            && other.right <= self.right
            && self.top <= other.top
            && other.bottom <= self.bottom
    }

    /// Whether the line between two points passes through it, checked at small steps.
    pub fn is_crossed(&self, from: (f64, f64), to: (f64, f64)) -> bool {
        let (x, y) = ((from.0.min(to.0), from.0.max(to.0)), (from.1.min(to.1), from.1.max(to.1)));
        if x.1 <= self.left || x.0 >= self.right || y.1 <= self.top || y.0 >= self.bottom {
            return false;
        }
        let n = ((to.0 - from.0).abs().max((to.1 - from.1).abs()) / 2.0).ceil().clamp(1.0, 1000.0);
        let mut k = 0.0;
        while k <= n {
            let x = from.0 + (to.0 - from.0) * k / n;
            let y = from.1 + (to.1 - from.1) * k / n;
            if x > self.left && x < self.right && y > self.top && y < self.bottom {
                return true;
            }
            k += 1.0;
        }
        false
    }
}
