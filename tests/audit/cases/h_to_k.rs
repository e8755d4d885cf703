//! Kinds H to K: timeouts and retries, deadlines, idle and keep-alive, gRPC and streams.

use crate::support::Case;

const VIRTUAL_SERVICE: &str = "apiVersion: networking.istio.io/v1\nkind: VirtualService\nmetadata: {name: quay}\nspec:\n  hosts: [quay]\n  http:\n  - route: [{destination: {host: quay}}]\n";

/// A text for Istio whose one route has these settings.
macro_rules! route_of_istio {
    ($settings:literal) => {
        concat!(
            "apiVersion: networking.istio.io/v1\nkind: VirtualService\nmetadata: {name: quay}\nspec:\n  hosts: [quay]\n  http:\n  - ",
            $settings,
            "\n    route: [{destination: {host: quay}}]\n"
        )
    };
}

#[test]
fn o19_a_budget_of_three_milliseconds_with_two_retries() {
    // The service takes 2 to 5 ms: p99.9 4.8 ms, and an attempt of 1.25 times that, 6 ms.
    let of = |asked, expects| Case {
        id: "O-19, istio/istio#17613",
        texts: &[route_of_istio!(
            "timeout: 0.003s\n    retries: {attempts: 2, retryOn: \"gateway-error,connect-failure,refused-stream\"}"
        )],
        asked,
        expects,
        // More attempts do not help.
        never: &["more attempts", "raise `num_retries`"],
        silent: &["HR201", "HR213"],
    };
    of(
        "",
        &[(
            "HR214",
            &["2 retries cannot run within `timeout` 3 ms", "the first back-off alone takes up to 25 ms"],
        )],
    )
    .check();
    of(
        "rps=100 p50=3.5 p999=4.8 slowdown=1 deadline_ms=100",
        &[(
            "HR214",
            &[
                "3 attempts of 6 ms and 75 ms of back-off need 93 ms",
                "`base_interval` 1 ms and `per_try_timeout` 6 ms a `timeout` of 21 ms is enough",
            ],
        )],
    )
    .check();
}

#[test]
fn o20_four_tries_of_a_second_do_not_fit_into_three() {
    Case {
        id: "O-20, istio/istio#39097",
        texts: &[route_of_istio!(
            "timeout: 3s\n    retries: {attempts: 3, perTryTimeout: 1s, retryOn: \"5xx,gateway-error,connect-failure,reset\"}"
        )],
        asked: "",
        expects: &[(
            "HR213",
            &[
                "4 attempts of up to 1,000 ms",
                "need 4,175 ms, more than `timeout` 3,000 ms",
                "two end in time, one is cut after 925 ms, one may never start",
                "by the manual's formula all need 4,275 ms",
                "`per_try_timeout` of at most 706 ms",
            ],
        )],
        never: &["3,000 ms fits", "fits exactly"],
        silent: &["HR201", "HR214", "HR215"],
    }
    .check();
}

#[test]
fn o21_a_per_try_timeout_longer_than_that_of_the_request() {
    Case {
        id: "O-21, the default policies of Kuma; envoyproxy/envoy#10082",
        texts: &[include_str!("../../samples/y16-kuma-policies.yaml")],
        asked: "",
        expects: &[(
            "HR201",
            &["`per_try_timeout` 16 s is not below `timeout` 15 s", "at most 2,395 ms", "6 attempts"],
        )],
        // Six times 16 s is what nobody waits.
        never: &["96 s"],
        silent: &["HR213", "HR215"],
    }
    .check();
}

#[test]
fn o22_a_retry_timeout_cut_normal_slow_calls() {
    Case {
        id: "O-22, istio/istio#55748",
        texts: &[route_of_istio!("retries: {attempts: 3, perTryTimeout: 2s, retryOn: \"503\"}")],
        asked: "",
        expects: &[(
            "HR215",
            &[
                "`per_try_timeout` 2,000 ms ends attempts that `retriable-status-codes` does not repeat",
                "longer than 2,000 ms fails with 504",
                "with 0 retries",
            ],
        )],
        never: &["8,000 ms", "8 s"],
        silent: &["HR201", "HR213"],
    }
    .check();
}

#[test]
fn o23_client_and_proxy_count_down_the_same_deadline() {
    const ROUTE: &str = "match: {prefix: /, grpc: {}}\nroute:\n  cluster: quay\n  timeout: 0s\n  max_stream_duration: {grpc_timeout_header_max: 0s}\n";
    Case {
        id: "O-23, envoyproxy/envoy#6566",
        texts: &[ROUTE],
        asked: "deadline_ms=1000",
        expects: &[(
            "HR222",
            &[
                "`grpc_timeout_header_offset` to 20 ms",
                "the proxy then takes 980 ms",
                "outlier detection never learns",
            ],
        )],
        never: &["the same on both", "consistent"],
        silent: &[],
    }
    .check();
}

#[test]
fn o24_the_inner_proxy_ignores_the_callers_deadline() {
    const INBOUND: &str = "static_resources:\n  clusters:\n  - {name: local_app, type: STATIC, connect_timeout: 0.1s}\n  listeners:\n  - name: inbound\n    filter_chains:\n    - filters:\n      - name: envoy.filters.network.http_connection_manager\n        typed_config:\n          \"@type\": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager\n          stat_prefix: inbound\n          route_config:\n            virtual_hosts:\n            - name: v\n              domains: ['*']\n              routes:\n              - match: {prefix: /}\n                route: {cluster: local_app}\n";
    // The outbound timeout of 1 s is the deadline; 200 timed-out calls a second on one proxy.
    Case {
        id: "O-24, envoyproxy/envoy#7358",
        texts: &[INBOUND],
        asked: "rps=200 mean=50 burst=1 skew=1 clients=1 deadline_ms=1000",
        expects: &[(
            "HR220",
            &[
                "`timeout` 15 s, the default",
                "up to 14 s of work for nobody",
                "2,800 slots, more than `max_requests` 1,024",
            ],
        )],
        never: &[],
        silent: &["HR202"],
    }
    .check();
}

#[test]
fn o25_the_server_closes_at_20_s_and_the_proxy_keeps_for_an_hour() {
    const PROXY: &str = "apiVersion: projectcontour.io/v1\nkind: HTTPProxy\nmetadata: {name: quay}\nspec:\n  virtualhost: {fqdn: quay.test}\n  routes:\n  - services: [{name: quay, port: 80, protocol: h2c}]\n    timeoutPolicy: {idle: 10s}\n";
    const CLUSTER: &str = "clusters:\n- {name: quay, connect_timeout: 1s}\nroutes:\n- match: {prefix: /}\n  route: {cluster: quay, idle_timeout: 300s}\n";
    let of = |text: &'static [&'static str]| Case {
        id: "O-25, projectcontour/contour#3313",
        texts: text,
        asked: "upstream_keepalive_s=20",
        expects: &[(
            "HR230",
            &[
                "for 60 min, the default",
                "closes them after 20 s",
                "of the cluster to 18 s, not `idle_timeout` of a route",
            ],
        )],
        // Lowering the route's idle timeout was tried and does not help.
        never: &["lower the route"],
        silent: &[],
    };
    of(&[CLUSTER]).check();
    of(&[PROXY]).check();
    // The sample closes after 15 s.
    Case {
        id: "O-25, y10",
        texts: &["apiVersion: projectcontour.io/v1\nkind: HTTPProxy\nmetadata: {name: quay}\nspec:\n  virtualhost: {fqdn: quay.test}\n  routes:\n  - services: [{name: quay, port: 80}]\n    timeoutPolicy: {response: 5s, idleConnection: 15s}\n"],
        asked: "upstream_keepalive_s=20",
        expects: &[],
        never: &[],
        silent: &["HR230"],
    }
    .check();
}

#[test]
fn o26_a_fix_checked_against_the_wrong_value() {
    const CLUSTER: &str =
        "name: quay\nconnect_timeout: 1s\ncommon_http_protocol_options: {idle_timeout: 20s}\n";
    let of = |asked, expects, silent| Case {
        id: "O-26, NVIDIA-NeMo/nemo-platform#1101",
        texts: &[CLUSTER],
        asked,
        expects,
        never: &["smaller than"],
        silent,
    };
    of(
        "",
        &[(
            "HR230",
            &[
                "20 s cannot be judged without the server's keep-alive",
                "closes after 5,000 ms needs 4,000 ms",
                "75 s is served well",
            ],
        )],
        &[],
    )
    .check();
    of(
        "upstream_keepalive_s=5",
        &[("HR230", &["for 20 s and the server closes them after 5,000 ms", "to 4,000 ms"])],
        &[],
    )
    .check();
    of("upstream_keepalive_s=75", &[], &["HR230"]).check();
}

#[test]
fn o27_a_stream_dies_15_s_after_the_half_close() {
    const ROUTE: &str = "apiVersion: gateway.networking.k8s.io/v1\nkind: GRPCRoute\nmetadata: {name: quay}\nspec:\n  rules:\n  - backendRefs: [{name: quay, port: 80}]\n";
    Case {
        id: "O-27, envoyproxy/gateway#5446",
        texts: &[ROUTE],
        asked: "protocol=grpc_stream rps=1 stream_mean=300",
        expects: &[(
            "HR224",
            &[
                "`timeout` 15 s, the default, ends a stream 15 s after its client has sent the last message",
                "set `timeout` to 0s",
            ],
        )],
        never: &["cannot be the"],
        silent: &["HR202", "HR217"],
    }
    .check();
    // Nobody said that the calls stream.
    Case {
        id: "O-27, protocol not known",
        texts: &[ROUTE],
        asked: "",
        expects: &[(
            "HR224",
            &["15 s after its client has sent the last message", "say whether the calls stream"],
        )],
        never: &[],
        silent: &[],
    }
    .check();
}

#[test]
fn o28_one_hop_forgot_the_idle_timeout() {
    Case {
        id: "O-28, aws/aws-app-mesh-roadmap#302",
        texts: &[include_str!("../../samples/y17-appmesh-virtualnode.yaml")],
        asked: "",
        expects: &[
            ("HR226", &["`idle` 60 min is set on this hop only", "a silent stream ends after 300 s"]),
            ("HR226", &["`perRequest` 60 s", "a request ends after 15 s"]),
        ],
        never: &["3,600 s is in force"],
        silent: &["HR218"],
    }
    .check();
}

#[test]
fn o29_a_zero_taken_for_not_set_and_a_misspelt_key() {
    Case {
        id: "O-29, emissary-ingress/emissary#545",
        texts: &[include_str!("../../samples/y11-emissary-mapping.yaml")],
        asked: "",
        // Both causes: the key, and the zero that old releases took for nothing.
        expects: &[
            (
                "HR232",
                &[
                    "`timemout_ms` is not read",
                    "3,000 ms",
                    "stays in force",
                    "took it for not set and kept 3,000 ms",
                ],
            ),
            ("HR224", &["`timeout` 3,000 ms, Emissary's default, ends a stream 3,000 ms after"]),
        ],
        never: &[],
        silent: &["HR218"],
    }
    .check();
}

/// What the samples must say about timeouts.
const SAMPLES: &[Case] = &[
    Case {
        id: "y04: equal to the route timeout",
        texts: &[include_str!("../../samples/y04-hex-and-quoted-numbers.yaml")],
        asked: "",
        // (500 − 25 − 50) / 3
        expects: &[
            ("HR201", &["`per_try_timeout` 500 ms is not below `timeout` 500 ms", "at most 141 ms"]),
            ("HR203", &["`connect_timeout` 1,000 ms leaves no time for a retry within `timeout` 500 ms"]),
        ],
        never: &[],
        silent: &["HR213", "HR215"],
    },
    Case {
        id: "y06: three retries of 0.6 s within 2 s",
        texts: &[include_str!("../../samples/y06-anchors-and-merge-keys.yaml")],
        asked: "",
        expects: &[("HR213", &["need 2,750 ms, more than `timeout` 2,000 ms", "2,950 ms"])],
        never: &[],
        silent: &["HR201", "HR203", "HR214"],
    },
    Case {
        id: "y07: three retries of 0.5 s within 2 s",
        texts: &[include_str!("../../samples/y07-istio-dr-vs-multidoc.yaml")],
        asked: "",
        // 4 × 500 + 25 + 50 + 100.
        expects: &[("HR213", &["need 2,175 ms, more than `timeout` 2,000 ms"])],
        never: &[],
        silent: &["HR201", "HR215", "HR219"],
    },
    Case {
        id: "y09: four retries of 0.25 s within 1 s",
        texts: &[include_str!("../../samples/y09-envoy-gateway-btp.yaml")],
        asked: "",
        expects: &[
            ("HR213", &["need 2,750 ms, more than `timeout` 1,000 ms", "3,850 ms"]),
            ("HR203", &["`connect_timeout` 3,000 ms leaves no time for a retry within `timeout` 1,000 ms"]),
            ("HR215", &["`per_try_timeout` 250 ms"]),
        ],
        never: &[],
        silent: &["HR201"],
    },
    Case {
        id: "y10: /slow has 30 s for 30 s, /v1 fits, /watch is for streams",
        texts: &[include_str!("../../samples/y10-contour-httpproxy.yaml")],
        asked: "",
        expects: &[("HR201", &["`per_try_timeout` 30 s is not below `timeout` 30 s"])],
        never: &[],
        silent: &["HR213", "HR219", "HR224"],
    },
    Case {
        id: "y15: three attempts of 80 ms within 0.2 s, and a stream that inherits them",
        texts: &[include_str!("../../samples/y15-hedge-and-route-priority.yaml")],
        asked: "",
        expects: &[
            // 3 × 80 + 5 + 10.
            ("HR213", &["need 255 ms, more than `timeout` 200 ms"]),
            (
                "HR227",
                &["80 ms, inherited from the virtual host, acts on route prefix /tail", "3 streams at once"],
            ),
        ],
        never: &[],
        silent: &["HR201", "HR219", "HR222", "HR224", "HR225"],
    },
    Case {
        id: "a04: a timeout that nothing repeats",
        texts: &[include_str!("../../samples/a04-config-dump.json")],
        asked: "",
        expects: &[(
            "HR215",
            &["`per_try_timeout` 500 ms ends attempts that `retriable-status-codes` does not repeat"],
        )],
        never: &[],
        silent: &["HR201", "HR213", "HR219", "HR221"],
    },
];

#[test]
fn samples_say_what_they_must_about_timeouts() {
    for case in SAMPLES {
        case.check();
    }
}

#[test]
fn a_route_of_istio_without_a_word_says_nothing() {
    Case {
        id: "Istio's defaults",
        texts: &[VIRTUAL_SERVICE],
        asked: "",
        expects: &[],
        never: &["HR2"],
        silent: &["HR202", "HR203", "HR214", "HR215", "HR218", "HR219", "HR230"],
    }
    .check();
}
