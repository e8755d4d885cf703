//! `HR142 newer-than-this-envoy`: a field or a word that the release in use does not know.

use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, WholeCx};
use crate::engine::envoy::defaults;
use crate::engine::read::Place;
use crate::engine::read::config::{ClusterConfig, Dialect, RetryPolicy, RouteConfig};
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::scenario::EnvoyVersion;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR142",
        name: "newer-than-this-envoy",
        severity: Severity::Error,
        summary: "a field of retries is newer than the Envoy that is to read it",
        rationale: "Envoy refuses a configuration with a field that it does not know, and ignores a condition in \
                    `retry_on` that it does not know. What was copied from a newer manual thus either stops the \
                    update or silently does nothing.",
        sources: &[
            "envoy release notes: retry budget interval 1.39, cluster retry policy 1.37, body buffer limit 1.36, reset-before-request 1.31",
        ],
    },
    check: Check::Whole(check),
};

const BUDGET_INTERVAL: EnvoyVersion = EnvoyVersion::minor(39);
const REFRESH_CLUSTER: EnvoyVersion = EnvoyVersion::minor(39);
const BODY_LIMIT: EnvoyVersion = EnvoyVersion::minor(36);
const BEFORE_REQUEST: EnvoyVersion = EnvoyVersion::minor(31);

fn check(cx: &WholeCx<'_>) -> Vec<Finding> {
    // Control planes write for the release that they bring along.
    let of_envoy = |dialect: Dialect| matches!(dialect, Dialect::Envoy | Dialect::Cilium);
    let clusters = cx
        .clusters
        .iter()
        .filter(|c| of_envoy(c.dialect()))
        .flat_map(|c| of_cluster(c.config, c.facts.envoy_version));
    let version = cx.facts.envoy_version;
    let routes = cx.configuration.routes.iter().filter(|r| of_envoy(r.origin.dialect));
    clusters.chain(routes.flat_map(|r| of_route(r, version))).collect()
}

fn of_cluster(config: &ClusterConfig, version: EnvoyVersion) -> Vec<Finding> {
    let intervals =
        config.thresholds.iter().filter_map(|t| t.retry_budget.as_ref()?.budget_interval.as_ref());
    let mut out: Vec<Finding> =
        intervals.filter_map(|i| unknown_field("budget_interval", &i.at, BUDGET_INTERVAL, version)).collect();
    if let Some(policy) = &config.retry_policy {
        out.extend(unknown_field("retry_policy", &policy.block, defaults::CLUSTER_RETRY_POLICY, version));
        out.extend(of_policy(policy, version));
    }
    out
}

fn of_route(config: &RouteConfig, version: EnvoyVersion) -> Vec<Finding> {
    let limit = config.request_body_buffer_limit.as_ref();
    let limit = limit.and_then(|l| unknown_field("request_body_buffer_limit", &l.at, BODY_LIMIT, version));
    limit.into_iter().chain(config.retry_policy.iter().flat_map(|p| of_policy(p, version))).collect()
}

fn of_policy(policy: &RetryPolicy, version: EnvoyVersion) -> Vec<Finding> {
    let refresh = policy.refresh_cluster_on_retry.as_ref();
    let refresh =
        refresh.and_then(|r| unknown_field("refresh_cluster_on_retry", &r.at, REFRESH_CLUSTER, version));
    let words = policy.retry_on.as_ref().filter(|_| policy.retries_on("reset-before-request"));
    let word = words.filter(|_| version < BEFORE_REQUEST).map(|words| {
        RULE.meta
            .found(
                &["retry_on"],
                &words.at,
                format!("`reset-before-request` is of {BEFORE_REQUEST}, and this is {version}"),
            )
            .consequence("Envoy ignores the word and retries the rest")
            .help("leave it out, or update Envoy")
            .severity(Severity::Warning)
    });
    refresh.into_iter().chain(word).collect()
}

// There is no fix: whether the field goes or Envoy is updated, the text does not tell.
fn unknown_field(
    field: &'static str,
    at: &Place,
    since: EnvoyVersion,
    version: EnvoyVersion,
) -> Option<Finding> {
    (version < since).then(|| {
        RULE.meta
            .found(&[field], at, format!("`{field}` is of {since}, and this is {version}"))
            .consequence("Envoy does not know the field and refuses the whole configuration")
            .help(format!("leave it out, or update Envoy to {since}"))
    })
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};
    use crate::engine::rules::Severity;

    const INTERVAL: &str =
        "name: shop\ncircuit_breakers:\n  thresholds:\n  - retry_budget: {budget_interval: 5s}\n";

    #[test]
    fn a_field_of_1_39_is_none_of_1_38() {
        let found = finding(&RULE, INTERVAL, "envoy_version=1.38");
        assert_eq!(found.message, "`budget_interval` is of 1.39, and this is 1.38");
        assert_eq!(found.severity, Severity::Error);
        assert!(!fires(&RULE, INTERVAL, "envoy_version=1.39"));
        assert!(!fires(&RULE, INTERVAL, ""));
    }

    #[test]
    fn a_body_limit_is_of_1_36() {
        let text = "match: {prefix: /}\nrequest_body_buffer_limit: 10\nroute: {cluster: shop}\n";
        assert!(fires(&RULE, text, "envoy_version=1.35"));
        assert!(!fires(&RULE, text, "envoy_version=1.36"));
    }
}
