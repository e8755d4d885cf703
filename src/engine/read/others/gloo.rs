//! Gloo: `Upstream`, and routes of `VirtualService` and `RouteTable`.

use crate::engine::read::config::{
    ClusterConfig, PolicyScope, RetryPolicy, RouteConfig, RouteTarget, Thresholds,
};
use crate::engine::read::envoy::{self, words};
use crate::engine::read::field::{Bound, Field, Reader};
use crate::engine::read::kubernetes::partly;

/// Reads a resource of Gloo's groups.
pub fn read(reader: &mut Reader, root: &Field<'_>, kind: &str) {
    let Some(spec) = root.get("spec") else { return partly(reader, root, "", "its settings") };
    match kind {
        "Upstream" => {
            upstream(reader, &spec);
            partly(reader, root, "limits, outlier detection and connection timeouts", "everything else");
        }
        "VirtualService" | "RouteTable" => {
            let host = spec.get("virtualHost").unwrap_or_else(|| spec.clone());
            for entry in host.list("routes") {
                route(reader, &entry);
            }
            partly(reader, root, "timeouts and retries of routes", "options of the virtual host, delegation");
        }
        _ => partly(reader, root, "", "its settings"),
    }
}

fn upstream(reader: &mut Reader, spec: &Field<'_>) {
    let mut into = ClusterConfig {
        name: reader.origin.name.clone(),
        origin: reader.origin_at(spec),
        ..ClusterConfig::default()
    };
    if let Some(block) = reader.message(spec, "circuitBreakers") {
        reader.known(
            &block,
            "circuitBreakers",
            "maxConnections maxPendingRequests maxRequests maxRetries trackRemaining",
        );
        into.thresholds.push(Thresholds {
            block: block.place(),
            max_connections: reader.whole(&block, "maxConnections", Bound::Any),
            max_pending_requests: reader.whole(&block, "maxPendingRequests", Bound::Any),
            max_requests: reader.whole(&block, "maxRequests", Bound::Any),
            max_retries: reader.whole(&block, "maxRetries", Bound::Any),
            ..Thresholds::default()
        });
    }
    if let Some(block) = reader.message(spec, "outlierDetection") {
        into.outlier_detection = Some(envoy::outlier_part(reader, &block));
    }
    if let Some(connection) = spec.get("connectionConfig") {
        into.connect_timeout = reader.duration(&connection, "connectTimeout", Bound::Positive);
        into.max_requests_per_connection = reader.whole(&connection, "maxRequestsPerConnection", Bound::Any);
        if let Some(common) = connection.get("commonHttpProtocolOptions") {
            into.idle_timeout = reader.duration(&common, "idleTimeout", Bound::Any);
        }
    }
    reader.config.clusters.push(into);
}

fn route(reader: &mut Reader, entry: &Field<'_>) {
    let mut into =
        RouteConfig { origin: reader.origin_at(entry), name: entry.text("name"), ..RouteConfig::default() };
    let single = entry.at(&["routeAction", "single"]);
    if let Some(cluster) = single.and_then(|s| s.at(&["upstream"])).and_then(|u| u.text("name")) {
        into.targets.push(RouteTarget { cluster, subset: None, port: None, weight: None });
    }
    if let Some(options) = entry.get("options") {
        into.timeout = reader.duration(&options, "timeout", Bound::Any);
        into.idle_timeout = reader.duration(&options, "idleTimeout", Bound::Any);
        if let Some(retries) = reader.message(&options, "retries") {
            into.retry_policy = Some(RetryPolicy {
                block: retries.place(),
                scope: PolicyScope::Route,
                retry_on: retries.text("retryOn").map(|t| t.map(|t| words(&t))),
                num_retries: reader.whole(&retries, "numRetries", Bound::Any),
                per_try_timeout: reader.duration(&retries, "perTryTimeout", Bound::Any),
                ..RetryPolicy::default()
            });
        }
    }
    if entry.has("routeAction") {
        reader.config.routes.push(into);
    }
}
