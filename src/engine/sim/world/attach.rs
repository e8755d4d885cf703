//! An attempt looks for a connection, in Envoy's order of checks (F6).

use super::types::{Attempt, Pool, State};
use super::{NONE, World};
use crate::engine::sim::Nanos;
use crate::engine::sim::clock::Kind;
use crate::engine::sim::counters::Counter;
use crate::engine::sim::outlier::Outcome;
use crate::engine::sim::record::End;

impl World {
    /// Makes an attempt at a request: a host, a pool, a connection.
    #[inline]
    pub(super) fn send(&mut self, request: u32) {
        let Some(host) = self.pick(request) else {
            self.counters.inc(Counter::CxNoneHealthy);
            return self.no_host(request);
        };
        let Some(pool) = self.pool_for(request, host) else {
            self.counters.inc(Counter::CxPoolOverflow);
            return self.no_host(request);
        };
        let it = &mut self.requests[request];
        let sibling = it.first;
        let nth = it.tries;
        it.tries += 1;
        let attempt = self.attempts.insert(Attempt {
            request,
            pool,
            host,
            nth,
            conn: NONE,
            prev: NONE,
            next: NONE,
            sibling,
            per_try: NONE,
            per_try_idle: NONE,
            duration: NONE,
            epoch: 0,
            holds: 0,
            wanted: true,
            fails: false,
            at_host: false,
            queued: false,
            headers: false,
            retried: false,
            timeout_recorded: false,
        });
        self.requests[request].first = attempt;
        if self.config.previous_hosts {
            let tried = self.requests[request].tried;
            self.requests[request].tried = self.tried.insert((host, tried));
        }
        self.new_stream(pool, attempt);
    }

    /// A host for the next attempt of a request; retries avoid those tried (F30).
    #[inline]
    fn pick(&mut self, request: u32) -> Option<u32> {
        let it = self.requests[request];
        if self.config.n_hosts == 1 && !self.config.has_outlier {
            return Some(0);
        }
        self.avoid.clear();
        let mut repicks = 0;
        if it.tries > 0
            && self.config.previous_hosts
            && let Some(retry) = &self.config.experiment.policy.route.retry
        {
            repicks = retry.host_selection_retry_max_attempts;
            let mut at = it.tried;
            while at != NONE {
                let (host, next) = self.tried[at];
                self.avoid.push(host);
                at = next;
            }
        }
        let client = &mut self.clients[it.client as usize];
        let active_at = &client.active_at;
        let active = |host: u32| active_at.get(host as usize).copied().unwrap_or(0);
        let balancer = &mut client.balancers[it.worker as usize];
        let pick = balancer.pick(&client.view, active, &self.avoid, repicks);
        self.counters.add(Counter::LbHealthyPanic, u64::from(pick.panics));
        pick.host
    }

    /// The pool of a request at a host; `None` if `max_connection_pools` has none left (F9).
    #[inline]
    fn pool_for(&mut self, request: u32, host: u32) -> Option<u32> {
        let it = self.requests[request];
        let key = self.pool_key(it.client, it.worker, host, it.priority);
        let mut pool = self.pool_of.get(key);
        if pool == NONE {
            pool = self.pools.insert(Pool {
                client: it.client,
                host,
                priority: it.priority,
                counted: false,
                oldest: NONE,
                newest: NONE,
                pending: 0,
                ready: NONE,
                all: NONE,
                conns: 0,
                active: 0,
                capacity: 0,
            });
            self.pool_of.put(key, pool);
        }
        if !self.pools[pool].counted {
            let level = &mut self.clients[it.client as usize].levels[usize::from(it.priority)];
            let limits = &self.config.experiment.policy.limits[usize::from(it.priority)];
            if limits.max_connection_pools.is_some_and(|most| level.pools >= most) {
                return None;
            }
            level.pools += 1;
            self.pools[pool].counted = true;
        }
        Some(pool)
    }

    /// The name of a pool.
    #[inline]
    pub(super) fn pool_key(&self, client: u32, worker: u32, host: u32, priority: u8) -> u64 {
        let place = u64::from(client) * u64::from(self.config.workers) + u64::from(worker);
        (place * u64::from(self.config.n_hosts) + u64::from(host)) * 2 + u64::from(priority)
    }

    /// A connection that is ready, or the queue (F6).
    #[inline]
    fn new_stream(&mut self, pool: u32, attempt: u32) {
        let ready = self.pools[pool].ready;
        if ready != NONE {
            if !self.attach(ready, attempt) {
                self.overflow(attempt, End::RefusedActive);
            }
            // Ahead of the next request (F28).
            return self.open_connections(pool);
        }
        let Pool { client, priority, .. } = self.pools[pool];
        let pending = self.clients[client as usize].levels[usize::from(priority)].pending;
        if pending >= self.config.experiment.policy.limits[usize::from(priority)].max_pending_requests {
            self.counters.inc(Counter::RqPendingOverflow);
            self.overflow(attempt, End::RefusedPending);
            return self.settle_pool(pool);
        }
        self.counters.inc(Counter::RqPendingTotal);
        self.enqueue(attempt);
        self.open_connections(pool);
    }

    /// Puts an attempt on a connection, unless `max_requests` says no.
    #[inline]
    pub(super) fn attach(&mut self, conn: u32, attempt: u32) -> bool {
        let pool = self.conns[conn].pool;
        let Pool { client, priority, host, .. } = self.pools[pool];
        let limits = &self.config.experiment.policy.limits[usize::from(priority)];
        let at = &mut self.clients[client as usize];
        let level = &mut at.levels[usize::from(priority)];
        if level.active >= limits.max_requests {
            self.counters.inc(if self.config.active_overflow {
                Counter::RqActiveOverflow
            } else {
                Counter::RqPendingOverflow
            });
            return false;
        }
        level.active += 1;
        level.retries.on_attached(Nanos(self.now));
        let active = at.active();
        if let Some(here) = at.active_at.get_mut(host as usize) {
            *here += 1;
        }
        let it = &mut self.conns[conn];
        if it.active == 0 {
            self.clocks.cancel(&mut it.clock);
            self.clocks.cancel(&mut it.keepalive);
        }
        it.active += 1;
        it.remaining -= u32::from(it.remaining != u32::MAX);
        let (unused, spent) = (it.unused(), it.remaining == 0);
        if spent {
            self.counters.inc(Counter::CxMaxRequests);
            self.leave_ready(conn, State::Draining);
        } else if unused == 0 {
            self.leave_ready(conn, State::Busy);
        }
        let pool = &mut self.pools[pool];
        pool.capacity = pool.capacity.saturating_sub(1);
        pool.active += 1;
        self.link_stream(conn, attempt);
        self.count_attached(attempt, host, active);
        if self.config.split {
            self.report(attempt, Outcome::ConnectSucceeded);
        }
        // Only now does the clock of the attempt run (F41).
        let armed =
            [Kind::PerTry, Kind::PerTryIdle, Kind::UpstreamDuration].map(|kind| self.arm(kind, attempt));
        let it = &mut self.attempts[attempt];
        [it.per_try, it.per_try_idle, it.duration] = armed;
        self.reach_host(attempt);
        true
    }

    #[inline]
    fn count_attached(&mut self, attempt: u32, host: u32, active: u32) {
        self.counters.inc(Counter::RqTotal);
        #[cfg(test)]
        self.log.1.push((host, self.now));
        let request = self.attempts[attempt].request;
        self.requests[request].attached += 1;
        self.record.in_flight.up(self.now);
        let slot = self.record.slot();
        slot.attempts += 1;
        slot.in_flight_max = slot.in_flight_max.max(active);
        if let Some(host) = self.record.host(host) {
            host.slot.attempts += 1;
        }
    }

    /// No host, or no pool: 503 UH, never retried (F9, F73).
    fn no_host(&mut self, request: u32) {
        self.counters.answer(503);
        self.end_request(request, End::NoHost, NONE);
    }
}
