//! `HR341 policy-written-twice`: two texts set the same cluster, and one of them is not in force.

use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding, WholeCx};
use crate::engine::read::config::{Dialect, ResourceState};
use crate::engine::rules::{RuleMeta, Severity};
use std::collections::BTreeMap;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR341",
        name: "policy-written-twice",
        severity: Severity::Warning,
        summary: "the same cluster has two policies, and one of them is not in force",
        rationale: "Policies are not merged. Of two DestinationRules for a host Istio adds up the subsets and keeps the \
                    `trafficPolicy` of the older rule; of two BackendTrafficPolicies for a route Envoy Gateway keeps \
                    the older one and reports the other as conflicted; a file of Envoy with two clusters of one name \
                    is refused. What is written in the other text is then never in force, although it stands there.",
        sources: &[
            "istio: traffic management best practices, multiple destination rules for one host",
            "gateway-api: policy attachment, conflict resolution by age",
            "measured on Envoy 1.40: cluster manager: duplicate cluster",
        ],
    },
    check: Check::Whole(check),
};

// No fix: which of them is meant is for a person to say.
fn check(cx: &WholeCx<'_>) -> Vec<Finding> {
    let mut first: BTreeMap<Key<'_>, &ClusterCx<'_>> = BTreeMap::new();
    let mut found = Vec::new();
    for cluster in cx.clusters {
        let Some((key, kind)) = key(cluster) else { continue };
        match first.get(&key) {
            Some(other) => found.push(of_pair(cluster, other, kind)),
            None => {
                first.insert(key, cluster);
            }
        }
    }
    found
}

/// Kind and name of what is set, its namespace, and the file and document where that matters.
type Key<'a> = (&'a str, &'a str, Option<&'a str>, Option<(u32, u32)>);

#[derive(Clone, Copy)]
enum Kind {
    Rules,
    Policies,
    Clusters,
}

fn key<'a>(cx: &'a ClusterCx<'_>) -> Option<(Key<'a>, Kind)> {
    let (config, origin) = (cx.config, &cx.config.origin);
    let special = config.subset.is_some()
        || config.port.is_some()
        || config.partial.is_some()
        || origin.patch.is_some();
    let name = config.name.as_ref()?.value.as_str();
    if special {
        return None;
    }
    let namespace = origin.namespace.as_deref();
    match (origin.dialect, origin.kind.as_str()) {
        (Dialect::Istio, kind @ "DestinationRule") => Some(((kind, name, namespace, None), Kind::Rules)),
        (Dialect::EnvoyGateway, kind @ "BackendTrafficPolicy") => {
            Some(((kind, name, namespace, None), Kind::Policies))
        }
        (Dialect::Envoy, kind) if origin.state == ResourceState::Static => {
            let place = Some((origin.block.file, origin.document));
            Some(((kind, name, None, place), Kind::Clusters))
        }
        _ => None,
    }
}

fn of_pair(cx: &ClusterCx<'_>, other: &ClusterCx<'_>, kind: Kind) -> Finding {
    let (own, there) = (&cx.config.origin, &other.config.origin);
    let name = cx.config.name.as_ref().map_or("", |n| n.value.as_str());
    let line = there.block.line();
    let (message, consequence, help) = match kind {
        Kind::Rules => (
            format!("host {name} has two DestinationRules with a `trafficPolicy`"),
            "Istio keeps the policy of the older rule: what the other one says of limits and ejections is not in force",
            "write both policies into one rule, and subsets too",
        ),
        Kind::Policies => (
            format!("two BackendTrafficPolicies target {name}"),
            "Envoy Gateway keeps the older one and marks the other as conflicted: nothing that it says is in force",
            "write both into one policy",
        ),
        Kind::Clusters => (
            format!("cluster {name} stands twice in this file"),
            "Envoy refuses to start: names of clusters are unique",
            "keep one of them",
        ),
    };
    let severity = if matches!(kind, Kind::Clusters) { Severity::Error } else { Severity::Warning };
    let mut found = RULE
        .meta
        .found(&["circuit_breakers"], &own.block, message)
        .severity(severity)
        .consequence(consequence)
        .help(help)
        .related(format!("the other one, line {line}"), &there.block);
    found.cluster = Some(cx.index);
    found
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};
    use crate::engine::rules::Severity;

    fn rules(second: &str) -> String {
        format!(
            "apiVersion: networking.istio.io/v1\nkind: DestinationRule\nmetadata: {{name: a, namespace: shop}}\nspec:\n  host: cart\n  \
             trafficPolicy: {{loadBalancer: {{simple: RANDOM}}}}\n---\napiVersion: networking.istio.io/v1\nkind: DestinationRule\n{second}"
        )
    }

    #[test]
    fn the_older_rule_of_a_host_wins() {
        let second = "metadata: {name: b, namespace: shop}\nspec:\n  host: cart\n  trafficPolicy: {connectionPool: {http: {http2MaxRequests: 50}}}\n";
        let found = finding(&RULE, &rules(second), "");
        assert_eq!(found.message, "host cart has two DestinationRules with a `trafficPolicy`");
        assert_eq!((found.severity, found.at.line()), (Severity::Warning, 13));
    }

    #[test]
    fn rules_that_stand_beside_each_other() {
        for second in [
            "metadata: {name: b, namespace: shop}\nspec: {host: cart, subsets: [{name: v1}]}\n",
            "metadata: {name: b, namespace: shop}\nspec: {host: other, trafficPolicy: {tls: {mode: SIMPLE}}}\n",
            "metadata: {name: b, namespace: test}\nspec: {host: cart, trafficPolicy: {tls: {mode: SIMPLE}}}\n",
            "metadata: {name: b, namespace: shop}\nspec: {host: cart, workloadSelector: {matchLabels: {a: b}}, trafficPolicy: {tls: {mode: SIMPLE}}}\n",
        ] {
            assert!(!fires(&RULE, &rules(second), ""), "{second}");
        }
    }

    #[test]
    fn policies_of_one_route() {
        let policy = |name: &str, section: &str, spec: &str| {
            format!(
                "apiVersion: gateway.envoyproxy.io/v1alpha1\nkind: BackendTrafficPolicy\nmetadata: {{name: {name}}}\nspec:\n  \
                 targetRefs: [{{group: gateway.networking.k8s.io, kind: HTTPRoute, name: shop{section}}}]\n  {spec}\n---\n"
            )
        };
        let first = policy("a", "", "circuitBreaker: {maxParallelRequests: 50}");
        let found = finding(&RULE, &format!("{first}{}", policy("b", "", "retry: {numRetries: 5}")), "");
        assert_eq!(found.message, "two BackendTrafficPolicies target shop");
        assert!(!fires(
            &RULE,
            &format!("{first}{}", policy("b", ", sectionName: x", "retry: {numRetries: 5}")),
            ""
        ));
    }

    #[test]
    fn clusters_of_one_file() {
        let text = "clusters:\n- {name: pay, connect_timeout: 1s}\n- {name: pay, connect_timeout: 2s}\n";
        let found = finding(&RULE, text, "");
        assert_eq!((found.severity, found.at.line()), (Severity::Error, 3));
        assert!(!fires(
            &RULE,
            "clusters: [{name: pay, connect_timeout: 1s}]\n---\nclusters: [{name: pay, connect_timeout: 1s}]\n",
            ""
        ));
    }
}
