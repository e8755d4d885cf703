//! Whether a failure is retried, and when.

use super::World;
use super::reset::Failure;
use crate::engine::sim::Nanos;
use crate::engine::sim::back_off::back_off;
use crate::engine::sim::counters::Counter;
use crate::engine::sim::event::Event;

/// What becomes of a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// A retry is scheduled.
    Retry,
    /// It would be retried, but there are no retries left, or the limit refuses it.
    Refused,
    /// Nothing asks for a retry.
    No,
}

impl World {
    /// Whether `retry_on` asks for a retry (F51, F52).
    pub(super) fn would_retry(&self, request: u32, failure: Failure) -> bool {
        let Some(retry) = &self.config.experiment.policy.route.retry else { return false };
        let on = &retry.retry_on;
        let any_reset = on.server_error_5xx || on.gateway_error || on.reset;
        match failure {
            Failure::Answer { status, grpc } => {
                (on.server_error_5xx && status >= 500)
                    || (on.gateway_error && (502..=504).contains(&status))
                    || (on.retriable_status_codes && retry.retriable_status_codes.contains(&status))
                    || match grpc {
                        1 => on.cancelled,
                        4 => on.deadline_exceeded,
                        8 => on.resource_exhausted,
                        13 => on.internal,
                        14 => on.unavailable,
                        _ => false,
                    }
            }
            Failure::Overflow => false,
            Failure::Connect => {
                any_reset || on.connect_failure || (on.reset_before_request && !self.requests[request].sent)
            }
            Failure::RefusedStream => any_reset || on.refused_stream,
            Failure::Closed | Failure::PerTry | Failure::Duration => any_reset,
        }
    }

    /// Decides on a retry, in Envoy's order (F50), while the attempt still holds its place (F16).
    pub(super) fn decide(&mut self, attempt: u32, failure: Failure) -> Decision {
        let request = self.attempts[attempt].request;
        if self.requests[request].answering {
            return Decision::No;
        }
        if !self.would_retry(request, failure) {
            if self.requests[request].slot {
                self.counters.inc(Counter::RqRetrySuccess);
            }
            self.release_slot(request);
            return Decision::No;
        }
        self.schedule_retry(request)
    }

    /// Takes a retry and a slot for it, if there are any, and starts the back-off (F54).
    pub(super) fn schedule_retry(&mut self, request: u32) -> Decision {
        self.release_slot(request);
        let it = &mut self.requests[request];
        if it.retries_left == 0 {
            self.counters.inc(Counter::RqRetryLimitExceeded);
            return Decision::Refused;
        }
        it.retries_left -= 1;
        let it = *it;
        let level = &mut self.clients[it.client as usize].levels[usize::from(it.priority)];
        let (active, pending) = (u64::from(level.active), u64::from(level.pending));
        if !level.retries.admits(Nanos(self.now), active, pending) {
            self.counters.inc(Counter::RqRetryOverflow);
            self.record.slot().retries_refused += 1;
            return Decision::Refused;
        }
        level.retries.take();
        self.record.retries_active.up(self.now);
        let nth = it.back_offs + 1;
        let request_now = &mut self.requests[request];
        (request_now.slot, request_now.backing_off, request_now.back_offs) = (true, true, nth);
        let Some(retry) = &self.config.experiment.policy.route.retry else { return Decision::No };
        let bits = self.config.chance.back_off.draw(it.key, u64::from(nth));
        let wait = back_off(retry.base_interval, retry.max_interval, nth, bits);
        self.schedule(self.now.saturating_add(wait.0), Event::BackOff { request, generation: it.serial });
        Decision::Retry
    }

    /// Gives the slot of the retry limit back, if the request holds one (F18).
    #[inline]
    pub(super) fn release_slot(&mut self, request: u32) {
        let it = &mut self.requests[request];
        if !it.slot {
            return;
        }
        it.slot = false;
        self.clients[it.client as usize].levels[usize::from(it.priority)].retries.release();
        self.record.retries_active.down(self.now);
    }

    /// The wait is over: the retry is sent, past all breakers again (F50, F56).
    pub(super) fn on_back_off(&mut self, request: u32, generation: u32) {
        let it = &mut self.requests[request];
        if !it.alive || it.serial != generation || !it.backing_off {
            return;
        }
        it.backing_off = false;
        self.counters.inc(Counter::RqRetry);
        self.counters.inc(Counter::RqRetryBackoffExponential);
        self.record.slot().retries += 1;
        self.send(request);
    }
}
