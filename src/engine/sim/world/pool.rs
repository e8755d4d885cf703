//! The connections of a pool: which are ready, when one more is opened, what ends one.

use super::types::State;
use super::{NONE, World};
use crate::engine::sim::clock::Kind;
use crate::engine::sim::counters::Counter;
use crate::engine::sim::record::End;

/// Connections that one trigger opens at most (F21).
const AT_ONCE: u32 = 3;

/// How a stream ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// Both sides are through.
    Complete,
    /// Envoy gives it up.
    Reset,
    /// The server has reset it; the connection goes on.
    Refused,
    /// The connection is going, or gone.
    Lost,
}

/// Who closes a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    Envoy,
    Host,
}

impl World {
    /// Opens connections while the pool has use for them and the limits allow, three at most.
    #[inline]
    pub(super) fn open_connections(&mut self, pool: u32) {
        for _ in 0..AT_ONCE {
            if !self.wants_connection(pool) || !self.open_connection(pool) {
                return;
            }
        }
    }

    /// More is queued than connections being set up can take (F21, F28).
    #[inline]
    fn wants_connection(&self, pool: u32) -> bool {
        let it = &self.pools[pool];
        if self.config.preconnect <= 1.0 || self.is_ejected(it.client, it.host) {
            return u64::from(it.pending) > it.capacity;
        }
        let wanted = f64::from(it.pending + it.active) * self.config.preconnect;
        wanted > (it.capacity + u64::from(it.active)) as f64
    }

    /// Opens a connection if the limits allow; a pool without one opens one anyway (F8). Whether
    /// the limits allowed it.
    fn open_connection(&mut self, pool: u32) -> bool {
        let it = &self.pools[pool];
        let (client, priority) = (it.client as usize, usize::from(it.priority));
        let limits = &self.config.experiment.policy.limits[priority];
        let allowed = self.clients[client].levels[priority].connections < limits.max_connections
            && limits.max_connections_per_host.is_none_or(|most| self.connections_to(pool) < most);
        if !allowed {
            self.counters.inc(Counter::CxOverflow);
        }
        if allowed || self.pools[pool].conns == 0 {
            self.connect(pool);
        }
        allowed
    }

    /// Connections of the proxy to the host of a pool, both priorities and all workers.
    fn connections_to(&self, pool: u32) -> u32 {
        let n = self.conns_to.get(self.conns_key(pool));
        if n == NONE { 0 } else { n }
    }

    fn conns_key(&self, pool: u32) -> u64 {
        let it = &self.pools[pool];
        u64::from(it.client) * u64::from(self.config.n_hosts) + u64::from(it.host)
    }

    /// A connection begins or ends to count.
    pub(super) fn count_connection(&mut self, pool: u32, up: bool) {
        let change = |n: &mut u32| *n = if up { *n + 1 } else { n.saturating_sub(1) };
        let (client, priority) = (self.pools[pool].client as usize, usize::from(self.pools[pool].priority));
        change(&mut self.clients[client].levels[priority].connections);
        change(&mut self.pools[pool].conns);
        if self.config.has_per_host {
            let mut n = self.connections_to(pool);
            change(&mut n);
            self.conns_to.put(self.conns_key(pool), n);
        }
        let n = self.record.connections.value;
        self.record.connections.set(self.now, if up { n + 1 } else { n.saturating_sub(1) });
    }

    /// A connection can take streams: it goes to the front, so the last freed is the next used.
    #[inline]
    pub(super) fn become_ready(&mut self, conn: u32) {
        let pool = self.conns[conn].pool;
        let first = std::mem::replace(&mut self.pools[pool].ready, conn);
        if first != NONE {
            self.conns[first].prev = conn;
        }
        let it = &mut self.conns[conn];
        (it.state, it.prev, it.next) = (State::Ready, NONE, first);
    }

    /// A connection takes no streams any more, for now or for good.
    #[inline]
    pub(super) fn leave_ready(&mut self, conn: u32, state: State) {
        let it = self.conns[conn];
        self.conns[conn].state = state;
        if it.state != State::Ready {
            return;
        }
        if it.prev == NONE {
            self.pools[it.pool].ready = it.next;
        } else {
            self.conns[it.prev].next = it.next;
        }
        if it.next != NONE {
            self.conns[it.next].prev = it.prev;
        }
    }

    /// The oldest in the queue get what is ready; `max_requests` is checked once more (F6).
    #[inline]
    pub(super) fn serve_queue(&mut self, pool: u32) {
        loop {
            let it = &self.pools[pool];
            let (conn, attempt) = (it.ready, it.oldest);
            if conn == NONE || attempt == NONE {
                break;
            }
            self.dequeue(attempt);
            if !self.attach(conn, attempt) {
                self.overflow(attempt, End::RefusedActive);
            }
        }
        if self.pools[pool].pending > 0 {
            self.open_connections(pool);
        }
    }

    /// A stream is over: its slots are free, and the next in the queue gets the connection.
    #[inline]
    pub(super) fn end_stream(&mut self, attempt: u32, how: How) {
        let it = &mut self.attempts[attempt];
        self.clocks.cancel(&mut it.per_try);
        self.clocks.cancel(&mut it.per_try_idle);
        self.clocks.cancel(&mut it.duration);
        let (conn, pool, host) = (it.conn, it.pool, it.host);
        self.unlink_stream(attempt);
        self.forget(attempt);
        let it = &mut self.pools[pool];
        it.active -= 1;
        let client = &mut self.clients[it.client as usize];
        client.levels[usize::from(it.priority)].active -= 1;
        if let Some(here) = client.active_at.get_mut(host as usize) {
            *here -= 1;
        }
        self.record.in_flight.down(self.now);
        let it = &mut self.conns[conn];
        let before = it.unused();
        it.active -= 1;
        let after = it.unused();
        self.pools[pool].capacity += u64::from(after - before);
        if how == How::Lost {
            return;
        }
        if how == How::Reset && !self.config.multiplexes {
            // A connection with half an answer on it is of no use (F29).
            self.counters.inc(Counter::CxDestroyLocalWithActiveRq);
            return self.close(conn, By::Envoy);
        }
        if how == How::Reset {
            self.counters.inc(Counter::RqTxReset);
        }
        self.free_connection(conn, after);
    }

    /// What becomes of a connection that has lost a stream.
    #[inline]
    fn free_connection(&mut self, conn: u32, unused: u32) {
        let it = self.conns[conn];
        if it.active == 0 && it.state == State::Draining {
            return self.close(conn, By::Envoy);
        }
        if it.state == State::Busy && unused > 0 {
            self.become_ready(conn);
            self.serve_queue(it.pool);
        }
        self.rest(conn);
    }

    /// A connection without a stream waits for the next, or for its end.
    pub(super) fn rest(&mut self, conn: u32) {
        let it = self.conns[conn];
        if it.active == 0 && it.state == State::Ready && it.clock == NONE {
            let clock = self.arm(Kind::PoolIdle, conn);
            let keepalive = if it.gone { NONE } else { self.arm(Kind::KeepAlive, conn) };
            let it = &mut self.conns[conn];
            (it.clock, it.keepalive) = (clock, keepalive);
        }
    }

    /// A connection is closed; what is queued may need another one.
    pub(super) fn close(&mut self, conn: u32, by: By) {
        let pool = self.conns[conn].pool;
        self.remove(conn, by);
        if self.pools[pool].pending > 0 {
            self.open_connections(pool);
        }
        self.settle_pool(pool);
    }

    /// Takes a connection, which has no streams any more, out of its pool.
    pub(super) fn remove(&mut self, conn: u32, by: By) {
        self.leave_ready(conn, State::Closed);
        let it = &mut self.conns[conn];
        self.clocks.cancel(&mut it.clock);
        self.clocks.cancel(&mut it.keepalive);
        let it = *it;
        let pool = &mut self.pools[it.pool];
        pool.capacity = pool.capacity.saturating_sub(u64::from(it.unused()));
        if it.prev_of_all == NONE {
            pool.all = it.next_of_all;
        } else {
            self.conns[it.prev_of_all].next_of_all = it.next_of_all;
        }
        if it.next_of_all != NONE {
            self.conns[it.next_of_all].prev_of_all = it.prev_of_all;
        }
        self.count_connection(it.pool, false);
        self.counters.inc(match by {
            By::Envoy => Counter::CxDestroyLocal,
            By::Host => Counter::CxDestroyRemote,
        });
        self.conns.release(conn);
    }

    /// A pool without connections and requests does not count (F9).
    pub(super) fn settle_pool(&mut self, pool: u32) {
        let it = &mut self.pools[pool];
        if it.counted && it.conns == 0 && it.pending == 0 {
            it.counted = false;
            self.clients[it.client as usize].levels[usize::from(it.priority)].pools -= 1;
        }
    }
}
