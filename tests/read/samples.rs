//! Every sample file, against what its description says a correct reader finds.

use crate::show::show;
use crate::support::{problems, sample};
use headroom::engine::read::config::{Effect, ProblemKind, ResourceState, UpstreamProtocol};
use headroom::engine::read::value;

/// All lines that `wanted` lists stand in what was read, in that order.
#[track_caller]
fn check(name: &str, wanted: &[&str]) {
    let got = show(&sample(name));
    let mut rest = got.as_str();
    for line in wanted {
        let Some(at) = rest.find(line) else { panic!("{name}: {line:?} is not in\n{got}") };
        rest = &rest[at + line.len()..];
    }
}

#[track_caller]
fn check_problems(name: &str, wanted: &[(u32, ProblemKind, Effect)]) {
    assert_eq!(problems(&sample(name)), wanted, "{name}");
}

const DEPRECATED: (ProblemKind, Effect) = (ProblemKind::Deprecated, Effect::Accepted);

#[test]
fn y01_thresholds_as_a_mapping() {
    check(
        "y01-bootstrap-thresholds-as-map.yaml",
        &[
            "cluster 0 quay Envoy line 29",
            "proto Http1 connect 250 | DEFAULT 80/0/80/3 | HIGH 1024/1024/1024/3",
            "cluster 1 xds_old_style",
            "proto Http2 connect 30000 | DEFAULT 2048/3000/50000/3",
            "max% 0",
            "route 0 line 22 Http \"prefix /\" -> quay [0] DEFAULT timeout 50000",
        ],
    );
    let config = sample("y01-bootstrap-thresholds-as-map.yaml");
    assert_eq!(value(&config.clusters[1].max_concurrent_streams), Some(2_147_483_647));
    assert_eq!(value(&config.clusters[1].max_requests_per_connection), Some(5000));
    assert_eq!((config.clusters[0].hosts(), config.clusters[1].hosts()), (None, Some(1)));
    check_problems(
        "y01-bootstrap-thresholds-as-map.yaml",
        &[
            (47, DEPRECATED.0, DEPRECATED.1),
            (48, DEPRECATED.0, DEPRECATED.1),
            (56, ProblemKind::UnknownField { nearest: None }, Effect::Rejected),
        ],
    );
}

#[test]
fn y02_lower_case_priorities() {
    check(
        "y02-bootstrap-lowercase-priority.yaml",
        &[
            "control",
            "DEFAULT 90000/90000/50000000/40 | HIGH 90000/90000/50000000/40",
            "stats_sidecar",
            "DEFAULT 1024/1024/1024/3 | HIGH 1024/1024/1024/3",
        ],
    );
    check_problems("y02-bootstrap-lowercase-priority.yaml", &[(8, DEPRECATED.0, DEPRECATED.1)]);
}

#[test]
fn y03_the_first_entry_of_a_priority_counts() {
    let name = "y03-duplicate-and-missing-priority.yaml";
    check(
        name,
        &[
            "ledger ",
            "DEFAULT 200/100/400/3 | HIGH 1024/1024/0/3",
            "ledger-canary",
            "DEFAULT 1024/1024/1024/3 | HIGH 50/10/50/3",
        ],
    );
    let config = sample(name);
    let dead: Vec<u32> = config.clusters[0].dead_thresholds().map(|t| t.block.line()).collect();
    assert_eq!(dead, [13]);
    let zero = config.clusters[0].thresholds[2].max_requests.as_ref().unwrap();
    assert_eq!((zero.value, zero.at.line(), zero.at.span.column), (0, 19, 21));
    check_problems(name, &[]);
}

#[test]
fn y04_numbers_in_every_form() {
    check(
        "y04-hex-and-quoted-numbers.yaml",
        &[
            "DEFAULT 4294967295/1024/4/3",
            "-> slowpoke [0] DEFAULT timeout 500",
            "retry 2x5xx per_try 500 (acts None)",
        ],
    );
    let config = sample("y04-hex-and-quoted-numbers.yaml");
    // Not guessed: the default above stands for "not known".
    assert_eq!(value(&config.clusters[0].thresholds[0].max_pending_requests), None);
    check_problems("y04-hex-and-quoted-numbers.yaml", &[(12, ProblemKind::BadNumber, Effect::Rejected)]);
}

#[test]
fn y05_budgets_in_every_shape() {
    let name = "y05-retry-budget-shapes.yaml";
    check(
        name,
        &[
            "good_shape",
            "DEFAULT 1000/200/1000/25%/5",
            "bare_number",
            "DEFAULT 1024/1024/1024/20%/5",
            "swallowed_floor",
            "DEFAULT 1024/1024/1024/20%/3",
            // An empty budget is active with its defaults (measured), whatever max_retries says.
            "empty_budget",
            "DEFAULT 1024/1024/1024/20%/3",
        ],
    );
    check_problems(
        name,
        &[
            (24, ProblemKind::WrongShape, Effect::Rejected),
            (32, ProblemKind::UnknownField { nearest: None }, Effect::Rejected),
        ],
    );
    assert_eq!(value(&sample(name).clusters[3].thresholds[0].max_retries), Some(12));
}

#[test]
fn y06_anchors_and_merge_keys() {
    let name = "y06-anchors-and-merge-keys.yaml";
    check(
        name,
        &[
            "kelp Envoy",
            "DEFAULT 300/60/300/6",
            "outlier 5xx 4@100 gw 5@0 interval 5000 base 20000 max% 34",
            "kelp-writes",
            "DEFAULT 300/5/300/0",
            "outlier 5xx 4@0 gw 3@100 interval 5000 base 20000 max% 34",
            "prefix /kelp/w\" -> kelp-writes [1] DEFAULT timeout 2000",
            "retry 1xconnect-failure+refused-stream per_try 0",
            "prefix /kelp\" -> kelp [0] DEFAULT timeout 2000",
            "retry 3xconnect-failure+refused-stream per_try 600 (acts Some(600.0)) backoff 50..500",
        ],
    );
    let config = sample(name);
    let shared = config.clusters[1].thresholds[0].max_requests.as_ref().unwrap();
    // The text is the anchor's, the use is the merge key.
    assert_eq!((shared.at.line(), shared.at.alias.map(|a| a.line)), (9, Some(29)));
    let own = config.clusters[1].thresholds[0].max_retries.as_ref().unwrap();
    assert_eq!((own.value, own.at.line(), own.at.alias), (0, 31, None));
    let whole = config.clusters[0].thresholds[0].max_requests.as_ref().unwrap();
    assert_eq!((whole.at.line(), whole.at.alias.map(|a| a.line)), (9, Some(23)));
    check_problems(name, &[(29, ProblemKind::MergeKey, Effect::Rejected)]);
}

#[test]
fn y07_subsets_are_clusters_of_their_own() {
    let name = "y07-istio-dr-vs-multidoc.yaml";
    check(
        name,
        &[
            "cluster 0 ferry.dock.svc.cluster.local Istio",
            "connect 250 | DEFAULT 120/40/240/8 | HIGH 1024/1024/1024/3 | idle 45000 panic 0",
            "outlier 5xx 7@100 gw 5@0 interval 10000 base 60000 max% 50",
            "[blue]",
            "DEFAULT 120/40/240/8",
            "[green]",
            "connect 10000 | DEFAULT 12/4294967295/4294967295/4294967295",
            "outlier 5xx 7@100",
            "prefix /tickets\" -> ferry*90,ferry*10 [1, 2] DEFAULT timeout 2000",
            "retry 3x5xx+reset+connect-failure+retriable-4xx per_try 500",
            "route 1 line 59 Http \"\" -> ferry [1] DEFAULT timeout 0",
            "retry 2xconnect-failure+refused-stream+unavailable+cancelled+retriable-status-codes",
        ],
    );
    check_problems(name, &[]);
    // Zero means not set here.
    assert_eq!(value(&sample(name).clusters[0].max_requests_per_connection), None);
}

#[test]
fn y08_unknown_keys_with_the_right_place() {
    let name = "y08-istio-unknown-keys.yaml";
    check(
        name,
        &[
            "DEFAULT 100/50/4294967295/4294967295",
            "outlier 5xx 5@0 gw 5@100 interval 1000 base 180000 max% 100",
            "-> tundra [0] DEFAULT timeout 0",
            "retry 5xgateway-error+connect-failure+refused-stream+5xx per_try 1000",
        ],
    );
    let misplaced = |belongs: &str| ProblemKind::MisplacedField { belongs: belongs.to_owned() };
    let unknown = ProblemKind::UnknownField { nearest: None };
    check_problems(
        name,
        &[
            (15, misplaced("outlierDetection"), Effect::Ignored),
            (16, misplaced("outlierDetection"), Effect::Ignored),
            (17, misplaced("outlierDetection"), Effect::Ignored),
            (18, unknown.clone(), Effect::Ignored),
            (23, ProblemKind::Deprecated, Effect::Accepted),
            (39, misplaced("the route, beside `route`"), Effect::Ignored),
            (46, unknown, Effect::Ignored),
        ],
    );
}

#[test]
fn y09_envoy_gateway() {
    let name = "y09-envoy-gateway-btp.yaml";
    check(
        name,
        &[
            "harbor EnvoyGateway",
            "connect 3000 | DEFAULT 600/100/600/1024 | HIGH 1024/1024/1024/3 | idle 3600000 panic 20",
            "outlier 5xx 5@100 gw 5@0 interval 3000 base 30000 max% 10",
            "-> harbor [0] DEFAULT timeout 1000 idle 3600000",
            "retry 4xconnect-failure+retriable-status-codes per_try 250 (acts Some(250.0)) backoff 100..10000 codes [429, 503]",
        ],
    );
    assert_eq!(value(&sample(name).clusters[0].per_host_thresholds[0].max_connections), Some(60));
    check_problems(name, &[]);
}

#[test]
fn y10_contour_joins_services_and_routes() {
    let name = "y10-contour-httpproxy.yaml";
    check(
        name,
        &[
            "cluster 0 lantern Contour",
            "DEFAULT 2000/500/2000/3",
            "cluster 1 lantern[h2, idle 15 s]:80",
            "proto Http2 connect 2000 | DEFAULT 2000/500/2000/3 | HIGH 1024/1024/1024/3 | idle 15000",
            "prefix /v1/\" -> lantern [0] DEFAULT timeout 2000 idle 30000",
            "retry 2x5xx+reset+connect-failure per_try 500 (acts Some(500.0))",
            "prefix /watch\" -> lantern [1] DEFAULT timeout 0 idle 600000",
            "prefix /slow\" -> lantern [0] DEFAULT timeout 30000",
            "retry 3x5xx per_try 30000 (acts None) backoff 25..250 codes [502, 503, 504]",
        ],
    );
    check_problems(name, &[]);
}

#[test]
fn y11_emissary_priority_and_misspelling() {
    let name = "y11-emissary-mapping.yaml";
    check(
        name,
        &[
            "plover.birds Emissary",
            "DEFAULT 1024/1024/1024/3 | HIGH 2/2/2/3",
            "plover-stream.birds",
            "proto Grpc",
            "-> plover.birds [0] DEFAULT timeout 120000",
            "-> plover-stream.birds [1] DEFAULT timeout 3000",
            "retry 10x5xx",
        ],
    );
    let near = ProblemKind::UnknownField { nearest: Some("timeout_ms".to_owned()) };
    check_problems(name, &[(28, near, Effect::Ignored)]);
}

#[test]
fn y12_consul_with_envoy_inside() {
    let name = "y12-consul-proxy-defaults.yaml";
    check(
        name,
        &[
            "gannet Consul",
            "DEFAULT 10000000/10000000/10000000/3",
            "outlier 5xx 5@99",
            "local_app Consul line 27 hosts Some(1)",
            "DEFAULT 9000/1024/9000/3",
            "-> local_app [1] DEFAULT timeout 0",
        ],
    );
    check_problems(name, &[(7, ProblemKind::NoEffect, Effect::Ignored)]);
}

#[test]
fn y13_line_ends_of_windows() {
    let name = "y13-crlf.yaml";
    check(
        name,
        &["osprey", "DEFAULT 64/16/4294967295/4294967295", "gw 3@100 interval 5000 base 15000 max% 30"],
    );
    let config = sample(name);
    assert_eq!(config.clusters[0].thresholds[0].max_connections.as_ref().map(|m| m.at.line()), Some(11));
    check_problems(name, &[]);
}

#[test]
fn y14_tabs_are_named_and_nothing_is_guessed() {
    check_problems("y14-tab-indent-error.yaml", &[(6, ProblemKind::Tab, Effect::Unread)]);
    assert!(sample("y14-tab-indent-error.yaml").is_empty());
}

#[test]
fn y15_a_policy_of_the_route_replaces_that_of_the_host() {
    let name = "y15-hedge-and-route-priority.yaml";
    check(
        name,
        &[
            "prefix /pay\" -> reads [] HIGH timeout 400",
            "retry 1xconnect-failure per_try 0 (acts None)",
            "hedge false",
            "prefix /tail\" -> reads [] DEFAULT timeout 0 idle 120000",
            "retry 2xgateway-error+reset per_try 80 (acts Some(80.0)) backoff 5..20",
            "hedge true",
            "prefix /\" -> reads [] DEFAULT timeout 200",
            "retry 2xgateway-error+reset per_try 80",
            "hedge true",
        ],
    );
    let config = sample(name);
    let policy = config.routes[2].retry_policy.as_ref().unwrap();
    assert_eq!(value(&policy.host_selection_retry_max_attempts), Some(3));
    assert!(policy.avoids_previous_hosts());
    let tail = &config.routes[1];
    assert_eq!(value(&tail.grpc_timeout_header_max).map(|d| d.0), Some(0.0));
    assert_eq!(value(&tail.grpc_timeout_header_offset).map(|d| d.0), Some(20.0));
    assert!(tail.matches.as_ref().unwrap().value.grpc);
    check_problems(name, &[]);
}

#[test]
fn y16_kuma_puts_three_policies_together() {
    let name = "y16-kuma-policies.yaml";
    check(
        name,
        &[
            "connect 5000 | DEFAULT 1024/1024/1024/3",
            "outlier 5xx 10@100 gw 10@100 interval 5000 base 30000 max% 20",
            "timeout 15000 idle 1800000",
            "per_try 16000 (acts None) backoff 25..250",
        ],
    );
    assert_eq!((sample(name).clusters.len(), sample(name).routes.len()), (1, 1));
    check_problems(name, &[]);
}

#[test]
fn y17_app_mesh() {
    let name = "y17-appmesh-virtualnode.yaml";
    check(
        name,
        &[
            "wren AppMesh",
            "proto Http2",
            "DEFAULT 1024/1024/300/3",
            "outlier 5xx 10@100 gw 5@0 interval 15000 base 90000 max% 100",
            "-> wren [0] DEFAULT timeout 60000 idle 3600000",
        ],
    );
    check_problems(name, &[]);
}

#[test]
fn y18_templates_are_no_configuration() {
    check_problems("y18-helm-placeholders.yaml", &[(3, ProblemKind::Template, Effect::Unread)]);
    assert!(sample("y18-helm-placeholders.yaml").is_empty());
}

#[test]
fn y19_a_merged_entry_is_never_read() {
    let name = "y19-istio-envoyfilter-budget.yaml";
    check(
        name,
        &["pipit.meadow.svc.cluster.local Istio", "DEFAULT 4294967295/4294967295/4294967295/4294967295"],
    );
    let config = sample(name);
    let dead: Vec<u32> = config.clusters[0].dead_thresholds().map(|t| t.block.line()).collect();
    assert_eq!(dead, [15]);
    check_problems(name, &[]);
}

#[test]
fn a04_a_dump_with_warming_clusters() {
    let name = "a04-config-dump.json";
    check(
        name,
        &[
            "xds-grpc",
            "DEFAULT 100000/100000/100000/3 | HIGH 100000/100000/100000/3",
            "outbound|8080|v1|quay.dock.svc.cluster.local",
            "DEFAULT 4294967295/64/4294967295/4294967295",
            "panic 0 | outlier 5xx 5@0 gw 1@100 interval 1000 base 600000 max% 100",
            "httproute/apps/harbor/rule/0",
            "connect 250 | DEFAULT 1024/1024/1024/1024",
            "panic 50 | outlier 5xx 5@100 gw 5@0 interval 10000 base 30000 max% 10",
            "late-arrival",
            "prefix /\"",
            "[1] DEFAULT timeout 0",
            "codes [503]",
            "path /probe\"",
            "timeout 3000",
            "retry 2xretriable-status-codes per_try 500 (acts Some(500.0))",
        ],
    );
    let states: Vec<_> = sample(name).clusters.iter().map(|c| c.origin.state).collect();
    let (still, active) = (ResourceState::Static, ResourceState::Active);
    assert_eq!(states, [still, active, active, active, ResourceState::Warming]);
    assert_eq!(sample(name).clusters[0].protocol.as_ref().map(|p| p.value), Some(UpstreamProtocol::Http2));
    check_problems(name, &[(39, DEPRECATED.0, DEPRECATED.1)]);
}
