//! `HR213 attempts-outlast-timeout`: the promised attempts do not fit into the time for them.

use crate::engine::audit::clocks::{Attempts, Clock, ON_TIMEOUT, label};
use crate::engine::audit::rules::timeouts::no_room_for_retry;
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, Fix, RouteCx, Setting, Value};
use crate::engine::params::ParamId;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::sizing::timeouts::within;
use crate::engine::units::{Millis, display};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR213",
        name: "attempts-outlast-timeout",
        severity: Severity::Warning,
        summary: "the attempts and their back-offs do not fit into the route `timeout`",
        rationale: "Attempts, connects and back-offs all run on the route's one clock, and what that clock cuts is \
                    never retried. Retries that do not fit only look like a safety net: where every attempt runs \
                    into its own timeout, the last ones are cut or never start. The wait before retry n is below \
                    R(n): base, then twice the one before, up to the maximum; the manual's (2^n − 1) · base is \
                    wrong.",
        sources: &[
            "envoy: the route timeout covers queueing, connects, all attempts and back-offs",
            "envoy 1.40, backoff_strategy.cc; measured for base 25 and 100 ms",
        ],
    },
    check: Check::Route(check),
};

/// Conditions of attempts that were never sent: these fail at once, and not after a per-try timeout.
const NEVER_SENT: [&str; 4] =
    ["connect-failure", "refused-stream", "reset-before-request", "http3-post-connect-failure"];

fn check(cx: &RouteCx<'_>) -> Vec<Finding> {
    of_route(cx).into_iter().collect()
}

/// What the attempts must fit into: the route's clock, or the caller's patience if that ends first.
struct Bound<'a> {
    at: Millis,
    clock: Option<Clock<'a>>,
    /// Whether it is a patience that nobody named.
    assumed: bool,
}

/// A patience that is only assumed counts where the route's own clock is long enough.
fn bound<'a>(cx: &RouteCx<'a>, needed: Millis) -> Option<Bound<'a>> {
    let (clock, deadline) = (cx.end(), cx.deadline());
    let by_caller = deadline
        .filter(|d| clock.is_none_or(|c| d.at < c.of.value && (!d.assumed || needed.0 <= c.of.value.0)));
    match (by_caller, clock) {
        (Some(deadline), _) => Some(Bound { at: deadline.at, clock: None, assumed: deadline.assumed }),
        (None, Some(clock)) => Some(Bound { at: clock.of.value, clock: Some(clock), assumed: false }),
        (None, None) => None,
    }
}

fn of_route(cx: &RouteCx<'_>) -> Option<Finding> {
    let attempts = cx.attempts()?;
    let bound = bound(cx, attempts.all())?;
    let fits = attempts.n < 2 || attempts.all().0 <= bound.at.0;
    if !cx.carries_requests() || cx.carries_streams() || fits || no_room_for_retry::fires(cx) {
        return None;
    }
    let at = bound.clock.and_then(|clock| clock.of.place()).unwrap_or_else(|| cx.retry_place());
    let needed = display::millis(attempts.all());
    let into = bound.clock.map_or_else(
        || {
            let whose = if bound.assumed { "that the caller is assumed to wait" } else { "of the caller" };
            format!("the {} {whose}", display::millis(bound.at))
        },
        |clock| clock.last_words(),
    );
    let waits = display::millis(attempts.back_off.total_bound(attempts.n - 1));
    let message = format!(
        "{} attempts of up to {} and back-offs of up to {waits} need {needed}, more than {into}",
        display::count(f64::from(attempts.n)),
        display::millis(attempts.per_try),
    );
    let finding = RULE
        .meta
        .found(&["timeout", "per_try_timeout", "num_retries"], at, message)
        .consequence(if cx.hedges() {
            side_by_side(&attempts)
        } else {
            consequence(&attempts, bound.at, times_out(cx))
        })
        .help(help(&attempts, bound.at))
        .maybe_fix(fix(cx, &attempts));
    let finding = match cx.effective.retry.as_ref().and_then(|r| r.per_try_timeout.place()) {
        Some(place) if place != at => finding.related("the time of each attempt", place),
        _ => finding,
    };
    let finding = if bound.assumed { finding.asks(ParamId::DeadlineMs) } else { finding };
    let is_likely = times_out(cx) && retries_what_was_sent(cx) && !bound.assumed && !cx.hedges();
    Some(if is_likely { finding } else { finding.severity(Severity::Info) })
}

/// Whether an attempt that takes all of its time is repeated, so that all of them may.
fn times_out(cx: &RouteCx<'_>) -> bool {
    cx.effective.hedge_on_per_try_timeout.value || cx.retries_on(&ON_TIMEOUT)
}

fn retries_what_was_sent(cx: &RouteCx<'_>) -> bool {
    let retry = cx.effective.retry.as_ref();
    retry.is_some_and(|r| r.retry_on.value.iter().any(|word| !NEVER_SENT.contains(&word.as_str())))
}

/// With hedging none of them is cut by the next one.
fn side_by_side(attempts: &Attempts) -> String {
    let retries = attempts.n.saturating_sub(1);
    let earliest = attempts.per_try * f64::from(retries);
    let latest = earliest + attempts.back_off.total_bound(retries);
    format!(
        "hedged attempts run side by side: the last one starts only after {} to {}, if at all",
        display::millis(earliest),
        display::millis(latest)
    )
}

fn consequence(attempts: &Attempts, bound: Millis, times_out: bool) -> String {
    let fit = attempts.within(bound);
    let starts = attempts.time(fit) + attempts.back_off.upper_bound(fit);
    let (left, rest) = (bound - starts, attempts.n - fit);
    let in_time = match fit {
        0 => "not even the first ends in time".to_owned(),
        1 => "one ends in time".to_owned(),
        n => format!("{} end in time", display::words(n)),
    };
    let cut = match (fit, rest) {
        (0, _) => String::new(),
        (_, rest) if left.0 <= 0.0 => format!(", {} may never start", display::words(rest)),
        (_, 1) => format!(", the last is cut after {}", display::millis(left)),
        (_, rest) => {
            format!(
                ", one is cut after {}, {} may never start",
                display::millis(left),
                display::words(rest - 1)
            )
        }
    };
    let [code, manual] = [attempts.all(), attempts.all_by_manual()].map(display::millis);
    let manual = if manual == code {
        String::new()
    } else {
        format!(" (by the manual's formula all need {manual}; Envoy's code waits less)")
    };
    let when = if times_out {
        "when each attempt takes its full time"
    } else {
        "an attempt that takes all of its time is not repeated, but when each fails just before that"
    };
    format!("{when}, {in_time}{cut}{manual}")
}

fn help(attempts: &Attempts, bound: Millis) -> String {
    let fewer = match attempts.within(bound) {
        0 | 1 => "no retry".to_owned(),
        fit => display::plural(f64::from(fit - 1), "retry", "retries"),
    };
    let longer = display::millis(attempts.all());
    let shorter = attempts
        .per_try_within(bound)
        .map(|each| format!("`per_try_timeout` of at most {}, or ", display::millis(each)))
        .unwrap_or_default();
    format!("choose {shorter}{fewer}, or at least {longer} in all if the caller waits so long")
}

fn fix(cx: &RouteCx<'_>, attempts: &Attempts) -> Option<Fix> {
    if let Some(ladder) = cx.ladder_fix() {
        return Some(ladder);
    }
    let end = cx.end()?.of.value;
    // A caller who waits long enough, as far as is known.
    if let Some(deadline) = cx.facts.deadline.filter(|d| attempts.all() <= within(*d)) {
        let to = attempts.all().min(within(deadline));
        return Some(Fix::set(label(end, to), cx.end_setting(), Value::Duration(to)));
    }
    // Retries that would be cut are no loss; to have none at all is for a person to decide.
    let most = cx.facts.deadline.map_or(end, |deadline| deadline.min(end));
    let fit = attempts.within(most);
    (fit > 1).then(|| {
        let fewer = format!("{} → {}", display::count(f64::from(attempts.n - 1)), fit - 1);
        Fix::set(fewer, Setting::NumRetries, Value::Count(u64::from(fit - 1)))
    })
}

#[cfg(test)]
mod tests {
    use super::{ParamId, RULE};
    use crate::engine::audit::rules::tests::{finding, fires};
    use crate::engine::rules::Severity;

    fn route(timeout: &str, per_try: &str, retries: u32, on: &str) -> String {
        format!(
            "match: {{prefix: /}}\nroute:\n  cluster: shop\n  timeout: {timeout}\n  retry_policy:\n    \
             retry_on: {on}\n    num_retries: {retries}\n    per_try_timeout: {per_try}\n"
        )
    }

    #[test]
    fn four_tries_of_a_second_do_not_fit_into_three() {
        // Envoy's code: 4 × 1,000 + 25 + 50 + 100; the manual: 25 + 75 + 175.
        let found = finding(&RULE, &route("3s", "1s", 3, "5xx"), "");
        assert_eq!(
            found.message,
            "4 attempts of up to 1,000\u{a0}ms and back-offs of up to 175\u{a0}ms need 4,175\u{a0}ms, more than `timeout` 3,000\u{a0}ms"
        );
        assert_eq!(
            found.consequence,
            "when each attempt takes its full time, two end in time, one is cut after 925\u{a0}ms, one may never start \
             (by the manual's formula all need 4,275\u{a0}ms; Envoy's code waits less)"
        );
        // (3,000 − 175) / 4 = 706.25
        assert_eq!(
            found.help,
            "choose `per_try_timeout` of at most 706\u{a0}ms, or 1 retry, or at least 4,175\u{a0}ms in all if the caller waits so long"
        );
        assert_eq!(found.fix.map(|f| f.label), Some("3 → 1".to_owned()));
        assert_eq!((found.at.line(), found.severity), (4, Severity::Warning));
    }

    #[test]
    fn silent_where_they_just_fit() {
        assert!(!fires(&RULE, &route("4.175s", "1s", 3, "5xx"), ""));
        assert!(fires(&RULE, &route("4.174s", "1s", 3, "5xx"), ""));
        assert!(!fires(&RULE, &route("2s", "0.5s", 2, "5xx"), ""));
        assert!(!fires(&RULE, &route("0s", "1s", 3, "5xx"), ""));
        assert!(
            !fires(&RULE, &route("0.5s", "1s", 3, "5xx"), ""),
            "a per-try timeout that is ignored bounds nothing"
        );
    }

    #[test]
    fn what_was_never_sent_fails_at_once() {
        let found = finding(&RULE, &route("3s", "1s", 3, "connect-failure,refused-stream"), "");
        assert_eq!(found.severity, Severity::Info);
    }

    #[test]
    fn an_attempt_that_nothing_repeats_is_not_told_as_one_of_four() {
        let of = |on: &str| finding(&RULE, &route("3s", "1s", 3, on), "");
        let found = of("connect-failure,unavailable");
        assert_eq!(found.severity, Severity::Info);
        assert!(
            found.consequence.starts_with("an attempt that takes all of its time is not repeated"),
            "{}",
            found.consequence
        );
        for word in ["5xx", "gateway-error", "reset"] {
            let found = of(&format!("unavailable,{word}"));
            assert_eq!(found.severity, Severity::Warning);
            assert!(found.consequence.starts_with("when each attempt takes its full time"));
        }
    }

    #[test]
    fn a_patience_that_nobody_named_is_no_reason_for_a_warning() {
        // A caller of p99 110 ms is assumed to leave after a second.
        let known = "rps=500 p50=35 p99=110 idempotent=true";
        let found = finding(&RULE, &route("9s", "1s", 3, "5xx"), known);
        assert!(
            found.message.ends_with("more than the 1,000\u{a0}ms that the caller is assumed to wait"),
            "{}",
            found.message
        );
        assert_eq!((found.severity, found.asks), (Severity::Info, Some(ParamId::DeadlineMs)));
        // The route's own clock is too short as well: that one is written.
        let found = finding(&RULE, &route("3s", "1s", 3, "5xx"), known);
        assert!(found.message.ends_with("more than `timeout` 3,000\u{a0}ms"), "{}", found.message);
        assert_eq!(found.severity, Severity::Warning);
    }

    #[test]
    fn the_manual_is_not_quoted_where_it_comes_to_the_same() {
        // 3 × 10 s and 75 or 100 ms are 30.1 s both.
        let found = finding(&RULE, &route("15s", "10s", 2, "5xx"), "");
        assert!(found.message.contains("need 30.1\u{a0}s"), "{}", found.message);
        assert!(!found.consequence.contains("manual"), "{}", found.consequence);
    }

    #[test]
    fn a_caller_who_waits_gets_a_longer_timeout() {
        let found = finding(&RULE, &route("3s", "1s", 3, "5xx"), "deadline_ms=5000");
        assert_eq!(found.fix.map(|f| f.label), Some("3,000\u{a0}ms → 4,175\u{a0}ms".to_owned()));
    }

    #[test]
    fn a_caller_who_leaves_earlier_is_the_bound() {
        let found = finding(&RULE, &route("9s", "1s", 3, "5xx"), "deadline_ms=2500");
        assert!(
            found.message.ends_with("need 4,175\u{a0}ms, more than the 2,500\u{a0}ms of the caller"),
            "{}",
            found.message
        );
        assert_eq!(found.fix.map(|f| f.label), Some("3 → 1".to_owned()));
    }

    #[test]
    fn an_assumed_caller_is_asked_for_and_no_harm() {
        // A deadline of 1,000 ms is assumed; all attempts end within the timeout of 5 s.
        let found = finding(&RULE, &route("5s", "1s", 3, "5xx"), "rps=500 p50=35 p99=110 idempotent=true");
        assert_eq!((found.severity, found.asks), (Severity::Info, Some(ParamId::DeadlineMs)));
        let named = "rps=500 p50=35 p99=110 idempotent=true deadline_ms=2500";
        assert!(fires(&RULE, &route("5s", "1s", 3, "5xx"), named));
    }

    #[test]
    fn hedged_attempts_run_side_by_side() {
        let hedged =
            format!("{}  hedge_policy: {{hedge_on_per_try_timeout: true}}\n", route("3s", "1s", 3, "5xx"));
        let found = finding(&RULE, &hedged, "");
        assert_eq!(
            found.consequence,
            "hedged attempts run side by side: the last one starts only after 3,000\u{a0}ms to 3,175\u{a0}ms, if at all"
        );
        assert_eq!(found.severity, Severity::Info);
    }

    #[test]
    fn known_traffic_has_a_ladder() {
        let fix = finding(&RULE, &route("3s", "1s", 3, "5xx"), "rps=500 p50=35 p99=110 idempotent=true")
            .fix
            .unwrap();
        assert_eq!((fix.label.as_str(), fix.changes.len()), ("Fit them into 950\u{a0}ms", 5));
    }
}
