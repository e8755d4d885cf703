//! `HR201 per-try-not-below-route`: `per_try_timeout` is ignored.

use crate::engine::audit::clocks::{Attempts, label};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Change, Finding, Fix, RouteCx, Setting, Value};
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::{Millis, display};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR201",
        name: "per-try-not-below-route",
        severity: Severity::Warning,
        summary: "`per_try_timeout` is not below the route `timeout`, so Envoy ignores it",
        rationale: "Envoy accepts a per-try timeout that is equal to the route timeout or longer, and drops it without \
                    a word. One attempt then lasts as long as the route allows, and a hanging attempt is never \
                    retried.",
        sources: &["envoy: config.route.v3.RetryPolicy.per_try_timeout; measured on 1.40"],
    },
    check: Check::Route(check),
};

fn check(cx: &RouteCx<'_>) -> Vec<Finding> {
    of_route(cx).into_iter().collect()
}

fn of_route(cx: &RouteCx<'_>) -> Option<Finding> {
    let per_try = &cx.effective.retry.as_ref()?.per_try_timeout;
    let route = cx.effective.timeout.value;
    if !cx.carries_requests() || per_try.value.0 <= 0.0 || route.0 <= 0.0 || per_try.value < route {
        return None;
    }
    let at = per_try.place().unwrap_or_else(|| cx.retry_place());
    let [value, limit] = [per_try.value, route].map(display::millis);
    let default = if cx.effective.timeout.is_default() { ", the default" } else { "" };
    let finding = RULE
        .meta
        .found(
            &["per_try_timeout", "timeout"],
            at,
            format!("`per_try_timeout` {value} is not below `timeout` {limit}{default}"),
        )
        .consequence("Envoy accepts it and ignores it: a hanging attempt lasts as long as the route and is not retried")
        .help(help(cx));
    Some(finding.fix(fix(cx, per_try.value)))
}

fn help(cx: &RouteCx<'_>) -> String {
    let (n, route) = (cx.n_attempts(), cx.effective.timeout.value);
    let most = cx
        .back_off()
        .filter(|_| n > 1)
        .and_then(|back_off| Attempts { n, per_try: Millis::default(), back_off }.per_try_within(route));
    most.map_or_else(
        || "make it shorter than the route timeout, or leave it out".to_owned(),
        |most| {
            format!(
                "make it at most {}, so that {n} attempts and their back-off fit into {}, or leave it out",
                display::millis(most),
                display::millis(route),
            )
        },
    )
}

/// The timeout that the ladder gives, where the traffic is known and there is one.
fn fix(cx: &RouteCx<'_>, per_try: Millis) -> Fix {
    let route = cx.effective.timeout.value;
    let recommended: Option<Millis> =
        cx.traffic().and_then(|t| t.sizing.timeouts.per_try_ms).filter(|per_try| *per_try < route);
    match recommended {
        Some(to) => Fix::set(label(per_try, to), Setting::PerTryTimeout, Value::Duration(to)),
        None => Fix::new("Leave it out", Change::Clear(Setting::PerTryTimeout)),
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn route(timeout: &str, per_try: &str) -> String {
        format!(
            "match: {{prefix: /}}\nroute:\n  cluster: shop\n  timeout: {timeout}\n  retry_policy:\n    \
             retry_on: 5xx\n    num_retries: 5\n    per_try_timeout: {per_try}\n"
        )
    }

    #[test]
    fn fires_at_equality_and_silent_just_below() {
        let found = finding(&RULE, &route("15s", "15s"), "");
        assert_eq!(found.message, "`per_try_timeout` 15\u{a0}s is not below `timeout` 15\u{a0}s");
        assert_eq!(found.at.line(), 8);
        // (15,000 − 25 − 50 − 100 − 200 − 250) / 6 = 2,395.8.
        assert!(
            found.help.starts_with("make it at most 2,395\u{a0}ms, so that 6 attempts"),
            "{}",
            found.help
        );
        assert!(!fires(&RULE, &route("15s", "14.999s"), ""));
    }

    #[test]
    fn silent_where_the_route_has_no_timeout() {
        assert!(!fires(&RULE, &route("0s", "15s"), ""));
    }

    #[test]
    fn silent_where_stream_durations_switch_the_timeout_off() {
        let text = route("15s", "16s") + "  max_stream_duration: {grpc_timeout_header_max: 15s}\n";
        assert!(!fires(&RULE, &text, ""));
    }
}
