//! Settings of one cluster or route that stand in several resources.

use super::config::{
    ClusterConfig, Configuration, Dialect, Origin, OutlierDetection, PatchOperation, RetryPolicy, RouteConfig,
};
use std::collections::{BTreeMap, BTreeSet};

/// Takes over what is set: where both are, the one on the right wins.
macro_rules! overlay {
    ($into:expr, $from:expr; $($field:ident)*) => { $( if $from.$field.is_some() { $into.$field.clone_from(&$from.$field); } )* };
}

/// Lays what `from` says over `into`; lists are appended to, as protobuf merges.
pub fn overlay_cluster(into: &mut ClusterConfig, from: &ClusterConfig) {
    overlay!(into, from;
        discovery protocol lb_policy connect_timeout per_connection_buffer_limit_bytes circuit_breakers
        healthy_panic_threshold update_merge_window fail_traffic_on_panic preconnect_policy health_checks
        idle_timeout max_connection_duration max_stream_duration max_requests_per_connection
        max_concurrent_streams keepalive_interval keepalive_timeout retry_policy);
    if from.endpoints.is_some() {
        into.endpoints.clone_from(&from.endpoints);
        into.endpoints_are_addresses = from.endpoints_are_addresses;
    }
    into.thresholds.extend(from.thresholds.iter().filter(|t| !t.implied).cloned());
    into.per_host_thresholds.extend(from.per_host_thresholds.iter().cloned());
    match (&mut into.outlier_detection, &from.outlier_detection) {
        (Some(into), Some(from)) => overlay_outlier(into, from),
        (none @ None, Some(from)) => *none = Some(from.clone()),
        (_, None) => {}
    }
}

fn overlay_outlier(into: &mut OutlierDetection, from: &OutlierDetection) {
    overlay!(into, from;
        consecutive_5xx consecutive_gateway_failure consecutive_local_origin_failure enforcing_consecutive_5xx
        enforcing_consecutive_gateway_failure enforcing_consecutive_local_origin_failure enforcing_success_rate
        enforcing_local_origin_success_rate enforcing_failure_percentage
        enforcing_failure_percentage_local_origin interval base_ejection_time max_ejection_time
        max_ejection_time_jitter max_ejection_percent success_rate_minimum_hosts success_rate_request_volume
        success_rate_stdev_factor failure_percentage_threshold failure_percentage_minimum_hosts
        failure_percentage_request_volume split_external_local_origin_errors always_eject_one_host
        successful_active_health_check_uneject_host detect_degraded_hosts error_matcher error_codes);
}

fn overlay_route(into: &mut RouteConfig, from: &RouteConfig) {
    overlay_times(into, from);
    overlay!(into, from; retry_policy);
}

/// Everything of a route but its retry policy.
fn overlay_times(into: &mut RouteConfig, from: &RouteConfig) {
    overlay!(into, from;
        priority timeout idle_timeout stream_durations max_stream_duration grpc_timeout_header_max grpc_timeout_header_offset
        max_grpc_timeout grpc_timeout_offset hedge_policy request_body_buffer_limit per_request_buffer_limit_bytes);
}

/// A patch merges single fields into the policy that Istio generates.
fn overlay_retries(into: &mut RetryPolicy, from: &RetryPolicy) {
    overlay!(into, from;
        retry_on num_retries per_try_timeout per_try_idle_timeout retry_back_off base_interval max_interval
        rate_limited_retry_back_off retriable_headers retriable_request_headers retry_priority
        host_selection_retry_max_attempts refresh_cluster_on_retry);
    // Lists are appended to.
    match (&mut into.retriable_status_codes, &from.retriable_status_codes) {
        (Some(into), Some(from)) => into.value.extend(&from.value),
        (none @ None, Some(from)) => *none = Some(from.clone()),
        (_, None) => {}
    }
    into.retry_host_predicate.extend(from.retry_host_predicate.iter().cloned());
}

/// Puts together what several resources say of one cluster or route.
pub fn merge(config: &mut Configuration) {
    kuma(config);
    contour(config);
    istio(config);
    istio_routes(config);
}

/// Kuma writes limits, retries and timeouts of one target in policies of their own.
fn kuma(config: &mut Configuration) {
    let same = |a: &Origin, b: &Origin| a.kind != b.kind;
    let mut first: BTreeMap<String, usize> = BTreeMap::new();
    let mut clusters: Vec<ClusterConfig> = Vec::new();
    for cluster in std::mem::take(&mut config.clusters) {
        if let Some(name) = cluster.name.as_ref().filter(|_| cluster.origin.dialect == Dialect::Kuma) {
            let at = *first.entry(name.value.clone()).or_insert(clusters.len());
            if let Some(into) = clusters.get_mut(at).filter(|into| same(&into.origin, &cluster.origin)) {
                overlay_cluster(into, &cluster);
                continue;
            }
        }
        clusters.push(cluster);
    }
    config.clusters = clusters;
    let mut first: BTreeMap<String, usize> = BTreeMap::new();
    let mut routes: Vec<RouteConfig> = Vec::new();
    for route in std::mem::take(&mut config.routes) {
        if let Some(name) = route.name.as_ref().filter(|_| route.origin.dialect == Dialect::Kuma) {
            let at = *first.entry(name.value.clone()).or_insert(routes.len());
            if let Some(into) = routes.get_mut(at).filter(|into| same(&into.origin, &route.origin)) {
                overlay_route(into, &route);
                continue;
            }
        }
        routes.push(route);
    }
    config.routes = routes;
}

/// Contour writes limits at the service, and timeouts of its connections at the routes.
fn contour(config: &mut Configuration) {
    let key = |c: &ClusterConfig| {
        let name = c.name.as_ref().map(|n| n.value.clone()).unwrap_or_default();
        (c.origin.namespace.clone(), name)
    };
    let is_service = |c: &ClusterConfig| c.origin.kind == "Service";
    let services: BTreeMap<_, ClusterConfig> = config
        .clusters
        .iter()
        .filter(|c| c.origin.dialect == Dialect::Contour && is_service(c))
        .map(|c| (key(c), c.clone()))
        .collect();
    for cluster in &mut config.clusters {
        if cluster.origin.dialect != Dialect::Contour || is_service(cluster) {
            continue;
        }
        if let Some(service) = services.get(&key(cluster)) {
            cluster.thresholds.clone_from(&service.thresholds);
            cluster.per_host_thresholds.clone_from(&service.per_host_thresholds);
        }
    }
}

/// A patch of a cluster that a rule of the same input is for acts on that cluster.
fn istio(config: &mut Configuration) {
    let label = |name: &str| name.split('.').next().unwrap_or_default().to_owned();
    let mut patches: BTreeMap<String, Vec<(usize, ClusterConfig)>> = BTreeMap::new();
    for (at, patch) in config.clusters.iter().enumerate().filter(|(_, c)| is_merge(&c.origin)) {
        if let Some(name) = &patch.name {
            let of_label = patches.entry(label(&name.value)).or_default();
            // So many patches of one host are no configuration.
            if of_label.len() < MAX_PATCHES {
                of_label.push((at, patch.clone()));
            }
        }
    }
    let mut merged: BTreeSet<usize> = BTreeSet::new();
    for cluster in &mut config.clusters {
        if cluster.origin.dialect != Dialect::Istio || cluster.origin.patch.is_some() {
            continue;
        }
        let Some(name) = cluster.name.as_ref().map(|n| n.value.clone()) else { continue };
        for (at, patch) in patches.get(&label(&name)).into_iter().flatten() {
            let of_patch = patch.name.as_ref().map_or("", |n| n.value.as_str());
            let subset = patch.subset.as_ref().map(|s| &s.value);
            if host_is(&name, of_patch)
                && (subset.is_none() || subset == cluster.subset.as_ref().map(|s| &s.value))
            {
                overlay_cluster(cluster, patch);
                merged.insert(*at);
            }
        }
    }
    for (_, patch) in config.clusters.iter_mut().enumerate().filter(|(at, _)| merged.contains(at)) {
        patch.partial = Some(patch.origin.block.clone());
    }
}

const MAX_PATCHES: usize = 16;

/// Whether it is a patch that merges into what Istio generates.
fn is_merge(origin: &Origin) -> bool {
    origin.dialect == Dialect::Istio
        && origin.patch.as_ref().is_some_and(|p| p.operation == PatchOperation::Merge)
}

/// A patch of a route that another resource of the same input names is part of that route.
fn istio_routes(config: &mut Configuration) {
    let name_of = |r: &RouteConfig| r.name.as_ref().map(|n| n.value.clone());
    let is_patch = |r: &RouteConfig| is_merge(&r.origin) && r.name.is_some();
    let (patches, mut routes): (Vec<_>, Vec<_>) =
        std::mem::take(&mut config.routes).into_iter().enumerate().partition(|(_, r)| is_patch(r));
    let mut by_name: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, (_, route)) in routes.iter().enumerate() {
        if route.origin.dialect == Dialect::Istio && route.origin.patch.is_none() {
            by_name.entry(name_of(route).unwrap_or_default()).or_default().push(at);
        }
    }
    for (place, patch) in patches {
        let named = name_of(&patch).and_then(|name| by_name.get(&name));
        let Some(named) = named else {
            routes.push((place, patch));
            continue;
        };
        // So many routes of one name are no configuration.
        for &at in named.iter().take(MAX_PATCHES) {
            let into = &mut routes[at].1;
            overlay_times(into, &patch);
            match (&mut into.retry_policy, &patch.retry_policy) {
                (Some(into), Some(from)) => overlay_retries(into, from),
                (none @ None, Some(from)) => *none = Some(from.clone()),
                (_, None) => {}
            }
        }
    }
    routes.sort_by_key(|(place, _)| *place);
    config.routes = routes.into_iter().map(|(_, route)| route).collect();
}

fn host_is(a: &str, b: &str) -> bool {
    let starts = |long: &str, short: &str| {
        long.strip_prefix(short).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    starts(a, b) || starts(b, a)
}
