//! Positions on an axis, and where an axis should end.

use crate::engine::units::display;
use crate::markup::{Html, Piece};
use std::fmt;

/// A position along the plot, in percent of its width: `37.50%`.
///
/// Always a number from 0 to 100, so that no attribute can ever carry `NaN`.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct At(f64);

impl At {
    /// The left end.
    pub const START: Self = Self(0.0);
    /// The right end.
    pub const END: Self = Self(100.0);

    /// The position of `value` on a linear axis from 0 to `end`; what lies outside goes to the
    /// nearer end.
    ///
    /// ```
    /// use headroom::chart::scale::At;
    ///
    /// assert_eq!(At::linear(4.5, 12.0).to_string(), "37.50%");
    /// assert_eq!(At::linear(f64::NAN, 12.0), At::START);
    /// ```
    pub fn linear(value: f64, end: f64) -> Self {
        Self::fraction(value / end)
    }

    /// The position of `multiple` on a logarithmic axis from 1 to `end`.
    ///
    /// ```
    /// use headroom::chart::scale::At;
    ///
    /// assert_eq!(At::log(1.0, 100.0), At::START);
    /// assert_eq!(At::log(10.0, 100.0).to_string(), "50.00%");
    /// ```
    pub fn log(multiple: f64, end: f64) -> Self {
        Self::fraction(multiple.max(1.0).ln() / end.ln())
    }

    /// Halfway between two positions.
    #[must_use]
    pub fn middle(self, other: Self) -> Self {
        Self(f64::midpoint(self.0, other.0))
    }

    /// The position in percent.
    pub fn percent(self) -> f64 {
        self.0
    }

    /// The position in pixels of a plot that is `width` wide.
    pub fn px(self, width: f64) -> f64 {
        self.0 / 100.0 * width
    }

    fn fraction(fraction: f64) -> Self {
        if fraction.is_nan() { Self::START } else { Self((fraction * 100.0).clamp(0.0, 100.0)) }
    }
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hundredths = self.hundredths();
        write!(f, "{}.{:02}%", hundredths / 100, hundredths % 100)
    }
}

impl At {
    fn hundredths(self) -> u32 {
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a position is a number from 0 to 100"
        )]
        let hundredths = (self.0 * 100.0).round() as u32;
        hundredths
    }
}

impl Piece for At {
    fn write(&self, out: &mut Html) {
        // By hand: formatting costs several times as much, and a chart has hundreds.
        out.hundredths(self.hundredths());
        out.raw("%");
    }
}

/// A linear axis from 0 that ends on a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    /// Value at the right end.
    pub end: f64,
    /// Distance between ticks.
    pub step: f64,
}

/// Ends that can be read at a glance, with their step, in one decade.
const ENDS: [(f64, f64); 10] = [
    (1.0, 0.2),
    (1.2, 0.2),
    (1.6, 0.4),
    (2.0, 0.5),
    (2.5, 0.5),
    (3.0, 0.5),
    (4.0, 1.0),
    (5.0, 1.0),
    (6.0, 1.0),
    (8.0, 2.0),
];

impl Axis {
    /// The shortest readable axis for whole numbers that reaches `value`.
    ///
    /// ```
    /// use headroom::chart::scale::Axis;
    ///
    /// assert_eq!(Axis::reaching(11.2), Axis { end: 12.0, step: 2.0 });
    /// assert_eq!(Axis::reaching(67.2), Axis { end: 80.0, step: 20.0 });
    /// assert_eq!(Axis::reaching(1.6), Axis { end: 2.0, step: 1.0 });
    /// ```
    pub fn reaching(value: f64) -> Self {
        let value = if value.is_finite() { value.max(1.0) } else { 1.0 };
        // Single figures count one by one, whatever the table says.
        if value <= 8.0 {
            return Self { end: value.ceil(), step: 1.0 };
        }
        let decade = 10f64.powi(decade_of(value));
        let (end, step) = ENDS.into_iter().find(|(end, _)| end * decade >= value).unwrap_or((10.0, 2.0));
        // Twelve, sixteen and twenty-five in steps that are whole numbers.
        Self { end: (end * decade).round(), step: (step * decade).round().max(1.0) }
    }

    /// The ticks from 0 to the end.
    pub fn ticks(self) -> impl Iterator<Item = f64> {
        let n = (self.end / self.step).round();
        let mut k = -1.0;
        std::iter::from_fn(move || {
            k += 1.0;
            (k <= n).then_some(k * self.step)
        })
    }
}

/// A step that divides `span` into at most `most` parts: 1, 2 or 5 times a power of ten.
pub fn readable_step(span: f64, most: f64) -> f64 {
    let raw = span / most;
    if !(raw.is_finite() && raw > 0.0) {
        return 1.0;
    }
    let decade = 10f64.powi(decade_of(raw));
    // A quotient a hair above the step, from rounding, must not double the step.
    [1.0, 2.0, 5.0].into_iter().find(|m| m * decade >= raw * (1.0 - 1e-9)).unwrap_or(10.0) * decade
}

/// The end of a logarithmic axis of multiples: 5, 10, 20, 50, … not below `value`.
pub fn log_end(value: f64) -> f64 {
    let value = if value.is_finite() { value.max(5.0) } else { 5.0 };
    let decade = 10f64.powi(decade_of(value));
    [1.0, 2.0, 5.0, 10.0].into_iter().find(|m| m * decade >= value).unwrap_or(10.0) * decade
}

fn decade_of(value: f64) -> i32 {
    #[allow(clippy::cast_possible_truncation, reason = "a logarithm of a finite number is below 400")]
    let decade = value.log10().floor() as i32;
    decade
}

/// A count short enough for a tick: exact below a million, then `12M`, `4.3bn`, `4,300tn`.
///
/// ```
/// use headroom::chart::scale::short;
///
/// assert_eq!(short(999_999.0), "999,999");
/// assert_eq!(short(12_000_000.0), "12M");
/// assert_eq!(short(4_294_967_295.0), "4.29bn");
/// ```
pub fn short(value: f64) -> String {
    let (divisor, unit) = match value.abs() {
        v if v < 999_999.5 => return display::number(value),
        v if v < 999.5e6 => (1e6, "M"),
        v if v < 999.5e9 => (1e9, "bn"),
        _ => (1e12, "tn"),
    };
    format!("{}{unit}", display::significant(value / divisor, 3))
}
