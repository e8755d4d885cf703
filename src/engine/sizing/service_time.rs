//! The time one request holds a slot: fitted from the percentiles, or given.

use super::ledger::{Ledger, assumption, derived, given};
use crate::engine::analysis::LatencySummary;
use crate::engine::filled::filled;
use crate::engine::latency::{ASSUMED_P99_OVER_P50, LatencyError, LatencyModel, Point, mean_lower_bound};
use crate::engine::scenario::Scenario;
use crate::engine::units::{Millis, display};

/// The distribution of the time in service and its figures.
#[derive(Clone, Debug, PartialEq)]
pub struct ServiceTime {
    /// The fitted distribution.
    pub model: LatencyModel,
    /// Its figures; the mean is the given one if there is one.
    pub summary: LatencySummary,
}

impl ServiceTime {
    /// The mean that Little's law uses.
    pub fn mean(&self) -> Millis {
        self.summary.mean_ms
    }
}

/// Fits the distribution of a scenario: of latencies, or of the lives of streams.
///
/// # Errors
///
/// [`LatencyError`] only for points that the draft would have refused.
pub fn fit(s: &Scenario, ledger: &mut Ledger) -> Result<ServiceTime, LatencyError> {
    let (points, given_mean) = measured(s);
    let model = through(&points, given_mean)?;
    let summary = LatencySummary {
        mean_ms: given_mean.unwrap_or_else(|| model.mean()),
        mean_bounds_ms: (lowest_mean(&points, given_mean), None),
        p50_ms: model.quantile(0.5),
        p99_ms: model.quantile(0.99),
        p999_ms: model.quantile(0.999),
    };
    explain(&points, given_mean, &summary, ledger);
    Ok(ServiceTime { model, summary })
}

/// The distribution of a scenario alone: through its percentiles, or of the assumed shape around its
/// mean. A mean that is given beside percentiles does not move it.
///
/// # Errors
///
/// [`LatencyError`] only for points that the draft would have refused.
pub fn distribution(s: &Scenario) -> Result<LatencyModel, LatencyError> {
    let (points, given_mean) = measured(s);
    through(&points, given_mean)
}

fn through(points: &[Point], given_mean: Option<Millis>) -> Result<LatencyModel, LatencyError> {
    if points.is_empty() {
        LatencyModel::from_mean(given_mean.unwrap_or_default())
    } else {
        LatencyModel::from_points(points)
    }
}

/// The percentiles and the mean that were given, of whatever holds a slot.
fn measured(s: &Scenario) -> (Vec<Point>, Option<Millis>) {
    if let (true, Some(life)) = (s.protocol.streams(), &s.stream_duration_s) {
        let points = life.p99.map(|p99| Point { quantile: 0.99, at: Millis::from_secs(p99) });
        return (points.into_iter().collect(), life.mean.map(Millis::from_secs));
    }
    let points = s.latency_ms.percentiles().into_iter().map(|(quantile, _, at)| Point { quantile, at });
    (points.collect(), s.latency_ms.mean)
}

fn lowest_mean(points: &[Point], given: Option<Millis>) -> Millis {
    if points.is_empty() { given.unwrap_or_default() } else { mean_lower_bound(points) }
}

fn explain(points: &[Point], given_mean: Option<Millis>, summary: &LatencySummary, ledger: &mut Ledger) {
    let list: Vec<String> = points
        .iter()
        .map(|p| format!("p{} {}", display::number(p.quantile * 100.0), display::number(p.at.0)))
        .collect();
    let list = list.join(", ");
    let mean = summary.mean_ms.0;
    if given_mean.is_some() {
        ledger.add("latency.mean", mean, "ms", given("the scenario"), "mean", filled("{}", [mean]));
    } else {
        ledger.add(
            "latency.mean",
            mean,
            "ms",
            derived(
                "mean of a piecewise log-normal distribution: ln t is linear in z between the percentiles",
            ),
            "E[T] = Σ e^(α + β²/2) · [Φ(z₂ − β) − Φ(z₁ − β)]",
            format!("through {list}"),
        );
    }
    ledger.add(
        "latency.mean_low",
        summary.mean_bounds_ms.0.0,
        "ms",
        derived("holds for any distribution with these percentiles; no upper bound exists without a maximum"),
        "Σ (q(i+1) − q(i)) · t(i)",
        list,
    );
    if points.len() < 2 {
        ledger.add(
            "latency.shape",
            ASSUMED_P99_OVER_P50,
            "×",
            assumption("our choice: typical of a healthy service; a second percentile replaces it"),
            "p99 / p50",
            "3, since fewer than two percentiles are known",
        );
    }
    for (id, value) in [("latency.p99", summary.p99_ms), ("latency.p999", summary.p999_ms)] {
        ledger.add(
            id,
            value.0,
            "ms",
            derived("the same distribution; beyond the last percentile its slope continues"),
            "t(q) = e^(α + β · Φ⁻¹(q))",
            filled("{}", [value.0]),
        );
    }
}
