//! `HR141 route-policy-not-read`: the cluster has a retry policy, and it beats that of the route.

use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Change, Finding, Fix, RouteCx, Setting};
use crate::engine::envoy::defaults;
use crate::engine::read::config::{PolicyScope, RetryPolicy};
use crate::engine::rules::{RuleMeta, Severity};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR141",
        name: "route-policy-not-read",
        severity: Severity::Warning,
        summary: "the retry policy of the cluster replaces that of the route, whole",
        rationale: "From 1.37 on `HttpProtocolOptions.retry_policy` of a cluster is taken instead of the policy of the \
                    route or its virtual host. Nothing is merged: the route's number of retries, its conditions and \
                    its per-try timeout do not act on requests to that cluster.",
        sources: &[
            "envoy: extensions.upstreams.http.v3.HttpProtocolOptions.retry_policy; measured on 1.40: cluster 2, route 1 made 3 attempts",
        ],
    },
    check: Check::Route(check),
};

fn check(cx: &RouteCx<'_>) -> Vec<Finding> {
    of_route(cx).into_iter().collect()
}

fn of_route(cx: &RouteCx<'_>) -> Option<Finding> {
    let of_cluster = cx.cluster?.config.retry_policy.as_ref()?;
    let own = cx.config.retry_policy.as_ref()?;
    if cx.facts.envoy_version < defaults::CLUSTER_RETRY_POLICY {
        return None;
    }
    let finding = RULE
        .meta
        .found(
            &["retry_policy"],
            &own.block,
            format!(
                "the retry policy of the route, {}, is not read: the cluster has one, {}",
                retries(own),
                retries(of_cluster)
            ),
        )
        .consequence(format!(
            "requests to the cluster make up to {} attempts, on its conditions",
            attempts(of_cluster)
        ))
        .help("keep one of the two")
        .related("the policy in force", &of_cluster.block);
    let own_alone = own.scope == PolicyScope::Route && cx.config.replaced_retry_policy.is_none();
    let fix = own_alone.then(|| Fix::new("Leave the route's out", Change::Clear(Setting::RetryPolicy)));
    Some(finding.maybe_fix(fix))
}

fn attempts(policy: &RetryPolicy) -> u64 {
    1 + u64::from(policy.num_retries.as_ref().map_or(defaults::NUM_RETRIES, |n| n.value))
}

fn retries(policy: &RetryPolicy) -> String {
    crate::engine::units::display::plural((attempts(policy) - 1) as f64, "retry", "retries")
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    const TEXT: &str = "clusters:\n- name: shop\n  typed_extension_protocol_options:\n    \
        envoy.extensions.upstreams.http.v3.HttpProtocolOptions:\n      \
        \"@type\": type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions\n      \
        explicit_http_config: {http_protocol_options: {}}\n      retry_policy: {retry_on: reset, num_retries: 2}\n\
        routes:\n- match: {prefix: /}\n  route: {cluster: shop, retry_policy: {retry_on: 5xx}}\n";

    #[test]
    fn the_cluster_s_two_beat_the_route_s_one() {
        let found = finding(&RULE, TEXT, "");
        assert_eq!(
            found.message,
            "the retry policy of the route, 1 retry, is not read: the cluster has one, 2 retries"
        );
        assert!(found.consequence.contains("up to 3 attempts"), "{}", found.consequence);
        assert!(found.fix.is_some());
    }

    #[test]
    fn from_1_37_on_and_only_where_both_are() {
        assert!(fires(&RULE, TEXT, "envoy_version=1.37"));
        assert!(!fires(&RULE, TEXT, "envoy_version=1.36"));
        assert!(!fires(&RULE, &TEXT.replace(", retry_policy: {retry_on: 5xx}", ""), ""));
    }
}
