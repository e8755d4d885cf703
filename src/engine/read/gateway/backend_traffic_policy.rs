//! `BackendTrafficPolicy`: limits, timeouts, retries and health checks of the routes it targets.

use crate::engine::envoy::defaults as envoy;
use crate::engine::read::config::{
    ClusterConfig, Effect, OutlierDetection, PerHostThresholds, PolicyScope, Preconnect, ProblemKind,
    RetryBudget, RetryPolicy, RouteConfig, RouteKind, RouteTarget, Thresholds,
};
use crate::engine::read::envoy::codes;
use crate::engine::read::field::{Bound, Field, Reader};
use crate::engine::read::{Setting, Spanned};
use crate::engine::units::{Millis, Percent};

const HOUR: Millis = Millis(3_600_000.0);

const SPEC: &str = "targetRef targetRefs targetSelectors mergeType rateLimit loadBalancer retry proxyProtocol \
    tcpKeepalive healthCheck circuitBreaker timeout connection dns http2 faultInjection useClientProtocol \
    compression compressor responseOverride httpUpgrade requestBuffer telemetry routingType admissionControl \
    bandwidthLimit";
const BREAKER: &str = "maxConnections maxPendingRequests maxParallelRequests maxParallelRetries \
    maxRequestsPerConnection perEndpoint retryBudget";
const HTTP_TIMEOUTS: &str =
    "connectionIdleTimeout maxConnectionDuration requestTimeout maxStreamDuration streamIdleTimeout";
const PASSIVE: &str = "splitExternalLocalOriginErrors interval consecutiveLocalOriginFailures consecutiveGatewayErrors \
    consecutive5XxErrors baseEjectionTime maxEjectionPercent failurePercentageThreshold alwaysEjectOneEndpoint";

/// Whether it is for routes of connections only.
fn for_connections(spec: &Field<'_>) -> bool {
    let targets: Vec<Field<'_>> =
        spec.list("target_refs").into_iter().chain(spec.get("target_ref")).collect();
    let of_bytes = |t: &Field<'_>| {
        t.text("kind").is_some_and(|kind| matches!(kind.value.as_str(), "TCPRoute" | "TLSRoute"))
    };
    !targets.is_empty() && targets.iter().all(of_bytes)
}

/// Reads the spec.
pub fn read(reader: &mut Reader, spec: &Field<'_>) {
    reader.known(spec, "a BackendTrafficPolicy", SPEC);
    let target = spec.list("target_refs").into_iter().chain(spec.get("target_ref")).next();
    let name = target.as_ref().and_then(|t| t.text("name")).or_else(|| reader.origin.name.clone());
    let mut cluster =
        ClusterConfig { name: name.clone(), origin: reader.origin_at(spec), ..ClusterConfig::default() };
    let section = target.as_ref().and_then(|t| t.get("sectionName"));
    let partial = section.or_else(|| spec.get("mergeType")).or_else(|| spec.get("targetSelectors"));
    cluster.partial = partial.map(|f| f.place());
    let mut route = RouteConfig {
        name: name.clone(),
        origin: reader.origin_at(spec),
        targets: name
            .map(|cluster| RouteTarget { cluster, subset: None, port: None, weight: None })
            .into_iter()
            .collect(),
        ..RouteConfig::default()
    };
    if for_connections(spec) {
        route.kind = RouteKind::Tcp;
    }
    if let Some(breaker) = reader.message(spec, "circuitBreaker") {
        circuit_breaker(reader, &breaker, &mut cluster);
    }
    timeouts(reader, spec, &mut cluster, &mut route);
    if let Some(check) = reader.message(spec, "healthCheck") {
        reader.known(&check, "healthCheck", "active passive panicThreshold");
        cluster.healthy_panic_threshold = reader
            .whole(&check, "panicThreshold", Bound::UpTo(100))
            .map(|p| p.map(|n| Percent(f64::from(n))));
        cluster.health_checks = check.get("active").map(|a| a.spanned(1));
        if let Some(passive) = reader.message(&check, "passive") {
            cluster.outlier_detection = Some(outlier(reader, &passive));
        }
    }
    if let Some(http2) = reader.message(spec, "http2") {
        cluster.max_concurrent_streams =
            reader.whole(&http2, "maxConcurrentStreams", Bound::Between(1, 2_147_483_647));
    }
    if let Some(connection) = reader.message(spec, "connection") {
        cluster.per_connection_buffer_limit_bytes = quantity(reader, &connection, "bufferLimit");
        cluster.preconnect_policy = connection.get("preconnect").map(|p| preconnect(reader, &p));
    }
    cluster.lb_policy = lb_policy(spec);
    // Without the block nothing is retried.
    route.retry_policy = reader.message(spec, "retry").map(|retry| policy(reader, &retry));
    reader.config.clusters.push(cluster);
    reader.config.routes.push(route);
}

/// `loadBalancer.type` as the word that Envoy has for it; `None` is Envoy Gateway's `LEAST_REQUEST`.
fn lb_policy(spec: &Field<'_>) -> Setting<String> {
    let word = spec.get("loadBalancer")?.text("type")?;
    Some(word.map(|word| match word.as_str() {
        "RoundRobin" => "ROUND_ROBIN".to_owned(),
        "LeastRequest" => "LEAST_REQUEST".to_owned(),
        "Random" => "RANDOM".to_owned(),
        "ConsistentHash" => "MAGLEV".to_owned(),
        _ => word,
    }))
}

fn circuit_breaker(reader: &mut Reader, block: &Field<'_>, into: &mut ClusterConfig) {
    reader.known(block, "circuitBreaker", BREAKER);
    into.circuit_breakers = Some(block.place());
    let mut entry = Thresholds {
        block: block.place(),
        max_connections: reader.whole(block, "maxConnections", Bound::Any),
        max_pending_requests: reader.whole(block, "maxPendingRequests", Bound::Any),
        max_requests: reader.whole(block, "maxParallelRequests", Bound::Any),
        max_retries: reader.whole(block, "maxParallelRetries", Bound::Any),
        ..Thresholds::default()
    };
    into.max_requests_per_connection = reader.whole(block, "maxRequestsPerConnection", Bound::Any);
    if let Some(budget) = reader.message(block, "retryBudget") {
        reader.known(&budget, "retryBudget", "percent minRetryConcurrency");
        entry.retry_budget = Some(RetryBudget {
            block: budget.place(),
            budget_percent: fraction(reader, &budget),
            min_retry_concurrency: reader.whole(&budget, "minRetryConcurrency", Bound::Any),
            budget_interval: None,
        });
    }
    into.thresholds.push(entry);
    if let Some(per) = reader.message(block, "perEndpoint") {
        reader.known(&per, "perEndpoint", "maxConnections");
        let max_connections = reader.whole(&per, "maxConnections", Bound::Any);
        into.per_host_thresholds.push(PerHostThresholds {
            block: per.place(),
            priority: None,
            max_connections,
        });
    }
}

/// `{numerator: 20, denominator: 100}`
fn fraction(reader: &mut Reader, budget: &Field<'_>) -> Setting<Percent> {
    let field = reader.message(budget, "percent")?;
    let numerator = reader.whole(&field, "numerator", Bound::Any)?.value;
    let denominator = reader.whole(&field, "denominator", Bound::Positive).map_or(100, |d| d.value.max(1));
    Some(field.spanned(Percent(100.0 * f64::from(numerator) / f64::from(denominator))))
}

fn timeouts(reader: &mut Reader, spec: &Field<'_>, cluster: &mut ClusterConfig, route: &mut RouteConfig) {
    let Some(timeout) = reader.message(spec, "timeout") else { return };
    reader.known(&timeout, "timeout", "tcp http");
    if let Some(tcp) = reader.message(&timeout, "tcp") {
        reader.known(&tcp, "timeout.tcp", "connectTimeout");
        cluster.connect_timeout = reader.duration(&tcp, "connectTimeout", Bound::Positive);
    }
    let Some(http) = reader.message(&timeout, "http") else { return };
    reader.known(&http, "timeout.http", HTTP_TIMEOUTS);
    cluster.idle_timeout = reader.duration(&http, "connectionIdleTimeout", Bound::Any);
    cluster.max_connection_duration = reader.duration(&http, "maxConnectionDuration", Bound::Any);
    route.max_stream_duration = reader.duration(&http, "maxStreamDuration", Bound::Any);
    route.timeout = reader.duration(&http, "requestTimeout", Bound::Any);
    // With a request timeout the idle timeout of the stream follows it: at least an hour, or off.
    route.idle_timeout = reader.duration(&http, "streamIdleTimeout", Bound::Any).or_else(|| {
        let timeout = route.timeout.as_ref()?;
        let idle = if timeout.value.0 == 0.0 { timeout.value } else { timeout.value.max(HOUR) };
        Some(Spanned::new(idle, timeout.at.clone()))
    });
}

fn outlier(reader: &mut Reader, block: &Field<'_>) -> OutlierDetection {
    reader.known(block, "healthCheck.passive", PASSIVE);
    let enforced = |set: &Setting<u32>| set.as_ref().map(|s| Spanned::new(100, s.at.clone()));
    let mut out = OutlierDetection {
        block: block.place(),
        consecutive_5xx: reader.whole(block, "consecutive5XxErrors", Bound::Any),
        consecutive_gateway_failure: reader.whole(block, "consecutiveGatewayErrors", Bound::Any),
        consecutive_local_origin_failure: reader.whole(block, "consecutiveLocalOriginFailures", Bound::Any),
        interval: reader.duration(block, "interval", Bound::Positive),
        base_ejection_time: reader.duration(block, "baseEjectionTime", Bound::Positive),
        // Zero counts as not set.
        max_ejection_percent: reader
            .whole(block, "maxEjectionPercent", Bound::UpTo(100))
            .filter(|percent| percent.value != 0),
        failure_percentage_threshold: reader.whole(block, "failurePercentageThreshold", Bound::UpTo(100)),
        split_external_local_origin_errors: reader.truth(block, "splitExternalLocalOriginErrors"),
        always_eject_one_host: reader.truth(block, "alwaysEjectOneEndpoint"),
        ..OutlierDetection::default()
    };
    out.enforcing_consecutive_gateway_failure = enforced(&out.consecutive_gateway_failure);
    out.enforcing_failure_percentage = enforced(&out.failure_percentage_threshold);
    out
}

fn policy(reader: &mut Reader, retry: &Field<'_>) -> RetryPolicy {
    reader.known(retry, "retry", "numRetries numAttemptsPerPriority retryOn perRetry");
    let mut out = RetryPolicy {
        block: retry.place(),
        scope: PolicyScope::Route,
        num_retries: reader.whole(retry, "numRetries", Bound::Any),
        ..RetryPolicy::default()
    };
    if let Some(on) = reader.message(retry, "retryOn") {
        reader.known(&on, "retryOn", "triggers httpStatusCodes");
        let triggers: Vec<String> = on.texts("triggers").into_iter().map(|t| t.value).collect();
        // Without triggers the default ones hold; the codes replace the default 503 in any case, and
        // are read only with the trigger for them.
        out.retry_on =
            on.get("triggers").filter(|_| !triggers.is_empty()).map(|field| field.spanned(triggers));
        let listed = codes(reader, &on, "httpStatusCodes");
        out.retriable_status_codes = listed.or_else(|| Some(on.spanned(Vec::new())));
    }
    if let Some(per) = reader.message(retry, "perRetry") {
        reader.known(&per, "perRetry", "timeout backOff");
        out.per_try_timeout = reader.duration(&per, "timeout", Bound::Any);
        if let Some(back_off) = reader.message(&per, "backOff") {
            reader.known(&back_off, "backOff", "baseInterval maxInterval");
            out.retry_back_off = Some(back_off.place());
            out.base_interval = reader.duration(&back_off, "baseInterval", Bound::Positive);
            out.max_interval = reader.duration(&back_off, "maxInterval", Bound::Positive);
            if let (None, Some(max)) = (&out.base_interval, &out.max_interval) {
                reader.problem(
                    max.at.clone(),
                    ProblemKind::Missing,
                    Effect::Rejected,
                    "`maxInterval` stands without `baseInterval`, and Envoy refuses such a back-off",
                    format!("add baseInterval, such as {}ms", envoy::RETRY_BASE_INTERVAL.0.0),
                );
            }
        }
    }
    out
}

fn preconnect(reader: &mut Reader, field: &Field<'_>) -> Preconnect {
    let mut ratio = |name| reader.whole(field, name, Bound::Any).map(|p| p.map(|n| f64::from(n) / 100.0));
    Preconnect {
        block: field.place(),
        per_upstream_preconnect_ratio: ratio("perEndpointPercent"),
        predictive_preconnect_ratio: ratio("predictivePercent"),
    }
}

/// A quantity of Kubernetes: `32Ki`, `1Mi`, `32768`.
fn quantity(reader: &mut Reader, parent: &Field<'_>, name: &str) -> Setting<u32> {
    const UNITS: [(&str, f64); 7] = [
        ("Ki", 1024.0),
        ("Mi", 1_048_576.0),
        ("Gi", 1_073_741_824.0),
        ("k", 1e3),
        ("M", 1e6),
        ("G", 1e9),
        ("", 1.0),
    ];
    let field = parent.get(name)?;
    let text = field.node.text().unwrap_or_default();
    let bytes = UNITS.iter().find_map(|(unit, factor)| {
        text.strip_suffix(unit).and_then(|n| n.parse::<f64>().ok()).map(|n| n * factor)
    });
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked to be in range")]
    if let Some(bytes) = bytes.filter(|b| (0.0..=f64::from(u32::MAX)).contains(b)) {
        return Some(field.spanned(bytes as u32));
    }
    let message = format!("`{name}` is `{text}`, not a quantity such as 32Ki");
    reader.problem(field.place(), ProblemKind::BadNumber, Effect::Rejected, message, "write 32Ki or 1Mi");
    None
}
