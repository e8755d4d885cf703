//! The wait before a retry, as Envoy draws it.

use super::Nanos;
use super::rng::below;

const MILLI: u64 = Nanos::MILLI.0;

/// The wait before retry `nth` (the first is 1): whole milliseconds, uniform in `[0, R_nth)`.
///
/// # Formula
///
/// `R_1 = base`, `R_{n+1} = 2 R_n` while `R_n < ⌊max / 2⌋`, else `max`; all in whole milliseconds,
/// `base` at least one, `max` at least `base`.
///
/// # Source
///
/// envoyproxy/envoy, `source/common/common/backoff_strategy.cc`, measured on 1.40: the largest of 27
/// waits with a base of 100 ms were 100, 201, 381, 790, 1588, 3141 ms.
pub(crate) fn back_off(base: Nanos, max: Nanos, nth: u32, bits: u64) -> Nanos {
    Nanos(below(bits, range_ms(base, max, nth)) * MILLI)
}

/// `R_nth` in milliseconds.
fn range_ms(base: Nanos, max: Nanos, nth: u32) -> u64 {
    let base = (base.0 / MILLI).max(1);
    let max = (max.0 / MILLI).max(base);
    let mut range = base;
    for _ in 1..nth {
        if range == max {
            break;
        }
        range = if range < max / 2 { range * 2 } else { max };
    }
    range
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::sim::rng::{Purpose, Stream};

    fn ms(n: u64) -> Nanos {
        Nanos(n * MILLI)
    }

    #[test]
    fn ranges_are_those_of_envoy_and_not_of_its_manual() {
        let ranges = |base, max| (1..=7).map(|n| range_ms(ms(base), ms(max), n)).collect::<Vec<_>>();
        assert_eq!(ranges(25, 250), [25, 50, 100, 200, 250, 250, 250]);
        assert_eq!(ranges(100, 10_000), [100, 200, 400, 800, 1600, 3200, 6400]);
        // Half of 7 is 3 in whole milliseconds, and 3 is not below 3.
        assert_eq!(ranges(3, 7), [3, 7, 7, 7, 7, 7, 7]);
        assert_eq!(ranges(10, 10), [10; 7]);
    }

    #[test]
    fn a_base_below_a_millisecond_is_one() {
        assert_eq!(range_ms(Nanos(300), Nanos(300), 1), 1);
        assert_eq!(back_off(Nanos(300), Nanos(300), 9, u64::MAX), Nanos::ZERO);
    }

    #[test]
    fn waits_are_whole_milliseconds_below_the_range_and_reach_both_ends() {
        let mut stream = Stream::new(3, Purpose::BackOff, 0);
        let waits: Vec<u64> = (0..10_000).map(|_| back_off(ms(25), ms(250), 2, stream.bits()).0).collect();
        assert!(waits.iter().all(|w| w % MILLI == 0));
        assert_eq!(waits.iter().min(), Some(&0));
        assert_eq!(waits.iter().max(), Some(&(49 * MILLI)));
        let mean = waits.iter().sum::<u64>() as f64 / 1e10;
        // (50 - 1) / 2 ms, and three standard errors of 10,000 draws.
        assert!((mean - 24.5).abs() < 0.44, "{mean}");
    }
}
