//! `HR128 retriable-4xx-is-409`: `retriable-4xx` covers one status.

use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, RouteCx};
use crate::engine::rules::{RuleMeta, Severity};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR128",
        name: "retriable-4xx-is-409",
        severity: Severity::Info,
        summary: "`retriable-4xx` covers 409 alone, not the 4xx statuses that are worth a retry",
        rationale: "The word sounds like a class and is one status: 409, a conflict, which mostly comes back as long as \
                    the request is the same. 408, 425 and 429, which a later attempt may mend, are not covered; they \
                    have to be listed in `retriable_status_codes`.",
        sources: &[
            "envoy: config.route.v3.RetryPolicy.retry_on: retriable-4xx; measured on 1.40: 404 is not retried",
        ],
    },
    check: Check::Route(check),
};

const WORD: &str = "retriable-4xx";

fn check(cx: &RouteCx<'_>) -> Vec<Finding> {
    of_route(cx).into_iter().collect()
}

// There is no fix: whether a conflict is worth a retry, the text does not tell.
fn of_route(cx: &RouteCx<'_>) -> Option<Finding> {
    let retrying = cx.retrying().filter(|r| r.words().contains(&WORD))?;
    let at = retrying.policy.retry_on.place().unwrap_or_else(|| cx.retry_place());
    let finding = RULE
        .meta
        .found(&["retry_on"], at, "`retriable-4xx` covers the status 409 alone")
        .consequence("a conflict is repeated as it is; 408, 425 and 429 are not retried")
        .help("leave it out, or list the statuses in `retriable_status_codes`");
    Some(finding)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn route(retry_on: &str) -> String {
        format!(
            "match: {{prefix: /}}\nroute: {{cluster: shop, retry_policy: {{retry_on: \"{retry_on}\"}}}}\n"
        )
    }

    #[test]
    fn says_which_status_it_is() {
        assert_eq!(
            finding(&RULE, &route("retriable-4xx"), "").message,
            "`retriable-4xx` covers the status 409 alone"
        );
        assert!(!fires(&RULE, &route("5xx"), ""));
    }
}
