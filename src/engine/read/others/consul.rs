//! Consul: `ServiceDefaults`, `ProxyDefaults`, `ServiceResolver`, `ServiceRouter`, and Envoy's JSON
//! in its escape hatches.

use crate::engine::read::build::Builder;
use crate::engine::read::config::{
    ClusterConfig, Dialect, Effect, NoteKind, OutlierDetection, PolicyScope, ProblemKind, RetryPolicy,
    RouteConfig, RouteTarget, Thresholds,
};
use crate::engine::read::envoy;
use crate::engine::read::field::{Bound, Field, Reader};
use crate::engine::read::json::Json;
use crate::engine::read::kubernetes::partly;
use crate::engine::read::scalar::Notation;
use crate::engine::read::source::Budget;
use crate::engine::read::{Setting, Spanned};
use crate::engine::units::Millis;

/// The kind of a configuration entry of Consul outside Kubernetes.
pub fn kind_of_entry(kind: &str) -> Option<&'static str> {
    Some(match kind {
        "service-defaults" => "ServiceDefaults",
        "proxy-defaults" => "ProxyDefaults",
        "service-resolver" => "ServiceResolver",
        "service-router" => "ServiceRouter",
        _ => return None,
    })
}

/// Reads a resource of Consul's group.
pub fn read(reader: &mut Reader, root: &Field<'_>, kind: &str) {
    let spec = root.get("spec").unwrap_or_else(|| root.clone());
    match kind {
        "ServiceDefaults" => {
            service_defaults(reader, &spec);
            partly(
                reader,
                root,
                "limits and passive health checks of upstreams",
                "mesh gateways, expose paths",
            );
        }
        "ProxyDefaults" => {
            escape_hatches(reader, &spec);
            partly(reader, root, "Envoy's JSON in its escape hatches, local timeouts", "everything else");
        }
        "ServiceResolver" => {
            let mut cluster = ClusterConfig {
                name: reader.origin.name.clone(),
                origin: reader.origin_at(&spec),
                connect_timeout: reader.duration(&spec, "connectTimeout", Bound::Any),
                ..ClusterConfig::default()
            };
            cluster.lb_policy = spec.get("loadBalancer").and_then(|l| l.text("policy"));
            reader.config.clusters.push(cluster);
            partly(reader, root, "its connect timeout", "subsets, failover, redirects");
        }
        "ServiceRouter" => {
            for entry in spec.list("routes") {
                router(reader, &entry);
            }
            partly(reader, root, "timeouts and retries of routes", "matches, rewrites");
        }
        _ => partly(reader, root, "", "its settings"),
    }
}

fn service_defaults(reader: &mut Reader, spec: &Field<'_>) {
    let Some(config) = spec.get("upstreamConfig") else { return };
    let mut upstreams: Vec<(Setting<String>, Field<'_>)> =
        config.get("defaults").map(|d| (reader.origin.name.clone(), d)).into_iter().collect();
    upstreams.extend(config.list("overrides").into_iter().map(|o| (o.text("name"), o)));
    for (name, field) in upstreams {
        let mut cluster =
            ClusterConfig { name, origin: reader.origin_at(&field), ..ClusterConfig::default() };
        cluster.connect_timeout = millis(reader, &field, "connectTimeoutMs");
        if let Some(limits) = reader.message(&field, "limits") {
            reader.known(&limits, "limits", "maxConnections maxPendingRequests maxConcurrentRequests");
            cluster.thresholds.push(Thresholds {
                block: limits.place(),
                max_connections: reader.whole(&limits, "maxConnections", Bound::Any),
                max_pending_requests: reader.whole(&limits, "maxPendingRequests", Bound::Any),
                max_requests: reader.whole(&limits, "maxConcurrentRequests", Bound::Any),
                ..Thresholds::default()
            });
        }
        if let Some(check) = reader.message(&field, "passiveHealthCheck") {
            cluster.outlier_detection = Some(passive(reader, &check));
        }
        reader.config.clusters.push(cluster);
    }
    if let Some(limit) = reader.whole(spec, "maxInboundConnections", Bound::Any) {
        reader.inbound_limits.push(limit);
    }
}

/// A limit of the generated local cluster has no effect where Envoy's JSON replaces that cluster.
pub fn settle(reader: &mut Reader) {
    let replaced = reader.config.clusters.iter().find(|c| {
        c.origin.dialect == Dialect::Consul && c.name.as_ref().is_some_and(|n| n.value == "local_app")
    });
    let line = replaced.map(|c| c.origin.block.line());
    for limit in std::mem::take(&mut reader.inbound_limits) {
        let value = limit.value;
        if let Some(line) = line {
            let message = format!(
                "`maxInboundConnections` of {value} has no effect: the local cluster of line {line} replaces the one it acts on"
            );
            let help = "set max_connections and max_requests in envoy_local_cluster_json";
            reader.problem(limit.at, ProblemKind::NoEffect, Effect::Ignored, message, help);
        } else {
            let message =
                format!("`maxInboundConnections` of {value} limits connections to the service's own proxy");
            reader.note(limit.at, NoteKind::Scope, message);
        }
    }
}

fn passive(reader: &mut Reader, check: &Field<'_>) -> OutlierDetection {
    let fields = "interval maxFailures enforcingConsecutive5xx maxEjectionPercent baseEjectionTime";
    reader.known(check, "passiveHealthCheck", fields);
    OutlierDetection {
        block: check.place(),
        consecutive_5xx: reader.whole(check, "maxFailures", Bound::Any),
        enforcing_consecutive_5xx: reader.whole(check, "enforcingConsecutive5xx", Bound::UpTo(100)),
        interval: reader.duration(check, "interval", Bound::Positive),
        base_ejection_time: reader.duration(check, "baseEjectionTime", Bound::Positive),
        max_ejection_percent: reader.whole(check, "maxEjectionPercent", Bound::UpTo(100)),
        ..OutlierDetection::default()
    }
}

fn millis(reader: &mut Reader, field: &Field<'_>, name: &str) -> Setting<Millis> {
    let number = reader.whole(field, name, Bound::Any)?;
    Some(Spanned::new(Millis(f64::from(number.value)), number.at))
}

/// Envoy's JSON in a text: its fields stand where the text stands.
fn escape_hatches(reader: &mut Reader, spec: &Field<'_>) {
    let Some(config) = spec.get("config") else { return };
    for (key, field) in config.entries().filter(|(key, _)| key.ends_with("_json")) {
        let Some(text) = field.node.text() else { continue };
        let mut budget = Budget::default();
        let mut tree = Builder::new(&mut budget);
        let stopped = Json::new(text, 0).value(&mut tree).is_err();
        let Some(mut root) = tree.end().filter(|_| !stopped) else {
            let message = format!("the JSON in `{key}` cannot be read");
            reader.problem(
                field.place(),
                ProblemKind::Syntax,
                Effect::Unread,
                message,
                "check its quotes and braces",
            );
            continue;
        };
        root.move_to(field.node.span);
        let inner = field.with_node(&root);
        let notation = std::mem::replace(&mut reader.notation, Notation::Proto);
        let kind = reader.origin.kind.clone();
        envoy::resource(reader, &inner);
        reader.notation = notation;
        reader.origin.kind = kind;
    }
    if let Some(timeout) = millis(reader, &config, "local_request_timeout_ms") {
        reader.config.routes.push(RouteConfig {
            origin: reader.origin_at(&config),
            targets: vec![RouteTarget {
                cluster: Spanned::new("local_app".to_owned(), timeout.at.clone()),
                subset: None,
                port: None,
                weight: None,
            }],
            timeout: Some(timeout),
            ..RouteConfig::default()
        });
    }
}

fn router(reader: &mut Reader, entry: &Field<'_>) {
    let Some(destination) = entry.get("destination") else { return };
    let mut into = RouteConfig {
        origin: reader.origin_at(entry),
        timeout: reader.duration(&destination, "requestTimeout", Bound::Any),
        idle_timeout: reader.duration(&destination, "idleTimeout", Bound::Any),
        ..RouteConfig::default()
    };
    if let Some(cluster) = destination.text("service").or_else(|| reader.origin.name.clone()) {
        into.targets.push(RouteTarget {
            cluster,
            subset: destination.text("serviceSubset"),
            port: None,
            weight: None,
        });
    }
    let mut words = Vec::new();
    let on = destination.get("retryOn");
    words.extend(on.iter().flat_map(Field::items).filter_map(|w| w.node.text().map(str::to_owned)));
    if reader.truth(&destination, "retryOnConnectFailure").is_some_and(|t| t.value) {
        words.push("connect-failure".to_owned());
    }
    let codes = envoy::codes(reader, &destination, "retryOnStatusCodes");
    if codes.is_some() {
        words.push("retriable-status-codes".to_owned());
    }
    if !words.is_empty() || destination.has("numRetries") {
        into.retry_policy = Some(RetryPolicy {
            block: destination.place(),
            scope: PolicyScope::Route,
            retry_on: Some(destination.spanned(words)),
            num_retries: reader.whole(&destination, "numRetries", Bound::Any),
            retriable_status_codes: codes,
            ..RetryPolicy::default()
        });
    }
    reader.config.routes.push(into);
}
