//! The experiment, digested: what is looked at for every request, in the form in which it is needed.

use super::types::{Client, Host, Level};
use crate::engine::sim::balance::Balancer;
use crate::engine::sim::budget::Retries;
use crate::engine::sim::clock::Kind;
use crate::engine::sim::health::HealthView;
use crate::engine::sim::host::HostState;
use crate::engine::sim::outlier::Detector;
use crate::engine::sim::rng::{Draws, Purpose};
use crate::engine::sim::{Balancing, Experiment, Nanos, ResponseShape};

/// From this release on, refusals of `max_requests` have a counter of their own (F4).
const ACTIVE_OVERFLOW_SINCE: u8 = 38;

/// Draws that belong to a request.
#[derive(Clone, Copy, Debug)]
pub struct Chance {
    pub client: Draws,
    pub worker: Draws,
    pub priority: Draws,
    pub service: Draws,
    pub failure: Draws,
    pub fault: Draws,
    pub back_off: Draws,
    pub caller: Draws,
    pub stagger: Draws,
}

/// See the module.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Config {
    pub experiment: Experiment,
    pub chance: Chance,
    pub duration: u64,
    pub warm_up: u64,
    pub workers: u32,
    pub n_hosts: u32,
    pub clients: u32,
    pub high_share: f64,
    pub error_rate: f64,
    pub headers_first: bool,
    pub multiplexes: bool,
    /// Streams at once on a connection, as configured.
    pub streams: u32,
    /// Streams that the server allows.
    pub peer_streams: u32,
    /// Streams in the life of a connection.
    pub requests_per_connection: u32,
    pub connect: u64,
    pub connect_timeout: u64,
    pub preconnect: f64,
    pub has_per_host: bool,
    pub has_outlier: bool,
    /// Local success is reported as a request is attached (F68).
    pub split: bool,
    pub least_request: bool,
    pub active_overflow: bool,
    pub previous_hosts: bool,
}

impl Config {
    pub fn new(experiment: Experiment) -> Self {
        let (policy, hosts) = (&experiment.policy, &experiment.hosts);
        let upstream = &policy.upstream;
        let seed = experiment.run.seed;
        let draws = |purpose| Draws::new(seed, purpose);
        Self {
            chance: Chance {
                client: draws(Purpose::Arrivals),
                worker: draws(Purpose::Worker),
                priority: draws(Purpose::Priority),
                service: draws(Purpose::Service),
                failure: draws(Purpose::Failure),
                fault: draws(Purpose::Fault),
                back_off: draws(Purpose::BackOff),
                caller: draws(Purpose::Caller),
                stagger: draws(Purpose::Stagger),
            },
            duration: experiment.run.duration.0,
            warm_up: experiment.run.warm_up.0,
            workers: experiment.fleet.workers.max(1),
            n_hosts: hosts.count,
            clients: experiment.fleet.simulated,
            high_share: experiment.load.high_priority_share,
            error_rate: hosts.error_rate,
            headers_first: hosts.response == ResponseShape::HeadersFirst,
            multiplexes: upstream.multiplexes,
            streams: if upstream.multiplexes { upstream.max_concurrent_streams.max(1) } else { 1 },
            peer_streams: match hosts.peer_max_concurrent_streams {
                Some(streams) if upstream.multiplexes => streams,
                _ => u32::MAX,
            },
            // Zero is unlimited (F25).
            requests_per_connection: match upstream.max_requests_per_connection {
                Some(n) if n > 0 => n,
                _ => u32::MAX,
            },
            connect: hosts.connect.0,
            connect_timeout: upstream.connect_timeout.0,
            preconnect: upstream.preconnect_ratio.clamp(1.0, 3.0),
            has_per_host: policy.limits.iter().any(|l| l.max_connections_per_host.is_some()),
            has_outlier: policy.outlier.is_some(),
            split: policy.outlier.as_ref().is_some_and(|o| o.split_external_local_origin_errors),
            least_request: matches!(policy.balancing, Balancing::LeastRequest { .. }),
            active_overflow: experiment.fleet.envoy_minor >= ACTIVE_OVERFLOW_SINCE,
            previous_hosts: policy.route.retry.as_ref().is_some_and(|r| r.previous_hosts),
            experiment,
        }
    }

    /// How long the clocks run.
    pub fn spans(&self) -> [Option<u64>; Kind::ALL.len()] {
        let (route, upstream) = (&self.experiment.policy.route, &self.experiment.policy.upstream);
        let retry = route.retry.as_ref();
        Kind::ALL.map(|kind| {
            let span = match kind {
                Kind::Route => route.timeout,
                Kind::PerTry => retry.and_then(|r| r.per_try_timeout),
                Kind::PerTryIdle => retry.and_then(|r| r.per_try_idle_timeout),
                Kind::UpstreamDuration => upstream.max_stream_duration,
                Kind::StreamIdle => route.idle_timeout,
                Kind::StreamDuration => route.max_stream_duration,
                Kind::Deadline => self.experiment.load.caller.deadline,
                Kind::Connect => return Some(self.connect),
                Kind::ConnectTimeout => return Some(self.connect_timeout),
                Kind::PoolIdle => upstream.idle_timeout,
                Kind::KeepAlive => self.experiment.hosts.keepalive,
            };
            // Zero switches a timeout off, here as in Envoy.
            span.map(|span| span.0).filter(|&span| span > 0)
        })
    }

    /// A host at the start.
    pub fn host(&self) -> Host {
        let hosts = &self.experiment.hosts;
        Host {
            state: HostState::new(hosts.slots, hosts.knee, self.experiment.fleet.weight()),
            epoch: 0,
            refusing: 0,
            vanished: 0,
        }
    }

    /// A proxy at the start.
    pub fn client(&self, id: u32) -> Client {
        let policy = &self.experiment.policy;
        let seed = self.experiment.run.seed;
        let level = |priority: usize| Level {
            connections: 0,
            pending: 0,
            active: 0,
            pools: 0,
            retries: Retries::new(policy.limits[priority].retry_limit),
        };
        let worker = |n: u32| u64::from(id) * u64::from(self.workers) + u64::from(n);
        Client {
            id,
            levels: [level(0), level(1)],
            balancers: (0..self.workers).map(|n| Balancer::new(policy.balancing, seed, worker(n))).collect(),
            view: HealthView::new(policy, self.n_hosts),
            detector: policy.outlier.as_ref().map(|o| Detector::new(o, self.n_hosts, seed, u64::from(id))),
            merging: false,
            active_at: if self.least_request { vec![0; self.n_hosts as usize] } else { Vec::new() },
        }
    }

    /// A wait of the callers of a closed loop.
    pub fn think(&self) -> Nanos {
        match self.experiment.load.arrivals {
            crate::engine::sim::Arrivals::Closed { think, .. } => think,
            _ => Nanos::ZERO,
        }
    }
}
