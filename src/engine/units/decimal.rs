//! A decimal number to the nearest binary one, without tables.
//!
//! `str::parse::<f64>` is exact for any length and exponent, and brings ten kilobytes of powers of
//! five that no compression makes smaller: a twentieth of all that the page may load. What people
//! type has at most nineteen digits and no astronomic exponent, and for those this is exact too.

/// Digits that fit into 64 bits whatever they are.
const MAX_DIGITS: usize = 19;

/// Largest power of ten that keeps a product of 19 digits within 128 bits.
const MAX_TEN: u32 = 19;

/// Largest power of five below 2^63, so that a quotient keeps 64 bits.
const MAX_FIVE: u32 = 27;

/// The value of `digits` (sign, digits, at most one point) times ten to the power `ten_to`; `None`
/// where `digits` is something else.
///
/// # Formula
///
/// With the digits as a whole number `m` below 2^64 and the value `m · 10^e`: for `e ≥ 0` the
/// product in 128 bits, for `e < 0` the quotient of `m · 2^s` and `5^-e` with its remainder as
/// lowest bit, then a shift; either is rounded once, to nearest.
///
/// # Units and range
///
/// Correctly rounded for up to 19 digits and `-27 ≤ e ≤ 19`; digits beyond are dropped, and larger
/// exponents may be off in the last digits of a double.
///
/// # Examples
///
/// ```
/// use headroom::engine::units::decimal::value;
///
/// assert_eq!(value("99.9", -2), Some(0.999));
/// assert_eq!(value("-.5", 0), Some(-0.5));
/// assert_eq!(value("1.2.3", 0), None);
/// ```
pub fn value(digits: &str, ten_to: i32) -> Option<f64> {
    let (sign, bare) = match digits.as_bytes().first()? {
        b'-' => (-1.0, &digits[1..]),
        b'+' => (1.0, &digits[1..]),
        _ => (1.0, digits),
    };
    let (mut mantissa, mut exponent, mut n_digits, mut n_read, mut has_point) = (0u64, ten_to, 0, 0, false);
    for byte in bare.bytes() {
        match byte {
            b'0'..=b'9' => {
                n_read += 1;
                let keeps = n_digits < MAX_DIGITS;
                if keeps {
                    mantissa = mantissa * 10 + u64::from(byte - b'0');
                    // Zeros in front are no digits yet.
                    n_digits += usize::from(mantissa > 0);
                }
                exponent += i32::from(!keeps) - i32::from(has_point);
            }
            b'.' if !has_point => has_point = true,
            _ => return None,
        }
    }
    (n_read > 0).then(|| sign * scaled(mantissa, exponent))
}

/// `mantissa · 10^exponent`, rounded once.
fn scaled(mantissa: u64, exponent: i32) -> f64 {
    if mantissa == 0 {
        return 0.0;
    }
    let power = exponent.unsigned_abs();
    if exponent >= 0 && power <= MAX_TEN {
        (u128::from(mantissa) * 10u128.pow(power)) as f64
    } else if exponent < 0 && power <= MAX_FIVE {
        let shift = 64 + mantissa.leading_zeros();
        let (dividend, divisor) = (u128::from(mantissa) << shift, 5u128.pow(power));
        let (quotient, rest) = (dividend / divisor, dividend % divisor);
        // The shift is below 2^7 and the power below 2^5: both are exact.
        (quotient | u128::from(rest > 0)) as f64
            * libm::ldexp(1.0, -(i32::try_from(shift + power).unwrap_or(0)))
    } else {
        mantissa as f64 * libm::exp10(f64::from(exponent))
    }
}

#[cfg(test)]
mod tests {
    use super::value;

    #[track_caller]
    fn check(digits: &str, ten_to: i32) {
        let exact: f64 = format!("{digits}e{ten_to}").parse().unwrap();
        assert_eq!(value(digits, ten_to).map(f64::to_bits), Some(exact.to_bits()), "{digits}e{ten_to}");
    }

    #[test]
    fn equals_the_standard_library() {
        for digits in ["0", "1", "1.5", "99.9", "0.1", "35", "110", "0.0001", "1e".trim_end_matches('e')] {
            for ten_to in -9..=9 {
                check(digits, ten_to);
            }
        }
        for digits in ["9007199254740993", "9007199254740992.5", "0.30000000000000004", "1.7976931348623157"]
        {
            check(digits, 0);
            check(digits, -6);
        }
        // A thousand doubles in their shortest form, which has up to seventeen digits.
        let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..1000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let x = (seed >> 11) as f64 / (1u64 << (20 + seed % 40)) as f64;
            check(&format!("{x}"), 0);
        }
    }

    #[test]
    fn long_and_large_numbers_are_near() {
        for (digits, ten_to) in [("123456789012345678901234567890", 0), ("1", 40), ("7", -40), ("1", 308)] {
            let exact: f64 = format!("{digits}e{ten_to}").parse().unwrap();
            let near = value(digits, ten_to).unwrap();
            assert!((near / exact - 1.0).abs() < 1e-14, "{digits}e{ten_to}: {near}");
        }
        assert_eq!(value("1", 999), Some(f64::INFINITY));
        assert_eq!(value("0", 999), Some(0.0));
        assert_eq!(value("1", -999), Some(0.0));
    }

    #[test]
    fn anything_else_is_no_number() {
        for text in ["", ".", "-", "+.", "1.2.3", "1-", "a", "1 2", "--1", "١"] {
            assert_eq!(value(text, 0), None, "{text}");
        }
    }
}
