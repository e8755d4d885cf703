//! Envoy's own shapes: resources, dumps, listeners, fragments, runtime.

use crate::support::{cluster_with, config, problems};
use headroom::engine::read::config::{
    Configuration, Discovery, Effect, PolicyScope, ProblemKind, ResourceState, RouteKind, RoutingPriority,
    UpstreamProtocol,
};
use headroom::engine::read::effective::{EffectiveRetryLimit, From, effective_cluster, effective_route};
use headroom::engine::read::value;
use headroom::engine::scenario::{EnvoyVersion, Protocol};
use headroom::engine::units::Millis;

fn names(config: &Configuration) -> Vec<&str> {
    config.clusters.iter().filter_map(|c| c.name.as_ref().map(|n| n.value.as_str())).collect()
}

#[test]
fn every_wrapping_of_a_cluster_is_found() {
    const BODY: &str = "name: a, connect_timeout: 1s";
    for text in [
        format!("{{{BODY}}}"),
        format!("- {{{BODY}}}"),
        format!("clusters: [{{{BODY}}}]"),
        format!("static_resources: {{clusters: [{{{BODY}}}]}}"),
        format!("staticResources: {{clusters: [{{{BODY}}}]}}"),
        format!("resources: [{{\"@type\": type.googleapis.com/envoy.config.cluster.v3.Cluster, {BODY}}}]"),
        format!(
            "\"@type\": type.googleapis.com/envoy.config.cluster.v3.Cluster\n{}",
            BODY.replace(", ", "\n")
        ),
        format!(
            "configs: [{{\"@type\": x/envoy.admin.v3.ClustersConfigDump, dynamic_active_clusters: [{{cluster: {{{BODY}}}}}]}}]"
        ),
        format!(
            "configs: [{{\"@type\": x/envoy.admin.v3.ClustersConfigDump.DynamicCluster, cluster: {{{BODY}}}}}]"
        ),
        format!("dynamic_active_clusters: [{{cluster: {{{BODY}}}}}]"),
        format!("my-chart: {{envoy: {{clusters: [{{{BODY}}}]}}}}"),
        format!(
            "resources: [{{\"@type\": x/envoy.service.discovery.v3.Resource, resource: {{\"@type\": x/envoy.config.cluster.v3.Cluster, {BODY}}}}}]"
        ),
        "{\"name\": \"a\", \"connectTimeout\": \"1s\"}".to_owned(),
        "a: 1\n---\nname: a\nconnect_timeout: 1s\n".to_owned(),
    ] {
        let config = config(&text);
        assert_eq!(names(&config), ["a"], "{text}");
        assert_eq!(value(&config.clusters[0].connect_timeout), Some(Millis(1000.0)), "{text}");
    }
}

#[test]
fn a_cluster_with_nothing_but_a_name_is_one_too() {
    for text in [
        "static_resources: {clusters: [{name: a}]}",
        "static_resources: {clusters: [{name: a}, {name: b, type: STRICT_DNS}]}",
        "clusters: [{name: a}, {name: b, type: STRICT_DNS}]",
        "clusters: [{name: b, type: STRICT_DNS}, {name: a}]",
    ] {
        let config = config(text);
        assert_eq!(config.clusters.len(), text.matches("name:").count(), "{text}");
        assert!(names(&config).contains(&"a"), "{text}");
    }
    // Elsewhere a name is not enough: other programs have lists of that name too.
    assert!(config("clusters: [{name: a}, {name: b, region: x}]").clusters.is_empty());
}

#[test]
fn parts_of_a_cluster_are_read_without_a_name() {
    for text in [
        "circuit_breakers: {thresholds: [{max_requests: 7}]}",
        "thresholds: [{max_requests: 7}]",
        "thresholds: {maxRequests: 7}",
    ] {
        let config = config(text);
        assert_eq!(value(&config.clusters[0].thresholds[0].max_requests), Some(7), "{text}");
        assert_eq!(config.clusters[0].name, None);
    }
    for (text, timeout) in [
        ("connect_timeout: 1s", 1000.0),
        ("typed_extension_protocol_options: {}\nconnect_timeout: 1s", 1000.0),
    ] {
        assert_eq!(value(&config(text).clusters[0].connect_timeout), Some(Millis(timeout)), "{text}");
    }
    assert_eq!(
        value(&config("stream_idle_timeout: 9s").managers[0].stream_idle_timeout),
        Some(Millis(9000.0))
    );
    let host =
        config("name: v\nretry_policy: {retry_on: 5xx}\nroutes: [{match: {prefix: /}, route: {cluster: a}}]");
    assert_eq!(host.routes[0].retry_policy.as_ref().map(|p| p.scope), Some(PolicyScope::VirtualHost));
    let outlier = config("consecutive_5xx: 3\nbase_ejection_time: 30s\n");
    assert_eq!(value(&outlier.clusters[0].outlier_detection.as_ref().unwrap().consecutive_5xx), Some(3));
    let retry = config("retry_on: 5xx\nnum_retries: 2\n");
    assert_eq!(value(&retry.routes[0].retry_policy.as_ref().unwrap().num_retries), Some(2));
    let action = config("cluster: a\ntimeout: 3s\n");
    assert_eq!(value(&action.routes[0].timeout), Some(Millis(3000.0)));
}

#[test]
fn all_of_a_cluster() {
    let config = config(
        r#"
name: shop
type: STATIC
connect_timeout: 1s
preconnect_policy: {per_upstream_preconnect_ratio: 1.1}
common_lb_config:
  healthy_panic_threshold: {value: 40}
  update_merge_window: 0s
  zone_aware_lb_config: {fail_traffic_on_panic: true}
circuit_breakers:
  thresholds:
  - {priority: DEFAULT, max_connection_pools: 9, retry_budget: {budget_percent: {value: 20.0}, budget_interval: 10s}}
  per_host_thresholds: [{max_connections: 40}]
outlier_detection: {max_ejection_time: 60s, always_eject_one_host: true, detect_degraded_hosts: true}
typed_extension_protocol_options:
  envoy.extensions.upstreams.http.v3.HttpProtocolOptions:
    "@type": type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions
    common_http_protocol_options: {idle_timeout: 60s, max_requests_per_connection: 1000, max_stream_duration: 9s}
    explicit_http_config: {http2_protocol_options: {max_concurrent_streams: 100, connection_keepalive: {interval: 30s, timeout: 5s}}}
    retry_policy: {retry_on: 5xx, num_retries: 4}
    outlier_detection: {error_matcher: {or_match: {}}}
load_assignment:
  cluster_name: shop
  endpoints:
  - lb_endpoints:
    - endpoint: {address: {socket_address: {address: 127.0.0.1, port_value: 8080}}}
    - endpoint: {address: {socket_address: {address: "::1", port_value: 8080}}}
"#,
    );
    assert_eq!(config.problems, []);
    let c = &config.clusters[0];
    assert_eq!(value(&c.discovery), Some(Discovery::Static));
    assert_eq!(c.hosts(), Some(2));
    assert_eq!(value(&c.protocol), Some(UpstreamProtocol::Http2));
    let facts = c.facts();
    assert_eq!(
        (facts.name.as_deref(), facts.hosts, facts.protocol),
        (Some("shop"), Some(2), Some(Protocol::Http2))
    );
    assert_eq!(value(&c.max_concurrent_streams), Some(100));
    assert_eq!(value(&c.keepalive_timeout), Some(Millis(5000.0)));
    assert_eq!(value(&c.idle_timeout), Some(Millis(60_000.0)));
    assert_eq!(value(&c.max_stream_duration), Some(Millis(9000.0)));
    assert_eq!(value(&c.max_requests_per_connection), Some(1000));
    assert_eq!(value(&c.fail_traffic_on_panic), Some(true));
    assert_eq!(value(&c.update_merge_window), Some(Millis(0.0)));
    assert_eq!(value(&c.preconnect_policy.as_ref().unwrap().per_upstream_preconnect_ratio), Some(1.1));
    assert_eq!(value(&c.per_host_thresholds[0].max_connections), Some(40));
    let outlier = c.outlier_detection.as_ref().unwrap();
    assert_eq!(value(&outlier.max_ejection_time), Some(Millis(60_000.0)));
    assert!(outlier.error_matcher.is_some());
    let policy = c.retry_policy.as_ref().unwrap();
    assert_eq!((policy.scope, value(&policy.num_retries)), (PolicyScope::Cluster, Some(4)));
    let in_force = effective_cluster(&config, c, EnvoyVersion::NEWEST);
    let limits = in_force.limits(RoutingPriority::Default);
    assert_eq!(
        (limits.max_connection_pools.value, limits.max_connections_per_host.value),
        (Some(9), Some(40))
    );
    assert!(
        matches!(&limits.retry_limit, EffectiveRetryLimit::Budget(b) if b.budget_interval.value.0 == 10_000.0 && b.min_retry_concurrency.is_default())
    );
}

#[test]
fn one_limit_in_two_places_is_refused() {
    let text =
        "max_requests_per_connection: 2\ncommon_http_protocol_options: {max_requests_per_connection: 1}";
    let refused: Vec<ProblemKind> =
        problems(&cluster_with(text)).into_iter().filter(|p| p.2 == Effect::Rejected).map(|p| p.1).collect();
    assert_eq!(refused, [ProblemKind::Conflict]);
    assert_eq!(value(&cluster_with(text).clusters[0].max_requests_per_connection), Some(1));
}

#[test]
fn what_envoy_refuses_is_said() {
    use ProblemKind::{Conflict, Missing, OutOfRange};
    let typed = |body: &str| {
        format!(
            "type: STATIC\ntyped_extension_protocol_options: {{envoy.extensions.upstreams.http.v3.HttpProtocolOptions: {{\"@type\": x/envoy.extensions.upstreams.http.v3.HttpProtocolOptions, {body}}}}}"
        )
    };
    let rows = [
        ("outlier_detection: {interval: 0s}".to_owned(), OutOfRange),
        ("outlier_detection: {max_ejection_percent: 101}".to_owned(), OutOfRange),
        ("outlier_detection: {max_ejection_time: 10s}".to_owned(), OutOfRange),
        ("outlier_detection: {base_ejection_time: 60s, max_ejection_time: 59s}".to_owned(), OutOfRange),
        ("type: STATIC\npreconnect_policy: {predictive_preconnect_ratio: 3.5}".to_owned(), OutOfRange),
        (typed(""), Missing),
        (typed("explicit_http_config: {}"), Missing),
        (typed("auto_config: {}, use_downstream_protocol_config: {}"), Conflict),
        (typed("explicit_http_config: {http2_protocol_options: {max_concurrent_streams: 0}}"), OutOfRange),
        (
            "circuit_breakers: {per_host_thresholds: [{max_requests: 4}]}".to_owned(),
            ProblemKind::MisplacedField { belongs: "thresholds".to_owned() },
        ),
        (
            "circuit_breakers: {thresholds: [{max_reqests: 4}]}".to_owned(),
            ProblemKind::UnknownField { nearest: Some("max_requests".to_owned()) },
        ),
        (
            "outlierDetection: {consecutiveGatewayFailures: 4}".to_owned(),
            ProblemKind::UnknownField { nearest: Some("consecutiveGatewayFailure".to_owned()) },
        ),
        ("circuit_breakers: [1]".to_owned(), ProblemKind::WrongShape),
    ];
    for (text, kind) in rows {
        let found = problems(&cluster_with(&text));
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        assert_eq!((found[0].1.clone(), found[0].2), (kind, Effect::Rejected), "{text}");
    }
    let policy =
        |body: &str| config(&format!("match: {{prefix: /}}\nroute: {{cluster: a, retry_policy: {body}}}"));
    for (body, kind) in [
        ("{retry_back_off: {max_interval: 1s}}", Missing),
        ("{retry_back_off: {base_interval: 1s, max_interval: 0.5s}}", OutOfRange),
        ("{retry_back_off: {base_interval: 0s}}", OutOfRange),
        ("{rate_limited_retry_back_off: {}}", Missing),
    ] {
        let found = problems(&policy(body));
        assert_eq!(found.len(), 1, "{body}: {found:?}");
        assert_eq!(found[0].1, kind, "{body}");
    }
    assert_eq!(policy("{host_selection_retry_max_attempts: -1}").problems, []);
}

#[test]
fn deprecated_options_work_unless_the_typed_ones_are_there() {
    let old = "http2_protocol_options: {max_concurrent_streams: 7}\ncommon_http_protocol_options: {idle_timeout: 9s}\n";
    let config = cluster_with(old);
    assert_eq!(value(&config.clusters[0].protocol), Some(UpstreamProtocol::Http2));
    assert_eq!(value(&config.clusters[0].max_concurrent_streams), Some(7));
    assert_eq!(value(&config.clusters[0].idle_timeout), Some(Millis(9000.0)));
    assert_eq!(config.problems.iter().filter(|p| p.kind == ProblemKind::Deprecated).count(), 2);
    let both = cluster_with(&format!(
        "{old}typed_extension_protocol_options: {{envoy.extensions.upstreams.http.v3.HttpProtocolOptions: {{explicit_http_config: {{http_protocol_options: {{}}}}}}}}"
    ));
    assert_eq!(value(&both.clusters[0].protocol), Some(UpstreamProtocol::Http1));
    assert_eq!(value(&both.clusters[0].idle_timeout), None);
    assert_eq!(both.problems.iter().filter(|p| p.kind == ProblemKind::NoEffect).count(), 2);
}

const BOOTSTRAP: &str = r#"
static_resources:
  listeners:
  - name: in
    per_connection_buffer_limit_bytes: 65536
    filter_chains:
    - filters:
      - name: envoy.filters.network.http_connection_manager
        typed_config:
          "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
          stat_prefix: in
          stream_idle_timeout: 30s
          request_timeout: 10s
          common_http_protocol_options: {idle_timeout: 1800s, max_stream_duration: 60s}
          rds: {route_config_name: main, config_source: {ads: {}}}
          upgrade_configs: [{upgrade_type: websocket}]
          http_filters:
          - name: router
            typed_config:
              "@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router
              respect_expected_rq_timeout: true
    - filters:
      - name: tcp
        typed_config: {"@type": type.googleapis.com/envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy, stat_prefix: t, cluster: kafka}
  clusters:
  - {name: kafka, connect_timeout: 1s}
  - {name: shop, connect_timeout: 1s}
layered_runtime:
  layers:
  - name: one
    static_layer: {circuit_breakers.shop.default.max_requests: 5, circuit_breakers: {shop.high: {max_retries: 7}}}
  - name: two
    static_layer: {circuit_breakers.shop.default.max_requests: 6, circuit_breakers.shop.normal.max_requests: 1}
"#;

#[test]
fn managers_proxies_and_runtime_of_a_bootstrap() {
    let routes = "name: main\nvirtual_hosts:\n- name: v\n  domains: ['*']\n  routes:\n  - match: {prefix: /}\n    route: {cluster: shop}\n";
    let config = config(&format!("{BOOTSTRAP}---\n{routes}"));
    let manager = &config.managers[0];
    assert_eq!(value(&manager.stream_idle_timeout), Some(Millis(30_000.0)));
    assert_eq!(value(&manager.request_timeout), Some(Millis(10_000.0)));
    assert_eq!(value(&manager.respect_expected_rq_timeout), Some(true));
    assert_eq!(manager.upgrades[0].value, "websocket");
    assert_eq!(config.routes[0].kind, RouteKind::Tcp);
    assert!(config.clusters[0].carries_tcp && !config.clusters[1].carries_tcp);
    // The route of another document belongs to the manager by name, and gets its timeouts.
    let route = &config.routes[1];
    assert_eq!(route.manager, Some(0));
    let in_force = effective_route(&config, route, Some(&config.clusters[1]), EnvoyVersion::NEWEST);
    assert_eq!(in_force.idle_timeout.value, Millis(30_000.0));
    assert_eq!(in_force.max_stream_duration.value, Millis(60_000.0));
    assert_eq!(in_force.body_buffer_limit_bytes.value, 65_536);
    assert!(in_force.timeout.is_default() && in_force.timeout.value.0 == 15_000.0);
    // Runtime: the later layer wins, nested keys count, a key for no priority is reported.
    let limits = effective_cluster(&config, &config.clusters[1], EnvoyVersion::NEWEST);
    let requests = &limits.limits(RoutingPriority::Default).max_requests;
    assert!(requests.value == 6 && matches!(requests.from, From::Runtime(_)));
    let high = &limits.limits(RoutingPriority::High).retry_limit;
    assert!(matches!(high, EffectiveRetryLimit::MaxRetries(n) if n.value == 7));
    assert_eq!(problems(&config), [(33, ProblemKind::UnknownField { nearest: None }, Effect::Ignored)]);
}

#[test]
fn a_dump_repeats_nothing() {
    let listener = r#"{"name": "in", "filter_chains": [{"filters": [{"name": "hcm", "typed_config": {
        "@type": "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager",
        "stat_prefix": "in", "route_config": {"name": "inline", "virtual_hosts": [{"name": "v", "domains": ["*"],
        "routes": [{"match": {"prefix": "/"}, "route": {"cluster": "a"}}]}]}}}]}]}"#;
    let route_config = r#"{"name": "inline", "virtual_hosts": [{"name": "v", "domains": ["*"],
        "routes": [{"match": {"prefix": "/"}, "route": {"cluster": "a"}}]}]}"#;
    let cluster = r#"{"name": "a", "type": "STATIC", "connect_timeout": "1s"}"#;
    let text = format!(
        r#"{{"configs": [
        {{"@type": "x/envoy.admin.v3.BootstrapConfigDump", "bootstrap": {{"static_resources": {{"clusters": [{cluster}], "listeners": [{listener}]}}}}}},
        {{"@type": "x/envoy.admin.v3.ClustersConfigDump", "static_clusters": [{{"cluster": {cluster}}}]}},
        {{"@type": "x/envoy.admin.v3.ListenersConfigDump", "static_listeners": [{{"listener": {listener}}}]}},
        {{"@type": "x/envoy.admin.v3.RoutesConfigDump", "static_route_configs": [{{"route_config": {route_config}}}]}},
        {{"@type": "x/envoy.admin.v3.EndpointsConfigDump", "static_endpoint_configs": [{{"endpoint_config": {{"cluster_name": "a",
          "endpoints": [{{"lb_endpoints": [{{"endpoint": {{"address": {{"socket_address": {{"address": "10.0.0.1", "port_value": 1}}}}}}}}]}}]}}}}]}}
        ]}}"#
    );
    let config = config(&text);
    assert_eq!((config.clusters.len(), config.routes.len(), config.managers.len()), (1, 1, 1));
    assert_eq!(config.clusters[0].hosts(), Some(1));
    assert_eq!(config.clusters[0].origin.state, ResourceState::Static);
    assert_eq!(config.routes[0].manager, Some(0));
    assert_eq!(config.problems, []);
}

#[test]
fn weighted_clusters_and_mirrors() {
    let config = config(
        "match: {path: /x, headers: [{name: ':method', string_match: {exact: GET}}]}\nroute:\n  weighted_clusters: {clusters: [{name: a, weight: 90}, {name: b, weight: '10'}]}\n  request_mirror_policies: [{cluster: c}]\n",
    );
    let route = &config.routes[0];
    let targets: Vec<_> =
        route.targets.iter().map(|t| (t.cluster.value.as_str(), value(&t.weight))).collect();
    assert_eq!(targets, [("a", Some(90)), ("b", Some(10))]);
    assert_eq!(route.mirrors[0].value, "c");
    assert_eq!(route.matches.as_ref().unwrap().value.methods, ["GET"]);
}

#[test]
fn the_policy_of_a_cluster_beats_that_of_the_route_from_1_37_on() {
    let text = "clusters:\n- name: a\n  type: STATIC\n  typed_extension_protocol_options: {envoy.extensions.upstreams.http.v3.HttpProtocolOptions: {'@type': x/envoy.extensions.upstreams.http.v3.HttpProtocolOptions, explicit_http_config: {http_protocol_options: {}}, retry_policy: {retry_on: 5xx, num_retries: 2}}}\nroutes:\n- match: {prefix: /}\n  route: {cluster: a, retry_policy: {retry_on: 5xx, num_retries: 1}}\n";
    let config = config(text);
    let attempts = |minor| {
        effective_route(&config, &config.routes[0], Some(&config.clusters[0]), EnvoyVersion::minor(minor))
            .attempts()
    };
    assert_eq!((attempts(36), attempts(37)), (2, 3));
}

#[test]
fn defaults_follow_the_version() {
    let config = cluster_with("type: STATIC");
    let streams = |minor| {
        effective_cluster(&config, &config.clusters[0], EnvoyVersion::minor(minor))
            .max_concurrent_streams
            .value
    };
    assert_eq!((streams(35), streams(36)), (2_147_483_647, 1024));
}

#[test]
fn files_of_a_config_map_keep_their_places() {
    let text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: e}\ndata:\n  envoy.yaml: |\n    static_resources:\n      clusters:\n      - name: a\n        connect_timeout: 2s\n        circuit_breakers: {thresholds: [{max_reqests: 1}]}\n";
    let config = config(text);
    let timeout = config.clusters[0].connect_timeout.as_ref().unwrap();
    assert_eq!((timeout.value, timeout.at.line(), timeout.at.column()), (Millis(2000.0), 9, 9));
    assert_eq!(&text[timeout.at.span.start as usize..timeout.at.span.end as usize], "2s");
    assert_eq!(config.problems[0].at.line(), 10);
}

#[test]
fn a_block_of_stream_durations_switches_the_route_timeout_off() {
    let timeout = |durations: &str| {
        let config = config(&format!(
            "match: {{prefix: /}}\nroute: {{cluster: a, timeout: 1s{durations}, retry_policy: {{retry_on: 5xx, per_try_timeout: 2s}}}}\n"
        ));
        let e = effective_route(&config, &config.routes[0], None, EnvoyVersion::NEWEST);
        (e.timeout.value.0, e.max_stream_duration.value.0, e.per_try_timeout().map(|t| t.0))
    };
    assert_eq!(timeout(""), (1000.0, 0.0, None));
    // Measured: without a route timeout a longer per-try timeout acts.
    assert_eq!(timeout(", max_stream_duration: {}"), (0.0, 0.0, Some(2000.0)));
    assert_eq!(timeout(", max_stream_duration: {max_stream_duration: 3s}"), (0.0, 3000.0, Some(2000.0)));
    assert_eq!(timeout(", max_stream_duration: {grpc_timeout_header_max: 3s}"), (0.0, 0.0, Some(2000.0)));
}

#[test]
fn a_route_keeps_the_policy_that_its_own_replaces() {
    let config = config(
        "virtual_hosts:\n- name: v\n  domains: ['*']\n  retry_policy: {retry_on: reset}\n  routes:\n  - match: {prefix: /a}\n    route: {cluster: c, retry_policy: {num_retries: 3}}\n  - match: {prefix: /b}\n    route: {cluster: c}\n",
    );
    let [own, inherits] = &config.routes[..] else { panic!("two routes") };
    assert!(own.replaced_retry_policy.as_ref().is_some_and(|p| p.retries_on("reset")));
    assert!(inherits.replaced_retry_policy.is_none());
    assert!(inherits.retry_policy.as_ref().is_some_and(|p| p.retries_on("reset")));
}

#[test]
fn clusters_that_subscriptions_go_through_are_marked() {
    let marked = |source: &str| {
        let config = config(&format!(
            "dynamic_resources: {{{source}}}\nstatic_resources: {{clusters: [{{name: a, connect_timeout: 1s}}, {{name: b, connect_timeout: 1s}}]}}\n"
        ));
        config.clusters.iter().map(|c| c.carries_subscriptions).collect::<Vec<_>>()
    };
    let of = |kind: &str| {
        format!(
            "cds_config: {{api_config_source: {{api_type: {kind}, grpc_services: [{{envoy_grpc: {{cluster_name: b}}}}]}}}}"
        )
    };
    assert_eq!(marked(&of("GRPC")), [false, true]);
    assert_eq!(marked(&of("DELTA_GRPC")), [false, true]);
    assert_eq!(
        marked("lds_config: {api_config_source: {api_type: GRPC, cluster_names: [a]}}"),
        [true, false]
    );
    // One aggregated stream, and no stream at all.
    assert_eq!(marked(&of("AGGREGATED_GRPC")), [false, false]);
    assert_eq!(marked("lds_config: {ads: {}}"), [false, false]);
}

#[test]
fn a_fragment_without_a_name_leaves_the_protocol_open() {
    let protocol = |text: &str| config(text).clusters[0].facts().protocol;
    assert_eq!(protocol("{name: a, connect_timeout: 1s}"), Some(Protocol::Http1));
    assert_eq!(protocol("thresholds: [{max_requests: 9}]"), None);
}
