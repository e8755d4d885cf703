//! `HR132 rate-limit-retried-at-once`: who asked for less traffic gets more, at once.

use crate::engine::audit::retrying::{Retrying, codes_among_words};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Change, Finding, Fix, RouteCx, Setting, Value};
use crate::engine::read::config::Dialect;
use crate::engine::retry::conditions::LISTED_CODES;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR132",
        name: "rate-limit-retried-at-once",
        severity: Severity::Info,
        summary: "a rate-limited response is retried within milliseconds",
        rationale: "429 says that the service wants fewer requests and often when it will take more. The exponential \
                    back-off knows nothing of that: it asks again within tens of milliseconds and uses up quota that \
                    other callers wait for. `rate_limited_retry_back_off` waits as long as the response says.",
        sources: &[
            "envoy: config.route.v3.RetryPolicy.rate_limited_retry_back_off",
            "RFC 6585, 4: 429 Too Many Requests",
        ],
    },
    check: Check::Route(check),
};

const LIMITED: u32 = 429;
const LIMITED_WORD: &str = "envoy-ratelimited";

fn check(cx: &RouteCx<'_>) -> Vec<Finding> {
    of_route(cx).into_iter().collect()
}

fn of_route(cx: &RouteCx<'_>) -> Option<Finding> {
    let retrying = cx.retrying()?;
    let words = retrying.words();
    let codes = &retrying.policy.retriable_status_codes;
    let by_code = words.contains(&LISTED_CODES) && codes.value.contains(&LIMITED);
    let by_word = words.contains(&LIMITED_WORD);
    let waits = retrying.written.is_some_and(|p| p.rate_limited_retry_back_off.is_some());
    if waits || !by_code && !by_word {
        return None;
    }
    let longest = retrying.back_off().total_bound(retrying.count());
    let place = if by_code { codes.place() } else { retrying.policy.retry_on.place() };
    let what = if by_code { "status 429" } else { "a response marked x-envoy-ratelimited" };
    let help = if matches!(cx.dialect(), Dialect::Envoy | Dialect::Cilium) {
        "add `rate_limited_retry_back_off` with the header that the service sends, or do not retry it"
    } else {
        "do not retry it: the program has no back-off for rate limits"
    };
    let finding = RULE
        .meta
        .found(
            &["retriable_status_codes", "rate_limited_retry_back_off"],
            place.unwrap_or_else(|| cx.retry_place()),
            format!(
                "{what} is retried {} within {} of waiting",
                display::plural(f64::from(retrying.count()), "time", "times"),
                display::millis(longest)
            ),
        )
        .consequence(
            "the service asked for fewer requests and gets the same ones again before its limit resets",
        )
        .help(help)
        .maybe_fix(fix(cx, retrying, by_code && !by_word));
    Some(finding)
}

/// Without the code, where other conditions are left.
fn fix(cx: &RouteCx<'_>, retrying: Retrying<'_>, only_code: bool) -> Option<Fix> {
    let codes = &retrying.policy.retriable_status_codes;
    let left: Vec<u32> = codes.value.iter().copied().filter(|code| *code != LIMITED).collect();
    let apart = !codes_among_words(cx.dialect());
    (only_code && apart && !left.is_empty())
        .then(|| Fix::new("Leave 429 out", Change::Set(Setting::RetriableStatusCodes, Value::Numbers(left))))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn route(policy: &str) -> String {
        format!(
            "match: {{prefix: /}}\nroute: {{cluster: shop, retry_policy: {{num_retries: 2, {policy}}}}}\n"
        )
    }

    #[test]
    fn says_how_soon() {
        // 25 + 50 ms.
        let found = finding(
            &RULE,
            &route("retry_on: retriable-status-codes, retriable_status_codes: [429, 503]"),
            "",
        );
        assert_eq!(found.message, "status 429 is retried 2 times within 75\u{a0}ms of waiting");
        assert!(found.fix.is_some());
    }

    #[test]
    fn silent_where_it_waits_or_is_not_retried() {
        let waits = "retry_on: envoy-ratelimited, rate_limited_retry_back_off: {reset_headers: [{name: retry-after}]}";
        assert!(!fires(&RULE, &route(waits), ""));
        assert!(fires(&RULE, &route("retry_on: envoy-ratelimited"), ""));
        assert!(!fires(&RULE, &route("retry_on: connect-failure, retriable_status_codes: [429]"), ""));
    }
}
