//! The logarithm that turns a uniform number into an exponential one.
//!
//! Two of them a request are the dearest arithmetic of a run. This one takes a table of 128
//! intervals and a polynomial instead of a division. It is plain multiplication and addition, so it
//! is the same to the bit everywhere, and it is right to 10⁻¹⁵ of its value, absolutely where that is
//! below one: a time of seconds is right to a millionth of a nanosecond.

const PARTS: usize = 128;
const PART_BITS: u32 = PARTS.trailing_zeros();
const MANTISSA_BITS: u32 = f64::MANTISSA_DIGITS - 1;

/// For each part of [1, 2): the inverse of its middle, and minus the logarithm of that inverse.
const TABLE: [(f64, f64); PARTS] = {
    let mut table = [(0.0, 0.0); PARTS];
    let mut part = 0;
    while part < PARTS {
        let middle = 1.0 + (part as f64 + 0.5) / PARTS as f64;
        let inverse = 1.0 / middle;
        table[part] = (inverse, -ln_by_series(inverse));
        part += 1;
    }
    table
};

/// `ln x = 2 artanh((x - 1) / (x + 1))`, for the table: `x` from 1/2 to 1.
const fn ln_by_series(x: f64) -> f64 {
    let s = (x - 1.0) / (x + 1.0);
    let mut sum = 0.0;
    // Backward, so that small terms are added first; (1/3)^41 is far below the last digit.
    let mut n = 20;
    while n > 0 {
        sum = (sum + 1.0 / (2 * n + 1) as f64) * s * s;
        n -= 1;
    }
    2.0 * s * (1.0 + sum)
}

/// `-ln u` for a normal number `u` in (0, 1]; never negative.
#[inline]
pub fn minus_ln(u: f64) -> f64 {
    let bits = u.to_bits();
    #[allow(clippy::cast_possible_truncation, reason = "seven bits")]
    let part = (bits >> (MANTISSA_BITS - PART_BITS)) as usize % PARTS;
    let exponent = (bits >> MANTISSA_BITS) as f64 - 1023.0;
    let mantissa = f64::from_bits(bits & ((1 << MANTISSA_BITS) - 1) | 1.0_f64.to_bits());
    let (inverse, minus_ln_inverse) = TABLE[part];
    // At most 1/256: the seventh power is below the last digit.
    let r = mantissa * inverse - 1.0;
    let r2 = r * r;
    let tail = r2 * (-0.5 + r * (1.0 / 3.0) + r2 * (-0.25 + r * 0.2 - r2 * (1.0 / 6.0)));
    let ln = exponent * std::f64::consts::LN_2 + (minus_ln_inverse + (r + tail));
    (-ln).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::sim::rng::{Purpose, Stream, unit};

    #[test]
    fn it_is_the_logarithm() {
        let mut stream = Stream::new(1, Purpose::Arrivals, 9);
        let edges = [0, 1, u64::MAX, u64::MAX - (1 << 12), 1 << 63, (1 << 63) - 1];
        for bits in (0..1_000_000).map(|_| stream.bits()).chain(edges) {
            let (got, want) = (minus_ln(unit(bits)), -libm::log(unit(bits)));
            assert!((got - want).abs() <= 1e-15 * want.max(1.0), "{bits}: {got} is not {want}");
        }
    }
}
