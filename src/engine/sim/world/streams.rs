//! Lists of attempts: the queue of a pool, the streams of a connection, the attempts of a request.

use super::{NONE, World};
use crate::engine::sim::record::End;

impl World {
    /// Puts an attempt at the end of the queue of its pool.
    pub(super) fn enqueue(&mut self, attempt: u32) {
        let pool = &mut self.pools[self.attempts[attempt].pool];
        let newest = std::mem::replace(&mut pool.newest, attempt);
        pool.pending += 1;
        if newest == NONE {
            pool.oldest = attempt;
        } else {
            self.attempts[newest].next = attempt;
        }
        let (client, priority) = (pool.client, usize::from(pool.priority));
        let it = &mut self.attempts[attempt];
        (it.prev, it.next) = (newest, NONE);
        let client = &mut self.clients[client as usize];
        client.levels[priority].pending += 1;
        let pending = client.pending();
        self.record.pending.up(self.now);
        let slot = self.record.slot();
        slot.pending_max = slot.pending_max.max(pending);
    }

    /// Takes an attempt out of the queue of its pool.
    pub(super) fn dequeue(&mut self, attempt: u32) {
        let it = self.attempts[attempt];
        let pool = &mut self.pools[it.pool];
        pool.pending -= 1;
        if it.prev == NONE {
            pool.oldest = it.next;
        }
        if it.next == NONE {
            pool.newest = it.prev;
        }
        let (client, priority) = (pool.client, usize::from(pool.priority));
        if it.prev != NONE {
            self.attempts[it.prev].next = it.next;
        }
        if it.next != NONE {
            self.attempts[it.next].prev = it.prev;
        }
        let it = &mut self.attempts[attempt];
        (it.prev, it.next) = (NONE, NONE);
        self.clients[client as usize].levels[priority].pending -= 1;
        self.record.pending.down(self.now);
    }

    /// Puts an attempt on a connection.
    #[inline]
    pub(super) fn link_stream(&mut self, conn: u32, attempt: u32) {
        let first = std::mem::replace(&mut self.conns[conn].first, attempt);
        if first != NONE {
            self.attempts[first].prev = attempt;
        }
        let it = &mut self.attempts[attempt];
        (it.conn, it.prev, it.next) = (conn, NONE, first);
    }

    /// Takes an attempt from its connection.
    #[inline]
    pub(super) fn unlink_stream(&mut self, attempt: u32) {
        let it = self.attempts[attempt];
        if it.prev == NONE {
            self.conns[it.conn].first = it.next;
        } else {
            self.attempts[it.prev].next = it.next;
        }
        if it.next != NONE {
            self.attempts[it.next].prev = it.prev;
        }
        let it = &mut self.attempts[attempt];
        (it.prev, it.next) = (NONE, NONE);
    }

    /// Takes an attempt from its request.
    #[inline]
    pub(super) fn unlink_sibling(&mut self, attempt: u32) {
        let it = self.attempts[attempt];
        let request = &mut self.requests[it.request];
        if request.first == attempt {
            request.first = it.sibling;
            return;
        }
        let mut at = request.first;
        while at != NONE {
            let next = self.attempts[at].sibling;
            if next == attempt {
                self.attempts[at].sibling = it.sibling;
                return;
            }
            at = next;
        }
    }

    /// Envoy has no use for an attempt any more, and its number is free once nothing outside of
    /// Envoy knows it.
    #[inline]
    pub(super) fn forget(&mut self, attempt: u32) {
        self.unlink_sibling(attempt);
        let it = &mut self.attempts[attempt];
        it.wanted = false;
        let request = it.request;
        if it.holds == 0 {
            self.attempts.release(attempt);
        }
        self.free_request(request);
    }

    /// An event or a queue of a host lets go of an attempt.
    #[inline]
    pub(super) fn let_go(&mut self, attempt: u32) {
        let it = &mut self.attempts[attempt];
        it.holds -= 1;
        if it.holds == 0 && !it.wanted {
            self.attempts.release(attempt);
        }
    }

    /// How many attempts of a request wait for response headers, `except` apart.
    pub(super) fn awaits_headers(&self, request: u32, except: u32) -> bool {
        let mut at = self.requests[request].first;
        while at != NONE {
            let it = &self.attempts[at];
            if at != except && !it.headers {
                return true;
            }
            at = it.sibling;
        }
        false
    }

    /// Resets all attempts of a request but one.
    pub(super) fn reset_attempts(&mut self, request: u32, except: u32) {
        let mut at = self.requests[request].first;
        while at != NONE {
            let next = self.attempts[at].sibling;
            if at != except {
                self.reset_locally(at);
            }
            at = next;
        }
    }

    /// The end of an attempt that Envoy gives up: leaves the queue, or resets the stream (F29).
    pub(super) fn reset_locally(&mut self, attempt: u32) {
        if self.attempts[attempt].conn == NONE {
            self.dequeue(attempt);
            self.forget(attempt);
        } else {
            self.end_stream(attempt, super::pool::How::Reset);
        }
    }

    /// A failure of an attempt goes to the caller, unless a sibling may still bring an answer.
    pub(super) fn fail_request(&mut self, attempt: u32, end: End) {
        let request = self.attempts[attempt].request;
        if self.requests[request].alive
            && !self.requests[request].backing_off
            && !self.awaits_headers(request, attempt)
        {
            self.end_request(request, end, attempt);
        }
    }
}
