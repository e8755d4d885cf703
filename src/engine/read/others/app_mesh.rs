//! App Mesh: `VirtualNode` and `VirtualRouter`.

use crate::engine::read::Setting;
use crate::engine::read::config::{
    ClusterConfig, Effect, OutlierDetection, PolicyScope, ProblemKind, RetryPolicy, RouteConfig, RouteMatch,
    RouteTarget, Thresholds, UpstreamProtocol,
};
use crate::engine::read::field::{Bound, Field, Reader};
use crate::engine::read::kubernetes::partly;
use crate::engine::units::Millis;

/// Reads a resource of App Mesh.
pub fn read(reader: &mut Reader, root: &Field<'_>, kind: &str) {
    let Some(spec) = root.get("spec") else { return partly(reader, root, "", "its settings") };
    match kind {
        "VirtualNode" | "VirtualGateway" => {
            for listener in spec.list("listeners") {
                node(reader, &listener);
            }
            partly(
                reader,
                root,
                "limits, timeouts and outlier detection of listeners",
                "backends, TLS, health checks",
            );
        }
        "VirtualRouter" => {
            for entry in spec.list("routes") {
                router(reader, &entry);
            }
            partly(reader, root, "timeouts and retries of routes", "matches");
        }
        _ => partly(reader, root, "", "its settings"),
    }
}

const PROTOCOLS: [&str; 4] = ["http", "http2", "grpc", "tcp"];

fn node(reader: &mut Reader, listener: &Field<'_>) {
    let protocol = listener.get("portMapping").and_then(|p| p.text("protocol"));
    let mut cluster = ClusterConfig {
        name: reader.origin.name.clone(),
        origin: reader.origin_at(listener),
        protocol: protocol.map(|p| {
            p.map(|p| match p.as_str() {
                "http2" => UpstreamProtocol::Http2,
                "grpc" => UpstreamProtocol::Grpc,
                "tcp" => UpstreamProtocol::Tcp,
                _ => UpstreamProtocol::Http1,
            })
        }),
        ..ClusterConfig::default()
    };
    if let Some(pool) = listener.get("connectionPool").and_then(|p| PROTOCOLS.iter().find_map(|n| p.get(n))) {
        reader.known(&pool, "connectionPool", "maxConnections maxPendingRequests maxRequests");
        cluster.thresholds.push(Thresholds {
            block: pool.place(),
            max_connections: reader.whole(&pool, "maxConnections", Bound::Any),
            max_pending_requests: reader.whole(&pool, "maxPendingRequests", Bound::Any),
            max_requests: reader.whole(&pool, "maxRequests", Bound::Any),
            ..Thresholds::default()
        });
    }
    if let Some(block) = reader.message(listener, "outlierDetection") {
        let fields = "maxServerErrors maxEjectionPercent interval baseEjectionDuration";
        reader.known(&block, "outlierDetection", fields);
        cluster.outlier_detection = Some(OutlierDetection {
            block: block.place(),
            consecutive_5xx: reader.whole(&block, "maxServerErrors", Bound::Any),
            interval: duration(reader, &block, "interval"),
            base_ejection_time: duration(reader, &block, "baseEjectionDuration"),
            max_ejection_percent: reader.whole(&block, "maxEjectionPercent", Bound::UpTo(100)),
            ..OutlierDetection::default()
        });
    }
    let timeouts = listener.get("timeout").and_then(|t| PROTOCOLS.iter().find_map(|n| t.get(n)));
    let name = cluster.name.clone();
    reader.config.clusters.push(cluster);
    let (Some(timeouts), Some(cluster)) = (timeouts, name) else { return };
    let into = RouteConfig {
        origin: reader.origin_at(&timeouts),
        targets: vec![RouteTarget { cluster, subset: None, port: None, weight: None }],
        timeout: duration(reader, &timeouts, "perRequest"),
        idle_timeout: duration(reader, &timeouts, "idle"),
        ..RouteConfig::default()
    };
    reader.config.routes.push(into);
}

/// `{unit: s, value: 60}`
fn duration(reader: &mut Reader, parent: &Field<'_>, name: &str) -> Setting<Millis> {
    let field = reader.message(parent, name)?;
    let value = reader.whole(&field, "value", Bound::Any)?;
    let factor = match field.node.text_of("unit") {
        Some("ms") => 1.0,
        Some("s") => 1000.0,
        other => {
            let message =
                format!("`{name}` has the unit `{}`, allowed are s and ms", other.unwrap_or_default());
            reader.problem(
                field.place(),
                ProblemKind::BadDuration,
                Effect::Rejected,
                message,
                "write unit: s or ms",
            );
            return None;
        }
    };
    Some(field.spanned(Millis(f64::from(value.value) * factor)))
}

fn router(reader: &mut Reader, entry: &Field<'_>) {
    let Some(route) = ["httpRoute", "http2Route", "grpcRoute"].iter().find_map(|n| entry.get(n)) else {
        return;
    };
    let mut into =
        RouteConfig { name: entry.text("name"), origin: reader.origin_at(&route), ..RouteConfig::default() };
    for target in route.get("action").map(|a| a.list("weightedTargets")).unwrap_or_default() {
        let weight = reader.whole(&target, "weight", Bound::Any);
        if let Some(cluster) = target.get("virtualNodeRef").and_then(|r| r.text("name")) {
            into.targets.push(RouteTarget { cluster, subset: None, port: None, weight });
        }
    }
    // What else it matches is of no interest here, but whose requests it repeats is.
    let matched = route.get("match");
    if let Some((of, method)) = matched.as_ref().and_then(|of| of.text("method").map(|method| (of, method))) {
        into.matches = Some(of.spanned(RouteMatch {
            text: format!("method {}", method.value),
            methods: vec![method.value],
            ..RouteMatch::default()
        }));
    }
    if let Some(timeouts) = reader.message(&route, "timeout") {
        into.timeout = duration(reader, &timeouts, "perRequest");
        into.idle_timeout = duration(reader, &timeouts, "idle");
    }
    if let Some(policy) = reader.message(&route, "retryPolicy") {
        let mut words = Vec::new();
        for list in ["httpRetryEvents", "tcpRetryEvents", "grpcRetryEvents"] {
            words.extend(policy.list(list).iter().filter_map(|w| w.node.text().map(event)));
        }
        into.retry_policy = Some(RetryPolicy {
            block: policy.place(),
            scope: PolicyScope::Route,
            retry_on: Some(policy.spanned(words)),
            num_retries: reader.whole(&policy, "maxRetries", Bound::Any),
            per_try_timeout: duration(reader, &policy, "perRetryTimeout"),
            ..RetryPolicy::default()
        });
    }
    reader.config.routes.push(into);
}

/// Envoy's word for an event of App Mesh.
fn event(name: &str) -> String {
    match name {
        "server-error" => "5xx",
        "client-error" => "retriable-4xx",
        "stream-error" => "refused-stream",
        "connection-error" => "connect-failure",
        other => other,
    }
    .to_owned()
}
