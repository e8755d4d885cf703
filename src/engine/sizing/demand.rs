//! What one priority asks of one proxy.

use crate::engine::analysis::{Load, Priority};
use crate::engine::filled::{Filled, filled};
use crate::engine::scenario::Scenario;
use crate::engine::units::{Erlangs, Millis, Rate, Share};

/// The demand of one priority on the busiest proxy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Demand {
    /// Whose demand it is.
    pub priority: Priority,
    /// Its share of the traffic.
    pub share: Share,
    /// Rate in the worst second.
    pub client_rate: Rate,
    /// Mean time in service.
    pub mean: Millis,
    /// Erlangs in the worst second.
    pub offered: Erlangs,
    /// Erlangs when the upstream is `slowdown` times slower and retries add their overhead.
    pub offered_at_slowdown: Erlangs,
}

impl Demand {
    /// The demands of the priorities in use, DEFAULT first.
    pub fn of(s: &Scenario, load: &Load, mean: Millis) -> Vec<Self> {
        let high = s.high_priority_share.0;
        let mut shares = vec![(Priority::Default, 1.0 - high)];
        if high > 0.0 {
            shares.push((Priority::High, high));
        }
        shares
            .into_iter()
            .map(|(priority, share)| {
                let client_rate = load.client_rate * share;
                let offered = Erlangs::of(client_rate, mean);
                Self {
                    priority,
                    share: Share(share),
                    client_rate,
                    mean,
                    offered,
                    offered_at_slowdown: offered * s.slowdown * (1.0 + s.retry_overhead),
                }
            })
            .collect()
    }

    /// The first part of the ids of its numbers.
    pub fn key(&self) -> &'static str {
        match self.priority {
            Priority::Default => "default",
            Priority::High => "high",
        }
    }

    /// The offered load with its values put in.
    pub fn offered_text(&self) -> Filled {
        filled("{} req/s × {} ms", [self.client_rate.0, self.mean.0])
    }
}
