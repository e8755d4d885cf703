//! At the hosts: arrival, time in service, failures and what breaks.

use super::NONE;
use super::World;
use super::types::State;
use crate::engine::sim::clock::Kind;
use crate::engine::sim::event::Event;
use crate::engine::sim::rng::unit;
use crate::engine::sim::{FaultKind, Nanos};

/// What faults do to an attempt.
#[derive(Clone, Copy, Debug)]
struct Harm {
    fails: bool,
    breaks: bool,
    times: f64,
    add: u64,
}

impl World {
    /// An attempt that is on a connection now reaches its host, or does not.
    #[inline]
    pub(super) fn reach_host(&mut self, attempt: u32) {
        let it = self.attempts[attempt];
        self.requests[it.request].sent = true;
        let conn = self.conns[it.conn];
        if conn.gone {
            // The server has closed this connection already (F46).
            self.attempts[attempt].holds += 1;
            return self.schedule(self.now, Event::Broken { attempt });
        }
        if conn.active > self.config.peer_streams {
            self.attempts[attempt].holds += 1;
            return self.schedule(self.now, Event::Refused { attempt });
        }
        if !self.in_force.is_empty() && !self.reaches(self.pools[it.pool].client, it.host) {
            // Lost on the way: it is never answered.
            return;
        }
        let host = &mut self.hosts[it.host as usize];
        let begins = host.state.arrive(attempt);
        self.record.host_in_flight_max = self.record.host_in_flight_max.max(host.state.in_flight());
        let epoch = host.epoch;
        let it = &mut self.attempts[attempt];
        it.holds += 1;
        it.at_host = true;
        it.epoch = epoch;
        it.queued = begins.is_none();
        let host = it.host;
        self.count_at_host(host, true);
        if let Some(slowdown) = begins {
            self.serve(attempt, slowdown);
        }
    }

    /// Requests at a host, over time.
    #[inline]
    fn count_at_host(&mut self, host: u32, up: bool) {
        let now = self.now;
        let Some(it) = self.record.host(host) else { return };
        if up {
            it.in_flight.up(now);
        } else {
            it.in_flight.down(now);
        }
    }

    /// Service begins: how long it takes and how it ends is settled now.
    #[inline]
    fn serve(&mut self, attempt: u32, slowdown: f64) {
        let it = self.attempts[attempt];
        let (key, nth) = (self.requests[it.request].key, u64::from(it.nth));
        let config = &self.config;
        let mut time = config.experiment.hosts.service.sample(config.chance.service.draw(key, nth));
        let mut fails =
            config.error_rate > 0.0 && unit(config.chance.failure.draw(key, nth)) < config.error_rate;
        let mut breaks = false;
        let mut slowdown = slowdown;
        let mut add = 0;
        if !self.in_force.is_empty() {
            let harm = self.harm(it.host, key, nth);
            fails |= harm.fails;
            breaks = harm.breaks;
            slowdown *= harm.times;
            add = harm.add;
        }
        #[allow(clippy::float_cmp, reason = "1 is what no fault leaves")]
        if slowdown != 1.0 {
            time = Nanos::rounded(time.0 as f64 * slowdown);
        }
        let time = time.0.saturating_add(add);
        let now = &mut self.attempts[attempt];
        (now.fails, now.queued) = (fails, false);
        if breaks {
            return self.schedule(self.now.saturating_add(time / 2), Event::Broken { attempt });
        }
        if self.config.headers_first && !fails && it.wanted {
            self.attempts[attempt].holds += 1;
            self.schedule(self.now, Event::Headers { attempt });
        }
        self.schedule(self.now.saturating_add(time), Event::Served { attempt });
    }

    /// What the faults in force do to an attempt whose service begins at a host.
    fn harm(&self, host: u32, key: u64, nth: u64) -> Harm {
        let mut harm = Harm { fails: false, breaks: false, times: 1.0, add: 0 };
        for &number in &self.in_force {
            let fault = &self.config.experiment.faults[number as usize];
            let everywhere =
                matches!(fault.kind, FaultKind::BreakerOverflow | FaultKind::RetryBudgetExhaustion);
            if !everywhere && !fault.hosts.has(host) {
                continue;
            }
            // Each fault has numbers of its own for an attempt.
            let bits = self.config.chance.fault.draw(key, nth.wrapping_add(u64::from(number) << 32));
            if fault.share < 1.0 && unit(bits) >= fault.share {
                continue;
            }
            match fault.kind {
                FaultKind::Host5xx | FaultKind::RetryBudgetExhaustion => harm.fails = true,
                FaultKind::ConnectionReset => harm.breaks = true,
                FaultKind::Latency | FaultKind::SlowHost | FaultKind::BreakerOverflow => {
                    harm.times *= fault.strength.max(0.0);
                    harm.add += fault.add.0;
                }
                FaultKind::Partition
                | FaultKind::ZoneLoss
                | FaultKind::RollingDeploy
                | FaultKind::LoadSurge => {}
            }
        }
        harm
    }

    /// A host is through with an attempt: whoever waited there longest is next.
    #[inline]
    fn leave_host(&mut self, attempt: u32) {
        let it = &mut self.attempts[attempt];
        if !it.at_host {
            return;
        }
        it.at_host = false;
        let host = it.host;
        if it.epoch != self.hosts[host as usize].epoch {
            return;
        }
        self.count_at_host(host, false);
        if let Some((next, slowdown)) = self.hosts[host as usize].state.end() {
            self.serve(next, slowdown);
        }
    }

    /// A host has finished an attempt, whether or not anybody still wants the answer.
    #[inline]
    pub(super) fn on_served(&mut self, attempt: u32) {
        self.leave_host(attempt);
        let it = self.attempts[attempt];
        if it.wanted {
            if self.in_force.is_empty() || self.reaches(self.pools[it.pool].client, it.host) {
                self.on_answer(attempt);
            } else if it.headers {
                // The body stops here, and only now do clocks of silence run.
                self.arm_silence(attempt);
            }
        }
        self.let_go(attempt);
    }

    fn arm_silence(&mut self, attempt: u32) {
        let request = self.attempts[attempt].request;
        self.attempts[attempt].per_try_idle = self.arm(Kind::PerTryIdle, attempt);
        if self.requests[request].stream_idle == NONE {
            self.requests[request].stream_idle = self.arm(Kind::StreamIdle, request);
        }
    }

    /// The headers of a stream have come.
    pub(super) fn on_stream_headers(&mut self, attempt: u32) {
        let it = self.attempts[attempt];
        let comes = it.wanted && !it.headers && self.reaches(self.pools[it.pool].client, it.host);
        if comes && !self.on_headers(attempt) {
            self.reset_locally(attempt);
        }
        self.let_go(attempt);
    }

    /// The connection under an attempt breaks.
    pub(super) fn on_broken(&mut self, attempt: u32) {
        self.leave_host(attempt);
        let it = self.attempts[attempt];
        if it.wanted && self.conns[it.conn].state != State::Closed {
            self.lose_connection(it.conn);
        }
        self.let_go(attempt);
    }

    /// The host takes no more streams on this connection (F24).
    pub(super) fn on_refused(&mut self, attempt: u32) {
        if self.attempts[attempt].wanted {
            self.refuse_stream(attempt);
        }
        self.let_go(attempt);
    }

    /// Everything in these hosts is lost.
    pub(super) fn empty_hosts(&mut self, hosts: &[u32]) {
        let now = self.now;
        for &host in hosts {
            let it = &mut self.hosts[host as usize];
            it.state.clear();
            it.epoch += 1;
            if let Some(it) = self.record.host(host) {
                it.in_flight.set(now, 0);
            }
        }
        // What waited in a queue there is known to nothing else; what was in service has an event.
        for attempt in 0..self.attempts.numbers() {
            let it = self.attempts[attempt];
            if it.queued && it.epoch < self.hosts[it.host as usize].epoch {
                let it = &mut self.attempts[attempt];
                (it.at_host, it.queued) = (false, false);
                self.let_go(attempt);
            }
        }
    }
}
