//! Numbers as page, YAML comments and command line write them: one spelling everywhere.
//!
//! Thousands are grouped with a comma; a no-break space stands between a number and its unit;
//! shares have two significant digits; headroom is rounded down, because rounding it up would
//! promise room that is not there.

use super::digits::{Look, decade, decimal};
use super::{Millis, Rate, Share};

/// No-break space: a number and its unit stay on one line.
pub const NBSP: char = '\u{a0}';

/// A whole number with grouped thousands: `1,024`.
///
/// ```
/// use headroom::engine::units::display::count;
///
/// assert_eq!(count(1024.0), "1,024");
/// assert_eq!(count(999.0), "999");
/// assert_eq!(count(4_294_967_295.0), "4,294,967,295");
/// ```
pub fn count(value: f64) -> String {
    decimal(value, 0, Look { is_grouped: true, is_trimmed: false })
}

/// A number with up to three significant digits, or all its whole digits: `0.356`, `9`, `1,913`.
///
/// ```
/// use headroom::engine::units::display::number;
///
/// assert_eq!(number(0.35557), "0.356");
/// assert_eq!(number(9.0), "9");
/// assert_eq!(number(39.508), "39.5");
/// assert_eq!(number(1913.4), "1,913");
/// assert_eq!(number(0.00002), "0.00002");
/// ```
pub fn number(value: f64) -> String {
    significant(value, 3)
}

/// A number rounded to `digits` significant digits, never in scientific notation, trailing zeros
/// dropped; whole digits are always kept.
pub fn significant(value: f64, digits: i32) -> String {
    if value == 0.0 || !value.is_finite() {
        return if value == 0.0 { "0".to_owned() } else { "∞".to_owned() };
    }
    let exponent = decade(value);
    let decimals = usize::try_from(digits - 1 - exponent).unwrap_or(0).min(20);
    decimal(value, decimals, Look { is_grouped: true, is_trimmed: true })
}

/// A number as a person would type it back: exact, ungrouped, shortest.
///
/// ```
/// use headroom::engine::units::display::input;
///
/// assert_eq!(input(20000.0), "20000");
/// assert_eq!(input(0.0001), "0.0001");
/// ```
pub fn input(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e12 {
        return decimal(value, 0, Look::default());
    }
    format!("{value}")
}

/// A share in percent, two significant digits: `4.5%`, `0.0033%`.
///
/// ```
/// use headroom::engine::units::Share;
/// use headroom::engine::units::display::share;
///
/// assert_eq!(share(Share(0.045)), "4.5%");
/// assert_eq!(share(Share(0.0000333)), "0.0033%");
/// assert_eq!(share(Share(0.0)), "0%");
/// assert_eq!(share(Share(1e-12)), "< 0.0000001%");
/// ```
pub fn share(share: Share) -> String {
    let percent = share.percent().0;
    if percent > 0.0 && percent < 1e-7 {
        return "< 0.0000001%".to_owned();
    }
    // Near one, two digits would round everything to 100%.
    let digits = if percent > 99.0 && percent < 100.0 { 4 } else { 2 };
    format!("{}%", significant(percent, digits))
}

/// A small share as odds: `1 in 30,000`; two significant digits.
///
/// ```
/// use headroom::engine::units::Share;
/// use headroom::engine::units::display::one_in;
///
/// assert_eq!(one_in(Share(0.0000333)), "1 in 30,000");
/// assert_eq!(one_in(Share(1e-7)), "1 in 10 million");
/// assert_eq!(one_in(Share(0.0)), "none");
/// ```
pub fn one_in(share: Share) -> String {
    if share.0 <= 0.0 {
        return "none".to_owned();
    }
    let odds = round_to(1.0 / share.0, 2);
    if odds >= 1e12 {
        "fewer than 1 in a trillion".to_owned()
    } else if odds >= 1e9 {
        format!("1 in {} billion", significant(odds / 1e9, 2))
    } else if odds >= 1e6 {
        format!("1 in {} million", significant(odds / 1e6, 2))
    } else {
        format!("1 in {}", significant(odds, 2))
    }
}

/// A duration: `35 ms`, `1,000 ms`, from ten seconds on `60 s`, from ten minutes on `20 min`, from
/// three hours on `5 h`.
///
/// ```
/// use headroom::engine::units::Millis;
/// use headroom::engine::units::display::millis;
///
/// assert_eq!(millis(Millis(35.0)), "35\u{a0}ms");
/// assert_eq!(millis(Millis(1000.0)), "1,000\u{a0}ms");
/// assert_eq!(millis(Millis(60_000.0)), "60\u{a0}s");
/// ```
pub fn millis(duration: Millis) -> String {
    let ms = duration.0;
    let (value, unit) = if ms < 10_000.0 {
        (ms, "ms")
    } else if ms < 600_000.0 {
        (ms / 1000.0, "s")
    } else if ms < 3.0 * 3_600_000.0 {
        (ms / 60_000.0, "min")
    } else {
        (ms / 3_600_000.0, "h")
    };
    format!("{}{NBSP}{unit}", number(value))
}

/// The same for times of seconds that nobody has set to the millisecond.
///
/// ```
/// use headroom::engine::units::Millis;
/// use headroom::engine::units::display::duration;
///
/// assert_eq!(duration(Millis(7200.0)), "7.2\u{a0}s");
/// assert_eq!(duration(Millis(320.0)), "320\u{a0}ms");
/// assert_eq!(duration(Millis(12_000.0)), "12\u{a0}s");
/// ```
pub fn duration(ms: Millis) -> String {
    if ms.0 >= 1000.0 && ms.0 < 10_000.0 {
        return format!("{}{NBSP}s", significant(ms.as_secs(), 2));
    }
    millis(ms)
}

/// An amount of memory, in the unit it is round in: `32 KiB`, `1 MiB`, `4 MB`, `2 GB`.
///
/// ```
/// use headroom::engine::units::display::bytes;
///
/// assert_eq!(bytes(1_048_576.0), "1\u{a0}MiB");
/// assert_eq!(bytes(32_768.0), "32\u{a0}KiB");
/// assert_eq!(bytes(4_000_000.0 * 500.0), "2\u{a0}GB");
/// assert_eq!(bytes(100.0), "100\u{a0}B");
/// ```
pub fn bytes(amount: f64) -> String {
    let binary = scaled(amount, 1024.0, ["B", "KiB", "MiB", "GiB", "TiB"]);
    let decimal = scaled(amount, 1000.0, ["B", "kB", "MB", "GB", "TB"]);
    let exact = |(value, _): (f64, &str)| round_to(value, 3).to_bits() == value.to_bits();
    let use_binary = exact(binary) || !exact(decimal) && amount % 1024.0 == 0.0;
    let (value, unit) = if use_binary { binary } else { decimal };
    format!("{}{NBSP}{unit}", number(value))
}

/// In the largest unit of which there is at least one.
fn scaled(amount: f64, base: f64, units: [&str; 5]) -> (f64, &str) {
    let (mut value, mut at) = (amount, 0);
    while value >= base && at + 1 < units.len() {
        value /= base;
        at += 1;
    }
    (value, units[at])
}

/// A rate: `9 req/s`, `1,913 req/s`.
pub fn rate(rate: Rate) -> String {
    format!("{}{NBSP}req/s", number(rate.0))
}

/// Headroom as a multiple, rounded down to three significant digits: `×1.27`.
///
/// ```
/// use headroom::engine::units::display::multiple;
///
/// assert_eq!(multiple(1.279), "×1.27");
/// assert_eq!(multiple(19.99), "×19.9");
/// assert_eq!(multiple(1.0), "×1.00");
/// ```
pub fn multiple(value: f64) -> String {
    if value >= 100.0 {
        return factor(value.floor());
    }
    let scale = if value < 10.0 { 100.0 } else { 10.0 };
    // Values such as 1.27 are not exact in binary; without this a true 1.27 prints as 1.26.
    factor((value * scale * (1.0 + 4.0 * f64::EPSILON)).floor() / scale)
}

/// A factor on the load, with three significant digits, rounded as [`number`] rounds: `×1.36`.
///
/// ```
/// use headroom::engine::units::display::factor;
///
/// assert_eq!(factor(1.3556), "×1.36");
/// assert_eq!(factor(2.0), "×2.00");
/// ```
pub fn factor(value: f64) -> String {
    if !value.is_finite() {
        return "×∞".to_owned();
    }
    if value >= 100.0 {
        return format!("×{}", count(value));
    }
    format!("×{}", decimal(value, if value < 10.0 { 2 } else { 1 }, Look::default()))
}

/// A small whole number in words up to twelve, then in digits: for sentences.
pub fn words(value: u32) -> String {
    const WORDS: [&str; 13] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    usize::try_from(value)
        .ok()
        .and_then(|at| WORDS.get(at))
        .map_or_else(|| count(f64::from(value)), |word| (*word).to_owned())
}

/// `1 proxy`, `100 proxies`: the count with the right form of the noun.
pub fn plural(n: f64, one: &str, many: &str) -> String {
    // What is read decides: 1.0001 prints as 1.
    let shown = number(n);
    format!("{shown} {}", if shown == "1" { one } else { many })
}

/// A value of the analysis with its unit, in the form for one where it reads as one:
/// `1 request in flight`, `20%`, `60 s`.
///
/// Units are those of the account of numbers; times and shares are written as everywhere else.
///
/// ```
/// use headroom::engine::units::display::quantity;
///
/// assert_eq!(quantity(1.0, "requests in flight"), "1\u{a0}request in flight");
/// assert_eq!(quantity(2.0, "retries"), "2\u{a0}retries");
/// assert_eq!(quantity(1.0, "retries"), "1\u{a0}retry");
/// assert_eq!(quantity(60_000.0, "ms"), "60\u{a0}s");
/// assert_eq!(quantity(0.000_033, "share"), "0.0033%");
/// assert_eq!(quantity(20.0, "%"), "20%");
/// assert_eq!(quantity(1.0, "req/s"), "1\u{a0}req/s");
/// ```
pub fn quantity(value: f64, unit: &str) -> String {
    let shown = number(value);
    match unit {
        "ms" => millis(Millis(value)),
        "share" => self::share(Share(value)),
        "" => shown,
        "%" => format!("{shown}%"),
        "×" => format!("×{shown}"),
        _ if shown == "1" => format!("{shown}{NBSP}{}", singular(unit)),
        _ => format!("{shown}{NBSP}{unit}"),
    }
}

/// The unit of one: the first word of ours is the noun. Symbols (`s`, `req/s`) have one form.
fn singular(unit: &str) -> String {
    let (noun, rest) = unit.split_at(unit.find(' ').unwrap_or(unit.len()));
    let is_word = noun.len() > 2 && noun.bytes().all(|b| b.is_ascii_lowercase());
    let one = match (noun.strip_suffix("ies"), noun.strip_suffix('s')) {
        (Some(stem), _) if is_word => format!("{stem}y"),
        (_, Some(stem)) if is_word => stem.to_owned(),
        _ => noun.to_owned(),
    };
    format!("{one}{rest}")
}

/// Lines for a terminal of at most `width` letters, each with an indent; a word that is longer stands alone.
pub fn wrapped(text: &str, indent: &str, width: usize) -> Vec<String> {
    let mut lines = vec![indent.to_owned()];
    for word in text.split(' ') {
        let last = lines.last_mut().expect("there is one from the start");
        let is_empty = last.len() == indent.len();
        if !is_empty && last.chars().count() + 1 + word.chars().count() > width {
            lines.push(format!("{indent}{word}"));
        } else {
            if !is_empty {
                last.push(' ');
            }
            last.push_str(word);
        }
    }
    lines
}

/// Longest text from outside that is shown: a pasted book must not be printed back.
const MAX_ECHO: usize = 60;

/// A text from outside as a message may show it: short, and without control characters.
///
/// ```
/// use headroom::engine::units::display::echo;
///
/// assert_eq!(echo("rsp\u{7}"), "rsp\u{fffd}");
/// assert_eq!(echo(&"a".repeat(61)), format!("{}…", "a".repeat(60)));
/// ```
pub fn echo(text: &str) -> String {
    let mut chars = text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c });
    let mut shown: String = chars.by_ref().take(MAX_ECHO).collect();
    shown.extend(chars.next().map(|_| '…'));
    shown
}

/// What one more of the second significant digit is worth.
///
/// ```
/// use headroom::engine::units::display::second_digit;
/// assert_eq!(second_digit(950.0), 10.0);
/// assert_eq!(second_digit(0.025), 0.001);
/// ```
pub fn second_digit(value: f64) -> f64 {
    10f64.powi(decade(value) - 1)
}

/// Rounds to `digits` significant digits.
///
/// ```
/// use headroom::engine::units::display::round_to;
/// assert_eq!(round_to(71.14, 3), 71.1);
/// assert_eq!(round_to(4789.0, 2), 4800.0);
/// ```
pub fn round_to(value: f64, digits: i32) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    // Powers of ten below one are not exact: times 0.1 would give 71.10000000000001.
    match decade(value) - digits + 1 {
        n @ ..0 => {
            let scale = 10f64.powi(-n);
            (value * scale).round() / scale
        }
        n => {
            let scale = 10f64.powi(n);
            (value / scale).round() * scale
        }
    }
}
