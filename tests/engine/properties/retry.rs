//! Laws of back-off, budget and amplification.

use crate::support::assert_close;
use headroom::engine::retry::{amplification, backoff::BackOff, budget};
use headroom::engine::units::{Erlangs, Millis, Percent, Share};
use proptest::prelude::*;

/// A handful of operations.
const ROUNDING: f64 = 1e-13;

/// Envoy's loop in whole milliseconds, as its source has it.
fn envoy_bounds(base: u64, max: u64, n: usize) -> Vec<u64> {
    let next = |&r: &u64| Some(if r < max / 2 { r * 2 } else { max });
    std::iter::successors(Some(base), next).take(n).collect()
}

proptest! {
    #[test]
    fn back_off_follows_envoys_loop(base in 1..2_000_u32, more in 0..20_000_u32, n in 1..40_u32) {
        let max = base + more;
        let back_off = BackOff { base: Millis(base.into()), max: Millis(max.into()) };
        let want = envoy_bounds(base.into(), max.into(), n as usize);
        let last = want[want.len() - 1] as f64;
        prop_assert_eq!(back_off.upper_bound(n), Millis(last));
        prop_assert_eq!(back_off.mean(n), Millis((last - 1.0) / 2.0));
        prop_assert_eq!(back_off.total_bound(n), Millis(want.iter().sum::<u64>() as f64));
    }

    #[test]
    fn budget_never_exceeds_its_share(b in 0.0..100.0_f64, min in 0..20_u32, base in 0..1_000_000_u64) {
        let allowed = budget::allowed(Percent(b), min, base);
        prop_assert!(allowed >= u64::from(min));
        prop_assert!(allowed <= u64::from(min).max(base));
        prop_assert!((allowed as f64) > b / 100.0 * base as f64 - 1.0 - ROUNDING);
    }

    /// Retries that fill their share of everything are the overhead on top of the originals.
    #[test]
    fn percent_and_overhead_are_inverse(overhead in 0.0..100.0_f64, originals in 1.0..1e6_f64) {
        let percent = budget::percent_for_overhead(overhead);
        assert_close("overhead", budget::overhead_of_percent(percent), overhead, 1e-11);
        let everything = originals * (1.0 + overhead);
        assert_close("retries", percent.share().0 * everything, originals * overhead, ROUNDING);
    }

    #[test]
    fn load_factor_is_the_geometric_sum(p in 0.0..=1.0_f64, n in 0..50_u32) {
        let want: f64 = (0..=n).map(|k| p.powf(k.into())).sum();
        assert_close("factor", amplification::load_factor(Share(p), n), want, ROUNDING);
    }

    #[test]
    fn cap_lies_between_one_and_all_attempts(
        n in 0..100_u32, overhead in 0.0..2.0_f64, min in 0..20_u32, a in 0.001..1e6_f64,
    ) {
        let cap = amplification::cap(n, overhead, min, Erlangs(a));
        prop_assert!((1.0..=1.0 + f64::from(n)).contains(&cap));
        let held_by = [1.0 + overhead, 1.0 + f64::from(min) / a, 1.0 + f64::from(n)];
        prop_assert!(held_by.iter().any(|limit| (cap - limit).abs() <= ROUNDING * limit));
    }

    #[test]
    fn never_fails_on_any_number(x in any::<f64>(), y in any::<f64>(), n in any::<u32>()) {
        let back_off = BackOff { base: Millis(x), max: Millis(y) };
        for wait in [back_off.upper_bound(n), back_off.total_bound(n), back_off.mean(n)] {
            prop_assert!(wait.0 >= 0.0, "{back_off:?}: {wait:?}");
        }
        prop_assert!(budget::allowed(Percent(x), n, u64::MAX) >= u64::from(n));
        prop_assert!((0.0..=100.0).contains(&budget::percent_for_overhead(x).0));
        prop_assert!(budget::overhead_of_percent(Percent(x)) >= 0.0);
        let most = 1.0 + f64::from(n);
        prop_assert!((1.0..=most).contains(&amplification::cap(n, x, n, Erlangs(y))));
        let factor = amplification::load_factor(Share(x), n);
        prop_assert!(factor >= 1.0 - ROUNDING && factor <= most * (1.0 + ROUNDING));
        prop_assert!(amplification::over_hops(&[x, y]) >= 1.0);
    }
}

#[test]
fn ends_of_the_range() {
    let default = BackOff { base: Millis(25.0), max: Millis(250.0) };
    assert_eq!(default.upper_bound(0), Millis(0.0));
    assert_eq!(default.total_bound(0), Millis(0.0));
    assert_eq!(default.mean(0), Millis(0.0));
    assert_eq!(default.upper_bound(u32::MAX), Millis(250.0));
    // 375 for the four rising waits, 250 for all others.
    let all = 375.0 + 250.0 * (f64::from(u32::MAX) - 4.0);
    assert_eq!(default.total_bound(u32::MAX), Millis(all));
    // Envoy halves the maximum in whole milliseconds: 45 is not below 45.
    let odd = BackOff { base: Millis(45.0), max: Millis(91.0) };
    assert_eq!(odd.upper_bound(2), Millis(91.0));
    assert_eq!(amplification::cap(3, 0.0, 0, Erlangs(0.0)).to_bits(), 1.0_f64.to_bits());
    assert_eq!(amplification::over_hops(&[]).to_bits(), 1.0_f64.to_bits());
    assert_eq!(budget::percent_for_overhead(f64::INFINITY), Percent(100.0));
}
