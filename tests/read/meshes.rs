//! Istio, Envoy Gateway and the others in small cases.

use crate::support::{config, problems};
use headroom::engine::read::config::{
    Configuration, Dialect, Effect, PatchOperation, ProblemKind, RoutingPriority,
};
use headroom::engine::read::effective::{EffectiveRetryLimit, effective_cluster, effective_route};
use headroom::engine::read::value;
use headroom::engine::scenario::EnvoyVersion;
use headroom::engine::units::Millis;

fn rule(spec: &str) -> Configuration {
    config(&format!(
        "apiVersion: networking.istio.io/v1\nkind: DestinationRule\nmetadata: {{name: r, namespace: n}}\nspec: {spec}\n"
    ))
}

fn retries(retries: &str) -> Configuration {
    config(&format!(
        "apiVersion: networking.istio.io/v1\nkind: VirtualService\nmetadata: {{name: r}}\nspec: {{hosts: [a], http: [{{retries: {retries}, route: [{{destination: {{host: a}}}}]}}]}}\n"
    ))
}

#[test]
fn a_port_inherits_nothing() {
    let config = rule(
        "{host: a, trafficPolicy: {connectionPool: {tcp: {maxConnections: 9}}, outlierDetection: {interval: 5s}, retryBudget: {percent: 30, minRetryConcurrency: 0}, portLevelSettings: [{port: {number: 80}, connectionPool: {http: {http2MaxRequests: 7}}}]}}",
    );
    assert_eq!(config.problems, []);
    let (host, port) = (&config.clusters[0], &config.clusters[1]);
    assert_eq!((value(&host.port), value(&port.port)), (None, Some(80)));
    assert_eq!(value(&host.thresholds[0].max_connections), Some(9));
    assert_eq!(value(&port.thresholds[0].max_connections), None);
    assert_eq!(value(&port.thresholds[0].max_requests), Some(7));
    assert!(host.outlier_detection.is_some() && port.outlier_detection.is_none());
    // A floor of zero becomes three.
    let limit = &effective_cluster(&config, host, EnvoyVersion::NEWEST)
        .limits(RoutingPriority::Default)
        .retry_limit
        .clone();
    assert!(
        matches!(limit, EffectiveRetryLimit::Budget(b) if b.budget_percent.value.0 == 30.0 && b.min_retry_concurrency.value == 3)
    );
}

#[test]
fn numbers_of_istio_are_checked_by_its_schema() {
    let limits = |text: &str| {
        let config = rule(&format!(
            "{{host: a, trafficPolicy: {{connectionPool: {{tcp: {{maxConnections: {text}}}}}}}}}"
        ));
        (
            value(&config.clusters[0].thresholds[0].max_connections),
            config.problems.first().map(|p| p.kind.clone()),
        )
    };
    assert_eq!(limits("120"), (Some(120), None));
    assert_eq!(limits("0"), (None, None));
    // YAML as Kubernetes reads it.
    assert_eq!(limits("1_024"), (Some(1024), None));
    assert_eq!(limits("\"120\""), (Some(120), Some(ProblemKind::WrongShape)));
    assert_eq!(limits("4294967295"), (Some(4_294_967_295), Some(ProblemKind::OutOfRange)));
    assert_eq!(limits("-1"), (None, Some(ProblemKind::OutOfRange)));
}

#[test]
fn detection_in_istio() {
    let config = rule(
        "{host: a, trafficPolicy: {outlierDetection: {consecutive5xxErrors: 0, consecutiveGatewayErrors: 4, maxEjectionPercent: 0, minHealthPercent: 30}}}",
    );
    let in_force = effective_cluster(&config, &config.clusters[0], EnvoyVersion::NEWEST);
    let outlier = in_force.outlier_detection.unwrap();
    assert_eq!((outlier.consecutive_5xx.value, outlier.enforcing_consecutive_5xx.value), (0, 0));
    assert_eq!(
        (outlier.consecutive_gateway_failure.value, outlier.enforcing_consecutive_gateway_failure.value),
        (4, 100)
    );
    assert_eq!((outlier.max_ejection_percent.value, outlier.max_ejection_percent.is_default()), (10, true));
    assert_eq!(outlier.enforcing_success_rate.value, 0);
    assert_eq!(in_force.healthy_panic_threshold.value.0, 30.0);
    // Without detection the panic threshold is Envoy's.
    let none = rule("{host: a}");
    let in_force = effective_cluster(&none, &none.clusters[0], EnvoyVersion::NEWEST);
    assert_eq!(in_force.healthy_panic_threshold.value.0, 50.0);
    assert_eq!(in_force.connect_timeout.value, Millis(10_000.0));
}

#[test]
fn retries_in_istio() {
    let of = |text: &str| {
        let config = retries(text);
        let e = effective_route(&config, &config.routes[0], None, EnvoyVersion::NEWEST);
        let retry = e.retry.clone().unwrap();
        (
            retry.num_retries.value,
            retry.retry_on.value.join(","),
            retry.retriable_status_codes.value,
            retry.previous_hosts.value,
        )
    };
    let default = "connect-failure,refused-stream,unavailable,cancelled,retriable-status-codes".to_owned();
    assert_eq!(of("{attempts: 0}"), (0, default.clone(), vec![], true));
    assert_eq!(of("{attempts: 5}"), (5, default, vec![], true));
    assert_eq!(
        of("{attempts: 1, retryOn: \"503,reset\"}"),
        (1, "reset,retriable-status-codes".to_owned(), vec![503], true)
    );
    assert!(!of("{attempts: 1, retryOn: 5xx, retryIgnorePreviousHosts: false}").3);
    let config = retries("{attempts: 1, backoff: 50ms, perTryTimeout: 2s}");
    let retry = effective_route(&config, &config.routes[0], None, EnvoyVersion::NEWEST).retry.unwrap();
    assert_eq!((retry.back_off.base_interval.value.0, retry.back_off.max_interval.value.0), (50.0, 500.0));
}

#[test]
fn istio_refuses_a_duration_of_zero() {
    let found = problems(&retries("{attempts: 1, perTryTimeout: 0s}"));
    assert_eq!(found, [(4, ProblemKind::OutOfRange, Effect::Rejected)]);
    let found = problems(&rule("{host: a, trafficPolicy: {connectionPool: {http: {idleTimeout: 0s}}}}"));
    assert_eq!(found, [(4, ProblemKind::OutOfRange, Effect::Rejected)]);
}

#[test]
fn pools_of_sidecars_and_clusters_that_a_patch_adds() {
    let sidecar = config(
        "apiVersion: networking.istio.io/v1\nkind: Sidecar\nmetadata: {name: s}\nspec: {inboundConnectionPool: {http: {http2MaxRequests: 8}}}\n",
    );
    assert_eq!(value(&sidecar.clusters[0].thresholds[0].max_requests), Some(8));
    let added = config(
        "apiVersion: networking.istio.io/v1alpha3\nkind: EnvoyFilter\nmetadata: {name: f}\nspec: {configPatches: [{applyTo: CLUSTER, patch: {operation: ADD, value: {name: a, connect_timeout: 1s}}}]}\n",
    );
    let e = effective_cluster(&added, &added.clusters[0], EnvoyVersion::NEWEST);
    assert_eq!(e.limits(RoutingPriority::Default).max_requests.value, 1024);
}

#[test]
fn short_names_count_within_their_namespace() {
    let pairs = |rule_host: &str, route_host: &str, namespace: &str| {
        config(&format!(
            "apiVersion: networking.istio.io/v1\nkind: DestinationRule\nmetadata: {{name: r, namespace: n}}\nspec: {{host: {rule_host}}}\n---\napiVersion: networking.istio.io/v1\nkind: VirtualService\nmetadata: {{name: r, namespace: {namespace}}}\nspec: {{hosts: [a], http: [{{route: [{{destination: {{host: {route_host}}}}}]}}]}}\n"
        ))
        .pairs
        .len()
    };
    assert_eq!(pairs("a", "a", "n"), 1);
    assert_eq!(pairs("a.n.svc.cluster.local", "a", "n"), 1);
    assert_eq!(pairs("a", "a.n.svc.cluster.local", "m"), 1);
    assert_eq!(pairs("a", "a", "m"), 0);
    assert_eq!(pairs("a", "b", "n"), 0);
    assert_eq!(pairs("api.example.com", "api.example.org", "n"), 0);
}

#[test]
fn a_patch_acts_on_the_rule_of_its_host() {
    let text = "apiVersion: networking.istio.io/v1\nkind: DestinationRule\nmetadata: {name: r, namespace: n}\nspec: {host: a.n.svc.cluster.local, trafficPolicy: {connectionPool: {tcp: {maxConnections: 9}}, outlierDetection: {interval: 5s}}}\n---\napiVersion: networking.istio.io/v1alpha3\nkind: EnvoyFilter\nmetadata: {name: f, namespace: n}\nspec:\n  configPatches:\n  - applyTo: CLUSTER\n    match: {context: SIDECAR_OUTBOUND, cluster: {service: a.n.svc.cluster.local}}\n    patch: {operation: MERGE, value: {outlier_detection: {enforcing_consecutive_5xx: 7}, circuit_breakers: {thresholds: [{max_connections: 1}, {priority: HIGH, max_requests: 2}]}}}\n  - applyTo: HTTP_ROUTE\n    patch: {operation: MERGE, value: {route: {timeout: 9s}}}\n";
    let config = config(text);
    assert_eq!(config.problems, []);
    let e = effective_cluster(&config, &config.clusters[0], EnvoyVersion::NEWEST);
    // The DEFAULT entry is Istio's, the appended one is dead; there was no HIGH entry.
    assert_eq!(e.limits(RoutingPriority::Default).max_connections.value, 9);
    assert_eq!(e.limits(RoutingPriority::High).max_requests.value, 2);
    assert_eq!(config.clusters[0].dead_thresholds().count(), 1);
    let outlier = e.outlier_detection.unwrap();
    assert_eq!((outlier.interval.value.0, outlier.enforcing_consecutive_5xx.value), (5000.0, 7));
    let patch = config.routes[0].origin.patch.as_ref().unwrap();
    assert_eq!((patch.operation, patch.applies_to.as_str()), (PatchOperation::Merge, "HTTP_ROUTE"));
    assert_eq!(value(&config.routes[0].timeout), Some(Millis(9000.0)));
}

#[test]
fn a_patch_of_a_route_acts_on_the_route_of_its_name() {
    let service = |name: &str| {
        format!(
            "apiVersion: networking.istio.io/v1\nkind: VirtualService\nmetadata: {{name: a}}\nspec: {{hosts: [a], http: [{{name: {name}, route: [{{destination: {{host: a}}}}], retries: {{attempts: 3, retryOn: reset, backoff: 20ms}}}}]}}\n---\n"
        )
    };
    let patch = "apiVersion: networking.istio.io/v1alpha3\nkind: EnvoyFilter\nmetadata: {name: f}\nspec:\n  configPatches:\n  - applyTo: HTTP_ROUTE\n    match: {context: SIDECAR_OUTBOUND, routeConfiguration: {vhost: {route: {name: a.shop}}}}\n    patch: {operation: MERGE, value: {route: {idle_timeout: 9s, max_stream_duration: {max_stream_duration: 90s}, retry_policy: {retry_back_off: {max_interval: 7s}}}}}\n";
    let named = config(&(service("a.shop") + patch));
    assert_eq!(named.routes.len(), 1);
    let e = effective_route(&named, &named.routes[0], None, EnvoyVersion::NEWEST);
    assert_eq!((e.idle_timeout.value.0, e.max_stream_duration.value.0), (9_000.0, 90_000.0));
    // Single fields of the policy, not the whole of it.
    let retry = e.retry.unwrap();
    assert_eq!((retry.num_retries.value, retry.retry_on.value), (3, vec!["reset".to_owned()]));
    let waits = retry.back_off;
    assert_eq!((waits.base_interval.value.0, waits.max_interval.value.0), (20.0, 7_000.0));
    // Of another name it stays by itself.
    let other = config(&(service("b.shop") + patch));
    assert_eq!(other.routes.len(), 2);
    let e = effective_route(&other, &other.routes[0], None, EnvoyVersion::NEWEST);
    assert!(e.max_stream_duration.value.0 == 0.0 && other.routes[1].origin.patch.is_some());
}

#[test]
fn a_patch_that_a_rule_has_taken_in_is_no_cluster_for_routes() {
    let text = "apiVersion: networking.istio.io/v1\nkind: DestinationRule\nmetadata: {name: r}\nspec: {host: a, trafficPolicy: {outlierDetection: {interval: 5s}}}\n---\napiVersion: networking.istio.io/v1\nkind: VirtualService\nmetadata: {name: a}\nspec: {hosts: [a], http: [{route: [{destination: {host: a}}]}]}\n---\napiVersion: networking.istio.io/v1alpha3\nkind: EnvoyFilter\nmetadata: {name: f}\nspec: {configPatches: [{applyTo: CLUSTER, match: {cluster: {service: a}}, patch: {operation: MERGE, value: {outlier_detection: {enforcing_success_rate: 100}}}}]}\n";
    let both = config(text);
    assert_eq!((both.clusters.len(), both.pairs.len()), (2, 1));
    assert!(!both.clusters[0].is_merged_patch() && both.clusters[1].is_merged_patch());
    // Without the rule the patch is all there is.
    let (_, rest) = text.split_once("---\n").unwrap();
    let alone = config(rest);
    assert_eq!((alone.clusters.len(), alone.pairs.len()), (1, 1));
    assert!(!alone.clusters[0].is_merged_patch());
}

#[test]
fn envoy_gateway_defaults() {
    let policy = |spec: &str| {
        config(&format!(
            "apiVersion: gateway.envoyproxy.io/v1alpha1\nkind: BackendTrafficPolicy\nmetadata: {{name: p}}\nspec: {{targetRef: {{kind: HTTPRoute, name: h}}, {spec}}}\n"
        ))
    };
    let none = policy("mergeType: x");
    let e = effective_cluster(&none, &none.clusters[0], EnvoyVersion::NEWEST);
    let limits = e.limits(RoutingPriority::Default);
    assert_eq!(limits.max_requests.value, 1024);
    assert!(matches!(&limits.retry_limit, EffectiveRetryLimit::MaxRetries(n) if n.value == 1024));
    assert_eq!((e.max_concurrent_streams.value, e.per_connection_buffer_limit_bytes.value), (100, 32_768));
    let r = effective_route(&none, &none.routes[0], None, EnvoyVersion::NEWEST);
    assert!(r.retry.is_none() && r.timeout.value.0 == 15_000.0);
    assert_eq!(r.body_buffer_limit_bytes.value, 32_768);

    let zero = policy(
        "circuitBreaker: {maxPendingRequests: 0, retryBudget: {percent: {numerator: 1, denominator: 4}}}, retry: {}, timeout: {http: {requestTimeout: 0s}}",
    );
    let e = effective_cluster(&zero, &zero.clusters[0], EnvoyVersion::NEWEST);
    let limits = e.limits(RoutingPriority::Default);
    // Zero is passed through, and 1/4 is 25 %.
    assert_eq!(limits.max_pending_requests.value, 0);
    assert!(
        matches!(&limits.retry_limit, EffectiveRetryLimit::Budget(b) if b.budget_percent.value.0 == 25.0)
    );
    let r = effective_route(&zero, &zero.routes[0], None, EnvoyVersion::NEWEST);
    assert_eq!((r.timeout.value.0, r.idle_timeout.value.0), (0.0, 0.0));
    let retry = r.retry.unwrap();
    assert_eq!((retry.num_retries.value, retry.retriable_status_codes.value), (2, vec![503]));

    let fraction = policy("timeout: {http: {requestTimeout: 0.5s}}");
    assert_eq!(problems(&fraction), [(4, ProblemKind::BadDuration, Effect::Rejected)]);
    let alone = policy("retry: {perRetry: {backOff: {maxInterval: 1s}}}");
    assert_eq!(problems(&alone), [(4, ProblemKind::Missing, Effect::Rejected)]);
}

#[test]
fn routes_and_patches_of_the_gateway_api() {
    let config = config(
        "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: h}\nspec:\n  rules:\n  - matches: [{path: {type: PathPrefix, value: /a}, method: GET}]\n    timeouts: {request: 2s, backendRequest: 500ms}\n    backendRefs: [{name: svc, port: 80, weight: 9}]\n---\napiVersion: gateway.envoyproxy.io/v1alpha1\nkind: EnvoyPatchPolicy\nmetadata: {name: p}\nspec:\n  jsonPatches:\n  - type: type.googleapis.com/envoy.config.cluster.v3.Cluster\n    name: httproute/n/h/rule/0\n    operation: {op: add, path: /circuit_breakers/thresholds/0/max_retries, value: 5}\n",
    );
    assert_eq!(config.problems, []);
    let e = effective_route(&config, &config.routes[0], None, EnvoyVersion::NEWEST);
    assert_eq!((e.timeout.value.0, e.per_try_timeout().map(|t| t.0), e.attempts()), (2000.0, Some(500.0), 1));
    let patched = &config.clusters[0];
    assert_eq!(value(&patched.thresholds[0].max_retries), Some(5));
    assert_eq!(patched.thresholds[0].max_retries.as_ref().unwrap().at.line(), 17);
}

#[test]
fn every_other_program_is_recognized_by_name() {
    for (version, kind, dialect) in [
        ("projectcontour.io/v1", "HTTPProxy", Dialect::Contour),
        ("getambassador.io/v3alpha1", "Mapping", Dialect::Emissary),
        ("consul.hashicorp.com/v1alpha1", "ServiceResolver", Dialect::Consul),
        ("kuma.io/v1alpha1", "MeshTimeout", Dialect::Kuma),
        ("gloo.solo.io/v1", "Upstream", Dialect::Gloo),
        ("cilium.io/v2", "CiliumNetworkPolicy", Dialect::Cilium),
        ("appmesh.k8s.aws/v1beta2", "VirtualNode", Dialect::AppMesh),
        ("linkerd.io/v1alpha2", "ServiceProfile", Dialect::Linkerd),
        ("apps/v1", "Deployment", Dialect::Kubernetes),
    ] {
        let config =
            config(&format!("apiVersion: {version}\nkind: {kind}\nmetadata: {{name: x}}\nspec: {{}}\n"));
        assert_eq!(config.problems, [], "{kind}");
        let said = config.notes.iter().any(|n| n.message.contains(kind));
        let title = config.notes.iter().any(|n| n.message.contains(dialect.title()))
            || dialect == Dialect::Kubernetes;
        assert!(said && title, "{kind}: {:?}", config.notes);
    }
}

#[test]
fn resources_of_envoy_within_cilium_and_lists() {
    let cilium = config(
        "apiVersion: cilium.io/v2\nkind: CiliumEnvoyConfig\nmetadata: {name: c}\nspec: {resources: [{\"@type\": type.googleapis.com/envoy.config.cluster.v3.Cluster, name: a, connect_timeout: 5s}]}\n",
    );
    assert_eq!(cilium.clusters[0].origin.dialect, Dialect::Cilium);
    let list = config(
        "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: {name: r}, spec: {host: a}}\n- {apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: {name: r}, spec: {host: b}}\n",
    );
    assert_eq!(list.clusters.len(), 2);
}

#[test]
fn gloo_and_consul_routes() {
    let gloo = config(
        "apiVersion: gloo.solo.io/v1\nkind: Upstream\nmetadata: {name: u}\nspec: {circuitBreakers: {maxConnections: 5}, connectionConfig: {connectTimeout: 2s}, outlierDetection: {consecutive5xx: 3}}\n---\napiVersion: gateway.solo.io/v1\nkind: VirtualService\nmetadata: {name: v}\nspec: {virtualHost: {routes: [{routeAction: {single: {upstream: {name: u}}}, options: {timeout: 3s, retries: {retryOn: 5xx, numRetries: 2}}}]}}\n",
    );
    assert_eq!(gloo.problems, []);
    assert_eq!(gloo.pairs.len(), 1);
    assert_eq!(value(&gloo.clusters[0].thresholds[0].max_connections), Some(5));
    let consul = config(
        "apiVersion: consul.hashicorp.com/v1alpha1\nkind: ServiceRouter\nmetadata: {name: s}\nspec: {routes: [{destination: {requestTimeout: 4s, numRetries: 3, retryOnStatusCodes: [503], retryOnConnectFailure: true}}]}\n",
    );
    let policy = consul.routes[0].retry_policy.as_ref().unwrap();
    assert!(policy.retries_on("connect-failure") && policy.retries_on("retriable-status-codes"));
}

#[test]
fn budgets_of_a_rate_are_kept_apart() {
    let linkerd = config(
        "apiVersion: linkerd.io/v1alpha2\nkind: ServiceProfile\nmetadata: {name: a}\nspec: {retryBudget: {retryRatio: 0.2, minRetriesPerSecond: 10, ttl: 10s}}\n",
    );
    let budget = linkerd.foreign[0].retry_budget.as_ref().unwrap();
    assert_eq!(budget.ratio.as_ref().map(|r| r.value.0), Some(0.2));
    assert_eq!(budget.minimum.as_ref().map(|m| m.value.0), Some(10.0));
    assert_eq!(value(&budget.window), Some(Millis(10_000.0)));
    assert_eq!((linkerd.clusters.len(), linkerd.routes.len()), (0, 0));
    let gateway = config(
        "apiVersion: gateway.networking.x-k8s.io/v1alpha1\nkind: XBackendTrafficPolicy\nmetadata: {name: a}\nspec: {retryConstraint: {budget: {percent: 25, interval: 10s}, minRetryRate: {count: 50, interval: 5s}}}\n",
    );
    let budget = gateway.foreign[0].retry_budget.as_ref().unwrap();
    assert_eq!(budget.ratio.as_ref().map(|r| r.value.0), Some(0.25));
    assert_eq!(budget.minimum.as_ref().map(|m| m.value.0), Some(10.0));
    assert_eq!(gateway.foreign[0].origin.dialect, Dialect::Kubernetes);
}

#[test]
fn linkerd_s_breaker_is_known_by_its_annotation() {
    let service = |annotation: &str| {
        config(&format!(
            "apiVersion: v1\nkind: Service\nmetadata: {{name: a, annotations: {{{annotation}: x}}}}\nspec: {{}}\n"
        ))
    };
    let with = service("balancer.linkerd.io/failure-accrual");
    assert_eq!(with.foreign[0].breaker.as_ref().map(headroom::engine::read::Place::line), Some(3));
    assert_eq!(service("config.linkerd.io/proxy-log-level").foreign, []);
}

#[test]
fn entries_of_consul_itself_start_large() {
    let config = config(
        "Kind: service-defaults\nName: web\nUpstreamConfig:\n  Defaults:\n    Limits: {MaxConnections: 512, MaxPendingRequests: 64, MaxConcurrentRequests: 5}\n",
    );
    let limits = &config.clusters[0].thresholds[0];
    assert_eq!(
        (value(&limits.max_connections), value(&limits.max_pending_requests), value(&limits.max_requests)),
        (Some(512), Some(64), Some(5))
    );
    assert_eq!(config.clusters[0].name.as_ref().map(|n| n.value.as_str()), Some("web"));
}

#[test]
fn methods_of_app_mesh_limit_a_route() {
    let config = config(
        "apiVersion: appmesh.k8s.aws/v1beta2\nkind: VirtualRouter\nmetadata: {name: o}\nspec: {routes: [{name: o, httpRoute: {match: {prefix: /, method: POST}}}]}\n",
    );
    assert_eq!(config.routes[0].matches.as_ref().map(|m| m.value.methods.join(",")), Some("POST".to_owned()));
}

#[test]
fn a_policy_for_tcp_routes_carries_no_requests() {
    let of = |kind: &str| {
        config(&format!(
            "apiVersion: gateway.envoyproxy.io/v1alpha1\nkind: BackendTrafficPolicy\nmetadata: {{name: a}}\nspec: {{targetRefs: [{{kind: {kind}, name: a}}]}}\n"
        ))
        .clusters[0]
            .carries_tcp
    };
    assert!(of("TCPRoute") && of("TLSRoute"));
    assert!(!of("HTTPRoute") && !of("Gateway"));
}

#[test]
fn conditions_of_kuma_have_three_spellings() {
    let words = |kind: &str, on: &str| {
        let text = format!(
            "type: MeshRetry\nmesh: m\nname: r\nspec: {{to: [{{targetRef: {{kind: Mesh}}, default: {{{kind}: {{numRetries: 2, retryOn: [{on}]}}}}}}]}}\n"
        );
        config(&text).routes[0].retry_policy.as_ref().unwrap().retry_on.as_ref().unwrap().value.join(",")
    };
    assert_eq!(
        words(
            "http",
            "5XX, GatewayError, Reset, Retriable4xx, ConnectFailure, EnvoyRatelimited, RefusedStream, Http3PostConnectFailure, HttpMethodGet"
        ),
        "5xx,gateway-error,reset,retriable-4xx,connect-failure,envoy-ratelimited,refused-stream,http3-post-connect-failure"
    );
    assert_eq!(
        words("http", "5xx, gateway_error, RETRIABLE_4XX, CONNECT_FAILURE"),
        "5xx,gateway-error,retriable-4xx,connect-failure"
    );
    assert_eq!(
        words("grpc", "Canceled, DeadlineExceeded, Internal, ResourceExhausted, Unavailable"),
        "cancelled,deadline-exceeded,internal,resource-exhausted,unavailable"
    );
}

#[test]
fn conditions_of_kuma_hold_codes_and_methods() {
    let config = config(
        "type: MeshRetry\nmesh: m\nname: r\nspec: {to: [{targetRef: {kind: Mesh}, default: {http: {retryOn: [GATEWAY_ERROR, '429', HTTP_METHOD_GET], hostSelection: [{predicate: OmitPreviousHosts}], hostSelectionMaxAttempts: 4}}}]}\n",
    );
    let policy = config.routes[0].retry_policy.as_ref().unwrap();
    assert!(policy.retries_on("gateway-error") && policy.retries_on("retriable-status-codes"));
    assert_eq!(policy.retry_on.as_ref().map(|words| words.value.len()), Some(2));
    assert_eq!(policy.retriable_status_codes.as_ref().map(|c| c.value.clone()), Some(vec![429]));
    assert_eq!(value(&policy.retriable_request_headers), Some(1));
    assert!(policy.avoids_previous_hosts());
    assert_eq!(value(&policy.host_selection_retry_max_attempts), Some(4));
}

#[test]
fn codes_of_envoy_gateway_need_their_trigger() {
    let of = |on: &str| {
        let config = config(&format!(
            "apiVersion: gateway.envoyproxy.io/v1alpha1\nkind: BackendTrafficPolicy\nmetadata: {{name: a}}\nspec: {{targetRefs: [{{kind: HTTPRoute, name: a}}], retry: {{retryOn: {on}}}}}\n"
        ));
        let e = effective_route(&config, &config.routes[0], None, EnvoyVersion::NEWEST);
        let retry = e.retry.unwrap();
        (retry.retry_on.value.len(), retry.retriable_status_codes.value)
    };
    // The five words of the default.
    assert_eq!(of("{httpStatusCodes: [500]}"), (5, vec![500]));
    assert_eq!(of("{triggers: [reset]}"), (1, vec![]));
    assert_eq!(of("{triggers: [reset], httpStatusCodes: [500]}"), (1, vec![500]));
    let route = |retry: &str| {
        let config = config(&format!(
            "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {{name: a}}\nspec: {{rules: [{{retry: {retry}, backendRefs: [{{name: a}}]}}]}}\n"
        ));
        let e = effective_route(&config, &config.routes[0], None, EnvoyVersion::NEWEST);
        let retry = e.retry.unwrap();
        (retry.retry_on.value.len(), retry.retriable_status_codes.value)
    };
    assert_eq!(route("{attempts: 1}"), (5, vec![503]));
    assert_eq!(route("{attempts: 1, codes: [500, 504]}"), (5, vec![500, 504]));
}

#[test]
fn zeros_that_count_as_not_set_are_remembered() {
    let config = rule(
        "{host: a, trafficPolicy: {connectionPool: {tcp: {maxConnections: 0}, http: {maxRetries: 0, http2MaxRequests: 5, maxRequestsPerConnection: 0}}}}",
    );
    let zeros: Vec<&str> =
        config.clusters[0].thresholds[0].unset_zeros.iter().map(|z| z.value.as_str()).collect();
    // A zero of `maxRequestsPerConnection` means what it says.
    assert_eq!(zeros, ["maxConnections", "maxRetries"]);
    assert_eq!(value(&config.clusters[0].thresholds[0].max_connections), None);
    assert_eq!(config.problems, []);
}

#[test]
fn envoy_gateway_names_how_hosts_are_picked() {
    let word = |spec: &str| {
        let read = config(&format!(
            "apiVersion: gateway.envoyproxy.io/v1alpha1\nkind: BackendTrafficPolicy\nmetadata: {{name: a}}\nspec: {{targetRefs: [{{kind: HTTPRoute, name: a}}]{spec}}}\n"
        ));
        read.clusters[0].lb_policy.as_ref().map(|word| word.value.clone())
    };
    for (kind, envoy) in [
        ("RoundRobin", "ROUND_ROBIN"),
        ("LeastRequest", "LEAST_REQUEST"),
        ("Random", "RANDOM"),
        ("ConsistentHash", "MAGLEV"),
    ] {
        assert_eq!(word(&format!(", loadBalancer: {{type: {kind}}}")).as_deref(), Some(envoy));
    }
    assert_eq!(word(""), None);
}
