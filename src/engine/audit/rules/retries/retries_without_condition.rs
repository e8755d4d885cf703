//! `HR125 retries-without-condition`: a retry policy that retries nothing.

use crate::engine::audit::retrying::{Retrying, recommended_conditions};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, Fix, RouteCx, Setting, Value};
use crate::engine::read::Place;
use crate::engine::retry::conditions::{LISTED_CODES, LISTED_HEADERS, fires};
use crate::engine::rules::{RuleMeta, Severity};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR125",
        name: "retries-without-condition",
        severity: Severity::Warning,
        summary: "the retry policy has no condition, so it retries nothing",
        rationale: "`num_retries`, back-off and host predicates say how to retry, `retry_on` says what. Envoy accepts a \
                    policy without a condition, or with the word for listed codes or headers and an empty list, and \
                    retries nothing. A route's policy replaces that of its virtual host whole, so its conditions are \
                    not inherited either.",
        sources: &[
            "envoy: config.route.v3.RetryPolicy; measured on 1.40: a route with only num_retries did not retry",
        ],
    },
    check: Check::Route(check),
};

fn check(cx: &RouteCx<'_>) -> Vec<Finding> {
    of_route(cx).into_iter().collect()
}

fn of_route(cx: &RouteCx<'_>) -> Option<Finding> {
    let retrying = cx.retry_policy()?;
    let (at, what) = asked(retrying)?;
    let retries = retrying.policy.num_retries.value;
    let words = &retrying.policy.retry_on.value;
    // Unknown words and codes without their word have rules of their own.
    let elsewhere = words.iter().any(|w| fires(w).is_none())
        || words.is_empty() && !retrying.policy.retriable_status_codes.value.is_empty();
    if retries == 0 || elsewhere || !retrying.words().is_empty() {
        return None;
    }
    let missing = match words.first() {
        None => "no `retry_on`".to_owned(),
        Some(word) => format!("`retry_on: {word}` and no list for it"),
    };
    let finding = RULE
        .meta
        .found(
            &["retry_on", "num_retries"],
            at,
            format!("{what} has {missing}, so 0 retries happen where `num_retries` is {retries}"),
        )
        .consequence("Envoy accepts it; every failure reaches the caller at once")
        .help("write the conditions in `retry_on`, or leave the policy out");
    let finding = finding.maybe_fix(fix(cx));
    Some(match inherited(cx) {
        Some(at) => finding.related("replaced whole, conditions included", at),
        None => finding,
    })
}

/// What shows that retries are wanted; a per-try timeout alone works without any.
fn asked(retrying: Retrying<'_>) -> Option<(&Place, &'static str)> {
    let written = retrying.written?;
    let number = written.num_retries.as_ref().map(|n| (&n.at, "the policy"));
    let words = written.retry_on.as_ref().map(|w| (&w.at, "the policy"));
    let back_off = written.retry_back_off.as_ref().map(|b| (b, "`retry_back_off`"));
    let hosts = written.retry_host_predicate.first().map(|p| (&p.at, "`retry_host_predicate`"));
    number.or(words).or(back_off).or(hosts)
}

/// The policy of the virtual host, if that had conditions.
fn inherited<'c>(cx: &RouteCx<'c>) -> Option<&'c Place> {
    let replaced = cx.config.replaced_retry_policy.as_ref()?;
    replaced.retry_on.as_ref().map(|words| &words.at)
}

/// The conditions that the virtual host has, or those that the sizing recommends.
fn fix(cx: &RouteCx<'_>) -> Option<Fix> {
    let replaced = cx.config.replaced_retry_policy.as_ref().and_then(|p| p.retry_on.as_ref());
    let words: Vec<String> =
        replaced.map(|words| words.value.clone()).or_else(|| recommended_conditions(cx))?;
    let needs_list = words.iter().all(|w| w == LISTED_CODES || w == LISTED_HEADERS);
    (!needs_list)
        .then(|| Fix::set(format!("Retry on {}", words.join(",")), Setting::RetryOn, Value::Words(words)))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn route(policy: &str) -> String {
        format!("match: {{prefix: /}}\nroute:\n  cluster: shop\n  retry_policy: {{{policy}}}\n")
    }

    #[test]
    fn a_number_alone_retries_nothing() {
        let found = finding(&RULE, &route("num_retries: 3"), "");
        assert_eq!(
            found.message,
            "the policy has no `retry_on`, so 0 retries happen where `num_retries` is 3"
        );
        assert!(!fires(&RULE, &route("num_retries: 3, retry_on: reset"), ""));
        assert!(!fires(&RULE, &route("num_retries: 0"), ""));
    }

    #[test]
    fn a_list_that_is_missing_is_no_condition() {
        assert!(fires(&RULE, &route("retry_on: retriable-headers"), ""));
        assert!(fires(&RULE, &route("retry_on: retriable-status-codes"), ""));
        assert!(!fires(&RULE, &route("retry_on: retriable-status-codes, retriable_status_codes: [503]"), ""));
    }

    #[test]
    fn a_per_try_timeout_alone_is_a_timeout() {
        assert!(!fires(&RULE, &route("per_try_timeout: 1s"), ""));
    }

    #[test]
    fn the_conditions_of_the_virtual_host_are_replaced_too() {
        let text = "virtual_hosts:\n- name: v\n  domains: [\"*\"]\n  retry_policy: {retry_on: \"reset,connect-failure\"}\n  \
                    routes:\n  - match: {prefix: /}\n    route: {cluster: shop, retry_policy: {num_retries: 3}}\n";
        let found = finding(&RULE, text, "");
        assert_eq!(found.related.len(), 1);
        assert_eq!(found.fix.map(|f| f.label), Some("Retry on reset,connect-failure".to_owned()));
    }

    #[test]
    fn silent_where_the_control_plane_fills_in_conditions() {
        let text = "apiVersion: networking.istio.io/v1\nkind: VirtualService\nmetadata: {name: a}\nspec: {hosts: [a], \
                    http: [{retries: {attempts: 2}, route: [{destination: {host: a}}]}]}\n";
        assert!(!fires(&RULE, text, ""));
    }
}
