//! A route with everything filled in.

use super::defaults;
use super::{Effective, From, or_default, text};
use crate::engine::envoy::defaults as envoy;
use crate::engine::read::config::{
    ClusterConfig, Configuration, Dialect, RetryPolicy, RouteConfig, RouteKind, RoutingPriority,
};
use crate::engine::scenario::EnvoyVersion;
use crate::engine::units::Millis;
use serde::{Deserialize, Serialize};

/// What is in force for a route.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct EffectiveRoute {
    pub priority: Effective<RoutingPriority>,
    /// Zero is off: so written, or because the route has a block `max_stream_duration`.
    pub timeout: Effective<Millis>,
    /// The idle timeout of streams: of the route, else of its connection manager; zero is off.
    pub idle_timeout: Effective<Millis>,
    /// Of the route, else of its connection manager; zero is off.
    pub max_stream_duration: Effective<Millis>,
    /// `None`: the header `grpc-timeout` does not count; zero: it counts without a bound.
    pub grpc_timeout_header_max: Effective<Option<Millis>>,
    pub grpc_timeout_header_offset: Effective<Millis>,
    /// `None`: nothing is retried.
    pub retry: Option<EffectiveRetry>,
    pub hedge_on_per_try_timeout: Effective<bool>,
    /// Largest body that can be sent again.
    pub body_buffer_limit_bytes: Effective<u64>,
}

/// A retry policy in force.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct EffectiveRetry {
    pub retry_on: Effective<Vec<String>>,
    pub num_retries: Effective<u32>,
    /// As written; zero is off. See [`EffectiveRoute::per_try_timeout`] for what acts.
    pub per_try_timeout: Effective<Millis>,
    pub per_try_idle_timeout: Effective<Millis>,
    pub back_off: EffectiveBackOff,
    pub retriable_status_codes: Effective<Vec<u32>>,
    /// Whether hosts already tried are avoided.
    pub previous_hosts: Effective<bool>,
    pub host_selection_retry_max_attempts: Effective<i64>,
}

/// Bounds of the wait before a retry.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct EffectiveBackOff {
    pub base_interval: Effective<Millis>,
    pub max_interval: Effective<Millis>,
}

impl EffectiveRoute {
    /// The per-try timeout that acts: Envoy ignores one that is not below the route timeout.
    pub fn per_try_timeout(&self) -> Option<Millis> {
        let written = self.retry.as_ref()?.per_try_timeout.value;
        let route = self.timeout.value;
        (written.0 > 0.0 && (route.0 <= 0.0 || written < route)).then_some(written)
    }

    /// Attempts at most, the first included.
    pub fn attempts(&self) -> u64 {
        self.retry
            .as_ref()
            .filter(|r| !r.retry_on.value.is_empty())
            .map_or(1, |r| 1 + u64::from(r.num_retries.value))
    }
}

/// What is in force for a route of a configuration on its way to `cluster`.
///
/// The cluster counts, because from 1.37 on its own retry policy beats that of the route.
pub fn effective_route(
    configuration: &Configuration,
    route: &RouteConfig,
    cluster: Option<&ClusterConfig>,
    version: EnvoyVersion,
) -> EffectiveRoute {
    let dialect = route.origin.dialect;
    let program = defaults::of(dialect);
    let (e, off) = (Dialect::Envoy, Millis(0.0));
    let manager = configuration.manager_of(route);
    let own = |value: Option<Millis>, default| value.map_or((e, default), |value| (dialect, value));
    let (timeout_by, timeout) = own(program.route_timeout, envoy::ROUTE_TIMEOUT.0);
    let (idle_by, idle) = own(program.stream_idle_timeout, Millis::from_secs(envoy::STREAM_IDLE_TIMEOUT_S));
    let policy = governing_retry_policy(route, cluster, version);
    let idle_timeout = route.idle_timeout.as_ref().or(manager.and_then(|m| m.stream_idle_timeout.as_ref()));
    let duration =
        route.max_stream_duration.as_ref().or(manager.and_then(|m| m.max_stream_duration.as_ref()));
    EffectiveRoute {
        priority: or_default(&route.priority, e, RoutingPriority::Default),
        // Measured on 1.40: with `max_stream_duration`, even empty, no route timeout is armed.
        timeout: route.stream_durations.as_ref().map_or_else(
            || or_default(&route.timeout, timeout_by, timeout),
            |block| Effective { value: off, from: From::Text(block.clone()) },
        ),
        idle_timeout: idle_timeout.map_or_else(|| Effective::default_of(idle_by, idle), text),
        max_stream_duration: duration.map_or_else(|| Effective::default_of(e, off), text),
        grpc_timeout_header_max: route
            .grpc_timeout_header_max
            .as_ref()
            .or(route.max_grpc_timeout.as_ref())
            .map_or_else(|| Effective::default_of(e, None), |w| text(w).map(Some)),
        grpc_timeout_header_offset: route
            .grpc_timeout_header_offset
            .as_ref()
            .or(route.grpc_timeout_offset.as_ref())
            .map_or_else(|| Effective::default_of(e, off), text),
        retry: if route.kind == RouteKind::Tcp { None } else { retry(policy, dialect) },
        hedge_on_per_try_timeout: route
            .hedge_policy
            .as_ref()
            .and_then(|h| h.hedge_on_per_try_timeout.as_ref())
            .map_or_else(|| Effective::default_of(e, false), text),
        body_buffer_limit_bytes: buffer(configuration, route),
    }
}

/// The retry policy that governs a route, as written: that of its cluster (from 1.37 on), else its
/// own or that of its virtual host.
pub fn governing_retry_policy<'a>(
    route: &'a RouteConfig,
    cluster: Option<&'a ClusterConfig>,
    version: EnvoyVersion,
) -> Option<&'a RetryPolicy> {
    let of_cluster = cluster.and_then(|c| c.retry_policy.as_ref());
    of_cluster.filter(|_| version >= envoy::CLUSTER_RETRY_POLICY).or(route.retry_policy.as_ref())
}

/// `request_body_buffer_limit`, else the lower of the deprecated limit and that of the listener.
fn buffer(configuration: &Configuration, route: &RouteConfig) -> Effective<u64> {
    if let Some(limit) = &route.request_body_buffer_limit {
        return text(limit);
    }
    let program = defaults::of(route.origin.dialect).buffer_limit_bytes;
    let by = if program.is_some() { route.origin.dialect } else { Dialect::Envoy };
    let default = program.unwrap_or(envoy::BUFFER_LIMIT_BYTES);
    let listener = configuration.manager_of(route).and_then(|m| m.per_connection_buffer_limit_bytes.as_ref());
    let listener = listener.map_or_else(|| Effective::default_of(by, default), text).map(u64::from);
    match &route.per_request_buffer_limit_bytes {
        Some(limit) if u64::from(limit.value) < listener.value => text(limit).map(u64::from),
        _ => listener,
    }
}

fn retry(policy: Option<&RetryPolicy>, dialect: Dialect) -> Option<EffectiveRetry> {
    let program = defaults::of(dialect);
    let of = &program.retry;
    let absent = RetryPolicy::default();
    let policy = policy.or(of.without_policy.then_some(&absent))?;
    let e = Dialect::Envoy;
    // Where the control plane adds nothing, the default is Envoy's own.
    let by = |own: bool| if own { dialect } else { e };
    let words: Vec<String> = of.retry_on.iter().map(|w| (*w).to_owned()).collect();
    let codes = if policy.retry_on.is_none() { of.codes.to_vec() } else { Vec::new() };
    let base = or_default(&policy.base_interval, e, envoy::RETRY_BASE_INTERVAL.0);
    let max = base.value * envoy::RETRY_MAX_INTERVAL_BASES;
    let avoided = policy.retry_host_predicate.iter().find(|p| p.value.ends_with("previous_hosts"));
    Some(EffectiveRetry {
        retry_on: or_default(&policy.retry_on, by(!words.is_empty()), words),
        num_retries: or_default(
            &policy.num_retries,
            by(program.num_retries != envoy::NUM_RETRIES),
            program.num_retries,
        ),
        per_try_timeout: or_default(&policy.per_try_timeout, e, Millis(0.0)),
        per_try_idle_timeout: or_default(&policy.per_try_idle_timeout, e, Millis(0.0)),
        back_off: EffectiveBackOff {
            max_interval: or_default(&policy.max_interval, e, max),
            base_interval: base,
        },
        retriable_status_codes: or_default(&policy.retriable_status_codes, by(!codes.is_empty()), codes),
        previous_hosts: match (&policy.retry_ignore_previous_hosts, avoided) {
            (Some(written), _) => text(written),
            (None, Some(p)) => Effective { value: true, from: From::Text(p.at.clone()) },
            (None, None) => Effective::default_of(by(of.previous_hosts), of.previous_hosts),
        },
        host_selection_retry_max_attempts: or_default(
            &policy.host_selection_retry_max_attempts,
            by(of.previous_hosts),
            i64::from(of.host_picks),
        ),
    })
}
