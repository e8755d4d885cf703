//! What belongs together: routes and clusters, clusters and their endpoints, managers and routes.

use super::config::{
    ClusterConfig, Configuration, Dialect, Pair, RouteConfig, RouteKind, RouteTarget, UpstreamProtocol,
};
use super::field::Reader;
use std::collections::BTreeMap;

/// Joins everything that refers to something by name.
pub fn join(reader: &mut Reader) {
    endpoints(reader);
    let config = &mut reader.config;
    for cluster in &mut config.clusters {
        let name = cluster.name.as_ref().map(|n| &n.value);
        cluster.carries_subscriptions = name.is_some_and(|n| reader.subscriptions.contains(n));
    }
    managers(config);
    let names = Names::of(&config.clusters);
    let mut pairs = Vec::new();
    for (route, r) in config.routes.iter().enumerate() {
        for (target, t) in r.targets.iter().enumerate() {
            for cluster in names.matching(&config.clusters, r, t) {
                pairs.push(Pair { route, target, cluster });
            }
        }
    }
    for pair in &pairs {
        if config.routes[pair.route].kind == RouteKind::Tcp {
            config.clusters[pair.cluster].carries_tcp = true;
        }
    }
    config.pairs = pairs;
    grpc(config);
}

fn endpoints(reader: &mut Reader) {
    let parts: BTreeMap<String, ClusterConfig> = std::mem::take(&mut reader.endpoints)
        .into_iter()
        .filter_map(|part| Some((part.name.as_ref()?.value.clone(), part)))
        .collect();
    for cluster in reader.config.clusters.iter_mut().filter(|c| c.endpoints.is_none()) {
        let part = cluster.name.as_ref().and_then(|n| parts.get(&n.value));
        if let Some(part) = part {
            cluster.endpoints.clone_from(&part.endpoints);
            cluster.endpoints_are_addresses = part.endpoints_are_addresses;
        }
    }
}

/// Routes that a manager gets by name.
fn managers(config: &mut Configuration) {
    let by_name: BTreeMap<&str, usize> = config
        .managers
        .iter()
        .enumerate()
        .filter_map(|(at, m)| m.route_config_name.as_ref().map(|n| (n.value.as_str(), at)))
        .collect();
    for route in config.routes.iter_mut().filter(|r| r.manager.is_none()) {
        let name = route.route_configuration.as_ref().map(|n| n.value.as_str());
        route.manager = name.and_then(|n| by_name.get(n)).copied();
    }
}

/// A cluster that only gRPC routes lead to speaks gRPC.
fn grpc(config: &mut Configuration) {
    let mut only: BTreeMap<usize, bool> = BTreeMap::new();
    for pair in &config.pairs {
        let grpc = config.routes[pair.route].matches.as_ref().is_some_and(|m| m.value.grpc);
        *only.entry(pair.cluster).or_insert(true) &= grpc;
    }
    for cluster in only.into_iter().filter(|(_, only)| *only).map(|(cluster, _)| cluster) {
        if let Some(protocol) =
            config.clusters[cluster].protocol.as_mut().filter(|p| p.value == UpstreamProtocol::Http2)
        {
            protocol.value = UpstreamProtocol::Grpc;
        }
    }
}

/// Clusters of one name that are looked at for a route.
const MAX_SAME_NAME: usize = 8;

/// Clusters by the first label of their name, so that a short name finds a long one.
struct Names<'c> {
    exact: BTreeMap<&'c str, Vec<usize>>,
    label: BTreeMap<&'c str, Vec<usize>>,
}

impl<'c> Names<'c> {
    fn of(clusters: &'c [ClusterConfig]) -> Self {
        let mut out = Self { exact: BTreeMap::new(), label: BTreeMap::new() };
        for (at, cluster) in clusters.iter().enumerate().filter(|(_, c)| !c.is_merged_patch()) {
            let Some(name) = &cluster.name else { continue };
            out.exact.entry(name.value.as_str()).or_default().push(at);
            out.label.entry(first_label(&name.value)).or_default().push(at);
        }
        out
    }

    fn matching(&self, clusters: &[ClusterConfig], route: &RouteConfig, target: &RouteTarget) -> Vec<usize> {
        let name = target.cluster.value.as_str();
        let by_label = route.origin.dialect != Dialect::Envoy;
        let candidates = if by_label { self.label.get(first_label(name)) } else { self.exact.get(name) };
        let fits: Vec<usize> = candidates
            .into_iter()
            .flatten()
            .copied()
            .take(MAX_SAME_NAME)
            .filter(|&at| fits(&clusters[at], route, target, by_label))
            .collect();
        // The most special of the clusters of a host: with the port, or the one for every port.
        let with_port: Vec<usize> = fits.iter().copied().filter(|&at| clusters[at].port.is_some()).collect();
        if with_port.is_empty() { fits } else { with_port }
    }
}

fn first_label(name: &str) -> &str {
    name.split('.').next().unwrap_or(name)
}

fn fits(cluster: &ClusterConfig, route: &RouteConfig, target: &RouteTarget, by_label: bool) -> bool {
    let name = cluster.name.as_ref().map_or("", |n| n.value.as_str());
    let wanted = target.cluster.value.as_str();
    let same_name = if by_label { same_host(cluster, name, route, wanted) } else { name == wanted };
    let subset = |s: &crate::engine::read::Setting<String>| s.as_ref().map(|s| s.value.clone());
    let ports_differ = match (&cluster.port, &target.port) {
        (Some(of_cluster), Some(of_target)) => of_cluster.value != of_target.value,
        (Some(_), None) => cluster.origin.dialect == Dialect::Istio,
        _ => false,
    };
    same_name
        && !ports_differ
        && (cluster.origin.patch.is_some() || subset(&cluster.subset) == subset(&target.subset))
}

/// Whether two names mean one host: short names count within their namespace.
fn same_host(cluster: &ClusterConfig, a: &str, route: &RouteConfig, b: &str) -> bool {
    let full = |name: &str, namespace: Option<&str>| match (name.contains('.'), namespace) {
        (false, Some(namespace)) => format!("{name}.{namespace}"),
        _ => name.to_owned(),
    };
    let a = full(a, cluster.origin.namespace.as_deref());
    let b = full(b, route.origin.namespace.as_deref());
    let starts = |long: &str, short: &str| {
        long.strip_prefix(short).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    starts(&a, &b) || starts(&b, &a)
}
