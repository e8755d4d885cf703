//! Protobuf's well-known types in their YAML form.

use crate::engine::units::{Millis, Percent};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A `google.protobuf.Duration`: `0.25s` in JSON and YAML, to the nanosecond.
///
/// # Examples
///
/// ```
/// use headroom::engine::envoy::model::Duration;
/// use headroom::engine::units::Millis;
///
/// assert_eq!(serde_json::to_string(&Duration(Millis(250.0))).unwrap(), r#""0.25s""#);
/// assert_eq!(serde_json::to_string(&Duration(Millis(60_000.0))).unwrap(), r#""60s""#);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Duration(pub Millis);

const NANOS_PER_MILLI: f64 = 1e6;
const NANOS_PER_SECOND: u64 = 1_000_000_000;

impl Duration {
    /// As a setting that Envoy counts in milliseconds: rounded down as Envoy itself would, but never
    /// to zero, unless it is zero on purpose.
    ///
    /// Zero means off or is refused, so that the tightest wish would become no limit at all.
    ///
    /// # Examples
    ///
    /// ```
    /// use headroom::engine::envoy::model::Duration;
    /// use headroom::engine::units::Millis;
    ///
    /// assert_eq!(Duration::in_whole_millis(Millis(5145.69932)).to_string(), "5.145s");
    /// ```
    pub fn in_whole_millis(duration: Millis) -> Self {
        // To the nanosecond first: 950 that is 949.9999999999999 is not 949.
        let whole = ((duration.0 * NANOS_PER_MILLI).round() / NANOS_PER_MILLI).floor();
        if duration.0 > 0.0 { Self(Millis(whole.max(1.0))) } else { Self(Millis(0.0)) }
    }

    fn nanos(self) -> u64 {
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a float becomes the nearest integer in range; negative durations are none"
        )]
        let nanos = (self.0.as_millis() * NANOS_PER_MILLI).round() as u64;
        nanos
    }
}

impl std::fmt::Display for Duration {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let nanos = self.nanos();
        let text = format!("{}.{:09}", nanos / NANOS_PER_SECOND, nanos % NANOS_PER_SECOND);
        write!(f, "{}s", text.trim_end_matches('0').trim_end_matches('.'))
    }
}

impl std::str::FromStr for Duration {
    type Err = NotADuration;

    fn from_str(text: &str) -> Result<Self, NotADuration> {
        let digits = text.strip_suffix('s').ok_or(NotADuration)?;
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
        let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        if !is_number(whole) || !is_number(fraction) || fraction.len() > 9 {
            return Err(NotADuration);
        }
        // As one whole number of nanoseconds, so that 1.005s is 1005 ms and not a bit less.
        let nanos: f64 = format!("{whole}{fraction:0<9}").parse().map_err(|_| NotADuration)?;
        Ok(Self(Millis(nanos / NANOS_PER_MILLI)))
    }
}

/// A text that is not a number of seconds with an `s`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotADuration;

impl std::fmt::Display for NotADuration {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a duration is a number of seconds with an s, such as 0.25s")
    }
}

impl Serialize for Duration {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Duration {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// `type.v3.Percent`: `{value: 20}`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PercentValue {
    /// The percentage.
    #[serde(serialize_with = "short_number")]
    pub value: f64,
}

impl From<Percent> for PercentValue {
    /// To nine decimals, as fine as a [`Duration`]: a third in binary is no text to read.
    fn from(percent: Percent) -> Self {
        const SCALE: f64 = 1e9;
        Self { value: (percent.0 * SCALE).round() / SCALE }
    }
}

/// Whole numbers without a point: `20`, not `20.0`.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
pub(crate) fn short_number<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    if value.fract() == 0.0 && (0.0..=100.0).contains(value) {
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a whole number from 0 to 100"
        )]
        return serializer.serialize_u32(*value as u32);
    }
    serializer.serialize_f64(*value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(ms: f64, text: &str) {
        assert_eq!(Duration(Millis(ms)).to_string(), text);
        assert_eq!(text.parse(), Ok(Duration(Millis(ms))), "{text}");
    }

    #[test]
    fn durations_are_seconds_both_ways() {
        check(0.0, "0s");
        check(250.0, "0.25s");
        check(1005.0, "1.005s");
        check(47.5, "0.0475s");
        check(0.000_001, "0.000000001s");
        check(1e10, "10000000s");
    }

    #[test]
    fn other_texts_are_no_durations() {
        for text in ["", "s", "1", "250ms", "-1s", "1.s", ".5s", "1e3s", "1.0000000001s", "1 s"] {
            assert_eq!(text.parse::<Duration>(), Err(NotADuration), "{text}");
        }
    }

    #[test]
    fn settings_are_whole_milliseconds_and_only_zero_is_off() {
        let whole = |ms| Duration::in_whole_millis(Millis(ms)).0.0;
        for (ms, expected) in
            [(0.0, 0.0), (0.2, 1.0), (47.5, 47.0), (5_145.699_32, 5145.0), (950.0 - 1e-10, 950.0)]
        {
            assert!((whole(ms) - expected).abs() < 1e-12, "{ms} became {}", whole(ms));
        }
    }

    #[test]
    fn percentages_are_short() {
        let text = |percent| serde_json::to_string(&PercentValue::from(Percent(percent))).expect("plain");
        assert_eq!(text(100.0 * 0.25 / 1.25), r#"{"value":20}"#);
        assert_eq!(text(100.0 / 3.0), r#"{"value":33.333333333}"#);
    }
}
