//! What is written can be read back, whatever a person calls a cluster.

use headroom::engine::envoy::emit::{Comment, paragraph, to_yaml};
use headroom::engine::envoy::model::*;
use headroom::engine::mapping::Places;
use headroom::engine::units::{Millis, Percent};
use proptest::prelude::*;
use proptest::{collection, option, sample};

/// Names that some reader of YAML takes for something else.
const HOSTILE: &[&str] = &[
    "yes",
    "no",
    "on",
    "y",
    "N",
    "true",
    "null",
    "~",
    "1.0",
    "1e3",
    "0x1F",
    "017",
    "0o7",
    "1_000",
    "-1",
    ".5",
    ".inf",
    ".nan",
    "1:30",
    "2026-11-01",
    "<<",
    "=",
    "-",
    "- a",
    "--- a",
    "...",
    "a: b",
    "a:",
    "a #b",
    "#a",
    "'a'",
    "\"a\"",
    "\\",
    "{a: b}",
    "[a]",
    "&a",
    "*a",
    "!a",
    "|",
    ">",
    "%a",
    "@a",
    "`a",
    "? a",
    ", a",
    "max_requests: 1",
    "\u{feff}a",
    "a\u{2028}b",
    "\u{202e}a",
    "支払い",
    "🦀",
    "\u{85}",
    "a\nclusters: []",
    "\t",
    "\u{0}",
    "C:\\new",
];

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        sample::select(HOSTILE).prop_map(str::to_owned),
        "\\PC{1,100}",
        "[a-zA-Z0-9_./:# -]{1,20}",
        any::<String>().prop_filter("a cluster has a name", |name| !name.is_empty()),
    ]
}

/// To the nanosecond, as a `Duration` is.
fn duration() -> impl Strategy<Value = Duration> {
    const NANOS_PER_MILLI: f64 = 1e6;
    (0u64..1 << 50).prop_map(|nanos| Duration(Millis(nanos as f64 / NANOS_PER_MILLI)))
}

fn retry_limit() -> impl Strategy<Value = RetryLimit> {
    prop_oneof![
        any::<u32>().prop_map(RetryLimit::MaxRetries),
        (0.0f64..=100.0, any::<u32>()).prop_map(|(percent, min_retry_concurrency)| {
            let budget_percent = Percent(percent).into();
            RetryLimit::RetryBudget(RetryBudget { budget_percent, min_retry_concurrency })
        }),
    ]
}

fn thresholds() -> impl Strategy<Value = Thresholds> {
    (any::<[u32; 3]>(), any::<[bool; 2]>(), retry_limit()).prop_map(|(limits, [high, track], retry_limit)| {
        Thresholds {
            priority: if high { RoutingPriority::High } else { RoutingPriority::Default },
            max_requests: limits[0],
            max_connections: limits[1],
            max_pending_requests: limits[2],
            retry_limit,
            track_remaining: track,
        }
    })
}

fn outlier_detection() -> impl Strategy<Value = OutlierDetection> {
    (any::<[u32; 5]>(), duration(), duration(), any::<bool>(), option::of(any::<bool>())).prop_map(
        |(numbers, interval, ejection, split, always)| OutlierDetection {
            consecutive_gateway_failure: numbers[0],
            enforcing_consecutive_gateway_failure: numbers[1],
            enforcing_consecutive_5xx: numbers[2],
            enforcing_success_rate: numbers[3],
            interval,
            base_ejection_time: ejection,
            max_ejection_percent: numbers[4],
            always_eject_one_host: always,
            split_external_local_origin_errors: split,
        },
    )
}

fn protocol_options() -> impl Strategy<Value = ExtensionProtocolOptions> {
    (duration(), any::<bool>()).prop_map(|(idle_timeout, is_http1)| ExtensionProtocolOptions {
        http: HttpProtocolOptions {
            common_http_protocol_options: CommonHttpProtocolOptions { idle_timeout },
            explicit_http_config: if is_http1 {
                ExplicitHttpConfig::Http1(NoOptions {})
            } else {
                ExplicitHttpConfig::Http2(NoOptions {})
            },
        },
    })
}

fn load_assignment() -> impl Strategy<Value = ClusterLoadAssignment> {
    (name(), "[a-z0-9.:]{1,20}", any::<u16>()).prop_map(|(cluster_name, address, port)| {
        let endpoint = Endpoint { address: Address::tcp(&address, port) };
        ClusterLoadAssignment {
            cluster_name,
            endpoints: vec![LocalityEndpoints { lb_endpoints: vec![LbEndpoint { endpoint }] }],
        }
    })
}

fn cluster() -> impl Strategy<Value = Cluster> {
    (
        name(),
        option::of(sample::select(&[DiscoveryType::Static, DiscoveryType::StrictDns])),
        option::of(duration()),
        option::of(collection::vec(thresholds(), 1..3)),
        option::of(outlier_detection()),
        option::of(protocol_options()),
        option::of(load_assignment()),
    )
        .prop_map(
            |(name, discovery, connect_timeout, thresholds, outlier_detection, options, load_assignment)| {
                Cluster {
                    name,
                    discovery,
                    connect_timeout,
                    circuit_breakers: thresholds.map(|thresholds| CircuitBreakers { thresholds }),
                    outlier_detection,
                    typed_extension_protocol_options: options,
                    load_assignment,
                }
            },
        )
}

fn retry_policy() -> impl Strategy<Value = RetryPolicy> {
    ("[a-z,-]{0,90}", any::<u32>(), option::of(duration()), duration(), duration(), option::of(any::<u32>()))
        .prop_map(|(retry_on, num_retries, per_try_timeout, base_interval, max_interval, picks)| {
            RetryPolicy {
                retry_on,
                num_retries,
                per_try_timeout,
                retry_back_off: RetryBackOff { base_interval, max_interval },
                retry_host_predicate: picks
                    .map(|_| RetryHostPredicate::previous_hosts())
                    .into_iter()
                    .collect(),
                host_selection_retry_max_attempts: picks,
            }
        })
}

fn max_stream_duration() -> impl Strategy<Value = MaxStreamDuration> {
    (option::of(duration()), option::of(duration())).prop_map(
        |(max_stream_duration, grpc_timeout_header_max)| MaxStreamDuration {
            max_stream_duration,
            grpc_timeout_header_max,
        },
    )
}

fn route() -> impl Strategy<Value = Route> {
    let durations = (duration(), option::of(duration()), option::of(max_stream_duration()));
    (name(), name(), durations, option::of(retry_policy())).prop_map(
        |(prefix, cluster, durations, retry_policy)| {
            let (timeout, idle_timeout, max_stream_duration) = durations;
            let route = RouteAction { cluster, timeout, idle_timeout, max_stream_duration, retry_policy };
            Route { matches: RouteMatch { prefix }, route }
        },
    )
}

fn fragments() -> impl Strategy<Value = Fragments> {
    (collection::vec(cluster(), 1..3), collection::vec(route(), 1..3))
        .prop_map(|(clusters, routes)| Fragments { clusters, routes })
}

/// Settings that get a comment, whether they are in the document or not.
const COMMENTED: &[&str] = &[
    "connect_timeout",
    "circuit_breakers.thresholds[0].priority",
    "circuit_breakers.thresholds[1].max_requests",
    "circuit_breakers.thresholds[0].retry_budget.budget_percent",
    "outlier_detection.max_ejection_percent",
    "typed_extension_protocol_options",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn fragments_can_be_read_back(fragments in fragments(), words in any::<String>()) {
        let at = Places::FRAGMENTS;
        let mut comments: Vec<Comment> =
            COMMENTED.iter().map(|key| Comment::new(format!("{}.{key}", at.cluster), words.clone())).collect();
        comments.push(Comment::new(format!("{}.route.timeout", at.route), words.clone()));
        let yaml = to_yaml(&fragments, &paragraph(&words, 0), &comments);
        let read: Fragments = serde_saphyr::from_str(&yaml).map_err(|e| TestCaseError::fail(format!("{e}\n{yaml}")))?;
        prop_assert_eq!(read, fragments, "{}", yaml);
        for line in yaml.lines() {
            prop_assert!(!line.contains(['\r', '\u{85}', '\u{2028}', '\u{2029}', '\u{202e}']), "{:?}", line);
        }
    }

    #[test]
    fn a_bootstrap_can_be_read_back(fragments in fragments(), names in collection::vec("[a-z_]{1,20}", 5)) {
        let [listener, stat_prefix, route_config, virtual_host, domain] = &names[..] else { unreachable!() };
        let manager = HttpConnectionManager {
            stat_prefix: stat_prefix.clone(),
            route_config: RouteConfiguration {
                name: route_config.clone(),
                virtual_hosts: vec![VirtualHost {
                    name: virtual_host.clone(),
                    domains: vec!["*".to_owned(), domain.clone()],
                    routes: fragments.routes,
                }],
            },
            http_filters: vec![HttpFilter { name: "router".to_owned(), typed_config: Router {} }],
        };
        let filters = vec![Filter { name: "manager".to_owned(), typed_config: manager }];
        let bootstrap = Bootstrap {
            admin: Admin { address: Address::tcp("127.0.0.1", 0) },
            static_resources: StaticResources {
                listeners: vec![Listener {
                    name: listener.clone(),
                    address: Address::tcp("::1", 65_535),
                    filter_chains: vec![FilterChain { filters }],
                }],
                clusters: fragments.clusters,
            },
        };
        let yaml = to_yaml(&bootstrap, &[], &[]);
        let read: Bootstrap = serde_saphyr::from_str(&yaml).map_err(|e| TestCaseError::fail(format!("{e}\n{yaml}")))?;
        prop_assert_eq!(read, bootstrap, "{}", yaml);
    }
}
