//! `HR122 codes-without-condition`: status codes are listed, and the word that reads them is missing.

use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, Fix, RouteCx, Setting, Value};
use crate::engine::retry::conditions::LISTED_CODES;
use crate::engine::rules::{RuleMeta, Severity};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR122",
        name: "codes-without-condition",
        severity: Severity::Warning,
        summary: "`retriable_status_codes` is listed, but `retry_on` lacks the word that reads it",
        rationale: "Envoy looks at `retriable_status_codes` only where `retry_on` contains retriable-status-codes, and \
                    accepts the list without it. The codes that somebody listed are then never retried. A leading \
                    comma in `retry_on`, as some control planes write it, is harmless: empty words are skipped.",
        sources: &[
            "envoy: config.route.v3.RetryPolicy.retriable_status_codes; measured on 1.40",
            "istio/istio#34825, istio/api#2083: codes without the condition",
        ],
    },
    check: Check::Route(check),
};

fn check(cx: &RouteCx<'_>) -> Vec<Finding> {
    of_route(cx).into_iter().collect()
}

fn of_route(cx: &RouteCx<'_>) -> Option<Finding> {
    let retrying = cx.retry_policy()?;
    let codes = &retrying.policy.retriable_status_codes;
    let words = &retrying.policy.retry_on.value;
    if codes.value.is_empty() || words.iter().any(|word| word == LISTED_CODES) {
        return None;
    }
    let listed: Vec<String> = codes.value.iter().take(8).map(u32::to_string).collect();
    let at = codes.place().unwrap_or_else(|| cx.retry_place());
    let mut fixed = words.clone();
    fixed.push(LISTED_CODES.to_owned());
    let instead = if words.is_empty() {
        "nothing is retried".to_owned()
    } else {
        format!("only `{}` is retried", words.join(","))
    };
    let finding = RULE
        .meta
        .found(
            &["retriable_status_codes", "retry_on"],
            at,
            format!(
                "`retriable_status_codes` {} is not read without the word `{LISTED_CODES}`",
                listed.join(", ")
            ),
        )
        .consequence(format!("0 retries on these codes; {instead}"))
        .help(format!("add {LISTED_CODES} to `retry_on`"))
        .fix(Fix::set("Add the word", Setting::RetryOn, Value::Words(fixed)));
    Some(finding)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn route(policy: &str) -> String {
        format!("match: {{prefix: /}}\nroute:\n  cluster: shop\n  retry_policy: {{{policy}}}\n")
    }

    #[test]
    fn fires_where_the_word_is_missing() {
        let found =
            finding(&RULE, &route("retry_on: connect-failure, retriable_status_codes: [502, 503]"), "");
        assert!(
            found.message.starts_with("`retriable_status_codes` 502, 503 is not read"),
            "{}",
            found.message
        );
        assert_eq!(found.consequence, "0 retries on these codes; only `connect-failure` is retried");
        let none = finding(&RULE, &route("num_retries: 2, retriable_status_codes: [503]"), "");
        assert!(none.consequence.ends_with("nothing is retried"), "{}", none.consequence);
    }

    #[test]
    fn silent_with_the_word_even_after_a_comma() {
        let with = "retry_on: \",retriable-status-codes\", retriable_status_codes: [503]";
        assert!(!fires(&RULE, &route(with), ""));
        assert!(!fires(&RULE, &route("retry_on: 5xx"), ""));
    }

    #[test]
    fn envoy_gateway_wants_the_trigger_too() {
        let text = "apiVersion: gateway.envoyproxy.io/v1alpha1\nkind: BackendTrafficPolicy\nmetadata: {name: a}\nspec: \
                    {targetRefs: [{kind: HTTPRoute, name: a}], retry: {retryOn: {triggers: [reset], httpStatusCodes: [503]}}}\n";
        assert_eq!(finding(&RULE, text, "").consequence, "0 retries on these codes; only `reset` is retried");
        assert!(!fires(&RULE, &text.replace("triggers: [reset], ", ""), ""));
    }

    #[test]
    fn a_number_in_istio_brings_its_word() {
        let text = "apiVersion: networking.istio.io/v1\nkind: VirtualService\nmetadata: {name: a}\nspec: {hosts: [a], \
                    http: [{retries: {attempts: 2, retryOn: \"503\"}, route: [{destination: {host: a}}]}]}\n";
        assert!(!fires(&RULE, text, ""));
    }
}
