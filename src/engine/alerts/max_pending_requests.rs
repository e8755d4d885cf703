//! `max_pending_requests` refuses.

use super::query::Metric;
use super::{Alert, Plan, Severity};
use crate::engine::units::{Share, display};

/// A warning above what is tolerated; only where the counter says this and nothing else.
pub fn alerts(p: Plan<'_>) -> Vec<Alert> {
    if !p.query.tells_active_overflow() {
        return Vec::new();
    }
    let a = p.analysis;
    let cold = a.forecast.use_at_peak.pending_refused_cold;
    let planned = Share(a.scenario.shed_target.0.max(cold.0));
    let alert = Alert {
        name: "HeadroomMaxPendingRequestsRefuses".to_owned(),
        expr: p.query.share_above(Metric::UpstreamRqPendingOverflow, Metric::UpstreamRqTotal, planned),
        hold: "10m",
        severity: Severity::Warning,
        summary: "max_pending_requests refuses {{ $value | humanizePercentage }} of requests".to_owned(),
        description: format!(
            "Requests wait while connections are opened, up to {} per proxy; planned are refusals of at most {}, while pools are cold. See whether setting up a connection takes longer than {} (TLS, DNS, far hosts), whether hosts restart or close connections often, and whether max_connections is full.",
            display::count(f64::from(a.default_threshold().max_pending_requests)),
            display::share(planned),
            display::millis(a.scenario.connect_ms)
        ),
    };
    vec![alert]
}
