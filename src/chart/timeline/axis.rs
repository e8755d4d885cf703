//! The axis of the quantity: linear from 0, few ticks, readable ends.

use crate::chart::scale::{readable_step, short};
use crate::engine::units::display;

/// Most steps of an axis: a chart is not high.
const STEPS: f64 = 4.0;

/// A linear axis from 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Scale {
    /// Value at the top.
    pub end: f64,
    /// Values at the grid lines with their names, from the bottom.
    pub ticks: Vec<(f64, String)>,
}

impl Scale {
    /// All of a share.
    pub fn whole_share() -> Self {
        Self::of(1.0, 0.25, percent)
    }

    /// A share up to `most`, at least 1%.
    ///
    /// ```
    /// use headroom::chart::timeline::Scale;
    ///
    /// assert_eq!(Scale::share(0.21).end, 0.3);
    /// assert_eq!(Scale::share(0.0).ticks.last().unwrap().1, "1%");
    /// assert_eq!(Scale::share(2.0).end, 1.0);
    /// ```
    pub fn share(most: f64) -> Self {
        let most = if most.is_finite() { most.clamp(0.01, 1.0) } else { 1.0 };
        if most > 0.8 { Self::whole_share() } else { Self::reaching(most, percent) }
    }

    /// A number of things up to `most`, at least 1.
    pub fn count(most: f64) -> Self {
        let most = if most.is_finite() { most.max(1.0) } else { 1.0 };
        Self::reaching(most, short)
    }

    /// A number that may be small.
    pub fn number(most: f64) -> Self {
        let most = if most.is_finite() { most.max(0.01) } else { 1.0 };
        Self::reaching(most, short)
    }

    /// Milliseconds up to `most`, at least 1.
    pub fn millis(most: f64) -> Self {
        let most = if most.is_finite() { most.max(1.0) } else { 1.0 };
        Self::reaching(most, |ms| display::number(display::round_to(ms, 3)))
    }

    fn reaching(most: f64, name: fn(f64) -> String) -> Self {
        let step = readable_step(most, STEPS);
        let n = (most / step * (1.0 - 1e-9)).ceil().max(1.0);
        // The product of a step and a small whole number is not always the shortest number.
        Self::of(display::round_to(step * n, 6), step, name)
    }

    fn of(end: f64, step: f64, name: fn(f64) -> String) -> Self {
        let n = (end / step).round();
        let mut ticks = Vec::new();
        let mut k = 0.0;
        while k <= n {
            let value = if k > 0.0 { display::round_to(k * step, 6) } else { 0.0 };
            ticks.push((value, name(value)));
            k += 1.0;
        }
        Self { end, ticks }
    }

    /// The place of a value, 0 at the bottom and 1 at the top.
    pub fn fraction(&self, value: f64) -> f64 {
        let fraction = value / self.end;
        if fraction.is_nan() { 0.0 } else { fraction.clamp(0.0, 1.0) }
    }
}

fn percent(share: f64) -> String {
    format!("{}%", display::number(display::round_to(share * 100.0, 6)))
}

/// Seconds at the ticks of the time axis, at most `most` steps.
pub fn times(duration: f64, most: f64) -> Vec<f64> {
    let step = time_step(duration, most);
    let mut ticks = vec![0.0];
    let mut at = step;
    // A tick right at the end belongs there in spite of rounding.
    while at <= duration * (1.0 + 1e-9) && ticks.len() < 100 {
        ticks.push(at);
        at += step;
    }
    ticks
}

/// Steps people count time in.
fn time_step(duration: f64, most: f64) -> f64 {
    const CLOCK: [f64; 8] = [15.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1800.0, 3600.0];
    let step = readable_step(duration, most);
    if step <= 10.0 {
        return step;
    }
    CLOCK.into_iter().find(|s| duration / s <= most).unwrap_or(step)
}
