//! A small text for each rule, with the inputs under which it fires: examples of the page of all
//! rules, and proof that no rule sleeps.

/// Code, inputs, text.
pub const TEXTS: &[(&str, &str, &str)] = &[
    (
        "HR101",
        "",
        "\
clusters:
- name: shop
  connect_timeout: 1s
routes:
- match: {prefix: /}
  route:
    cluster: shop
    retry_policy: {retry_on: connect-failure, num_retries: 2}
",
    ),
    (
        "HR102",
        "",
        "\
clusters:
- name: shop
  circuit_breakers: {thresholds: [{max_retries: 3}]}
routes:
- match: {prefix: /}
  route:
    cluster: shop
    retry_policy: {retry_on: 5xx, num_retries: 3}
",
    ),
    (
        "HR103",
        "",
        "\
apiVersion: gateway.envoyproxy.io/v1alpha1
kind: BackendTrafficPolicy
metadata: {name: a}
spec: {targetRefs: [{kind: HTTPRoute, name: a}], retry: {numRetries: 4}}
",
    ),
    (
        "HR104",
        "",
        "\
match: {prefix: /}
route:
  cluster: shop
  timeout: 3s
  retry_policy: {retry_on: reset, num_retries: 1}
",
    ),
    (
        "HR110",
        "rps=2000 mean=48 burst=1 skew=1 clients=1 error_rate=0.1",
        "\
clusters:
- name: shop
  circuit_breakers: {thresholds: [{max_retries: 23}]}
routes:
- match: {prefix: /}
  route:
    cluster: shop
    retry_policy: {retry_on: connect-failure, num_retries: 2}
",
    ),
    (
        "HR111",
        "",
        "\
clusters:
- name: shop
  circuit_breakers: {thresholds: [{max_retries: 0}]}
routes:
- match: {prefix: /}
  route:
    cluster: shop
    retry_policy: {retry_on: connect-failure, num_retries: 2}
",
    ),
    (
        "HR112",
        "",
        "\
name: shop
circuit_breakers:
  thresholds:
  - max_retries: 4294967295
",
    ),
    (
        "HR113",
        "",
        "\
name: shop
circuit_breakers:
  thresholds:
  - retry_budget:
      budget_percent: {value: 20}
      min_retry_concurrency: 0
",
    ),
    (
        "HR114",
        "rps=400 mean=100 burst=1 skew=1 clients=10 error_rate=0.1",
        "\
name: shop
circuit_breakers:
  thresholds:
  - retry_budget: {min_retry_concurrency: 2}
",
    ),
    (
        "HR115",
        "",
        "\
name: shop
circuit_breakers:
  thresholds:
  - {max_retries: 12, retry_budget: {}}
",
    ),
    (
        "HR116",
        "",
        "\
clusters:
- name: shop
  circuit_breakers: {thresholds: [{retry_budget: {budget_percent: {value: 60}}}]}
routes:
- match: {prefix: /}
  route:
    cluster: shop
    retry_policy: {retry_on: 5xx, num_retries: 3}
",
    ),
    (
        "HR117",
        "",
        "\
name: shop
circuit_breakers:
  thresholds:
  - {track_remaining: true, retry_budget: {}}
",
    ),
    (
        "HR118",
        "retrying_hops=2",
        "\
clusters:
- name: shop
  circuit_breakers: {thresholds: [{}]}
routes:
- match: {prefix: /}
  route:
    cluster: shop
    retry_policy: {retry_on: 5xx, num_retries: 3}
",
    ),
    (
        "HR119",
        "rps=1000 mean=100 burst=1 skew=1 clients=1",
        "\
clusters:
- name: shop
  circuit_breakers: {thresholds: [{max_requests: 200, max_retries: 1000}]}
routes:
- match: {prefix: /}
  route:
    cluster: shop
    retry_policy: {retry_on: 5xx, num_retries: 2}
",
    ),
    (
        "HR120",
        "idempotent=true",
        "\
match: {prefix: /}
route:
  cluster: shop
  retry_policy: {retry_on: \"5xx,gateway-error,reset\", num_retries: 3}
",
    ),
    (
        "HR121",
        "idempotent=false",
        "\
apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: {name: a}
spec:
  hosts: [a]
  http:
  -
    route: [{destination: {host: a}}]
",
    ),
    (
        "HR122",
        "",
        "\
match: {prefix: /}
route:
  cluster: shop
  retry_policy: {num_retries: 2, retriable_status_codes: [503]}
",
    ),
    (
        "HR123",
        "",
        "\
match: {prefix: /}
route:
  cluster: shop
  retry_policy: {retry_on: retriable-status-codes, retriable_status_codes: [399]}
",
    ),
    (
        "HR124",
        "",
        "\
match: {prefix: /}
route:
  cluster: shop
  retry_policy: {retry_on: \"503\"}
",
    ),
    (
        "HR125",
        "",
        "\
match: {prefix: /}
route:
  cluster: shop
  retry_policy: {num_retries: 3}
",
    ),
    (
        "HR126",
        "",
        "\
virtual_hosts:
- name: v
  domains: [\"*\"]
  retry_policy: {retry_on: reset, num_retries: 2, per_try_timeout: 0.1s}
  routes:
  - match: {prefix: /}
    route: {cluster: shop, retry_policy: {retry_on: connect-failure}}
",
    ),
    (
        "HR127",
        "protocol=grpc",
        "\
clusters:
- name: shop
  connect_timeout: 1s
routes:
- match: {prefix: /}
  route:
    cluster: shop
    retry_policy: {retry_on: \"5xx\"}
",
    ),
    (
        "HR128",
        "",
        "\
match: {prefix: /}
route: {cluster: shop, retry_policy: {retry_on: \"retriable-4xx\"}}
",
    ),
    (
        "HR129",
        "",
        "\
match: {prefix: /}
route:
  cluster: shop
  timeout: 0.024s
  retry_policy: {retry_on: reset}
",
    ),
    (
        "HR130",
        "",
        "\
match: {prefix: /}
route:
  cluster: shop
  retry_policy: {retry_on: reset, num_retries: 2, retry_back_off: {base_interval: 0.05s, max_interval: 0.05s}}
",
    ),
    (
        "HR131",
        "",
        "\
match: {prefix: /}
route:
  cluster: shop
  timeout: 15s
  retry_policy: {retry_on: connect-failure, rate_limited_retry_back_off: {reset_headers: [{name: retry-after, format: SECONDS}]}}
",
    ),
    (
        "HR132",
        "",
        "\
match: {prefix: /}
route: {cluster: shop, retry_policy: {num_retries: 2, retry_on: envoy-ratelimited}}
",
    ),
    (
        "HR133",
        "",
        "\
match: {prefix: /, headers: [{name: \":method\", string_match: {exact: POST}}]}
route: {cluster: shop, retry_policy: {retry_on: reset}}
",
    ),
    (
        "HR134",
        "",
        "\
clusters: [{name: shop, connect_timeout: 1s}]
routes:
- match: {prefix: /}
  request_body_buffer_limit: 2097152
  route: {cluster: shop, retry_policy: {retry_on: reset}}
",
    ),
    (
        "HR135",
        "hosts=3",
        "\
clusters: [{name: shop, connect_timeout: 1s}]
routes:
- match: {prefix: /}
  route:
    cluster: shop
    retry_policy: {retry_on: reset}
",
    ),
    (
        "HR136",
        "",
        "\
match: {prefix: /}
route:
  cluster: shop
  retry_policy: {retry_on: reset, host_selection_retry_max_attempts: 3}
",
    ),
    (
        "HR137",
        "hosts=1 hosts_lost=0",
        "\
clusters: [{name: shop, type: STATIC}]
routes:
- match: {prefix: /}
  route:
    cluster: shop
    retry_policy: {retry_on: 5xx, num_retries: 2}
",
    ),
    (
        "HR138",
        "",
        "\
match: {prefix: /}
route:
  cluster: shop
  timeout: 1s
  hedge_policy: {hedge_on_per_try_timeout: true}
",
    ),
    (
        "HR139",
        "",
        "\
match: {prefix: /}
route: {cluster: shop, hedge_policy: {initial_requests: 2}}
",
    ),
    (
        "HR140",
        "",
        "\
clusters: [{name: shop, connect_timeout: 1s}]
routes:
- match: {prefix: /}
  route:
    cluster: shop
    timeout: 0s
    hedge_policy: {hedge_on_per_try_timeout: true}
    retry_policy: {retry_on: reset, num_retries: 3, per_try_timeout: 0.05s}
",
    ),
    (
        "HR141",
        "",
        "\
clusters:
- name: shop
  typed_extension_protocol_options:
    envoy.extensions.upstreams.http.v3.HttpProtocolOptions:
      \"@type\": type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions
      explicit_http_config: {http_protocol_options: {}}
      retry_policy: {retry_on: reset, num_retries: 2}
routes:
- match: {prefix: /}
  route: {cluster: shop, retry_policy: {retry_on: 5xx}}
",
    ),
    (
        "HR142",
        "envoy_version=1.35",
        "\
match: {prefix: /}
request_body_buffer_limit: 10
route: {cluster: shop}
",
    ),
    (
        "HR143",
        "",
        "\
clusters:
- name: shop
  connect_timeout: 1s
- name: shadow
  circuit_breakers: {thresholds: [{max_requests: 1023}]}
routes:
- match: {prefix: /}
  route: {cluster: shop, request_mirror_policies: [{cluster: shadow}]}
",
    ),
    (
        "HR144",
        "rps=1000 mean=50 burst=1 skew=1 clients=1",
        "\
apiVersion: linkerd.io/v1alpha2
kind: ServiceProfile
metadata: {name: a}
spec:
  retryBudget: {retryRatio: 0.2, minRetriesPerSecond: 10, ttl: 10s}
",
    ),
    (
        "HR145",
        "",
        "\
apiVersion: v1
kind: Service
metadata: {name: a, annotations: {balancer.linkerd.io/failure-accrual: consecutive}}
spec: {}
",
    ),
    (
        "HR146",
        "",
        "\
match: {prefix: /}
route: {cluster: shop, retry_policy: {retry_on: 5xx, num_retries: 5}}
",
    ),
    (
        "HR147",
        "",
        "\
name: shop
circuit_breakers:
  thresholds:
  - retry_budget: {}
",
    ),
    (
        "HR148",
        "",
        "\
virtual_hosts:
- name: v
  domains: [\"*\"]
  retry_policy: {retry_on: reset, num_retries: 2, per_try_timeout: 0.08s}
  hedge_policy: {hedge_on_per_try_timeout: true}
  routes:
  - match: {prefix: /}
    route: {cluster: shop, timeout: 0s}
",
    ),
    (
        "HR201",
        "",
        "\
match: {prefix: /buy}
route:
  cluster: shop
  timeout: 3s
  retry_policy:
    retry_on: 5xx
    per_try_timeout: 3s
",
    ),
    (
        "HR202",
        "deadline_ms=2000",
        "\
clusters:
- name: shop
  connect_timeout: 0.05s
  circuit_breakers: {thresholds: [{max_requests: 20}]}
routes:
- match: {prefix: /}
  route: {cluster: shop, timeout: 0s}
",
    ),
    (
        "HR203",
        "deadline_ms=1000",
        "\
clusters:
- name: shop
  connect_timeout: 1s
  lb_policy: RANDOM
routes:
- match: {prefix: /}
  route: {cluster: shop}
",
    ),
    (
        "HR212",
        "connect_ms=120",
        "\
name: shop
connect_timeout: 0.12s
",
    ),
    (
        "HR213",
        "",
        "\
match: {prefix: /}
route:
  cluster: shop
  timeout: 3s
  retry_policy:
    retry_on: 5xx
    num_retries: 3
    per_try_timeout: 1s
",
    ),
    (
        "HR214",
        "",
        "\
match: {prefix: /}
route:
  cluster: shop
  timeout: 0.003s
  retry_policy: {retry_on: gateway-error, num_retries: 2}
",
    ),
    (
        "HR215",
        "",
        "\
match: {prefix: /}
route:
  cluster: shop
  timeout: 9s
  retry_policy: {num_retries: 0, per_try_timeout: 2s}
",
    ),
    (
        "HR216",
        "rps=500 p50=35 p99=110 slowdown=1 idempotent=true",
        "\
match: {prefix: /}
route:
  cluster: shop
  timeout: 0.95s
  retry_policy: {retry_on: reset, per_try_timeout: 0.1s}
",
    ),
    (
        "HR217",
        "rps=500 p50=35 p99=110 slowdown=1",
        "\
match: {prefix: /}
route:
  cluster: shop
  timeout: 0.1s
",
    ),
    (
        "HR218",
        "",
        "\
match: {prefix: /}
route:
  cluster: shop
  timeout: 600s
",
    ),
    (
        "HR219",
        "",
        "\
match: {prefix: /}
route:
  cluster: shop
  timeout: 0s
  idle_timeout: 0s
",
    ),
    (
        "HR220",
        "",
        "\
routes:
- match: {prefix: /}
  route: {cluster: outbound|80||orders.shop.svc, timeout: 2s}
- match: {prefix: /}
  route: {cluster: inbound|80||orders.shop.svc, timeout: 5s}
",
    ),
    (
        "HR221",
        "",
        "\
match: {prefix: /, grpc: {}}
route:
  cluster: shop
  timeout: 2s
",
    ),
    (
        "HR222",
        "deadline_ms=1000",
        "\
match: {prefix: /, grpc: {}}
route:
  cluster: shop
  timeout: 0s
  max_stream_duration: {grpc_timeout_header_max: 0s}
",
    ),
    (
        "HR223",
        "",
        "\
match: {prefix: /}
route: {cluster: shop, max_grpc_timeout: 5s, grpc_timeout_offset: 0.1s}
",
    ),
    (
        "HR224",
        "",
        "\
match: {prefix: /, grpc: {}}
route:
  cluster: shop
",
    ),
    (
        "HR225",
        "",
        "\
match: {prefix: /}
route:
  cluster: shop
  timeout: 0s
  upgrade_configs: [{upgrade_type: websocket}]
",
    ),
    (
        "HR226",
        "",
        "\
apiVersion: appmesh.k8s.aws/v1beta2
kind: VirtualNode
metadata: {name: wren}
spec:
  listeners:
  - portMapping: {port: 80, protocol: grpc}
    timeout: {grpc: {idle: {unit: s, value: 3600}}}
",
    ),
    (
        "HR227",
        "",
        "\
name: r
virtual_hosts:
- name: v
  domains: ['*']
  retry_policy: {retry_on: reset, num_retries: 2, per_try_timeout: 0.08s}
  routes:
  - match: {prefix: /tail}
    route: {cluster: shop, timeout: 0s, idle_timeout: 120s}
",
    ),
    (
        "HR228",
        "",
        "\
clusters:
- {name: local_app, type: STATIC}
- {name: stock, type: STATIC}
listeners:
- name: local_app
  filter_chains:
  - filters:
    - name: envoy.filters.network.http_connection_manager
      typed_config:
        stat_prefix: local_app
        route_config: {virtual_hosts: [{name: v, domains: ['*'], routes: [{match: {prefix: /}, route: {cluster: local_app, timeout: 2s}}]}]}
- name: stock
  filter_chains:
  - filters:
    - name: envoy.filters.network.http_connection_manager
      typed_config:
        stat_prefix: stock
        route_config: {virtual_hosts: [{name: v, domains: ['*'], routes: [{match: {prefix: /}, route: {cluster: stock, timeout: 2s}}]}]}
",
    ),
    (
        "HR229",
        "",
        "\
stat_prefix: in
request_timeout: 30s
route_config: {virtual_hosts: [{name: v, domains: ['*'], routes: [{match: {prefix: /}, route: {cluster: shop, timeout: 0s, idle_timeout: 60s}}]}]}
",
    ),
    (
        "HR230",
        "",
        "\
name: shop
typed_extension_protocol_options:
  envoy.extensions.upstreams.http.v3.HttpProtocolOptions:
    \"@type\": type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions
    common_http_protocol_options: {idle_timeout: 20s}
    explicit_http_config: {http_protocol_options: {}}
",
    ),
    (
        "HR231",
        "",
        "\
match: {prefix: /}
route: {cluster: shop, timeout: 2s, retry_policy: {retry_on: 5xx, per_try_idle_timeout: 2s}}
",
    ),
    (
        "HR232",
        "",
        "\
apiVersion: getambassador.io/v2
kind: Mapping
metadata: {name: p}
spec:
  prefix: /p/
  service: p:80
  timemout_ms: 0
",
    ),
    (
        "HR233",
        "protocol=grpc_stream rps=5 stream_p99=600",
        "\
match: {prefix: /}
route: {cluster: shop, timeout: 0s, idle_timeout: 600s}
",
    ),
    (
        "HR234",
        "",
        "\
match: {prefix: /}
route:
  cluster: shop
  timeout: 1s
  max_stream_duration: {}
",
    ),
    (
        "HR235",
        "",
        "\
stat_prefix: in
route_config: {virtual_hosts: []}
http_filters:
- name: router
  typed_config:
    \"@type\": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router
    respect_expected_rq_timeout: true
",
    ),
    (
        "HR236",
        "",
        "\
match: {prefix: /}
route:
  cluster: shop
  timeout: 9s
  retry_policy: {retry_on: 5xx, num_retries: 2}
",
    ),
    (
        "HR237",
        "",
        "\
match: {prefix: /}
route: {cluster: shop, timeout: 0s}
",
    ),
    (
        "HR301",
        "rps=500 mean=40 protocol=http1",
        "\
name: shop
circuit_breakers:
  thresholds:
  - max_requests: 10
",
    ),
    (
        "HR306",
        "",
        "\
name: shop
circuit_breakers:
  thresholds:
  - priority: DEFAULT
    max_requests: 2
",
    ),
    (
        "HR310",
        "",
        "\
name: shop
circuit_breakers:
  thresholds:
  - {priority: HIGH, max_requests: 0}
",
    ),
    (
        "HR311",
        "",
        "\
apiVersion: networking.istio.io/v1
kind: DestinationRule
spec:
  host: shop
  trafficPolicy:
    connectionPool: {http: {http1MaxPendingRequests: 0}}
",
    ),
    (
        "HR312",
        "protocol=http2 clients=100 hosts=10 host_concurrency=64",
        "{name: shop, connect_timeout: 1s}",
    ),
    (
        "HR313",
        "protocol=http1 rps=1000 mean=10 p50=8 clients=1 workers=2 hosts=3 burst=1 skew=1",
        "\
name: shop
circuit_breakers:
  thresholds:
  - {max_connections: 4}
",
    ),
    (
        "HR314",
        "protocol=http1 rps=5000 mean=50 p50=40 deadline_ms=200 clients=1 burst=1 skew=1",
        "{name: shop, connect_timeout: 1s}",
    ),
    (
        "HR315",
        "protocol=http1 rps=400 mean=50 p50=45 burst=15 skew=1 clients=1 connect_ms=50 deadline_ms=3000",
        "\
name: shop
circuit_breakers:
  thresholds:
  - {max_connections: 200, max_pending_requests: 50}
",
    ),
    (
        "HR316",
        "",
        "\
name: shop
circuit_breakers:
  thresholds:
  - {max_requests: 4, max_connections: 40}
",
    ),
    (
        "HR317",
        "",
        "\
name: shop
max_requests_per_connection: 1
circuit_breakers:
  thresholds:
  - {max_connections: 5, max_pending_requests: 2}
",
    ),
    (
        "HR318",
        "",
        "\
name: shop
circuit_breakers:
  thresholds:
  - {max_requests: 1025}
",
    ),
    (
        "HR319",
        "",
        "\
clusters:
- {name: shop, connect_timeout: 1s}
routes:
- {match: {prefix: /}, route: {cluster: shop, upgrade_configs: [{upgrade_type: websocket}]}}
",
    ),
    (
        "HR320",
        "protocol=http2 rps=500 mean=40 p50=35 burst=1 skew=1 clients=1",
        "\
name: shop
circuit_breakers: {thresholds: [{max_requests: 39}]}
",
    ),
    (
        "HR321",
        "protocol=http2 rps=500 mean=40 p50=35 burst=1 skew=1 clients=1",
        "\
name: shop
circuit_breakers: {thresholds: [{max_requests: 770}]}
",
    ),
    (
        "HR322",
        "",
        "\
clusters:
- {name: remote, connect_timeout: 1s, circuit_breakers: {thresholds: [{max_requests: 1025}]}}
- {name: local_app, connect_timeout: 1s}
",
    ),
    (
        "HR323",
        "",
        "\
clusters:
- name: shop
  connect_timeout: 1s
  circuit_breakers:
    thresholds:
    - priority: HIGH
      max_requests: 1
",
    ),
    (
        "HR324",
        "",
        "\
clusters:
- name: shop
  connect_timeout: 1s
  circuit_breakers:
    thresholds: [{max_requests: 50}]
routes:
- {match: {prefix: /}, route: {cluster: shop, priority: HIGH}}
",
    ),
    (
        "HR325",
        "",
        "\
name: shop
circuit_breakers:
  thresholds:
  - max_requests: 400
  - priority: DEFAULT
    max_requests: 8000
    max_retries: 50
",
    ),
    (
        "HR326",
        "",
        "\
layered_runtime: {layers: [{name: base, static_layer: {circuit_breakers.shop.default.max_requests: 10}}]}
static_resources:
  clusters:
  - name: shop
    connect_timeout: 1s
    circuit_breakers:
      thresholds:
      - max_requests: 1000
        max_retries: 5
",
    ),
    (
        "HR327",
        "",
        "\
layered_runtime: {layers: [{name: base, static_layer: {circuit_breakers.chekout.default.max_requests: 10}}]}
static_resources: {clusters: [{name: checkout, connect_timeout: 1s}]}
",
    ),
    (
        "HR328",
        "",
        "\
name: shop
circuit_breakers:
  thresholds:
  - {max_connection_pools: 4}
",
    ),
    (
        "HR329",
        "",
        "\
clusters:
- {name: shop, connect_timeout: 1s, circuit_breakers: {thresholds: [{max_requests: 9000}]}}
listeners:
- filter_chains:
  - filters:
    - {name: envoy.filters.network.tcp_proxy, typed_config: {stat_prefix: in, cluster: shop}}
",
    ),
    (
        "HR330",
        "",
        "\
name: shop
http2_protocol_options: {max_concurrent_streams: 100}
circuit_breakers:
  thresholds:
  - {max_connections: 10}
",
    ),
    (
        "HR331",
        "envoy_version=1.33",
        "\
name: shop
preconnect_policy:
  per_upstream_preconnect_ratio: 2
circuit_breakers:
  thresholds:
  - {max_connections: 1000}
",
    ),
    (
        "HR332",
        "protocol=http1 clients=9 host_concurrency=8",
        "\
name: shop
circuit_breakers:
  per_host_thresholds:
  - {max_connections: 1}
",
    ),
    (
        "HR333",
        "",
        "\
apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: {name: shop}
spec:
  hosts: [shop]
  gateways: [edge]
  http:
  - retries: {attempts: 0}
    route: [{destination: {host: shop}}]
",
    ),
    (
        "HR334",
        "protocol=grpc_stream rps=10 stream_mean=1000 burst=1.3 skew=1 slowdown=1 retry_overhead=0 clients=1",
        "{name: shop, connect_timeout: 1s}",
    ),
    (
        "HR335",
        "protocol=http1 rps=500 mean=40 p50=35 clients=1 workers=1 hosts=2 burst=1 skew=1",
        "\
name: shop
circuit_breakers:
  per_host_thresholds:
  - {max_connections: 5}
",
    ),
    (
        "HR336",
        "",
        "\
apiVersion: networking.istio.io/v1
kind: DestinationRule
metadata: {name: shop}
spec:
  host: shop
  trafficPolicy:
    connectionPool: {tcp: {maxConnections: 120}, http: {http2MaxRequests: 240}}
    portLevelSettings: [{port: {number: 80}, outlierDetection: {interval: 5s}}]
",
    ),
    (
        "HR337",
        "",
        "\
apiVersion: networking.istio.io/v1
kind: DestinationRule
metadata: {name: shop}
spec:
  host: shop
  subsets:
  - name: v1
    trafficPolicy: {connectionPool: {tcp: {maxConnections: 9}}}
---
apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: {name: shop}
spec: {hosts: [shop], http: [{route: [{destination: {host: shop}}]}]}
",
    ),
    (
        "HR338",
        "",
        "\
clusters:
- {name: checkout, connect_timeout: 1s, circuit_breakers: {thresholds: [{max_requests: 9}]}}
routes:
- {match: {prefix: /}, route: {cluster: chekout}}
",
    ),
    (
        "HR401",
        "hosts=3",
        "\
name: shop
connect_timeout: 1s
outlier_detection: {}
",
    ),
    (
        "HR405",
        "",
        "\
name: shop
connect_timeout: 1s
outlier_detection: {consecutive_5xx: 0, enforcing_success_rate: 0}
",
    ),
    (
        "HR408",
        "hosts=1",
        "\
name: a
connect_timeout: 1s
outlier_detection: {}
common_lb_config: {}
",
    ),
    (
        "HR409",
        "",
        "\
name: a
connect_timeout: 1s
outlier_detection: {max_ejection_percent: 51}
common_lb_config: {healthy_panic_threshold: {value: 50}}
",
    ),
    (
        "HR410",
        "",
        "\
apiVersion: networking.istio.io/v1
kind: DestinationRule
metadata: {name: a}
spec:
  host: a
  trafficPolicy:
    outlierDetection: {maxEjectionPercent: 51}
",
    ),
    (
        "HR411",
        "rps=500 mean=40 clients=1 burst=1 skew=1 hosts=10 host_concurrency=3.9",
        "\
name: a
connect_timeout: 1s
outlier_detection: {max_ejection_percent: 50}
",
    ),
    (
        "HR412",
        "hosts=3",
        "\
name: a
connect_timeout: 1s
outlier_detection: {max_ejection_percent: 50}
",
    ),
    (
        "HR413",
        "",
        "\
apiVersion: networking.istio.io/v1
kind: DestinationRule
metadata: {name: a}
spec:
  host: a
  trafficPolicy:
    outlierDetection: {consecutiveErrors: 1}
",
    ),
    (
        "HR414",
        "",
        "\
name: a
connect_timeout: 1s
outlier_detection: {consecutive_gateway_failure: 3}
",
    ),
    (
        "HR415",
        "",
        "\
name: a
connect_timeout: 1s
outlier_detection: {enforcing_consecutive_5xx: 49}
",
    ),
    (
        "HR416",
        "",
        "\
name: a
connect_timeout: 1s
outlier_detection: {split_external_local_origin_errors: true, consecutive_local_origin_failure: 3}
",
    ),
    (
        "HR417",
        "",
        "\
name: a
connect_timeout: 1s
outlier_detection: {consecutive_local_origin_failure: 2, enforcing_consecutive_local_origin_failure: 100}
",
    ),
    (
        "HR418",
        "envoy_version=1.25 rps=500 mean=40 clients=1 burst=1 skew=1",
        "\
name: a
connect_timeout: 1s
circuit_breakers: {thresholds: [{max_requests: 10}]}
outlier_detection: {consecutive_5xx: 3}
",
    ),
    (
        "HR419",
        "hosts=4",
        "\
name: a
connect_timeout: 1s
outlier_detection: {consecutive_5xx: 0}
",
    ),
    (
        "HR420",
        "hosts=2",
        "\
name: a
connect_timeout: 1s
outlier_detection: {enforcing_failure_percentage: 100, failure_percentage_minimum_hosts: 3}
",
    ),
    (
        "HR421",
        "",
        "\
name: a
connect_timeout: 1s
outlier_detection: {consecutive_5xx: 1, max_ejection_percent: 30}
",
    ),
    (
        "HR422",
        "rps=500 mean=40 clients=1001 hosts=10",
        "\
name: a
connect_timeout: 1s
outlier_detection: {consecutive_5xx: 3, max_ejection_percent: 30}
",
    ),
    (
        "HR423",
        "",
        "\
name: a
connect_timeout: 1s
outlier_detection: {base_ejection_time: 1s}
",
    ),
    (
        "HR424",
        "",
        "\
name: a
connect_timeout: 1s
outlier_detection: {interval: 61s, base_ejection_time: 120s}
",
    ),
    (
        "HR425",
        "",
        "\
name: a
connect_timeout: 1s
outlier_detection: {}
common_lb_config: {update_merge_window: 1.001s}
",
    ),
    (
        "HR426",
        "",
        "\
name: a
connect_timeout: 1s
outlier_detection: {}
health_checks: [{timeout: 1s, interval: 5s, tcp_health_check: {}}]
",
    ),
    (
        "HR427",
        "",
        "\
apiVersion: networking.istio.io/v1
kind: DestinationRule
metadata: {name: a}
spec:
  host: a
  trafficPolicy:
    outlierDetection: {consecutive5xxErrors: 5, outlierDetectionHttpErrorCodes: [429]}
",
    ),
    (
        "HR428",
        "hosts=4",
        "\
name: a
connect_timeout: 1s
",
    ),
    (
        "HR429",
        "",
        "\
listeners:
- name: in
  filter_chains:
  - filters:
    - name: envoy.filters.network.tcp_proxy
      typed_config:
        \"@type\": type.googleapis.com/envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy
        stat_prefix: in
        cluster: db
clusters:
- name: db
  connect_timeout: 1s
  outlier_detection: {consecutive_5xx: 3}
",
    ),
    (
        "HR430",
        "protocol=grpc",
        "\
name: a
connect_timeout: 1s
outlier_detection: {}
",
    ),
    (
        "HR520",
        "protocol=http2 rps=500 p50=35 p99=110 clients=130 hosts=11 host_concurrency=64",
        "\
name: shop
circuit_breakers:
  thresholds:
  - max_requests: 4
",
    ),
    (
        "HR521",
        "protocol=http2 rps=10000 mean=1000 p50=900 clients=10 skew=10 burst=1",
        "{name: shop, connect_timeout: 1s}",
    ),
    (
        "HR522",
        "clients=2 hosts=10 host_concurrency=8",
        "\
name: shop
circuit_breakers:
  thresholds:
  - {max_connections: 8}
",
    ),
    (
        "HR523",
        "clients=3 hosts=2",
        "\
apiVersion: networking.istio.io/v1
kind: DestinationRule
metadata: {name: shop}
spec:
  host: shop
  trafficPolicy:
    connectionPool: {tcp: {maxConnections: 5}}
",
    ),
    (
        "HR524",
        "hosts=200 workers=8",
        "{name: shop, connect_timeout: 1s}",
    ),
    (
        "HR525",
        "hosts=1",
        "\
name: shop
circuit_breakers:
  thresholds:
  - {max_connections: 28233}
",
    ),
    (
        "HR601",
        "",
        "\
cluster.a.upstream_rq_completed: 10000
cluster.a.upstream_rq_pending_overflow: 1
",
    ),
    (
        "HR602",
        "",
        "\
cluster.a.upstream_rq_active: 10
cluster.a.upstream_rq_pending_overflow: 21
cluster.a.circuit_breakers.default.rq_open: 0
cluster.a.circuit_breakers.default.remaining_rq: 90
",
    ),
    (
        "HR603",
        "",
        "\
a::default_priority::max_connections::100
a::default_priority::max_requests::100
a::10.0.0.1:80::cx_active::99
a::10.0.0.1:80::rq_active::100
",
    ),
    (
        "HR604",
        "",
        "\
cluster.a.upstream_cx_connect_fail: 37
cluster.a.upstream_cx_overflow: 0
cluster.a.upstream_cx_total: 49
",
    ),
    (
        "HR605",
        "",
        "\
cluster.a.upstream_rq_retry: 3
cluster.a.upstream_rq_retry_overflow: 58
",
    ),
    (
        "HR606",
        "",
        "[t] \"- - -\" 0 UO 0 81 0 - \"-\" \"-\" \"-\" \"-\" \"-\"\n",
    ),
    (
        "HR607",
        "",
        "[t] \"GET / HTTP/1.1\" 503 UH 0 19 0 - \"-\" \"-\" \"-\" \"-\" \"-\"\n",
    ),
    (
        "HR608",
        "",
        "\
cluster.a.retry_or_shadow_abandoned: 412
cluster.a.upstream_rq_retry: 3
",
    ),
    (
        "HR609",
        "",
        "\
cluster.a.upstream_cx_overflow: 5120
cluster.a.upstream_cx_active: 80
cluster.a.circuit_breakers.default.remaining_cx: 0
cluster.a.membership_total: 3
cluster.a.membership_healthy: 3
server.concurrency: 4
",
    ),
    (
        "HR610",
        "",
        "\
cluster.a.lb_healthy_panic: 17
cluster.a.membership_total: 4
cluster.a.membership_healthy: 1
",
    ),
    (
        "HR611",
        "",
        "\
cluster.a.membership_total: 4
cluster.a.membership_healthy: 1
",
    ),
    (
        "HR612",
        "",
        "\
cluster.a.outlier_detection.ejections_overflow: 9
cluster.a.outlier_detection.ejections_enforced_total: 0
cluster.a.membership_total: 3
cluster.a.membership_healthy: 3
",
    ),
    (
        "HR613",
        "",
        "\
cluster.a.outlier_detection.ejections_enforced_consecutive_local_origin_failure: 1
cluster.a.upstream_rq_pending_overflow: 40
cluster.a.upstream_cx_connect_fail: 0
",
    ),
    (
        "HR614",
        "",
        "[t] \"GET / HTTP/1.1\" 503 UC 0 95 10 - \"-\" \"-\" \"-\" \"-\" \"h:1\"\n",
    ),
    (
        "HR615",
        "",
        "[t] \"POST /a.S/W HTTP/2\" 200 UT 84 0 15001 - \"-\" \"-\" \"-\" \"-\" \"h:1\"\n",
    ),
    (
        "HR617",
        "mean=40 clients=100 burst=1 skew=1 rps=900",
        "\
cluster.a.upstream_rq_completed: 10000
server.uptime: 1000
",
    ),
    (
        "HR901",
        "",
        "\
clusters:
- name: [shop
- name: cart
",
    ),
    (
        "HR902",
        "",
        "\
name: shop
\tconnect_timeout: 1s
",
    ),
    (
        "HR903",
        "",
        "\
name: shop
circuit_breakers:
  thresholds:
  - max_requests: ${MAX_REQUESTS}
",
    ),
    (
        "HR905",
        "",
        "kind: of nothing that limits\n",
    ),
    (
        "HR906",
        "",
        "\
name: shop
connect_timeout: 1s
connect_timeout: 2s
",
    ),
    (
        "HR907",
        "",
        "\
name: shop
circuit_breakers:
  thresholds:
  - &limits {max_requests: 90}
  - {<<: *limits, priority: HIGH}
",
    ),
    (
        "HR908",
        "",
        "\
name: shop
circuit_breakers:
  thresholds: *limits
",
    ),
    (
        "HR909",
        "",
        "\
name: shop
circuit_breakers:
  thresholds:
  - max_request: 90
",
    ),
    (
        "HR910",
        "",
        "\
name: shop
circuit_breakers:
  per_host_thresholds:
  - max_connections: 1
    max_requests: 90
",
    ),
    (
        "HR911",
        "",
        "\
name: shop
connect_timeout: 250ms
",
    ),
    (
        "HR912",
        "",
        "\
name: shop
circuit_breakers:
  thresholds:
  - max_requests: 1_024
",
    ),
    (
        "HR913",
        "",
        "\
name: shop
connect_timeout: 0s
",
    ),
    (
        "HR914",
        "",
        "\
name: shop
circuit_breakers:
  thresholds:
  - track_remaining: sometimes
",
    ),
    (
        "HR915",
        "",
        "\
name: shop
circuit_breakers:
  thresholds:
  - priority: HIHG
    max_requests: 90
",
    ),
    (
        "HR916",
        "",
        "\
name: shop
circuit_breakers:
  thresholds:
  - retry_budget: {budget_percent: 20}
",
    ),
    (
        "HR917",
        "",
        "\
match: {prefix: /buy}
route:
  cluster: shop
  retry_policy:
    retry_on: 5xx
    retry_back_off: {max_interval: 1s}
",
    ),
    (
        "HR918",
        "",
        "\
name: shop
typed_extension_protocol_options:
  envoy.extensions.upstreams.http.v3.HttpProtocolOptions:
    \"@type\": type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions
    auto_config: {}
    use_downstream_protocol_config: {}
",
    ),
    (
        "HR919",
        "",
        "\
name: shop
http2_protocol_options: {}
",
    ),
    (
        "HR920",
        "",
        "\
name: shop
http2_protocol_options: {}
typed_extension_protocol_options:
  envoy.extensions.upstreams.http.v3.HttpProtocolOptions:
    \"@type\": type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions
    explicit_http_config: {http2_protocol_options: {}}
",
    ),
    (
        "HR921",
        "",
        "{\"clusters\": [\n {\"name\": \"shop\", \"connect_timeout\": \"1s\"},\n {\"name\": \"cart\", \"connect_timeout\": \"1s\", \"typ",
    ),
];
