//! Envoy Gateway and the Gateway API.

mod backend_traffic_policy;
mod http_route;
mod patch_policy;

use super::config::{Dialect, NoteKind};
use super::field::{Field, Reader};
use super::kubernetes;
use super::scalar::Notation;

/// Reads a resource; `false` if it is of another group.
pub fn resource(reader: &mut Reader, root: &Field<'_>, group: &str, kind: &str) -> bool {
    if !matches!(group, "gateway.envoyproxy.io" | "gateway.networking.k8s.io") {
        return false;
    }
    kubernetes::enter(reader, root, Dialect::EnvoyGateway, Notation::GatewayApi, kind);
    let Some(spec) = reader.message(root, "spec") else { return true };
    match kind {
        "BackendTrafficPolicy" => backend_traffic_policy::read(reader, &spec),
        "HTTPRoute" | "GRPCRoute" => http_route::read(reader, &spec, kind),
        "EnvoyPatchPolicy" => patch_policy::read(reader, &spec),
        _ => {
            let message = format!("a {kind} was recognized; it holds none of the settings that are audited");
            reader.note(root.place(), NoteKind::Skipped, message);
        }
    }
    true
}
