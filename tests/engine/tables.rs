//! The engine against printed tables and values from high-precision arithmetic.

use crate::support::assert_close;
use headroom::engine::latency::{LatencyModel, Point, normal};
use headroom::engine::queueing::{erlang_b, mmck, poisson};
use headroom::engine::units::{Erlangs, Millis, Share};

/// Values of the distribution function to 20 digits, from a 40-digit evaluation of erfc.
const NORMAL: [(f64, f64); 8] = [
    (-37.0, 5.725_571_222_524_577e-300),
    (-20.0, 2.753_624_118_606_233_7e-89),
    (-8.0, 6.220_960_574_271_784e-16),
    (-3.0, 1.349_898_031_630_094_5e-3),
    (-1.0, 0.158_655_253_931_457_05),
    (0.5, 0.691_462_461_274_013_1),
    (2.0, 0.977_249_868_051_820_8),
    (5.0, 0.999_999_713_348_428_1),
];

/// A few units in the last place.
const NORMAL_TOLERANCE: f64 = 1e-15;

#[test]
fn normal_distribution_is_accurate_in_both_tails() {
    for (z, p) in NORMAL {
        assert_close("lower tail", normal::lower_tail(z), p, NORMAL_TOLERANCE);
        assert_close("upper tail", normal::upper_tail(-z), p, NORMAL_TOLERANCE);
        // From 1 downward the last digit of p moves z visibly.
        if z < 1.0 {
            assert_close("inverse", normal::inverse(p), z, NORMAL_TOLERANCE);
        }
    }
}

/// The check values printed with algorithm AS 241.
#[test]
fn normal_inverse_gives_the_published_check_values() {
    for (p, z) in
        [(0.25, -0.674_489_750_196_081_7), (0.001, -3.090_232_306_167_814), (1e-20, -9.262_340_089_798_408)]
    {
        assert_close("inverse", normal::inverse(p), z, NORMAL_TOLERANCE);
    }
}

#[test]
fn scaled_tail_joins_its_series_smoothly() {
    // Both sides of the change-over, where exp(y²/2) times the tail is good to 2e-13; between
    // the two points y times the value changes by 3e-15.
    let (low, high) = (25.999_999_999_f64, 26.0);
    assert_close(
        "scaled tail",
        normal::scaled_upper_tail(low) * low,
        normal::scaled_upper_tail(high) * high,
        2e-13,
    );
}

/// Steep, then nearly flat, where the two factors of the closed form span 90 orders of magnitude.
/// Moments from its evaluation with 400 digits.
#[test]
fn steep_lines_keep_their_digits() {
    let points = [(0.5, 1.0), (0.9, 2.0), (0.99, 1e5), (0.999, 100_001.0)];
    let points = points.map(|(quantile, t)| Point { quantile, at: Millis(t) });
    let model = LatencyModel::from_points(&points).expect("points increase");
    // Differences of normal probabilities cost about two digits.
    assert_close("mean", model.mean().0, 1_327.859_342_718_685_5, 1e-13);
    assert_close("second moment", model.second_moment(), 114_454_740.893_004_82, 1e-13);
}

/// Servers, refused share, and the load at which it is reached.
///
/// The standard table of the Erlang loss formula, as in R. B. Cooper, Introduction to Queueing
/// Theory (1981), and every traffic-engineering handbook since.
const ERLANG_B_TABLE: [(u64, f64, f64); 11] = [
    (1, 0.01, 0.0101),
    (5, 0.01, 1.361),
    (10, 0.01, 4.461),
    (20, 0.01, 12.03),
    (50, 0.01, 37.90),
    (100, 0.01, 84.06),
    (10, 0.02, 5.084),
    (50, 0.02, 40.26),
    (100, 0.02, 87.97),
    (10, 0.001, 3.092),
    (100, 0.001, 75.24),
];

/// The table prints four digits; the third of its first row is the coarsest.
const TABLE_TOLERANCE: f64 = 2e-3;

#[test]
fn erlang_b_table() {
    for (servers, blocking, offered) in ERLANG_B_TABLE {
        let load = erlang_b::offered_for(servers, Share(blocking)).0;
        assert_close(&format!("load of {servers}"), load, offered, TABLE_TOLERANCE);
        // One step of the last printed digit beyond the load needs one more server.
        let beyond = Erlangs(offered * (1.0 + TABLE_TOLERANCE));
        assert_eq!(erlang_b::servers_for(beyond, Share(blocking)), servers + 1);
        let within = Erlangs(offered * (1.0 - TABLE_TOLERANCE));
        assert_eq!(erlang_b::servers_for(within, Share(blocking)), servers);
    }
}

/// The two limits of the first sizing question: far too low, and out of the way.
#[test]
fn erlang_b_of_20_erlangs() {
    let refused = erlang_b::blocking(10, Erlangs(20.0)).0;
    assert!((refused - 0.538).abs() < 5e-4, "{refused}");
    // Zero to every digit anybody prints.
    assert!(erlang_b::blocking(400, Erlangs(20.0)).0 < 1e-300);
}

/// The sum for 1 / B with 30 digits, from 1e7 on its integral with 40.
const LARGE_ERLANG_B: [(u64, f64, f64); 18] = [
    (5_000, 5_000.0, 0.011_199_358_278_505_486),
    (4_400, 4_096.5, 1.029_900_475_530_545_7e-7),
    (4_000, 5_000.25, 0.200_831_941_835_598_86),
    (10_300, 1e4, 4.571_099_863_384_17e-5),
    (11_000, 1e4, 3.590_505_496_567_452e-24),
    (100_000, 100_123.5, 0.003_350_482_941_207_122_7),
    (101_500, 100_123.5, 1.016_379_387_484_957_4e-7),
    (1_010_000, 1e6, 9.037_491_599_421_566e-26),
    (995_000, 1e6, 0.005_185_567_462_013_668),
    (10_000_000, 1e7, 2.522_708_159_199_475e-4),
    (10_010_000, 1e7, 8.516_957_924_073_478e-7),
    (9_990_000, 1e7, 0.001_085_942_111_854_762_4),
    (4_294_967_295, 4_294_700_000.5, 1.486_166_756_028_244_5e-9),
    (4_000_000_000, 3_999_800_000.0, 4.252_802_920_447_908e-8),
    (5_000_000_000, 4_999_900_000.0, 2.252_675_623_695_866_5e-6),
    (9_999_000_000, 1e10, 1.009_808_342_114_850_4e-4),
    (10_000_500_000, 1e10, 1.486_992_524_463_895_4e-11),
    (0, 1e10, 1.0),
];

/// Exponents reach a few hundred, each with a relative error of 1e-16.
const LARGE_TOLERANCE: f64 = 1e-12;

#[test]
fn large_erlang_b_keeps_its_digits() {
    for (servers, offered, want) in LARGE_ERLANG_B {
        let got = erlang_b::blocking(servers, Erlangs(offered)).0;
        assert_close(&format!("{servers} servers, {offered} erlangs"), got, want, LARGE_TOLERANCE);
    }
    // Beyond the range of a double: the exact value is 8.2e-312.
    assert!(erlang_b::blocking(14_000, Erlangs(1e4)).0 < 1e-307);
    assert!(erlang_b::blocking(5_000_000_000, Erlangs(1e4)).0 < 1e-307);
}

/// Mean, number, its probability and that of more, from arithmetic with 40 digits.
const POISSON: [(f64, u64, f64, f64); 6] = [
    (12.5, 30, 1.134_904_430_729_487_8e-5, 7.425_102_874_541_043e-6),
    (0.001, 5, 8.325_004_165_278_125e-18, 1.387_698_933_377_459_8e-21),
    (5e3, 6_000, 8.295_336_851_602_933e-44, 4.123_170_367_173_039e-43),
    (5e3, 5_100, 0.002_068_664_615_951_624, 0.077_962_334_540_621_07),
    (1e5, 100_700, 1.091_057_286_646_221_1e-4, 0.013_444_575_262_891_847),
    (1e6, 1_003_000, 4.445_143_581_879_104e-6, 0.001_353_590_129_101_249_2),
];

#[test]
fn poisson_keeps_its_digits() {
    for (mean, n, probability, tail) in POISSON {
        let what = format!("mean {mean}, {n}");
        assert_close(&what, poisson::pmf(mean, n).0, probability, LARGE_TOLERANCE);
        assert_close(&what, poisson::tail(mean, n).0, tail, LARGE_TOLERANCE);
        assert_close(&what, poisson::cdf(mean, n).0, 1.0 - tail, LARGE_TOLERANCE);
    }
    let far = poisson::pmf(1e9, 1_000_100_000).0;
    assert_close("mean 1e9", far, 8.501_358_319_512_47e-8, LARGE_TOLERANCE);
    let far = poisson::pmf(1e10, 9_999_700_000).0;
    assert_close("mean 1e10", far, 4.431_715_456_448_723e-8, LARGE_TOLERANCE);
}

/// Offered load, servers, places, loss; the birth-death sum with 40 digits.
const MMCK: [(f64, u64, u64, f64); 6] = [
    (100.0, 100, 200, 0.008_833_145_020_395_828),
    (99.999_999, 100, 5_000, 2.035_279_271_849_92e-4),
    (100.000_001, 100, 5_000, 2.035_379_251_656_973_6e-4),
    (2e4, 10_000, 10_500, 0.5),
    (0.5, 3, 9, 2.706_246_422_680_51e-7),
    (9e3, 10_000, 10_200, 1.475_654_311_485_749e-35),
];

#[test]
fn mmck_keeps_its_digits() {
    for (offered, servers, places, want) in MMCK {
        let got = mmck::blocking(Erlangs(offered), servers, places).0;
        assert_close(&format!("{offered} on {servers}, {places}"), got, want, LARGE_TOLERANCE);
    }
}
