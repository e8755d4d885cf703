//! Everything a run needs: who asks, who answers, what is in force between them, what goes wrong.

use super::{Fault, Nanos, Policy};
use crate::engine::latency::LatencyModel;

/// A run.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// What the callers ask.
    pub load: Load,
    /// The proxies.
    pub fleet: Fleet,
    /// The hosts.
    pub hosts: HostModel,
    /// What is in force at the proxies.
    pub policy: Policy,
    /// What goes wrong.
    pub faults: Vec<Fault>,
    /// How long, and with which chance.
    pub run: Run,
}

/// What the callers ask.
#[derive(Clone, Debug, PartialEq)]
pub struct Load {
    /// Requests a second of each simulated proxy (open loop).
    pub rate_per_client: f64,
    /// How arrivals come.
    pub arrivals: Arrivals,
    /// How the rate moves; several multiply.
    pub patterns: Vec<Pattern>,
    /// Share of requests on routes with `priority: HIGH`.
    pub high_priority_share: f64,
    /// What callers do with an answer that is late or bad.
    pub caller: Caller,
}

/// How arrivals come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Arrivals {
    /// Open loop: callers do not wait for each other. Exponential gaps.
    Poisson,
    /// Open loop, equal gaps in every proxy; proxies start at random offsets.
    Paced,
    /// Closed loop: so many callers a proxy, each asks, waits for the answer, thinks, asks again.
    /// Think times are exponential with that mean; zero asks again at once, or a millisecond later
    /// if the answer took no time, as refusals do here.
    Closed {
        /// Callers of each proxy.
        callers: u32,
        /// Mean think time.
        think: Nanos,
    },
}

/// How the rate moves over time (open loop only).
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "the doc of each variant names its fields")]
pub enum Pattern {
    /// `times` as much from `from` to `to`.
    Surge { from: Nanos, to: Nanos, times: f64 },
    /// `times` as much from `at` on.
    Step { at: Nanos, times: f64 },
    /// `times` as much for `length` at the start of every `every`.
    Burst { every: Nanos, length: Nanos, times: f64 },
}

/// The caller behind a request.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Caller {
    /// After this the caller gives up: the stream is reset, what comes later is not counted as
    /// served. `None`: waits for ever.
    pub deadline: Option<Nanos>,
    /// Times that the caller asks again by itself after a failed answer or its deadline, at once, as
    /// a new request at the same proxy.
    pub retries: u32,
}

/// The proxies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fleet {
    /// Proxies that are simulated.
    pub simulated: u32,
    /// Proxies that there are. Where that is more, each simulated one stands for
    /// `clients / simulated` of them at the hosts.
    pub clients: u32,
    /// Workers of each.
    pub workers: u32,
    /// Release of Envoy, as its minor number (40 for 1.40): counters follow it.
    pub envoy_minor: u8,
}

impl Fleet {
    /// How many proxies one simulated proxy stands for at the hosts.
    pub fn weight(&self) -> f64 {
        f64::from(self.clients) / f64::from(self.simulated.max(1))
    }
}

/// The hosts.
///
/// A host does not notice that a caller has given up: it finishes what it has begun, and what waits
/// in its queue, for nobody. That is what servers without cancellation do, and it is what keeps an
/// overload alive after its cause is gone.
#[derive(Clone, Debug)]
pub struct HostModel {
    /// Endpoints.
    pub count: u32,
    /// Time in service of an attempt that has the host to itself.
    pub service: Service,
    /// When the response begins.
    pub response: ResponseShape,
    /// Share of attempts that fail with 503 after their time in service, on a good day.
    pub error_rate: f64,
    /// Failures are gRPC statuses in the headers (UNAVAILABLE, HTTP 200) and not HTTP 503.
    pub fails_as_grpc: bool,
    /// Requests that a host serves at once; further ones wait in its queue, first come first
    /// served. `None`: all at once.
    pub slots: Option<u32>,
    /// Requests in flight at a host beyond which it gets slower: a request that begins with `n` in
    /// flight takes `(n / knee)^2` times as long where `n > knee`. `None`: never.
    pub knee: Option<f64>,
    /// Time to set up a connection.
    pub connect: Nanos,
    /// Streams that the server allows on an HTTP/2 connection, told in its SETTINGS as the
    /// connection comes up; `None`: tells nothing, the configured number holds.
    pub peer_max_concurrent_streams: Option<u32>,
    /// The server closes connections that were idle for so long. Envoy learns of it half of
    /// `connect` later; a request that is sent meanwhile meets a closed connection.
    pub keepalive: Option<Nanos>,
}

/// A distribution of times in service.
#[derive(Clone, Debug)]
pub enum Service {
    /// Always the same.
    Constant(Nanos),
    /// Exponential, with that mean.
    Exponential(Nanos),
    /// As measured: percentiles of the scenario, times `scale` (a stated mean may differ from that
    /// of the percentiles).
    Percentiles {
        /// The distribution.
        model: LatencyModel,
        /// Factor on every time.
        scale: f64,
    },
}

/// When the response begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResponseShape {
    /// Headers and body at the end of the time in service.
    AtOnce,
    /// Headers at the beginning, then the body for the time in service: streams.
    HeadersFirst,
}

/// How long, and with which chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Arrivals end here; what is in flight is followed to its end.
    pub duration: Nanos,
    /// What arrives before this is simulated and not counted.
    pub warm_up: Nanos,
    /// The seed.
    pub seed: u64,
    /// Width of the buckets of the series.
    pub bucket: Nanos,
}
