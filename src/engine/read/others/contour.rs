//! Contour: `HTTPProxy`, and annotations of a `Service`.

use crate::engine::read::config::{
    ClusterConfig, Dialect, PolicyScope, RetryPolicy, RouteConfig, RouteMatch, RouteTarget, Thresholds,
    UpstreamProtocol,
};
use crate::engine::read::envoy::codes;
use crate::engine::read::field::{Bound, Field, Reader};
use crate::engine::read::kubernetes::{enter, partly};
use crate::engine::read::scalar::Notation;
use crate::engine::read::{Setting, Spanned};
use crate::engine::units::Millis;

const ANNOTATIONS: [&str; 2] = ["projectcontour.io", "contour.heptio.com"];

/// Reads a resource of Contour's group.
pub fn read(reader: &mut Reader, root: &Field<'_>, kind: &str) {
    let Some(spec) = root.get("spec").filter(|_| kind == "HTTPProxy") else {
        return partly(reader, root, "", "its settings");
    };
    let host = spec.at(&["virtualhost", "fqdn"]).and_then(|f| f.node.text().map(|t| f.spanned(t.to_owned())));
    for entry in spec.list("routes") {
        route(reader, &entry, host.as_ref());
    }
    partly(
        reader,
        root,
        "timeouts, retries and services of routes",
        "rate limits, health checks, TLS, includes",
    );
}

fn route(reader: &mut Reader, entry: &Field<'_>, host: Option<&Spanned<String>>) {
    reader.known(
        entry,
        "a route of an HTTPProxy",
        "conditions services enableWebsockets permitInsecure authPolicy timeoutPolicy retryPolicy healthCheckPolicy \
         loadBalancerPolicy pathRewritePolicy requestHeadersPolicy responseHeadersPolicy cookieRewritePolicies \
         rateLimitPolicy requestRedirectPolicy directResponsePolicy internalRedirectPolicy jwtVerificationPolicy ipAllowPolicy ipDenyPolicy",
    );
    let mut into = RouteConfig {
        origin: reader.origin_at(entry),
        virtual_host: host.cloned(),
        matches: entry.get("conditions").map(|c| c.spanned(matches(&c))),
        ..RouteConfig::default()
    };
    let mut idle_connection = None;
    if let Some(timeouts) = reader.message(entry, "timeoutPolicy") {
        reader.known(&timeouts, "timeoutPolicy", "response idle idleConnection");
        into.timeout = unless_infinite(reader, &timeouts, "response");
        into.idle_timeout = unless_infinite(reader, &timeouts, "idle");
        idle_connection = unless_infinite(reader, &timeouts, "idleConnection");
    }
    if let Some(policy) = reader.message(entry, "retryPolicy") {
        into.retry_policy = Some(retry(reader, &policy));
    }
    if let Some(sockets) = reader.truth(entry, "enableWebsockets").filter(|s| s.value) {
        into.upgrades.push(sockets.map(|_| "websocket".to_owned()));
    }
    for service in entry.list("services") {
        let Some(name) = service.text("name") else { continue };
        let port = reader.whole(&service, "port", Bound::UpTo(65_535));
        let weight = reader.whole(&service, "weight", Bound::Any);
        let protocol = service.text("protocol").map(|p| {
            p.map(|p| if p.starts_with("h2") { UpstreamProtocol::Http2 } else { UpstreamProtocol::Http1 })
        });
        // What concerns connections makes a cluster of its own.
        let variant = variant(protocol.as_ref(), idle_connection.as_ref());
        if let Some(variant) = &variant {
            reader.config.clusters.push(ClusterConfig {
                name: Some(name.clone()),
                origin: reader.origin_at(&service),
                subset: Some(service.spanned(variant.clone())),
                port: port.clone(),
                protocol,
                idle_timeout: idle_connection.clone(),
                ..ClusterConfig::default()
            });
        }
        let subset = variant.map(|v| service.spanned(v));
        into.targets.push(RouteTarget { cluster: name, subset, port, weight });
    }
    reader.config.routes.push(into);
}

/// What tells the clusters of one service apart.
fn variant(protocol: Option<&Spanned<UpstreamProtocol>>, idle: Option<&Spanned<Millis>>) -> Option<String> {
    let protocol =
        protocol.map(|p| if p.value == UpstreamProtocol::Http2 { "h2" } else { "http/1.1" }.to_owned());
    let idle = idle.map(|i| format!("idle {} s", i.value.as_secs()));
    let words: Vec<String> = protocol.into_iter().chain(idle).collect();
    (!words.is_empty()).then(|| words.join(", "))
}

fn retry(reader: &mut Reader, policy: &Field<'_>) -> RetryPolicy {
    reader.known(policy, "retryPolicy", "count perTryTimeout retryOn retriableStatusCodes");
    let words = policy.texts("retryOn").into_iter().map(|w| w.value).collect();
    RetryPolicy {
        block: policy.place(),
        scope: PolicyScope::Route,
        retry_on: policy.get("retryOn").map(|field| field.spanned(words)),
        num_retries: reader.whole(policy, "count", Bound::Any),
        per_try_timeout: unless_infinite(reader, policy, "perTryTimeout"),
        retriable_status_codes: codes(reader, policy, "retriableStatusCodes"),
        ..RetryPolicy::default()
    }
}

/// A duration; `infinity` is off.
fn unless_infinite(reader: &mut Reader, parent: &Field<'_>, name: &str) -> Setting<Millis> {
    let field = parent.get(name)?;
    match field.node.text() {
        Some("infinity" | "infinite") => Some(field.spanned(Millis(0.0))),
        _ => reader.duration_of(&field, Bound::Any),
    }
}

fn matches(field: &Field<'_>) -> RouteMatch {
    let mut words = Vec::new();
    for entry in field.items() {
        for kind in ["prefix", "exact", "regex"] {
            words.extend(entry.node.text_of(kind).map(|value| format!("{kind} {value}")));
        }
    }
    RouteMatch { text: words.join(" and "), ..RouteMatch::default() }
}

/// Reads the annotations of a `Service`; `false` if it has none of Contour's.
pub fn service(reader: &mut Reader, root: &Field<'_>) -> bool {
    let Some(annotations) = root.at(&["metadata", "annotations"]) else { return false };
    let of_contour = |key: &str| ANNOTATIONS.iter().any(|prefix| key.starts_with(prefix));
    if !annotations.keys().any(of_contour) {
        return false;
    }
    enter(reader, root, Dialect::Contour, Notation::Proto, "Service");
    let mut entry = Thresholds { block: annotations.place(), ..Thresholds::default() };
    let mut per_host = None;
    for (key, field) in annotations.entries() {
        let Some((_, name)) = key.split_once('/').filter(|_| of_contour(key)) else { continue };
        let into = match name {
            "max-connections" => &mut entry.max_connections,
            "max-pending-requests" => &mut entry.max_pending_requests,
            "max-requests" => &mut entry.max_requests,
            "max-retries" => &mut entry.max_retries,
            "per-host-max-connections" => &mut per_host,
            _ => continue,
        };
        *into = reader.whole_of(&field, Bound::Any);
    }
    let mut cluster = ClusterConfig {
        name: reader.origin.name.clone(),
        origin: reader.origin_at(root),
        thresholds: vec![entry],
        ..ClusterConfig::default()
    };
    if per_host.is_some() {
        cluster.per_host_thresholds.push(crate::engine::read::config::PerHostThresholds {
            block: annotations.place(),
            priority: None,
            max_connections: per_host,
        });
    }
    reader.config.clusters.push(cluster);
    true
}
