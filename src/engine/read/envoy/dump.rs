//! What the admin interface prints: `/config_dump` in whole or in part.

use super::any::type_name;
use super::manager;
use super::route::{self, Inherited};
use super::{bootstrap, cluster, endpoints};
use crate::engine::read::config::{NoteKind, ResourceState, ServerReport};
use crate::engine::read::field::{Field, Reader};
use std::collections::BTreeSet;

/// Reads the sections of a dump.
///
/// A cluster of the bootstrap stands in the section of clusters again, and an inline route
/// configuration of a listener in that of routes: each is read once, where it is in force.
pub fn config_dump(reader: &mut Reader, configs: &[Field<'_>]) {
    let is = |name: &'static str| configs.iter().filter(move |c| type_name(c) == name);
    "config_dump".clone_into(&mut reader.origin.kind);
    for section in is("ListenersConfigDump") {
        listeners(reader, section);
    }
    for section in is("ClustersConfigDump") {
        clusters(reader, section);
    }
    for section in is("RoutesConfigDump") {
        routes(reader, section);
    }
    let scoped = ["inline_scoped_route_configs", "dynamic_scoped_route_configs"];
    for section in is("ScopedRoutesConfigDump").filter(|s| scoped.iter().any(|list| s.has(list))) {
        let message =
            "scoped routes of the dump refer to route configurations that are read where they stand";
        reader.note(section.place(), NoteKind::PartlyRead, message);
    }
    for section in is("BootstrapConfigDump") {
        if let Some(field) = section.get("bootstrap") {
            server(reader, &field);
            bootstrap(reader, &field, is("ClustersConfigDump").next().is_some());
        }
    }
    for section in is("EndpointsConfigDump") {
        for list in ["static_endpoint_configs", "dynamic_endpoint_configs"] {
            for entry in section.list(list).iter().filter_map(|e| e.get("endpoint_config")) {
                endpoints(reader, &entry);
            }
        }
    }
    let sections = [
        "ListenersConfigDump",
        "ClustersConfigDump",
        "RoutesConfigDump",
        "ScopedRoutesConfigDump",
        "BootstrapConfigDump",
        "EndpointsConfigDump",
        "SecretsConfigDump",
    ];
    for other in configs.iter().filter(|c| !sections.contains(&type_name(c))) {
        // `/config_dump?resource=dynamic_active_clusters` prints the entries without a section.
        if !entry(reader, other) {
            super::resource(reader, other);
        }
    }
}

/// Keeps the release that runs: the process itself writes it into the node of its bootstrap.
fn server(reader: &mut Reader, bootstrap: &Field<'_>) {
    let Some(version) = bootstrap.at(&["node", "user_agent_build_version", "version"]) else { return };
    // Protobuf's JSON leaves out zeros.
    let part = |name: &str| version.node.text_of(name).map_or(Some(0), |n| n.parse::<u32>().ok());
    let parts = [part("major_number"), part("minor_number"), part("patch")];
    let [Some(major), Some(minor), Some(patch)] = parts else { return };
    if major > 0 && reader.config.evidence.servers.len() < MAX_SERVERS {
        let release = version.spanned(format!("{major}.{minor}.{patch}"));
        let report = ServerReport { at: version.place(), version: Some(release), ..ServerReport::default() };
        reader.config.evidence.servers.push(report);
    }
}

/// Proxies whose release is kept.
const MAX_SERVERS: usize = 1_000;

/// Reads an entry of a section; `false` if it is none.
pub fn entry(reader: &mut Reader, field: &Field<'_>) -> bool {
    match type_name(field) {
        "DynamicCluster" | "StaticCluster" => {
            one_cluster(reader, field, ResourceState::Active);
        }
        "DynamicRouteConfig" | "StaticRouteConfig" => one_route_config(reader, field, ResourceState::Active),
        "DynamicListener" => dynamic_listener(reader, field),
        "StaticListener" => {
            if let Some(listener) = field.get("listener") {
                manager::listener(reader, &listener, ResourceState::Static);
            }
        }
        _ => return false,
    }
    true
}

/// Reads the clusters of a section.
pub fn clusters(reader: &mut Reader, section: &Field<'_>) {
    for (list, state) in [
        ("static_clusters", ResourceState::Static),
        ("dynamic_active_clusters", ResourceState::Active),
        ("dynamic_warming_clusters", ResourceState::Warming),
    ] {
        for entry in section.list(list) {
            one_cluster(reader, &entry, state);
        }
    }
}

fn one_cluster(reader: &mut Reader, entry: &Field<'_>, state: ResourceState) {
    if let Some(field) = entry.get("cluster") {
        cluster::cluster(reader, &field, state);
    }
    rejected(reader, entry);
}

fn rejected(reader: &mut Reader, entry: &Field<'_>) {
    if let Some(error) = entry.get("error_state") {
        let details = error.node.text_of("details").unwrap_or("no details");
        let message = format!("the last update was refused and the version before it is in force: {details}");
        reader.note(error.place(), NoteKind::Scope, message);
    }
}

/// Reads the listeners of a section.
pub fn listeners(reader: &mut Reader, section: &Field<'_>) {
    for listener in section.list("static_listeners").iter().filter_map(|e| e.get("listener")) {
        manager::listener(reader, &listener, ResourceState::Static);
    }
    for entry in section.list("dynamic_listeners") {
        dynamic_listener(reader, &entry);
    }
}

fn dynamic_listener(reader: &mut Reader, entry: &Field<'_>) {
    for (name, state) in [("active_state", ResourceState::Active), ("warming_state", ResourceState::Warming)]
    {
        if let Some(listener) = entry.at(&[name, "listener"]) {
            manager::listener(reader, &listener, state);
        }
    }
    rejected(reader, entry);
}

/// Reads the route configurations of a section.
pub fn routes(reader: &mut Reader, section: &Field<'_>) {
    // An inline route configuration was read with its listener.
    let document = reader.origin.document;
    let inline: BTreeSet<String> = reader
        .config
        .routes
        .iter()
        .filter(|r| r.manager.is_some() && r.origin.document == document)
        .map(|r| r.route_configuration.as_ref().map(|n| n.value.clone()).unwrap_or_default())
        .collect();
    for entry in section.list("static_route_configs") {
        let name = entry.get("route_config").and_then(|f| f.text("name"));
        if !inline.contains(&name.map(|n| n.value).unwrap_or_default()) {
            one_route_config(reader, &entry, ResourceState::Static);
        }
    }
    for entry in section.list("dynamic_route_configs") {
        one_route_config(reader, &entry, ResourceState::Active);
    }
}

fn one_route_config(reader: &mut Reader, entry: &Field<'_>, state: ResourceState) {
    if let Some(field) = entry.get("route_config") {
        route::route_configuration(reader, &field, Inherited { state, ..Inherited::default() });
    }
    rejected(reader, entry);
}
