//! `HR337 limits-on-unrouted-subset`: limits of a subset that no route leads to.

use super::{Limit, whole};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding, WholeCx};
use crate::engine::read::config::{Dialect, RoutingPriority};
use crate::engine::rules::{RuleMeta, Severity};
use std::collections::BTreeMap;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR337",
        name: "limits-on-unrouted-subset",
        severity: Severity::Warning,
        summary: "limits stand in a subset, and the routes of its host lead elsewhere",
        rationale: "A subset is a cluster of its own and gets only the traffic that a route sends to it by name. Routes \
                    that name the host alone, or another subset, pass its limits by, and calls without any \
                    VirtualService always go to the host. The limits are then read, distributed and never reached.",
        sources: &["istio: DestinationRule.subsets are reached by VirtualService routes only"],
    },
    check: Check::Whole(check),
};

// No fix: whether the route or the limits are in the wrong place is for a person to say.
fn check(cx: &WholeCx<'_>) -> Vec<Finding> {
    // The first cluster of each host that a route leads to.
    let mut routed: BTreeMap<&str, &ClusterCx<'_>> = BTreeMap::new();
    for cluster in cx.clusters.iter().filter(|c| !c.routes.is_empty()) {
        routed.entry(cluster.effective.name.as_str()).or_insert(cluster);
    }
    let is_idle = |c: &&ClusterCx<'_>| {
        let origin = &c.config.origin;
        c.routes.is_empty()
            && c.config.subset.is_some()
            && origin.dialect == Dialect::Istio
            && origin.kind == "DestinationRule"
    };
    let idle = cx.clusters.iter().filter(is_idle);
    let found = |c: &ClusterCx<'_>| match routed.get(c.effective.name.as_str()) {
        Some(routed) => of_cluster(c, routed),
        None => unknown(cx, c),
    };
    idle.filter_map(found).collect()
}

/// Without any route of the host in the text it is worth knowing: calls go to the host.
fn unknown(whole_cx: &WholeCx<'_>, cx: &ClusterCx<'_>) -> Option<Finding> {
    let is_host = |c: &&ClusterCx<'_>| {
        c.effective.name == cx.effective.name && c.config.subset.is_none() && c.config.port.is_none()
    };
    let host = whole_cx.clusters.iter().find(is_host)?;
    let (own, there) =
        (cx.effective.limits(RoutingPriority::Default), host.effective.limits(RoutingPriority::Default));
    // Where several subsets have limits, somebody routes by them.
    let is_limited = |c: &&ClusterCx<'_>| {
        let limits = c.effective.limits(RoutingPriority::Default);
        c.effective.name == cx.effective.name && Limit::ALL.iter().any(|l| !l.of(limits).is_default())
    };
    let is_special = |l: &Limit| !l.of(own).is_default() && l.of(there).is_default();
    let limit = [Limit::Requests, Limit::Connections, Limit::Pending].into_iter().find(is_special)?;
    if whole_cx.clusters.iter().filter(is_limited).count() > 1 {
        return None;
    }
    let subset = &cx.config.subset.as_ref()?.value;
    let name = limit.alias(cx).unwrap_or(limit.name());
    let message =
        format!("`{name}` {} is for subset {subset}, and no route is here", whole(limit.of(own).value));
    let mut found = RULE
        .meta
        .found(&[limit.name()], limit.place(cx, own), message)
        .severity(Severity::Info)
        .consequence(format!(
            "calls that no VirtualService sends to subset {subset} by name go to the host, where `{}` is {}",
            limit.name(),
            whole(limit.of(there).value)
        ))
        .help(format!("route to subset {subset} by name, or write the limit in the policy of the host"));
    found.cluster = Some(cx.index);
    Some(found)
}

fn of_cluster(cx: &ClusterCx<'_>, routed: &ClusterCx<'_>) -> Option<Finding> {
    let own = cx.effective.limits(RoutingPriority::Default);
    let there = routed.effective.limits(RoutingPriority::Default);
    let is_special = |l: &Limit| !l.of(own).is_default() && l.of(own).value != l.of(there).value;
    let limit = [Limit::Requests, Limit::Connections, Limit::Pending].into_iter().find(is_special)?;
    let subset = &cx.config.subset.as_ref()?.value;
    let name = limit.alias(cx).unwrap_or(limit.name());
    let message = format!(
        "`{name}` {} is for subset {subset}, which no route here leads to",
        whole(limit.of(own).value)
    );
    let place = match &routed.config.subset {
        Some(other) => format!("subset {}", other.value),
        None => "the host itself".to_owned(),
    };
    let mut found = RULE
        .meta
        .found(&[limit.name()], limit.place(cx, own), message)
        .consequence(format!(
            "the routes lead to {place}, where `{}` is {}",
            limit.name(),
            whole(limit.of(there).value)
        ))
        .help(format!("send the route to subset {subset}, or write the limit where the routes lead"))
        .related("a route of this host", &routed.routes.first()?.config.origin.block);
    found.cluster = Some(cx.index);
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::{RULE, Severity};
    use crate::engine::audit::rules::tests::{finding, fires};

    fn rules(subset: &str) -> String {
        format!(
            "apiVersion: networking.istio.io/v1\nkind: DestinationRule\nmetadata: {{name: shop}}\nspec:\n  host: shop\n  subsets:\n  - name: v1\n    trafficPolicy: {{connectionPool: {{tcp: {{maxConnections: 9}}}}}}\n\
             ---\napiVersion: networking.istio.io/v1\nkind: VirtualService\nmetadata: {{name: shop}}\nspec: {{hosts: [shop], http: [{{route: [{{destination: {{host: shop{subset}}}}}]}}]}}\n"
        )
    }

    #[test]
    fn the_route_names_the_host_alone() {
        let found = finding(&RULE, &rules(""), "");
        assert_eq!(found.message, "`maxConnections` 9 is for subset v1, which no route here leads to");
        assert_eq!(
            found.consequence,
            "the routes lead to the host itself, where `max_connections` is 4,294,967,295"
        );
        assert_eq!(found.at.line(), 8);
    }

    #[test]
    fn silent_where_the_route_leads_there() {
        assert!(!fires(&RULE, &rules(", subset: v1"), ""));
    }

    #[test]
    fn worth_knowing_where_no_route_is_in_the_text() {
        let both = rules("");
        let alone = both.split("---").next().unwrap();
        let found = finding(&RULE, alone, "");
        assert_eq!(found.message, "`maxConnections` 9 is for subset v1, and no route is here");
        assert_eq!(found.severity, Severity::Info);
        let second = "  - name: v2\n    trafficPolicy: {connectionPool: {tcp: {maxConnections: 9}}}\n";
        assert!(!fires(&RULE, &format!("{alone}{second}"), ""), "two limited subsets are routed by somebody");
        assert!(!fires(
            &RULE,
            &alone.replace(
                "  subsets:",
                "  trafficPolicy: {connectionPool: {tcp: {maxConnections: 9}}}\n  subsets:"
            ),
            ""
        ));
    }
}
