//! The service behind the proxy under test: a second Envoy that answers after the time that each
//! request names.

use crate::process::Envoy;
use std::fmt::Write as _;
use std::net::SocketAddr;

/// The header in which a request names its time in service, in whole milliseconds.
pub const SERVICE_TIME: &str = "x-envoy-fault-delay-request";

/// Hosts of one Envoy process.
pub struct Upstream {
    _envoy: Envoy,
    /// Their addresses.
    pub hosts: Vec<SocketAddr>,
}

impl Upstream {
    /// Starts that many hosts; they speak HTTP/1.1 and HTTP/2.
    pub fn start(name: &str, n_hosts: u32) -> Self {
        let mut config = String::from(HEAD);
        for host in 0..n_hosts {
            let _ = write!(config, "  - name: host-{host}\n{LISTENER}");
        }
        let envoy = Envoy::start(&format!("{name}-upstream"), &config, 1);
        let hosts = envoy.listeners().into_iter().map(|(_, address)| address).collect();
        Self { _envoy: envoy, hosts }
    }
}

const HEAD: &str = "\
admin:
  address: {socket_address: {address: 127.0.0.1, port_value: 0}}
static_resources:
  listeners:
";

const LISTENER: &str = r#"    address: {socket_address: {address: 127.0.0.1, port_value: 0}}
    filter_chains:
    - filters:
      - name: envoy.filters.network.http_connection_manager
        typed_config:
          "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
          stat_prefix: upstream
          route_config:
            name: upstream
            virtual_hosts:
            - name: all
              domains: ["*"]
              routes:
              - match: {prefix: /}
                direct_response: {status: 200, body: {inline_string: "ok"}}
          http_filters:
          - name: envoy.filters.http.fault
            typed_config:
              "@type": type.googleapis.com/envoy.extensions.filters.http.fault.v3.HTTPFault
              delay: {header_delay: {}, percentage: {numerator: 100}}
          - name: envoy.filters.http.router
            typed_config:
              "@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router
"#;
