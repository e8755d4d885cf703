//! Laws of the latency model, and what it does with unusable input.

use crate::support::{QUANTILES, assert_close};
use headroom::engine::latency::{LatencyError, LatencyModel, Point, mean_lower_bound, normal};
use headroom::engine::units::{Millis, Share};
use proptest::prelude::*;

#[track_caller]
fn refuse(points: &[(f64, f64)], want: LatencyError) {
    let points: Vec<_> = points.iter().map(|&(quantile, t)| Point { quantile, at: Millis(t) }).collect();
    assert_eq!(LatencyModel::from_points(&points), Err(want));
}

#[test]
fn refuses_points_that_describe_no_distribution() {
    refuse(&[], LatencyError::PointCount(0));
    refuse(&[(0.5, 1.0); 7], LatencyError::PointCount(7));
    refuse(&[(0.0, 1.0)], LatencyError::Quantile(0.0));
    refuse(&[(1.0, 1.0)], LatencyError::Quantile(1.0));
    refuse(&[(0.5, 0.0)], LatencyError::Time(Millis(0.0)));
    refuse(&[(0.5, -3.0)], LatencyError::Time(Millis(-3.0)));
    refuse(&[(0.5, f64::INFINITY)], LatencyError::Time(Millis(f64::INFINITY)));
    let (before, after) = (0.9, 0.5);
    refuse(&[(0.9, 1.0), (0.5, 2.0)], LatencyError::QuantileOrder { before, after });
    let (before, after) = (Millis(2.0), Millis(1.0));
    refuse(&[(0.5, 2.0), (0.9, 1.0)], LatencyError::TimeOrder { before, after });
    refuse(&[(0.5, 1.0), (0.500_001, 1e12)], LatencyError::InfiniteMean);
    let nan = LatencyModel::from_points(&[Point { quantile: f64::NAN, at: Millis(1.0) }]);
    assert!(matches!(nan, Err(LatencyError::Quantile(q)) if q.is_nan()));
    assert!(LatencyModel::from_mean(Millis(f64::NAN)).is_err());
    assert!(LatencyModel::from_mean(Millis(0.0)).is_err());
}

#[test]
fn lower_bound_ignores_unusable_points() {
    for (quantile, t) in [(f64::NAN, 1.0), (0.5, f64::NAN), (0.5, -1.0), (1.5, 1.0), (-1.0, 1.0)] {
        assert_eq!(mean_lower_bound(&[Point { quantile, at: Millis(t) }]), Millis(0.0));
    }
    assert_eq!(mean_lower_bound(&[]), Millis(0.0));
}

/// One to six increasing points with steps from flat to a factor of 20.
fn models() -> impl Strategy<Value = (Vec<Point>, LatencyModel)> {
    let steps = prop::collection::vec(prop_oneof![Just(0.0), 0.0..3.0_f64], 6);
    (1.0..1e4_f64, steps, 1..=6_usize).prop_map(|(first, steps, n)| {
        let mut t = first;
        let take = |(step, (_, quantile)): (f64, (&str, f64))| {
            t *= step.exp();
            Point { quantile, at: Millis(t) }
        };
        let points: Vec<_> = steps.into_iter().zip(QUANTILES).map(take).take(n).collect();
        let model = LatencyModel::from_points(&points).expect("points increase");
        (points, model)
    })
}

/// `ln` and `exp` of the time lose a few digits, and the slope divides the error.
const ROUND_TRIP: f64 = 1e-9;

proptest! {
    #[test]
    fn passes_through_its_points((points, model) in models()) {
        for p in &points {
            assert_close("time", model.quantile(p.quantile).0, p.at.0, 1e-13);
            // On a flat piece the share is that of its right end.
            prop_assert!(model.cdf(p.at).0 >= p.quantile - ROUND_TRIP);
        }
    }

    #[test]
    fn mean_is_at_least_the_bound((points, model) in models()) {
        prop_assert!(model.mean().0 >= mean_lower_bound(&points).0 * (1.0 - 1e-14));
        prop_assert!(model.second_moment() >= model.mean().0.powi(2) * (1.0 - 1e-12));
    }

    #[test]
    fn quantile_inverts_cdf((points, model) in models(), q in 0.001..0.999_f64) {
        let rising = points.windows(2).all(|p| p[1].at.0 > p[0].at.0 * 1.001);
        let back = model.cdf(model.quantile(q)).0;
        if rising {
            prop_assert!((back - q).abs() < ROUND_TRIP, "{back} is not {q}");
        }
        prop_assert!(back >= q - ROUND_TRIP);
        let rest = model.exceedance(model.quantile(q)).0;
        prop_assert!((back + rest - 1.0).abs() < 1e-15);
    }

    #[test]
    fn quantiles_rise((_, model) in models(), q in 0.0..1.0_f64, step in 0.0..0.5_f64) {
        prop_assert!(model.quantile(q).0 <= model.quantile(q + step).0 * (1.0 + 1e-14));
    }

    #[test]
    fn cut_mean_lies_below_cut_and_mean((_, model) in models(), q in 0.001..0.999_9_f64) {
        let cut = model.quantile(q);
        let cut_mean = model.mean_of_min(cut).0;
        prop_assert!(cut_mean <= cut.0.min(model.mean().0) * (1.0 + 1e-12));
        prop_assert!(cut_mean >= cut.0 * model.exceedance(cut).0);
    }

    /// The distribution function integrates to the cut mean: `E[min(T, c)] = ∫₀ᶜ (1 - F) dt`.
    #[test]
    fn cut_mean_is_the_integral_of_the_tail((_, model) in models(), q in 0.05..0.99_f64) {
        let cut = model.quantile(q).0;
        let steps = 20_000;
        let width = cut / f64::from(steps);
        let tail = |i: i32| model.exceedance(Millis(width * (f64::from(i) + 0.5))).0;
        let integral: f64 = (0..steps).map(tail).sum::<f64>() * width;
        // The midpoint rule misses at most one step's width at each jump of the tail.
        assert_close("integral", integral, model.mean_of_min(Millis(cut)).0, 1e-3);
    }

    #[test]
    fn scaled_scales((_, model) in models(), factor in 0.01..100.0_f64, q in 0.01..0.99_f64) {
        let scaled = model.scaled(factor);
        assert_close("mean", scaled.mean().0, factor * model.mean().0, 1e-14);
        let square = factor * factor * model.second_moment();
        assert_close("second moment", scaled.second_moment(), square, 1e-14);
        assert_close("quantile", scaled.quantile(q).0, factor * model.quantile(q).0, 1e-14);
        let cut = model.quantile(q);
        let cut_mean = factor * model.mean_of_min(cut).0;
        assert_close("cut mean", scaled.mean_of_min(cut * factor).0, cut_mean, 1e-9);
    }

    #[test]
    fn never_fails_on_any_number(quantile in any::<f64>(), t in any::<f64>(), x in any::<f64>()) {
        let point = Point { quantile, at: Millis(t) };
        let _ = mean_lower_bound(&[point, point]);
        let _ = (normal::inverse(x), normal::lower_tail(x), normal::scaled_upper_tail(x));
        for model in [LatencyModel::from_points(&[point]), LatencyModel::from_mean(Millis(t))] {
            let Ok(model) = model else { continue };
            let Share(share) = model.scaled(x).cdf(Millis(x));
            prop_assert!((0.0..=1.0).contains(&share));
            prop_assert!(model.mean().0.is_finite());
            let _ = (model.quantile(x), model.mean_of_min(Millis(x)));
        }
    }
}
