//! A pasted configuration as a policy: what is in force for the scenario's cluster and the first
//! route that leads to it.

use super::notes;
use super::{header_bound, told_deadline, unless_off};
use crate::engine::analysis::Analysis;
use crate::engine::read::config::{
    ClusterConfig, Configuration, Dialect, RouteConfig, RouteKind, RoutingPriority, UpstreamProtocol,
};
use crate::engine::read::effective::{
    EffectiveCluster, EffectiveOutlier, EffectivePriority, EffectiveRetry, EffectiveRetryLimit,
    EffectiveRoute, effective_cluster, effective_route,
};
use crate::engine::scenario::Problem;
use crate::engine::sim::{
    Balancing, Budget, Limits, Nanos, Outlier, Policy, Retry, RetryLimit, RetryOn, RoutePolicy, Upstream,
};
use crate::engine::units::Millis;

/// The field that problems of a configuration are about.
const FIELD: &str = "config";

/// Hosts that `LEAST_REQUEST` compares where nothing is written. Source:
/// `extensions.load_balancing_policies.least_request.v3.LeastRequest`.
const CHOICES: u32 = 2;

/// Words of `lb_policy` that say something here.
const WORDS: [&str; 8] = [
    "ROUND_ROBIN",
    "LEAST_REQUEST",
    "LEAST_CONN",
    "LEASTREQUEST",
    "RANDOM",
    "RING_HASH",
    "RINGHASH",
    "MAGLEV",
];

/// A policy out of a configuration, and which part of it that is.
#[derive(Clone, Debug, PartialEq)]
pub struct Pasted {
    /// What is in force.
    pub policy: Policy,
    /// The cluster's name; empty where the text has none.
    pub cluster: String,
    /// What the route is called, or matches; `None` where no route of the text leads there.
    pub route: Option<String>,
    /// Endpoints of the cluster, where the text alone tells them.
    pub hosts: Option<u32>,
}

impl Pasted {
    /// Whether a text has a cluster of that name, or without any cluster a route to one; else the names
    /// that it has, in its order.
    ///
    /// # Errors
    ///
    /// The names that there are.
    pub fn find_name(text: &Configuration, wanted: &str) -> Result<(), Vec<String>> {
        let clusters = text.clusters.iter().filter_map(|c| c.name.as_ref()).map(|n| n.value.as_str());
        let targets = text.routes.iter().flat_map(|r| &r.targets).map(|t| t.cluster.value.as_str());
        let names: Vec<&str> = if text.clusters.is_empty() { targets.collect() } else { clusters.collect() };
        if names.iter().any(|name| notes::is_named(name, wanted)) {
            return Ok(());
        }
        let mut found: Vec<String> = Vec::new();
        for name in names {
            if !found.iter().any(|known| known == name) {
                found.push(name.to_owned());
            }
        }
        Err(found)
    }
}

impl Policy {
    /// What is in force in a configuration for the cluster that is named like the scenario, else for
    /// the only one, else for the first one that a route leads to; and the first route of DEFAULT
    /// priority on the way there, in the order in which routes are matched.
    ///
    /// What the text sets and the simulator does not play is in [`Policy::not_simulated`].
    ///
    /// # Errors
    ///
    /// One [`Problem`] where the text has nothing that could be played.
    pub fn from_configuration(text: &Configuration, analysis: &Analysis) -> Result<Pasted, Vec<Problem>> {
        let wanted = analysis.scenario.name.as_str();
        let at = pick_cluster(text, wanted);
        let routes = routes_to(text, at, wanted);
        let route = routes.iter().find(|r| !is_high(r)).or(routes.first()).copied();
        let cluster = match (at.and_then(|at| text.clusters.get(at)), route) {
            (Some(cluster), _) => cluster.clone(),
            // A route alone: its cluster has nothing but defaults.
            (None, Some(route)) => ClusterConfig { origin: route.origin.clone(), ..ClusterConfig::default() },
            (None, None) => return Err(vec![nothing(text)]),
        };
        if cluster.carries_tcp {
            return Err(vec![tcp(&cluster)]);
        }
        let inherited = RouteConfig { origin: cluster.origin.clone(), ..RouteConfig::default() };
        let version = analysis.scenario.envoy_version;
        let of_cluster = effective_cluster(text, &cluster, version);
        let of_route = |route| effective_route(text, route, Some(&cluster), version);
        let effective = of_route(route.unwrap_or(&inherited));
        let mut policy = policy(&cluster, &of_cluster, &effective, route.unwrap_or(&inherited), analysis);
        let play = |route| route_policy(&of_route(route), route, analysis);
        let others = routes.iter().filter(|r| route.is_none_or(|route| play(r) != play(route))).count();
        if route.is_some_and(is_high) {
            policy.limits[0] = policy.limits[1].clone();
        }
        policy.not_simulated = notes::of(&notes::Read {
            text,
            wanted,
            cluster: &cluster,
            has_cluster: at.is_some(),
            route,
            others,
            analysis,
        });
        Ok(Pasted {
            policy,
            cluster: of_cluster.name,
            route: route.map(|r| r.label().unwrap_or("the route").to_owned()),
            hosts: cluster.hosts(),
        })
    }
}

fn is_high(route: &RouteConfig) -> bool {
    route.priority.as_ref().is_some_and(|p| p.value == RoutingPriority::High)
}

/// The cluster of that name (the whole host before a subset of it), else the only one, else the
/// first with a route; TCP only where there is no other.
fn pick_cluster(text: &Configuration, wanted: &str) -> Option<usize> {
    let all = || text.clusters.iter().enumerate();
    let named = |c: &ClusterConfig| c.name.as_ref().is_some_and(|n| notes::is_named(&n.value, wanted));
    let whole = |c: &ClusterConfig| c.subset.is_none() && c.partial.is_none();
    let with_route = |at: usize| text.routes_to(at).any(|r| r.kind == RouteKind::Http);
    all()
        .find(|(_, c)| named(c) && whole(c))
        .or_else(|| all().find(|(_, c)| named(c)))
        .or_else(|| all().find(|(at, c)| !c.carries_tcp && with_route(*at)))
        .or_else(|| all().find(|(_, c)| !c.carries_tcp))
        .or_else(|| all().next())
        .map(|(at, _)| at)
}

/// The routes that lead to the cluster, in the order of the text; without a cluster those that name
/// the scenario's, else all.
fn routes_to<'a>(text: &'a Configuration, cluster: Option<usize>, wanted: &str) -> Vec<&'a RouteConfig> {
    let http = |r: &&RouteConfig| r.kind == RouteKind::Http;
    if let Some(at) = cluster {
        return text.routes_to(at).filter(http).collect();
    }
    let leads = |r: &&RouteConfig| r.targets.iter().any(|t| notes::is_named(&t.cluster.value, wanted));
    let found: Vec<&RouteConfig> = text.routes.iter().filter(http).filter(leads).collect();
    if found.is_empty() { text.routes.iter().filter(http).take(1).collect() } else { found }
}

fn nothing(text: &Configuration) -> Problem {
    let why =
        if text.is_empty() { "Nothing in it was recognized." } else { "It has no cluster and no route." };
    Problem {
        field: FIELD.to_owned(),
        value: String::new(),
        message: format!(
            "{why} Give a cluster or a route of Envoy, or a resource of Istio or another program that \
             configures it."
        ),
    }
}

fn tcp(cluster: &ClusterConfig) -> Problem {
    let name = cluster.name.as_ref().map_or("", |n| n.value.as_str());
    Problem {
        field: FIELD.to_owned(),
        value: name.to_owned(),
        message: format!(
            "A TCP proxy leads to cluster “{name}”, so requests are neither limited nor retried there. Name \
             another cluster of the text with the scenario's name."
        ),
    }
}

fn policy(
    text: &ClusterConfig,
    cluster: &EffectiveCluster,
    route: &EffectiveRoute,
    of: &RouteConfig,
    analysis: &Analysis,
) -> Policy {
    Policy {
        limits: [limits(&cluster.priorities[0]), limits(&cluster.priorities[1])],
        upstream: Upstream {
            multiplexes: multiplexes(text, analysis),
            connect_timeout: Nanos::of(cluster.connect_timeout.value),
            max_concurrent_streams: cluster.max_concurrent_streams.value,
            max_requests_per_connection: Some(cluster.max_requests_per_connection.value).filter(|n| *n > 0),
            idle_timeout: unless_off(cluster.idle_timeout.value),
            max_stream_duration: unless_off(cluster.max_stream_duration.value),
            preconnect_ratio: text
                .preconnect_policy
                .as_ref()
                .and_then(|p| p.per_upstream_preconnect_ratio.as_ref())
                .map_or(1.0, |ratio| ratio.value),
        },
        route: route_policy(route, of, analysis),
        outlier: cluster.outlier_detection.as_ref().map(outlier),
        balancing: balancing(text),
        healthy_panic_threshold: cluster.healthy_panic_threshold.value.0,
        fail_traffic_on_panic: cluster.fail_traffic_on_panic.value,
        update_merge_window: Nanos::of(cluster.update_merge_window.value),
        not_simulated: Vec::new(),
    }
}

fn limits(of: &EffectivePriority) -> Limits {
    Limits {
        max_connections: of.max_connections.value,
        max_pending_requests: of.max_pending_requests.value,
        max_requests: of.max_requests.value,
        retry_limit: match &of.retry_limit {
            EffectiveRetryLimit::MaxRetries(n) => RetryLimit::MaxRetries(n.value),
            EffectiveRetryLimit::Budget(budget) => RetryLimit::Budget(Budget {
                budget_percent: budget.budget_percent.value.0,
                min_retry_concurrency: budget.min_retry_concurrency.value,
                budget_interval: Nanos::of(budget.budget_interval.value),
            }),
        },
        max_connection_pools: of.max_connection_pools.value,
        max_connections_per_host: of.max_connections_per_host.value,
    }
}

/// Whether connections carry many requests: as the text says, else as the scenario.
pub(super) fn multiplexes(text: &ClusterConfig, analysis: &Analysis) -> bool {
    let written = match text.protocol.as_ref().map(|p| p.value) {
        Some(UpstreamProtocol::Http3) => Some(true),
        _ => text.facts().protocol.map(crate::engine::scenario::Protocol::multiplexes),
    };
    written.unwrap_or_else(|| analysis.scenario.protocol.multiplexes())
}

/// Istio and Envoy Gateway write `LEAST_REQUEST` where nothing is written. Hashes spread requests
/// over hosts without looking at their load, which is what chance does.
pub(super) fn balancing(text: &ClusterConfig) -> Balancing {
    let word = text.lb_policy.as_ref().map(|w| w.value.to_ascii_uppercase().replace('-', "_"));
    let by_default = match text.origin.dialect {
        Dialect::Istio | Dialect::EnvoyGateway => "LEAST_REQUEST",
        _ => "ROUND_ROBIN",
    };
    match word.as_deref().filter(|word| WORDS.contains(word)).unwrap_or(by_default) {
        "LEAST_REQUEST" | "LEAST_CONN" | "LEASTREQUEST" => Balancing::LeastRequest { choices: CHOICES },
        "RANDOM" | "RING_HASH" | "RINGHASH" | "MAGLEV" => Balancing::Random,
        _ => Balancing::RoundRobin,
    }
}

fn route_policy(route: &EffectiveRoute, text: &RouteConfig, analysis: &Analysis) -> RoutePolicy {
    let protocol = analysis.scenario.protocol;
    let header = told_deadline(protocol, analysis.timeouts.deadline_ms);
    let offset = route.grpc_timeout_header_offset.value;
    let header_max = route.grpc_timeout_header_max.value;
    let mut timeout = unless_off(route.timeout.value);
    let mut duration = unless_off(route.max_stream_duration.value);
    match (text.grpc_timeout_header_max.is_some(), header_max) {
        (true, Some(max)) => {
            let bound = header.map(|header| header_bound(header, max, offset));
            duration = bound.map_or(duration, unless_off);
        }
        // The deprecated field maps the header onto the route timeout; no header is no bound but its own.
        (false, Some(max)) if protocol.speaks_grpc() && text.stream_durations.is_none() => {
            timeout = unless_off(header.map_or(max, |header| header_bound(header, max, offset)));
        }
        _ => {}
    }
    RoutePolicy {
        timeout,
        idle_timeout: unless_off(route.idle_timeout.value),
        max_stream_duration: duration,
        retry: route.retry.as_ref().map(|r| retry(r, timeout)),
        hedge_on_per_try_timeout: route.hedge_on_per_try_timeout.value,
    }
}

fn retry(of: &EffectiveRetry, timeout: Option<Nanos>) -> Retry {
    let per_try = unless_off(of.per_try_timeout.value);
    let codes = of.retriable_status_codes.value.iter();
    Retry {
        retry_on: RetryOn::from_words(of.retry_on.value.iter().map(String::as_str)),
        num_retries: of.num_retries.value,
        per_try_timeout: per_try.filter(|per_try| timeout.is_none_or(|timeout| *per_try < timeout)),
        per_try_idle_timeout: unless_off(of.per_try_idle_timeout.value),
        base_interval: Nanos::of(of.back_off.base_interval.value.max(Millis(1.0))),
        max_interval: Nanos::of(of.back_off.max_interval.value.max(Millis(1.0))),
        retriable_status_codes: codes.filter_map(|code| u16::try_from(*code).ok()).collect(),
        previous_hosts: of.previous_hosts.value,
        host_selection_retry_max_attempts: u32::try_from(of.host_selection_retry_max_attempts.value)
            .unwrap_or(0),
    }
}

fn outlier(of: &EffectiveOutlier) -> Outlier {
    let least = Nanos::MILLI;
    Outlier {
        consecutive_5xx: of.consecutive_5xx.value,
        consecutive_gateway_failure: of.consecutive_gateway_failure.value,
        consecutive_local_origin_failure: of.consecutive_local_origin_failure.value,
        enforcing_consecutive_5xx: of.enforcing_consecutive_5xx.value,
        enforcing_consecutive_gateway_failure: of.enforcing_consecutive_gateway_failure.value,
        enforcing_consecutive_local_origin_failure: of.enforcing_consecutive_local_origin_failure.value,
        enforcing_success_rate: of.enforcing_success_rate.value,
        enforcing_local_origin_success_rate: of.enforcing_local_origin_success_rate.value,
        enforcing_failure_percentage: of.enforcing_failure_percentage.value,
        enforcing_failure_percentage_local_origin: of.enforcing_failure_percentage_local_origin.value,
        interval: Nanos::of(of.interval.value).max(least),
        base_ejection_time: Nanos::of(of.base_ejection_time.value).max(least),
        max_ejection_time: Nanos::of(of.max_ejection_time.value).max(least),
        max_ejection_time_jitter: Nanos::of(of.max_ejection_time_jitter.value),
        max_ejection_percent: of.max_ejection_percent.value,
        success_rate_minimum_hosts: of.success_rate_minimum_hosts.value,
        success_rate_request_volume: of.success_rate_request_volume.value,
        success_rate_stdev_factor: of.success_rate_stdev_factor.value,
        failure_percentage_threshold: of.failure_percentage_threshold.value,
        failure_percentage_minimum_hosts: of.failure_percentage_minimum_hosts.value,
        failure_percentage_request_volume: of.failure_percentage_request_volume.value,
        split_external_local_origin_errors: of.split_external_local_origin_errors.value,
        always_eject_one_host: of.always_eject_one_host.value,
    }
}
