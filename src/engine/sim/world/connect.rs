//! Setting up connections, what goes wrong with it, and connections that nobody uses.

use super::pool::By;
use super::reset::Failure;
use super::types::{Conn, State};
use super::{NONE, World};
use crate::engine::sim::clock::Kind;
use crate::engine::sim::counters::Counter;
use crate::engine::sim::event::Event;

impl World {
    /// Begins to set up a connection of a pool.
    pub(super) fn connect(&mut self, pool: u32) {
        self.serial = self.serial.wrapping_add(1);
        let (client, host, first) = (self.pools[pool].client, self.pools[pool].host, self.pools[pool].all);
        let conn = self.conns.insert(Conn {
            pool,
            serial: self.serial,
            state: State::Connecting,
            gone: false,
            active: 0,
            remaining: self.config.requests_per_connection,
            limit: self.config.streams,
            first: NONE,
            opened: self.now,
            clock: NONE,
            keepalive: NONE,
            prev: NONE,
            next: NONE,
            prev_of_all: NONE,
            next_of_all: first,
        });
        if first != NONE {
            self.conns[first].prev_of_all = conn;
        }
        self.pools[pool].all = conn;
        self.pools[pool].capacity += u64::from(self.conns[conn].unused());
        self.count_connection(pool, true);
        self.counters.inc(Counter::CxTotal);
        if !self.reaches(client, host) || self.config.connect >= self.config.connect_timeout {
            self.conns[conn].clock = self.arm(Kind::ConnectTimeout, conn);
        } else if self.hosts[host as usize].refusing > 0 {
            let generation = self.serial;
            self.schedule(
                self.now.saturating_add(self.config.connect),
                Event::ConnectRefused { conn, generation },
            );
        } else {
            self.conns[conn].clock = self.arm(Kind::Connect, conn);
        }
    }

    /// Whether an event is about this connection and not about an earlier one of that number.
    fn is_conn(&self, conn: u32, generation: u32) -> bool {
        self.conns[conn].serial == generation && self.conns[conn].state != State::Closed
    }

    /// The time that a connect takes is over.
    pub(super) fn on_connect(&mut self, conn: u32) {
        self.conns[conn].clock = NONE;
        let it = self.conns[conn];
        let (client, host) = (self.pools[it.pool].client, self.pools[it.pool].host);
        if !self.reaches(client, host) {
            // The answer was lost on the way.
            let at = it.opened.saturating_add(self.config.connect_timeout);
            return self.schedule(at, Event::ConnectLost { conn, generation: it.serial });
        }
        if self.hosts[host as usize].refusing > 0 {
            return self.fail_connect(conn, By::Host);
        }
        self.become_ready(conn);
        self.serve_queue(it.pool);
        // What was queued is sent before the server has said how much it takes (F24).
        if self.config.peer_streams < self.conns[conn].limit {
            self.schedule(self.now, Event::Settings { conn, generation: it.serial });
        }
        self.rest(conn);
    }

    /// The server allows fewer streams than configured.
    pub(super) fn on_settings(&mut self, conn: u32, generation: u32) {
        if !self.is_conn(conn, generation) {
            return;
        }
        let it = &mut self.conns[conn];
        let before = it.unused();
        it.limit = it.limit.min(self.config.peer_streams);
        let (after, pool, state) = (it.unused(), it.pool, it.state);
        let it = &mut self.pools[pool];
        it.capacity = it.capacity.saturating_sub(u64::from(before - after));
        if after == 0 && state == State::Ready {
            self.leave_ready(conn, State::Busy);
        }
    }

    /// F39.
    pub(super) fn on_connect_timeout(&mut self, conn: u32) {
        self.conns[conn].clock = NONE;
        self.counters.inc(Counter::CxConnectTimeout);
        self.fail_connect(conn, By::Envoy);
    }

    /// A connect whose packets were lost while it was under way.
    pub(super) fn on_connect_lost(&mut self, conn: u32, generation: u32) {
        if self.is_conn(conn, generation) {
            self.on_connect_timeout(conn);
        }
    }

    /// Nobody listens at the host.
    pub(super) fn on_connect_refused(&mut self, conn: u32, generation: u32) {
        if self.is_conn(conn, generation) {
            self.fail_connect(conn, By::Host);
        }
    }

    /// A connect fails, and with it everything that is queued in the pool (F27).
    pub(super) fn fail_connect(&mut self, conn: u32, by: By) {
        self.counters.inc(Counter::CxConnectFail);
        let pool = self.conns[conn].pool;
        for _ in 0..self.pools[pool].pending {
            let attempt = self.pools[pool].oldest;
            if attempt == NONE {
                break;
            }
            self.counters.inc(Counter::RqPendingFailureEject);
            self.fail_attempt(attempt, Failure::Connect);
            self.dequeue(attempt);
            self.forget(attempt);
        }
        self.close(conn, by);
    }

    /// F40.
    pub(super) fn on_pool_idle(&mut self, conn: u32) {
        self.conns[conn].clock = NONE;
        self.counters.inc(Counter::CxIdleTimeout);
        self.close(conn, By::Envoy);
    }

    /// The server closes an idle connection; Envoy learns of it half a round trip later, and the
    /// time to connect is a round trip.
    pub(super) fn on_keepalive(&mut self, conn: u32) {
        self.conns[conn].keepalive = NONE;
        self.conns[conn].gone = true;
        let generation = self.conns[conn].serial;
        let at = self.now.saturating_add(self.config.connect / 2);
        self.schedule(at, Event::Fin { conn, generation });
    }

    /// Envoy learns that an idle connection is closed.
    pub(super) fn on_fin(&mut self, conn: u32, generation: u32) {
        if self.is_conn(conn, generation) {
            self.lose_connection(conn);
        }
    }
}
