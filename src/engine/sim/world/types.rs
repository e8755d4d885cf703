//! What the world is made of: requests, attempts, connections, pools, proxies, hosts.

use crate::engine::sim::balance::Balancer;
use crate::engine::sim::budget::Retries;
use crate::engine::sim::health::HealthView;
use crate::engine::sim::host::HostState;
use crate::engine::sim::outlier::Detector;

/// A request of a caller, from its arrival to its end.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Request {
    /// Names the request in every draw.
    pub key: u64,
    pub arrived: u64,
    /// Tells apart requests that had the same number in the slab.
    pub serial: u32,
    pub client: u32,
    pub worker: u32,
    /// Bucket of the series in which it arrived.
    pub bucket: u32,
    /// Its attempts, in a list.
    pub first: u32,
    /// Attempts made so far.
    pub tries: u32,
    /// Attempts that got a connection.
    pub attached: u32,
    pub retries_left: u32,
    /// Waits before retries so far.
    pub back_offs: u32,
    /// Of a closed loop.
    pub caller: u32,
    /// Times that its caller asks again.
    pub asks_left: u32,
    /// Hosts tried, in a list; only kept for `previous_hosts`.
    pub tried: u32,
    pub route: u32,
    pub deadline: u32,
    pub stream_idle: u32,
    pub stream_duration: u32,
    pub priority: u8,
    pub alive: bool,
    /// Its number was given back.
    pub freed: bool,
    /// It arrived after the warm-up.
    pub counted: bool,
    /// A retry is scheduled.
    pub backing_off: bool,
    /// It holds a slot of the retry limit (F18).
    pub slot: bool,
    /// Response headers went to the caller.
    pub answering: bool,
    /// Some attempt has sent bytes to a host.
    pub sent: bool,
}

/// An attempt at a request: Envoy's upstream request, and the host's work on it.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Attempt {
    pub request: u32,
    pub pool: u32,
    pub host: u32,
    /// Of its request, counted from 0.
    pub nth: u32,
    /// [`NONE`](crate::engine::sim::slab::NONE): waits in the queue of the pool.
    pub conn: u32,
    /// Neighbors in the queue of the pool, or on the connection.
    pub prev: u32,
    pub next: u32,
    /// Next of the same request.
    pub sibling: u32,
    pub per_try: u32,
    pub per_try_idle: u32,
    pub duration: u32,
    /// Life of the host in which it arrived there.
    pub epoch: u32,
    /// Events and queues outside of Envoy that still know the number.
    pub holds: u8,
    /// Envoy still cares.
    pub wanted: bool,
    /// The host is to answer with a failure.
    pub fails: bool,
    /// The host has it, in service or in its queue.
    pub at_host: bool,
    /// It waits in the queue of the host.
    pub queued: bool,
    /// Response headers have come.
    pub headers: bool,
    /// A hedge was sent because of it (F58).
    pub retried: bool,
    /// A soft timeout was charged to the host already.
    pub timeout_recorded: bool,
}

/// What a connection is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Connecting,
    /// Takes a stream.
    Ready,
    /// Full.
    Busy,
    /// Takes none any more and closes after the last.
    Draining,
    Closed,
}

/// A connection.
#[derive(Clone, Copy, Debug)]
pub struct Conn {
    pub pool: u32,
    pub serial: u32,
    pub state: State,
    /// The server has closed it, and Envoy does not know yet (F46).
    pub gone: bool,
    /// Streams on it.
    pub active: u32,
    /// Streams it may still take in its life.
    pub remaining: u32,
    /// Streams at once.
    pub limit: u32,
    /// Its streams, in a list.
    pub first: u32,
    pub opened: u64,
    /// Connect or its timeout; later the pool's idle timeout.
    pub clock: u32,
    pub keepalive: u32,
    /// Neighbors among the ready ones of the pool.
    pub prev: u32,
    pub next: u32,
    /// Neighbors among all of the pool.
    pub prev_of_all: u32,
    pub next_of_all: u32,
}

impl Conn {
    /// Streams it could take now.
    #[inline]
    pub fn unused(&self) -> u32 {
        self.remaining.min(self.limit.saturating_sub(self.active))
    }
}

/// A pool: worker × host × priority (F20).
#[derive(Clone, Copy, Debug)]
pub struct Pool {
    pub client: u32,
    pub host: u32,
    pub priority: u8,
    /// Counts in `max_connection_pools`: it has a connection or a request.
    pub counted: bool,
    /// The queue, oldest first.
    pub oldest: u32,
    pub newest: u32,
    pub pending: u32,
    pub ready: u32,
    pub all: u32,
    pub conns: u32,
    pub active: u32,
    /// Streams that connections could take, those being set up included.
    pub capacity: u64,
}

/// What the breakers of a priority of a proxy count.
#[derive(Clone, Debug)]
pub struct Level {
    pub connections: u32,
    pub pending: u32,
    pub active: u32,
    pub pools: u32,
    pub retries: Retries,
}

/// A simulated proxy process.
#[derive(Clone, Debug)]
pub struct Client {
    /// Its number in the experiment.
    pub id: u32,
    pub levels: [Level; 2],
    pub balancers: Vec<Balancer>,
    pub view: HealthView,
    pub detector: Option<Detector>,
    /// A [`Merge`](crate::engine::sim::event::Event::Merge) is on its way.
    pub merging: bool,
    /// Requests in flight by host; only kept for `LEAST_REQUEST`.
    pub active_at: Vec<u32>,
}

impl Client {
    /// Requests attached to connections.
    #[inline]
    pub fn active(&self) -> u32 {
        self.levels[0].active + self.levels[1].active
    }

    /// Requests that wait for a connection.
    #[inline]
    pub fn pending(&self) -> u32 {
        self.levels[0].pending + self.levels[1].pending
    }
}

/// A host.
#[derive(Clone, Debug)]
pub struct Host {
    pub state: HostState,
    /// Rises when everything in it is lost.
    pub epoch: u32,
    /// Faults that make it refuse connects.
    pub refusing: u32,
    /// Faults that make it vanish.
    pub vanished: u32,
}
