//! Who stands out by the share of failures in an interval.

use super::monitor::Rate;
use crate::engine::sim::Outlier;

/// A host and its success rate in percent.
type Rated = (u32, f64);

/// Hosts that stand out by success rate: below `mean - factor · σ`, `σ` over all of them.
///
/// # Formula
///
/// Of the hosts with at least `success_rate_request_volume` requests, at least
/// `success_rate_minimum_hosts`, those with a rate below `mean - factor / 1000 · σ`, where
/// `σ² = Σ (rate - mean)² / n`.
pub(super) fn success_rate(config: &Outlier, rates: &[(u32, Rate)]) -> Vec<u32> {
    let valid = with_volume(rates, config.success_rate_request_volume);
    if valid.is_empty() || valid.len() < config.success_rate_minimum_hosts as usize {
        return Vec::new();
    }
    let n = valid.len() as f64;
    let mean = valid.iter().map(|&(_, rate)| rate).sum::<f64>() / n;
    let variance = valid.iter().map(|&(_, rate)| (rate - mean) * (rate - mean)).sum::<f64>() / n;
    let threshold = mean - f64::from(config.success_rate_stdev_factor) / 1000.0 * libm::sqrt(variance);
    valid.into_iter().filter(|&(_, rate)| rate < threshold).map(|(host, _)| host).collect()
}

/// Hosts with at least `failure_percentage_threshold` percent of failures.
pub(super) fn failure_percentage(config: &Outlier, rates: &[(u32, Rate)]) -> Vec<u32> {
    let valid = with_volume(rates, config.failure_percentage_request_volume);
    if valid.len() < config.failure_percentage_minimum_hosts as usize {
        return Vec::new();
    }
    let threshold = f64::from(config.failure_percentage_threshold);
    valid.into_iter().filter(|&(_, rate)| 100.0 - rate >= threshold).map(|(host, _)| host).collect()
}

fn with_volume(rates: &[(u32, Rate)], volume: u32) -> Vec<Rated> {
    let percent = |rate: Rate| f64::from(rate.success) * 100.0 / f64::from(rate.total);
    let enough = |rate: Rate| rate.total > 0 && rate.total >= volume;
    rates.iter().filter(|&&(_, rate)| enough(rate)).map(|&(host, rate)| (host, percent(rate))).collect()
}
