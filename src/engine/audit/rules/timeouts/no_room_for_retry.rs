//! `HR214 no-room-for-retry`: the time of a request ends before a retry could run.

use crate::engine::audit::clocks::{Attempts, Clock, is_same};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, RouteCx};
use crate::engine::retry::backoff::BackOff;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::{Millis, display};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR214",
        name: "no-room-for-retry",
        severity: Severity::Warning,
        summary: "the route `timeout` ends before a retry could run",
        rationale: "The route timeout covers all attempts and the waits between them, and a request that it cuts is \
                    never retried. Where one back-off alone may take longer, retries hardly ever run, however many \
                    there are: what helps is a shorter back-off and a longer timeout.",
        sources: &[
            "envoy: config.route.v3.RetryPolicy.RetryBackOff, default base 25 ms; measured on 1.40",
            "envoy: a route timeout is never retried",
        ],
    },
    check: Check::Route(check),
};

/// The shortest back-off that Envoy takes.
const SHORTEST: BackOff = BackOff { base: Millis(1.0), max: Millis(10.0) };

fn check(cx: &RouteCx<'_>) -> Vec<Finding> {
    of_route(cx).into_iter().collect()
}

/// Whether it fires: then the attempts need not be counted.
pub fn fires(cx: &RouteCx<'_>) -> bool {
    tight(cx).is_some()
}

/// The clock that ends before the first back-off and a typical answer may be over.
fn tight<'a>(cx: &RouteCx<'a>) -> Option<(Clock<'a>, BackOff)> {
    let (end, back_off) = (cx.end()?, cx.back_off()?);
    let retries = cx.n_attempts() > 1 && cx.carries_requests() && !cx.carries_streams();
    let answer = cx.traffic().map_or(Millis::default(), |t| t.sizing.latency.p50_ms);
    (retries && end.of.value <= back_off.upper_bound(1) + answer).then_some((end, back_off))
}

fn of_route(cx: &RouteCx<'_>) -> Option<Finding> {
    let (end, back_off) = tight(cx)?;
    let at = end.of.place().unwrap_or_else(|| cx.retry_place());
    let message = format!(
        "{} cannot run within {}: the first back-off alone takes up to {}",
        display::plural(f64::from(cx.n_attempts() - 1), "retry", "retries"),
        end.words(),
        display::millis(back_off.upper_bound(1)),
    );
    let finding = RULE
        .meta
        .found(&["timeout", "retry_back_off", "num_retries"], at, message)
        .consequence(consequence(cx, back_off))
        .help(help(cx))
        .maybe_fix(cx.ladder_fix());
    Some(if is_recommended(cx, end.of.value) { finding.severity(Severity::Info) } else { finding })
}

/// Attempts of a bad day, and the longest time of all of them with their waits.
fn attempts(cx: &RouteCx<'_>, back_off: BackOff) -> Option<Attempts> {
    Some(Attempts { n: cx.n_attempts(), per_try: cx.attempt_time()?, back_off })
}

fn consequence(cx: &RouteCx<'_>, back_off: BackOff) -> String {
    let waits = display::millis(back_off.total_bound(cx.n_attempts() - 1));
    let needed = attempts(cx, back_off).map_or_else(
        || format!("all back-offs take up to {waits}"),
        |of| {
            let [each, all] = [of.per_try, of.all()].map(display::millis);
            format!(
                "{} attempts of {each} and {waits} of back-off need {all}",
                display::count(f64::from(of.n))
            )
        },
    );
    format!("{needed}, and a request that the timeout cuts is never retried")
}

fn help(cx: &RouteCx<'_>) -> String {
    let enough = attempts(cx, SHORTEST).map_or_else(
        || {
            let waits = display::millis(SHORTEST.total_bound(cx.n_attempts() - 1));
            format!("with `base_interval` 1\u{a0}ms all back-offs take up to {waits}: give the route that and the time for its attempts")
        },
        |of| {
            let [each, all] = [of.per_try, of.all()].map(display::millis);
            format!("with `base_interval` 1\u{a0}ms and `per_try_timeout` {each} a `timeout` of {all} is enough")
        },
    );
    format!("{enough}; or leave the retries out")
}

/// The best that the deadline allows: then the deadline is at fault and not this text.
fn is_recommended(cx: &RouteCx<'_>, end: Millis) -> bool {
    cx.traffic().is_some_and(|t| {
        is_same(t.sizing.timeouts.route_ms, end)
            && t.sizing.retry.num_retries.saturating_add(1) == cx.n_attempts()
    })
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn route(timeout: &str, back_off: &str) -> String {
        format!(
            "match: {{prefix: /}}\nroute:\n  cluster: shop\n  timeout: {timeout}\n  retry_policy: {{retry_on: \
             gateway-error, num_retries: 2{back_off}}}\n"
        )
    }

    #[test]
    fn three_milliseconds_hold_no_back_off() {
        let found = finding(&RULE, &route("0.003s", ""), "");
        assert_eq!(
            found.message,
            "2 retries cannot run within `timeout` 3\u{a0}ms: the first back-off alone takes up to 25\u{a0}ms"
        );
        assert!(
            found.consequence.starts_with("all back-offs take up to 75\u{a0}ms"),
            "{}",
            found.consequence
        );
        assert!(found.fix.is_none());
    }

    #[test]
    fn says_what_is_needed_where_the_latency_is_known() {
        // p99.9 4.8 ms × 1.25 = 6 ms: 3 × 6 + 25 + 50, and 3 × 6 + 1 + 2 with the shortest back-off.
        let known = "rps=100 p50=3 p999=4.8 slowdown=1";
        let found = finding(&RULE, &route("0.003s", ""), known);
        assert!(
            found
                .consequence
                .starts_with("3 attempts of 6\u{a0}ms and 75\u{a0}ms of back-off need 93\u{a0}ms"),
            "{}",
            found.consequence
        );
        assert!(
            found.help.contains("`per_try_timeout` 6\u{a0}ms a `timeout` of 21\u{a0}ms is enough"),
            "{}",
            found.help
        );
        assert!(found.fix.is_some());
    }

    #[test]
    fn the_back_off_itself_is_no_room_and_a_millisecond_more_is_some() {
        assert!(fires(&RULE, &route("0.025s", ""), ""));
        assert!(!fires(&RULE, &route("0.026s", ""), ""));
        assert!(!fires(&RULE, &route("0.003s", ", retry_back_off: {base_interval: 0.001s}"), ""));
        assert!(!fires(&RULE, &route("0s", ""), ""));
    }
}
