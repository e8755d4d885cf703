//! `HR131 rate-limited-back-off-idle`: a back-off for rate limits that never comes to act.

use crate::engine::audit::retrying::Retrying;
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, RouteCx};
use crate::engine::retry::conditions::LISTED_HEADERS;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::{Millis, display};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR131",
        name: "rate-limited-back-off-idle",
        severity: Severity::Warning,
        summary: "`rate_limited_retry_back_off` never acts: nothing retries, or no time is left",
        rationale: "`rate_limited_retry_back_off` only says how long to wait: the time of a reset header and up to half \
                    of it more. What is retried, `retry_on` says, and the wait runs on the route's clock. The headers \
                    count in whole seconds, so within a timeout of a second no such retry can start.",
        sources: &[
            "envoy: config.route.v3.RetryPolicy.RateLimitedRetryBackOff; measured on 1.40: retry-after 1 waits 1 to 1.5 s",
        ],
    },
    check: Check::Route(check),
};

/// The shortest wait that a reset header in seconds can ask for.
const SHORTEST: Millis = Millis(1_000.0);

fn check(cx: &RouteCx<'_>) -> Vec<Finding> {
    of_route(cx).into_iter().collect()
}

fn of_route(cx: &RouteCx<'_>) -> Option<Finding> {
    let retrying = cx.retry_policy()?;
    let block = &retrying.written?.rate_limited_retry_back_off.as_ref()?.block;
    let timeout = cx.effective.timeout.value;
    let (message, consequence, help) = if !retries_limits(retrying) {
        (
            "`rate_limited_retry_back_off` stands beside conditions that retry no 429".to_owned(),
            "it says how long to wait and not what to retry, so it never acts".to_owned(),
            "add `envoy-ratelimited`, or 429 to `retriable_status_codes` with the word for it",
        )
    } else if timeout.0 > 0.0 && timeout <= SHORTEST {
        (
            format!(
                "`rate_limited_retry_back_off` waits at least {}, and `timeout` is {}",
                display::millis(SHORTEST),
                display::millis(timeout)
            ),
            "reset headers count in seconds: the route timeout cuts every such retry while it waits"
                .to_owned(),
            "give the route a timeout of several seconds, or do not retry what is rate limited",
        )
    } else {
        return None;
    };
    let finding = RULE
        .meta
        .found(&["rate_limited_retry_back_off", "retry_on"], block, message)
        .consequence(consequence)
        .help(help);
    Some(finding)
}

/// Whether a rate-limited response is retried at all; 503 often comes with `retry-after` too.
fn retries_limits(retrying: Retrying<'_>) -> bool {
    let codes = &retrying.policy.retriable_status_codes.value;
    retrying.count() > 0
        && retrying.words().iter().any(|word| match *word {
            "envoy-ratelimited" | "5xx" | "gateway-error" | "resource-exhausted" | LISTED_HEADERS => true,
            "retriable-status-codes" => codes.iter().any(|code| matches!(code, 429 | 503)),
            _ => false,
        })
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn route(timeout: &str, conditions: &str) -> String {
        format!(
            "match: {{prefix: /}}\nroute:\n  cluster: shop\n  timeout: {timeout}\n  retry_policy: {{{conditions}, \
             rate_limited_retry_back_off: {{reset_headers: [{{name: retry-after, format: SECONDS}}]}}}}\n"
        )
    }

    #[test]
    fn says_that_nothing_is_retried() {
        let found = finding(&RULE, &route("15s", "retry_on: connect-failure"), "");
        assert!(found.message.ends_with("retry no 429"), "{}", found.message);
        assert!(!fires(&RULE, &route("15s", "retry_on: envoy-ratelimited"), ""));
    }

    #[test]
    fn a_second_is_too_short() {
        let of_429 = "retry_on: retriable-status-codes, retriable_status_codes: [429]";
        let found = finding(&RULE, &route("1s", of_429), "");
        assert!(found.message.ends_with("waits at least 1,000\u{a0}ms, and `timeout` is 1,000\u{a0}ms"));
        assert!(!fires(&RULE, &route("1.001s", of_429), ""));
        assert!(!fires(&RULE, &route("0s", of_429), ""));
    }
}
