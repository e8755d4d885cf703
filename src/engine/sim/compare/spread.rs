//! Several runs of one thing: mean, how sure it is, and range.

use serde::Serialize;

/// A measure over runs with different seeds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// Runs that have the measure.
    pub n: u32,
    /// Their mean.
    pub mean: f64,
    /// Half the width of the 95% confidence interval of the mean; `None` with a single run.
    pub half_width: Option<f64>,
    /// Lowest.
    pub low: f64,
    /// Highest.
    pub high: f64,
}

impl Spread {
    /// The spread of the values; `None` without any.
    ///
    /// # Formula
    ///
    /// `half_width = t(0.975, n − 1) · s / √n`, `s` the standard deviation with `n − 1`.
    ///
    /// # Assumptions
    ///
    /// Runs are independent, which their seeds make them, and their measure is roughly normal.
    ///
    /// # Source
    ///
    /// Student, "The probable error of a mean", Biometrika 6 (1908).
    ///
    /// # Examples
    ///
    /// 1, 2, 3: s = 1, t(0.975, 2) = 4.303, so ±4.303 / √3 = ±2.484.
    ///
    /// ```
    /// use headroom::engine::sim::compare::Spread;
    ///
    /// let spread = Spread::of(&[1.0, 2.0, 3.0]).unwrap();
    /// assert_eq!((spread.mean, spread.low, spread.high), (2.0, 1.0, 3.0));
    /// assert!((spread.half_width.unwrap() - 2.484).abs() < 1e-3);
    /// assert_eq!(Spread::of(&[5.0]).unwrap().half_width, None);
    /// ```
    pub fn of(values: &[f64]) -> Option<Self> {
        let n = u32::try_from(values.len()).ok().filter(|n| *n > 0)?;
        let count = f64::from(n);
        let mean = values.iter().sum::<f64>() / count;
        let half_width = (n > 1).then(|| {
            let squares: f64 = values.iter().map(|v| (v - mean) * (v - mean)).sum();
            t975(n - 1) * libm::sqrt(squares / (count - 1.0) / count)
        });
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Some(Self { n, mean, half_width, low, high })
    }

    /// Whether the interval leaves out zero, so that the runs show a difference.
    pub fn excludes_zero(&self) -> bool {
        self.half_width.is_some_and(|half| self.mean.abs() > half)
    }
}

/// The 97.5% quantile of Student's t with so many degrees of freedom.
///
/// Tabulated up to 30, then the expansion in 1/ν around the normal quantile (Abramowitz and Stegun,
/// 26.7.5), good to four digits there.
fn t975(freedom: u32) -> f64 {
    const TABLE: [f64; 30] = [
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145,
        2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048,
        2.045, 2.042,
    ];
    const Z: f64 = 1.959_963_984_540_054;
    let tabulated = freedom.checked_sub(1).and_then(|at| TABLE.get(at as usize));
    tabulated.copied().unwrap_or_else(|| {
        let nu = f64::from(freedom);
        let (z3, z5) = (Z * Z * Z, Z * Z * Z * Z * Z);
        Z + (z3 + Z) / (4.0 * nu) + (5.0 * z5 + 16.0 * z3 + 3.0 * Z) / (96.0 * nu * nu)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_expansion_goes_on_where_the_table_ends() {
        // Printed tables: t(0.975) is 2.040 with 31 degrees of freedom, 2.000 with 60, 1.984 with 100.
        for (freedom, printed) in [(31, 2.040), (60, 2.000), (100, 1.984)] {
            assert!((t975(freedom) - printed).abs() < 6e-4, "{freedom}: {}", t975(freedom));
        }
    }
}
