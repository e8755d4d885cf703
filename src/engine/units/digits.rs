//! Decimal texts of floats, digit by digit.
//!
//! The standard library works with all digits of the binary value, and so costs as much as an Erlang B. All of
//! them are needed only near the middle between two decimal numbers: that is left to it, everything else is
//! whole numbers.

/// How a number is written.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Look {
    /// Commas between thousands.
    pub is_grouped: bool,
    /// No zeros at the end of the decimals.
    pub is_trimmed: bool,
}

/// Longest text of digits: thirteen with their commas, or a zero, the point and twelve decimals.
const MOST: usize = 24;

/// A number rounded to that many decimals, as `{:.*}` rounds it.
pub(super) fn decimal(value: f64, decimals: usize, look: Look) -> String {
    let scale = i32::try_from(decimals).map_or(f64::INFINITY, |n| 10f64.powi(n));
    let scaled = value.abs() * scale;
    let whole = scaled.round();
    // Below 1e12 a float has four more binary digits behind the point than this margin needs.
    let is_clear = scaled < 1e12 && (scaled - whole).abs() < 0.499;
    if !is_clear || decimals > 12 {
        return dressed(&format!("{value:.decimals$}"), look);
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 1e12")]
    let mut rest = whole as u64;
    let mut decimals = decimals;
    while look.is_trimmed && decimals > 0 && rest.is_multiple_of(10) {
        (rest, decimals) = (rest / 10, decimals - 1);
    }
    let mut text = [0; MOST];
    let mut at = MOST;
    let mut put = |byte: u8| {
        at -= 1;
        text[at] = byte;
    };
    for n in 0.. {
        if rest == 0 && n > decimals {
            break;
        }
        if n == decimals && n > 0 {
            put(b'.');
        } else if look.is_grouped && n > decimals && (n - decimals).is_multiple_of(3) {
            put(b',');
        }
        put(b"0123456789"[(rest % 10) as usize]);
        rest /= 10;
    }
    let digits = str::from_utf8(&text[at..]).unwrap_or_default();
    let sign = if value.is_sign_negative() { "-" } else { "" };
    [sign, digits].concat()
}

/// The same look for a text that the standard library has written.
fn dressed(text: &str, look: Look) -> String {
    let trimmed = if look.is_trimmed && text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        text
    };
    if !look.is_grouped {
        return trimmed.to_owned();
    }
    let whole = trimmed.find('.').unwrap_or(trimmed.len());
    let mut out = String::new();
    for (at, c) in trimmed.char_indices() {
        if at > 0 && at < whole && (whole - at).is_multiple_of(3) && !out.ends_with('-') {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// The power of ten of the first digit.
pub(super) fn decade(value: f64) -> i32 {
    /// Ten to the power of -9 and so on: what is shown is nearly always among them.
    const POWERS: [f64; 24] = [
        1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8,
        1e9, 1e10, 1e11, 1e12, 1e13, 1e14,
    ];
    let n = POWERS.partition_point(|power| *power <= value.abs());
    #[allow(clippy::cast_possible_truncation, reason = "a finite f64 has a decade between -324 and 308")]
    match i32::try_from(n) {
        Ok(n @ 1..24) => n - 10,
        _ => value.abs().log10().floor() as i32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Look = Look { is_grouped: false, is_trimmed: false };
    const DRESSED: Look = Look { is_grouped: true, is_trimmed: true };

    #[test]
    fn decimals_are_those_of_the_standard_library() {
        // A plain generator (Knuth's MMIX), so that the numbers are the same everywhere.
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state >> 11
        };
        for _ in 0..200_000 {
            let decade = i32::try_from(next() % 36).expect("small") - 18;
            let value = next() as f64 / 2f64.powi(53) * 10f64.powi(decade);
            // Ties and their neighbors too.
            let tie = (next() % 100_000) as f64 / 2f64.powi(i32::try_from(next() % 8).expect("small"));
            let near = f64::from_bits(tie.to_bits() + 1);
            let thousandths = (next() % 1_000_000) as f64 / 1000.0;
            for value in [value, -value, tie, near, thousandths] {
                for decimals in [0, 1, 2, 3, 5, 8, 12, 13, 20] {
                    let text = format!("{value:.decimals$}");
                    assert_eq!(decimal(value, decimals, PLAIN), text, "{value:?}");
                    assert_eq!(decimal(value, decimals, DRESSED), dressed(&text, DRESSED), "{value:?}");
                }
            }
        }
        for value in [0.0, -0.0, 0.5, 1.5, 2.5, 999.5, 1e12, 1e300, f64::MIN_POSITIVE] {
            assert_eq!(decimal(value, 0, PLAIN), format!("{value:.0}"));
            assert_eq!(decimal(value, 2, PLAIN), format!("{value:.2}"));
        }
    }

    #[test]
    fn thousands_are_grouped_and_zeros_trimmed() {
        let dress = |text| dressed(text, DRESSED);
        assert_eq!(["1", "12", "123"].map(dress), ["1", "12", "123"]);
        assert_eq!(["-123", "1234.50", "-1234567.00"].map(dress), ["-123", "1,234.5", "-1,234,567"]);
        assert_eq!(["100", "0.00", "999999.9990"].map(dress), ["100", "0", "999,999.999"]);
    }

    #[test]
    fn a_decade_is_the_place_of_the_first_digit() {
        for (value, expected) in [
            (1.0, 0),
            (9.99, 0),
            (10.0, 1),
            (0.1, -1),
            (0.099, -2),
            (-250.0, 2),
            (1e-9, -9),
            (9e-10, -10),
            (1e14, 14),
            (9.9e13, 13),
            (1e300, 300),
            (5e-324, -324),
            (999.999_999_999_999_9, 2),
        ] {
            assert_eq!(decade(value), expected, "{value}");
        }
    }
}
