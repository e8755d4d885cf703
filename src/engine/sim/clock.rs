//! Clocks of constant length: a timeout is armed for every request and almost always canceled.
//!
//! All clocks of a kind run equally long, so they expire in the order in which they were armed: a
//! list that is added to at the end is sorted without sorting. Arming and canceling are a few
//! writes, and the head of a list is its next expiry.

use super::queue::{NEVER, place};
use super::slab::{NONE, Slab};

/// What a clock measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// F31, from the arrival of a request.
    Route,
    /// F32, from the attachment of an attempt to the response headers.
    PerTry,
    /// F33, as long as nothing comes.
    PerTryIdle,
    /// F36, of the cluster, from the attachment.
    UpstreamDuration,
    /// F34, as long as nothing happens on the stream.
    StreamIdle,
    /// F35, from the arrival.
    StreamDuration,
    /// The caller's patience.
    Deadline,
    /// The time that setting up a connection takes.
    Connect,
    /// F39.
    ConnectTimeout,
    /// F40.
    PoolIdle,
    /// The server's patience with an idle connection.
    KeepAlive,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::Route,
        Self::PerTry,
        Self::PerTryIdle,
        Self::UpstreamDuration,
        Self::StreamIdle,
        Self::StreamDuration,
        Self::Deadline,
        Self::Connect,
        Self::ConnectTimeout,
        Self::PoolIdle,
        Self::KeepAlive,
    ];

    /// Whether a request may be waiting for it.
    const fn moves_requests(self) -> bool {
        !matches!(self, Self::PoolIdle | Self::KeepAlive)
    }
}

#[derive(Clone, Copy, Debug)]
struct Node {
    at: u64,
    seq: u64,
    prev: u32,
    next: u32,
    owner: u32,
    kind: Kind,
}

#[derive(Clone, Copy, Debug)]
struct List {
    first: u32,
    last: u32,
    /// Of the first, copied here so that looking for the next expiry reads one line of memory.
    place: u128,
}

/// All clocks.
#[derive(Clone, Debug)]
pub struct Clocks {
    nodes: Slab<Node>,
    lists: [List; Kind::ALL.len()],
    spans: [Option<u64>; Kind::ALL.len()],
    /// Kinds that are in use: the others are never looked at.
    used: Vec<Kind>,
    /// Clocks that run.
    running: u32,
    waiting: u64,
}

const EMPTY: List = List { first: NONE, last: NONE, place: NEVER };

impl Clocks {
    /// Clocks of these lengths; `None` never runs.
    pub fn new(spans: [Option<u64>; Kind::ALL.len()]) -> Self {
        Self {
            nodes: Slab::default(),
            lists: [EMPTY; Kind::ALL.len()],
            spans,
            used: Kind::ALL.into_iter().filter(|&kind| spans[kind as usize].is_some()).collect(),
            running: 0,
            waiting: 0,
        }
    }

    /// Whether a kind is in use.
    #[inline]
    pub fn is_on(&self, kind: Kind) -> bool {
        self.spans[kind as usize].is_some()
    }

    /// Arms a clock; [`NONE`] if this kind is off.
    pub fn arm(&mut self, kind: Kind, now: u64, seq: u64, owner: u32) -> u32 {
        let Some(span) = self.spans[kind as usize] else { return NONE };
        let list = &mut self.lists[kind as usize];
        let at = now.saturating_add(span);
        let node = self.nodes.insert(Node { at, seq, prev: list.last, next: NONE, owner, kind });
        if list.last == NONE {
            *list = List { first: node, last: node, place: place(at, seq) };
        } else {
            self.nodes[list.last].next = node;
            list.last = node;
        }
        self.running += 1;
        self.waiting += u64::from(kind.moves_requests());
        node
    }

    /// Stops a clock and forgets its number; a clock that does not run stays as it is.
    #[inline]
    pub fn cancel(&mut self, clock: &mut u32) {
        if *clock != NONE {
            self.stop(std::mem::replace(clock, NONE));
        }
    }

    fn stop(&mut self, at: u32) {
        let node = self.nodes[at];
        let list = &mut self.lists[node.kind as usize];
        if node.prev == NONE {
            list.first = node.next;
            list.place = match node.next {
                NONE => NEVER,
                next => place(self.nodes[next].at, self.nodes[next].seq),
            };
        } else {
            self.nodes[node.prev].next = node.next;
        }
        if node.next == NONE {
            list.last = node.prev;
        } else {
            self.nodes[node.next].prev = node.prev;
        }
        self.running -= 1;
        self.waiting -= u64::from(node.kind.moves_requests());
        self.nodes.release(at);
    }

    /// The place of the next expiry, [`NEVER`] without one, and its kind.
    #[inline]
    pub fn first(&self) -> (u128, Kind) {
        let mut first = (NEVER, Kind::Route);
        if self.running > 0 {
            for &kind in &self.used {
                let place = self.lists[kind as usize].place;
                if place < first.0 {
                    first = (place, kind);
                }
            }
        }
        first
    }

    /// Takes the clock of that kind that expires next and says whose it is.
    #[inline]
    pub fn pop(&mut self, kind: Kind) -> u32 {
        let mut first = self.lists[kind as usize].first;
        if first == NONE {
            return NONE;
        }
        let owner = self.nodes[first].owner;
        self.cancel(&mut first);
        owner
    }

    /// Clocks that run and that a request may be waiting for.
    pub fn waiting(&self) -> u64 {
        self.waiting
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clocks() -> Clocks {
        let mut spans = [None; Kind::ALL.len()];
        spans[Kind::Route as usize] = Some(100);
        spans[Kind::PerTry as usize] = Some(10);
        Clocks::new(spans)
    }

    #[test]
    fn kinds_stand_where_their_number_says() {
        for (at, kind) in Kind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, at);
        }
    }

    #[test]
    fn the_next_expiry_is_the_earliest_of_all_kinds() {
        let mut clocks = clocks();
        clocks.arm(Kind::Route, 0, 1, 7);
        clocks.arm(Kind::PerTry, 50, 2, 8);
        clocks.arm(Kind::PerTry, 90, 3, 9);
        assert_eq!(clocks.first(), (place(60, 2), Kind::PerTry));
        assert_eq!(clocks.pop(Kind::PerTry), 8);
        // 100 and 100: the one armed first goes first.
        assert_eq!(clocks.first(), (place(100, 1), Kind::Route));
        assert_eq!(clocks.pop(Kind::Route), 7);
        assert_eq!(clocks.pop(Kind::PerTry), 9);
        assert_eq!((clocks.first().0, clocks.waiting()), (NEVER, 0));
    }

    #[test]
    fn canceling_takes_any_clock_out_of_the_row() {
        for canceled in [0, 1, 2] {
            let mut clocks = clocks();
            let mut armed: Vec<u32> =
                (0..3).map(|n| clocks.arm(Kind::Route, u64::from(n), u64::from(n), n)).collect();
            clocks.cancel(&mut armed[canceled]);
            assert_eq!(armed[canceled], NONE);
            clocks.cancel(&mut armed[canceled]);
            let left: Vec<u32> = (0..2).map(|_| clocks.pop(Kind::Route)).collect();
            let expected: Vec<u32> = (0..3).filter(|&n| n as usize != canceled).collect();
            assert_eq!(left, expected);
            assert_eq!((clocks.first().0, clocks.pop(Kind::Route)), (NEVER, NONE));
        }
    }

    #[test]
    fn a_clock_that_is_off_never_runs() {
        let mut clocks = clocks();
        let mut clock = clocks.arm(Kind::Deadline, 0, 0, 1);
        assert_eq!((clock, clocks.first().0), (NONE, NEVER));
        clocks.cancel(&mut clock);
    }
}
