//! Every metric that alerting rules ask for is there, under that name and with that label, on an Envoy that
//! runs what is emitted beside them.

use crate::process::{self, Envoy};
use headroom::engine::alerts::metrics;
use headroom::engine::analyze;
use headroom::engine::envoy::emit::to_yaml;
use headroom::engine::envoy::model::{Address, Bootstrap, DiscoveryType};
use headroom::engine::export::{Target, export};
use headroom::engine::scenario::Scenario;

#[test]
fn envoy_has_what_the_alerts_ask_for() {
    let _machine = process::machine();
    // Both priorities, retries, outlier detection, and a colon, which the names of stats cannot have.
    let link = "v=1&name=pay%3Av1&rps=800&p50=30&p99=120&high_priority_share=0.2&hosts=12&idempotent=true&deadline_ms=5000";
    let scenario = Scenario::from_link(link).expect("readable").expect("a scenario");
    let analysis = analyze(&scenario).expect("valid");
    let text = export(&analysis, Target::EnvoyBootstrap);
    let mut bootstrap: Bootstrap = serde_saphyr::from_str(&text).expect("what is emitted can be read");
    bootstrap.admin.address = Address::tcp("127.0.0.1", 0);
    bootstrap.static_resources.listeners[0].address = Address::tcp("127.0.0.1", 0);
    let cluster = &mut bootstrap.static_resources.clusters[0];
    cluster.discovery = Some(DiscoveryType::Static);
    for endpoints in cluster.load_assignment.iter_mut().flat_map(|load| &mut load.endpoints) {
        for host in &mut endpoints.lb_endpoints {
            host.endpoint.address = Address::tcp("127.0.0.1", 1);
        }
    }
    let envoy = Envoy::start("alerts", &to_yaml(&bootstrap, &[], &[]), 1);
    let page = envoy.prometheus();
    let asked = metrics(&analysis);
    assert!(asked.len() >= 12, "{asked:?}");
    let missing =
        asked.keys().filter(|metric| !page.contains(&format!("{metric}{{envoy_cluster_name=\"pay_v1\"}}")));
    let missing: Vec<&String> = missing.collect();
    assert!(missing.is_empty(), "{missing:?} are not in:\n{page}");
}
