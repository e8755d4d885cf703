//! Where policies come from: the recommendation, Envoy's defaults, a pasted configuration.
//!
//! All three end in one [`Policy`] with every default filled in, so that the simulator never asks
//! whether somebody wrote a value.

mod envoy_defaults;
mod recommended;

#[cfg(feature = "read")]
mod notes;
#[cfg(feature = "read")]
mod pasted;

#[cfg(feature = "read")]
pub use pasted::Pasted;

pub(super) use envoy_defaults::{outlier as default_outlier, retry as default_retry};

use super::{Balancing, Limits, Nanos, Policy, RetryLimit, RoutePolicy, Upstream};
use crate::engine::envoy::defaults;
use crate::engine::scenario::{EnvoyVersion, Protocol};
use crate::engine::units::Millis;

/// A span that is off when it is zero.
fn unless_off(span: Millis) -> Option<Nanos> {
    (span.0 > 0.0).then(|| Nanos::of(span))
}

/// How long a gRPC stream may take where the caller tells its deadline in `grpc-timeout`: the header,
/// not above `header_max` (zero is no bound), less `offset` where that leaves anything.
///
/// Measured on Envoy 1.40: header 2 s, maximum 0.5 s, offset 0.1 s gives 0.4 s.
fn header_bound(header: Millis, header_max: Millis, offset: Millis) -> Millis {
    let bound = if header_max.0 > 0.0 { header.min(header_max) } else { header };
    if offset.0 > 0.0 && offset < bound { bound - offset } else { bound }
}

/// The deadline that callers of a service tell Envoy in a header: gRPC does, HTTP does not.
fn told_deadline(protocol: Protocol, deadline: Option<Millis>) -> Option<Millis> {
    deadline.filter(|_| protocol.speaks_grpc())
}

/// Connections with nothing written about them.
fn upstream(multiplexes: bool, version: EnvoyVersion) -> Upstream {
    Upstream {
        multiplexes,
        connect_timeout: Nanos::of(defaults::CONNECT_TIMEOUT.0),
        max_concurrent_streams: defaults::max_concurrent_streams(version),
        max_requests_per_connection: None,
        idle_timeout: Some(Nanos::of(defaults::POOL_IDLE_TIMEOUT.0)),
        max_stream_duration: None,
        preconnect_ratio: 1.0,
    }
}

/// Limits with nothing written about them.
fn limits() -> Limits {
    Limits {
        max_connections: defaults::MAX_CONNECTIONS,
        max_pending_requests: defaults::MAX_PENDING_REQUESTS,
        max_requests: defaults::MAX_REQUESTS,
        retry_limit: RetryLimit::MaxRetries(defaults::MAX_RETRIES),
        max_connection_pools: None,
        max_connections_per_host: None,
    }
}

/// A cluster and a route with nothing written about them.
fn bare(multiplexes: bool, version: EnvoyVersion) -> Policy {
    Policy {
        limits: [limits(), limits()],
        upstream: upstream(multiplexes, version),
        route: RoutePolicy {
            timeout: Some(Nanos::of(defaults::ROUTE_TIMEOUT.0)),
            idle_timeout: Some(Nanos::from_secs(defaults::STREAM_IDLE_TIMEOUT_S)),
            max_stream_duration: None,
            retry: None,
            hedge_on_per_try_timeout: false,
        },
        outlier: None,
        balancing: Balancing::RoundRobin,
        healthy_panic_threshold: defaults::HEALTHY_PANIC_THRESHOLD,
        fail_traffic_on_panic: false,
        update_merge_window: Nanos::of(defaults::UPDATE_MERGE_WINDOW.0),
        not_simulated: Vec::new(),
    }
}
