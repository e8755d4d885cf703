//! Kind Q: look-alikes, and reading evidence of running proxies.

use crate::support::Case;

/// Four workers, three pods, one connection for each: the thirteenth request in flight fails.
const BIND_STATS: &str = "\
cluster.shop.bind_errors: 37
cluster.shop.membership_healthy: 3
cluster.shop.membership_total: 3
cluster.shop.upstream_cx_active: 12
cluster.shop.upstream_cx_connect_fail: 37
cluster.shop.upstream_cx_overflow: 0
cluster.shop.upstream_cx_total: 49
cluster.shop.upstream_rq_active_overflow: 0
cluster.shop.upstream_rq_pending_overflow: 0
server.concurrency: 4
";

const BIND_LOG: &str = r#"[2024-01-24T10:00:00.000Z] "GET / HTTP/1.1" 503 UF upstream_reset_before_response_started{connection_failure} - "immediate connect error: Cannot assign requested address" 0 159 1 - "-" "load/1" "id-1" "shop" "10.0.0.7:80" shop - 10.0.0.9:80 10.0.0.5:41022 - default
[2024-01-24T10:00:00.001Z] "GET / HTTP/1.1" 200 - via_upstream - "-" 0 12 4 3 "-" "load/1" "id-2" "shop" "10.0.0.7:80" shop - 10.0.0.9:80 10.0.0.5:41023 - default
"#;

#[test]
fn o39_503s_that_no_breaker_setting_will_cure() {
    Case {
        id: "O-39, cilium/cilium#30406",
        texts: &[BIND_STATS, BIND_LOG],
        asked: "",
        expects: &[
            (
                "HR604",
                &[
                    "37 connects failed, 76% of all, and no limit refused anything",
                    "no circuit breaker",
                    "4 workers × 3 hosts make 12 connections",
                    "leave the limits alone",
                ],
            ),
            ("HR604", &["could not bind on 1 line of 2: UF, not UO"]),
        ],
        never: &["raise `max_connections`", "set `max_connections`", "larger limits"],
        silent: &["HR601", "HR602", "HR603", "HR605", "HR606"],
    }
    .check();
}

/// 100 slots and 128 waiting places, at the instant of a scrape.
const FLAT: &str = "\
cluster.shop.circuit_breakers.default.remaining_pending: 128
cluster.shop.circuit_breakers.default.remaining_rq: 88
cluster.shop.circuit_breakers.default.rq_open: 0
cluster.shop.circuit_breakers.default.rq_pending_open: 0
cluster.shop.upstream_rq_active: 12
cluster.shop.upstream_rq_pending_active: 0
cluster.shop.upstream_rq_pending_overflow: 21
";

#[test]
fn o40_overflow_counted_and_gauges_flat() {
    Case {
        id: "O-40, envoyproxy/envoy#36771",
        texts: &[FLAT],
        asked: "",
        expects: &[(
            "HR602",
            &[
                "refused 21 requests, while the gauges are flat: 12 of 100 in use",
                "bursts shorter than the time between scrapes",
                "`upstream_rq_pending_overflow` 21",
                "`max_requests` 100",
                "`max_pending_requests` 128",
                "not for its mean",
                "alert on the counter",
            ],
        )],
        never: &["is not reached", "never reached"],
        silent: &["HR601", "HR603"],
    }
    .check();
    Case {
        id: "O-40 on a release with a counter of its own for max_requests",
        texts: &[
            "cluster.shop.circuit_breakers.default.rq_open: 0\ncluster.shop.upstream_rq_active_overflow: 21\n\
                  cluster.shop.upstream_rq_pending_overflow: 0\n",
        ],
        asked: "",
        expects: &[("HR602", &["`upstream_rq_active_overflow` 21: `max_requests` refused them"])],
        never: &["up to Envoy 1.37"],
        silent: &["HR601"],
    }
    .check();
    Case {
        id: "O-40, the samples: 311 and 20,349 refused",
        texts: &[
            include_str!("../../samples/a03-prometheus.txt"),
            include_str!("../../samples/a02-stats.txt"),
        ],
        asked: "",
        expects: &[
            (
                "HR602",
                &[
                    "cluster slip refused 311 of 100,000 requests, 0.31%",
                    "29 of 100 in use",
                    "200 req/s at 81.8 ms keep 16.4 in flight",
                ],
            ),
            ("HR605", &["cluster slip refused 640 of 2,140 retries"]),
            // Whether it was the queue or the slots, the one counter does not tell.
            (
                "HR601",
                &[
                    "cluster pier refused 20,349 of 1,224,000 requests, 1.7%",
                    "does not tell which",
                    "`max_pending_requests` 100, 40 in use",
                ],
            ),
            ("HR603", &["cluster pier is at its limit: 80 of 80 requests, 80 of 80 connections"]),
            ("HR605", &["cluster pier refused 58 of 61 retries, 3 were sent"]),
            ("HR609", &["`upstream_cx_overflow` 5,120", "with 12 pools up to 91 can be open"]),
        ],
        never: &[],
        silent: &["HR604", "HR607", "HR608", "HR610"],
    }
    .check();
}

const RETRIES: &str = "\
name: shop
connect_timeout: 1s
";

const RETRY_LOG: &str = r#"[2020-09-01T10:00:00.000Z] "GET / HTTP/1.1" 503 UF,URX 0 152 61 - "-" "load/1" "id-1" "shop" "10.0.0.7:80"
[2020-09-01T10:00:00.001Z] "GET / HTTP/1.1" 503 UF,UO 0 152 26 - "-" "load/1" "id-2" "shop" "10.0.0.7:80"
[2020-09-01T10:00:00.002Z] "GET / HTTP/1.1" 503 LR 0 152 26 - "-" "load/1" "id-3" "shop" "10.0.0.7:80"
[2020-09-01T10:00:00.003Z] "GET / HTTP/1.1" 503 UC 0 152 26 - "-" "load/1" "id-4" "shop" "10.0.0.7:80"
"#;

#[test]
fn o41_new_flags_after_adding_retries() {
    Case {
        id: "O-41, envoyproxy/envoy#13170",
        texts: &[RETRIES, RETRY_LOG],
        asked: "",
        expects: &[(
            "HR605",
            &[
                "UF,UO on 1 line of 4: the retry was refused, not the request",
                "`max_retries` 3, a default",
                "`retry_budget`",
            ],
        )],
        never: &["raise `max_requests`", "set `max_requests`"],
        silent: &["HR601", "HR602", "HR606"],
    }
    .check();
}

#[test]
fn samples_of_evidence() {
    Case {
        id: "a01: wharf and local_app pinned, one host out of three, O-45 and O-32",
        texts: &[include_str!("../../samples/a01-clusters.txt")],
        asked: "",
        expects: &[
            (
                "HR603",
                &[
                    "cluster wharf is at its limit: 1,024 of 1,024 requests, 1,024 of 1,024 connections",
                    "serve 512 req/s once an answer takes 2 s",
                ],
            ),
            ("HR603", &["cluster local_app is at its limit"]),
            (
                "HR611",
                &[
                    "cluster wharf: 1 of 3 hosts is out (failed_outlier_check)",
                    "it failed 10% of its requests",
                    "the other 2 hosts carry",
                ],
            ),
            // Half is not below half.
            ("HR611", &["cluster ledger-stream: 1 of 2 hosts is out", "the other 1 host carries"]),
        ],
        never: &["raise to 10,000"],
        silent: &["HR601", "HR602", "HR610"],
    }
    .check();
    Case {
        id: "a01, with what is known of wharf: 5,120 and 512 requests a second",
        texts: &[include_str!("../../samples/a01-clusters.txt")],
        asked: "rps=3000 mean=200 slowdown=10",
        expects: &[("HR603", &["1,024 slots serve 5,120 req/s at 200 ms, and 512 at 2,000 ms"])],
        never: &[],
        silent: &[],
    }
    .check();
    Case {
        id: "a05: what each flag means",
        texts: &[include_str!("../../samples/a05-access.log")],
        asked: "",
        expects: &[
            ("HR605", &["UF,UO on 1 line of 12: the retry was refused"]),
            ("HR606", &["requests were refused on 2 lines of 12 (UO)", "no host was picked"]),
            (
                "HR607",
                &["no host for 1 line of 12 (UH)", "`max_connection_pools` refused: both look the same"],
            ),
            ("HR614", &["on 1 line of 12 within milliseconds (UC)"]),
            ("HR615", &["with status 200: 2 lines of 12"]),
        ],
        never: &[],
        silent: &["HR604"],
    }
    .check();
    Case {
        id: "a06: one of two refusals is a connection",
        texts: &[include_str!("../../samples/a06-access-json.log")],
        asked: "",
        expects: &[
            ("HR606", &["requests were refused on 1 line of 4 (UO)", "`max_pending_requests` had no room"]),
            ("HR606", &["connections were refused on 1 line of 4 (UO)", "`max_connections`"]),
        ],
        never: &[],
        silent: &["HR605"],
    }
    .check();
    Case {
        id: "a07 says what a02 says",
        texts: &[include_str!("../../samples/a07-stats.json")],
        asked: "",
        expects: &[("HR601", &["cluster pier refused 20,349 of 1,224,003 requests, 1.7%"])],
        never: &[],
        silent: &["HR602"],
    }
    .check();
}

#[test]
fn a_limit_that_is_written_and_not_in_force() {
    Case {
        id: "O-40's neighbor: the text says 4,000, the proxy has 1,024",
        texts: &[
            "name: wharf\nconnect_timeout: 1s\ncircuit_breakers: {thresholds: [{max_requests: 4000, max_connections: 1024}]}\n",
            include_str!("../../samples/a01-clusters.txt"),
        ],
        asked: "",
        expects: &[("HR616", &["`max_requests` 4,000 is written, and cluster wharf runs with 1,024"])],
        never: &["`max_connections` 1,024 is written"],
        silent: &[],
    }
    .check();
}
