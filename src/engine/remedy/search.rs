//! Halving: the smallest value of an input with which a condition holds.

use crate::engine::params::{Kind, ParamId, param};
use crate::engine::scenario::Scenario;

/// The scenario with more hosts. Where one host became several, one of them may be down, as the
/// form assumes.
fn with_hosts(s: &Scenario, hosts: u64) -> Scenario {
    let hosts = u32::try_from(hosts).unwrap_or(u32::MAX);
    let hosts_lost = if s.hosts == 1 && hosts > 1 { 1 } else { s.hosts_lost };
    Scenario { hosts, hosts_lost, ..s.clone() }
}

/// The smallest number of hosts, above today's, with which a condition holds that more hosts can
/// only help.
pub fn hosts_where(s: &Scenario, holds: impl Fn(&Scenario) -> bool) -> Option<u32> {
    let with_room = |hosts| holds(&with_hosts(s, hosts));
    first(u64::from(s.hosts) + 1, largest(ParamId::Hosts), with_room).and_then(|n| u32::try_from(n).ok())
}

/// The smallest number of hosts, above today's, that survive `in_flight` when `hosts_lost` are
/// down.
pub fn hosts_surviving(s: &Scenario, in_flight: f64) -> Option<u32> {
    let each = s.host_concurrency?;
    hosts_where(s, |changed| f64::from(changed.hosts_left()) * each >= in_flight)
}

/// The largest whole value that the table of inputs allows.
pub fn largest(id: ParamId) -> u64 {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the table ends at 1e9")]
    match param(id).kind {
        Kind::Whole(range) | Kind::Number(range) => range.max as u64,
        _ => 0,
    }
}

/// The smallest number in `low ..= high` for which a rising condition holds.
pub fn first(low: u64, high: u64, holds: impl Fn(u64) -> bool) -> Option<u64> {
    if low > high || !holds(high) {
        return None;
    }
    let (mut low, mut high) = (low, high);
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    Some(low)
}
