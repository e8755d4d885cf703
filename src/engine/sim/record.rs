//! What a run keeps of what has happened: counts and histograms, never a request.

use super::histogram::Histogram;
use super::recovery::{Parts, Steps};
use super::report::Before;
use super::{Experiment, Nanos, Shares};

/// How a request ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs, reason = "the names are those of Shares")]
pub enum End {
    Served,
    RefusedActive,
    RefusedPending,
    NoHost,
    TimedOut,
    PerTryTimedOut,
    ConnectFailed,
    Reset,
    UpstreamError,
    Abandoned,
}

const ENDS: usize = 10;

/// How many ended how.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ends([u64; ENDS]);

impl Ends {
    #[inline]
    pub fn add(&mut self, end: End) {
        self.0[end as usize] += 1;
    }

    #[allow(clippy::similar_names, reason = "the names are those of Shares")]
    pub fn shares(&self) -> Shares {
        let [served, refused_active, refused_pending, no_host, timed_out, others @ ..] = self.0;
        let [per_try_timed_out, connect_failed, reset, upstream_error, abandoned] = others;
        Shares {
            served,
            refused_active,
            refused_pending,
            no_host,
            timed_out,
            per_try_timed_out,
            connect_failed,
            reset,
            upstream_error,
            abandoned,
        }
    }
}

/// A number that moves, added up over time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gauge {
    pub value: u32,
    since: u64,
    area: f64,
}

impl Gauge {
    #[inline]
    pub fn set(&mut self, now: u64, value: u32) {
        self.area += f64::from(self.value) * (now - self.since) as f64;
        self.value = value;
        self.since = now;
    }

    #[inline]
    pub fn up(&mut self, now: u64) {
        self.set(now, self.value + 1);
    }

    #[inline]
    pub fn down(&mut self, now: u64) {
        self.set(now, self.value.saturating_sub(1));
    }

    /// The area up to `now`, in value × nanoseconds; it starts from zero again.
    fn take(&mut self, now: u64) -> f64 {
        self.set(now, self.value);
        std::mem::take(&mut self.area)
    }

    /// The area up to `now`.
    pub fn area(&self, now: u64) -> f64 {
        self.area + f64::from(self.value) * (now - self.since) as f64
    }
}

/// A step of time.
#[derive(Clone, Debug, Default)]
pub struct Slot {
    pub ends: Ends,
    pub arrivals: u64,
    pub attempts: u64,
    pub retries: u64,
    pub retries_refused: u64,
    /// Value × nanoseconds.
    pub in_flight: f64,
    pub pending: f64,
    pub connections: f64,
    pub retries_active: f64,
    pub in_flight_max: u32,
    pub pending_max: u32,
    pub served: Histogram,
}

/// A host in a step of time.
#[derive(Clone, Copy, Debug, Default)]
pub struct HostSlot {
    pub attempts: u64,
    pub failures: u64,
    pub in_flight: f64,
    pub ejected: f64,
}

/// A host now.
#[derive(Clone, Copy, Debug, Default)]
pub struct HostNow {
    pub in_flight: Gauge,
    pub ejected: Gauge,
    pub slot: HostSlot,
}

/// A part of the run.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub ends: Ends,
    pub served: Histogram,
    pub others: Histogram,
    /// Requests that got a connection, and their attempts that did.
    pub reached: u64,
    pub attempts: u64,
}

/// Hosts whose course is kept; a picture shows no more, and memory would grow with hosts × time.
pub const MOST_HOSTS: u32 = 256;
/// Width of the steps from which recovery is judged, and how many there are at most.
const STEP: u64 = 100_000_000;
const MOST_STEPS: u64 = 100_000;

/// Everything that is kept.
#[derive(Clone, Debug)]
pub struct Record {
    pub width: u64,
    /// The end of the step of time that runs.
    pub until: u64,
    pub slots: Vec<Slot>,
    /// Of each full step of time, the hosts.
    pub host_slots: Vec<Vec<HostSlot>>,
    pub hosts: Vec<HostNow>,
    pub in_flight: Gauge,
    pub pending: Gauge,
    pub connections: Gauge,
    pub retries_active: Gauge,
    pub parts: Option<Parts>,
    pub steps: Option<Steps>,
    pub tallies: [Tally; 3],
    pub ended: u64,
    /// All proxies.
    pub host_in_flight_max: f64,
}

/// What became of a request, for the record.
#[derive(Clone, Copy, Debug)]
pub struct Ended {
    pub end: End,
    pub arrived: u64,
    pub took: u64,
    pub bucket: u32,
    pub attempts: u32,
}

impl Record {
    pub fn new(experiment: &Experiment) -> Self {
        let run = &experiment.run;
        let parts = Parts::of(&experiment.faults, run.warm_up, run.duration);
        let step = Nanos(STEP.max(run.duration.0 / MOST_STEPS));
        let width = run.bucket.0.max(Nanos::MILLI.0);
        let kept = experiment.hosts.count.min(MOST_HOSTS) as usize;
        Self {
            width,
            until: width,
            slots: vec![Slot::default()],
            host_slots: Vec::new(),
            hosts: vec![HostNow::default(); kept],
            in_flight: Gauge::default(),
            pending: Gauge::default(),
            connections: Gauge::default(),
            retries_active: Gauge::default(),
            steps: parts.map(|_| Steps::new(step, run.duration)),
            parts,
            tallies: Default::default(),
            ended: 0,
            host_in_flight_max: 0.0,
        }
    }

    /// The step of time that runs.
    #[inline]
    pub fn bucket(&self) -> u32 {
        u32::try_from(self.slots.len() - 1).unwrap_or(u32::MAX)
    }

    #[inline]
    pub fn slot(&mut self) -> &mut Slot {
        let last = self.slots.len() - 1;
        &mut self.slots[last]
    }

    /// The host, if its course is kept.
    #[inline]
    pub fn host(&mut self, host: u32) -> Option<&mut HostNow> {
        self.hosts.get_mut(host as usize)
    }

    /// Closes the step of time that has passed. `most` are the proxies' highest numbers now, in
    /// flight and pending, from which the next one starts.
    pub fn roll(&mut self, most: (u32, u32)) {
        let end = self.until;
        let areas = [
            self.in_flight.take(end),
            self.pending.take(end),
            self.connections.take(end),
            self.retries_active.take(end),
        ];
        let slot = self.slot();
        [slot.in_flight, slot.pending, slot.connections, slot.retries_active] = areas;
        let row = self.hosts.iter_mut().map(|host| {
            let (in_flight, ejected) = (host.in_flight.take(end), host.ejected.take(end));
            HostSlot { in_flight, ejected, ..std::mem::take(&mut host.slot) }
        });
        self.host_slots.push(row.collect());
        self.slots.push(Slot { in_flight_max: most.0, pending_max: most.1, ..Slot::default() });
        self.until = self.until.saturating_add(self.width);
    }

    /// A request has ended.
    #[inline]
    pub fn end(&mut self, ended: Ended) {
        let Ended { end, arrived, took, bucket, attempts } = ended;
        let part = self.parts.map_or(0, |parts| match parts.at(Nanos(arrived)) {
            Before::Before => 0,
            Before::During => 1,
            Before::After => 2,
        });
        let tally = &mut self.tallies[part];
        let slot = &mut self.slots[bucket as usize];
        tally.ends.add(end);
        slot.ends.add(end);
        if end == End::Served {
            tally.served.record(Nanos(took));
            slot.served.record(Nanos(took));
        } else {
            tally.others.record(Nanos(took));
        }
        tally.reached += u64::from(attempts > 0);
        tally.attempts += u64::from(attempts);
        if let Some(steps) = &mut self.steps {
            steps.record(Nanos(arrived), end == End::Served);
        }
        self.ended += 1;
    }
}
