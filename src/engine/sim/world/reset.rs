//! Attempts that end without an answer.

use super::pool::{By, How};
use super::retry::Decision;
use super::types::State;
use super::{NONE, World};
use crate::engine::sim::counters::Counter;
use crate::engine::sim::outlier::Outcome;
use crate::engine::sim::record::End;

/// Why an attempt has failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The host has answered with that.
    Answer {
        /// HTTP.
        status: u16,
        /// In the headers; 0 is fine.
        grpc: u8,
    },
    /// Refused by a limit of Envoy's own.
    Overflow,
    /// No connection came about.
    Connect,
    /// The connection was closed under it.
    Closed,
    /// The host has refused the stream.
    RefusedStream,
    /// The per-try timeout, or that of silence.
    PerTry,
    /// The cluster's `max_stream_duration`.
    Duration,
}

impl Failure {
    /// What the caller gets if it is not retried: status, and how the request ended.
    const fn end(self) -> (u16, End) {
        match self {
            Self::Answer { status, .. } => (status, End::UpstreamError),
            Self::Overflow => (503, End::RefusedActive),
            Self::Connect => (503, End::ConnectFailed),
            Self::Closed | Self::RefusedStream => (503, End::Reset),
            Self::PerTry => (504, End::PerTryTimedOut),
            Self::Duration => (504, End::TimedOut),
        }
    }

    /// What is told about the host (F67).
    const fn outcome(self) -> Option<Outcome> {
        match self {
            Self::Answer { .. } | Self::Overflow | Self::Duration => None,
            Self::Connect => Some(Outcome::ConnectFailed),
            Self::Closed | Self::RefusedStream => Some(Outcome::LocalReset),
            Self::PerTry => Some(Outcome::LocalTimeout),
        }
    }
}

impl World {
    /// Envoy's own limit refuses an attempt that is in no queue and on no connection: nothing is
    /// told about the host (F67), it is never retried (F53), and an earlier answer is lost (F50).
    pub(super) fn overflow(&mut self, attempt: u32, end: End) {
        if self.config.experiment.policy.route.retry.is_some() {
            self.decide(attempt, Failure::Overflow);
        }
        self.counters.answer(503);
        self.fail_request(attempt, end);
        self.forget(attempt);
    }

    /// An attempt has failed without an answer: host statistics, then the retry decision, then the
    /// caller. It still holds its place; the caller of this ends the stream or the wait.
    pub(super) fn fail_attempt(&mut self, attempt: u32, failure: Failure) {
        let it = self.attempts[attempt];
        if let Some(outcome) = failure.outcome() {
            self.report(attempt, outcome);
            self.count_failure(attempt);
        }
        let (status, end) = failure.end();
        if it.headers {
            // The caller has the status already; the body is cut.
            if self.requests[it.request].answering {
                self.end_request(it.request, end, attempt);
            }
            return;
        }
        let may_retry = self.config.experiment.policy.route.retry.is_some() && !it.retried;
        if may_retry && self.decide(attempt, failure) == Decision::Retry {
            return;
        }
        if failure != Failure::Duration {
            self.counters.answer(status);
        }
        self.fail_request(attempt, end);
    }

    /// A connection breaks: all its streams go with it.
    pub(super) fn lose_connection(&mut self, conn: u32) {
        if self.conns[conn].state == State::Connecting {
            return self.fail_connect(conn, By::Host);
        }
        self.leave_ready(conn, State::Draining);
        if self.conns[conn].active > 0 {
            self.counters.inc(Counter::CxDestroyRemoteWithActiveRq);
        }
        loop {
            let attempt = self.conns[conn].first;
            if attempt == NONE {
                break;
            }
            if self.config.multiplexes {
                self.counters.inc(Counter::RqPendingFailureEject);
            }
            self.fail_attempt(attempt, Failure::Closed);
            // Ending the request may have ended the stream.
            if self.conns[conn].first == attempt {
                self.end_stream(attempt, How::Lost);
            }
        }
        self.close(conn, By::Host);
    }

    /// The host refuses a stream; the connection goes on.
    pub(super) fn refuse_stream(&mut self, attempt: u32) {
        self.fail_attempt(attempt, Failure::RefusedStream);
        if self.attempts[attempt].wanted {
            self.end_stream(attempt, How::Refused);
        }
    }
}
