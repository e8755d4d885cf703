//! `HR322 local-cluster-forgotten`: limits were raised everywhere but on the way to the own application.

use super::{Limit, is_judged, whole};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding, WholeCx};
use crate::engine::envoy::defaults;
use crate::engine::read::config::RoutingPriority;
use crate::engine::rules::{RuleMeta, Severity};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR322",
        name: "local-cluster-forgotten",
        severity: Severity::Warning,
        summary: "limits are raised on other clusters, and the local one keeps the defaults",
        rationale: "Limits belong to one cluster, and a proxy reaches its own application through a cluster too: what a \
                    mesh sets centrally is often for the remote ones only. All that comes in then shares 1,024 \
                    connections and 1,024 requests, whatever the clusters of the callers allow; sockets hold one of \
                    each for life, and the readiness probe needs one as well.",
        sources: &[
            "hashicorp/consul#12373; envoyproxy/envoy#20020",
            "envoy: circuit breakers belong to one cluster",
        ],
    },
    check: Check::Whole(check),
};

// No fix: how much comes in is not in the text.
fn check(cx: &WholeCx<'_>) -> Vec<Finding> {
    let Some((raised, limit)) = cx.clusters.iter().find_map(|c| raised(c).map(|limit| (c, limit))) else {
        return Vec::new();
    };
    let forgotten = cx.clusters.iter().filter(|c| is_local(c) && is_judged(c) && is_left(c));
    let finding = |c: &ClusterCx<'_>| {
        let default = whole(defaults::MAX_REQUESTS);
        let limits = raised.effective.limits(RoutingPriority::Default);
        let message = format!(
            "{} has no limits of its own: `max_connections` and `max_requests` are {default}, defaults",
            c.title()
        );
        let mut found = RULE
            .meta
            .found(&["max_connections", "max_requests"], c.limits_place(RoutingPriority::Default), message)
            .consequence(format!("all that comes in shares them, probes included; `{}` {} of {} is for that cluster only", limit.name(), whole(limit.of(limits).value), raised.title()))
            .help("set both on this cluster, to what comes in at the peak and a quarter more; for sockets both to their number")
            .related("limits raised for another cluster", limit.place(raised, limits));
        found.cluster = Some(c.index);
        found
    };
    forgotten.map(finding).collect()
}

/// The limit that somebody raised above the default.
fn raised(cx: &ClusterCx<'_>) -> Option<Limit> {
    let limits = cx.effective.limits(RoutingPriority::Default);
    let is_raised = |l: &Limit| l.of(limits).value > defaults::MAX_REQUESTS && !l.of(limits).is_default();
    [Limit::Requests, Limit::Connections].into_iter().find(is_raised)
}

fn is_left(cx: &ClusterCx<'_>) -> bool {
    let limits = cx.effective.limits(RoutingPriority::Default);
    [Limit::Connections, Limit::Requests]
        .iter()
        .all(|l| l.of(limits).is_default() && l.of(limits).value == defaults::MAX_REQUESTS)
}

/// Names that meshes give the cluster of the proxy's own application.
fn is_local(cx: &ClusterCx<'_>) -> bool {
    let name = cx.config.name.as_ref().map_or("", |n| n.value.as_str()).to_ascii_lowercase();
    let words = || name.split(|c: char| !c.is_ascii_alphanumeric());
    // The agent beside the proxy is a control plane.
    words().any(|w| matches!(w, "local" | "localhost" | "inbound")) && words().all(|w| w != "agent")
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn clusters(remote: &str, local: &str) -> String {
        format!(
            "clusters:\n- {{name: remote, connect_timeout: 1s{remote}}}\n- {{name: local_app, connect_timeout: 1s{local}}}\n"
        )
    }

    #[test]
    fn fires_for_the_local_cluster_and_names_the_other_one() {
        let raised = ", circuit_breakers: {thresholds: [{max_requests: 10000000}]}";
        let found = finding(&RULE, &clusters(raised, ""), "");
        assert_eq!(
            found.message,
            "cluster local_app has no limits of its own: `max_connections` and `max_requests` are 1,024, defaults"
        );
        assert!(
            found
                .consequence
                .ends_with("`max_requests` 10,000,000 of cluster remote is for that cluster only"),
            "{}",
            found.consequence
        );
        assert_eq!((found.at.line(), found.cluster), (3, Some(1)));
        assert!(!fires(
            &RULE,
            &clusters(raised, ", circuit_breakers: {thresholds: [{max_requests: 9000}]}"),
            ""
        ));
    }

    #[test]
    fn silent_where_nothing_is_raised() {
        assert!(!fires(&RULE, &clusters(", circuit_breakers: {thresholds: [{max_requests: 1024}]}", ""), ""));
        assert!(fires(&RULE, &clusters(", circuit_breakers: {thresholds: [{max_requests: 1025}]}", ""), ""));
    }
}
