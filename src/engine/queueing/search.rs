//! Searching a monotone law for the size or the load that meets a target.

use super::{LARGEST, whole};

/// The smallest `x` for which `holds`, given that it holds from some `x` on.
///
/// Steps double from `start` until they bracket the change, then the bracket is halved; with a
/// start within a few `step`s that is about `log2(step)` evaluations. `u64::MAX` if it does not
/// hold up to 2⁵².
pub(super) fn first(start: u64, step: u64, holds: impl Fn(u64) -> bool) -> u64 {
    let step = step.max(1);
    let bracket =
        if holds(start) { Some(bracket_down(start, step, &holds)) } else { bracket_up(start, step, &holds) };
    let Some((mut lowest, mut held)) = bracket else {
        return u64::MAX;
    };
    while held > lowest {
        let middle = lowest + (held - lowest) / 2;
        if holds(middle) {
            held = middle;
        } else {
            lowest = middle + 1;
        }
    }
    held
}

/// The smallest candidate and one that holds, at or below `start`.
fn bracket_down(start: u64, mut step: u64, holds: &impl Fn(u64) -> bool) -> (u64, u64) {
    let mut held = start;
    while held > 0 {
        let lower = held.saturating_sub(step);
        if !holds(lower) {
            return (lower + 1, held);
        }
        held = lower;
        step = step.saturating_mul(2);
    }
    (0, 0)
}

/// The smallest candidate and one that holds, above `start`.
fn bracket_up(start: u64, mut step: u64, holds: &impl Fn(u64) -> bool) -> Option<(u64, u64)> {
    let mut failed = start;
    while failed < whole(LARGEST) {
        let higher = failed.saturating_add(step).min(whole(LARGEST));
        if holds(higher) {
            return Some((failed + 1, higher));
        }
        failed = higher;
        step = step.saturating_mul(2);
    }
    None
}

/// Far more than Newton's method takes; halving alone needs about 60.
const MOST_STEPS: u32 = 200;

/// Steps below this, on a logarithmic scale, change the 13th digit.
const CONVERGED: f64 = 1e-13;

/// The root of an increasing function in `[lo, hi]`: Newton's method, with halving where a step
/// would leave the bracket. `at` returns value and slope.
pub(super) fn root(mut lo: f64, mut hi: f64, at: impl Fn(f64) -> (f64, f64)) -> f64 {
    let mut x = 0.5 * (lo + hi);
    for _ in 0..MOST_STEPS {
        let (value, slope) = at(x);
        if value <= 0.0 {
            lo = x;
        } else {
            hi = x;
        }
        let newton = x - value / slope;
        // Also when the step is not a number, where the value underflows.
        let inside = newton >= lo && newton <= hi;
        let next = if inside { newton } else { 0.5 * (lo + hi) };
        if (next - x).abs() <= CONVERGED {
            return next;
        }
        x = next;
    }
    x
}
