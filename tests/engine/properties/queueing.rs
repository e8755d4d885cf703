//! Laws of the queueing formulas, against recursions too slow for production.

use crate::support::assert_close;
use headroom::engine::queueing::{erlang_b, idle_connections, mmck, poisson};
use headroom::engine::units::{Erlangs, Millis, Rate, Share};
use proptest::prelude::*;

/// The exact recursion `1/B(n) = 1 + n/a · 1/B(n - 1)`, all terms positive.
fn recursion(servers: u64, offered: f64) -> f64 {
    let step = |inverse: f64, n: u64| 1.0 + inverse * n as f64 / offered;
    1.0 / (1..=servers).fold(1.0, step)
}

/// The recursion itself rounds once a step; 20,000 steps of 1e-16 stay below.
const RECURSION_TOLERANCE: f64 = 1e-11;

/// Where two evaluations are equal but for rounding.
const ROUNDING: f64 = 1e-12;

fn loads() -> impl Strategy<Value = f64> {
    (-3.0..4.3_f64).prop_map(|exponent| 10.0_f64.powf(exponent))
}

fn large_loads() -> impl Strategy<Value = f64> {
    (-3.0..10.0_f64).prop_map(|exponent| 10.0_f64.powf(exponent))
}

fn targets() -> impl Strategy<Value = Share> {
    (-9.0..-0.1_f64).prop_map(|exponent| Share(10.0_f64.powf(exponent)))
}

/// A number of servers near the load: from half of it to 20 deviations above.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the loads of these tests are small positive numbers"
)]
fn servers_near(offered: f64, position: f64) -> u64 {
    let (low, high) = (0.5 * offered, offered + 20.0 * offered.sqrt() + 3.0);
    (low + position * (high - low)) as u64
}

/// `P(Poisson(mean) <= n)`, term by term with logarithms.
fn poisson_sum(mean: f64, n: u64) -> f64 {
    let mut ln_term = -mean;
    let mut sum = ln_term.exp();
    for k in 1..=n {
        ln_term += (mean / k as f64).ln();
        sum += ln_term.exp();
    }
    sum
}

proptest! {
    #[test]
    fn blocking_equals_the_recursion(a in loads(), position in 0.0..1.0_f64) {
        let c = servers_near(a, position);
        let want = recursion(c, a);
        assert_close("blocking", erlang_b::blocking(c, Erlangs(a)).0, want, RECURSION_TOLERANCE);
    }

    #[test]
    fn blocking_falls_with_servers_and_rises_with_load(
        a in large_loads(), position in 0.0..1.0_f64, more in 1..1000_u64, factor in 1.0..2.0_f64,
    ) {
        let c = servers_near(a, position);
        let b = erlang_b::blocking(c, Erlangs(a)).0;
        prop_assert!(erlang_b::blocking(c + more, Erlangs(a)).0 <= b * (1.0 + ROUNDING));
        prop_assert!(erlang_b::blocking(c, Erlangs(a * factor)).0 >= b * (1.0 - ROUNDING));
        // Servers carry at most one erlang each.
        prop_assert!(a * (1.0 - b) <= c as f64 * (1.0 + ROUNDING));
    }

    /// One step of the recursion, at any size.
    #[test]
    fn blocking_satisfies_the_recursion(a in large_loads(), position in 0.0..1.0_f64) {
        let c = servers_near(a, position).max(1);
        let (before, after) = (recip(c - 1, a), recip(c, a));
        assert_close("1 / B", after, 1.0 + before * c as f64 / a, RECURSION_TOLERANCE);
    }

    #[test]
    fn servers_for_is_the_minimum(a in large_loads(), target in targets()) {
        let c = erlang_b::servers_for(Erlangs(a), target);
        prop_assert!(c >= 1);
        prop_assert!(erlang_b::blocking(c, Erlangs(a)) <= target);
        prop_assert!(c == 1 || erlang_b::blocking(c - 1, Erlangs(a)) > target);
    }

    #[test]
    fn offered_for_inverts_blocking(c in 1..20_000_u64, target in targets()) {
        let a = erlang_b::offered_for(c, target).0;
        // A relative step of the load of 1e-10, the required precision, to either side.
        prop_assert!(recursion(c, a * (1.0 - 1e-10)) <= target.0);
        prop_assert!(recursion(c, a * (1.0 + 1e-10)) >= target.0);
    }

    #[test]
    fn offered_for_matches_servers_for_at_any_size(c in 1..5_000_000_000_u64, target in targets()) {
        let a = erlang_b::offered_for(c, target).0;
        let most = erlang_b::servers_for(Erlangs(a * (1.0 + 1e-10)), target);
        let least = erlang_b::servers_for(Erlangs(a * (1.0 - 1e-10)), target);
        prop_assert!(least <= c && c <= most, "{least} <= {c} <= {most}");
        prop_assert!(most - least <= 2);
    }

    #[test]
    fn mmck_equals_the_birth_death_sum(a in loads(), position in 0.0..1.0_f64, queue in 0..500_u64) {
        let c = servers_near(a, position).max(1);
        let inverse = (c + 1..=c + queue).fold(1.0 / recursion(c, a), |inverse, _| {
            1.0 + inverse * c as f64 / a
        });
        let got = mmck::blocking(Erlangs(a), c, c + queue).0;
        // Below the range of a double the loss is 0.
        if inverse.is_finite() {
            assert_close("loss", got, 1.0 / inverse, 1e-10);
        } else {
            prop_assert!(got < 1e-300);
        }
    }

    #[test]
    fn poisson_equals_the_plain_sum(m in 0.001..600.0_f64, position in 0.0..1.0_f64) {
        let n = servers_near(m, position);
        let (cdf, tail) = (poisson::cdf(m, n).0, poisson::tail(m, n).0);
        assert_close("cdf", cdf, poisson_sum(m, n), 1e-11);
        assert_close("cdf and tail", cdf + tail, 1.0, ROUNDING);
    }

    /// `P(N > n - 1) = p(n) + P(N > n)`, at any size.
    #[test]
    fn poisson_tail_loses_one_term_a_step(m in large_loads(), position in 0.0..1.0_f64) {
        let n = servers_near(m, position).max(1);
        let sum = poisson::pmf(m, n).0 + poisson::tail(m, n).0;
        assert_close("tail", sum, poisson::tail(m, n - 1).0, RECURSION_TOLERANCE);
    }

    #[test]
    fn poisson_quantile_is_the_minimum(m in large_loads(), tail in targets()) {
        let n = poisson::quantile(m, tail);
        prop_assert!(poisson::tail(m, n) <= tail);
        prop_assert!(n == 0 || poisson::tail(m, n - 1) > tail);
    }

    #[test]
    fn mean_for_inverts_the_tail(n in 0..100_000_000_u64, tail in targets()) {
        let m = poisson::mean_for(n, tail);
        assert_close("tail", poisson::tail(m, n).0, tail.0, 1e-8);
    }

    #[test]
    fn peak_level_is_the_last_one_reached(
        a in 0.001..300.0_f64, per_erlang in 1.0..1000.0_f64, secs in 1.0..3600.0_f64,
    ) {
        let rate = Rate(a * per_erlang);
        let level = idle_connections::peak_level(rate, Erlangs(a), Millis::from_secs(secs));
        let ln_p = |n: u64| (1..=n).fold(-a, |ln, k| ln + (a / k as f64).ln());
        let raised = |k: u64| (rate.0 * secs).ln() + ln_p(k - 1);
        // Each term of the sum of logarithms rounds.
        let slack = 1e-9;
        prop_assert!(raised(level + 1) < slack);
        prop_assert!(level == 1 || raised(level) > -slack);
    }

    #[test]
    fn never_fails_on_any_number(x in any::<f64>(), y in any::<f64>(), n in any::<u64>()) {
        let share = |Share(p): Share| prop_assert_share(p);
        share(erlang_b::blocking(n, Erlangs(x)));
        share(mmck::blocking(Erlangs(x), n, n / 2));
        share(mmck::blocking(Erlangs(x), n / 2, n));
        share(poisson::pmf(x, n));
        share(poisson::cdf(x, n));
        share(poisson::tail(x, n));
        prop_assert!(erlang_b::servers_for(Erlangs(x), Share(y)) >= 1);
        prop_assert!(erlang_b::offered_for(n, Share(y)).0 >= 0.0);
        prop_assert!(poisson::mean_for(n, Share(y)) >= 0.0);
        let _ = poisson::quantile(x, Share(y));
        prop_assert!(idle_connections::peak_level(Rate(y), Erlangs(x), Millis(y)) >= 1);
    }
}

fn recip(servers: u64, offered: f64) -> f64 {
    1.0 / erlang_b::blocking(servers, Erlangs(offered)).0
}

#[track_caller]
fn prop_assert_share(p: f64) {
    // The last digit may round above 1.
    assert!((0.0..=1.0 + 1e-15).contains(&p), "{p} is no probability");
}

#[test]
fn ends_of_the_range() {
    let (none, all) = (Share(0.0), Share(1.0));
    assert_eq!(erlang_b::blocking(0, Erlangs(3.0)), all);
    assert_eq!(erlang_b::blocking(0, Erlangs(0.0)), all);
    assert_eq!(erlang_b::blocking(1, Erlangs(0.0)), none);
    assert_eq!(erlang_b::blocking(1, Erlangs(-5.0)), none);
    assert_eq!(erlang_b::blocking(u64::MAX, Erlangs(f64::INFINITY)), all);
    assert_eq!(erlang_b::blocking(5, Erlangs(f64::NAN)), all);
    assert_eq!(erlang_b::servers_for(Erlangs(0.0), none), 1);
    assert_eq!(erlang_b::servers_for(Erlangs(1.0), none), u64::MAX);
    assert_eq!(erlang_b::servers_for(Erlangs(1.0), Share(f64::NAN)), u64::MAX);
    assert_eq!(erlang_b::servers_for(Erlangs(f64::NAN), Share(0.1)), u64::MAX);
    assert_eq!(erlang_b::servers_for(Erlangs(1e300), Share(0.1)), u64::MAX);
    assert_eq!(erlang_b::offered_for(0, Share(0.1)), Erlangs(0.0));
    assert_eq!(erlang_b::offered_for(7, none), Erlangs(0.0));
    assert_eq!(erlang_b::offered_for(7, all), Erlangs(f64::INFINITY));
    assert_eq!(mmck::blocking(Erlangs(1.0), 0, 5), all);
    assert_eq!(mmck::blocking(Erlangs(1.0), 5, 0), all);
    assert_eq!(mmck::blocking(Erlangs(0.0), 1, 2), none);
    // Forty times this mean exceeds every double.
    assert_eq!(poisson::tail(1e307, 0), all);
    assert_eq!(poisson::quantile(0.0, none), 0);
    assert_eq!(poisson::quantile(1.0, all), 0);
    assert_eq!(poisson::quantile(1.0, none), u64::MAX);
    assert_eq!(poisson::quantile(f64::NAN, Share(0.1)), u64::MAX);
    let level =
        |rate, offered, timeout| idle_connections::peak_level(Rate(rate), Erlangs(offered), Millis(timeout));
    assert_eq!(level(0.0, 0.0, 60_000.0), 1);
    assert_eq!(level(f64::NAN, 5.0, 60_000.0), 1);
    assert_eq!(level(5.0, 5.0, 0.0), 1);
    assert_eq!(level(5.0, f64::INFINITY, 60_000.0), u64::MAX);
    // A rate so low that no level is reached once a timeout.
    assert_eq!(level(0.001, 0.001, 1_000.0), 1);
}
