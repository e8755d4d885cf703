//! Room in the window of `max_requests`: how many hosts, how few proxies, how strong a host.

use super::search::{first, hosts_where, largest};
use crate::engine::params::ParamId;
use crate::engine::queueing::erlang_b::{blocking, servers_for};
use crate::engine::scenario::Scenario;
use crate::engine::sizing::{PrioritySizing, Sizing, max_requests};
use crate::engine::units::Erlangs;

/// Steps of the search for proxies; it ends after a handful, the rest is for hostile inputs.
const MAX_STEPS: usize = 256;

/// What the window has to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// The recommendation: slowdown and retries.
    Recommended,
    /// The floor only: the healthy peak.
    Floor,
}

/// The search for room: one input changes, everything else stays.
#[derive(Clone, Debug)]
pub struct Room<'a> {
    s: &'a Scenario,
    slots: Vec<Slot>,
}

/// What one priority needs.
#[derive(Clone, Copy, Debug)]
struct Slot {
    /// Slots of one proxy at today's number of proxies.
    needed: u32,
    /// Erlangs of one proxy times the number of proxies.
    total: f64,
}

impl<'a> Room<'a> {
    /// A search for room for the recommendation or, if that is all there can be, for the floor.
    pub fn new(s: &'a Scenario, z: &Sizing, goal: Goal) -> Self {
        Self { s, slots: z.priorities.iter().map(|p| slot(s, p, goal)).collect() }
    }

    /// The smallest number of hosts, above today's, with which every priority has its room.
    pub fn hosts(&self) -> Option<u32> {
        hosts_where(self.s, |changed| self.holds(changed))
    }

    /// The smallest whole `host_concurrency`, above today's, with which every priority has its
    /// room.
    pub fn host_concurrency(&self) -> Option<f64> {
        let now = self.s.host_concurrency?;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "1e9 at most")]
        let start = now.floor() as u64 + 1;
        let with = |each: u64| Scenario { host_concurrency: Some(each as f64), ..self.s.clone() };
        first(start, largest(ParamId::HostConcurrency), |each| self.holds(&with(each)))
            .map(|each| each as f64)
    }

    /// The largest number of proxies, below today's, with which every priority has its room.
    ///
    /// # Formula
    ///
    /// With `r` slots in each, at most `⌊capacity / r⌋` proxies fit, and each is then offered
    /// `total / n`. Blocking at a fixed ratio of load to slots falls with the slots, so the
    /// smallest `r` that can do bounds the number of proxies; from there the search goes down
    /// through the numbers at which a ceiling changes, until every priority has its room.
    pub fn clients(&self) -> Option<u32> {
        let mut n = u64::from(self.s.clients).checked_sub(1)?;
        let capacity = self.ceiling_of(1)?;
        for slot in &self.slots {
            let least = first(1, capacity, |r| {
                blocking(r, Erlangs(slot.total * r as f64 / capacity as f64)) <= self.s.shed_target
            })?;
            n = n.min(capacity / least);
        }
        for _ in 0..MAX_STEPS {
            if n == 0 {
                return None;
            }
            if self.serves(n) {
                return u32::try_from(n).ok();
            }
            n = self.next_change(n)?;
        }
        None
    }

    /// The smallest number of proxies, above today's, at which some priority has no room any more:
    /// with [`Goal::Floor`], where the trap springs.
    ///
    /// # Formula
    ///
    /// Between two changes of its ceiling a priority only gains room, since each proxy is offered
    /// less; so the numbers just after a ceiling fell are the only candidates.
    pub fn lost_at(&self) -> Option<u32> {
        let capacity = self.ceiling_of(1)?;
        let after = |n: &u64| Some(capacity / capacity.checked_div(*n).filter(|c| *c > 0)? + 1);
        let changes = std::iter::successors(after(&u64::from(self.s.clients)), after);
        changes.take(MAX_STEPS).find(|n| !self.serves(*n)).and_then(|n| u32::try_from(n).ok())
    }

    /// Whether today's proxies have their room in a changed scenario.
    fn holds(&self, changed: &Scenario) -> bool {
        let needed: u64 = self.slots.iter().map(|slot| u64::from(slot.needed)).sum();
        max_requests::ceiling(changed).is_some_and(|ceiling| u64::from(ceiling) >= needed)
    }

    /// Whether `n` proxies serve their larger shares within their ceilings.
    fn serves(&self, n: u64) -> bool {
        let slots = |slot: &Slot| servers_for(Erlangs(slot.total / n as f64), self.s.shed_target);
        let needed: u64 = self.slots.iter().map(slots).sum();
        self.ceiling_of(n).is_some_and(|ceiling| ceiling >= needed)
    }

    /// The largest number of proxies below `n` at which the ceiling is higher.
    fn next_change(&self, n: u64) -> Option<u64> {
        Some((self.ceiling_of(1)? / (self.ceiling_of(n)? + 1)).min(n - 1))
    }

    fn ceiling_of(&self, clients: u64) -> Option<u64> {
        let clients = u32::try_from(clients).ok()?;
        max_requests::ceiling(&Scenario { clients, ..self.s.clone() }).map(u64::from)
    }
}

fn slot(s: &Scenario, p: &PrioritySizing, goal: Goal) -> Slot {
    let (needed, offered) = match goal {
        Goal::Recommended => (p.window.recommended, p.offered_at_slowdown),
        Goal::Floor => (p.window.floor, p.offered),
    };
    Slot { needed, total: offered.0 * f64::from(s.clients) }
}

#[cfg(test)]
mod tests;
