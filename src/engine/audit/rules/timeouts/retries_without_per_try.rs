//! `HR236 retries-without-per-try`: a hanging attempt is never retried.

use crate::engine::audit::clocks::ON_TIMEOUT;
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, Fix, RouteCx, Setting, Value};
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR236",
        name: "retries-without-per-try",
        severity: Severity::Info,
        summary: "retries are meant for failures of all kinds, and a hanging attempt is never one",
        rationale: "Without a per-try timeout an attempt that hangs lasts until the route timeout, and what that cuts \
                    is never retried. The retries then only repeat what fails by itself: a reset, a refused \
                    connection, an error answer. Where a request may run twice, a per-try timeout that fits at least \
                    twice into the route timeout makes hanging a failure like the others.",
        sources: &["envoy: a route timeout is never retried, whatever retry_on says; measured on 1.40"],
    },
    check: Check::Route(check),
};

fn check(cx: &RouteCx<'_>) -> Vec<Finding> {
    of_route(cx).into_iter().collect()
}

fn of_route(cx: &RouteCx<'_>) -> Option<Finding> {
    let (retry, end) = (cx.effective.retry.as_ref()?, cx.end()?);
    let bounded = retry.per_try_timeout.value.0 > 0.0 || retry.per_try_idle_timeout.value.0 > 0.0;
    if !cx.carries_requests() || cx.carries_streams() || bounded || !cx.retries_on(&ON_TIMEOUT) {
        return None;
    }
    let recommended = cx.traffic().map(|t| t.sizing.timeouts.per_try_ms);
    // The ladder has no room for one, or the request may not run twice.
    if recommended == Some(None) {
        return None;
    }
    let to = recommended.flatten();
    let finding = RULE
        .meta
        .found(
            &["per_try_timeout"],
            cx.retry_place(),
            format!("without `per_try_timeout` a hanging attempt lasts as long as {}", end.last_words()),
        )
        .consequence(format!(
            "it is never retried: of {} attempts only those that fail by themselves are repeated",
            display::count(f64::from(cx.n_attempts()))
        ))
        .maybe_fix(to.map(|to| {
            let label = format!("off → {}", display::millis(to));
            Fix::set(label, Setting::PerTryTimeout, Value::Duration(to))
        }));
    Some(match to {
        Some(to) => finding.help(format!("set `per_try_timeout` to {}", display::millis(to))),
        None => finding.help(
            "set `per_try_timeout` above p99.9 of good answers, if it fits twice and a request may run twice",
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn route(retry: &str) -> String {
        format!("match: {{prefix: /}}\nroute:\n  cluster: shop\n  timeout: 9s\n  retry_policy: {{{retry}}}\n")
    }

    #[test]
    fn fires_for_what_would_repeat_a_timeout() {
        let found = finding(&RULE, &route("retry_on: 5xx, num_retries: 2"), "");
        assert_eq!(
            found.message,
            "without `per_try_timeout` a hanging attempt lasts as long as `timeout` 9,000\u{a0}ms"
        );
        assert!(found.fix.is_none());
        // 1.25 × 160.2 ms is below 2 × 160.2 ms, which rides out the slowdown.
        let known = "rps=500 p50=35 p99=110 idempotent=true deadline_ms=9100";
        assert_eq!(
            finding(&RULE, &route("retry_on: 5xx"), known).fix.map(|f| f.label),
            Some("off → 330\u{a0}ms".to_owned())
        );
    }

    #[test]
    fn silent_for_what_was_never_sent_and_where_an_attempt_is_bounded() {
        assert!(!fires(&RULE, &route("retry_on: connect-failure"), ""));
        assert!(!fires(&RULE, &route("retry_on: 5xx, per_try_timeout: 2s"), ""));
        assert!(!fires(&RULE, &route("retry_on: 5xx, num_retries: 0"), ""));
        assert!(!fires(&RULE, &route("retry_on: 5xx"), "rps=500 p50=35 p99=110"), "may not run twice");
    }
}
