//! Kinds I to T once more: deadlines, keep-alive, streams, ejection, panic, errors, hedging, settings
//! without effect, look-alikes, other data planes, bodies, load.
//!
//! Where a case names a source, its facts are from there, in our own words and with other names; what
//! is marked as constructed has none.

use crate::support::Case;

#[test]
fn i_a_grpc_client_asks_for_100_s_and_gets_15() {
    Case {
        id: "I, envoyproxy/envoy#11790",
        texts: &["\
virtual_hosts:
- name: backend
  domains: [\"*\"]
  routes:
  - match: {prefix: /, grpc: {}}
    route: {cluster: report-grpc}
"],
        asked: "protocol=grpc rps=50 mean=8000 p50=5000 p99=40000 deadline_ms=100000",
        expects: &[
            ("HR217", &["`timeout` 15 s, the default, cuts 11% of good requests", "set `timeout` to 95 s"]),
            ("HR221", &["`grpc-timeout` of the client is not looked at"]),
        ],
        never: &["set `grpc_timeout_header_max` alone"],
        silent: &["HR234"],
    }
    .check();
}

#[test]
fn i_a_cap_on_grpc_timeouts_switches_the_timeout_off() {
    Case {
        id: "I, envoyproxy/envoy#15530",
        texts: &[r#"{"virtual_hosts": [{"name": "httpbin.org:80", "domains": ["httpbin.org"], "routes": [{
 "match": {"prefix": "/"},
 "route": {
  "cluster": "outbound|80||httpbin.org",
  "timeout": "3s",
  "max_stream_duration": {"grpc_timeout_header_max": "3s"}
 }}]}]}"#],
        asked: "rps=200 mean=120 p99=800 deadline_ms=3000",
        expects: &[(
            "HR234",
            &[
                "`timeout` 3,000 ms does not act",
                "ends only after 300 s",
                "set `max_stream_duration` within the block to 2,850 ms",
            ],
        )],
        // The timeout that does not act is not to be set once more.
        never: &["set `timeout` to"],
        silent: &["HR202"],
    }
    .check();
}

#[test]
fn i_the_mesh_waits_ten_seconds_for_a_caller_of_three() {
    Case {
        id: "I, constructed: (10 − 3) s × 500 req/s is 3,500 for nobody, 700 on each of five proxies",
        texts: &["\
apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: {name: quotes, namespace: shop}
spec:
  hosts: [quotes.shop.svc.cluster.local]
  http:
  - timeout: 10s
    retries: {attempts: 2, perTryTimeout: 4s, retryOn: \"5xx,reset\"}
    route:
    - destination: {host: quotes.shop.svc.cluster.local}
---
apiVersion: networking.istio.io/v1
kind: DestinationRule
metadata: {name: quotes, namespace: shop}
spec:
  host: quotes.shop.svc.cluster.local
  trafficPolicy:
    connectionPool:
      http: {http2MaxRequests: 1000}
"],
        asked: "rps=500 mean=200 p99=1200 deadline_ms=3000 clients=5 burst=1 skew=1 idempotent=true",
        expects: &[
            (
                "HR202",
                &["`timeout` 10 s outlives the caller", "100 requests a second for nobody, 700 at once"],
            ),
            // 3 × 4 s + 25 + 50 ms.
            ("HR213", &["3 attempts of up to 4,000 ms", "need 12.1 s, more than the 3,000 ms of the caller"]),
            // A limit on requests lets nothing wait.
            ("HR523", &["3 × 1,000 = 3,000, not 5 × 1,000 = 5,000", "refuse what is above"]),
        ],
        never: &["waits in their own proxies"],
        silent: &[],
    }
    .check();
}

const NODE: &str = "\
apiVersion: networking.istio.io/v1alpha3
kind: DestinationRule
metadata:
  name: node-api
spec:
  host: node-api.prod.svc.cluster.local
  trafficPolicy:
    connectionPool:
      tcp:
        maxConnections: 100
        tcpKeepalive: {time: 300s, interval: 75s}
      http:
        http1MaxPendingRequests: 100
";

#[test]
fn j_node_closes_after_five_seconds() {
    Case {
        id: "J, istio/istio#13205 (comments)",
        texts: &[
            NODE,
            "[2019-04-11T18:02:11.532Z] \"GET /v1/users/7 HTTP/1.1\" 503 UC \"-\" \"-\" 0 95 1 - \"10.8.0.3\" \"okhttp/3.12\" \"a\" \"node-api\" \"10.8.2.9:3000\" outbound|80||node-api.prod.svc.cluster.local - 10.8.9.1:80 10.8.0.3:0 -\n",
        ],
        asked: "protocol=http1 rps=20 mean=30 upstream_keepalive_s=5 deadline_ms=10000",
        expects: &[
            ("HR230", &["60 min, the default, and the server closes them after 5,000 ms", "to 4,000 ms"]),
            ("HR614", &["within milliseconds (UC)"]),
        ],
        // TCP keep-alive probes are something else.
        never: &["`tcpKeepalive`"],
        silent: &["HR618"],
    }
    .check();
}

#[test]
fn j_a_keep_alive_of_a_second_and_retries_that_do_not_help() {
    Case {
        id: "J, envoyproxy/envoy#1979",
        texts: &["\
clusters:
- {name: geo, connect_timeout: 0.25s, type: STRICT_DNS}
routes:
- match: {prefix: /geolocation}
  route: {cluster: geo, timeout: 2s, retry_policy: {retry_on: \"connect-failure,refused-stream\", num_retries: 2}}
"],
        asked: "protocol=http1 rps=5 mean=20 upstream_keepalive_s=1 deadline_ms=2500 idempotent=true",
        expects: &[(
            "HR230",
            &["the server closes them after 1,000 ms", "nothing in `retry_on` repeats it", "to 500 ms"],
        )],
        never: &[],
        silent: &[],
    }
    .check();
}

#[test]
fn j_the_idle_timeout_of_the_listener_is_another_one() {
    Case {
        id: "J, constructed: 1 s for clients, an hour for the server that closes after 2 s",
        texts: &["\
static_resources:
  listeners:
  - name: l
    filter_chains:
    - filters:
      - name: envoy.filters.network.http_connection_manager
        typed_config:
          \"@type\": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
          stat_prefix: in
          common_http_protocol_options: {idle_timeout: 1s}
          route_config:
            name: r
            virtual_hosts:
            - name: v
              domains: [\"*\"]
              routes:
              - match: {prefix: /}
                route: {cluster: gunicorn, timeout: 4s, idle_timeout: 1.5s}
  clusters:
  - {name: gunicorn, connect_timeout: 1s, type: STRICT_DNS}
"],
        asked: "protocol=http1 rps=80 mean=40 upstream_keepalive_s=2 deadline_ms=5000",
        expects: &[(
            "HR230",
            &["for 60 min, the default, and the server closes them after 2,000 ms", "not `idle_timeout` of a route"],
        )],
        never: &["keeps idle connections for 1,000 ms"],
        silent: &[],
    }
    .check();
}

const CLOSED: &str = "\
[2024-06-18T10:19:42.614Z] \"POST /topup HTTP/1.1\" 503 UC upstream_reset_before_response_started{connection_termination} - \"-\" 138 95 120001 - \"-\" \"-\" \"ed37\" \"api:8080\" \"10.0.0.7:8080\" inbound|8080|| 127.0.0.6:58719 10.0.0.7:8080 10.0.0.9:57080 outbound_.8080_._.api default
[2024-06-18T10:21:42.650Z] \"POST /topup HTTP/1.1\" 503 UC upstream_reset_before_response_started{connection_termination} - \"-\" 138 95 120002 - \"-\" \"-\" \"ed37\" \"api:8080\" \"10.0.0.7:8080\" inbound|8080|| 127.0.0.6:58720 10.0.0.7:8080 10.0.0.9:57080 outbound_.8080_._.api default
[2024-06-18T10:23:42.690Z] \"POST /topup HTTP/1.1\" 503 UC upstream_reset_before_response_started{connection_termination} - \"-\" 138 95 120000 - \"-\" \"-\" \"ed37\" \"api:8080\" \"10.0.0.7:8080\" inbound|8080|| 127.0.0.6:58721 10.0.0.7:8080 10.0.0.9:57080 outbound_.8080_._.api default
";

#[test]
fn j_two_minutes_are_no_race() {
    Case {
        id: "J, istio/istio#51619",
        texts: &[CLOSED],
        asked: "",
        expects: &[(
            "HR618",
            &[
                "always after 120 s on 3 lines of 3 (UC)",
                "runs it again",
                "leave limits and idle timeouts alone",
            ],
        )],
        never: &["keep-alive", "within milliseconds"],
        silent: &["HR614"],
    }
    .check();
}

#[test]
fn k_a_feed_that_only_the_server_sends() {
    Case {
        id: "K, envoyproxy/envoy#26084",
        texts: &["\
- name: listener_robot
  filter_chains:
  - filters:
    - name: envoy.filters.network.http_connection_manager
      typed_config:
        \"@type\": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
        stat_prefix: robot
        common_http_protocol_options: {idle_timeout: 3600s}
        request_timeout: 200s
        stream_idle_timeout: 100s
        route_config:
          virtual_hosts:
          - name: robot
            domains: [\"*\"]
            routes:
            - match: {prefix: /robot.Feed/}
              route: {cluster: robot_grpc}
"],
        asked: "protocol=grpc_stream rps=0.2 stream_mean=600 deadline_ms=3600000",
        expects: &[
            ("HR224", &["`timeout` 15 s, the default, ends a stream 15 s after", "set `timeout` to 0s"]),
            ("HR229", &["`request_timeout` 200 s"]),
        ],
        never: &[],
        silent: &["HR301"],
    }
    .check();
}

#[test]
fn k_an_hour_is_not_the_solution() {
    Case {
        id: "K, envoyproxy/envoy#35812: the thread ends with a timeout of 3,600 s",
        texts: &["\
virtual_hosts:
- name: s
  domains: [\"*\"]
  routes:
  - match: { prefix: \"/\" }
    route:
      timeout: 3600s
      cluster: sensor_service
"],
        asked: "protocol=grpc_stream rps=0.05 stream_mean=7200 deadline_ms=86400000",
        expects: &[
            ("HR224", &["`timeout` 60 min ends a stream 60 min after"]),
            ("HR225", &["`idle_timeout` 300 s, the default"]),
        ],
        never: &[],
        silent: &[],
    }
    .check();
}

const ENDED: &str = "\
[2025-04-07T06:00:00.000Z] \"POST /chat.Chat/Talk HTTP/2\" 200 - max_duration_timeout - \"-\" 8412 19233 120000 21 \"10.1.1.1\" \"grpc-java\" \"x1\" \"chat:8080\" \"10.2.0.4:8080\" outbound|8080||chat.prod 10.2.0.9:4410 10.0.0.3:8080 10.1.1.1:5511 - -
[2025-04-07T06:02:00.100Z] \"POST /chat.Chat/Talk HTTP/2\" 200 - max_duration_timeout - \"-\" 8411 19230 120001 20 \"10.1.1.1\" \"grpc-java\" \"x2\" \"chat:8080\" \"10.2.0.4:8080\" outbound|8080||chat.prod 10.2.0.9:4410 10.0.0.3:8080 10.1.1.1:5511 - -
";

#[test]
fn k_two_minutes_without_a_flag() {
    Case {
        id: "K, istio/istio#55831",
        texts: &[ENDED],
        asked: "",
        expects: &[(
            "HR619",
            &["`max_stream_duration` ended the request after 120 s on 2 lines of 2", "have no part in it"],
        )],
        never: &["the route timeout cut", "the stream idle timeout"],
        silent: &["HR615"],
    }
    .check();
}

#[test]
fn k_a_web_socket_is_no_grpc() {
    Case {
        id: "K, constructed: a web socket with retries and a per-try timeout",
        texts: &["\
apiVersion: projectcontour.io/v1
kind: HTTPProxy
metadata: {name: chat, namespace: web}
spec:
  virtualhost: {fqdn: chat.example.com}
  routes:
  - conditions: [{prefix: /ws}]
    enableWebsockets: true
    timeoutPolicy: {response: 30s}
    retryPolicy: {count: 2, perTryTimeout: 5s}
    services: [{name: chat, port: 8080}]
"],
        asked: "protocol=grpc_stream rps=4 stream_mean=900 deadline_ms=86400000",
        expects: &[
            ("HR225", &["`idle_timeout` 300 s, the default"]),
            ("HR227", &["`per_try_timeout` 5,000 ms acts on route prefix /ws"]),
        ],
        never: &["gRPC failures", "resource-exhausted"],
        silent: &["HR127"],
    }
    .check();
}

#[test]
fn k_a_policy_that_governs_a_grpc_route() {
    Case {
        id: "K, constructed: the policy's 30 s hold, and not the default of 15 s",
        texts: &["\
apiVersion: gateway.networking.k8s.io/v1
kind: GRPCRoute
metadata: {name: events}
spec:
  parentRefs: [{name: eg}]
  rules:
  - backendRefs: [{name: events, port: 9000}]
---
apiVersion: gateway.envoyproxy.io/v1alpha1
kind: BackendTrafficPolicy
metadata: {name: events}
spec:
  targetRefs: [{group: gateway.networking.k8s.io, kind: GRPCRoute, name: events}]
  timeout: {http: {requestTimeout: 30s}}
"],
        asked: "protocol=grpc_stream rps=0.5 stream_mean=900",
        expects: &[("HR224", &["`timeout` 30 s ends a stream 30 s after"])],
        never: &["`timeout` 15 s"],
        silent: &[],
    }
    .check();
}

#[test]
fn l_thirty_percent_of_three_hosts() {
    Case {
        id: "L, constructed: 1 of 3 is 33.3%",
        texts: &["\
apiVersion: networking.istio.io/v1
kind: DestinationRule
metadata: {name: stock}
spec:
  host: stock.shop.svc.cluster.local
  trafficPolicy:
    outlierDetection: {consecutive5xxErrors: 5, interval: 10s, baseEjectionTime: 30s, maxEjectionPercent: 30}
"],
        asked: "rps=300 mean=50 hosts=3 clients=10",
        expects: &[(
            "HR401",
            &[
                "`max_ejection_percent` 30 can never eject",
                "before 1.28 ejected one",
                "set `max_ejection_percent` to 34",
            ],
        )],
        never: &["at least one host is always ejected"],
        silent: &["HR409"],
    }
    .check();
}

#[test]
fn l_the_default_of_consul() {
    Case {
        id: "L, constructed: an entry as Consul's API has it",
        texts: &[
            r#"{"Kind": "service-defaults", "Name": "web", "UpstreamConfig": {"Overrides": [{"Name": "api",
              "Limits": {"MaxConnections": 50}, "PassiveHealthCheck": {"Interval": "30s", "MaxFailures": 4}}]}}"#,
        ],
        asked: "hosts=3",
        expects: &[("HR401", &["`max_ejection_percent` 10, a default, can never eject"])],
        never: &[],
        silent: &[],
    }
    .check();
}

#[test]
fn l_two_thirds_of_three() {
    Case {
        id: "L, envoyproxy/envoy#27066",
        texts: &["{name: trio, connect_timeout: 0.5s, outlier_detection: {consecutive_5xx: 3, max_ejection_percent: 67, interval: 5s}}"],
        asked: "hosts=3",
        expects: &[(
            "HR409",
            &["67 lets 2 of 3 hosts go, and panic undoes it from 2 on", "33% of the hosts are healthy"],
        )],
        never: &["3 of 3 hosts go"],
        silent: &["HR401"],
    }
    .check();
}

#[test]
fn m_one_endpoint_and_no_panic() {
    Case {
        id: "M, envoyproxy/envoy#40697",
        texts: &["\
apiVersion: networking.istio.io/v1
kind: DestinationRule
metadata: {name: ext}
spec:
  host: ext.example.com
  trafficPolicy:
    outlierDetection: {consecutiveGatewayErrors: 3, interval: 1s, baseEjectionTime: 5s, maxEjectionPercent: 100}
"],
        asked: "hosts=1",
        expects: &[("HR408", &["1 host, and panic is off", "flag UH for 5,000 ms or more"])],
        never: &["all hosts get traffic"],
        silent: &["HR409"],
    }
    .check();
}

#[test]
fn m_panic_by_health_checks() {
    Case {
        id: "M, constructed: 2 of 5 are healthy, 40% is below 50%",
        texts: &["\
cluster.orders.membership_total: 5
cluster.orders.membership_healthy: 2
cluster.orders.lb_healthy_panic: 1872
cluster.orders.upstream_rq_total: 52310
cluster.orders.upstream_rq_503: 1124
cluster.orders.upstream_rq_pending_overflow: 0
cluster.orders.health_check.failure: 991
"],
        asked: "",
        expects: &[
            ("HR610", &["in panic for 1,872 picks"]),
            ("HR611", &["3 of 5 hosts are out", "40% healthy is below", "look for what they share"]),
        ],
        never: &["that host", "max_requests"],
        silent: &["HR601", "HR602"],
    }
    .check();
}

#[test]
fn m_a_threshold_above_what_the_cap_leaves() {
    Case {
        id: "M, constructed: with 2 of 4 out 50% are healthy, below 60%",
        texts: &["\
apiVersion: networking.istio.io/v1
kind: DestinationRule
metadata: {name: a}
spec:
  host: a.b.svc.cluster.local
  trafficPolicy:
    outlierDetection: {consecutive5xxErrors: 3, interval: 5s, baseEjectionTime: 1m, maxEjectionPercent: 50, minHealthPercent: 60}
"],
        asked: "hosts=4",
        expects: &[("HR409", &["lets 2 of 4 hosts go, and panic undoes it from 2 on", "50% of the hosts are healthy", "60%"])],
        never: &[],
        silent: &["HR410"],
    }
    .check();
}

#[test]
fn n_percents_as_texts_and_500s_that_do_not_count() {
    Case {
        id: "N, istio/istio#13612",
        texts: &["\
apiVersion: networking.istio.io/v1alpha3
kind: DestinationRule
metadata:
  name: customer-rating-service
spec:
  host: customer-rating-service
  trafficPolicy:
    outlierDetection:
      baseEjectionTime: 30s
      consecutiveErrors: 1
      maxEjectionPercent: 100%
      minHealthPercent: 0%
"],
        asked: "",
        expects: &[(
            "HR413",
            &["only 502, 503 and 504 eject a host", "any number of 500s ejects none", "consecutive5xxErrors"],
        )],
        never: &[],
        silent: &[],
    }
    .check();
}

#[test]
fn n_a_host_that_hangs_one_request_at_a_time() {
    Case {
        id: "N, constructed: split errors and timeouts one after another",
        texts: &["\
clusters:
- name: legacy
  connect_timeout: 1s
  outlier_detection: {split_external_local_origin_errors: true, consecutive_local_origin_failure: 3, interval: 5s, max_ejection_percent: 50}
routes:
- match: {prefix: /}
  route: {cluster: legacy, timeout: 1.5s}
"],
        asked: "rps=60 mean=80 hosts=4 deadline_ms=2000",
        expects: &[("HR416", &["3 timeouts one after another are never counted"])],
        never: &[],
        silent: &[],
    }
    .check();
}

#[test]
fn o_a_hedge_at_p95() {
    Case {
        id: "O, envoyproxy/envoy#13196: 250 ms, 100 ms for each try, two retries",
        texts: &["\
routes:
- match: {prefix: /search}
  route:
    cluster: search
    timeout: 0.25s
    hedge_policy: {hedge_on_per_try_timeout: true}
    retry_policy: {retry_on: 5xx, num_retries: 2, per_try_timeout: 0.1s}
"],
        asked: "rps=1000 mean=45 p50=35 p95=100 p99=180 clients=10 idempotent=true deadline_ms=300",
        expects: &[
            (
                "HR140",
                &[
                    "up to 3 attempts of one request in flight, started at 0, 100–125 and 200–275 ms",
                    "5.7% more requests at peak",
                ],
            ),
            ("HR213", &["need 375 ms", "run side by side", "after 200 ms to 275 ms"]),
        ],
        // The first attempt goes on: nothing is cut, and attempts run side by side.
        never: &["cuts 5% of good attempts", "two end in time"],
        silent: &["HR216"],
    }
    .check();
}

#[test]
fn o_three_requests_at_once_are_not_implemented() {
    Case {
        id: "O, constructed: hedging by fields that do nothing",
        texts: &["\
virtual_hosts:
- name: feed
  domains: [feed.example.com]
  hedge_policy:
    initial_requests: 3
    additional_request_chance: {numerator: 50, denominator: HUNDRED}
  routes:
  - match: {prefix: /}
    route: {cluster: feed, timeout: 1s}
"],
        asked: "",
        expects: &[
            ("HR139", &["`initial_requests` 3 is not implemented", "sends 1 request"]),
            ("HR139", &["`additional_request_chance` is not implemented"]),
        ],
        never: &["in flight"],
        silent: &["HR140"],
    }
    .check();
}

#[test]
fn p_a_port_loses_the_whole_policy() {
    Case {
        id: "P, istio/istio#19262 (comment)",
        texts: &["\
apiVersion: networking.istio.io/v1alpha3
kind: DestinationRule
metadata: {name: dr}
spec:
  host: httpbin.example.org
  trafficPolicy:
    connectionPool: {http: {http2MaxRequests: 200}}
    outlierDetection: {consecutive5xxErrors: 3, interval: 1s, maxEjectionPercent: 40}
    portLevelSettings:
    - port: {number: 443}
      tls: {mode: SIMPLE}
"],
        asked: "",
        expects: &[(
            "HR336",
            &[
                "port 443 loses `http2MaxRequests`, `outlierDetection` of the host",
                "`max_requests` is 4,294,967,295 there, not 200",
                "no failing host is ejected there",
            ],
        )],
        never: &[],
        silent: &[],
    }
    .check();
}

#[test]
fn p_limits_of_a_subset_that_nobody_names() {
    Case {
        id: "P, istio/istio.io#4653",
        texts: &["\
apiVersion: networking.istio.io/v1alpha3
kind: DestinationRule
metadata: {name: reviews}
spec:
  host: reviews
  subsets:
  - name: v1
    labels: {version: v1}
    trafficPolicy:
      connectionPool:
        tcp: {maxConnections: 100}
"],
        asked: "",
        expects: &[(
            "HR337",
            &["`maxConnections` 100 is for subset v1", "`max_connections` is 4,294,967,295"],
        )],
        never: &[],
        silent: &[],
    }
    .check();
}

#[test]
fn p_two_rules_for_one_host() {
    Case {
        id: "P, constructed: the breaker is in the younger rule",
        texts: &["\
apiVersion: networking.istio.io/v1
kind: DestinationRule
metadata: {name: a-pool, namespace: shop}
spec:
  host: cart.shop.svc.cluster.local
  trafficPolicy:
    loadBalancer: {simple: LEAST_REQUEST}
---
apiVersion: networking.istio.io/v1
kind: DestinationRule
metadata: {name: b-breaker, namespace: shop}
spec:
  host: cart.shop.svc.cluster.local
  trafficPolicy:
    connectionPool:
      http: {http2MaxRequests: 50}
"],
        asked: "",
        expects: &[("HR341", &["two DestinationRules", "the older rule"])],
        never: &[],
        silent: &[],
    }
    .check();
}

/// Envoy 1.40: "cluster manager: duplicate cluster 'a'".
#[test]
fn p_two_clusters_of_one_name() {
    Case {
        id: "P, constructed: the second has nothing but the name",
        texts: &["\
static_resources:
  clusters:
  - name: a
    connect_timeout: 2s
  - name: a
"],
        asked: "",
        expects: &[("HR341", &["a"])],
        never: &[],
        silent: &[],
    }
    .check();
}

#[test]
fn p_a_catch_all_stands_first() {
    Case {
        id: "P, constructed: 3 s hold for uploads, not 120 s",
        texts: &["\
apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: {name: api}
spec:
  hosts: [api]
  http:
  - route: [{destination: {host: api}}]
    timeout: 3s
  - match: [{uri: {prefix: /upload}}]
    route: [{destination: {host: api}}]
    timeout: 120s
    retries: {attempts: 0}
"],
        asked: "",
        expects: &[(
            "HR238",
            &[
                "route prefix /upload is never reached",
                "`timeout` 120 s does not act: the requests get 3,000 ms",
            ],
        )],
        never: &[],
        silent: &[],
    }
    .check();
}

const FAILED: &str = "\
[2025-03-01T10:00:00.000Z] \"GET /a HTTP/1.1\" 503 NC cluster_not_found - \"-\" 0 0 0 - \"-\" \"curl\" \"1\" \"api\" \"-\" - - 10.0.0.1:80 10.0.0.2:3000 - default
[2025-03-01T10:00:02.000Z] \"GET /c HTTP/1.1\" 503 - via_upstream - \"-\" 0 19 4 4 \"-\" \"curl\" \"3\" \"api\" \"10.0.0.7:80\" outbound|80||api - 10.0.0.1:80 10.0.0.2:3000 - default
[2025-03-01T10:00:03.000Z] \"GET /d HTTP/1.1\" 429 RL request_rate_limited - \"-\" 0 18 1 - \"-\" \"curl\" \"4\" \"api\" \"-\" outbound|80||api - 10.0.0.1:80 10.0.0.2:3000 - default
[2025-03-01T10:00:04.000Z] \"GET /e HTTP/1.1\" 504 UT response_timeout - \"-\" 0 24 15001 - \"-\" \"curl\" \"5\" \"api\" \"10.0.0.7:80\" outbound|80||api - 10.0.0.1:80 10.0.0.2:3000 - default
[2025-03-01T10:00:05.000Z] \"GET /e HTTP/1.1\" 504 UT response_timeout - \"-\" 0 24 15000 - \"-\" \"curl\" \"6\" \"api\" \"10.0.0.7:80\" outbound|80||api - 10.0.0.1:80 10.0.0.2:3000 - default
";

#[test]
fn q_failures_that_no_limit_makes() {
    Case {
        id: "Q, constructed: five failures, none of them UO",
        texts: &[FAILED],
        asked: "",
        expects: &[
            ("HR619", &["after 15 s on 2 lines of 5 (UT)", "15 s is the default"]),
            ("HR620", &["on 3 lines of 5", "1 line NC", "1 line RL", "the service answered so itself"]),
        ],
        never: &["raise `max_requests`", "set `max_requests`"],
        silent: &["HR606", "HR601"],
    }
    .check();
}

#[test]
fn q_connections_refused_and_no_request() {
    Case {
        id: "Q, constructed: 64 connections, and 16 pools may each open their first: 64 + 15",
        texts: &["\
cluster.ledger.circuit_breakers.default.cx_open: 1
cluster.ledger.circuit_breakers.default.rq_open: 0
cluster.ledger.circuit_breakers.default.remaining_cx: 0
cluster.ledger.circuit_breakers.default.remaining_pending: 1024
cluster.ledger.upstream_cx_active: 64
cluster.ledger.upstream_cx_overflow: 48112
cluster.ledger.upstream_rq_active: 6
cluster.ledger.upstream_rq_pending_overflow: 0
cluster.ledger.upstream_rq_total: 912004
cluster.ledger.membership_total: 4
cluster.ledger.membership_healthy: 4
server.concurrency: 4
"],
        asked: "",
        expects: &[(
            "HR609",
            &["48,112 counts attempts to connect, not refused requests", "up to 79 can be open"],
        )],
        never: &["refused 48,112 requests"],
        silent: &["HR601", "HR602"],
    }
    .check();
}

#[test]
fn r_a_budget_of_requests_per_second() {
    Case {
        id: "R, constructed after the manual of Linkerd: 0.2 × 500 + 10 = 110; 10 at once, each 100 ms and a back-off",
        texts: &["\
apiVersion: linkerd.io/v1alpha2
kind: ServiceProfile
metadata: {name: webapp.default.svc.cluster.local}
spec:
  routes:
  - {name: GET /books, condition: {method: GET, pathRegex: /books}, isRetryable: true, timeout: 300ms}
  retryBudget: {retryRatio: 0.2, minRetriesPerSecond: 10, ttl: 10s}
"],
        asked: "rps=500 mean=100 burst=1 skew=1 error_rate=0.01 idempotent=true",
        expects: &[("HR144", &["110 retries a second", "10 at once"])],
        never: &["panic"],
        silent: &[],
    }
    .check();
}

#[test]
fn s_bodies_above_32_kib() {
    Case {
        id: "S, envoyproxy/envoy#32464",
        texts: &[
            "\
static_resources:
  listeners:
  - name: l
    per_connection_buffer_limit_bytes: 32768
    filter_chains:
    - filters:
      - name: envoy.filters.network.http_connection_manager
        typed_config:
          \"@type\": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
          stat_prefix: in
          route_config:
            virtual_hosts:
            - name: v
              domains: [\"*\"]
              routes:
              - match: {prefix: /upload}
                route: {cluster: upload, timeout: 30s, retry_policy: {retry_on: connect-failure, num_retries: 2}}
  clusters:
  - {name: upload, connect_timeout: 1s, type: STRICT_DNS}
",
            "cluster.upload.retry_or_shadow_abandoned: 4210\ncluster.upload.upstream_rq_retry: 17\ncluster.upload.upstream_rq_total: 91000\n",
        ],
        asked: "",
        expects: &[("HR608", &["gave up 4,210 retries or shadows", "bodies above 32 KiB are sent once"])],
        never: &["other conditions"],
        silent: &["HR605"],
    }
    .check();
}

#[test]
fn t_forty_thousand_sockets_on_eight_gateways() {
    Case {
        id: "T, constructed: 20 a second that live 2,000 s, over 8 proxies: 5,000 each",
        texts: &["\
apiVersion: getambassador.io/v3alpha1
kind: Mapping
metadata: {name: live, namespace: web}
spec:
  hostname: \"*\"
  prefix: /live/
  service: live.web:9000
  allow_upgrade: [websocket]
  timeout_ms: 0
  idle_timeout_ms: 0
"],
        asked: "protocol=grpc_stream rps=20 stream_mean=2000 clients=8 burst=1 skew=1 slowdown=1 retry_overhead=0 workers=4 hosts=10",
        expects: &[("HR301", &["`max_requests` 1,024, a default,", "holds 5,000 streams at peak"])],
        never: &["40,000 streams", "after 0 ms"],
        silent: &[],
    }
    .check();
}

#[test]
fn t_one_connection_a_worker() {
    Case {
        id: "T, envoyproxy/envoy#33279: 4 workers × 1 connection × 32 streams, against 2,000 req/s × 100 ms",
        texts: &["\
name: svc
connect_timeout: 1s
circuit_breakers: {thresholds: [{max_requests: 400, max_connections: 1}]}
http2_protocol_options: {max_concurrent_streams: 32}
"],
        asked: "rps=2000 mean=100 workers=4 hosts=1 burst=1 skew=1 slowdown=1 retry_overhead=0",
        expects: &[("HR330", &["4 connections × 32 streams carry 128, too few for the 200 in flight"])],
        never: &["32 in flight"],
        silent: &["HR301"],
    }
    .check();
}

#[test]
fn t_a_hundred_for_a_hundred_and_forty() {
    Case {
        id: "T, constructed: 2,400 req/s × 350 ms over six proxies is 140",
        texts: &["\
apiVersion: networking.istio.io/v1
kind: DestinationRule
metadata: {name: pricing}
spec:
  host: pricing.shop.svc.cluster.local
  trafficPolicy:
    connectionPool:
      http: {http2MaxRequests: 100}
"],
        asked: "rps=2400 mean=350 p99=1500 clients=6 burst=1 skew=1 slowdown=1 retry_overhead=0 hosts=12 deadline_ms=6000",
        // Erlang B at 140 erlangs and 100 slots: 29.8%.
        expects: &[("HR301", &["has 140 in flight at peak (400 req/s × 350 ms) and refuses 30%", "`http2MaxRequests`"])],
        never: &["840"],
        silent: &[],
    }
    .check();
}
