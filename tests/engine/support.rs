//! What all engine tests share.

/// Fails unless `got` is within `relative` of `want`.
#[track_caller]
pub fn assert_close(what: &str, got: f64, want: f64, relative: f64) {
    let error = (got - want).abs() / want.abs().max(f64::MIN_POSITIVE);
    assert!(error <= relative, "{what}: {got} is not {want} (relative error {error:e})");
}

/// The percentiles of a scenario and the share each stands for.
pub const QUANTILES: [(&str, f64); 6] =
    [("p50", 0.5), ("p75", 0.75), ("p90", 0.9), ("p95", 0.95), ("p99", 0.99), ("p999", 0.999)];
