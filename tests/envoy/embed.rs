//! Fragments as a person would paste them: text into text.

use std::fmt::Write as _;

const HEAD: &str = r#"admin:
  address: {socket_address: {address: 127.0.0.1, port_value: 0}}
static_resources:
  listeners:
  - name: ingress
    address: {socket_address: {address: 127.0.0.1, port_value: 0}}
    filter_chains:
    - filters:
      - name: envoy.filters.network.http_connection_manager
        typed_config:
          "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
          stat_prefix: ingress
          http_filters:
          - name: envoy.filters.http.router
            typed_config:
              "@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router
          route_config:
            virtual_hosts:
"#;

/// A bootstrap with the clusters and routes of all `fragments`, each route in a virtual host of
/// its own.
pub fn bootstrap(fragments: &[String]) -> String {
    let mut hosts = String::new();
    let mut clusters = String::new();
    for (at, fragment) in fragments.iter().enumerate() {
        let (cluster, route) = parts(fragment);
        let _ = write!(hosts, "            - name: host-{at}\n              domains: [host-{at}.example]\n");
        let _ = write!(hosts, "              routes:\n{}", indented(route, 14));
        clusters.push_str(&indented(cluster, 2));
    }
    format!("{HEAD}{hosts}  clusters:\n{clusters}")
}

/// The items below `clusters:` and those below `routes:`.
fn parts(fragment: &str) -> (&str, &str) {
    let (_, rest) = fragment.split_once("\nclusters:\n").expect("a fragment has clusters");
    rest.split_once("\nroutes:\n").expect("a fragment has routes")
}

fn indented(text: &str, columns: usize) -> String {
    let margin = " ".repeat(columns);
    text.lines().flat_map(|line| [margin.as_str(), line, "\n"]).collect()
}
