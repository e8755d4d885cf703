//! `HR120 retries-repeat-every-5xx`: `5xx` also repeats failures that a repetition cannot mend.

use crate::engine::audit::retrying::recommended_conditions;
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, Fix, RouteCx, Setting, Value};
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR120",
        name: "retries-repeat-every-5xx",
        severity: Severity::Info,
        summary: "`5xx` also repeats failures of the service that a repetition cannot mend",
        rationale: "A 500 or a 501 is the service's own answer to this request and will mostly be the same next time, \
                    so the work is done several times for nothing. What a second host can mend are resets, connects \
                    and the gateway statuses 502, 503 and 504; `gateway-error` covers exactly those.",
        sources: &[
            "envoy: config.route.v3.RetryPolicy.retry_on: 5xx",
            "knative/serving#6549: a default of three retries on 5xx ran failing jobs four times",
        ],
    },
    check: Check::Route(check),
};

fn check(cx: &RouteCx<'_>) -> Vec<Finding> {
    of_route(cx).into_iter().collect()
}

fn of_route(cx: &RouteCx<'_>) -> Option<Finding> {
    let retrying = cx.retrying().filter(|r| r.words().contains(&"5xx"))?;
    // Where repeating is not known to be safe, that is the finding, and gRPC has another one.
    if cx.repeatable() != Some(true) || cx.is_grpc() {
        return None;
    }
    let attempts = display::count(f64::from(retrying.count()) + 1.0);
    let at = retrying.policy.retry_on.place().unwrap_or_else(|| cx.retry_place());
    let default = if retrying.policy.retry_on.is_default() { ", a default," } else { "" };
    let finding = RULE
        .meta
        .found(
            &["retry_on"],
            at,
            format!("`retry_on: 5xx`{default} repeats every failure of the service, up to {attempts} executions each"),
        )
        .consequence("a 500 or 501 comes back the same, so failing work is done several times")
        .help("retry on `gateway-error`, which covers resets and failed connects too")
        .fix(Fix::set("Narrow it", Setting::RetryOn, Value::Words(narrowed(cx, &retrying.words()))));
    Some(finding)
}

/// What the sizing recommends, else the words with `5xx` made narrower.
fn narrowed(cx: &RouteCx<'_>, words: &[&str]) -> Vec<String> {
    let narrow = |word: &&str| if *word == "5xx" { "gateway-error".to_owned() } else { (*word).to_owned() };
    recommended_conditions(cx).unwrap_or_else(|| {
        let mut out: Vec<String> = Vec::new();
        for word in words.iter().map(narrow) {
            if !out.contains(&word) {
                out.push(word);
            }
        }
        out
    })
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};
    use crate::engine::audit::{Change, Setting, Value};

    fn route(retry_on: &str) -> String {
        format!(
            "match: {{prefix: /}}\nroute:\n  cluster: shop\n  retry_policy: {{retry_on: \"{retry_on}\", num_retries: 3}}\n"
        )
    }

    #[test]
    fn four_executions_of_what_fails_again() {
        let found = finding(&RULE, &route("5xx,gateway-error,reset"), "idempotent=true");
        assert!(found.message.ends_with("up to 4 executions each"), "{}", found.message);
        let words = ["gateway-error", "reset"].map(str::to_owned).to_vec();
        assert_eq!(
            found.fix.map(|f| f.changes),
            Some(vec![Change::Set(Setting::RetryOn, Value::Words(words))])
        );
    }

    #[test]
    fn silent_for_narrow_words_and_where_another_rule_speaks() {
        assert!(!fires(&RULE, &route("gateway-error,reset"), "idempotent=true"));
        assert!(!fires(&RULE, &route("5xx"), "idempotent=false"));
        assert!(!fires(&RULE, &route("5xx"), "idempotent=true protocol=grpc"));
    }
}
