//! The world of a run: what is there, and what happens next.
//!
//! Every file has the rules of one subject, as methods of [`World`]: arrivals, attaching requests to
//! connections, pools, hosts, answers, resets, retries, timeouts, health, faults. The numbers in
//! comments (F6, F41, …) are those of the repository's facts about Envoy.

mod arrive;
mod attach;
mod config;
mod connect;
mod end;
mod fault;
mod health;
mod pool;
mod reset;
mod respond;
mod retry;
mod serve;
mod streams;
mod timeout;
mod types;

#[cfg(test)]
mod tests;

#[cfg(test)]
pub use tests::experiment as test_experiment;

pub use config::Config;
pub use types::{Attempt, Client, Conn, Host, Level, Pool, Request};

use super::Experiment;
use super::clock::{Clocks, Kind};
use super::counters::Counters;
use super::event::Event;
use super::lookup::Lookup;
use super::queue::{Due, NEVER, Queue, place};
use super::rates::Rates;
#[cfg(test)]
use super::record::End;
use super::record::Record;
use super::rng::{Purpose, Stream};
use super::slab::{NONE, Slab};
use end::FollowUp;

/// Everything there is.
#[derive(Clone, Debug)]
pub struct World {
    pub config: Config,
    pub now: u64,
    pub events: u64,
    seq: u64,
    queue: Queue,
    clocks: Clocks,
    /// Events on their way that a request may be waiting for.
    moving: u64,
    pub requests: Slab<Request>,
    attempts: Slab<Attempt>,
    conns: Slab<Conn>,
    pools: Slab<Pool>,
    pool_of: Lookup,
    /// Connections of a proxy to a host, only where there is a limit of them.
    conns_to: Lookup,
    /// Where a proxy is in `clients`; proxies are made when they get their first request.
    client_at: Vec<u32>,
    pub clients: Vec<Client>,
    hosts: Vec<Host>,
    /// Faults in force, by their number in the experiment.
    in_force: Vec<u32>,
    rates: Rates,
    gaps: Stream,
    /// The place in the order of the next arrival of a Poisson stream.
    next_arrival: u128,
    pub arrived: u64,
    /// Of each caller of a closed loop: questions so far, and when the last was.
    asked: Vec<u32>,
    last_asked: Vec<u64>,
    serial: u32,
    pub counters: Counters,
    /// Counters at the end of the warm-up.
    pub at_warm_up: Option<Counters>,
    pub record: Record,
    /// What is to be done at this moment when the event is over: callers who ask again, hosts that
    /// were ejected.
    follow_ups: Vec<FollowUp>,
    ejected: Vec<(u32, u32)>,
    /// Hosts that a retry avoids; kept to allocate once.
    avoid: Vec<u32>,
    tried: Slab<(u32, u32)>,
    /// How requests ended and when, and when attempts got a connection to which host.
    #[cfg(test)]
    #[allow(clippy::type_complexity, reason = "two lists, for tests")]
    log: (Vec<(End, u64)>, Vec<(u32, u64)>),
    pub done: bool,
}

/// Where the next thing comes from.
#[derive(Clone, Copy, Debug)]
enum Source {
    Arrival,
    Clock(Kind),
    Queue,
}

impl World {
    pub fn new(experiment: Experiment) -> Self {
        let config = Config::new(experiment);
        let e = &config.experiment;
        let mut world = Self {
            now: 0,
            events: 0,
            seq: 0,
            queue: Queue::default(),
            clocks: Clocks::new(config.spans()),
            moving: 0,
            requests: Slab::default(),
            attempts: Slab::default(),
            conns: Slab::default(),
            pools: Slab::default(),
            pool_of: Lookup::default(),
            conns_to: Lookup::default(),
            client_at: vec![NONE; e.fleet.simulated as usize],
            clients: Vec::new(),
            hosts: (0..e.hosts.count).map(|_| config.host()).collect(),
            in_force: Vec::new(),
            rates: Rates::new(e),
            gaps: Stream::new(e.run.seed, Purpose::Arrivals, 0),
            next_arrival: NEVER,
            arrived: 0,
            asked: Vec::new(),
            last_asked: Vec::new(),
            serial: 0,
            counters: Counters::default(),
            at_warm_up: None,
            record: Record::new(e),
            follow_ups: Vec::new(),
            ejected: Vec::new(),
            avoid: Vec::new(),
            tried: Slab::default(),
            #[cfg(test)]
            log: Default::default(),
            done: false,
            config,
        };
        world.schedule_faults();
        world.first_arrivals();
        world
    }

    /// A place in the order of what happens at the same moment.
    #[inline]
    fn next_seq(&mut self) -> u64 {
        self.seq += 1;
        self.seq
    }

    /// Has an event happen at that moment.
    #[inline]
    fn schedule(&mut self, at: u64, event: Event) {
        let seq = self.next_seq();
        self.moving += u64::from(event.moves_requests());
        self.queue.push(Due { at: at.max(self.now), seq, event });
    }

    /// Arms a clock.
    #[inline]
    fn arm(&mut self, kind: Kind, owner: u32) -> u32 {
        if !self.clocks.is_on(kind) {
            return NONE;
        }
        let seq = self.next_seq();
        self.clocks.arm(kind, self.now, seq, owner)
    }

    #[inline]
    fn next(&self) -> Option<(u64, Source)> {
        let (mut first, mut source) = (self.queue.first(), Source::Queue);
        if self.next_arrival < first {
            (first, source) = (self.next_arrival, Source::Arrival);
        }
        let (clock, kind) = self.clocks.first();
        if clock < first {
            (first, source) = (clock, Source::Clock(kind));
        }
        #[allow(clippy::cast_possible_truncation, reason = "the upper half")]
        (first != NEVER).then_some(((first >> u64::BITS) as u64, source))
    }

    /// Whether something is on its way that can still bring or end a request.
    fn is_moving(&self) -> bool {
        self.moving > 0 || self.clocks.waiting() > 0 || self.next_arrival != NEVER
    }

    /// Handles the next event if it is not later than `until`.
    #[inline]
    pub fn step(&mut self, until: u64) -> bool {
        if self.done {
            return false;
        }
        let Some((at, source)) = self.next() else {
            self.finish();
            return false;
        };
        if at > until {
            return false;
        }
        self.advance(at);
        self.events += 1;
        match source {
            Source::Arrival => self.on_arrival(),
            Source::Clock(kind) => {
                let owner = self.clocks.pop(kind);
                self.on_clock(kind, owner);
            }
            Source::Queue => {
                if let Some(due) = self.queue.pop() {
                    self.moving -= u64::from(due.event.moves_requests());
                    self.on_event(due.event);
                }
            }
        }
        if !self.follow_ups.is_empty() || !self.ejected.is_empty() {
            self.follow_up();
        }
        if self.next_arrival == NEVER && self.is_over() {
            self.finish();
        }
        true
    }

    /// Nobody asks any more, and nobody waits for anything that could still come.
    fn is_over(&self) -> bool {
        let asks = self.moving > 0 && self.now < self.config.duration;
        !asks && (self.requests.live() == 0 || !self.is_moving())
    }

    #[inline]
    fn advance(&mut self, at: u64) {
        while at >= self.record.until {
            self.roll();
        }
        if self.at_warm_up.is_none() && at >= self.config.warm_up {
            self.at_warm_up = Some(self.counters);
        }
        self.now = at;
    }

    #[cold]
    fn roll(&mut self) {
        let in_flight = self.clients.iter().map(Client::active).max().unwrap_or(0);
        let pending = self.clients.iter().map(Client::pending).max().unwrap_or(0);
        self.record.roll((in_flight, pending));
    }

    #[inline]
    fn on_event(&mut self, event: Event) {
        match event {
            Event::Served { attempt } => self.on_served(attempt),
            Event::Headers { attempt } => self.on_stream_headers(attempt),
            Event::Broken { attempt } => self.on_broken(attempt),
            Event::Refused { attempt } => self.on_refused(attempt),
            Event::BackOff { request, generation } => self.on_back_off(request, generation),
            Event::Settings { conn, generation } => self.on_settings(conn, generation),
            Event::ConnectLost { conn, generation } => self.on_connect_lost(conn, generation),
            Event::ConnectRefused { conn, generation } => self.on_connect_refused(conn, generation),
            Event::Fin { conn, generation } => self.on_fin(conn, generation),
            Event::Paced { client } => self.on_paced(client),
            Event::Ask { caller } => self.on_ask(caller),
            Event::Tick { client } => self.on_tick(client),
            Event::Merge { client } => self.on_merge(client),
            Event::Edge { fault } => self.on_edge(fault),
            Event::Deploy { fault, step } => self.on_deploy(fault, step),
        }
    }
}
