//! So few hosts are left that Envoy balances over all, ejected ones too.

use super::query::Metric;
use super::{Alert, Plan, Severity};

/// A critical alert at any, where outlier detection is on: it is sized to stay clear of panic.
pub fn alerts(p: Plan<'_>) -> Vec<Alert> {
    if p.analysis.outlier.is_none() {
        return Vec::new();
    }
    let alert = Alert {
        name: "HeadroomPanic".to_owned(),
        expr: format!("{} > 0", p.query.rate(Metric::LbHealthyPanic)),
        hold: "1m",
        severity: Severity::Critical,
        summary: "Envoy sends requests to hosts that it holds for broken".to_owned(),
        description: "Fewer than half of the hosts are available (healthy_panic_threshold, 50% unless set otherwise), so all of them get traffic. Bring hosts back: look at health checks, rollouts and what the hosts depend on."
            .to_owned(),
    };
    vec![alert]
}
