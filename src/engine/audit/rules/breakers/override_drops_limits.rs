//! `HR336 override-drops-limits`: a subset or a port replaces the host's limits whole.

use super::{Limit, whole};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding, WholeCx};
use crate::engine::read::config::{Dialect, RoutingPriority};
use crate::engine::rules::{RuleMeta, Severity};
use std::collections::BTreeMap;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR336",
        name: "override-drops-limits",
        severity: Severity::Warning,
        summary: "a subset or a port has a policy of its own, and loses limits of the host",
        rationale: "In a DestinationRule a subset's `connectionPool` replaces that of the host as a whole, and a port's \
                    policy replaces everything and inherits nothing. What is not written again is not limited there, \
                    although it stands a few lines above. Each subset and each port is a cluster with counters of its \
                    own.",
        sources: &[
            "istio: DestinationRule.subsets, portLevelSettings",
            "istio: unset limits become 4294967295",
        ],
    },
    check: Check::Whole(check),
};

fn check(cx: &WholeCx<'_>) -> Vec<Finding> {
    let is_rule = |c: &&ClusterCx<'_>| {
        let origin = &c.config.origin;
        origin.dialect == Dialect::Istio && origin.kind == "DestinationRule" && origin.patch.is_none()
    };
    let is_special = |c: &ClusterCx<'_>| c.config.subset.is_some() || c.config.port.is_some();
    let (special, hosts): (Vec<_>, Vec<_>) = cx.clusters.iter().filter(is_rule).partition(|c| is_special(c));
    let mut by_name: BTreeMap<Key<'_>, &ClusterCx<'_>> = BTreeMap::new();
    for host in hosts {
        by_name.entry(key(host)).or_insert(host);
    }
    let lost = |c: &&ClusterCx<'_>| of_cluster(c, by_name.get(&key(c)).copied()?);
    special.iter().filter_map(lost).collect()
}

/// The rule and the host that it is for.
type Key<'a> = (u32, u32, &'a str);

fn key<'a>(cx: &'a ClusterCx<'_>) -> Key<'a> {
    let origin = &cx.config.origin;
    (origin.block.file, origin.document, cx.effective.name.as_str())
}

fn of_cluster(cx: &ClusterCx<'_>, host: &ClusterCx<'_>) -> Option<Finding> {
    let (own, of_host) =
        (cx.effective.limits(RoutingPriority::Default), host.effective.limits(RoutingPriority::Default));
    let is_lost = |l: &Limit| l.of(own).is_default() && !l.of(of_host).is_default();
    let lost: Vec<Limit> = Limit::ALL.into_iter().filter(is_lost).collect();
    // Only a port loses it: a subset keeps the blocks that it does not write.
    let detection = host.config.outlier_detection.as_ref().filter(|_| cx.config.outlier_detection.is_none());
    let place = match lost.first() {
        Some(first) => first.place(host, of_host),
        None => &detection?.block,
    };
    let name = |l: Limit| l.alias(cx).unwrap_or(l.name());
    let mut names: Vec<String> = lost.iter().map(|l| format!("`{}`", name(*l))).collect();
    names.extend(detection.map(|_| "`outlierDetection`".to_owned()));
    let whose = match (&cx.config.port, &cx.config.subset) {
        (Some(port), _) => format!("port {}", port.value),
        (None, Some(subset)) => format!("subset {}", subset.value),
        (None, None) => cx.title(),
    };
    let stays = |l: &Limit| {
        format!("`{}` is {} there, not {}", l.name(), whole(l.of(own).value), whole(l.of(of_host).value))
    };
    let mut fields: Vec<&'static str> = lost.iter().map(|l| l.name()).collect();
    let mut follows: Vec<String> = lost.iter().map(stays).collect();
    if detection.is_some() {
        fields.push("outlier_detection");
        follows.push("no failing host is ejected there".to_owned());
    }
    let mut found = RULE
        .meta
        .found(
            &fields,
            cx.limits_place(RoutingPriority::Default),
            format!("{whose} loses {} of the host", names.join(", ")),
        )
        .consequence(follows.join(", "))
        .help(format!("write {} again in the policy of {whose}", names.join(", ")))
        .related("the policy of the host", place);
    found.cluster = Some(cx.index);
    // A whole detection is for a person to write again.
    Some(if lost.is_empty() { found } else { found.fix(restore(&lost, cx, host)) })
}

/// The host's limits once more.
fn restore(lost: &[Limit], cx: &ClusterCx<'_>, host: &ClusterCx<'_>) -> crate::engine::audit::Fix {
    let (own, of_host) =
        (cx.effective.limits(RoutingPriority::Default), host.effective.limits(RoutingPriority::Default));
    let changes = lost.iter().map(|l| l.change(own, l.of(of_host).value)).collect();
    crate::engine::audit::Fix { label: "As for the host".to_owned(), changes }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn rule(rest: &str) -> String {
        format!(
            "apiVersion: networking.istio.io/v1\nkind: DestinationRule\nmetadata: {{name: shop}}\nspec:\n  host: shop\n  trafficPolicy:\n    \
             connectionPool: {{tcp: {{maxConnections: 120}}, http: {{http2MaxRequests: 240}}}}\n{rest}"
        )
    }

    #[test]
    fn a_subset_replaces_the_whole_pool() {
        let found = finding(
            &RULE,
            &rule(
                "  subsets:\n  - name: green\n    trafficPolicy:\n      connectionPool: {tcp: {maxConnections: 12}}\n",
            ),
            "",
        );
        assert_eq!(found.message, "subset green loses `http2MaxRequests` of the host");
        assert_eq!(found.consequence, "`max_requests` is 4,294,967,295 there, not 240");
        assert_eq!((found.at.line(), found.cluster), (11, Some(1)));
        assert_eq!(found.fix.unwrap().changes.len(), 1);
    }

    #[test]
    fn a_port_inherits_nothing() {
        let found = finding(
            &RULE,
            &rule("    portLevelSettings: [{port: {number: 80}, outlierDetection: {interval: 5s}}]\n"),
            "",
        );
        assert_eq!(found.message, "port 80 loses `maxConnections`, `http2MaxRequests` of the host");
    }

    #[test]
    fn a_port_loses_the_detection_too() {
        let text = "apiVersion: networking.istio.io/v1\nkind: DestinationRule\nmetadata: {name: shop}\nspec:\n  host: shop\n  trafficPolicy:\n    outlierDetection: {consecutive5xxErrors: 3}\n    portLevelSettings:\n";
        let found =
            finding(&RULE, &format!("{text}    - {{port: {{number: 443}}, tls: {{mode: SIMPLE}}}}\n"), "");
        assert_eq!(found.message, "port 443 loses `outlierDetection` of the host");
        assert_eq!(found.consequence, "no failing host is ejected there");
        let own = "    - {port: {number: 443}, outlierDetection: {consecutive5xxErrors: 5}}\n";
        assert!(!fires(&RULE, &format!("{text}{own}"), ""));
    }

    #[test]
    fn silent_where_the_subset_inherits_or_says_it_all() {
        assert!(!fires(&RULE, &rule("  subsets: [{name: green}]\n"), ""));
        assert!(!fires(
            &RULE,
            &rule("  subsets: [{name: green, trafficPolicy: {outlierDetection: {interval: 5s}}}]\n"),
            ""
        ));
        let all = "  subsets: [{name: green, trafficPolicy: {connectionPool: {tcp: {maxConnections: 9}, http: {http2MaxRequests: 9}}}}]\n";
        assert!(!fires(&RULE, &rule(all), ""));
    }
}
