//! Clocks that have run out.

use super::reset::Failure;
use super::{NONE, World};
use crate::engine::sim::clock::Kind;
use crate::engine::sim::counters::Counter;
use crate::engine::sim::outlier::Outcome;
use crate::engine::sim::record::End;

impl World {
    #[inline]
    pub(super) fn on_clock(&mut self, kind: Kind, owner: u32) {
        match kind {
            Kind::Route => self.on_route_timeout(owner),
            Kind::PerTry => self.on_per_try_timeout(owner),
            Kind::PerTryIdle => self.on_per_try_idle_timeout(owner),
            Kind::UpstreamDuration => self.on_upstream_duration(owner),
            Kind::StreamIdle => {
                self.requests[owner].stream_idle = NONE;
                self.cut(owner, End::TimedOut);
            }
            Kind::StreamDuration => {
                self.requests[owner].stream_duration = NONE;
                self.cut(owner, End::TimedOut);
            }
            Kind::Deadline => {
                self.requests[owner].deadline = NONE;
                self.cut(owner, End::Abandoned);
            }
            Kind::Connect => self.on_connect(owner),
            Kind::ConnectTimeout => self.on_connect_timeout(owner),
            Kind::PoolIdle => self.on_pool_idle(owner),
            Kind::KeepAlive => self.on_keepalive(owner),
        }
    }

    /// The stream of the caller ends: nothing is told about hosts (F67), nothing is retried.
    pub(super) fn cut(&mut self, request: u32, end: End) {
        self.end_request(request, end, NONE);
    }

    /// F31: charged for every attempt that still waits for headers, the ones in queues included,
    /// and never retried (F44). During a back-off there is none, so nothing is charged.
    fn on_route_timeout(&mut self, request: u32) {
        self.requests[request].route = NONE;
        let mut at = self.requests[request].first;
        while at != NONE {
            let it = self.attempts[at];
            if !it.headers {
                self.counters.inc(Counter::RqTimeout);
                if it.conn != NONE && !it.timeout_recorded {
                    self.report(at, Outcome::LocalTimeout);
                    self.count_failure(at);
                }
                self.counters.answer(504);
            }
            at = it.sibling;
        }
        self.end_request(request, End::TimedOut, NONE);
    }

    /// F32.
    fn on_per_try_timeout(&mut self, attempt: u32) {
        self.attempts[attempt].per_try = NONE;
        if self.config.experiment.policy.route.hedge_on_per_try_timeout {
            return self.on_soft_timeout(attempt);
        }
        self.counters.inc(Counter::RqPerTryTimeout);
        self.give_up(attempt, Failure::PerTry);
    }

    /// F33.
    fn on_per_try_idle_timeout(&mut self, attempt: u32) {
        self.attempts[attempt].per_try_idle = NONE;
        if self.config.experiment.policy.route.hedge_on_per_try_timeout && !self.attempts[attempt].headers {
            return self.on_soft_timeout(attempt);
        }
        self.counters.inc(Counter::RqPerTryIdleTimeout);
        self.give_up(attempt, Failure::PerTry);
    }

    /// F36.
    fn on_upstream_duration(&mut self, attempt: u32) {
        self.attempts[attempt].duration = NONE;
        self.counters.inc(Counter::RqMaxDurationReached);
        self.give_up(attempt, Failure::Duration);
    }

    fn give_up(&mut self, attempt: u32, failure: Failure) {
        self.fail_attempt(attempt, failure);
        if self.attempts[attempt].wanted {
            self.reset_locally(attempt);
        }
    }

    /// F58: the attempt goes on, its host is charged, and a further one starts after a back-off.
    fn on_soft_timeout(&mut self, attempt: u32) {
        let it = self.attempts[attempt];
        if it.retried {
            return;
        }
        self.report(attempt, Outcome::LocalTimeout);
        self.count_failure(attempt);
        self.attempts[attempt].timeout_recorded = true;
        let asks = self.config.experiment.policy.route.retry.is_some();
        if asks
            && !self.requests[it.request].answering
            && self.schedule_retry(it.request) == super::retry::Decision::Retry
        {
            self.attempts[attempt].retried = true;
        }
    }
}
