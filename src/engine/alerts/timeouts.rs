//! Requests and attempts run into their timeouts.

use super::query::Metric;
use super::{Alert, Plan, Severity};
use crate::engine::scenario::Protocol;
use crate::engine::units::{Share, display};

/// Alerts for the route's timeout and for that of an attempt, where they are set.
///
/// On a route for unary gRPC Envoy arms no route timeout; what ends such a call counts at the listener.
pub fn alerts(p: Plan<'_>) -> Vec<Alert> {
    let a = p.analysis;
    let good_day = a.scenario.error_rate.0.max(a.scenario.shed_target.0);
    let mut alerts = Vec::new();
    if a.timeouts.route_ms.0 > 0.0 && a.scenario.protocol != Protocol::Grpc && good_day < 1.0 {
        alerts.push(Alert {
            name: "HeadroomRouteTimeouts".to_owned(),
            expr: p.query.share_of_above(Metric::UpstreamRqTimeout, Metric::UpstreamRqTotal, Share(good_day)),
            hold: "5m",
            severity: Severity::Critical,
            summary: "{{ $value | humanizePercentage }} of attempts end in the route timeout, callers get 504".to_owned(),
            description: format!(
                "The route allows {} for all attempts; p99 is planned at {}. The upstream is slower than planned: look at its latency and at what it waits for. A longer timeout holds more requests in flight and fills max_requests.",
                display::millis(a.timeouts.route_ms),
                display::millis(a.latency.p99_ms)
            ),
        });
    }
    let cut = a.forecast.cut_by_per_try_at_slowdown.map(|cut| Share(cut.0.max(good_day)));
    if let (Some(per_try), Some(share)) = (a.timeouts.per_try_ms, cut.filter(|share| share.0 < 1.0)) {
        alerts.push(Alert {
            name: "HeadroomPerTryTimeouts".to_owned(),
            expr: p.query.share_of_above(Metric::UpstreamRqPerTryTimeout, Metric::UpstreamRqTotal, share),
            hold: "5m",
            severity: Severity::Warning,
            summary: "per_try_timeout cuts {{ $value | humanizePercentage }} of attempts".to_owned(),
            description: format!(
                "An attempt may take {}; planned are cuts of at most {}, at {} latency. The upstream is slower than that, or some hosts are: compare hosts, see whether outlier detection ejects. Each cut attempt is retried and adds load.",
                display::millis(per_try),
                display::share(share),
                display::multiple(a.scenario.slowdown)
            ),
        });
    }
    alerts
}
