//! `HR215 per-try-not-retried`: a per-try timeout that nothing retries is a short request timeout.

use crate::engine::audit::clocks::ON_TIMEOUT;
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Change, Finding, Fix, RouteCx, Setting, Value};
use crate::engine::read::effective::EffectiveRetry;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR215",
        name: "per-try-not-retried",
        severity: Severity::Warning,
        summary: "`per_try_timeout` cuts attempts that nothing in `retry_on` repeats",
        rationale: "The per-try timeout holds for every attempt, the first included. When it fires, the attempt is \
                    repeated under 5xx, gateway-error or reset only; status codes that are listed are codes received \
                    from the upstream and do not match it. Without one of these words it is a request timeout, and a \
                    shorter one than was meant.",
        sources: &[
            "envoy: retry_on; measured on 1.40: per-try timeouts retry only under 5xx, gateway-error, reset",
        ],
    },
    check: Check::Route(check),
};

fn check(cx: &RouteCx<'_>) -> Vec<Finding> {
    of_route(cx).into_iter().collect()
}

fn of_route(cx: &RouteCx<'_>) -> Option<Finding> {
    let (attempts, retry) = (cx.attempts()?, cx.effective.retry.as_ref()?);
    let hedged = cx.effective.hedge_on_per_try_timeout.value && cx.n_attempts() > 1;
    if !cx.carries_requests() || cx.carries_streams() || hedged || cx.retries_on(&ON_TIMEOUT) {
        return None;
    }
    let at = retry.per_try_timeout.place().unwrap_or_else(|| cx.retry_place());
    let per_try = display::millis(attempts.per_try);
    let message = format!("`per_try_timeout` {per_try} ends attempts that {}", repeats(cx, retry));
    let finding = RULE
        .meta
        .found(&["per_try_timeout", "retry_on"], at, message)
        .consequence(format!(
            "a request that takes longer than {per_try} fails with 504 after its first attempt, with 0 retries"
        ))
        .help(help(cx))
        .maybe_fix(fix(cx, retry));
    Some(match &retry.retry_on.place() {
        Some(place) => finding.related("the conditions", place),
        None => finding,
    })
}

/// `nothing repeats`, or the conditions that do not.
fn repeats(cx: &RouteCx<'_>, retry: &EffectiveRetry) -> String {
    const SHOWN: usize = 4;
    let words: Vec<String> =
        retry.retry_on.value.iter().take(SHOWN).map(|word| format!("`{word}`")).collect();
    if cx.n_attempts() < 2 || words.is_empty() {
        return "nothing repeats".to_owned();
    }
    let verb = if words.len() == 1 { "does" } else { "do" };
    let default = if retry.retry_on.is_default() { ", the default," } else { "" };
    format!("{}{default} {verb} not repeat", words.join(", "))
}

fn help(cx: &RouteCx<'_>) -> String {
    let above = cx.traffic().map_or_else(
        || "p99.9 of good answers".to_owned(),
        |t| format!("p99.9 of good answers, {}", display::millis(t.sizing.latency.p999_ms)),
    );
    let word = if cx.speaks_grpc() { "`reset`" } else { "`gateway-error` or `reset`" };
    match cx.facts.idempotent {
        Some(true) => format!("add {word} to `retry_on`, or raise it above {above}"),
        Some(false) => format!(
            "leave it out, or raise it above {above}: a request that may not run twice is not repeated after a timeout"
        ),
        None => format!("raise it above {above}, or add {word} to `retry_on` where a request may run twice"),
    }
}

fn fix(cx: &RouteCx<'_>, retry: &EffectiveRetry) -> Option<Fix> {
    let sizing = &cx.traffic()?.sizing;
    if sizing.timeouts.per_try_ms.is_none() {
        return Some(Fix::new("Leave it out", Change::Clear(Setting::PerTryTimeout)));
    }
    let words: Vec<String> = sizing.retry.retry_on.iter().map(|word| (*word).to_owned()).collect();
    let repeats = words.iter().any(|word| ON_TIMEOUT.contains(&word.as_str()));
    let fix = Fix::set("Repeat it", Setting::RetryOn, Value::Words(words));
    let more = Change::Set(Setting::NumRetries, Value::Count(u64::from(sizing.retry.num_retries)));
    repeats.then_some(if retry.num_retries.value > 0 { fix } else { fix.and(more) })
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::Change;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn route(retry: &str) -> String {
        format!("match: {{prefix: /}}\nroute:\n  cluster: shop\n  timeout: 9s\n  retry_policy: {{{retry}}}\n")
    }

    #[test]
    fn codes_do_not_match_a_timeout() {
        let text = route(
            "retry_on: retriable-status-codes, retriable_status_codes: [503], num_retries: 3, per_try_timeout: 2s",
        );
        let found = finding(&RULE, &text, "");
        assert_eq!(
            found.message,
            "`per_try_timeout` 2,000\u{a0}ms ends attempts that `retriable-status-codes` does not repeat"
        );
        assert!(found.consequence.ends_with("with 0 retries"), "{}", found.consequence);
        assert!(found.fix.is_none());
    }

    #[test]
    fn three_words_match_it_and_hedging_needs_none() {
        for word in ["5xx", "gateway-error", "reset"] {
            assert!(!fires(
                &RULE,
                &route(&format!("retry_on: \"connect-failure,{word}\", per_try_timeout: 2s")),
                ""
            ));
        }
        let hedged = route("retry_on: connect-failure, per_try_timeout: 2s")
            + "  hedge_policy: {hedge_on_per_try_timeout: true}\n";
        assert!(!fires(&RULE, &hedged, ""));
        assert!(fires(&RULE, &route("retry_on: connect-failure, per_try_timeout: 2s"), ""));
    }

    #[test]
    fn it_acts_without_any_retry_and_not_at_the_route_timeout() {
        let found = finding(&RULE, &route("num_retries: 0, per_try_timeout: 2s"), "");
        assert_eq!(found.message, "`per_try_timeout` 2,000\u{a0}ms ends attempts that nothing repeats");
        assert!(!fires(&RULE, &route("retry_on: connect-failure, per_try_timeout: 9s"), ""));
    }

    #[test]
    fn what_may_not_run_twice_loses_the_timeout_and_the_rest_gets_a_condition() {
        let text = route("retry_on: connect-failure, per_try_timeout: 2s");
        let known = "rps=500 p50=35 p99=110";
        assert_eq!(finding(&RULE, &text, known).fix.map(|f| f.label), Some("Leave it out".to_owned()));
        let fix = finding(&RULE, &text, "rps=500 p50=35 p99=110 idempotent=true").fix.unwrap();
        assert!(matches!(fix.changes.as_slice(), [Change::Set(..)]), "{fix:?}");
    }
}
