//! Other programs that write Envoy's configuration, or have a data plane of their own: recognized
//! by name, with what of theirs maps onto Envoy's settings.

mod app_mesh;
mod consul;
mod contour;
mod emissary;
mod gloo;
mod kuma;
mod linkerd;

use super::config::{Dialect, NoteKind};
use super::envoy;
use super::field::{Field, Reader};
use super::kubernetes::enter;
use super::scalar::Notation;

/// Reads a resource with `apiVersion` and `kind`; `false` if nobody here knows it.
pub fn resource(reader: &mut Reader, root: &Field<'_>, group: &str, kind: &str) -> bool {
    let mut start = |dialect| enter(reader, root, dialect, Notation::Go, kind);
    match group {
        "projectcontour.io" => {
            start(Dialect::Contour);
            contour::read(reader, root, kind);
        }
        "getambassador.io" | "x.getambassador.io" => {
            start(Dialect::Emissary);
            emissary::read(reader, root, kind);
        }
        "consul.hashicorp.com" => {
            start(Dialect::Consul);
            consul::read(reader, root, kind);
        }
        "kuma.io" => {
            start(Dialect::Kuma);
            kuma::read(reader, root, kind);
        }
        "gloo.solo.io" | "gateway.solo.io" => {
            start(Dialect::Gloo);
            gloo::read(reader, root, kind);
        }
        "cilium.io" => {
            start(Dialect::Cilium);
            cilium(reader, root, kind);
        }
        "appmesh.k8s.aws" => {
            start(Dialect::AppMesh);
            app_mesh::read(reader, root, kind);
        }
        "linkerd.io" | "policy.linkerd.io" => {
            start(Dialect::Linkerd);
            linkerd::read(reader, root, kind);
        }
        "v1" if kind == "Service" => return contour::service(reader, root) || linkerd::service(reader, root),
        _ => return false,
    }
    true
}

/// Reads a document of a program that does without `apiVersion`; `false` if it is none.
pub fn without_version(reader: &mut Reader, root: &Field<'_>) -> bool {
    // Kuma on plain machines says `type: MeshRetry`, Consul `Kind = "service-defaults"`.
    let of_kuma = root.node.text_of("type").filter(|kind| root.has("mesh") && !kind.is_empty());
    if let Some(kind) = of_kuma {
        enter(reader, root, Dialect::Kuma, Notation::Go, kind);
        kuma::read(reader, root, kind);
        return true;
    }
    let of_consul = root.node.text_of("Kind").and_then(consul::kind_of_entry);
    if let Some(kind) = of_consul {
        // Entries of Consul itself have `MaxConnections` where its resources have `maxConnections`.
        let node = root.node.with_small_keys();
        let root = &root.with_node(&node);
        enter(reader, root, Dialect::Consul, Notation::Go, kind);
        consul::read(reader, root, kind);
        return true;
    }
    false
}

/// Looks at what several resources say together, once all are read.
pub fn settle(reader: &mut Reader) {
    consul::settle(reader);
}

/// Cilium takes Envoy's own resources.
fn cilium(reader: &mut Reader, root: &Field<'_>, kind: &str) {
    let Some(spec) = root.get("spec").filter(|_| kind.ends_with("EnvoyConfig")) else {
        let message =
            format!("Cilium's {kind} was recognized; it holds none of the settings that are audited");
        return reader.note(root.place(), NoteKind::Skipped, message);
    };
    reader.notation = Notation::Proto;
    for resource in spec.list("resources") {
        envoy::resource(reader, &resource);
    }
}
