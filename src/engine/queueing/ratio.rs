//! Sums of Poisson probabilities relative to the one at their edge.
//!
//! With `p(k)` the Poisson probability of `k` at mean `m`,
//!
//! ```text
//! below(n, m) = Σ_{k <= n} p(k) / p(n) = Σ_j n! / (n - j)! · m^-j = ∫₀^∞      (1 + u/m)^n e^-u du
//! above(n, m) = Σ_{k >  n} p(k) / p(n) = Σ_j n! m^j / (n + j)!    = ∫_{-m}^0 (1 + u/m)^n e^-u du
//! ```
//!
//! The first is 1 / B of the Erlang loss formula (R. Syski, Introduction to Congestion Theory in
//! Telephone Systems, 1960; D. Jagerman, "Some Properties of the Erlang Loss Function", BSTJ 53,
//! 1974), the second one the same integral on the other side of 0. The sums start at their edge
//! and stop when the rest, bounded by a geometric series, is below the last digit: O(√m) terms.
//! For large means the integrand is one smooth hump that quadrature takes in constant time.

use super::pmf::log1p_minus;

/// From this mean on the integral is faster than the sum, and the hump is narrow enough for it.
const INTEGRAL_FROM: f64 = 4096.0;

/// What a truncated sum may leave out, relative to the sum.
const NEGLIGIBLE: f64 = 1e-17;

/// Half-width of the hump in standard deviations: e^-45 of its height is left outside.
const DEVIATIONS: f64 = 9.5;

/// Where the integrand falls from an edge at 0, it is cut at e^-40 of its height.
const FALL: f64 = 40.0;

/// The largest exponent of a double; what exceeds it makes the sum infinite.
const LARGEST_EXPONENT: f64 = 709.0;

/// `Σ_{k <= n} p(k) / p(n)`, at least 1, infinite above every double; `m > 0` and finite.
pub(super) fn below(n: f64, m: f64) -> f64 {
    if m < INTEGRAL_FROM { sum_below(n, m) } else { integral_below(n, m) }
}

/// `Σ_{k > n} p(k) / p(n)`; `0 < m <= n + 1`, where it is at most of the order of `√m`.
pub(super) fn above(n: f64, m: f64) -> f64 {
    if m < INTEGRAL_FROM { sum_above(n, m) } else { integral_above(n, m) }
}

fn sum_below(n: f64, m: f64) -> f64 {
    let (mut term, mut sum, mut k) = (1.0, 1.0, n);
    while k > 0.0 && sum < f64::INFINITY {
        term *= k / m;
        sum += term;
        k -= 1.0;
        if k < m && term * k <= NEGLIGIBLE * (m - k) * sum {
            break;
        }
    }
    sum
}

fn sum_above(n: f64, m: f64) -> f64 {
    let (mut term, mut sum, mut k) = (1.0, 0.0, n + 1.0);
    loop {
        term *= m / k;
        sum += term;
        k += 1.0;
        if k > m && term * m <= NEGLIGIBLE * (k - m) * sum {
            return sum;
        }
    }
}

fn integral_below(n: f64, m: f64) -> f64 {
    let peak = (n - m).max(0.0);
    if exponent(n, m, peak) > LARGEST_EXPONENT {
        return f64::INFINITY;
    }
    let (from, to) = if peak > 0.0 {
        let width = DEVIATIONS * libm::sqrt(n);
        ((peak - width).max(0.0), peak + width)
    } else {
        (0.0, reach(n, m))
    };
    integral(n, m, from, to)
}

fn integral_above(n: f64, m: f64) -> f64 {
    integral(n, m, -reach(n, m).min(m), 0.0)
}

/// How far from an edge at 0 the integrand matters: it falls at least as fast as an exponential
/// of the slope there, and as a normal density of deviation `m / √n`.
fn reach(n: f64, m: f64) -> f64 {
    let exponential = FALL * (m / (n - m).abs());
    let normal = DEVIATIONS * (m / libm::sqrt(n));
    exponential.min(normal)
}

/// `n ln(1 + u/m) - u`, the logarithm of the integrand, exact also where the two terms cancel.
fn exponent(n: f64, m: f64, u: f64) -> f64 {
    let v = u / m;
    if v.abs() < 0.2 { n * log1p_minus(v) + (n - m) * v } else { n * libm::log1p(v) - u }
}

/// Panels of the composite rule: each spans fewer than five standard deviations, for which 16
/// nodes are exact to double precision.
const PANELS: u32 = 4;

/// Nodes and weights of the 16-point Gauss-Legendre rule on [-1, 1], the positive half.
///
/// M. Abramowitz, I. Stegun, Handbook of Mathematical Functions (1964), table 25.4.
const GAUSS_16: [(f64, f64); 8] = [
    (0.095_012_509_837_637_44, 0.189_450_610_455_068_5),
    (0.281_603_550_779_258_9, 0.182_603_415_044_923_6),
    (0.458_016_777_657_227_4, 0.169_156_519_395_002_54),
    (0.617_876_244_402_643_7, 0.149_595_988_816_576_73),
    (0.755_404_408_355_003, 0.124_628_971_255_533_87),
    (0.865_631_202_387_831_7, 0.095_158_511_682_492_78),
    (0.944_575_023_073_232_6, 0.062_253_523_938_647_89),
    (0.989_400_934_991_649_9, 0.027_152_459_411_754_095),
];

fn integral(n: f64, m: f64, from: f64, to: f64) -> f64 {
    let half = 0.5 * (to - from) / f64::from(PANELS);
    let value = |u: f64| libm::exp(exponent(n, m, u));
    let panel = |i: u32| {
        let middle = from + half * f64::from(2 * i + 1);
        let pair = |&(x, w): &(f64, f64)| w * (value(middle - half * x) + value(middle + half * x));
        GAUSS_16.iter().map(pair).sum::<f64>()
    };
    half * (0..PANELS).map(panel).sum::<f64>()
}
