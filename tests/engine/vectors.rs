//! The engine against vectors that were computed independently, at high precision.

use crate::support::{QUANTILES, assert_close};
use headroom::engine::latency::{LatencyModel, Point, mean_lower_bound};
use headroom::engine::queueing::{erlang_b, mmck, poisson};
use headroom::engine::retry::backoff::BackOff;
use headroom::engine::retry::budget;
use headroom::engine::units::{Erlangs, Millis, Percent, Share};
use serde_json::Value;

/// The vectors carry ten significant digits; the requirement on every column is 1e-6.
const LATENCY_TOLERANCE: f64 = 1e-8;

/// Probabilities are written with nine digits.
const BLOCKING_TOLERANCE: f64 = 1e-8;

fn rows(text: &str) -> Vec<Value> {
    let rows: Vec<Value> = serde_json::from_str(text).expect("vectors are JSON lists");
    assert!(!rows.is_empty());
    rows
}

fn number(row: &Value, key: &str) -> f64 {
    row[key].as_f64().expect(key)
}
fn count(row: &Value, key: &str) -> u64 {
    row[key].as_u64().expect(key)
}

fn points(row: &Value) -> Vec<Point> {
    let at = |name| row["latency_ms"][name].as_f64();
    let point = |&(name, quantile)| at(name).map(|t| Point { quantile, at: Millis(t) });
    QUANTILES.iter().filter_map(point).collect()
}

#[test]
fn latency() {
    for row in &rows(include_str!("../vectors/latency.json")) {
        let points = points(row);
        let model = LatencyModel::from_points(&points).expect("vectors hold valid points");
        let close = |column: &str, got: f64| {
            assert_close(&format!("{column} of {row}"), got, number(row, column), LATENCY_TOLERANCE);
        };
        let cut = Millis(number(row, "cut_ms"));
        close("mean_ms", model.mean().0);
        close("second_moment_ms2", model.second_moment());
        close("mean_lower_bound_ms", mean_lower_bound(&points).0);
        close("cdf_at_cut", model.cdf(cut).0);
        close("mean_of_min_with_cut_ms", model.mean_of_min(cut).0);
        for (q, t) in row["quantiles"].as_object().expect("quantiles are an object") {
            let got = model.quantile(q.parse().expect("a quantile is a number")).0;
            let want = t.as_f64().expect("a time is a number");
            assert_close(&format!("quantile {q} of {row}"), got, want, LATENCY_TOLERANCE);
        }
    }
}

#[test]
fn erlang_b() {
    for row in &rows(include_str!("../vectors/erlang_b.json")) {
        let (offered, servers) = (Erlangs(number(row, "offered")), count(row, "servers"));
        let close = |column: &str, servers: u64| {
            let got = erlang_b::blocking(servers, offered).0;
            assert_close(&format!("{column} of {row}"), got, number(row, column), BLOCKING_TOLERANCE);
        };
        close("blocking", servers);
        close("blocking_one_less", servers - 1);
        let target = Share(number(row, "shed_target"));
        assert_eq!(erlang_b::servers_for(offered, target), servers, "servers of {row}");
    }
}

#[test]
fn mmck() {
    for row in &rows(include_str!("../vectors/mmck.json")) {
        let offered = Erlangs(number(row, "offered"));
        let got = mmck::blocking(offered, count(row, "servers"), count(row, "places")).0;
        assert_close(&format!("{row}"), got, number(row, "blocking"), BLOCKING_TOLERANCE);
    }
}

#[test]
fn poisson_quantile() {
    for row in &rows(include_str!("../vectors/poisson_quantile.json")) {
        let got = poisson::quantile(number(row, "mean"), Share(number(row, "tail")));
        assert_eq!(got, count(row, "quantile"), "{row}");
    }
}

#[test]
fn back_off() {
    for row in &rows(include_str!("../vectors/back_off.json")) {
        let (base, max) = (Millis(number(row, "base_ms")), Millis(number(row, "max_ms")));
        let back_off = BackOff { base, max };
        let want = row["upper_bounds_ms"].as_array().expect("bounds are a list");
        let want: Vec<_> = want.iter().filter_map(Value::as_f64).map(Millis).collect();
        let got: Vec<_> = (1..=6).map(|n| back_off.upper_bound(n)).collect();
        assert_eq!(got, want, "{row}");
        assert_eq!(back_off.total_bound(6), want.iter().copied().sum(), "{row}");
    }
}

#[test]
fn retry_budget() {
    for row in &rows(include_str!("../vectors/retry_budget.json")) {
        let percent = Percent(number(row, "budget_percent"));
        let min = u32::try_from(count(row, "min_retry_concurrency")).expect("a UInt32");
        let got = budget::allowed(percent, min, count(row, "active_plus_pending"));
        assert_eq!(got, count(row, "allowed"), "{row}");
    }
}
