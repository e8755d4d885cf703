//! Kuma: `MeshCircuitBreaker`, `MeshRetry`, `MeshTimeout`.

use crate::engine::read::config::{
    ClusterConfig, OutlierDetection, PolicyScope, RetryPolicy, RouteConfig, RouteTarget, Thresholds,
};
use crate::engine::read::field::{Bound, Field, Reader};
use crate::engine::read::kubernetes::partly;
use crate::engine::read::{Setting, Spanned};
use crate::engine::retry::conditions::LISTED_CODES;

/// Reads a resource of Kuma.
pub fn read(reader: &mut Reader, root: &Field<'_>, kind: &str) {
    let Some(spec) = root.get("spec") else {
        return partly(reader, root, "", "its settings, which are in the form of older releases");
    };
    let mut rules = spec.list("to");
    rules.extend(spec.list("from"));
    rules.extend(spec.list("rules"));
    for rule in rules {
        let Some(default) = rule.get("default") else { continue };
        let target = rule.get("targetRef").or_else(|| spec.get("targetRef"));
        let name = target.and_then(|t| t.text("name").or_else(|| t.text("kind")));
        match kind {
            "MeshCircuitBreaker" => breaker(reader, &default, name),
            "MeshRetry" => retry(reader, &default, name),
            "MeshTimeout" => timeout(reader, &default, name),
            _ => {}
        }
    }
    match kind {
        "MeshCircuitBreaker" => partly(
            reader,
            root,
            "limits and outlier detection",
            "the order in which policies override each other",
        ),
        "MeshRetry" => partly(reader, root, "retries of HTTP", "retries of gRPC and TCP"),
        "MeshTimeout" => {
            partly(reader, root, "all timeouts", "the order in which policies override each other");
        }
        _ => partly(reader, root, "", "its settings"),
    }
}

fn breaker(reader: &mut Reader, default: &Field<'_>, name: Setting<String>) {
    let mut into = ClusterConfig { name, origin: reader.origin_at(default), ..ClusterConfig::default() };
    if let Some(limits) = reader.message(default, "connectionLimits") {
        reader.known(
            &limits,
            "connectionLimits",
            "maxConnections maxConnectionPools maxPendingRequests maxRetries maxRequests",
        );
        into.thresholds.push(Thresholds {
            block: limits.place(),
            max_connections: reader.whole(&limits, "maxConnections", Bound::Any),
            max_pending_requests: reader.whole(&limits, "maxPendingRequests", Bound::Any),
            max_requests: reader.whole(&limits, "maxRequests", Bound::Any),
            max_retries: reader.whole(&limits, "maxRetries", Bound::Any),
            max_connection_pools: reader.whole(&limits, "maxConnectionPools", Bound::Any),
            ..Thresholds::default()
        });
    }
    if let Some(block) = reader.message(default, "outlierDetection") {
        into.outlier_detection = Some(outlier(reader, &block));
    }
    reader.config.clusters.push(into);
}

fn outlier(reader: &mut Reader, block: &Field<'_>) -> OutlierDetection {
    let mut out = OutlierDetection { block: block.place(), ..OutlierDetection::default() };
    reader.known(
        block,
        "outlierDetection",
        "disabled interval baseEjectionTime maxEjectionPercent splitExternalAndLocalErrors detectors healthyPanicThreshold",
    );
    out.interval = reader.duration(block, "interval", Bound::Positive);
    out.base_ejection_time = reader.duration(block, "baseEjectionTime", Bound::Positive);
    out.max_ejection_percent = reader.whole(block, "maxEjectionPercent", Bound::UpTo(100));
    out.split_external_local_origin_errors = reader.truth(block, "splitExternalAndLocalErrors");
    // A detector that is not listed is not enforced.
    let detectors = block.get("detectors");
    let mut enforce = |name: &str, field: &str| {
        let listed = detectors.as_ref().and_then(|d| d.get(name));
        let at = listed.as_ref().map_or_else(|| block.place(), Field::place);
        let share = Spanned::new(if listed.is_some() { 100 } else { 0 }, at);
        let value = listed.as_ref().and_then(|l| reader.whole(l, field, Bound::Any));
        (Some(share), value)
    };
    (out.enforcing_consecutive_5xx, out.consecutive_5xx) = enforce("totalFailures", "consecutive");
    (out.enforcing_consecutive_gateway_failure, out.consecutive_gateway_failure) =
        enforce("gatewayFailures", "consecutive");
    (out.enforcing_consecutive_local_origin_failure, out.consecutive_local_origin_failure) =
        enforce("localOriginFailures", "consecutive");
    (out.enforcing_success_rate, out.success_rate_minimum_hosts) = enforce("successRate", "minimumHosts");
    (out.enforcing_failure_percentage, out.failure_percentage_threshold) =
        enforce("failurePercentage", "threshold");
    out
}

fn retry(reader: &mut Reader, default: &Field<'_>, name: Setting<String>) {
    // A service speaks one of them, and both have the same fields.
    let Some((key, http)) =
        ["http", "grpc"].into_iter().find_map(|key| reader.message(default, key).map(|of| (key, of)))
    else {
        return;
    };
    reader.known(
        &http,
        key,
        "numRetries perTryTimeout backOff rateLimitedBackOff retryOn retriableResponseHeaders retriableRequestHeaders hostSelection hostSelectionMaxAttempts",
    );
    let mut policy = RetryPolicy {
        block: http.place(),
        scope: PolicyScope::Route,
        num_retries: reader.whole(&http, "numRetries", Bound::Any),
        per_try_timeout: reader.duration(&http, "perTryTimeout", Bound::Any),
        ..RetryPolicy::default()
    };
    if let Some(back_off) = reader.message(&http, "backOff") {
        policy.retry_back_off = Some(back_off.place());
        policy.base_interval = reader.duration(&back_off, "baseInterval", Bound::Positive);
        policy.max_interval = reader.duration(&back_off, "maxInterval", Bound::Positive);
    }
    conditions(&http, &mut policy);
    hosts(reader, &http, &mut policy);
    route(reader, default, name, |route| route.retry_policy = Some(policy));
}

/// Numbers among the conditions are status codes, and methods limit them all.
fn conditions(http: &Field<'_>, policy: &mut RetryPolicy) {
    let Some(field) = http.get("retryOn") else { return };
    let written: Vec<String> = field.items().iter().filter_map(|w| w.node.text().map(word)).collect();
    let is_code = |w: &String| w.bytes().all(|b| b.is_ascii_digit());
    let (codes, words): (Vec<String>, Vec<String>) = written.into_iter().partition(is_code);
    let (methods, mut words): (Vec<String>, Vec<String>) =
        words.into_iter().partition(|w| w.starts_with("http-method-"));
    if !codes.is_empty() {
        words.push(LISTED_CODES.to_owned());
        policy.retriable_status_codes =
            Some(field.spanned(codes.iter().filter_map(|c| c.parse().ok()).collect()));
    }
    if !methods.is_empty() {
        let count = u32::try_from(methods.len()).unwrap_or(u32::MAX);
        policy.retriable_request_headers = Some(field.spanned(count));
    }
    policy.retry_on = Some(field.spanned(words));
}

fn hosts(reader: &mut Reader, http: &Field<'_>, policy: &mut RetryPolicy) {
    for selection in http.list("hostSelection") {
        if let Some(name) = selection.text("predicate").filter(|p| p.value == "OmitPreviousHosts") {
            policy.retry_host_predicate.push(name.map(|_| "previous_hosts".to_owned()));
        }
    }
    policy.host_selection_retry_max_attempts =
        reader.whole(http, "hostSelectionMaxAttempts", Bound::Any).map(|n| n.map(i64::from));
}

/// Kuma writes `5XX`, `GATEWAY_ERROR` in older releases and `GatewayError` in newer ones.
fn word(text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len() + 2);
    for (i, c) in letters.iter().enumerate() {
        let after = i.checked_sub(1).and_then(|before| letters.get(before));
        let next = letters.get(i + 1);
        let starts = c.is_ascii_uppercase()
            && next.is_some_and(char::is_ascii_lowercase)
            && after.is_some_and(char::is_ascii_alphanumeric);
        // `Retriable4xx`, and not `Http3`.
        let is_class = c.is_ascii_digit()
            && next.is_some_and(|n| n.eq_ignore_ascii_case(&'x'))
            && after.is_some_and(char::is_ascii_lowercase);
        if starts || is_class {
            out.push('-');
        }
        out.push(if *c == '_' { '-' } else { c.to_ascii_lowercase() });
    }
    // The status of gRPC has one l here and two in Envoy.
    if out == "canceled" { "cancelled".to_owned() } else { out }
}

fn timeout(reader: &mut Reader, default: &Field<'_>, name: Setting<String>) {
    reader.known(default, "a MeshTimeout", "connectionTimeout idleTimeout http");
    let cluster = ClusterConfig {
        name: name.clone(),
        origin: reader.origin_at(default),
        connect_timeout: reader.duration(default, "connectionTimeout", Bound::Positive),
        idle_timeout: reader.duration(default, "idleTimeout", Bound::Any),
        ..ClusterConfig::default()
    };
    reader.config.clusters.push(cluster);
    let Some(http) = reader.message(default, "http") else { return };
    reader.known(
        &http,
        "http",
        "requestTimeout streamIdleTimeout maxStreamDuration maxConnectionDuration requestHeadersTimeout",
    );
    let request = reader.duration(&http, "requestTimeout", Bound::Any);
    let idle = reader.duration(&http, "streamIdleTimeout", Bound::Any);
    let stream = reader.duration(&http, "maxStreamDuration", Bound::Any);
    route(reader, default, name, |route| {
        route.timeout = request;
        route.idle_timeout = idle;
        route.max_stream_duration = stream;
    });
}

fn route(reader: &mut Reader, at: &Field<'_>, name: Setting<String>, fill: impl FnOnce(&mut RouteConfig)) {
    let mut into = RouteConfig {
        name: name.clone(),
        origin: reader.origin_at(at),
        targets: name
            .map(|cluster| RouteTarget { cluster, subset: None, port: None, weight: None })
            .into_iter()
            .collect(),
        ..RouteConfig::default()
    };
    fill(&mut into);
    reader.config.routes.push(into);
}
