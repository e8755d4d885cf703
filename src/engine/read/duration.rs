//! Durations: of protobuf's JSON, of Go, of the Gateway API.

use super::config::{Corrected, ProblemKind};
use super::scalar::{Notation, Reading, float, scalar, shown};
use super::tree::Node;
use crate::engine::envoy::model::Duration;
use crate::engine::units::Millis;

/// A duration.
pub fn duration(node: &Node, notation: Notation) -> Reading<Millis> {
    const KIND: ProblemKind = ProblemKind::BadDuration;
    if notation == Notation::Proto && node.entries().is_some() {
        return seconds_and_nanos(node);
    }
    let scalar = match scalar(node, &KIND, "write a duration such as 0.25s") {
        Ok(scalar) => scalar,
        Err(flaw) => return flaw,
    };
    let text = scalar.text.as_str();
    let go = go_duration(text);
    if let Some(ms) = go.filter(|ms| ms.0 < 0.0) {
        let what = format!("is `{text}`, a negative duration");
        return Reading::refused(ms, ProblemKind::OutOfRange, what, "write 0s to switch it off".to_owned());
    }
    let legal = is_legal(text, scalar.quoted, notation);
    let form = match notation {
        Notation::Proto => "seconds with an s",
        Notation::Go => "numbers with units, such as 250ms",
        Notation::GatewayApi => "whole numbers of at most five digits with h, m, s or ms",
    };
    match (go, text.parse::<f64>()) {
        (Some(ms), _) if legal => Reading::good(ms),
        (Some(ms), Err(_)) => {
            let what = format!("is `{text}`, a form that is refused: {form}");
            let right = write(ms, notation);
            let reading = Reading::refused(ms, KIND, what, format!("write {right}"));
            if is_legal(&right, true, notation) && go_duration(&right) == Some(ms) {
                reading.correct(node, right, Corrected::Duration(ms))
            } else {
                reading
            }
        }
        (_, Ok(number)) if number.is_finite() => {
            let what = format!("is the bare number `{text}`: {form}");
            let help = format!("write {text}s, or {}", write(Millis(number), notation));
            Reading::bad(KIND, what, format!("{help} if milliseconds are meant"))
        }
        _ => Reading::bad(KIND, format!("is `{}`, not a duration: {form}", shown(node)), String::new()),
    }
}

/// Whether the program takes a duration as it is written.
fn is_legal(text: &str, quoted: bool, notation: Notation) -> bool {
    match notation {
        Notation::Proto => text.parse::<Duration>().is_ok_and(|d| d.0.0 <= MAX_DURATION_MS),
        Notation::Go => go_duration(text).is_some() && (quoted || text.parse::<f64>().is_err()),
        Notation::GatewayApi => is_gateway_duration(text),
    }
}

/// 10,000 years, what protobuf allows.
const MAX_DURATION_MS: f64 = 315_576_000_000_000.0;

/// The text for a duration in the notation.
fn write(duration: Millis, notation: Notation) -> String {
    match notation {
        Notation::Proto => Duration(duration).to_string(),
        _ if duration.0 % 1000.0 == 0.0 => format!("{}s", duration.0 / 1000.0),
        _ => format!("{}ms", duration.0.round()),
    }
}

/// A duration as a mapping: `{seconds: 30, nanos: 5000000}`, which Envoy reads too.
fn seconds_and_nanos(node: &Node) -> Reading<Millis> {
    let whole = |n: &f64| n.fract() == 0.0;
    let number = |n: &Node| float(n, Notation::Proto).value.filter(whole);
    let part = |field: &str| node.get(field).map_or(Some(0.0), number);
    let strange = node.entries().into_iter().flatten().find(|e| e.key != "seconds" && e.key != "nanos");
    if let Some(entry) = strange {
        let what = format!("has the field `{}`, which a duration does not have", entry.key);
        return Reading::bad(ProblemKind::BadDuration, what, "write a duration such as 0.25s".to_owned());
    }
    match (part("seconds"), part("nanos")) {
        (Some(seconds), Some(nanos)) => Reading::good(Millis(seconds * 1000.0 + nanos / 1e6)),
        _ => Reading::bad(
            ProblemKind::BadDuration,
            "has seconds or nanos that are no whole numbers".to_owned(),
            "write a duration such as 0.25s".to_owned(),
        ),
    }
}

/// A duration as Go reads it: `1h5m`, `250ms`, `0.25s`, `-1s`, `0`.
///
/// ```
/// use headroom::engine::read::duration::go_duration;
/// use headroom::engine::units::Millis;
///
/// assert_eq!(go_duration("1h5m"), Some(Millis(3_900_000.0)));
/// assert_eq!(go_duration("1.5s250ms"), Some(Millis(1750.0)));
/// assert_eq!(go_duration("5"), None);
/// ```
pub fn go_duration(text: &str) -> Option<Millis> {
    let (sign, mut rest) = match text.as_bytes().first()? {
        b'-' => (-1.0, &text[1..]),
        b'+' => (1.0, &text[1..]),
        _ => (1.0, text),
    };
    if rest == "0" {
        return Some(Millis(0.0));
    }
    let mut nanos = 0.0;
    if rest.is_empty() || rest.len() > 100 {
        return None;
    }
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let number = &rest[..digits];
        if number.matches('.').count() > 1 || !number.bytes().any(|b| b.is_ascii_digit()) {
            return None;
        }
        let unit = &rest[digits..];
        let letters = unit.find(|c: char| c.is_ascii_digit() || c == '.').unwrap_or(unit.len());
        let factor = match &unit[..letters] {
            "ns" => 1.0,
            "us" | "µs" | "μs" => 1e3,
            "ms" => 1e6,
            "s" => 1e9,
            "m" => 60e9,
            "h" => 3600e9,
            _ => return None,
        };
        let value: f64 = number.parse().ok()?;
        // Whole nanoseconds, so that 1.005s is 1005 ms and not a bit less.
        nanos += (value * factor).round();
        rest = &unit[letters..];
    }
    Some(Millis(sign * nanos / 1e6))
}

/// `^([0-9]{1,5}(h|m|s|ms)){1,4}$`
fn is_gateway_duration(text: &str) -> bool {
    let mut rest = text;
    for _ in 0..4 {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let after = &rest[digits..];
        let Some(unit) = ["ms", "h", "m", "s"].into_iter().find(|u| after.starts_with(u)) else {
            return false;
        };
        if !(1..=5).contains(&digits) {
            return false;
        }
        rest = &after[unit.len()..];
        if rest.is_empty() {
            return true;
        }
    }
    false
}
