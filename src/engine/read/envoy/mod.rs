//! Envoy's own configuration: bootstrap, resources, dumps, and fragments of all of them.

mod any;
mod breakers;
mod cluster;
mod dump;
mod fields;
mod http_options;
mod manager;
mod outlier;
mod retry;
mod route;
mod runtime;

pub use cluster::load_assignment;
pub use retry::{codes, words};
pub use runtime::settle;

use self::any::{inner_type, unwrap};
use self::route::Inherited;
use super::config::{
    ClusterConfig, Dialect, Effect, NoteKind, OutlierDetection, PolicyScope, ProblemKind, ResourceState,
    RouteConfig,
};
use super::field::{Field, Reader};
use super::scalar::Notation;
use super::tree::{Node, same_field};
use std::collections::BTreeSet;

/// Reads a document of Envoy; `false` if it is none.
pub fn document(reader: &mut Reader, root: &Field<'_>) -> bool {
    reader.enter(Dialect::Envoy, Notation::Proto, "Envoy");
    if root.node.items().is_some() {
        let read: Vec<bool> = root.items().iter().map(|item| resource(reader, item)).collect();
        return read.contains(&true);
    }
    resource(reader, root)
}

/// Reads a resource, a fragment or a whole configuration; `false` if it is none of them.
pub fn resource(reader: &mut Reader, field: &Field<'_>) -> bool {
    typed(reader, field) || dump::entry(reader, field) || whole(reader, field) || fragment(reader, field)
}

/// What says itself what it is.
fn typed(reader: &mut Reader, field: &Field<'_>) -> bool {
    let state = ResourceState::Static;
    let inner = unwrap(field);
    let kind = inner_type(field);
    kind_of(reader, kind);
    match kind {
        "Cluster" => cluster::cluster(reader, &inner, state),
        "Listener" => manager::listener(reader, &inner, state),
        "RouteConfiguration" => route::route_configuration(reader, &inner, Inherited::default()),
        "VirtualHost" => route::virtual_host(reader, &inner, Inherited::default()),
        "HttpConnectionManager" => manager::manager(reader, &inner, &manager::OfListener::default()),
        "TcpProxy" => route::tcp_proxy(reader, &inner),
        "ClusterLoadAssignment" => endpoints(reader, &inner),
        "Bootstrap" => bootstrap(reader, &inner, false),
        "Runtime" => {
            if let Some(layer) = inner.get("layer") {
                runtime::layer_of(reader, &layer, "");
            }
        }
        "ClustersConfigDump"
        | "RoutesConfigDump"
        | "ListenersConfigDump"
        | "BootstrapConfigDump"
        | "EndpointsConfigDump" => dump::config_dump(reader, std::slice::from_ref(field)),
        "HttpProtocolOptions" => {
            let mut part = part_of_cluster(reader, field);
            http_options::typed(reader, &inner, &mut part);
            reader.config.clusters.push(part);
        }
        "Secret"
        | "ScopedRouteConfiguration"
        | "SecretsConfigDump"
        | "ScopedRoutesConfigDump"
        | "TypedExtensionConfig" => {
            let message = format!("a {kind} has nothing to audit");
            reader.note(field.place(), NoteKind::Skipped, message);
        }
        _ => return false,
    }
    true
}

fn kind_of(reader: &mut Reader, kind: &str) {
    if !kind.is_empty() {
        kind.clone_into(&mut reader.origin.kind);
    }
}

/// What holds resources under well-known names.
fn whole(reader: &mut Reader, field: &Field<'_>) -> bool {
    if field.has("static_resources") || field.has("dynamic_resources") || field.has("layered_runtime") {
        kind_of(reader, "Bootstrap");
        bootstrap(reader, field, false);
        return true;
    }
    if field.has("configs") {
        dump::config_dump(reader, &field.list("configs"));
        return true;
    }
    let mut found = false;
    for entry in field.list("resources") {
        found |= resource(reader, &entry);
    }
    if ["static_clusters", "dynamic_active_clusters", "dynamic_warming_clusters"].iter().any(|l| field.has(l))
    {
        dump::clusters(reader, field);
        found = true;
    }
    if field.has("dynamic_route_configs") || field.has("static_route_configs") {
        dump::routes(reader, field);
        found = true;
    }
    if field.has("dynamic_listeners") || field.has("static_listeners") {
        dump::listeners(reader, field);
        found = true;
    }
    lists(reader, field, false) || found
}

/// Lists under their plain names, as the body of `static_resources` has them.
fn lists(reader: &mut Reader, field: &Field<'_>, is_static_resources: bool) -> bool {
    let state = ResourceState::Static;
    let mut found = false;
    // A virtual host has routes too, and reads them with what they inherit.
    let is_host = ["domains", "virtual_hosts", "retry_policy", "hedge_policy"].iter().any(|f| field.has(f));
    for entry in field.list("listeners").iter().filter(|f| f.has("filter_chains") || f.has("api_listener")) {
        manager::listener(reader, entry, state);
        found = true;
    }
    // Among clusters, one with nothing but a name is one too: with all of Envoy's defaults.
    let clusters = field.list("clusters");
    let are_clusters = is_static_resources || clusters.iter().any(looks_like_cluster);
    for entry in clusters.iter().filter(|f| are_clusters && f.has("name")) {
        cluster::cluster(reader, entry, state);
        found = true;
    }
    for entry in field.list("routes").iter().filter(|f| !is_host && f.has("route")) {
        route::route(reader, entry, &Inherited::default());
        found = true;
    }
    if let Some(routes) = field.get("route_config").filter(|_| !field.has("stat_prefix")) {
        route::route_configuration(reader, &routes, Inherited::default());
        found = true;
    }
    found
}

/// Fields that only a cluster has.
const OF_CLUSTER: &str = "type cluster_type connect_timeout circuit_breakers outlier_detection load_assignment \
    lb_policy eds_cluster_config typed_extension_protocol_options hosts http2_protocol_options common_lb_config \
    health_checks dns_lookup_family load_balancing_policy preconnect_policy max_requests_per_connection";

/// Fields that tell a cluster without a name.
const OF_PART: [&str; 6] = [
    "circuit_breakers",
    "outlier_detection",
    "connect_timeout",
    "typed_extension_protocol_options",
    "common_lb_config",
    "preconnect_policy",
];

fn looks_like_cluster(field: &Field<'_>) -> bool {
    field.has("name") && OF_CLUSTER.split_whitespace().any(|name| field.has(name))
}

/// What is a part of a configuration by its shape.
fn fragment(reader: &mut Reader, field: &Field<'_>) -> bool {
    let has = |name: &str| field.has(name);
    let state = ResourceState::Static;
    if looks_like_cluster(field) && !has("virtual_hosts") {
        kind_of(reader, "Cluster");
        cluster::cluster(reader, field, state);
    } else if has("virtual_hosts") {
        kind_of(reader, "RouteConfiguration");
        route::route_configuration(reader, field, Inherited::default());
    } else if has("routes") && (has("domains") || has("retry_policy") || has("hedge_policy")) {
        kind_of(reader, "VirtualHost");
        route::virtual_host(reader, field, Inherited::default());
    } else if has("match") && has("route") {
        kind_of(reader, "Route");
        route::route(reader, field, &Inherited::default());
    } else if has("filter_chains") {
        kind_of(reader, "Listener");
        manager::listener(reader, field, state);
    } else if has("stream_idle_timeout")
        || has("stat_prefix") && (has("http_filters") || has("route_config") || has("rds"))
    {
        kind_of(reader, "HttpConnectionManager");
        manager::manager(reader, field, &manager::OfListener::default());
    } else if has("cluster_name") && has("endpoints") {
        endpoints(reader, field);
    } else if has("thresholds") || has("per_host_thresholds") {
        kind_of(reader, "CircuitBreakers");
        let mut part = part_of_cluster(reader, field);
        breakers::circuit_breakers(reader, field, &mut part);
        reader.config.clusters.push(part);
    } else if OF_PART.iter().any(|name| has(name)) {
        kind_of(reader, "Cluster");
        cluster::cluster(reader, field, state);
    } else if has("retry_policy")
        || has("hedge_policy")
        || has("weighted_clusters")
        || has("cluster") && has("timeout")
    {
        kind_of(reader, "RouteAction");
        route::bare_action(reader, field);
    } else if has("retry_on") {
        kind_of(reader, "RetryPolicy");
        let policy = retry::retry_policy(reader, field, PolicyScope::Route);
        let origin = reader.origin_at(field);
        reader.config.routes.push(RouteConfig { origin, retry_policy: Some(policy), ..Default::default() });
    } else if has("consecutive_5xx") || has("base_ejection_time") || has("max_ejection_percent") {
        kind_of(reader, "OutlierDetection");
        let mut part = part_of_cluster(reader, field);
        part.outlier_detection = Some(outlier::outlier_detection(reader, field));
        reader.config.clusters.push(part);
    } else if let Some(route) = field.get("route").filter(|r| r.has("cluster") || r.has("weighted_clusters"))
    {
        kind_of(reader, "Route");
        let _ = route;
        route::route(reader, field, &Inherited::default());
    } else {
        return false;
    }
    true
}

fn part_of_cluster(reader: &Reader, field: &Field<'_>) -> ClusterConfig {
    ClusterConfig { origin: reader.origin_at(field), ..ClusterConfig::default() }
}

/// Reads a bootstrap; without its resources where they stand in a dump again.
fn bootstrap(reader: &mut Reader, field: &Field<'_>, resources_again: bool) {
    if let Some(resources) = field.get("static_resources").filter(|_| !resources_again) {
        lists(reader, &resources, true);
    }
    if let Some(layers) = field.get("layered_runtime") {
        runtime::layered(reader, &layers);
    }
    if let Some(runtime) = field.at(&["runtime", "base"]) {
        runtime::layer_of(reader, &runtime, "");
    }
    subscriptions(field.node, &mut reader.subscriptions);
}

/// Clusters that a source of configuration subscribes through, a stream for each; the aggregated
/// one is a single stream.
fn subscriptions(node: &Node, into: &mut BTreeSet<String>) {
    for entry in node.entries().unwrap_or_default() {
        let source = &entry.value;
        let streams = matches!(source.text_of("api_type"), Some("GRPC" | "DELTA_GRPC"));
        if !same_field(&entry.key, "api_config_source") {
            subscriptions(source, into);
        } else if streams {
            let names = source.entry("cluster_names").and_then(|e| e.value.items()).unwrap_or_default();
            into.extend(names.iter().filter_map(|n| n.text().map(str::to_owned)));
            let services = source.entry("grpc_services").map(|e| &e.value);
            let services = services.map_or(&[][..], |s| s.items().unwrap_or(std::slice::from_ref(s)));
            let clusters =
                services.iter().filter_map(|s| s.entry("envoy_grpc")?.value.text_of("cluster_name"));
            into.extend(clusters.map(str::to_owned));
        }
    }
    for item in node.items().unwrap_or_default() {
        subscriptions(item, into);
    }
}

/// Reads endpoints that stand apart from their cluster; they are joined by name at the end.
fn endpoints(reader: &mut Reader, field: &Field<'_>) {
    let Some(name) = field.text("cluster_name") else { return };
    let mut part = part_of_cluster(reader, field);
    load_assignment(&mut part, field);
    part.name = Some(name);
    reader.endpoints.push(part);
}

/// Leaves out a resource that the text breaks off in, because what is missing would be taken for
/// not set.
fn skip_unfinished(reader: &mut Reader, field: &Field<'_>, what: &str) -> bool {
    if field.node.unfinished {
        let name = field.node.text_of("name").map(|n| format!(" `{n}`")).unwrap_or_default();
        let message = format!("the {what}{name} is not read, because the text breaks off within it");
        reader.problem(
            field.place(),
            ProblemKind::Unfinished,
            Effect::Unread,
            message,
            "paste the whole text",
        );
    }
    field.node.unfinished
}

/// Reads the value of a patch: a part of a cluster.
pub fn cluster_part(reader: &mut Reader, field: &Field<'_>) -> ClusterConfig {
    cluster::read(reader, &unwrap(field), ResourceState::Static)
}

/// Reads the value of a patch: a part of a route; `None` if it does not forward.
pub fn route_part(reader: &mut Reader, field: &Field<'_>) {
    route::route(reader, &unwrap(field), &Inherited::default());
}

/// Reads the value of a patch: a part of a virtual host.
pub fn virtual_host_part(reader: &mut Reader, field: &Field<'_>) {
    route::virtual_host(reader, &unwrap(field), Inherited::default());
}

/// Reads the value of a patch: a network filter, or the connection manager itself.
pub fn filter_part(reader: &mut Reader, field: &Field<'_>) {
    manager::network_filter(reader, field, &manager::OfListener::default());
}

/// Reads the value of a patch: a listener.
pub fn listener_part(reader: &mut Reader, field: &Field<'_>) {
    manager::listener(reader, &unwrap(field), ResourceState::Static);
}

/// Reads the policies of a patch of a virtual host.
pub fn policies(reader: &mut Reader, field: &Field<'_>, into: &mut RouteConfig) {
    into.retry_policy = retry::policy_of(reader, field, PolicyScope::VirtualHost);
    into.hedge_policy = reader
        .message(field, "hedge_policy")
        .map(|policy| retry::hedge_policy(reader, &policy, PolicyScope::VirtualHost));
}

/// Reads outlier detection of a program that takes Envoy's message as it is.
pub fn outlier_part(reader: &mut Reader, field: &Field<'_>) -> OutlierDetection {
    outlier::outlier_detection(reader, field)
}
