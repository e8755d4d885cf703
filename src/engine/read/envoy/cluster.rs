//! `config.cluster.v3.Cluster`.

use super::{breakers, fields, http_options, outlier};
use crate::engine::read::config::{ClusterConfig, Discovery, Effect, Preconnect, ProblemKind, ResourceState};
use crate::engine::read::field::{Bound, Field, Reader};
use core::net::IpAddr;

const DISCOVERY: &[(&str, Discovery)] = &[
    ("STATIC", Discovery::Static),
    ("STRICT_DNS", Discovery::StrictDns),
    ("LOGICAL_DNS", Discovery::LogicalDns),
    ("EDS", Discovery::Eds),
    ("ORIGINAL_DST", Discovery::OriginalDst),
];

/// Reads a cluster.
pub fn cluster(reader: &mut Reader, field: &Field<'_>, state: ResourceState) {
    if !reader.is_message(field) || super::skip_unfinished(reader, field, "cluster") {
        return;
    }
    let read = read(reader, field, state);
    reader.config.clusters.push(read);
}

/// Reads a cluster, or a part of one.
pub fn read(reader: &mut Reader, field: &Field<'_>, state: ResourceState) -> ClusterConfig {
    // A list of hosts is what the second version of the API had.
    reader.known(field, "a cluster", &format!("{} hosts", fields::CLUSTER));
    let mut into =
        ClusterConfig { name: field.text("name"), origin: reader.origin_at(field), ..Default::default() };
    into.origin.state = state;
    into.origin.name = into.origin.name.take().or_else(|| into.name.clone());
    into.discovery = reader.word(field, "type", DISCOVERY);
    if let Some(custom) = field.get("cluster_type") {
        into.discovery = Some(custom.spanned(Discovery::Custom));
    }
    into.lb_policy = field.text("lb_policy");
    into.connect_timeout = reader.duration(field, "connect_timeout", Bound::Positive);
    into.per_connection_buffer_limit_bytes =
        reader.whole(field, "per_connection_buffer_limit_bytes", Bound::Any);
    if let Some(block) = reader.message(field, "circuit_breakers") {
        breakers::circuit_breakers(reader, &block, &mut into);
    }
    if let Some(block) = reader.message(field, "outlier_detection") {
        into.outlier_detection = Some(outlier::outlier_detection(reader, &block));
    }
    http_options::http_options(reader, field, &mut into);
    load_balancing(reader, field, &mut into);
    if let Some(checks) = field.get("health_checks") {
        let count = u32::try_from(checks.items().len()).unwrap_or(u32::MAX);
        into.health_checks = Some(checks.spanned(count));
    }
    if let Some(hosts) = field.get("hosts") {
        reader.problem(
            hosts.place(),
            // Its successor has another shape, so that another key is not enough.
            ProblemKind::UnknownField { nearest: None },
            Effect::Rejected,
            "`hosts` belongs to the second version of the API, which is gone since Envoy 1.17",
            "write load_assignment with endpoints instead",
        );
        endpoints(&mut into, &hosts, &hosts.items());
    }
    if let Some(assignment) = field.get("load_assignment") {
        load_assignment(&mut into, &assignment);
    }
    into
}

fn load_balancing(reader: &mut Reader, field: &Field<'_>, into: &mut ClusterConfig) {
    if let Some(common) = reader.message(field, "common_lb_config") {
        reader.known(&common, "common_lb_config", fields::COMMON_LB_CONFIG);
        into.healthy_panic_threshold = reader.percent(&common, "healthy_panic_threshold");
        into.update_merge_window = reader.duration(&common, "update_merge_window", Bound::Any);
        if let Some(zone) = reader.message(&common, "zone_aware_lb_config") {
            reader.known(&zone, "zone_aware_lb_config", fields::ZONE_AWARE_LB_CONFIG);
            into.fail_traffic_on_panic = reader.truth(&zone, "fail_traffic_on_panic");
        }
    }
    if let Some(policy) = reader.message(field, "preconnect_policy") {
        reader.known(&policy, "preconnect_policy", fields::PRECONNECT_POLICY);
        into.preconnect_policy = Some(Preconnect {
            block: policy.place(),
            per_upstream_preconnect_ratio: ratio(reader, &policy, "per_upstream_preconnect_ratio"),
            predictive_preconnect_ratio: ratio(reader, &policy, "predictive_preconnect_ratio"),
        });
    }
}

fn ratio(reader: &mut Reader, policy: &Field<'_>, name: &str) -> crate::engine::read::Setting<f64> {
    let ratio = reader.float(policy, name)?;
    if !(1.0..=3.0).contains(&ratio.value) {
        let message = format!("`{name}` is {}, allowed are 1 to 3", ratio.value);
        let help = "write a ratio from 1 to 3";
        reader.problem(ratio.at.clone(), ProblemKind::OutOfRange, Effect::Rejected, message, help);
    }
    Some(ratio)
}

/// Reads the endpoints of a cluster: inline, or of a resource of their own.
pub fn load_assignment(into: &mut ClusterConfig, assignment: &Field<'_>) {
    let mut all = Vec::new();
    for locality in assignment.list("endpoints") {
        all.extend(locality.list("lb_endpoints"));
        if let Some(list) = locality.get("load_balancer_endpoints") {
            all.extend(list.list("lb_endpoints"));
        }
    }
    endpoints(into, assignment, &all);
}

fn endpoints(into: &mut ClusterConfig, field: &Field<'_>, all: &[Field<'_>]) {
    let count = u32::try_from(all.len()).unwrap_or(u32::MAX);
    into.endpoints = Some(field.spanned(count));
    into.endpoints_are_addresses = all.iter().all(|endpoint| {
        let socket = endpoint
            .at(&["endpoint", "address", "socket_address"])
            .or_else(|| endpoint.get("socket_address"));
        socket.is_some_and(|s| s.node.text_of("address").is_some_and(|a| a.parse::<IpAddr>().is_ok()))
            || endpoint.at(&["endpoint", "address", "pipe"]).is_some()
    });
}
