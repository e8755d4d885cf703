//! More requests in flight than was sized for, before anything is refused.

use super::query::{Metric, number};
use super::{Alert, Plan, Severity};
use crate::engine::analysis::Priority;
use crate::engine::sizing::demand::Demand;
use crate::engine::units::display;

/// One alert a priority: in flight are `max_requests − remaining_rq`, on average over ten minutes in the
/// busiest proxy, against the erlangs that were sized for.
///
/// That is the load of the slowdown with its retries. Where the ceiling left no room for it, it is the
/// load of the healthy peak; where not even that fits, refusals are all there is to watch.
pub fn alerts(p: Plan<'_>) -> Vec<Alert> {
    let a = p.analysis;
    let demands = Demand::of(&a.scenario, &a.load, a.latency.mean_ms);
    let both = a.thresholds.iter().zip(&demands).filter(|(threshold, _)| threshold.track_remaining);
    let alerts = both.filter_map(|(threshold, demand)| {
        let limit = f64::from(threshold.max_requests);
        let (planned, what) = [
            (demand.offered_at_slowdown.0, "in the slowdown that is to be ridden out"),
            (demand.offered.0, "in the worst second of the healthy peak"),
        ]
        .into_iter()
        .find(|(planned, _)| *planned < limit)?;
        let remaining = p.query.each(Metric::RemainingRq(threshold.priority));
        let priority = match threshold.priority {
            Priority::Default => "",
            Priority::High => "HighPriority",
        };
        Some(Alert {
            name: format!("Headroom{priority}InFlightAbovePlan"),
            expr: format!("max({limit} - avg_over_time({remaining}[10m])) > {}", number(planned)),
            hold: "5m",
            severity: Severity::Warning,
            summary: format!(
                "{{{{ $value | humanize }}}} requests in flight in the busiest proxy, of {} that max_requests allows",
                display::count(limit)
            ),
            description: format!(
                "Sized were {} {what}. Refusals come next. Compare rate and latency with those behind the link, enter today's, and set the limits anew. The limit of {} is part of this rule.",
                display::number(planned),
                display::count(limit)
            ),
        })
    });
    alerts.collect()
}
