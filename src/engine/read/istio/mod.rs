//! Istio: `DestinationRule`, `VirtualService`, `EnvoyFilter`.

mod destination_rule;
mod envoy_filter;
mod virtual_service;

use super::config::{Dialect, NoteKind};
use super::field::{Field, Reader};
use super::kubernetes;
use super::scalar::Notation;

/// Reads a resource of Istio; `false` if it is none.
pub fn resource(reader: &mut Reader, root: &Field<'_>, group: &str, kind: &str) -> bool {
    if !group.ends_with("istio.io") {
        return false;
    }
    kubernetes::enter(reader, root, Dialect::Istio, Notation::Go, kind);
    let Some(spec) = reader.message(root, "spec") else { return true };
    match kind {
        "DestinationRule" => destination_rule::read(reader, &spec),
        "VirtualService" => virtual_service::read(reader, &spec),
        "EnvoyFilter" => envoy_filter::read(reader, &spec),
        "Sidecar" => sidecar(reader, &spec),
        _ => {
            let message =
                format!("Istio's {kind} was recognized; it holds none of the settings that are audited");
            reader.note(root.place(), NoteKind::Skipped, message);
        }
    }
    true
}

/// The limits of what comes in, in front of the service's own pods.
fn sidecar(reader: &mut Reader, spec: &Field<'_>) {
    let mut pools: Vec<Field<'_>> = spec.get("inboundConnectionPool").into_iter().collect();
    pools.extend(spec.list("ingress").iter().filter_map(|i| i.get("connectionPool")));
    for block in pools {
        if reader.is_message(&block) {
            let mut into = destination_rule::pool(reader, &block);
            into.name.clone_from(&reader.origin.name);
            into.subset = Some(block.spanned("inbound".to_owned()));
            into.origin = reader.origin_at(&block);
            reader.config.clusters.push(into);
        }
    }
    kubernetes::partly(reader, spec, "connection pools of what comes in", "listeners, egress hosts");
}
