//! Connections that take long to be set up: TLS to a second Envoy, over relays that hold back the
//! first bytes of each connection.

use super::listeners::Listeners;
use crate::process::Envoy;
use std::fmt::Write as _;
use std::io;
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::thread;
use std::time::Duration;

/// Hosts behind TLS that is slow to begin.
pub struct HeldBack {
    relays: Listeners,
    _tls: Envoy,
}

impl HeldBack {
    /// In front of each of the `hosts`.
    pub fn start(name: &str, hosts: &[SocketAddr], held: Duration) -> Self {
        let tls = Envoy::start(&format!("{name}-tls"), &config(hosts), 1);
        let targets: Vec<SocketAddr> = tls.listeners().into_iter().map(|(_, address)| address).collect();
        let relays = Listeners::start(hosts.len(), move |at, stream| {
            thread::sleep(held);
            // Either side may close at any time.
            let _ = relay(&stream, targets[at]);
        });
        Self { relays, _tls: tls }
    }

    /// Where the hosts are to be reached.
    pub fn addresses(&self) -> &[SocketAddr] {
        &self.relays.addresses
    }
}

/// Both ways, until both are closed.
fn relay(client: &TcpStream, target: SocketAddr) -> io::Result<()> {
    let server = TcpStream::connect(target)?;
    for stream in [client, &server] {
        stream.set_nodelay(true)?;
    }
    thread::scope(|scope| {
        scope.spawn(|| pour(client, &server));
        pour(&server, client);
    });
    Ok(())
}

fn pour(mut from: &TcpStream, mut to: &TcpStream) {
    let _ = io::copy(&mut from, &mut to);
    let _ = to.shutdown(Shutdown::Write);
}

/// A listener and a cluster for each host.
fn config(hosts: &[SocketAddr]) -> String {
    let key = serde_json::Value::from(include_str!("tls/test-only.key"));
    let certificate = serde_json::Value::from(include_str!("tls/test-only.crt"));
    let mut text = HEAD.to_owned();
    for at in 0..hosts.len() {
        let _ = write!(
            text,
            r#"  - name: host-{at:02}
    address: {{socket_address: {{address: 127.0.0.1, port_value: 0}}}}
    filter_chains:
    - transport_socket:
        name: envoy.transport_sockets.tls
        typed_config:
          "@type": type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext
          common_tls_context:
            tls_certificates:
            - private_key: {{inline_string: {key}}}
              certificate_chain: {{inline_string: {certificate}}}
      filters:
      - name: envoy.filters.network.tcp_proxy
        typed_config:
          "@type": type.googleapis.com/envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy
          stat_prefix: tls
          cluster: host-{at:02}
"#
        );
    }
    text.push_str("  clusters:\n");
    for (at, host) in hosts.iter().enumerate() {
        let (ip, port) = (host.ip(), host.port());
        let _ = write!(
            text,
            r"  - name: host-{at:02}
    type: STATIC
    load_assignment:
      cluster_name: host-{at:02}
      endpoints:
      - lb_endpoints: [{{endpoint: {{address: {{socket_address: {{address: {ip}, port_value: {port}}}}}}}}}]
"
        );
    }
    text
}

const HEAD: &str = "\
admin:
  address: {socket_address: {address: 127.0.0.1, port_value: 0}}
static_resources:
  listeners:
";
