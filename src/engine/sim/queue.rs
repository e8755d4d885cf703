//! What happens when: events in the order of their moment and, on the same moment, of their making.
//!
//! A heap whose nodes have four children: half as deep as a binary one, and the four lie side by
//! side in memory. Only events of variable delay are in it; see [`super::clock`] for the others.

use super::event::Event;

/// An event and its place in the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Due {
    /// The moment, in nanoseconds.
    pub at: u64,
    /// Events of the same moment keep the order in which they were made.
    pub seq: u64,
    /// What.
    pub event: Event,
}

impl Due {
    #[inline]
    const fn key(&self) -> u128 {
        place(self.at, self.seq)
    }
}

/// A place in the order, as one number: comparing it takes no branch.
#[inline]
pub const fn place(at: u64, seq: u64) -> u128 {
    (at as u128) << u64::BITS | seq as u128
}

/// The place of what never happens.
pub const NEVER: u128 = u128::MAX;

/// The heap.
#[derive(Clone, Debug, Default)]
pub struct Queue {
    heap: Vec<Due>,
}

const CHILDREN: usize = 4;

impl Queue {
    /// The place of the first event; [`NEVER`] without one.
    #[inline]
    pub fn first(&self) -> u128 {
        self.heap.first().map_or(NEVER, Due::key)
    }

    /// Adds an event.
    #[inline]
    pub fn push(&mut self, due: Due) {
        let mut at = self.heap.len();
        self.heap.push(due);
        while at > 0 {
            let parent = (at - 1) / CHILDREN;
            if self.heap[parent].key() <= due.key() {
                break;
            }
            self.heap[at] = self.heap[parent];
            at = parent;
        }
        self.heap[at] = due;
    }

    /// Takes the first event.
    #[inline]
    pub fn pop(&mut self) -> Option<Due> {
        let last = self.heap.pop()?;
        let Some(first) = self.heap.first().copied() else { return Some(last) };
        self.sink(last);
        Some(first)
    }

    /// Puts an event where the root was and lets it sink to its place.
    #[inline]
    fn sink(&mut self, due: Due) {
        let heap = &mut self.heap[..];
        let mut at = 0;
        loop {
            let from = at * CHILDREN + 1;
            let Some(children) = heap.get(from..heap.len().min(from + CHILDREN)) else { break };
            let mut least = (due.key(), at);
            for (n, child) in children.iter().enumerate() {
                if child.key() < least.0 {
                    least = (child.key(), from + n);
                }
            }
            if least.1 == at {
                break;
            }
            heap[at] = heap[least.1];
            at = least.1;
        }
        heap[at] = due;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::sim::rng::{Purpose, Stream};

    #[test]
    fn events_leave_in_the_order_of_time_and_of_making() {
        let mut random = Stream::new(1, Purpose::Arrivals, 0);
        let mut queue = Queue::default();
        let mut expected = Vec::new();
        for seq in 0..2_000 {
            let at = random.below(50);
            queue.push(Due { at, seq, event: Event::Settings { conn: 0, generation: 0 } });
            expected.push(place(at, seq));
        }
        expected.sort_unstable();
        let mut seen = Vec::new();
        while queue.first() != NEVER {
            let first = queue.first();
            assert_eq!(queue.pop().map(|due| due.key()), Some(first));
            seen.push(first);
        }
        assert_eq!(seen, expected);
        assert_eq!(queue.pop(), None);
    }
}
