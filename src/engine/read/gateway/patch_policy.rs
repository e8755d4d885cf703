//! `EnvoyPatchPolicy`: JSON patches of what Envoy Gateway generates.
//!
//! A patch names a place in a resource (`/circuit_breakers/thresholds/0/max_retries`) and a value;
//! it is read as that value at that place in an otherwise empty resource.

use crate::engine::read::build::null;
use crate::engine::read::config::{Dialect, NoteKind, Patch, PatchOperation};
use crate::engine::read::envoy;
use crate::engine::read::field::{Field, Reader};
use crate::engine::read::scalar::Notation;
use crate::engine::read::tree::{Entry, Kind, Node};

/// Reads the spec.
pub fn read(reader: &mut Reader, spec: &Field<'_>) {
    for patch in spec.list("jsonPatches") {
        let kind = patch.node.text_of("type").and_then(|t| t.rsplit(['/', '.']).next()).unwrap_or_default();
        let Some(operation) = patch.get("operation") else { continue };
        let (op, path) = (operation.node.text_of("op"), operation.node.text_of("path"));
        let value = operation.get("value");
        let (Some("add" | "replace"), Some(value), "Cluster") = (op, &value, kind) else {
            let message = format!("a patch of a {kind} is not audited");
            reader.note(patch.place(), NoteKind::NotAudited, message);
            continue;
        };
        let wrapped = wrap(value.node, path.unwrap_or_default());
        let at = value.with_node(&wrapped);
        let replaces = op == Some("replace");
        reader.origin.patch = Some(Patch {
            operation: if replaces { PatchOperation::Replace } else { PatchOperation::Merge },
            applies_to: kind.to_owned(),
            context: None,
        });
        reader.notation = Notation::Proto;
        let mut part = envoy::cluster_part(reader, &at);
        part.name = part.name.or_else(|| patch.text("name"));
        part.origin.dialect = Dialect::EnvoyGateway;
        reader.config.clusters.push(part);
        reader.origin.patch = None;
        reader.notation = Notation::GatewayApi;
    }
}

/// More parts than this no path has.
const MAX_PARTS: usize = 16;

fn wrap(value: &Node, path: &str) -> Node {
    let mut node = value.clone();
    for part in path.rsplit('/').filter(|p| !p.is_empty()).take(MAX_PARTS) {
        let span = node.span;
        let kind = if part == "-" || part.bytes().all(|b| b.is_ascii_digit()) {
            Kind::List(vec![node])
        } else {
            let key = part.replace("~1", "/").replace("~0", "~");
            Kind::Map(vec![Entry { key, key_span: span, value: node }])
        };
        node = Node { kind, ..null(span) };
    }
    node
}
