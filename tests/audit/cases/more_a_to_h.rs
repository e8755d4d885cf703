//! More public cases of the kinds A to H, written after the rules: numbers by hand.
//!
//! Where a source gives no rate or latency, the inputs are chosen so that its numbers come out; a
//! case that is nobody's says "constructed".

use crate::support::Case;

const CASE: Case = Case { id: "", texts: &[], asked: "", expects: &[], never: &["NaN", "inf "], silent: &[] };

// A: default ceilings.

const TCP: &str = "\
static_resources:
  listeners:
  - name: listener_0
    filter_chains:
    - filters:
      - name: envoy.filters.network.tcp_proxy
        typed_config:
          \"@type\": type.googleapis.com/envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy
          stat_prefix: tcp_local_service
          cluster: some_service
  clusters:
  - name: some_service
    connect_timeout: 0.25s
    type: STATIC
    load_assignment:
      cluster_name: some_service
      endpoints:
      - lb_endpoints:
        - endpoint: {address: {socket_address: {address: 192.0.2.196, port_value: 80}}}
        - endpoint: {address: {socket_address: {address: 192.0.2.195, port_value: 80}}}
layered_runtime:
  layers:
  - name: static_layer_0
    static_layer: {envoy: {resource_limits: {listener: {listener_0: {connection_limit: 50000}}}}}
";

#[test]
fn a_listener_s_limit_raises_no_cluster_s() {
    for asked in ["", "envoy_version=1.25", "rps=2000 mean=50 protocol=http1"] {
        Case {
            id: "envoyproxy/envoy#33723",
            texts: &[TCP],
            asked,
            expects: &[("HR319", &["`max_connections` 1,024, a default,", "carries 1,024 connections"])],
            never: &["req/s", "`max_requests`"],
            silent: &["HR301", "HR318"],
        }
        .check();
    }
    Case {
        id: "envoyproxy/envoy#33723; 5,000 clients as 5 a second that stay 1,000 s",
        texts: &[TCP],
        asked: "protocol=grpc_stream rps=5 stream_mean=1000 burst=1 skew=1 slowdown=1 retry_overhead=0 clients=1",
        expects: &[("HR334", &["1,024, a default,", "5,000 connections", "1,024 of 5,000 fit"])],
        silent: &["HR319", "HR301"],
        ..CASE
    }
    .check();
}

#[test]
fn one_limit_of_three_was_raised() {
    const TEXT: &[&str] = &["\
{\"name\": \"checkout\", \"connect_timeout\": \"1s\",
 \"circuit_breakers\": {\"thresholds\": [{
   \"priority\": \"DEFAULT\",
   \"max_connections\": 32768,
 }]}}
"];
    Case {
        id: "envoyproxy/envoy#11908",
        texts: TEXT,
        expects: &[(
            "HR318",
            &["`max_connections` 32,768 is never reached", "`max_requests` is 1,024, a default"],
        )],
        ..CASE
    }
    .check();
    // 10,000 × 0.2 = 2,000; Erlang B of 1,024 slots is 49%.
    Case {
        id: "envoyproxy/envoy#11908, with a load",
        texts: TEXT,
        asked: "protocol=http1 rps=10000 mean=200 burst=1 skew=1 clients=1",
        expects: &[(
            "HR301",
            &["`max_requests` 1,024, a default,", "10,000 req/s × 200 ms", "2,000 in flight", "refuses 49%"],
        )],
        ..CASE
    }
    .check();
}

#[test]
fn a_gateway_of_two_pods_at_the_default() {
    // 3.6 million a minute are 60,000 a second: × 60 ms / 2 = 1,800.
    Case {
        id: "kgateway-dev/kgateway#609; latency and pods chosen",
        texts: &["\
apiVersion: gloo.solo.io/v1
kind: Upstream
metadata: {name: default-app-8080, namespace: gloo-system}
spec: {kube: {serviceName: app, serviceNamespace: default, servicePort: 8080}}
"],
        asked: "protocol=http1 rps=60000 mean=60 clients=2 burst=1 skew=1",
        expects: &[("HR301", &["1,024, a default,", "30,000 req/s × 60 ms", "1,800 in flight"])],
        ..CASE
    }
    .check();
}

#[test]
fn a_policy_for_a_tcp_route_limits_connections() {
    Case {
        id: "constructed: Envoy Gateway, MQTT; 3,600 clients on two proxies",
        texts: &["\
apiVersion: gateway.envoyproxy.io/v1alpha1
kind: BackendTrafficPolicy
metadata: {name: mqtt}
spec:
  targetRefs: [{group: gateway.networking.k8s.io, kind: TCPRoute, name: mqtt}]
  circuitBreaker: {maxParallelRequests: 50000}
"],
        asked: "protocol=grpc_stream rps=4 stream_mean=900 clients=2 burst=1 skew=1",
        expects: &[
            ("HR334", &["1,024, a default,", "1,800 connections", "2 proxies × 1,024 is 2,048 of the 3,600"]),
            ("HR329", &["`max_requests` has no effect"]),
        ],
        silent: &["HR224", "HR225", "HR301", "HR318"],
        ..CASE
    }
    .check();
}

#[test]
fn sockets_at_a_service_that_is_not_in_the_text() {
    Case {
        id: "constructed: Contour, 3,000 sockets on two proxies",
        texts: &["\
apiVersion: projectcontour.io/v1
kind: HTTPProxy
metadata: {name: chat}
spec:
  routes:
  - conditions: [{prefix: /ws}]
    enableWebsockets: true
    timeoutPolicy: {response: infinity, idle: 3600s}
    services: [{name: chat, port: 80}]
"],
        asked: "protocol=grpc_stream rps=2 stream_mean=1500 clients=2 burst=1 skew=1 slowdown=1 retry_overhead=0",
        expects: &[("HR340", &["`max_requests` 1,024, the default,", "1,500 streams", "32% of that is refused"])],
        ..CASE
    }
    .check();
}

// B: queue or reject.

#[test]
fn no_queue_at_all() {
    Case {
        id: "envoyproxy/envoy#20817: one request, 503",
        texts: &["\
static_resources:
  clusters:
  - name: local_service
    type: STRICT_DNS
    circuit_breakers:
      thresholds:
        max_connections: 100
        max_pending_requests: 0
        max_requests: 100
"],
        expects: &[("HR310", &["`max_pending_requests` is 0", "every request is refused"])],
        never: &["unlimited", "counts as not set", "raise `max_connections`"],
        silent: &["HR311", "HR339"],
        ..CASE
    }
    .check();
}

const ONE_EACH: &str = "\
apiVersion: networking.istio.io/v1beta1
kind: DestinationRule
metadata: {name: worker}
spec:
  host: worker.default.svc.cluster.local
  trafficPolicy:
    loadBalancer: {simple: LEAST_REQUEST}
    connectionPool: {http: {http2MaxRequests: 1}}
";

#[test]
fn one_at_a_time_for_each_of_two_pods() {
    Case {
        id: "istio/istio#49108",
        texts: &[ONE_EACH],
        expects: &[(
            "HR316",
            &[
                "`max_requests` 1 refuses",
                "with 1 in flight the next request gets a 503",
                "set `max_connections` to 1",
            ],
        )],
        silent: &["HR310", "HR311"],
        ..CASE
    }
    .check();
    Case {
        id: "istio/istio#49108, what a pod takes",
        texts: &[ONE_EACH],
        asked: "hosts=2 host_concurrency=1",
        expects: &[("HR522", &["all two hosts together", "1 of the 2 that the hosts take, 50%"])],
        never: &["per_host_thresholds"],
        ..CASE
    }
    .check();
}

const HTTPBIN: &str = "\
apiVersion: networking.istio.io/v1
kind: DestinationRule
metadata: {name: httpbin}
spec:
  host: httpbin
  trafficPolicy:
    connectionPool:
      tcp: {maxConnections: 1}
      http: {http1MaxPendingRequests: 1, maxRequestsPerConnection: 1}
";

#[test]
fn the_numbers_of_the_demonstration() {
    Case {
        id: "istio.io, task on circuit breaking",
        texts: &[HTTPBIN],
        expects: &[
            ("HR339", &["hold 2 requests in all", "1 run, 1 wait"]),
            ("HR317", &["throws connections away"]),
        ],
        never: &["36%", "63%"],
        ..CASE
    }
    .check();
    Case {
        id: "istio.io, three callers as 3 a second for a second",
        texts: &[HTTPBIN],
        asked: "protocol=http1 rps=3 mean=1000 clients=1 workers=1 hosts=1 burst=1 skew=1",
        expects: &[(
            "HR313",
            &["`max_connections` 1 is below the 3 requests in flight", "1 run and 1 wait, 2 of 3 at once"],
        )],
        silent: &["HR339"],
        ..CASE
    }
    .check();
}

#[test]
fn a_limit_of_grpc_counts_in_one_proxy() {
    Case {
        id: "istio/istio#38425; 100 slow calls at once",
        texts: &["\
apiVersion: networking.istio.io/v1alpha3
kind: DestinationRule
metadata: {name: example-service-dr}
spec:
  host: example-service
  trafficPolicy:
    connectionPool:
      http: {http1MaxPendingRequests: 5, http2MaxRequests: 5}
      tcp: {maxConnections: 3}
"],
        asked: "protocol=grpc rps=50 mean=2000 clients=1 burst=1 skew=1",
        expects: &[("HR301", &["`max_requests` 5", "100 in flight", "refuses 95%"])],
        // Three connections carry any number of calls.
        silent: &["HR313", "HR316", "HR339"],
        ..CASE
    }
    .check();
}

#[test]
fn an_entry_of_consul_with_large_keys() {
    Case {
        id: "constructed from Consul's reference: 512 and 512, and 5 at once",
        texts: &["\
Kind: service-defaults
Name: web
UpstreamConfig:
  Defaults:
    Limits: {MaxConnections: 512, MaxPendingRequests: 512, MaxConcurrentRequests: 5}
"],
        asked: "protocol=http1 rps=20 mean=500 burst=1 skew=1 clients=1 hosts=1 workers=1",
        expects: &[
            ("HR301", &["`max_requests` 5", "10 in flight", "refuses 56%"]),
            ("HR316", &["5 of 10 in flight are refused at once", "the queue of 512 stays empty"]),
        ],
        ..CASE
    }
    .check();
}

// C: cold start.

#[test]
fn sixteen_may_wait_for_thirty_two_connections() {
    // 300 × 0.08 = 24 reach it while a connection is set up.
    Case {
        id: "istio/istio#35530; rate and set-up chosen",
        texts: &["\
apiVersion: networking.istio.io/v1beta1
kind: DestinationRule
metadata: {name: my-service}
spec:
  host: my-service
  subsets: [{name: v1, labels: {version: v1}}]
  trafficPolicy:
    connectionPool:
      http: {http1MaxPendingRequests: 16}
      tcp: {connectTimeout: 0.100s, maxConnections: 32}
"],
        asked: "protocol=http1 rps=300 mean=40 connect_ms=80 clients=1 burst=1 skew=1",
        expects: &[(
            "HR315",
            &["16 is below the 24", "refuses 8 of 24 in its first 80 ms", "allows 32 does not help"],
        )],
        ..CASE
    }
    .check();
}

#[test]
fn grpc_waits_for_its_first_connection_too() {
    // 4,000 / 2 × 0.04 = 80.
    Case {
        id: "constructed: Envoy Gateway, gRPC",
        texts: &["\
apiVersion: gateway.envoyproxy.io/v1alpha1
kind: BackendTrafficPolicy
metadata: {name: grpc}
spec:
  targetRefs: [{group: gateway.networking.k8s.io, kind: GRPCRoute, name: grpc}]
  circuitBreaker: {maxConnections: 100, maxPendingRequests: 20, maxParallelRequests: 500}
"],
        asked: "protocol=grpc rps=4000 p50=5 p99=20 connect_ms=40 clients=2 burst=1 skew=1",
        expects: &[("HR315", &["20 is below the 80", "refuses 60 of 80 in its first 40 ms"])],
        silent: &["HR301", "HR313"],
        ..CASE
    }
    .check();
}

#[test]
fn a_zero_is_one_here_and_none_there() {
    Case {
        id: "constructed: Envoy Gateway passes a 0 through",
        texts: &["\
apiVersion: gateway.envoyproxy.io/v1alpha1
kind: BackendTrafficPolicy
metadata: {name: a}
spec:
  targetRefs: [{kind: HTTPRoute, name: a}]
  circuitBreaker: {maxPendingRequests: 0, maxConnections: 2048, maxParallelRequests: 2048}
"],
        asked: "protocol=http2 rps=500 mean=20 connect_ms=30 burst=1 skew=1 clients=1",
        expects: &[("HR310", &["every request is refused", "15 arrive in the 30 ms"])],
        silent: &["HR311"],
        ..CASE
    }
    .check();
}

// D: per proxy.

#[test]
fn five_connections_for_thirty_five_hosts() {
    const TEXT: &[&str] = &["\
static_resources:
  clusters:
  - name: web
    connect_timeout: 0.25s
    type: strict_dns
    circuit_breakers:
      thresholds:
      - {priority: DEFAULT, max_connections: 5, max_pending_requests: 1024, max_requests: 100000}
"];
    Case {
        id: "envoyproxy/envoy#5206",
        texts: TEXT,
        asked: "protocol=http1 hosts=35 host_concurrency=5",
        expects: &[
            ("HR522", &["`max_connections` 5", "all 35 hosts together", "5 of the 175 that the hosts take"]),
            ("HR524", &["up to 39 connections", "5 + 35 − 1"]),
        ],
        ..CASE
    }
    .check();
    // 3,000 × 0.09 s: 270 in flight, 5 + 4 × 35 − 1 connections.
    Case {
        id: "envoyproxy/envoy#5206, with a load",
        texts: TEXT,
        asked: "protocol=http1 rps=3000 mean=90 clients=1 hosts=35 workers=4 burst=1 skew=1",
        expects: &[("HR313", &["5 is below the 270 requests in flight", "144 run", "47%"])],
        never: &["raise `max_pending_requests`"],
        ..CASE
    }
    .check();
}

#[test]
fn more_connections_than_the_limit() {
    let of = |asked, expects| {
        Case {
            id: "envoyproxy/envoy#24599; limit and sizes chosen",
            texts: &["\
apiVersion: networking.istio.io/v1alpha3
kind: DestinationRule
metadata: {name: echo}
spec: {host: echo, trafficPolicy: {connectionPool: {tcp: {maxConnections: 40}}}}
"],
            asked,
            expects,
            ..CASE
        }
        .check();
    };
    of(
        "protocol=http1 hosts=6 workers=2",
        &[("HR524", &["40 may be exceeded", "up to 51 connections", "40 + 12 − 1"])],
    );
    of(
        "protocol=http1 hosts=6 workers=16",
        &[("HR524", &["40 cannot hold", "up to 135 connections", "40 + 96 − 1"])],
    );
}

#[test]
fn sixty_hosts_and_twenty_five_proxies() {
    Case {
        id: "envoyproxy/envoy#16639; what a host takes was chosen",
        texts: &["\
clusters:
- name: upstream
  connect_timeout: 1s
  circuit_breakers: {thresholds: [{max_connections: 2400, max_requests: 2400, max_pending_requests: 2400}]}
"],
        asked: "protocol=http1 rps=100000 mean=20 clients=25 hosts=60 workers=30 host_concurrency=500",
        expects: &[
            ("HR312", &["25 proxies put 60,000 in flight", "1,017 instead of 500"]),
            ("HR524", &["30 workers × 60 hosts make 1,800 pools", "up to 4,199 connections"]),
        ],
        ..CASE
    }
    .check();
}

#[test]
fn a_rule_of_thirty_two_limits_three_servers() {
    Case {
        id: "istio/istio#35530: the limits of client and server",
        texts: &["\
apiVersion: networking.istio.io/v1beta1
kind: DestinationRule
metadata: {name: my-service}
spec: {host: my-service, trafficPolicy: {connectionPool: {http: {http1MaxPendingRequests: 16}, tcp: {maxConnections: 32}}}}
"],
        asked: "hosts=3 clients=5 protocol=http1",
        expects: &[("HR523", &["3 × 32 = 96", "not 5 × 32 = 160"])],
        ..CASE
    }
    .check();
}

// E: limits on retries.

#[test]
fn the_default_of_an_annotation_that_is_not_there() {
    // 500 × 0.2 × (0.1 + 0.012) = 11.2; Erlang B of 3 slots is 75%.
    Case {
        id: "projectcontour/contour#3493; the load was chosen",
        texts: &["\
apiVersion: projectcontour.io/v1
kind: HTTPProxy
metadata: {name: shop}
spec:
  routes:
  - services: [{name: shop, port: 80}]
    retryPolicy: {count: 3, perTryTimeout: 2s}
"],
        asked: "rps=1000 mean=100 error_rate=0.2 clients=2 burst=1 skew=1",
        expects: &[(
            "HR340",
            &["`max_retries` 3, the default,", "500 req/s × 20% failing × 112 ms", "11.2 retries"],
        )],
        never: &["1,024"],
        ..CASE
    }
    .check();
}

#[test]
fn all_six_fail_and_half_are_retried() {
    Case {
        id: "envoyproxy/envoy-mobile#811",
        texts: &["\
clusters:
- name: base
  circuit_breakers:
    thresholds:
    - retry_budget: {budget_percent: {value: 100}, min_retry_concurrency: 0}
routes:
- match: {prefix: /}
  route: {cluster: base, retry_policy: {retry_on: \"connect-failure,reset\"}}
"],
        asked: "rps=6 mean=1000 burst=1 skew=1 clients=1 error_rate=0.5",
        expects: &[("HR113", &["when all 6 fail together, 3 are retried"])],
        ..CASE
    }
    .check();
}

#[test]
fn what_a_budget_overrides() {
    // 5% of 2,000 × 0.05; 2,000 × 0.1 × 0.062 = 12.4.
    Case {
        id: "envoyproxy/envoy#30974; the load was chosen",
        texts: &["\
clusters:
- name: my_cluster
  circuit_breakers:
    thresholds:
      max_retries: 50
      retry_budget: {budget_percent: {value: 5.0}}
routes:
- match: {prefix: /}
  route: {cluster: my_cluster, retry_policy: {retry_on: connect-failure, num_retries: 1}}
"],
        asked: "rps=2000 mean=50 error_rate=0.1 burst=1 skew=1 clients=1",
        expects: &[
            ("HR115", &["`max_retries` 50 is ignored", "5% of what is in flight and at least 3"]),
            ("HR110", &["allows 5 at peak", "12.4 retries outstanding"]),
        ],
        ..CASE
    }
    .check();
}

// F: layers.

#[test]
fn layers_that_multiply() {
    Case {
        id: "constructed: Kuma, 6 attempts in two layers",
        texts: &["\
type: MeshRetry
mesh: default
name: all
spec:
  targetRef: {kind: Mesh}
  to:
  - targetRef: {kind: MeshService, name: orders}
    default: {http: {numRetries: 5, perTryTimeout: 2s, retryOn: [5XX, GatewayError]}}
"],
        asked: "retrying_hops=2",
        expects: &[("HR118", &["two layers with 6 attempts", "up to 36 of one request"])],
        never: &["up to 25 of", "gatewayerror"],
        silent: &["HR124"],
    }
    .check();
    Case {
        id: "constructed: Istio, 3 attempts in three layers",
        texts: &["\
apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: {name: orders}
spec:
  hosts: [orders]
  gateways: [mesh, public]
  http: [{route: [{destination: {host: orders}}], retries: {attempts: 2, retryOn: \"5xx,reset\"}}]
"],
        asked: "retrying_hops=3 idempotent=true",
        expects: &[("HR118", &["three layers with 3 attempts", "up to 27 of one request"])],
        ..CASE
    }
    .check();
}

// G: conditions and idempotency.

#[test]
fn a_post_that_reached_the_service() {
    Case {
        id: "istio/istio#13851: ten retries of any 503, as the proxy had them",
        texts: &["\
{\"virtual_hosts\": [{\"name\": \"metrics:80\", \"domains\": [\"metrics\"], \"routes\": [{
  \"match\": {\"prefix\": \"/\"},
  \"route\": {
    \"cluster\": \"outbound|80||metrics\", \"timeout\": \"0s\",
    \"retry_policy\": {
      \"retry_on\": \"connect-failure,refused-stream,unavailable,cancelled,resource-exhausted,retriable-status-codes\",
      \"num_retries\": 10, \"retriable_status_codes\": [503], \"host_selection_retry_max_attempts\": \"3\",
      \"retry_host_predicate\": [{\"name\": \"envoy.retry_host_predicates.previous_hosts\"}]}}}]}]}
"],
        asked: "idempotent=false",
        expects: &[("HR104", &["(503)", "1 + 10 = 11 times"])],
        never: &["10 times"],
        silent: &["HR122", "HR136"],
    }
    .check();
    Case {
        id: "constructed: App Mesh, POST and server-error",
        texts: &["\
apiVersion: appmesh.k8s.aws/v1beta2
kind: VirtualRouter
metadata: {name: orders}
spec:
  routes:
  - name: orders
    httpRoute:
      match: {prefix: /, method: POST}
      action: {weightedTargets: [{virtualNodeRef: {name: orders}, weight: 1}]}
      retryPolicy: {maxRetries: 2, perRetryTimeout: {unit: ms, value: 2000}, httpRetryEvents: [server-error]}
"],
        expects: &[("HR104", &["POST is not safe to repeat", "1 + 2 = 3 times"])],
        ..CASE
    }
    .check();
}

#[test]
fn codes_that_a_timeout_of_envoy_s_own_is_not() {
    Case {
        id: "envoyproxy/envoy#8777",
        texts: &["\
routes:
- match: {prefix: /api}
  route:
    cluster: api
    timeout: 3s
    retry_policy: {retry_on: retriable-status-codes, retriable_status_codes: [504], num_retries: 3, per_try_timeout: 1s}
"],
        expects: &[(
            "HR215",
            &["`retriable-status-codes` does not repeat", "fails with 504 after its first attempt, with 0 retries"],
        )],
        never: &["when each attempt takes its full time, two"],
        ..CASE
    }
    .check();
}

#[test]
fn a_route_s_policy_without_conditions() {
    Case {
        id: "constructed: the route writes only a number, its virtual host the conditions",
        texts: &["\
virtual_hosts:
- name: a
  domains: [\"*\"]
  retry_policy: {retry_on: \"5xx\", num_retries: 2}
  routes:
  - match: {prefix: /}
    route: {cluster: api, retry_policy: {num_retries: 5}}
"],
        expects: &[("HR125", &["0 retries happen where `num_retries` is 5"])],
        never: &["6 times", "3 times"],
        silent: &["HR104", "HR146"],
        ..CASE
    }
    .check();
}

// H: timeouts and retries.

#[test]
fn a_per_try_timeout_below_the_service_s_own_time() {
    let of = |asked| {
        Case {
            id: "istio/istio#13167: answers of 500 ms, 0.2 s per try",
            texts: &["\
apiVersion: networking.istio.io/v1alpha3
kind: VirtualService
metadata: {name: asm-test-http}
spec:
  hosts: [asm-test-http]
  http:
  - route: [{destination: {host: asm-test-http}}]
    retries: {attempts: 1, perTryTimeout: 0.2s, retryOn: 5xx}
"],
            asked,
            expects: &[("HR216", &["`per_try_timeout` 200 ms cuts", "of good attempts"])],
            // In releases of today it acts without a timeout of the route.
            silent: &["HR201", "HR213"],
            ..CASE
        }
        .check();
    };
    of("rps=10 mean=500 p50=490");
    of("mean=500 p50=490");
}

#[test]
fn three_clocks_of_five_seconds() {
    Case {
        id: "uswitch/yggdrasil#27",
        texts: &["\
clusters:
- {name: ingress, connect_timeout: 5s}
routes:
- match: {prefix: /}
  route:
    cluster: ingress
    timeout: 5s
    retry_policy: {retry_on: 5xx, num_retries: 3, per_try_timeout: 5s}
"],
        expects: &[
            ("HR201", &["`per_try_timeout` 5,000 ms is not below `timeout` 5,000 ms", "at most 1,206 ms"]),
            ("HR203", &["`connect_timeout` 5,000 ms leaves no time for a retry"]),
        ],
        never: &["20 s"],
        silent: &["HR213"],
        ..CASE
    }
    .check();
}

#[test]
fn a_wait_that_is_longer_than_the_request() {
    Case {
        id: "envoyproxy/envoy#24316",
        texts: &["\
routes:
- match: {prefix: /}
  route:
    cluster: c
    timeout: 10s
    retry_policy:
      retry_on: retriable-status-codes
      retriable_status_codes: [503]
      rate_limited_retry_back_off: {max_interval: 300s, reset_headers: [{format: SECONDS, name: Retry-After}]}
"],
        expects: &[("HR149", &["`max_interval` 300 s", "up to 450 s", "`timeout` is 10 s"])],
        silent: &["HR131"],
        ..CASE
    }
    .check();
}

#[test]
fn attempts_in_the_words_of_five_programs() {
    let of = |id, texts, expects| {
        Case { id, texts, expects, silent: &["HR215"], ..CASE }.check();
    };
    // 6 × 2 + 0.1 + 0.2 + 0.4 + 0.8 + 1.6
    of(
        "gateway.envoyproxy.io, task on retries, with 2 s and 10 s",
        &[
            "apiVersion: gateway.envoyproxy.io/v1alpha1\nkind: BackendTrafficPolicy\nmetadata: {name: a}\nspec:\n  targetRefs: [{kind: HTTPRoute, name: a}]\n  timeout: {http: {requestTimeout: 10s}}\n  retry: {numRetries: 5, perRetry: {timeout: 2s, backOff: {baseInterval: 100ms, maxInterval: 10s}}, retryOn: {triggers: [gateway-error]}}\n",
        ],
        &[("HR213", &["6 attempts", "need 15.1 s, more than `timeout` 10 s", "17.7 s"])],
    );
    of(
        "constructed: Contour",
        &[
            "apiVersion: projectcontour.io/v1\nkind: HTTPProxy\nmetadata: {name: a}\nspec:\n  routes:\n  - services: [{name: a, port: 80}]\n    timeoutPolicy: {response: 3s}\n    retryPolicy: {count: 3, perTryTimeout: 1s, retryOn: [gateway-error]}\n",
        ],
        &[("HR213", &["need 4,175 ms, more than `timeout` 3,000 ms"])],
    );
    // Emissary's timeout is 3 s where none is written.
    of(
        "constructed: Emissary",
        &[
            "apiVersion: getambassador.io/v3alpha1\nkind: Mapping\nmetadata: {name: q}\nspec: {prefix: /q/, service: q, retry_policy: {retry_on: 5xx, num_retries: 5, per_try_timeout: 1s}}\n",
        ],
        &[("HR213", &["need 6,625 ms, more than `timeout` 3,000 ms, Emissary's default"])],
    );
    of(
        "constructed: App Mesh, 5 × 2 + 0.375",
        &[
            "apiVersion: appmesh.k8s.aws/v1beta2\nkind: VirtualRouter\nmetadata: {name: o}\nspec: {routes: [{name: o, httpRoute: {match: {prefix: /}, action: {weightedTargets: [{virtualNodeRef: {name: o}, weight: 1}]}, timeout: {perRequest: {unit: s, value: 5}}, retryPolicy: {maxRetries: 4, perRetryTimeout: {unit: s, value: 2}, httpRetryEvents: [gateway-error]}}}]}\n",
        ],
        &[("HR213", &["need 10.4 s, more than `timeout` 5,000 ms"])],
    );
    of(
        "constructed: Kuma, two policies",
        &[
            "type: MeshTimeout\nname: t\nmesh: default\nspec: {to: [{targetRef: {kind: MeshService, name: api}, default: {http: {requestTimeout: 3s}}}]}\n---\ntype: MeshRetry\nname: r\nmesh: default\nspec: {to: [{targetRef: {kind: MeshService, name: api}, default: {http: {numRetries: 3, perTryTimeout: 1s, retryOn: [GatewayError]}}}]}\n",
        ],
        &[("HR213", &["need 4,175 ms, more than `timeout` 3,000 ms"])],
    );
}
