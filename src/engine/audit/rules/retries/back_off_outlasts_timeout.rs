//! `HR129 back-off-outlasts-timeout`: the wait before a retry is longer than the whole request may take.

use crate::engine::audit::retrying::Retrying;
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Change, Finding, Fix, RouteCx, Setting, Value};
use crate::engine::retry::backoff::BackOff;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::{Millis, Share, display};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR129",
        name: "back-off-outlasts-timeout",
        severity: Severity::Warning,
        summary: "the back-off before a retry can outlast the route `timeout`",
        rationale: "Before retry n Envoy waits a random time below R_n: the base interval, then twice that, up to the \
                    maximum. The route timeout runs on during the wait, and a request that it cuts is not retried. \
                    With the default base of 25 ms a timeout of a few milliseconds leaves no retry a chance.",
        sources: &[
            "envoy: source/common/common/backoff_strategy.cc; measured on 1.40",
            "istio/istio#17613: a timeout of 3 ms and two retries that were never seen",
        ],
    },
    check: Check::Route(check),
};

fn check(cx: &RouteCx<'_>) -> Vec<Finding> {
    of_route(cx).into_iter().collect()
}

fn of_route(cx: &RouteCx<'_>) -> Option<Finding> {
    let retrying = cx.retrying()?;
    let timeout = cx.effective.timeout.value;
    let (base, retries) = (retrying.policy.back_off.base_interval.value, retrying.count());
    let waits = retrying.back_off().total_bound(retries);
    // Whether the attempts fit is a question of timeouts; here the waits alone are too long.
    if timeout.0 <= 0.0 || waits <= timeout {
        return None;
    }
    let finding = if base > timeout { first_wait(cx, retrying) } else { all_waits(cx, retrying, waits) };
    Some(finding.maybe_fix(fix(cx)))
}

fn found(cx: &RouteCx<'_>, retrying: Retrying<'_>, message: String) -> Finding {
    let base = &retrying.policy.back_off.base_interval;
    let at = base.place().unwrap_or_else(|| cx.retry_place());
    let finding = RULE.meta.found(&["base_interval", "timeout"], at, message);
    match cx.effective.timeout.place() {
        Some(at) => finding.related("the clock that runs on", at),
        None => finding,
    }
}

fn first_wait(cx: &RouteCx<'_>, retrying: Retrying<'_>) -> Finding {
    let (base, timeout) = (&retrying.policy.back_off.base_interval, cx.effective.timeout.value);
    let default = if base.is_default() { ", a default," } else { "" };
    // Uniform below the base: the share of waits that are not over when the time is up.
    let late = Share(1.0 - timeout.0 / base.value.0);
    let [value, limit] = [base.value, timeout].map(display::millis);
    found(cx, retrying, format!("`base_interval` {value}{default} is above `timeout` {limit}"))
        .consequence(format!(
            "the first retry waits up to {value}, so {} of retries are over before they start",
            display::share(late)
        ))
        .help("write a `retry_back_off` with a `base_interval` well below the timeout, or a longer timeout")
}

fn all_waits(cx: &RouteCx<'_>, retrying: Retrying<'_>, waits: Millis) -> Finding {
    let retries = retrying.count();
    let [waits, limit] = [waits, cx.effective.timeout.value].map(display::millis);
    found(
        cx,
        retrying,
        format!("the waits before {} take up to {waits}, and `timeout` is {limit}", retry_words(retries)),
    )
    .consequence("late retries are cut by the route timeout before they start")
    .help("shorten `base_interval` or `max_interval`, or retry less often")
}

fn retry_words(n: u32) -> String {
    display::plural(f64::from(n), "retry", "retries")
}

/// The recommended back-off, where that is short enough.
fn fix(cx: &RouteCx<'_>) -> Option<Fix> {
    let retry = &cx.traffic()?.sizing.retry;
    let (base, max) = (retry.backoff_base_ms, retry.backoff_max_ms);
    let waits = BackOff { base, max }.total_bound(retry.num_retries);
    let fits = retry.num_retries > 0 && waits <= cx.effective.timeout.value;
    fits.then(|| {
        Fix::set(format!("Wait {}", display::millis(base)), Setting::BackOffBase, Value::Duration(base))
            .and(Change::Set(Setting::BackOffMax, Value::Duration(max)))
            .and(Change::Set(Setting::NumRetries, Value::Count(retry.num_retries.into())))
    })
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn route(timeout: &str, policy: &str) -> String {
        format!(
            "match: {{prefix: /}}\nroute:\n  cluster: shop\n  timeout: {timeout}\n  retry_policy: {{retry_on: reset{policy}}}\n"
        )
    }

    #[test]
    fn the_default_base_outlasts_three_milliseconds() {
        // 22 of 25 ms.
        let found = finding(&RULE, &route("0.003s", ", num_retries: 2"), "");
        assert_eq!(found.message, "`base_interval` 25\u{a0}ms, a default, is above `timeout` 3\u{a0}ms");
        assert!(found.consequence.contains("88% of retries"), "{}", found.consequence);
    }

    #[test]
    fn silent_where_timeout_and_wait_are_equal() {
        assert!(!fires(&RULE, &route("0.025s", ""), ""));
        assert!(fires(&RULE, &route("0.024s", ""), ""));
        assert!(!fires(&RULE, &route("0s", ""), ""));
    }

    #[test]
    fn all_waits_together_count() {
        // 100 + 200 + 400 + 800 by Envoy's code; the manual's 100 + 300 + 700 + 1,000 is wrong.
        let policy = ", num_retries: 4, retry_back_off: {base_interval: 0.1s, max_interval: 10s}";
        let found = finding(&RULE, &route("1s", policy), "");
        assert_eq!(
            found.message,
            "the waits before 4 retries take up to 1,500\u{a0}ms, and `timeout` is 1,000\u{a0}ms"
        );
        assert!(!fires(&RULE, &route("1.5s", policy), ""));
    }
}
