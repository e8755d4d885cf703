//! Requests end, and callers ask again.

use super::arrive::Ask;
use super::{NONE, World};
use crate::engine::sim::record::{End, Ended};

/// What is to be done when the event that runs is over.
#[derive(Clone, Copy, Debug)]
pub enum FollowUp {
    /// A caller asks again.
    Ask(Ask),
    /// A caller of a closed loop has its answer.
    Think(u32),
}

impl World {
    /// A request ends: its clocks stop, its attempts are reset except one that the caller of this
    /// ends itself, and whoever asked has an answer.
    pub(super) fn end_request(&mut self, request: u32, end: End, keep: u32) {
        let it = &mut self.requests[request];
        if !it.alive {
            return;
        }
        it.alive = false;
        it.backing_off = false;
        for clock in [&mut it.route, &mut it.deadline, &mut it.stream_idle, &mut it.stream_duration] {
            self.clocks.cancel(clock);
        }
        self.release_slot(request);
        #[cfg(test)]
        self.log.0.push((end, self.now));
        let it = self.requests[request];
        if it.counted {
            self.record.end(Ended {
                end,
                arrived: it.arrived,
                took: self.now - it.arrived,
                bucket: it.bucket,
                attempts: it.attached,
            });
        }
        self.plan_follow_up(request, end);
        if it.first != keep || keep == NONE || self.attempts[keep].sibling != NONE {
            self.reset_attempts(request, keep);
        }
        self.free_request(request);
    }

    /// The number of a request is free once it has ended and no attempt knows it.
    #[inline]
    pub(super) fn free_request(&mut self, request: u32) {
        let it = &mut self.requests[request];
        if it.alive || it.first != NONE || it.freed {
            return;
        }
        it.freed = true;
        let mut tried = std::mem::replace(&mut it.tried, NONE);
        while tried != NONE {
            let next = self.tried[tried].1;
            self.tried.release(tried);
            tried = next;
        }
        self.requests.release(request);
    }

    /// A caller who has failed asks again, as often as it does; one of a closed loop thinks.
    #[inline]
    fn plan_follow_up(&mut self, request: u32, end: End) {
        let it = &self.requests[request];
        if end != End::Served && it.asks_left > 0 {
            // The key of a repeated question follows from the first one's.
            let key = self.config.chance.caller.draw(it.key, u64::MAX - u64::from(it.asks_left));
            let client = self.clients[it.client as usize].id;
            let (caller, asks_left) = (it.caller, it.asks_left - 1);
            self.follow_ups.push(FollowUp::Ask(Ask { client, key, caller, asks_left }));
        } else if it.caller != NONE {
            self.follow_ups.push(FollowUp::Think(it.caller));
        }
    }

    /// What an event has left to do at its moment: connections to ejected hosts (F72), callers.
    #[cold]
    pub(super) fn follow_up(&mut self) {
        while let Some((client, host)) = self.ejected.pop() {
            self.drain_host(client, host);
        }
        // Asking may fail at once and bring more to do.
        while !self.follow_ups.is_empty() {
            for follow_up in std::mem::take(&mut self.follow_ups) {
                match follow_up {
                    FollowUp::Ask(ask) if self.now < self.config.duration => self.arrive(ask),
                    FollowUp::Ask(Ask { caller, .. }) if caller != NONE => self.think(caller),
                    FollowUp::Ask(_) => {}
                    FollowUp::Think(caller) => self.think(caller),
                }
            }
        }
    }

    /// The run is over. Requests that wait for something that cannot come any more are given up by
    /// their callers now.
    #[cold]
    pub(super) fn finish(&mut self) {
        self.advance(self.now.max(self.config.duration));
        for request in 0..self.requests.numbers() {
            self.end_request(request, End::Abandoned, NONE);
        }
        self.follow_ups.clear();
        self.done = true;
    }
}
