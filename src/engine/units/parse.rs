//! Numbers as people write them.
//!
//! Understood: `500`, `1,200`, `1_200`, `1 200`, `2k`, `1.5M`, `3e4`, `250ms`, `1.5s`, `2m`, `1h`,
//! `99.9%`, and the unit itself behind a number (`500 req/s`, `500 rps`, `×2`, `2x`).
//! Not understood, on purpose: a comma as decimal sign. `1,5` would be 15 in one country and 1.5
//! in another, so it is refused rather than guessed. Commas, spaces and underscores are understood
//! only between groups of three digits: `1 2 3` is three numbers, not one.

use super::decimal;
use crate::engine::params::Unit;

/// Why a text is not a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotANumber {
    /// The text is something else altogether.
    Unreadable,
    /// The comma is not between groups of three digits, so it may be a decimal sign.
    AmbiguousComma,
    /// The number is readable, but its suffix belongs to another unit.
    ForeignUnit,
}

/// Reads `text` as a number in `unit`.
///
/// # Errors
///
/// [`NotANumber`] with the reason; infinities and NaN are unreadable.
///
/// # Examples
///
/// ```
/// use headroom::engine::params::Unit;
/// use headroom::engine::units::parse::{NotANumber, number};
///
/// assert_eq!(number("1.5s", Unit::Ms), Ok(1500.0));
/// assert_eq!(number("2k", Unit::PerSecond), Ok(2000.0));
/// assert_eq!(number("1,200", Unit::Count), Ok(1200.0));
/// assert_eq!(number("0.01%", Unit::Share), Ok(0.0001));
/// assert_eq!(number("1,5", Unit::Times), Err(NotANumber::AmbiguousComma));
/// assert_eq!(number("500/s", Unit::Ms), Err(NotANumber::ForeignUnit));
/// ```
pub fn number(text: &str, unit: Unit) -> Result<f64, NotANumber> {
    let text = text.trim().trim_start_matches('×').trim_start();
    let end =
        text.char_indices().find(|&(at, c)| !belongs_to_digits(text, at, c)).map_or(text.len(), |(at, _)| at);
    let (digits, suffix) = text.split_at(end);
    let factor = factor(suffix.trim(), unit)?;
    let value = plain(digits.trim_end(), factor.ten_to)? * factor.times;
    if value.is_finite() { Ok(value) } else { Err(NotANumber::Unreadable) }
}

/// What may stand between groups of three digits: comma, underscore, space, no-break spaces.
const SEPARATORS: [char; 5] = [',', '_', ' ', '\u{a0}', '\u{202f}'];

/// Digits, signs, separators, and the `e` of an exponent.
fn belongs_to_digits(text: &str, at: usize, c: char) -> bool {
    if c.is_ascii_digit() || c == '.' || SEPARATORS.contains(&c) {
        return true;
    }
    let before = text[..at].chars().next_back();
    let after = text[at + c.len_utf8()..].chars().next();
    match c {
        '-' | '+' => before.is_none_or(|b| matches!(b, 'e' | 'E')),
        'e' | 'E' => {
            before.is_some_and(|b| b.is_ascii_digit() || b == '.')
                && after.is_some_and(|a| a.is_ascii_digit() || matches!(a, '-' | '+'))
        }
        _ => false,
    }
}

/// The number times ten to the power `ten_to`, exact: the text's own point is shifted, because a
/// product with 0.01 would make 99.9% something else than 0.999.
fn plain(digits: &str, ten_to: i32) -> Result<f64, NotANumber> {
    if digits.contains(SEPARATORS) && !has_groups(digits) {
        let is_comma = digits.contains(',');
        return Err(if is_comma { NotANumber::AmbiguousComma } else { NotANumber::Unreadable });
    }
    let bare: String = digits.chars().filter(|c| !SEPARATORS.contains(c)).collect();
    let (mantissa, exponent) = bare.split_once(['e', 'E']).unwrap_or((&bare, "0"));
    let exponent: i32 = exponent.parse().map_err(|_| NotANumber::Unreadable)?;
    let exponent = exponent.checked_add(ten_to).filter(|e| e.abs() < 1000).ok_or(NotANumber::Unreadable)?;
    decimal::value(mantissa, exponent).ok_or(NotANumber::Unreadable)
}

/// Whether every separator stands between groups of three digits, and all are the same:
/// `1,200`, `1 234 567.5`.
fn has_groups(digits: &str) -> bool {
    let Some(separator) = digits.chars().find(|c| SEPARATORS.contains(c)) else { return true };
    let whole = digits.split(['.', 'e', 'E']).next().unwrap_or_default();
    let mut groups = whole.trim_start_matches(['-', '+']).split(separator);
    let first_fits = groups.next().is_some_and(|first| (1..=3).contains(&first.len()) && all_digits(first));
    let n_separators = |text: &str| text.matches(SEPARATORS).count();
    let outside = n_separators(digits) != n_separators(whole);
    first_fits && !outside && groups.all(|group| group.len() == 3 && all_digits(group))
}

fn all_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// What a suffix multiplies by: a power of ten, and the sixties of minutes and hours.
#[derive(Clone, Copy)]
struct Factor {
    ten_to: i32,
    times: f64,
}

const fn ten_to(ten_to: i32) -> Factor {
    Factor { ten_to, times: 1.0 }
}

fn factor(suffix: &str, unit: Unit) -> Result<Factor, NotANumber> {
    let found = match unit {
        _ if suffix.is_empty() => Some(ten_to(0)),
        Unit::Ms => seconds(suffix).map(|f| Factor { ten_to: f.ten_to + 3, ..f }),
        Unit::S => seconds(suffix),
        Unit::Share => (suffix == "%").then_some(ten_to(-2)),
        Unit::Times => matches!(suffix, "x" | "X" | "×").then_some(ten_to(0)),
        Unit::PerSecond => magnitude(strip_rate(suffix)),
        Unit::Count | Unit::None => magnitude(suffix),
    };
    found.ok_or_else(|| if is_known(suffix) { NotANumber::ForeignUnit } else { NotANumber::Unreadable })
}

/// A unit of time in seconds.
fn seconds(suffix: &str) -> Option<Factor> {
    match suffix {
        "us" | "µs" | "μs" => Some(ten_to(-6)),
        "ms" => Some(ten_to(-3)),
        "s" | "sec" | "seconds" => Some(ten_to(0)),
        "m" | "min" => Some(Factor { ten_to: 0, times: 60.0 }),
        "h" => Some(Factor { ten_to: 0, times: 3600.0 }),
        "d" => Some(Factor { ten_to: 0, times: 86_400.0 }),
        _ => None,
    }
}

fn magnitude(suffix: &str) -> Option<Factor> {
    match suffix {
        "" => Some(ten_to(0)),
        "k" | "K" => Some(ten_to(3)),
        "M" => Some(ten_to(6)),
        "G" => Some(ten_to(9)),
        _ => None,
    }
}

fn strip_rate(suffix: &str) -> &str {
    ["requests/s", "req/s", "rps", "qps", "/s"]
        .iter()
        .find_map(|unit| suffix.strip_suffix(unit))
        .unwrap_or(suffix)
        .trim_end()
}

fn is_known(suffix: &str) -> bool {
    seconds(suffix).is_some()
        || magnitude(strip_rate(suffix)).is_some()
        || matches!(suffix, "%" | "x" | "X" | "×")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, unit: Unit, expected: Result<f64, NotANumber>) {
        assert_eq!(number(text, unit), expected, "{text:?} as {unit:?}");
    }

    #[test]
    fn reads_what_people_write() {
        check("500", Unit::PerSecond, Ok(500.0));
        check(" 500 req/s ", Unit::PerSecond, Ok(500.0));
        check("500/s", Unit::PerSecond, Ok(500.0));
        check("20k rps", Unit::PerSecond, Ok(20_000.0));
        check("1,234,567.5", Unit::Count, Ok(1_234_567.5));
        check("1 200", Unit::Count, Ok(1200.0));
        check("1_200", Unit::Count, Ok(1200.0));
        check("1e-4", Unit::Share, Ok(1e-4));
        check("99.9%", Unit::Share, Ok(0.999));
        check("250ms", Unit::Ms, Ok(250.0));
        check("250ms", Unit::S, Ok(0.25));
        check("2m", Unit::S, Ok(120.0));
        check("500us", Unit::Ms, Ok(0.5));
        check("×2", Unit::Times, Ok(2.0));
        check("2x", Unit::Times, Ok(2.0));
        check("-3", Unit::Count, Ok(-3.0));
        check(".5", Unit::Share, Ok(0.5));
        check("5.", Unit::Share, Ok(5.0));
    }

    #[test]
    fn separators_stand_between_groups_of_three_digits() {
        for text in ["1 200", "1_200", "1\u{a0}200", "1\u{202f}200", "+1 200", " 1 200 "] {
            check(text, Unit::Count, Ok(1200.0));
        }
        check("1_234_567.5", Unit::Count, Ok(1_234_567.5));
        check("20 000 req/s", Unit::PerSecond, Ok(20_000.0));
        check("1 000 ms", Unit::Ms, Ok(1000.0));
        for text in ["1 2 3", "1__2", "_1", "1_", "1 20", "1200 300", "1.5 000", "1_000 000", "- 5", "1 e3"] {
            check(text, Unit::Count, Err(NotANumber::Unreadable));
        }
        check("1,200 300", Unit::Count, Err(NotANumber::AmbiguousComma));
    }

    #[test]
    fn refuses_what_it_would_have_to_guess() {
        check("1,5", Unit::Times, Err(NotANumber::AmbiguousComma));
        check("1.200,5", Unit::Count, Err(NotANumber::AmbiguousComma));
        check("12,34,567", Unit::Count, Err(NotANumber::AmbiguousComma));
        check("2k", Unit::Ms, Err(NotANumber::ForeignUnit));
        check("5%", Unit::Ms, Err(NotANumber::ForeignUnit));
        check("5ms", Unit::PerSecond, Err(NotANumber::ForeignUnit));
        for text in ["", " ", "abc", "inf", "NaN", "1e999", "--5", "5 apples", "0x10", "1..2", "e5", "١٢"] {
            check(text, Unit::Count, Err(NotANumber::Unreadable));
        }
    }
}
