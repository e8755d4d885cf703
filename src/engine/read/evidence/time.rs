//! Points in time as logs write them: `2026-03-02T09:14:07.113Z`.

use crate::engine::units::Millis;

/// Milliseconds since 1970 of a time in RFC 3339, with or without brackets around it.
///
/// Days are counted as the Gregorian calendar does, years starting in March so that the leap day
/// is the last: 365·y + y/4 − y/100 + y/400 + (153·m + 2)/5 + d.
pub fn since_1970(text: &str) -> Option<Millis> {
    /// Days from 1 March of year 0 to 1 January 1970.
    const TO_1970: i64 = 719_468;
    let text = text.trim_start_matches('[').trim_end_matches(']');
    let (date, rest) = text.split_once(['T', 't'])?;
    let [year, month, day] = three(date, '-', [4, 2, 2])?;
    let at = rest.find(['Z', 'z', '+', '-'])?;
    let (clock, zone) = rest.split_at(at);
    let (clock, fraction) = clock.split_once('.').unwrap_or((clock, "0"));
    let [hour, minute, second] = three(clock, ':', [2, 2, 2])?;
    let is_time =
        (1..=12).contains(&month) && (1..=31).contains(&day) && hour < 24 && minute < 60 && second <= 60;
    if !is_time || fraction.is_empty() || fraction.len() > 9 || !fraction.bytes().all(|b| b.is_ascii_digit())
    {
        return None;
    }
    let (y, m) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days = 365 * y + y.div_euclid(4) - y.div_euclid(100) + y.div_euclid(400) + (153 * m + 2) / 5 + day
        - 1
        - TO_1970;
    let seconds = days * 86_400 + hour * 3_600 + minute * 60 + second - offset_s(zone)?;
    #[allow(clippy::cast_precision_loss, reason = "seconds of four-digit years")]
    Some(Millis(seconds as f64 * 1_000.0 + format!("0.{fraction}").parse::<f64>().ok()? * 1_000.0))
}

/// `Z`, `+02:00`.
fn offset_s(zone: &str) -> Option<i64> {
    if matches!(zone, "Z" | "z") {
        return Some(0);
    }
    let sign = if zone.starts_with('-') { -1 } else { 1 };
    let (hours, minutes) = zone.get(1..)?.split_once(':')?;
    Some(sign * (number(hours, 2)? * 3_600 + number(minutes, 2)? * 60))
}

fn three(text: &str, between: char, digits: [usize; 3]) -> Option<[i64; 3]> {
    let mut parts = text.split(between);
    let mut next = |digits| number(parts.next()?, digits);
    let found = [next(digits[0])?, next(digits[1])?, next(digits[2])?];
    parts.next().is_none().then_some(found)
}

fn number(text: &str, digits: usize) -> Option<i64> {
    (text.len() == digits && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::since_1970;

    #[test]
    fn times_by_hand() {
        let seconds = |text: &str| since_1970(text).map(|ms| ms.0 / 1_000.0);
        assert_eq!(seconds("1970-01-01T00:00:00Z"), Some(0.0));
        // 11,016 days: thirty years with seven leap days, then 31 + 28 days of 2000 and the leap day.
        assert_eq!(seconds("2000-02-29T00:00:01.5Z"), Some(11_016.0 * 86_400.0 + 1.5));
        assert_eq!(seconds("[2000-03-01T02:00:00+02:00]"), Some(11_017.0 * 86_400.0));
        assert_eq!(seconds("2000-02-29T22:30:00-01:30"), Some(11_017.0 * 86_400.0));
        for wrong in [
            "",
            "T",
            "2000-02-29",
            "2000-13-01T00:00:00Z",
            "2000-1-1T00:00:00Z",
            "2000-01-01T00:00:00",
            "2000-01-01T00:00:00.Z",
            "[2é",
        ] {
            assert_eq!(seconds(wrong), None, "{wrong}");
        }
    }
}
