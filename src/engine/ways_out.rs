//! Ways out of a window that is tight or shut: one change each, with its number.

use super::analysis::{FieldChange, WayOut};
use super::params::{ParamId, param};
use super::phrases;
use super::remedy::{Goal, Room};
use super::scenario::Scenario;
use super::sizing::Sizing;
use super::units::display;

/// A single change that makes room, and for what.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Way {
    /// What changes.
    pub change: Change,
    /// What there is room for then.
    pub goal: Goal,
}

/// What a way out changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// That many hosts.
    Hosts(u32),
    /// That many proxies, each larger.
    Clients(u32),
    /// Hosts that survive that many requests in flight.
    HostConcurrency(f64),
    /// `max_requests` of that value at the receiving proxy of each host, where the sum is known.
    ReceivingLimit(f64),
}

/// The single changes that make room, as buttons.
pub fn ways_out(s: &Scenario, ways: &[Way]) -> Vec<WayOut> {
    let button = |way: &Way| WayOut { label: way.label(), set: way.set(), effect: way.effect(s) };
    ways.iter().map(button).collect()
}

/// The single changes that make room for the recommendation or, where nothing does, for the
/// floor; empty when the window is open.
pub fn ways(s: &Scenario, z: &Sizing) -> Vec<Way> {
    let shut = z.priorities.iter().any(|p| p.window.is_shut());
    if !shut && !z.priorities.iter().any(|p| p.window.is_tight()) {
        return Vec::new();
    }
    let goals = if shut { &[Goal::Recommended, Goal::Floor][..] } else { &[Goal::Recommended] };
    let first = |change: &dyn Fn(&Room<'_>) -> Option<Change>| {
        goals.iter().find_map(|goal| Some(Way { change: change(&Room::new(s, z, *goal))?, goal: *goal }))
    };
    // Below one request in flight there is nothing to set: a limit of zero refuses everything.
    let receiving = s.host_concurrency.map(f64::floor).filter(|each| *each >= 1.0);
    [
        first(&|room| room.hosts().map(Change::Hosts)),
        first(&|room| room.clients().map(Change::Clients)),
        first(&|room| room.host_concurrency().map(Change::HostConcurrency)),
        receiving.map(|each| Way { change: Change::ReceivingLimit(each), goal: Goal::Recommended }),
    ]
    .into_iter()
    .flatten()
    .collect()
}

impl Way {
    /// The text of its button: `14 hosts`.
    pub fn label(self) -> String {
        match self.change {
            Change::Hosts(n) => display::plural(f64::from(n), "host", "hosts"),
            Change::Clients(n) => phrases::proxies(n),
            Change::HostConcurrency(each) => format!("{} in flight per host", display::count(each)),
            Change::ReceivingLimit(each) => format!("Limit {} at the receiving proxy", display::count(each)),
        }
    }

    /// What to do, in the imperative: `use 14 hosts`.
    pub fn advice(self, s: &Scenario) -> String {
        let what = match self.change {
            Change::Hosts(n) => format!("use {} hosts", display::count(f64::from(n))),
            Change::Clients(1) => {
                format!("run one larger proxy instead of {}", display::count(f64::from(s.clients)))
            }
            Change::Clients(n) => {
                let (n, now) = (display::count(f64::from(n)), display::count(f64::from(s.clients)));
                format!("run {n} larger proxies instead of {now}")
            }
            Change::HostConcurrency(each) => {
                format!("make each host survive {} in flight", display::count(each))
            }
            Change::ReceivingLimit(each) => format!(
                "limit each host at its own receiving proxy (`max_requests` {} on the inbound cluster)",
                display::count(each)
            ),
        };
        if self.goal == Goal::Floor { format!("{what}, for the healthy peak") } else { what }
    }

    /// The input it changes, with its new text.
    pub fn set(self) -> Option<FieldChange> {
        let change = |id, value| Some(FieldChange { field: param(id).key, value: display::input(value) });
        match self.change {
            Change::Hosts(n) => change(ParamId::Hosts, f64::from(n)),
            Change::Clients(n) => change(ParamId::Clients, f64::from(n)),
            Change::HostConcurrency(each) => change(ParamId::HostConcurrency, each),
            Change::ReceivingLimit(_) => None,
        }
    }

    /// What it brings.
    pub fn effect(self, s: &Scenario) -> String {
        let what = match (self.change, self.goal) {
            (Change::ReceivingLimit(_), _) => {
                return "each host refuses what it does not survive, whichever proxy sends it".to_owned();
            }
            (_, Goal::Floor) => "the healthy peak".to_owned(),
            (_, Goal::Recommended) if s.slowdown > 1.0 => {
                format!("an upstream {}", phrases::as_slow(s.slowdown))
            }
            (_, Goal::Recommended) => "the peak and its retries".to_owned(),
        };
        match self.change {
            Change::Clients(_) => {
                format!("larger proxies need less room for chance: there is a limit for {what}")
            }
            _ => format!("the ceiling rises: there is a limit for {what}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::rules::tests::scenario;
    use crate::engine::sizing::size;

    fn labels(changes: &str) -> Vec<String> {
        let s = scenario(changes);
        let z = size(&s).unwrap_or_else(|problems| panic!("{problems:?}"));
        ways_out(&s, &ways(&s, &z)).into_iter().map(|way| way.label).collect()
    }

    #[test]
    fn a_tight_window_has_four_ways_out() {
        assert_eq!(
            labels("rps=500 p50=35 p99=110 hosts=10 clients=100 host_concurrency=64"),
            ["12 hosts", "72 proxies", "78 in flight per host", "Limit 64 at the receiving proxy"]
        );
    }

    #[test]
    fn what_does_not_help_is_not_offered() {
        // One proxy cannot become fewer.
        assert_eq!(
            labels("hosts=1 clients=1 host_concurrency=300"),
            ["3 hosts", "340 in flight per host", "Limit 300 at the receiving proxy"]
        );
        // A limit below one would refuse everything.
        assert_eq!(labels("hosts=1000 host_concurrency=0.01"), ["36,801 hosts", "1 in flight per host"]);
    }

    #[test]
    fn an_open_window_needs_none() {
        assert!(labels("").is_empty());
        assert!(labels("host_concurrency=").is_empty());
    }
}
