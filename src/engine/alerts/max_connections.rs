//! `max_connections` keeps pools from growing.

use super::query::Metric;
use super::{Alert, Plan, Severity};
use crate::engine::units::display;

/// A warning at any: the limit is sized so that `max_requests` comes first. Envoy counts each try to
/// open a connection, so the figure is no number of requests.
pub fn alerts(p: Plan<'_>) -> Vec<Alert> {
    let limit = display::count(f64::from(p.analysis.default_threshold().max_connections));
    let alert = Alert {
        name: "HeadroomMaxConnectionsFull".to_owned(),
        expr: format!("{} > 0", p.query.increase(Metric::UpstreamCxOverflow)),
        hold: "10m",
        severity: Severity::Warning,
        summary: format!("max_connections ({limit} per proxy) keeps pools from growing"),
        description: format!(
            "Requests wait for a connection, and max_pending_requests refuses next. The limit is sized for {} in each proxy and {}: see whether there are more of these now, and whether hosts allow fewer streams a connection. Then set the limits anew. The counter upstream_cx_overflow rises with each try, so it is no number of requests.",
            display::plural(f64::from(p.analysis.scenario.workers), "worker", "workers"),
            display::plural(f64::from(p.analysis.scenario.hosts), "host", "hosts")
        ),
    };
    vec![alert]
}
