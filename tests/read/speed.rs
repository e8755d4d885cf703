//! A configuration dump of a megabyte is read and audited at once.

use headroom::engine::audit::{Asked, audit};
use headroom::engine::params::ParamId;
use headroom::engine::read::{read, source::Input};
use headroom::engine::scenario::Draft;
use std::time::{Duration, Instant};

/// A dump of `clusters` clusters with two routes each, as the admin interface prints it.
pub fn dump(clusters: usize, pretty: bool) -> String {
    let cluster = |n: usize| {
        serde_json::json!({
            "version_info": "2026-11-29T08:00:00Z/41",
            "cluster": {
                "@type": "type.googleapis.com/envoy.config.cluster.v3.Cluster",
                "name": format!("outbound|8080||svc-{n}.shop.svc.cluster.local"),
                "type": "EDS",
                "eds_cluster_config": {"eds_config": {"ads": {}, "resource_api_version": "V3"}},
                "connect_timeout": "10s",
                "circuit_breakers": {"thresholds": [{
                    "max_connections": 4_294_967_295_u32, "max_pending_requests": n, "max_requests": 4_294_967_295_u32,
                    "max_retries": 4_294_967_295_u32, "track_remaining": true
                }]},
                "outlier_detection": {"interval": "1s", "base_ejection_time": "600s", "enforcing_success_rate": 0},
                "common_lb_config": {"healthy_panic_threshold": {}},
                "metadata": {"filter_metadata": {"istio": {"services": [{"host": format!("svc-{n}"), "namespace": "shop"}]}}},
            },
            "last_updated": "2026-11-29T08:00:01.010Z"
        })
    };
    let route = |n: usize, path: &str| {
        serde_json::json!({
            "name": path, "match": {"prefix": path},
            "route": {
                "cluster": format!("outbound|8080||svc-{n}.shop.svc.cluster.local"), "timeout": "3s",
                "retry_policy": {
                    "retry_on": "connect-failure,refused-stream", "num_retries": 2,
                    "retry_host_predicate": [{"name": "envoy.retry_host_predicates.previous_hosts"}],
                    "host_selection_retry_max_attempts": "5"
                }
            }
        })
    };
    let host = |n: usize| serde_json::json!({"name": format!("svc-{n}"), "domains": [format!("svc-{n}")], "routes": [route(n, "/a"), route(n, "/")]});
    let value = serde_json::json!({"configs": [
        {"@type": "type.googleapis.com/envoy.admin.v3.ClustersConfigDump",
         "dynamic_active_clusters": (0..clusters).map(cluster).collect::<Vec<_>>()},
        {"@type": "type.googleapis.com/envoy.admin.v3.RoutesConfigDump",
         "dynamic_route_configs": [{"route_config": {"name": "8080", "virtual_hosts": (0..clusters).map(host).collect::<Vec<_>>()}}]},
    ]});
    if pretty { serde_json::to_string_pretty(&value).unwrap() } else { value.to_string() }
}

/// A release build alone on its machine needs 15 to 45 ms, where 200 are allowed. Tests share the
/// machine with each other and are mostly unoptimized, so the bound here is generous.
const BOUND: Duration = Duration::from_millis(if cfg!(debug_assertions) { 4_000 } else { 600 });

#[track_caller]
fn check(what: &str, text: String, clusters: usize) {
    let input = [Input::new("dump", text)];
    let timed = || {
        let start = Instant::now();
        let config = read(&input);
        (start.elapsed(), config)
    };
    // The best of three: what the others take away is not the reader's.
    let (took, config) = [timed(), timed(), timed()].into_iter().min_by_key(|t| t.0).unwrap();
    println!("{what}: {} bytes, {took:?}", input[0].text.len());
    assert_eq!((config.clusters.len(), config.routes.len()), (clusters, 2 * clusters), "{what}");
    assert_eq!(config.pairs.len(), 2 * clusters, "{what}");
    assert_eq!(config.problems, [], "{what}");
    assert!(took <= BOUND, "{what} took {took:?}");
}

#[test]
fn a_megabyte_is_read_at_once() {
    check("pretty JSON", dump(300, true), 300);
    check("compact JSON", dump(650, false), 650);
    let value: serde_json::Value = serde_json::from_str(&dump(600, false)).unwrap();
    check("YAML", serde_saphyr::to_string(&value).unwrap(), 600);
}

/// A release build alone on its machine may take 200 ms for reading and audit together.
#[test]
fn a_megabyte_is_audited_at_once() {
    let input = [Input::new("dump", dump(300, true))];
    let mut draft = Draft::default();
    let inputs =
        [(ParamId::Rps, "500"), (ParamId::P50, "35"), (ParamId::P99, "110"), (ParamId::Clients, "100")];
    for (inputs, what) in [(&inputs[..0], "without a scenario"), (&inputs, "with a scenario")] {
        for (id, value) in inputs {
            draft.set(*id, *value);
        }
        let asked = Asked::new(draft.clone()).unwrap();
        let timed = || {
            let start = Instant::now();
            let audit = audit(read(&input), &asked);
            (start.elapsed(), audit)
        };
        let (took, audit) = [timed(), timed(), timed()].into_iter().min_by_key(|t| t.0).unwrap();
        println!("audit {what}: {} bytes, {took:?}, {} findings", input[0].text.len(), audit.findings.len());
        assert_eq!((audit.configuration.clusters.len(), audit.facts.len()), (300, 300));
        assert!(took <= 2 * BOUND, "{what}: {took:?}");
    }
}
