//! Answers: what they tell about the host, whether they are retried, who gets them.

use super::World;
use super::pool::How;
use super::reset::Failure;
use super::retry::Decision;
use crate::engine::sim::outlier::Outcome;
use crate::engine::sim::record::End;

/// The gRPC status of a host that fails as gRPC.
const UNAVAILABLE: u8 = 14;

impl World {
    /// HTTP status and gRPC status of an answer.
    fn status(&self, attempt: u32) -> (u16, u8) {
        match (self.attempts[attempt].fails, self.config.experiment.hosts.fails_as_grpc) {
            (false, _) => (200, 0),
            (true, false) => (503, 0),
            (true, true) => (200, UNAVAILABLE),
        }
    }

    /// The end of an answer has come, and its headers if they have not been there before.
    #[inline]
    pub(super) fn on_answer(&mut self, attempt: u32) {
        if self.attempts[attempt].headers || self.on_headers(attempt) {
            let it = self.attempts[attempt];
            let end = if it.fails { End::UpstreamError } else { End::Served };
            self.end_request(it.request, end, attempt);
        }
        self.end_stream(attempt, How::Complete);
    }

    /// The headers of an answer have come: host statistics, retry decision, caller. Whether the
    /// caller gets this answer; if not, the stream is to be ended.
    #[inline]
    pub(super) fn on_headers(&mut self, attempt: u32) -> bool {
        let it = &mut self.attempts[attempt];
        self.clocks.cancel(&mut it.per_try);
        self.clocks.cancel(&mut it.per_try_idle);
        it.headers = true;
        let (request, retried) = (it.request, it.retried);
        let (status, grpc) = self.status(attempt);
        let fails = status >= 500 || grpc != 0;
        self.report(attempt, if status >= 500 { Outcome::Status(status) } else { Outcome::grpc(grpc) });
        if fails {
            self.count_failure(attempt);
        }
        let failure = Failure::Answer { status, grpc };
        let mut unanswered = false;
        if self.config.experiment.policy.route.retry.is_some() {
            if retried {
                // A hedge is under way because of this attempt; it does not bring another (F58).
                unanswered = self.would_retry(request, failure);
            } else {
                match self.decide(attempt, failure) {
                    Decision::Retry => {
                        self.counters.retried_answer(status);
                        return false;
                    }
                    Decision::Refused => unanswered = true,
                    Decision::No => {}
                }
            }
        }
        if unanswered && (self.requests[request].backing_off || self.awaits_headers(request, attempt)) {
            return false;
        }
        self.release_slot(request);
        let it = &mut self.requests[request];
        it.answering = true;
        it.backing_off = false;
        self.clocks.cancel(&mut it.stream_idle);
        if it.first != attempt || self.attempts[attempt].sibling != super::NONE {
            self.reset_attempts(request, attempt);
        }
        self.counters.answer(status);
        true
    }
}
