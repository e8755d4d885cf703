//! The standard normal distribution, accurate in both tails.
//!
//! Percentiles such as p99.9 and refusal targets such as 1e-9 live in the tails, where
//! `1 - Φ(z)` has no digits left. So there is a function for each tail, and one for their ratio
//! to the density where even the tail itself underflows.

use super::as241;
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI, PI};

/// What `FRAC_1_SQRT_2` lacks to the exact square root of one half.
const FRAC_1_SQRT_2_REST: f64 = -4.833_646_656_726_457e-17;

/// From here on the asymptotic series of [`scaled_upper_tail`] is exact to double precision, and
/// `exp(y² / 2)` is still far from overflow.
const ASYMPTOTIC_FROM: f64 = 26.0;

/// Probability that a standard normal variable is at most `z`.
///
/// # Formula
///
/// `Φ(z) = erfc(-z / √2) / 2`, with a first-order correction for the rounding of `z / √2`, which
/// alone would cost three digits at `z = -37`.
///
/// # Units and range
///
/// Any `z`; the relative error is a few 1e-16 also in the lower tail. `-∞` gives 0, `∞` gives 1;
/// not a number stays so.
///
/// # Source
///
/// M. Abramowitz, I. Stegun, Handbook of Mathematical Functions (1964), 7.1.2 and 26.2.29.
///
/// # Examples
///
/// ```
/// use headroom::engine::latency::normal::lower_tail;
///
/// assert_eq!(lower_tail(0.0), 0.5);
/// assert!((lower_tail(-1.0) - 0.158_655_253_931_457_05).abs() < 1e-16);
/// ```
pub fn lower_tail(z: f64) -> f64 {
    let x = -z * FRAC_1_SQRT_2;
    let value = libm::erfc(x);
    if !x.is_finite() || value < f64::MIN_POSITIVE {
        return 0.5 * value;
    }
    let rest = libm::fma(-z, FRAC_1_SQRT_2, -x) - z * FRAC_1_SQRT_2_REST;
    0.5 * (value - rest * FRAC_2_SQRT_PI * libm::exp(-x * x))
}

/// Probability that a standard normal variable exceeds `z`, `1 - Φ(z)` without cancellation.
///
/// # Formula
///
/// `1 - Φ(z) = Φ(-z)`.
///
/// # Units and range
///
/// As [`lower_tail`].
///
/// # Source
///
/// The symmetry of the normal density.
///
/// # Examples
///
/// ```
/// use headroom::engine::latency::normal::{lower_tail, upper_tail};
///
/// assert_eq!(upper_tail(9.0), lower_tail(-9.0));
/// assert!(upper_tail(9.0) > 0.0);
/// ```
pub fn upper_tail(z: f64) -> f64 {
    lower_tail(-z)
}

/// The upper tail times `exp(y² / 2)`: the part of the tail that varies slowly.
///
/// # Formula
///
/// `M(y) = exp(y² / 2) · (1 - Φ(y))`; from `y = 26` the asymptotic series
/// `(1 - 1/y² + 1·3/y⁴ - 1·3·5/y⁶ + …) / (y √(2π))`, seven terms.
///
/// # Units and range
///
/// `y >= 0`, falling from 1/2 to 0; below 0 it grows like `exp(y² / 2)`.
///
/// # Source
///
/// Mills' ratio; M. Abramowitz, I. Stegun, Handbook of Mathematical Functions (1964), 26.2.12.
///
/// # Examples
///
/// ```
/// use headroom::engine::latency::normal::scaled_upper_tail;
///
/// assert_eq!(scaled_upper_tail(0.0), 0.5);
/// // Far out it is 1 / (y √(2π)), which at 1e6 is 3.989e-7.
/// assert!((scaled_upper_tail(1e6) - 3.989_422_804e-7).abs() < 1e-15);
/// ```
pub fn scaled_upper_tail(y: f64) -> f64 {
    if y < ASYMPTOTIC_FROM {
        return libm::exp(0.5 * y * y) * upper_tail(y);
    }
    let w = 1.0 / (y * y);
    // Each term is the one before times -(2k - 1) / y²; the first one left out is 2e-15.
    let series = [11.0, 9.0, 7.0, 5.0, 3.0, 1.0].iter().fold(1.0, |sum, odd| 1.0 - odd * w * sum);
    series / (y * libm::sqrt(2.0 * PI))
}

/// The point below which a standard normal variable lies with probability `p`, `Φ⁻¹(p)`.
///
/// # Formula
///
/// Algorithm AS 241, routine PPND16: three rational approximations of degree 7/7, in
/// `0.180625 - (p - 1/2)²` near the middle, in `√(-ln min(p, 1 - p))` in the tails.
///
/// # Units and range
///
/// `0 < p < 1`, relative error about 1e-16; 0 or less gives `-∞`, 1 or more gives `∞`; not a
/// number stays so.
///
/// # Source
///
/// M. J. Wichura, "Algorithm AS 241: The Percentage Points of the Normal Distribution",
/// Applied Statistics 37 (1988), 477-484.
///
/// # Examples
///
/// The 97.5 % point, known from every confidence interval:
///
/// ```
/// use headroom::engine::latency::normal::inverse;
///
/// assert_eq!(inverse(0.5), 0.0);
/// assert!((inverse(0.975) - 1.959_963_984_540_054).abs() < 1e-15);
/// ```
pub fn inverse(p: f64) -> f64 {
    if p <= 0.0 {
        return f64::NEG_INFINITY;
    }
    if p >= 1.0 {
        return f64::INFINITY;
    }
    let q = p - 0.5;
    if q.abs() <= 0.425 {
        let r = 0.180_625 - q * q;
        return q * polynomial(&as241::MIDDLE_NUM, r) / polynomial(&as241::MIDDLE_DEN, r);
    }
    let r = libm::sqrt(-libm::log(p.min(1.0 - p)));
    let magnitude = if r <= 5.0 {
        polynomial(&as241::TAIL_NUM, r - 1.6) / polynomial(&as241::TAIL_DEN, r - 1.6)
    } else {
        polynomial(&as241::FAR_NUM, r - 5.0) / polynomial(&as241::FAR_DEN, r - 5.0)
    };
    magnitude.copysign(q)
}

/// Horner's scheme, highest coefficient first.
fn polynomial(coefficients: &[f64; 8], x: f64) -> f64 {
    coefficients.iter().fold(0.0, |sum, c| sum * x + c)
}
