//! Emissary and Ambassador: `Mapping`.

use crate::engine::read::config::{
    ClusterConfig, PolicyScope, RetryPolicy, RouteConfig, RouteMatch, RouteTarget, RoutingPriority,
    Thresholds, UpstreamProtocol,
};
use crate::engine::read::envoy::words;
use crate::engine::read::field::{Bound, Field, Reader};
use crate::engine::read::kubernetes::partly;
use crate::engine::read::{Setting, Spanned};
use crate::engine::units::Millis;

const MAPPING: &str = "prefix prefix_regex prefix_exact service timeout_ms idle_timeout_ms cluster_idle_timeout_ms \
    cluster_max_connection_lifetime_ms connect_timeout_ms circuit_breakers retry_policy grpc resolver rewrite regex_rewrite \
    host host_regex hostname method method_regex weight priority precedence headers regex_headers query_parameters \
    regex_query_parameters load_balancer tls bypass_auth cors labels shadow allow_upgrade auth_context_extensions \
    auto_host_rewrite case_sensitive cluster_tag dns_type docs enable_ipv4 enable_ipv6 envoy_override error_response_overrides \
    health_checks host_redirect host_rewrite keepalive modules outlier_detection path_redirect prefix_redirect \
    redirect_response_code add_linkerd_headers add_request_headers add_response_headers remove_request_headers \
    remove_response_headers respect_dns_ttl stats_name use_websocket v2ExplicitTLS v3StatsName ambassador_id respect_expected_rq_timeout";
const BREAKER: &str = "priority max_connections max_pending_requests max_requests max_retries";
const PRIORITIES: &[(&str, RoutingPriority)] =
    &[("DEFAULT", RoutingPriority::Default), ("HIGH", RoutingPriority::High)];

/// Reads a resource of Emissary's group.
pub fn read(reader: &mut Reader, root: &Field<'_>, kind: &str) {
    let Some(spec) = root.get("spec").filter(|_| matches!(kind, "Mapping" | "TCPMapping")) else {
        return partly(reader, root, "", "its settings");
    };
    reader.known(&spec, "a Mapping", MAPPING);
    let service = spec.text("service").map(|s| s.map(|name| host_of(&name)));
    let grpc = reader.truth(&spec, "grpc");
    let mut cluster = ClusterConfig {
        name: service.clone().or_else(|| reader.origin.name.clone()),
        origin: reader.origin_at(&spec),
        connect_timeout: millis(reader, &spec, "connect_timeout_ms"),
        idle_timeout: millis(reader, &spec, "cluster_idle_timeout_ms"),
        max_connection_duration: millis(reader, &spec, "cluster_max_connection_lifetime_ms"),
        protocol: grpc.filter(|g| g.value).map(|g| g.map(|_| UpstreamProtocol::Grpc)),
        ..ClusterConfig::default()
    };
    for entry in spec.list("circuit_breakers") {
        reader.known(&entry, "circuit_breakers", BREAKER);
        cluster.thresholds.push(Thresholds {
            block: entry.place(),
            priority: reader.word(&entry, "priority", PRIORITIES),
            max_connections: reader.whole(&entry, "max_connections", Bound::Any),
            max_pending_requests: reader.whole(&entry, "max_pending_requests", Bound::Any),
            max_requests: reader.whole(&entry, "max_requests", Bound::Any),
            max_retries: reader.whole(&entry, "max_retries", Bound::Any),
            ..Thresholds::default()
        });
    }
    let text = spec.node.text_of("prefix").map(|p| format!("prefix {p}")).unwrap_or_default();
    let methods = spec.node.text_of("method").map(str::to_owned).into_iter().collect();
    let route = RouteConfig {
        name: reader.origin.name.clone(),
        origin: reader.origin_at(&spec),
        matches: Some(spec.spanned(RouteMatch {
            text,
            grpc: cluster.protocol.is_some(),
            methods,
            ..RouteMatch::default()
        })),
        targets: service
            .map(|cluster| RouteTarget { cluster, subset: None, port: None, weight: None })
            .into_iter()
            .collect(),
        timeout: millis(reader, &spec, "timeout_ms"),
        idle_timeout: millis(reader, &spec, "idle_timeout_ms"),
        priority: reader.word(&spec, "priority", PRIORITIES),
        retry_policy: reader.message(&spec, "retry_policy").map(|policy| retry(reader, &policy)),
        ..RouteConfig::default()
    };
    reader.config.clusters.push(cluster);
    reader.config.routes.push(route);
    partly(reader, root, "limits, timeouts and retries", "load balancing, TLS, headers");
}

fn retry(reader: &mut Reader, policy: &Field<'_>) -> RetryPolicy {
    reader.known(policy, "retry_policy", "retry_on num_retries per_try_timeout");
    RetryPolicy {
        block: policy.place(),
        scope: PolicyScope::Route,
        retry_on: policy.text("retry_on").map(|t| t.map(|t| words(&t))),
        num_retries: reader.whole(policy, "num_retries", Bound::Any),
        per_try_timeout: reader.duration(policy, "per_try_timeout", Bound::Any),
        ..RetryPolicy::default()
    }
}

fn millis(reader: &mut Reader, spec: &Field<'_>, name: &str) -> Setting<Millis> {
    let number = reader.whole(spec, name, Bound::Any)?;
    Some(Spanned::new(Millis(f64::from(number.value)), number.at))
}

/// The host in the name of a service: `https://plover.birds:8070` is `plover.birds`.
fn host_of(service: &str) -> String {
    let name = service.rsplit("//").next().unwrap_or(service);
    name.split([':', '/']).next().unwrap_or(name).to_owned()
}
