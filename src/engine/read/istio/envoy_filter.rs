//! `EnvoyFilter`: patches of what Istio generates.
//!
//! A merge appends to lists. Istio always writes a first `thresholds` entry of its own, so an entry
//! that a patch adds for the DEFAULT priority is never read.

use crate::engine::read::Setting;
use crate::engine::read::config::{ClusterConfig, Dialect, NoteKind, Patch, PatchOperation, Thresholds};
use crate::engine::read::envoy;
use crate::engine::read::field::{Field, Reader};
use crate::engine::read::scalar::Notation;

const OPERATIONS: &[(&str, Option<PatchOperation>)] = &[
    ("INVALID", None),
    ("MERGE", Some(PatchOperation::Merge)),
    ("ADD", Some(PatchOperation::Add)),
    ("REMOVE", Some(PatchOperation::Remove)),
    ("INSERT_BEFORE", Some(PatchOperation::Add)),
    ("INSERT_AFTER", Some(PatchOperation::Add)),
    ("INSERT_FIRST", Some(PatchOperation::Add)),
    ("REPLACE", Some(PatchOperation::Replace)),
];

/// Reads the spec.
pub fn read(reader: &mut Reader, spec: &Field<'_>) {
    for patch in spec.list("configPatches") {
        one(reader, &patch);
    }
}

fn one(reader: &mut Reader, config: &Field<'_>) {
    let applies_to = config.node.text_of("applyTo").unwrap_or_default().to_owned();
    let Some(patch) = config.get("patch") else { return };
    let operation = reader.word(&patch, "operation", OPERATIONS).and_then(|o| o.value);
    let Some(operation) = operation else { return };
    let target = config.get("match");
    let context = target.as_ref().and_then(|m| m.node.text_of("context")).map(str::to_owned);
    if operation == PatchOperation::Remove {
        let message = format!("a patch removes what it matches of {applies_to}; nothing is read from it");
        reader.note(patch.place(), NoteKind::PartlyRead, message);
        return;
    }
    let Some(value) = patch.get("value") else { return };
    reader.origin.patch = Some(Patch { operation, applies_to: applies_to.clone(), context });
    reader.notation = Notation::Proto;
    let before = (reader.config.routes.len(), reader.config.managers.len());
    match applies_to.as_str() {
        "CLUSTER" => {
            let name = target.as_ref().and_then(|m| cluster_name(m));
            let part = cluster(reader, &value, operation, name);
            reader.config.clusters.push(part);
        }
        "HTTP_ROUTE" => envoy::route_part(reader, &value),
        "VIRTUAL_HOST" => envoy::virtual_host_part(reader, &value),
        "NETWORK_FILTER" => envoy::filter_part(reader, &value),
        "LISTENER" => envoy::listener_part(reader, &value),
        _ => {
            let message = format!("patches of {applies_to} are not audited");
            reader.note(value.place(), NoteKind::NotAudited, message);
        }
    }
    if applies_to == "VIRTUAL_HOST" && reader.config.routes.len() == before.0 {
        virtual_host(reader, &value);
    }
    let name = target.as_ref().and_then(route_name);
    for route in &mut reader.config.routes[before.0..] {
        route.name = route.name.take().or_else(|| name.clone());
    }
    reader.origin.patch = None;
    reader.notation = Notation::Go;
}

/// A patch of a virtual host has no routes of its own: its policy is read as that of a route.
fn virtual_host(reader: &mut Reader, value: &Field<'_>) {
    if value.has("retry_policy") || value.has("hedge_policy") {
        let mut part = crate::engine::read::config::RouteConfig {
            origin: reader.origin_at(value),
            ..Default::default()
        };
        envoy::policies(reader, value, &mut part);
        reader.config.routes.push(part);
    }
}

fn cluster_name(target: &Field<'_>) -> Setting<String> {
    let of = target.get("cluster")?;
    of.text("name").or_else(|| of.text("service"))
}

fn route_name(target: &Field<'_>) -> Setting<String> {
    let of = target.get("routeConfiguration")?;
    of.at(&["vhost", "route"])
        .and_then(|r| r.text("name"))
        .or_else(|| of.get("vhost").and_then(|v| v.text("name")))
}

fn cluster(
    reader: &mut Reader,
    value: &Field<'_>,
    operation: PatchOperation,
    name: Setting<String>,
) -> ClusterConfig {
    let mut part = envoy::cluster_part(reader, value);
    // What is added whole is Envoy's own; what is merged keeps what Istio generates.
    let merges = operation == PatchOperation::Merge;
    part.origin.dialect = if merges { Dialect::Istio } else { Dialect::Envoy };
    if part.name.is_none() {
        part.name = name.map(|n| n.map(|text| host_of(&text).unwrap_or(text)));
    }
    if merges {
        // What Istio generates stands first.
        let generated =
            Thresholds { block: part.origin.block.clone(), implied: true, ..Thresholds::default() };
        part.thresholds.insert(0, generated);
    }
    part
}

/// The host in a name that Istio gives a cluster: `outbound|8080|v1|ferry.dock.svc.cluster.local`.
fn host_of(cluster: &str) -> Option<String> {
    let parts: Vec<&str> = cluster.split('|').collect();
    match parts.as_slice() {
        [_, _, _, host] if !host.is_empty() => Some((*host).to_owned()),
        _ => None,
    }
}
