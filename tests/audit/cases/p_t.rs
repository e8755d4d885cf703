//! Kinds P and T: settings that are not in effect, and sizing under load.

use crate::support::Case;

#[test]
fn o37_limits_on_high_traffic_on_default() {
    Case {
        id: "O-37, emissary-ingress/emissary#2833",
        texts: &["\
apiVersion: getambassador.io/v2
kind: Mapping
metadata: {name: backend, namespace: birds}
spec:
  prefix: /
  service: backend.birds:8070
  circuit_breakers:
  - {priority: high, max_connections: 1, max_pending_requests: 1, max_requests: 1}
"],
        asked: "",
        expects: &[(
            "HR323",
            &["`max_requests` 1 is for HIGH priority", "keep `max_requests` 1,024, a default, not 1"],
        )],
        never: &["1,025"],
        silent: &["HR324"],
    }
    .check();
}

#[test]
fn o37_samples_y11_and_y03() {
    Case {
        id: "O-37, y11",
        texts: &[include_str!("../../samples/y11-emissary-mapping.yaml")],
        asked: "",
        expects: &[("HR323", &["`max_requests` 2 is for HIGH priority", "1,024, a default, not 2"])],
        never: &["1,026"],
        silent: &[],
    }
    .check();
    Case {
        id: "O-37, y03 (ledger-canary), and the entry and the zero of ledger",
        texts: &[include_str!("../../samples/y03-duplicate-and-missing-priority.yaml")],
        asked: "",
        expects: &[
            ("HR323", &["`max_requests` 50 is for HIGH priority", "1,024, a default, not 50"]),
            (
                "HR325",
                &[
                    "never read",
                    "`max_connections` stays 200, not 4,000",
                    "`max_requests` stays 400, not 8,000",
                    "line 10",
                ],
            ),
            (
                "HR310",
                &["`max_requests` is 0 for HIGH priority", "every request of HIGH priority is refused"],
            ),
        ],
        never: &["1,074", "4,200"],
        silent: &[],
    }
    .check();
}

#[test]
fn o38_attempts_zero_reaches_only_the_ingress() {
    let case = |gateways: &'static [&'static str], fires: bool| Case {
        id: "O-38, istio/istio#38180",
        texts: gateways,
        asked: "",
        expects: if fires {
            &[("HR333", &["`attempts` 0", "`dock/edge` only", "2 retries", "add `mesh`"])]
        } else {
            &[]
        },
        never: &["retries are off"],
        silent: if fires { &[] } else { &["HR333"] },
    };
    case(
        &["\
apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: {name: ferry, namespace: dock}
spec:
  hosts: [ferry.dock.svc.cluster.local]
  gateways: [dock/edge]
  http:
  - retries: {attempts: 0}
    route: [{destination: {host: ferry.dock.svc.cluster.local}}]
"],
        true,
    )
    .check();
    case(
        &["\
apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: {name: ferry, namespace: dock}
spec:
  hosts: [ferry.dock.svc.cluster.local]
  gateways: [dock/edge, mesh]
  http:
  - retries: {attempts: 0}
    route: [{destination: {host: ferry.dock.svc.cluster.local}}]
"],
        false,
    )
    .check();
}

#[test]
fn o38_sample_y19_a_merged_budget_is_never_read() {
    Case {
        id: "O-38, y19",
        texts: &[include_str!("../../samples/y19-istio-envoyfilter-budget.yaml")],
        asked: "",
        expects: &[("HR325", &["never read", "`max_retries` stays 4,294,967,295", "DestinationRule"])],
        never: &["`max_retries` stays 3"],
        silent: &["HR306"],
    }
    .check();
}

#[test]
fn sample_y07_the_pool_of_a_subset_replaces_that_of_the_host() {
    Case {
        id: "y07: green has 12 connections and no other limit",
        texts: &[include_str!("../../samples/y07-istio-dr-vs-multidoc.yaml")],
        asked: "",
        expects: &[(
            "HR336",
            &[
                "subset green loses `http1MaxPendingRequests`, `http2MaxRequests` of the host",
                "`max_pending_requests` is 4,294,967,295 there, not 40",
                "`max_requests` is 4,294,967,295 there, not 240",
            ],
        )],
        never: &["subset blue"],
        silent: &["HR337"],
    }
    .check();
}

#[test]
fn o45_a_slow_backend_latches_into_an_outage() {
    Case {
        id: "O-45, ar-io/ar-io-node#841",
        texts: &["\
clusters:
- name: core
  connect_timeout: 1s
routes:
- {match: {prefix: /}, route: {cluster: core, timeout: 0s}}
"],
        asked: "protocol=http1 rps=3000 mean=200 p50=180 slowdown=10 retry_overhead=0 burst=1 skew=1 clients=1",
        expects: &[(
            "HR320",
            &[
                "`max_requests` 1,024, a default,",
                "6,000 in flight",
                "5,120 req/s at 200 ms",
                "512 req/s at 2,000 ms",
                "while 3,000 req/s arrive",
                "end the wait with a route `timeout`",
            ],
        )],
        never: &["10,000"],
        silent: &["HR301"],
    }
    .check();
}

#[test]
fn o46_http2_clients_fail_at_about_a_thousand() {
    Case {
        id: "O-46, knative-extensions/net-kourier#839; one connection takes everything to one of ten gateways: skew 10",
        texts: &["{name: service, connect_timeout: 1s, http2_protocol_options: {}}"],
        asked: "rps=10000 mean=1000 p50=900 burst=1 skew=10 clients=10 hosts=2",
        expects: &[
            ("HR521", &["`max_requests` 1,024, a default, on each of 10 proxies", "the busiest one has 1,024 for its 10,000", "10,240", "how many proxies"]),
            ("HR301", &["`max_requests` 1,024, a default, is below the floor of 10,"]),
        ],
        never: &["max_concurrent_streams"],
        silent: &["HR330"],
    }
    .check();
}

const SUBSCRIBED: &str = "\
dynamic_resources:
  lds_config: {api_config_source: {api_type: GRPC, grpc_services: [{envoy_grpc: {cluster_name: contour}}]}}
  cds_config: {api_config_source: {api_type: GRPC, grpc_services: [{envoy_grpc: {cluster_name: contour}}]}}
static_resources:
  clusters:
  - name: contour
    connect_timeout: 5s
    type: STRICT_DNS
    http2_protocol_options: {}
";

#[test]
fn o47_the_control_plane_cluster_overflows() {
    Case {
        id: "O-47, projectcontour/contour#291",
        texts: &[SUBSCRIBED],
        asked: "",
        expects: &[(
            "HR319",
            &["`max_requests` 1,024, a default, counts a control plane's subscriptions", "512 resources"],
        )],
        never: &[],
        silent: &[],
    }
    .check();
    Case {
        id: "O-47, with 1,200 streams: 2 a second that live 600 s",
        texts: &[SUBSCRIBED],
        asked: "name=contour protocol=grpc_stream rps=2 stream_mean=600 burst=1 skew=1 slowdown=1 retry_overhead=0 clients=1",
        expects: &[("HR301", &["`max_requests` 1,024, a default,", "1,200 streams"])],
        never: &[],
        silent: &["HR334"],
    }
    .check();
}

#[test]
fn o47_samples_with_room_for_subscriptions() {
    for text in [
        &[include_str!("../../samples/y01-bootstrap-thresholds-as-map.yaml")],
        &[include_str!("../../samples/y02-bootstrap-lowercase-priority.yaml")],
    ] {
        Case {
            id: "O-47, y01 (xds_old_style) and y02 (control)",
            texts: text,
            asked: "",
            expects: &[],
            never: &[],
            silent: &["HR319"],
        }
        .check();
    }
}
