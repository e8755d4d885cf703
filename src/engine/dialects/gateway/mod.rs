//! Envoy Gateway: a `BackendTrafficPolicy` for a route of the Gateway API.
//!
//! Left out, a limit is 1,024 (of retries too), a request ends after 15 s, a silent stream after an
//! hour or never, hosts are picked by `LEAST_REQUEST`, a connection carries 100 streams, the interval
//! of outlier detection is 3 s, and 5 errors in a row eject a host: all of them are written.

mod fraction;
mod model;

use super::names::Names;
use super::notes::{Notes, retries};
use super::resource::{Resource, Units, paragraphs};
use super::{TooLarge, lost, together};
use crate::engine::analysis::Analysis;
use crate::engine::envoy::defaults;
use crate::engine::envoy::model::OutlierDetection;
use crate::engine::mapping;
use crate::engine::scenario::Protocol;
use crate::engine::units::{Millis, display};
use model::{
    BackOff, BackendTrafficPolicy, CircuitBreaker, HealthCheck, Http2, HttpTimeout, LoadBalancer, Passive,
    PerRetry, Retry, RetryBudget, RetryOn, TargetRef, TcpTimeout, Timeout,
};
use std::borrow::Cow;

const API: &str = "gateway.envoyproxy.io/v1alpha1";
/// The route that brings HTTP/2 to the hosts.
const GRPC_ROUTE: &str = "GRPCRoute";
const ROUTES: &str = "gateway.networking.k8s.io";

/// Envoy's keys and where their comments go.
const PLACES: [(&str, &str); 16] = [
    ("no_outlier_detection", "spec.circuitBreaker"),
    ("max_requests", "spec.circuitBreaker.maxParallelRequests"),
    ("max_connections", "spec.circuitBreaker.maxConnections"),
    ("max_pending_requests", "spec.circuitBreaker.maxPendingRequests"),
    ("budget_percent", "spec.circuitBreaker.retryBudget.percent"),
    ("min_retry_concurrency", "spec.circuitBreaker.retryBudget.minRetryConcurrency"),
    ("connect_timeout", "spec.timeout.tcp.connectTimeout"),
    ("timeout", "spec.timeout.http.requestTimeout"),
    ("idle_timeout", "spec.timeout.http.streamIdleTimeout"),
    ("max_stream_duration", "spec.timeout.http.maxStreamDuration"),
    ("pool_idle_timeout", "spec.timeout.http.connectionIdleTimeout"),
    ("num_retries", "spec.retry.numRetries"),
    ("retry_on", "spec.retry.retryOn.triggers"),
    ("per_try_timeout", "spec.retry.perRetry.timeout"),
    ("max_ejection_percent", "spec.healthCheck.passive.maxEjectionPercent"),
    ("consecutive_gateway_failure", "spec.healthCheck.passive.consecutiveGatewayErrors"),
];

/// The policy as a resource of Envoy Gateway.
pub fn to_yaml(asked: &Analysis) -> String {
    // An answer that is too large is told by `too_large`.
    let one = together(asked).unwrap_or(Cow::Borrowed(asked));
    let analysis = one.as_ref();
    let names = Names::of(&analysis.scenario.name);
    let mut top = mapping::header(&asked.scenario, &asked.link);
    let kind = route_kind(analysis, &names);
    top.extend(paragraphs(&about(&names, kind)));
    let mut lines = lost::in_both(asked, analysis);
    lines.extend(lost_here(analysis, kind));
    top.extend(lost::header("a BackendTrafficPolicy", "an EnvoyPatchPolicy", &lines));
    let policy = policy(analysis, &names, kind);
    Resource::new(API, "BackendTrafficPolicy", &names, policy).to_yaml(&top, &notes(analysis, kind).all())
}

/// The kind of route: what the name of the cluster says, else that of the protocol.
fn route_kind(analysis: &Analysis, names: &Names) -> &'static str {
    names.route.unwrap_or(match analysis.scenario.protocol {
        Protocol::Grpc | Protocol::GrpcStream => GRPC_ROUTE,
        Protocol::Http1 | Protocol::Http2 => "HTTPRoute",
    })
}

/// What the resource is for, and what has to be put in.
fn about(names: &Names, kind: &str) -> Vec<String> {
    let mut lines = vec![format!("Envoy Gateway: for {}; put yours for them", names.about(kind))];
    if let (Some(rule), Some(_)) = (&names.part, names.route) {
        lines.push(format!("the policy is for all rules of the route, not for {rule} alone"));
    }
    lines
}

fn policy(analysis: &Analysis, names: &Names, kind: &'static str) -> BackendTrafficPolicy {
    let (limits, timeouts) = (analysis.default_threshold(), &analysis.timeouts);
    let budget = &limits.retry_budget;
    let life = timeouts.max_stream_duration_ms.filter(|_| analysis.scenario.protocol.streams());
    let target = TargetRef { group: ROUTES, kind, name: names.resource.clone() };
    BackendTrafficPolicy {
        target_refs: vec![target],
        // What Envoy does where its text has no `lb_policy`.
        load_balancer: LoadBalancer { kind: "RoundRobin" },
        circuit_breaker: CircuitBreaker {
            max_parallel_requests: limits.max_requests,
            max_connections: limits.max_connections,
            max_pending_requests: limits.max_pending_requests,
            retry_budget: RetryBudget {
                percent: fraction::of(budget.budget_percent.share().0),
                min_retry_concurrency: budget.min_retry_concurrency.min(MOST),
            },
        },
        timeout: Timeout {
            tcp: TcpTimeout { connect_timeout: Units::in_gateway(timeouts.connect_ms) },
            http: HttpTimeout {
                request_timeout: Units::in_gateway(timeouts.route_ms),
                stream_idle_timeout: Units::in_gateway(stream_idle(analysis)),
                max_stream_duration: life.map(Units::in_gateway),
                connection_idle_timeout: Units::in_gateway(timeouts.pool_idle_ms),
            },
        },
        retry: retries(analysis).then(|| retry(analysis)),
        health_check: lost::sayable(analysis).map(|detection| HealthCheck { passive: passive(detection) }),
        http2: streams(analysis).map(|max_concurrent_streams| Http2 { max_concurrent_streams }),
    }
}

/// What Envoy's text puts in force: its `idle_timeout`, or the default of the connection manager.
fn stream_idle(analysis: &Analysis) -> Millis {
    analysis.timeouts.stream_idle_ms.unwrap_or(Millis::from_secs(defaults::STREAM_IDLE_TIMEOUT_S))
}

/// Streams that a connection carries, where it carries several; Envoy's default.
fn streams(analysis: &Analysis) -> Option<u32> {
    let s = &analysis.scenario;
    s.protocol.multiplexes().then(|| defaults::max_concurrent_streams(s.envoy_version))
}

fn retry(analysis: &Analysis) -> Retry {
    let retry = &analysis.retry;
    Retry {
        num_retries: retry.num_retries,
        retry_on: RetryOn { triggers: retry.retry_on.clone() },
        per_retry: PerRetry {
            timeout: analysis.timeouts.per_try_ms.map(Units::in_gateway),
            back_off: BackOff {
                base_interval: Units::in_gateway(retry.backoff_base_ms),
                max_interval: Units::in_gateway(retry.backoff_max_ms),
            },
        },
    }
}

fn passive(detection: &OutlierDetection) -> Passive {
    Passive {
        consecutive_gateway_errors: detection.consecutive_gateway_failure,
        consecutive_5xx_errors: detection.enforcing_consecutive_5xx,
        interval: Units::in_gateway(detection.interval.0),
        base_ejection_time: Units::in_gateway(detection.base_ejection_time.0),
        max_ejection_percent: detection.max_ejection_percent,
    }
}

fn notes(analysis: &Analysis, kind: &str) -> Notes {
    let mut notes = Notes::moved(analysis, &PLACES);
    if analysis.scenario.protocol == Protocol::GrpcStream && kind == GRPC_ROUTE {
        let words = "for streams of gRPC; WebSockets need kind: HTTPRoute";
        notes.say("spec.targetRefs", words);
    }
    // Both are never set: Envoy would ignore maxParallelRetries.
    let n = analysis.default_threshold().max_retries;
    notes.add(
        "spec.circuitBreaker.retryBudget.percent",
        &format!(
            "an Envoy Gateway that refuses or drops retryBudget needs maxParallelRetries: {n}, else 1,024 hold"
        ),
    );
    let timeout = "spec.timeout.http.requestTimeout";
    if analysis.timeouts.route_ms.0 > 0.0 {
        notes.add(timeout, "a timeout of the route itself beats it");
    } else {
        notes.add(timeout, "left out it would be 15 s");
    }
    if !retries(analysis) {
        notes.add("spec.timeout", "without the block retry nothing is retried");
    }
    notes.say("spec.loadBalancer", "as in Envoy; left out it would be LeastRequest");
    notes.say("spec.http2.maxConcurrentStreams", "as in Envoy; left out it would be 100");
    if analysis.timeouts.stream_idle_ms.is_none() {
        let left_out = if analysis.timeouts.route_ms.0 > 0.0 {
            display::millis(HOUR.max(analysis.timeouts.route_ms))
        } else {
            "off".to_owned()
        };
        let words = format!("as in Envoy; left out it would be {left_out}");
        notes.add("spec.timeout.http.streamIdleTimeout", &words);
    }
    let passive = "spec.healthCheck.passive";
    notes.say(&format!("{passive}.consecutive5XxErrors"), "off; left out, 5 in a row would eject");
    notes.say(&format!("{passive}.interval"), "left out it would be 3 s");
    notes
}

/// What only Envoy Gateway has no words for.
fn lost_here(analysis: &Analysis, kind: &str) -> Vec<String> {
    let (s, timeouts) = (&analysis.scenario, &analysis.timeouts);
    let limits = analysis.default_threshold();
    let mut lines = Vec::new();
    if s.protocol.multiplexes() && kind != GRPC_ROUTE {
        let (connections, requests) = (limits.max_connections, limits.max_requests);
        let few = if connections < requests {
            let words = [connections, requests].map(|n| display::count(f64::from(n)));
            format!(", and {} connections carry as many requests, not {}", words[0], words[1])
        } else {
            ", one request a connection".to_owned()
        };
        lines.push(format!(
            "HTTP/2 to the hosts: it comes with appProtocol: kubernetes.io/h2c of the Service; without it they get HTTP/1.1{few}"
        ));
    }
    if timeouts.grpc_timeout_header_max_ms.is_some() {
        lines.push(
            "a caller's grpc-timeout: it is not looked at, requestTimeout alone bounds a call".to_owned(),
        );
    }
    lines.extend(lost::sayable(analysis).and_then(|detection| success_rate(analysis, detection)));
    if retries(analysis) && !analysis.retry.previous_hosts {
        lines.push(
            "retries that look for no other host: up to 5 picks before each, and then the only host"
                .to_owned(),
        );
    }
    if retries(analysis) {
        lines.push(
            "retries of bodies above 32 KiB: bufferLimit of a ClientTrafficPolicy allows them".to_owned(),
        );
    }
    lines.push(
        "track_remaining: no gauges remaining_…; watch rq_open and the counters of overflow".to_owned(),
    );
    lines
}

/// With a request timeout, streams get this idle timeout at least.
const HOUR: Millis = Millis(3_600_000.0);
/// The largest number of signed fields.
const MOST: u32 = 2_147_483_647;

/// Ejection by success rate is on, and nothing turns it off.
fn success_rate(analysis: &Analysis, detection: &OutlierDetection) -> Option<String> {
    let (enough, hosts) = (defaults::SUCCESS_RATE_REQUEST_VOLUME, defaults::SUCCESS_RATE_MINIMUM_HOSTS);
    let is_off = detection.enforcing_success_rate == 0 && analysis.scenario.hosts >= hosts;
    let seen = analysis.ejection.rate_per_host.arrivals_in(detection.interval.0);
    is_off.then(|| {
        format!(
            "success-rate ejection off: it acts in proxies that send {} requests in {} to {hosts} hosts; one of fair share sends a host {}",
            display::number(enough),
            display::millis(detection.interval.0),
            display::number(seen),
        )
    })
}

/// What does not fit into Envoy Gateway's fields.
pub fn too_large(analysis: &Analysis) -> Vec<TooLarge> {
    let timeouts = &analysis.timeouts;
    let floor = analysis.default_threshold().retry_budget.min_retry_concurrency;
    let long = |(field, duration): (&'static str, Option<Millis>)| {
        let needed = duration.filter(|d| *d > Units::LONGEST_IN_GATEWAY)?;
        let most = display::millis(Units::LONGEST_IN_GATEWAY);
        Some(TooLarge { field, needed: display::millis(needed), most })
    };
    let durations = [
        ("connectTimeout", Some(timeouts.connect_ms)),
        ("requestTimeout", Some(timeouts.route_ms)),
        ("perRetry.timeout", timeouts.per_try_ms),
        ("streamIdleTimeout", Some(stream_idle(analysis))),
        ("maxStreamDuration", timeouts.max_stream_duration_ms),
        ("connectionIdleTimeout", Some(timeouts.pool_idle_ms)),
    ];
    let floor = TooLarge::count("minRetryConcurrency", floor.into(), MOST);
    floor.into_iter().chain(durations.into_iter().filter_map(long)).collect()
}
