//! Quantiles of times in little memory.

use super::{Nanos, Quantiles};
use std::collections::BTreeMap;

/// Steps in each doubling: the values of a step differ by at most 1/128, so its middle is at most
/// 1/256 = 0.4 % off.
const STEPS: usize = 128;
const STEP_BITS: u32 = STEPS.trailing_zeros();
/// Below 128 ns every value has a step of its own; then 57 doublings reach 2^64.
const N_ROWS: usize = 1 + (u64::BITS - STEP_BITS) as usize;
const ABSENT: u8 = u8::MAX;

/// A histogram of nanoseconds: log-linear, as HdrHistogram.
///
/// Count, mean, least and most are exact; a quantile is off by at most 0.4 %. Rows of 512 bytes
/// come with the first value in them, so it is a few kilobytes and never more than 30.
#[derive(Clone, Debug)]
pub(crate) struct Histogram {
    rows: Vec<[u32; STEPS]>,
    /// Where in `rows` each doubling is.
    place: [u8; N_ROWS],
    /// Times that a step has passed 2^32, by its place.
    carried: BTreeMap<(u8, u8), u64>,
    count: u64,
    sum: u128,
    min: u64,
    max: u64,
}

impl Default for Histogram {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            place: [ABSENT; N_ROWS],
            carried: BTreeMap::new(),
            count: 0,
            sum: 0,
            min: u64::MAX,
            max: 0,
        }
    }
}

impl Histogram {
    /// One more value.
    #[inline]
    pub(crate) fn record(&mut self, value: Nanos) {
        let (row, step) = step_of(value.0);
        self.add(row, step, 1);
        self.count += 1;
        self.sum += u128::from(value.0);
        self.min = self.min.min(value.0);
        self.max = self.max.max(value.0);
    }

    #[inline]
    fn add(&mut self, row: usize, step: usize, n: u32) {
        if self.place[row] == ABSENT {
            self.grow(row);
        }
        let slot = &mut self.rows[self.place[row] as usize][step];
        let (sum, carry) = slot.overflowing_add(n);
        *slot = sum;
        if carry {
            self.carry(row, step, 1);
        }
    }

    #[cold]
    #[allow(clippy::cast_possible_truncation, reason = "58 rows")]
    fn grow(&mut self, row: usize) {
        self.place[row] = self.rows.len() as u8;
        self.rows.push([0; STEPS]);
    }

    #[cold]
    #[allow(clippy::cast_possible_truncation, reason = "58 rows of 128 steps")]
    fn carry(&mut self, row: usize, step: usize, times: u64) {
        *self.carried.entry((row as u8, step as u8)).or_default() += times;
    }

    /// Adds all values of another one.
    pub(crate) fn merge(&mut self, other: &Self) {
        for (row, &place) in other.place.iter().enumerate().filter(|&(_, &place)| place != ABSENT) {
            for (step, &n) in other.rows[place as usize].iter().enumerate().filter(|&(_, &n)| n > 0) {
                self.add(row, step, n);
            }
        }
        for (&(row, step), &times) in &other.carried {
            self.carry(row.into(), step.into(), times);
        }
        self.count += other.count;
        self.sum += other.sum;
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
    }

    /// How many values.
    #[cfg(test)]
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// Their mean in nanoseconds; `None` without any.
    pub(crate) fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }

    /// The largest.
    pub(crate) fn max(&self) -> Option<Nanos> {
        (self.count > 0).then_some(Nanos(self.max))
    }

    /// The smallest value that a share `q` of all does not exceed, to 0.4 %.
    pub(crate) fn quantile(&self, q: f64) -> Option<Nanos> {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates in range")]
        let rank = (libm::ceil(q * self.count as f64) as u64).clamp(1, self.count.max(1));
        let mut below = 0;
        for (row, &place) in self.place.iter().enumerate().filter(|&(_, &place)| place != ABSENT) {
            for step in 0..STEPS {
                below += self.in_step(row, place, step);
                if below >= rank {
                    return Some(Nanos(middle(row, step).clamp(self.min, self.max)));
                }
            }
        }
        None
    }

    #[allow(clippy::cast_possible_truncation, reason = "58 rows of 128 steps")]
    fn in_step(&self, row: usize, place: u8, step: usize) -> u64 {
        let carried = self.carried.get(&(row as u8, step as u8)).copied().unwrap_or(0);
        (carried << u32::BITS) + u64::from(self.rows[place as usize][step])
    }

    /// The quantiles of a report.
    pub(crate) fn quantiles(&self) -> Quantiles {
        let at = |q| self.quantile(q).map(|t| t.as_millis().0);
        Quantiles {
            p50: at(0.5),
            p90: at(0.9),
            p99: at(0.99),
            p999: at(0.999),
            mean: self.mean().map(|nanos| nanos / Nanos::MILLI.0 as f64),
            max: self.max().map(|t| t.as_millis().0),
        }
    }
}

/// Row and step of a value.
#[inline]
#[allow(clippy::cast_possible_truncation, reason = "the step is below 128")]
fn step_of(value: u64) -> (usize, usize) {
    if value < STEPS as u64 {
        return (0, value as usize);
    }
    let shift = u64::BITS - 1 - STEP_BITS - value.leading_zeros();
    (1 + shift as usize, (value >> shift) as usize - STEPS)
}

/// The middle of a step.
fn middle(row: usize, step: usize) -> u64 {
    if row == 0 {
        return step as u64;
    }
    let shift = row - 1;
    (((STEPS + step) as u64) << shift) + ((1 << shift) >> 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::sim::rng::{Purpose, Stream};

    fn of(values: &[u64]) -> Histogram {
        let mut histogram = Histogram::default();
        for &value in values {
            histogram.record(Nanos(value));
        }
        histogram
    }

    #[test]
    fn an_empty_one_knows_nothing() {
        let empty = Histogram::default();
        assert_eq!(empty.quantiles(), Quantiles::default());
        assert_eq!(empty.count(), 0);
    }

    #[test]
    fn every_value_is_in_a_step_whose_middle_is_near() {
        let mut stream = Stream::new(1, Purpose::Service, 0);
        let edges = (0..64).flat_map(|n| [1_u64 << n, (1 << n) - 1]).chain([u64::MAX, 127, 128, 129]);
        for value in edges.chain((0..100_000).map(|n| stream.bits() >> (n % 64))) {
            let (row, step) = step_of(value);
            let middle = middle(row, step);
            assert_eq!(step_of(middle), (row, step), "{value}");
            assert!(middle.abs_diff(value) as f64 <= value as f64 / 256.0, "{value}: {middle}");
        }
    }

    #[test]
    fn quantiles_are_within_half_a_percent_of_the_sorted_values() {
        let mut stream = Stream::new(2, Purpose::Service, 0);
        let mut values: Vec<u64> = (0..99_999).map(|_| stream.exponential(3e7).0).collect();
        let histogram = of(&values);
        values.sort_unstable();
        for q in [0.0, 0.001, 0.5, 0.9, 0.99, 0.999, 1.0] {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            let rank = ((q * values.len() as f64).ceil() as usize).max(1);
            let (got, want) = (histogram.quantile(q).unwrap().0 as f64, values[rank - 1] as f64);
            assert!((got - want).abs() <= 0.005 * want, "{q}: {got} is not {want}");
        }
        let sum: u128 = values.iter().map(|&v| u128::from(v)).sum();
        assert_eq!(histogram.mean(), Some(sum as f64 / values.len() as f64));
        assert_eq!(histogram.max(), values.last().map(|&v| Nanos(v)));
    }

    #[test]
    fn a_value_alone_is_every_quantile() {
        let one = of(&[123_456_789]);
        for q in [0.0, 0.5, 1.0] {
            assert_eq!(one.quantile(q), Some(Nanos(123_456_789)));
        }
    }

    #[test]
    fn merging_is_recording_all() {
        let (a, b) = ([5, 700, 90_000, 90_001], [0, 700, 1 << 60]);
        let mut merged = of(&a);
        merged.merge(&of(&b));
        let all: Vec<u64> = a.into_iter().chain(b).collect();
        let together = of(&all);
        for q in 0..=20 {
            assert_eq!(merged.quantile(f64::from(q) / 20.0), together.quantile(f64::from(q) / 20.0));
        }
        assert_eq!((merged.count(), merged.mean()), (together.count(), together.mean()));
        assert_eq!(merged.max(), together.max());
    }

    #[test]
    fn memory_is_bounded() {
        let every: Vec<u64> = (0..64).map(|n| 1 << n).collect();
        let full = of(&every);
        assert!(full.rows.len() * size_of::<[u32; STEPS]>() + size_of::<Histogram>() <= 32 * 1024);
        assert_eq!(of(&[30_000_000, 31_000_000]).rows.len(), 1);
    }

    #[test]
    fn counts_pass_32_bits() {
        // Doubling forty times: 2^40 fives and 2^40 sevens.
        let mut histogram = of(&[5, 7]);
        for _ in 0..40 {
            histogram.merge(&histogram.clone());
        }
        assert_eq!(histogram.count(), 2 << 40);
        assert_eq!((histogram.quantile(0.5), histogram.quantile(0.51)), (Some(Nanos(5)), Some(Nanos(7))));
    }
}
