//! The bootstrap of the proxy under test, written out from a case.

use super::case::{Case, Settings};
use headroom::engine::sim::RetryLimit;
use std::fmt::Write as _;
use std::net::SocketAddr;

/// The name of the cluster, so of its counters.
pub const CLUSTER: &str = "service";

/// Envoy's configuration, with the hosts at these addresses.
pub fn bootstrap(case: &Case, hosts: &[SocketAddr]) -> String {
    let mut text = HEAD.to_owned();
    text.push_str(&route(&case.settings));
    text.push_str(&cluster(case));
    for host in hosts {
        let (ip, port) = (host.ip(), host.port());
        let _ = writeln!(
            text,
            "        - endpoint: {{address: {{socket_address: {{address: {ip}, port_value: {port}}}}}}}"
        );
    }
    text
}

/// Milliseconds as Envoy reads a span.
fn span(ms: u32) -> String {
    format!("{}s", f64::from(ms) / 1000.0)
}

fn route(settings: &Settings) -> String {
    let timeout = span(settings.timeout.unwrap_or(0));
    let mut text = format!(
        "                route:\n                  cluster: {CLUSTER}\n                  timeout: {timeout}\n"
    );
    if let Some(retries) = settings.num_retries {
        let _ = write!(
            text,
            "                  retry_policy:\n                    retry_on: 5xx\n                    num_retries: {retries}\n"
        );
        if let Some(per_try) = settings.per_try_timeout {
            let _ = writeln!(text, "                    per_try_timeout: {}", span(per_try));
        }
    }
    text
}

fn cluster(case: &Case) -> String {
    let settings = &case.settings;
    let mut text = format!(
        "  clusters:\n  - name: {CLUSTER}\n    type: STATIC\n    connect_timeout: {}\n",
        span(settings.connect_timeout)
    );
    text.push_str(&breakers(settings));
    if let Some(failures) = settings.consecutive_5xx {
        let _ = writeln!(text, "    outlier_detection: {{consecutive_5xx: {failures}}}");
    }
    if let Some(idle) = settings.idle_timeout {
        text.push_str(OPTIONS);
        let _ = writeln!(text, "        common_http_protocol_options: {{idle_timeout: {}}}", span(idle));
    }
    if case.connect.is_some() {
        text.push_str(TLS);
    }
    let _ = write!(
        text,
        "    load_assignment:\n      cluster_name: {CLUSTER}\n      endpoints:\n      - lb_endpoints:\n"
    );
    text
}

fn breakers(settings: &Settings) -> String {
    let Settings { max_connections, max_pending_requests, max_requests, .. } = settings;
    let retries = match settings.retry_limit {
        RetryLimit::MaxRetries(n) => format!("max_retries: {n}"),
        RetryLimit::Budget(budget) => format!(
            "retry_budget: {{budget_percent: {{value: {}}}, min_retry_concurrency: {}}}",
            budget.budget_percent, budget.min_retry_concurrency
        ),
    };
    format!(
        "    circuit_breakers:\n      thresholds:\n      - max_connections: {max_connections}\n        max_pending_requests: {max_pending_requests}\n        max_requests: {max_requests}\n        {retries}\n"
    )
}

/// Connections of the callers are dealt out evenly to the workers, so that a request is as likely to
/// be at one as at another.
const HEAD: &str = r#"stats_flush_on_admin: true
admin:
  address: {socket_address: {address: 127.0.0.1, port_value: 0}}
static_resources:
  listeners:
  - name: callers
    address: {socket_address: {address: 127.0.0.1, port_value: 0}}
    connection_balance_config: {exact_balance: {}}
    filter_chains:
    - filters:
      - name: envoy.filters.network.http_connection_manager
        typed_config:
          "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
          stat_prefix: callers
          http_filters:
          - name: envoy.filters.http.router
            typed_config:
              "@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router
          route_config:
            virtual_hosts:
            - name: all
              domains: ["*"]
              include_request_attempt_count: true
              routes:
              - match: {prefix: /}
"#;

const OPTIONS: &str = r#"    typed_extension_protocol_options:
      envoy.extensions.upstreams.http.v3.HttpProtocolOptions:
        "@type": type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions
        explicit_http_config: {http_protocol_options: {}}
"#;

const TLS: &str = r#"    transport_socket:
      name: envoy.transport_sockets.tls
      typed_config:
        "@type": type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext
"#;
