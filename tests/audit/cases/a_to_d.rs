//! Kinds A to D: default ceilings, queue or reject, cold start, limits per proxy.

use crate::support::Case;

/// A central limit of ten million for a remote cluster, and nothing for the local one.
const LOCAL: &str = "\
static_resources:
  clusters:
  - name: gannet
    connect_timeout: 1s
    circuit_breakers:
      thresholds: [{max_connections: 10000000, max_pending_requests: 10000000, max_requests: 10000000}]
  - name: local_app
    connect_timeout: 5s
    type: STATIC
";

#[test]
fn o01_sockets_stop_although_every_limit_was_raised() {
    Case {
        id: "O-01, envoyproxy/envoy#20020, hashicorp/consul#12373",
        texts: &[LOCAL],
        asked: "",
        expects: &[(
            "HR322",
            &[
                "cluster local_app has no limits",
                "1,024",
                "10,000,000 of cluster gannet is for that cluster only",
            ],
        )],
        never: &["already"],
        silent: &[],
    }
    .check();
}

#[test]
fn o01_both_limits_of_the_local_cluster_need_what_is_held() {
    Case {
        id: "O-01, with 5,000 sockets: 5 a second that live 1,000 s, and a quarter more",
        texts: &[LOCAL],
        asked: "name=local_app protocol=grpc_stream rps=5 stream_mean=1000 burst=1.25 skew=1 slowdown=1 retry_overhead=0 clients=1",
        expects: &[
            ("HR301", &["`max_requests` 1,024, a default,", "6,250 streams"]),
            ("HR334", &["`max_connections` 1,024, a default,", "6,250 connections"]),
        ],
        never: &["already"],
        silent: &[],
    }
    .check();
}

#[test]
fn o01_sample_y12_has_room_for_as_many() {
    Case {
        id: "O-01, y12: 9,000 of each at the local cluster",
        texts: &[include_str!("../../samples/y12-consul-proxy-defaults.yaml")],
        asked: "name=local_app protocol=grpc_stream rps=5 stream_mean=1000 burst=1.25 skew=1 slowdown=1 retry_overhead=0 clients=1",
        expects: &[],
        never: &[],
        silent: &["HR301", "HR310", "HR320", "HR322", "HR334"],
    }
    .check();
}

const KAFKA: &str = "\
static_resources:
  listeners:
  - name: broker-0
    filter_chains:
    - filters:
      - name: envoy.filters.network.tcp_proxy
        typed_config:
          \"@type\": type.googleapis.com/envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy
          stat_prefix: broker-0
          cluster: broker-0
  clusters:
  - name: broker-0
    connect_timeout: 1s
    type: STRICT_DNS
";

#[test]
fn o02_kafka_clients_dropped_at_the_tcp_ingress() {
    Case {
        id: "O-02, banzaicloud/koperator#616; 10,000 connections as 10 a second that live 1,000 s, headroom as burst",
        texts: &[KAFKA],
        asked: "protocol=grpc_stream rps=10 stream_mean=1000 burst=1.3 skew=1 slowdown=1 retry_overhead=0 clients=2",
        expects: &[("HR334", &["1,024, a default,", "6,500", "2,048 of the 10,000", "with one proxy lost each of the others holds 13,000"])],
        never: &["req/s", "`max_requests`"],
        silent: &["HR301", "HR525"],
    }
    .check();
}

#[test]
fn o02_the_text_alone_says_that_connections_are_counted() {
    Case {
        id: "O-02, without any number",
        texts: &[KAFKA],
        asked: "",
        expects: &[("HR319", &["`max_connections` 1,024, a default,", "requests per second say nothing"])],
        never: &[],
        silent: &["HR318"],
    }
    .check();
}

#[test]
fn o03_a_ceiling_chosen_from_the_port_range() {
    Case {
        id: "O-03, agent-substrate/substrate#806",
        texts: &["\
name: ingress
connect_timeout: 1s
circuit_breakers:
  thresholds:
  - {max_connections: 20000, max_pending_requests: 20000, max_requests: 20000}
"],
        // 5,000 a second; a caller that waits 0.2 s.
        asked: "protocol=http1 rps=5000 mean=50 p50=40 deadline_ms=200 clients=1 burst=1 skew=1 hosts=1",
        expects: &[(
            "HR314",
            &["`max_pending_requests` 20,000 is a queue of 4,000 ms at 5,000 req/s", "first 1,000"],
        )],
        never: &["all three"],
        // 20,000 is below the 28,232 ports, and far above the load.
        silent: &["HR525", "HR301", "HR313"],
    }
    .check();
}

#[test]
fn o04_three_of_six_rejected_although_the_queue_is_empty() {
    Case {
        id: "O-04, envoyproxy/envoy#16610; six at once as 2 a second for 3 s",
        texts: &["\
name: slowpoke
connect_timeout: 1s
circuit_breakers:
  thresholds:
  - {max_connections: 0xffffffff, max_requests: 3, max_pending_requests: 1024}
"],
        asked: "protocol=http1 rps=2 mean=3000 p50=2900 burst=1 skew=1 clients=1",
        expects: &[(
            "HR316",
            &[
                "`max_requests` 3 refuses",
                "3 of 6 in flight are refused at once",
                "the queue of 1,024 stays empty",
                "set `max_connections` to 3",
            ],
        )],
        never: &["set `max_pending_requests`", "raise `max_pending_requests`"],
        silent: &[],
    }
    .check();
}

#[test]
fn o04_sample_y04_is_the_wrong_lever_by_its_text() {
    Case {
        id: "O-04, y04",
        texts: &[include_str!("../../samples/y04-hex-and-quoted-numbers.yaml")],
        asked: "",
        expects: &[("HR316", &["`max_requests` 4 refuses what is above it and makes nothing wait"])],
        never: &["set `max_pending_requests`"],
        silent: &["HR301"],
    }
    .check();
}

#[test]
fn o05_a_connection_cap_with_two_pending_slots_and_no_keep_alive() {
    Case {
        id: "O-05, mosip/mosip-infra#1892; ten workers as 1,000 a second for 10 ms",
        texts: &["\
name: mosip
connect_timeout: 1s
max_requests_per_connection: 1
circuit_breakers:
  thresholds:
  - {max_connections: 5, max_pending_requests: 2}
"],
        asked: "protocol=http1 rps=1000 mean=10 p50=8 clients=1 workers=1 hosts=1 burst=1 skew=1",
        expects: &[
            (
                "HR313",
                &[
                    "`max_connections` 5 is below the 10 requests in flight",
                    "5 run and 2 wait, 7 of 10 at once",
                ],
            ),
            (
                "HR317",
                &[
                    "`max_requests_per_connection` 1",
                    "1,000 new connections a second",
                    "`max_pending_requests` has 2",
                ],
            ),
        ],
        never: &["57%", "56.7%"],
        silent: &[],
    }
    .check();
}

#[test]
fn o05_a_connection_cap_alone_refuses_nobody() {
    Case {
        id: "O-05, maxConnections 5 alone",
        texts: &["\
apiVersion: networking.istio.io/v1
kind: DestinationRule
metadata: {name: mosip}
spec: {host: mosip, trafficPolicy: {connectionPool: {tcp: {maxConnections: 5}}}}
"],
        asked: "",
        expects: &[],
        never: &[],
        silent: &["HR310", "HR313", "HR316", "HR317", "HR318"],
    }
    .check();
}

#[test]
fn o06_zero_pending_fails_every_fresh_pod() {
    Case {
        id: "O-06, bucketeer-io/bucketeer#2730",
        texts: &["\
name: stream
connect_timeout: 5s
http2_protocol_options: {}
circuit_breakers:
  thresholds:
  - {max_connections: 20000, max_requests: 20000, max_pending_requests: 0}
"],
        // 200 new streams a second, 0.1 s for the first connection.
        asked: "protocol=grpc_stream rps=200 stream_mean=10 connect_ms=100 burst=1 skew=1 clients=1",
        expects: &[(
            "HR310",
            &[
                "`max_pending_requests` is 0",
                "every request is refused",
                "20 arrive in the 100 ms",
                "set `max_pending_requests` to 39",
            ],
        )],
        never: &["no limit", "unlimited", "a default"],
        silent: &["HR315"],
    }
    .check();
}

#[test]
fn o06_sample_y01_has_a_real_zero() {
    Case {
        id: "O-06, y01 (cluster quay)",
        texts: &[include_str!("../../samples/y01-bootstrap-thresholds-as-map.yaml")],
        asked: "",
        expects: &[("HR310", &["`max_pending_requests` is 0", "none may wait for the first connection"])],
        never: &["no limit", "unlimited"],
        silent: &["HR318", "HR325"],
    }
    .check();
}

#[test]
fn o07_pending_bites_only_after_a_cold_start() {
    Case {
        id: "O-07, envoyproxy/envoy#11326; 300 at once as a burst of 15 for the 50 ms of a connection",
        texts: &["\
name: pool
connect_timeout: 1s
circuit_breakers:
  thresholds:
  - {max_connections: 200, max_pending_requests: 50}
"],
        asked: "protocol=http1 rps=400 mean=50 p50=45 burst=15 skew=1 clients=1 connect_ms=50 deadline_ms=3000",
        expects: &[("HR315", &["`max_pending_requests` 50", "250 of 300", "50 ms", "`max_connections` allows 200 does not help"])],
        never: &[],
        silent: &["HR301"],
    }
    .check();
}

#[test]
fn o07_the_steady_load_needs_no_more() {
    Case {
        id: "O-07, without the switch: 400 a second keep 20 waiting",
        texts: &["{name: pool, connect_timeout: 1s, circuit_breakers: {thresholds: [{max_connections: 200, max_pending_requests: 50}]}}"],
        asked: "protocol=http1 rps=400 mean=50 p50=45 burst=1 skew=1 clients=1 connect_ms=50",
        expects: &[],
        never: &[],
        silent: &["HR315"],
    }
    .check();
}

#[test]
fn o08_eight_connections_for_ten_servers() {
    Case {
        id: "O-08, istio/istio#28666",
        texts: &["\
apiVersion: networking.istio.io/v1beta1
kind: DestinationRule
metadata: {name: app}
spec:
  host: app
  trafficPolicy:
    connectionPool:
      tcp: {maxConnections: 8}
"],
        asked: "clients=2 hosts=10 host_concurrency=8",
        expects: &[(
            "HR522",
            &[
                "`max_connections` 8 is what one host takes",
                "2 proxies × 8 is 16 of the 80 that the hosts take, 20%",
                "40 each would use all 80",
                "80 each survives that and allows 16 to a host",
                "receiving proxy",
            ],
        )],
        // Istio cannot write a limit per host.
        never: &["per_host_thresholds"],
        silent: &[],
    }
    .check();
}

#[test]
fn o08_a_limit_per_host_is_per_proxy_too() {
    Case {
        id: "O-08, y09: 60 to each endpoint from each of ten gateways",
        texts: &[include_str!("../../samples/y09-envoy-gateway-btp.yaml")],
        asked: "protocol=http1 clients=10 hosts=20 host_concurrency=200",
        expects: &[(
            "HR332",
            &[
                "`max_connections` 60 per host is per proxy too",
                "600 to one host, which survives 200",
                "set it to 20",
            ],
        )],
        never: &[],
        silent: &[],
    }
    .check();
}

#[test]
fn o09_limit_one_a_thousand_connections() {
    Case {
        // Measured: at most limit + pools − 1, and not limit + pools as the source says.
        id: "O-09, envoyproxy/envoy#2927",
        texts: &["{name: app, connect_timeout: 1s, circuit_breakers: {thresholds: [{max_connections: 1}]}}"],
        asked: "hosts=100 workers=10",
        expects: &[(
            "HR524",
            &["`max_connections` 1 cannot hold", "1,000 pools", "up to 1,000 connections", "`max_requests`"],
        )],
        // A limit per host opens one connection a pool as well.
        never: &["1,001", "limit per host", "per_host"],
        silent: &["HR310"],
    }
    .check();
}

#[test]
fn o09_zero_is_one_connection_for_each_pool() {
    Case {
        id: "O-09, limit 0",
        texts: &["{name: app, connect_timeout: 1s, circuit_breakers: {thresholds: [{max_connections: 0}]}}"],
        asked: "hosts=100 workers=10",
        expects: &[(
            "HR310",
            &[
                "`max_connections` is 0",
                "nothing is refused for it",
                "the 1,000 pools keep one connection each",
            ],
        )],
        never: &["every request is refused"],
        silent: &["HR524"],
    }
    .check();
}

#[test]
fn o10_the_rule_is_applied_on_both_ends() {
    let case = |asked| {
        Case {
        id: "O-10, vendor manual of Alibaba Cloud Service Mesh",
        texts: &["\
apiVersion: networking.istio.io/v1
kind: DestinationRule
metadata: {name: app}
spec: {host: app, trafficPolicy: {connectionPool: {tcp: {maxConnections: 5}, http: {http1MaxPendingRequests: 0}}}}
"],
        asked,
        expects: &[
            ("HR523", &["`maxConnections` 5 limits each of the two hosts too", "2 × 5 = 10"]),
            ("HR311", &["`http1MaxPendingRequests` 0 counts as not set"]),
        ],
        never: &["every request is refused"],
        silent: &["HR310"],
    }
    };
    case("clients=3 hosts=2").check();
    // Five callers change nothing.
    case("clients=5 hosts=2").check();
}

#[test]
fn samples_with_sound_limits_have_little_to_say() {
    for texts in [
        &[include_str!("../../samples/y02-bootstrap-lowercase-priority.yaml")],
        &[include_str!("../../samples/y07-istio-dr-vs-multidoc.yaml")],
        &[include_str!("../../samples/y10-contour-httpproxy.yaml")],
        &[include_str!("../../samples/y13-crlf.yaml")],
    ] {
        Case {
            id: "sound limits",
            texts,
            asked: "",
            expects: &[],
            never: &[],
            silent: &[
                "HR301", "HR310", "HR311", "HR316", "HR318", "HR319", "HR322", "HR323", "HR325", "HR524",
            ],
        }
        .check();
    }
}
