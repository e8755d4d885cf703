//! A share as a fraction of whole numbers.

use super::MOST;
use super::model::Fraction;

/// A share of 0 to 1, in hundredths where they say it, else as the first of its continued fractions
/// that is it within the precision of a float, or the last that fits the fields.
///
/// 20% is 20/100; a third, which an overhead of 50% leads to, is 1/3.
pub fn of(share: f64) -> Fraction {
    const CLOSE: f64 = 1e-15;
    let hundredths = (100.0 * share).round();
    if (hundredths / 100.0 - share).abs() <= CLOSE {
        return Fraction { numerator: whole(hundredths), denominator: 100 };
    }
    let (mut before, mut last) = ((1.0, 0.0), (0.0, 1.0));
    let mut rest = share;
    while (last.0 / last.1 - share).abs() > CLOSE && rest > 0.0 {
        let inverse = 1.0 / rest;
        let next = (inverse.floor() * last.0 + before.0, inverse.floor() * last.1 + before.1);
        if next.1 > f64::from(MOST) {
            break;
        }
        (before, last) = (last, next);
        rest = inverse - inverse.floor();
    }
    Fraction { numerator: whole(last.0), denominator: whole(last.1) }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole, and at most 2^31")]
fn whole(number: f64) -> u32 {
    number as u32
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn shares_are_short_where_they_can_be() {
        for (share, numerator, denominator) in [
            (0.0, 0, 100),
            // 25% and 100% on top.
            (0.25 / 1.25, 20, 100),
            (0.5, 50, 100),
            // 50%, 15% and one in a million on top.
            (0.5 / 1.5, 1, 3),
            (0.15 / 1.15, 3, 23),
            (1e-6 / 1.000_001, 1, 1_000_001),
        ] {
            let fraction = of(share);
            assert_eq!((fraction.numerator, fraction.denominator), (numerator, denominator), "{share}");
        }
    }

    #[test]
    fn every_share_is_exact() {
        for n in 1..=1000_u32 {
            let overhead = f64::from(n) / 1000.0 * 0.999_371;
            let share = overhead / (1.0 + overhead);
            let fraction = of(share);
            let error = (f64::from(fraction.numerator) / f64::from(fraction.denominator) - share).abs();
            assert!(error <= 1e-15 && fraction.numerator <= fraction.denominator, "{share}: {fraction:?}");
        }
    }
}
