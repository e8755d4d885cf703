//! Analysis to Envoy's API.
//!
//! Every field set here is older than the oldest version Headroom knows, so nothing depends on the
//! version but words and numbers that sizing has chosen already.

use crate::engine::analysis::{Analysis, Priority, Threshold, Timeouts};
use crate::engine::envoy::model::{
    Address, Admin, Bootstrap, CircuitBreakers, Cluster, ClusterLoadAssignment, CommonHttpProtocolOptions,
    DiscoveryType, Duration, Endpoint, ExplicitHttpConfig, ExtensionProtocolOptions, Filter, FilterChain,
    Fragments, HttpConnectionManager, HttpFilter, HttpProtocolOptions, LbEndpoint, Listener,
    LocalityEndpoints, MaxStreamDuration, NoOptions, RetryBackOff, RetryBudget, RetryHostPredicate,
    RetryLimit, RetryPolicy, Route, RouteAction, RouteConfiguration, RouteMatch, Router, RoutingPriority,
    StaticResources, Thresholds, VirtualHost,
};
use crate::engine::units::Millis;

/// New picks before a host already tried is taken after all. Our choice: where two hosts are left,
/// the default of one finds the other in 3 cases of 4, three picks in 15 of 16.
pub const HOST_SELECTION_RETRY_MAX_ATTEMPTS: u32 = 3;

/// Where the listener and the admin interface of the bootstrap are: this machine only.
const LOOPBACK: &str = "127.0.0.1";
const LISTENER_PORT: u16 = 10_000;
const ADMIN_PORT: u16 = 9901;

/// Stands for the upstream's address: a name that is reserved for examples and leads nowhere.
const UPSTREAM: (&str, u16) = ("upstream.example", 8080);

/// Cluster and route, to be pasted into a configuration that exists.
pub fn fragments(analysis: &Analysis) -> Fragments {
    Fragments { clusters: vec![cluster(analysis)], routes: vec![route(analysis)] }
}

/// A whole configuration: a listener on this machine that sends everything to the cluster.
pub fn bootstrap(analysis: &Analysis) -> Bootstrap {
    let cluster_name = analysis.scenario.name.clone();
    let address = Address::tcp(UPSTREAM.0, UPSTREAM.1);
    let endpoints =
        vec![LocalityEndpoints { lb_endpoints: vec![LbEndpoint { endpoint: Endpoint { address } }] }];
    let cluster = Cluster {
        // One name that resolves to all hosts.
        discovery: Some(DiscoveryType::StrictDns),
        load_assignment: Some(ClusterLoadAssignment { cluster_name, endpoints }),
        ..cluster(analysis)
    };
    Bootstrap {
        admin: Admin { address: Address::tcp(LOOPBACK, ADMIN_PORT) },
        static_resources: StaticResources {
            listeners: vec![listener(vec![route(analysis)])],
            clusters: vec![cluster],
        },
    }
}

fn listener(routes: Vec<Route>) -> Listener {
    let route_config = RouteConfiguration {
        name: "routes".to_owned(),
        virtual_hosts: vec![VirtualHost { name: "all".to_owned(), domains: vec!["*".to_owned()], routes }],
    };
    let manager = HttpConnectionManager {
        stat_prefix: "ingress".to_owned(),
        route_config,
        http_filters: vec![HttpFilter {
            name: "envoy.filters.http.router".to_owned(),
            typed_config: Router {},
        }],
    };
    let filter =
        Filter { name: "envoy.filters.network.http_connection_manager".to_owned(), typed_config: manager };
    Listener {
        name: "ingress".to_owned(),
        address: Address::tcp(LOOPBACK, LISTENER_PORT),
        filter_chains: vec![FilterChain { filters: vec![filter] }],
    }
}

/// The cluster, without discovery and endpoints.
pub fn cluster(analysis: &Analysis) -> Cluster {
    let thresholds = analysis.thresholds.iter().map(threshold).collect();
    Cluster {
        name: analysis.scenario.name.clone(),
        discovery: None,
        connect_timeout: Some(timeout(analysis.timeouts.connect_ms)),
        circuit_breakers: Some(CircuitBreakers { thresholds }),
        outlier_detection: analysis.outlier.clone(),
        typed_extension_protocol_options: Some(protocol_options(analysis)),
        load_assignment: None,
    }
}

fn threshold(threshold: &Threshold) -> Thresholds {
    Thresholds {
        priority: match threshold.priority {
            Priority::Default => RoutingPriority::Default,
            Priority::High => RoutingPriority::High,
        },
        max_requests: threshold.max_requests,
        max_connections: threshold.max_connections,
        max_pending_requests: threshold.max_pending_requests,
        retry_limit: RetryLimit::RetryBudget(RetryBudget {
            budget_percent: threshold.retry_budget.budget_percent.into(),
            min_retry_concurrency: threshold.retry_budget.min_retry_concurrency,
        }),
        track_remaining: threshold.track_remaining,
    }
}

fn protocol_options(analysis: &Analysis) -> ExtensionProtocolOptions {
    let explicit_http_config = if analysis.scenario.protocol.multiplexes() {
        ExplicitHttpConfig::Http2(NoOptions {})
    } else {
        ExplicitHttpConfig::Http1(NoOptions {})
    };
    let idle_timeout = timeout(analysis.timeouts.pool_idle_ms);
    ExtensionProtocolOptions {
        http: HttpProtocolOptions {
            common_http_protocol_options: CommonHttpProtocolOptions { idle_timeout },
            explicit_http_config,
        },
    }
}

/// The route of DEFAULT priority that leads to the cluster.
pub fn route(analysis: &Analysis) -> Route {
    let timeouts = &analysis.timeouts;
    Route {
        matches: RouteMatch { prefix: "/".to_owned() },
        route: RouteAction {
            cluster: analysis.scenario.name.clone(),
            timeout: timeout(timeouts.route_ms),
            idle_timeout: timeouts.stream_idle_ms.map(timeout),
            max_stream_duration: max_stream_duration(timeouts),
            retry_policy: retry_policy(analysis),
        },
    }
}

fn max_stream_duration(timeouts: &Timeouts) -> Option<MaxStreamDuration> {
    let durations = MaxStreamDuration {
        max_stream_duration: timeouts.max_stream_duration_ms.map(timeout),
        grpc_timeout_header_max: timeouts.grpc_timeout_header_max_ms.map(timeout),
    };
    (durations != MaxStreamDuration::default()).then_some(durations)
}

/// The retry policy; none where nothing is retried, because Envoy ignores half a policy.
fn retry_policy(analysis: &Analysis) -> Option<RetryPolicy> {
    let retry = &analysis.retry;
    if retry.num_retries == 0 || retry.retry_on.is_empty() {
        return None;
    }
    let previous_hosts = retry.previous_hosts;
    Some(RetryPolicy {
        retry_on: retry.retry_on.join(","),
        num_retries: retry.num_retries,
        per_try_timeout: analysis.timeouts.per_try_ms.map(timeout),
        retry_back_off: RetryBackOff {
            base_interval: timeout(retry.backoff_base_ms),
            max_interval: timeout(retry.backoff_max_ms),
        },
        retry_host_predicate: previous_hosts.then(RetryHostPredicate::previous_hosts).into_iter().collect(),
        host_selection_retry_max_attempts: previous_hosts.then_some(HOST_SELECTION_RETRY_MAX_ATTEMPTS),
    })
}

/// Envoy counts in whole milliseconds; the analysis keeps what was computed.
fn timeout(duration: Millis) -> Duration {
    Duration::in_whole_millis(duration)
}
