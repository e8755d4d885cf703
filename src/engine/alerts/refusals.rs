//! `max_requests` refuses more than planned.

use super::query::Metric;
use super::{Alert, Plan, Severity};
use crate::engine::units::{Share, display};

/// Refusals that callers notice, whatever was planned: one in a hundred.
const MANY: Share = Share(0.01);

/// How far above the plan refusals are many.
const TIMES: f64 = 10.0;

/// A warning above what was planned, and a critical alert far above it.
///
/// The plan is the tolerated share, or what the forecast says where no limit could keep that. It is
/// for the busiest proxy in its worst second, so five minutes of the whole fleet stay below it. What is
/// refused is not in `upstream_rq_total`, which counts attempts that reached a connection.
pub fn alerts(p: Plan<'_>) -> Vec<Alert> {
    let a = p.analysis;
    let planned = Share(a.scenario.shed_target.0.max(a.forecast.refused_at_peak.0));
    let many = Share((planned.0 * TIMES).max(MANY.0));
    let above = |share| p.query.share_above(p.query.refusals(), Metric::UpstreamRqTotal, share);
    let limit = display::count(f64::from(a.default_threshold().max_requests));
    let counter = if p.query.tells_active_overflow() {
        "Envoy counts these refusals in upstream_rq_active_overflow."
    } else {
        "This version of Envoy counts them in upstream_rq_pending_overflow, together with those of max_pending_requests."
    };
    let mut alerts = vec![Alert {
        name: "HeadroomMaxRequestsRefusesMoreThanPlanned".to_owned(),
        expr: above(planned),
        hold: "10m",
        severity: Severity::Warning,
        summary: "max_requests refuses {{ $value | humanizePercentage }} of requests".to_owned(),
        description: format!(
            "Planned are at most {}, with {limit} requests in flight per proxy. See whether the rate, the latency or the number of proxies has outgrown the plan; enter today's in the link and set the limits anew. If the upstream is slow or hosts are down, the limit protects it: mend that first. {counter}",
            display::share(planned)
        ),
    }];
    if many.0 < 1.0 {
        let ceiling = a.window.ceiling.map_or_else(
            || "What the hosts survive is not known, so raise it in small steps.".to_owned(),
            |ceiling| {
                let most = display::count(f64::from(ceiling));
                format!("Above {most} per proxy the fleet can exceed what the hosts survive.")
            },
        );
        alerts.push(Alert {
            name: "HeadroomMaxRequestsRefusesMany".to_owned(),
            expr: above(many),
            hold: "2m",
            severity: Severity::Critical,
            summary: "max_requests refuses {{ $value | humanizePercentage }} of requests, callers get 503".to_owned(),
            description: format!(
                "Look at the latency and the health of the hosts first: a limit of {limit} that is full in a stall does its work. If the hosts are well, traffic has outgrown it: raise max_requests. {ceiling}"
            ),
        });
    }
    alerts
}
