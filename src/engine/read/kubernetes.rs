//! Resources with `apiVersion` and `kind`: who they belong to.

use super::config::{Dialect, Effect, NoteKind, ProblemKind};
use super::field::{Field, Reader};
use super::scalar::Notation;
use super::{gateway, istio, others};

/// Reads a resource; `false` if the document is none.
pub fn document(reader: &mut Reader, root: &Field<'_>) -> bool {
    let (Some(version), Some(kind)) = (root.node.text_of("apiVersion"), root.node.text_of("kind")) else {
        return others::without_version(reader, root);
    };
    if kind == "List" || kind.ends_with("List") && root.has("items") {
        for item in root.list("items") {
            document(reader, &item);
        }
        return true;
    }
    let group = version.split('/').next().unwrap_or(version);
    let known = istio::resource(reader, root, group, kind)
        || gateway::resource(reader, root, group, kind)
        || others::resource(reader, root, group, kind);
    if !known {
        enter(reader, root, Dialect::Kubernetes, Notation::Go, kind);
        let message = format!("a {kind} of {version} holds none of the settings that are audited");
        reader.note(root.place(), NoteKind::Skipped, message);
    }
    true
}

/// Starts a resource with its name and its namespace.
pub fn enter(reader: &mut Reader, root: &Field<'_>, dialect: Dialect, notation: Notation, kind: &str) {
    reader.enter(dialect, notation, kind);
    let metadata = root.get("metadata");
    reader.origin.name = metadata.as_ref().and_then(|m| m.text("name")).or_else(|| root.text("name"));
    reader.origin.namespace = metadata.and_then(|m| m.node.text_of("namespace").map(str::to_owned));
    if root.node.unfinished {
        let message = format!("the text breaks off within this {kind}, so parts of it may be missing");
        reader.problem(
            root.place(),
            ProblemKind::Unfinished,
            Effect::Unread,
            message,
            "paste the whole text",
        );
    }
}

/// Says what was read of a resource and what was not.
pub fn partly(reader: &mut Reader, root: &Field<'_>, read: &str, not: &str) {
    let kind = &reader.origin.kind;
    let message = if read.is_empty() {
        format!("{kind} of {} was recognized; not read: {not}", reader.dialect.title())
    } else {
        format!("{kind} of {}: read {read}; not read: {not}", reader.dialect.title())
    };
    reader.note(root.place(), NoteKind::PartlyRead, message);
}
