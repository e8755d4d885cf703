//! What proxies know of hosts: outlier detection, and what workers are told of it.

use super::pool::By;
use super::types::{Client, State};
use super::{NONE, World};
use crate::engine::sim::Nanos;
use crate::engine::sim::counters::Counter;
use crate::engine::sim::event::Event;
use crate::engine::sim::outlier::Outcome;

impl World {
    /// An attempt reports about its host (F67).
    #[inline]
    pub(super) fn report(&mut self, attempt: u32, outcome: Outcome) {
        if !self.config.has_outlier {
            return;
        }
        let it = &self.attempts[attempt];
        let (client, host) = (self.requests[it.request].client, it.host);
        if let Some(detector) = &mut self.clients[client as usize].detector {
            detector.report(Nanos(self.now), host, outcome);
        }
        self.pass_on(client);
    }

    /// For the course of the host.
    #[inline]
    pub(super) fn count_failure(&mut self, attempt: u32) {
        let host = self.attempts[attempt].host;
        if let Some(host) = self.record.host(host) {
            host.slot.failures += 1;
        }
    }

    /// Changes of the detector go to the workers, at once or at the end of a merge window (F64).
    fn pass_on(&mut self, client: u32) {
        let now = self.now;
        let Client { detector: Some(detector), view, merging, .. } = &mut self.clients[client as usize]
        else {
            return;
        };
        for (host, ejected) in detector.drain_changes() {
            view.note(Nanos(now), host, !ejected);
            if let Some(host) = self.record.host(host) {
                if ejected { host.ejected.up(now) } else { host.ejected.down(now) }
            }
            if ejected {
                self.ejected.push((client, host));
            }
        }
        if view.due() != Nanos::NEVER && !*merging {
            *merging = true;
            let due = view.due().0;
            self.schedule(due, Event::Merge { client });
        }
    }

    /// The merge window is over.
    pub(super) fn on_merge(&mut self, client: u32) {
        let it = &mut self.clients[client as usize];
        it.merging = false;
        it.view.flush(Nanos(self.now));
    }

    /// The end of an interval: shares are judged, and hosts return (F63, F69).
    pub(super) fn on_tick(&mut self, client: u32) {
        let now = Nanos(self.now);
        let Some(detector) = &mut self.clients[client as usize].detector else { return };
        detector.tick(now);
        let next = detector.next_tick().0;
        self.pass_on(client);
        self.schedule(next, Event::Tick { client });
    }

    /// Whether the proxy has ejected the host.
    #[inline]
    pub(super) fn is_ejected(&self, client: u32, host: u32) -> bool {
        self.clients[client as usize].detector.as_ref().is_some_and(|detector| detector.is_ejected(host))
    }

    /// F72: idle connections to an ejected host close at once, busy ones after what they carry.
    pub(super) fn drain_host(&mut self, client: u32, host: u32) {
        for worker in 0..self.config.workers {
            for priority in [0, 1] {
                let pool = self.pool_of.get(self.pool_key(client, worker, host, priority));
                if pool != NONE {
                    self.drain_pool(pool);
                }
            }
        }
    }

    fn drain_pool(&mut self, pool: u32) {
        let mut conn = self.pools[pool].all;
        while conn != NONE {
            let it = self.conns[conn];
            match it.state {
                State::Connecting if self.pools[pool].pending > 0 => {}
                State::Connecting => {
                    self.counters.inc(Counter::CxConnectFail);
                    self.close(conn, By::Envoy);
                }
                State::Ready if it.active == 0 => self.close(conn, By::Envoy),
                State::Ready | State::Busy => {
                    let unused = u64::from(it.unused());
                    self.pools[pool].capacity = self.pools[pool].capacity.saturating_sub(unused);
                    self.leave_ready(conn, State::Draining);
                    self.conns[conn].remaining = 0;
                }
                State::Draining | State::Closed => {}
            }
            conn = it.next_of_all;
        }
    }
}
