//! Fixes that several rules offer, each verified by the formula it is solved from.

use super::{Context, Fix};
use crate::engine::params::ParamId;
use crate::engine::remedy::{Goal, Room, hosts_surviving, hosts_where};
use crate::engine::sizing::outlier_detection;
use crate::engine::units::{Millis, display};

/// Text of a button and what it does.
pub type LabeledFix = Option<(String, Fix)>;

/// As many hosts as open the window of every priority.
pub fn hosts_with_room(cx: &Context<'_>) -> LabeledFix {
    use_hosts(room_for_recommendation(cx))
}

/// As many hosts as carry the peak and open every window.
pub fn hosts_for_peak(cx: &Context<'_>) -> LabeledFix {
    let peak = hosts_surviving(cx.scenario, cx.sizing.load.fleet_concurrency_at_peak.0)?;
    use_hosts(Some(room_for_recommendation(cx).map_or(peak, |room| room.max(peak))))
}

/// As many hosts as survive the recommendations of both priorities together.
pub fn hosts_for_both_priorities(cx: &Context<'_>) -> LabeledFix {
    let each: f64 = cx.sizing.priorities.iter().map(|p| f64::from(p.window.recommended)).sum();
    let sum = hosts_surviving(cx.scenario, each * f64::from(cx.scenario.clients))?;
    use_hosts(Some(room_for_recommendation(cx).map_or(sum, |room| room.max(sum))))
}

/// As many hosts as let outlier detection eject one.
pub fn hosts_to_spare_one(cx: &Context<'_>) -> LabeledFix {
    let mean = cx.sizing.latency.mean_ms;
    use_hosts(hosts_where(cx.scenario, |changed| outlier_detection::detection(changed, mean).0.is_some()))
}

/// A longer deadline.
pub fn deadline(to: Millis) -> LabeledFix {
    let fits = to.0 <= 1e9;
    fits.then(|| (format!("Deadline of {}", display::millis(to)), Fix::set(ParamId::DeadlineMs, to.0)))
}

fn room_for_recommendation(cx: &Context<'_>) -> Option<u32> {
    Room::new(cx.scenario, cx.sizing, Goal::Recommended).hosts()
}

fn use_hosts(hosts: Option<u32>) -> LabeledFix {
    let hosts = f64::from(hosts?);
    Some((format!("Use {} hosts", display::count(hosts)), Fix::set(ParamId::Hosts, hosts)))
}
