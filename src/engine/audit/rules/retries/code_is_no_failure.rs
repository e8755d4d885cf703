//! `HR123 code-is-no-failure`: a listed status code is none, or one that is no failure.

use crate::engine::audit::retrying::codes_among_words;
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Change, Finding, Fix, RouteCx, Setting, Value};
use crate::engine::rules::{RuleMeta, Severity};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR123",
        name: "code-is-no-failure",
        severity: Severity::Warning,
        summary: "a code in `retriable_status_codes` is no status, or no failure",
        rationale: "Envoy takes any number as a status code. One below 100 or above 599 is never received, so the entry \
                    does nothing. One below 400 is received with every success or redirect: each of them would be \
                    thrown away and asked for again, as often as `num_retries` allows.",
        sources: &[
            "envoy: config.route.v3.RetryPolicy.retriable_status_codes; measured on 1.40: 99 is accepted",
            "RFC 9110, chapter 15: status codes",
        ],
    },
    check: Check::Route(check),
};

fn check(cx: &RouteCx<'_>) -> Vec<Finding> {
    of_route(cx).into_iter().collect()
}

fn is_failure(code: u32) -> bool {
    (400..600).contains(&code)
}

fn of_route(cx: &RouteCx<'_>) -> Option<Finding> {
    let codes = &cx.retry_policy()?.policy.retriable_status_codes;
    let (good, bad): (Vec<u32>, Vec<u32>) = codes.value.iter().partition(|code| is_failure(**code));
    let first = *bad.first()?;
    let successes = bad.iter().any(|code| (100..400).contains(code));
    let listed: Vec<String> = bad.iter().take(8).map(u32::to_string).collect();
    let what = if successes { "no failure" } else { "no status code" };
    let consequence = if successes {
        "every such answer is thrown away and asked for again, as often as `num_retries` allows"
    } else {
        "no response has it, so the entry does nothing"
    };
    let change = if good.is_empty() {
        Change::Clear(Setting::RetriableStatusCodes)
    } else {
        Change::Set(Setting::RetriableStatusCodes, Value::Numbers(good))
    };
    let fix = (!codes_among_words(cx.dialect())).then(|| Fix::new(format!("Leave {first} out"), change));
    let finding = RULE
        .meta
        .found(
            &["retriable_status_codes"],
            codes.place().unwrap_or_else(|| cx.retry_place()),
            format!("{} in `retriable_status_codes` is {what}", listed.join(", ")),
        )
        .consequence(consequence)
        .help("list statuses from 400 to 599 that a second attempt can mend")
        .severity(if successes { Severity::Error } else { Severity::Warning })
        .maybe_fix(fix);
    Some(finding)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};
    use crate::engine::rules::Severity;

    fn route(codes: &str) -> String {
        format!(
            "match: {{prefix: /}}\nroute:\n  cluster: shop\n  retry_policy: {{retry_on: retriable-status-codes, \
             retriable_status_codes: [{codes}]}}\n"
        )
    }

    #[test]
    fn a_number_outside_the_statuses_does_nothing() {
        let found = finding(&RULE, &route("99, 503"), "");
        assert_eq!(found.message, "99 in `retriable_status_codes` is no status code");
        assert_eq!(found.severity, Severity::Warning);
        assert!(fires(&RULE, &route("600"), ""));
        assert!(!fires(&RULE, &route("599"), ""));
    }

    #[test]
    fn a_success_is_repeated() {
        let found = finding(&RULE, &route("399"), "");
        assert_eq!(
            (found.severity, found.message.as_str()),
            (Severity::Error, "399 in `retriable_status_codes` is no failure")
        );
        assert!(!fires(&RULE, &route("400"), ""));
    }
}
