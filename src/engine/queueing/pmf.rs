//! One Poisson probability, without the cancellation of `n ln m - m - ln n!`.

use std::f64::consts::PI;

/// Up to here the factorial is a short exact product; above, Stirling's series is exact.
const STIRLING_FROM: f64 = 16.0;

/// Within this distance of 0 the series of [`log1p_minus`] is exact; beyond it the plain
/// difference loses less than one digit.
const SERIES_WITHIN: f64 = 0.2;

/// `P(Poisson(m) = n)` for whole `n`, `m >= 0` and both finite.
///
/// From 16 on the saddle-point form of C. Loader, "Fast and Accurate Computation of Binomial
/// Probabilities" (2000): `exp(-stirling(n) - deviance) / √(2πn)`.
pub(super) fn pmf(n: f64, m: f64) -> f64 {
    if m <= 0.0 {
        return if n < 1.0 { 1.0 } else { 0.0 };
    }
    if n < STIRLING_FROM {
        return libm::exp(n * libm::log(m) - m) / small_factorial(n);
    }
    libm::exp(-stirling_rest(n) - deviance(n, m)) / libm::sqrt(2.0 * PI * n)
}

/// `n ln(n / m) + m - n`, at least 0, exact also where `n` and `m` are close.
fn deviance(n: f64, m: f64) -> f64 {
    let v = (m - n) / n;
    if v.abs() < SERIES_WITHIN { -n * log1p_minus(v) } else { n * libm::log(n / m) + (m - n) }
}

/// `ln(1 + v) - v`.
///
/// With `s = v / (2 + v)`, `ln(1 + v) = 2 artanh(s)` and `2s - v = -sv`, so the first-order terms
/// cancel on paper.
pub(super) fn log1p_minus(v: f64) -> f64 {
    if v.abs() >= SERIES_WITHIN {
        return libm::log1p(v) - v;
    }
    let s = v / (2.0 + v);
    let y = s * s;
    // Σ y^i / (2i + 3); y is at most 1/81, so ten terms reach 1e-20.
    let series = (0..10).rev().fold(0.0, |sum, i| sum * y + 1.0 / f64::from(2 * i + 3));
    s * (2.0 * y * series - v)
}

/// `ln n!` less `n ln n - n + ln(2πn) / 2`, for `n >= 16`.
fn stirling_rest(n: f64) -> f64 {
    let w = 1.0 / (n * n);
    let series = 1.0 / 1260.0 - w * (1.0 / 1680.0 - w / 1188.0);
    (1.0 / 12.0 - w * (1.0 / 360.0 - w * series)) / n
}

fn small_factorial(n: f64) -> f64 {
    let mut product = 1.0;
    let mut k = 2.0;
    while k <= n {
        product *= k;
        k += 1.0;
    }
    product
}
