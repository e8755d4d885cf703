//! `HR234 timeout-off-by-stream-duration`: a block `max_stream_duration` switches `timeout` off.

use crate::engine::audit::clocks::is_same;
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Change, Finding, Fix, RouteCx, Setting, Value};
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::sizing::timeouts::within;
use crate::engine::units::{Millis, display};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR234",
        name: "timeout-off-by-stream-duration",
        severity: Severity::Warning,
        summary: "`timeout` does not act, because the route has a block `max_stream_duration`",
        rationale: "A route with the block max_stream_duration, even an empty one or one that only caps the \
                    grpc-timeout header, arms no route timeout at all; Envoy accepts the pair and says nothing. \
                    Requests then end by the duration, by the header of a gRPC client, or not before the stream idle \
                    timeout, and a per-try timeout above the route timeout acts where it would have been ignored.",
        sources: &[
            "measured on 1.40: timeout 1 s with max_stream_duration {} or {grpc_timeout_header_max: 3s}: 200 after 6 s",
            "envoy: router.cc, FilterUtility::finalTimeout, usingNewTimeouts",
        ],
    },
    check: Check::Route(check),
};

fn check(cx: &RouteCx<'_>) -> Vec<Finding> {
    of_route(cx).into_iter().collect()
}

/// Whether it has something to say of the route.
pub fn fires(cx: &RouteCx<'_>) -> bool {
    of_route(cx).is_some()
}

/// What the duration is to be: what fits the traffic, else the timeout that was asked for, or less
/// where its caller leaves earlier.
fn wanted(cx: &RouteCx<'_>, timeout: Millis) -> Millis {
    let caller = cx.deadline().filter(|deadline| timeout >= deadline.at);
    cx.recommended_end().unwrap_or_else(|| caller.map_or(timeout, |deadline| within(deadline.at)))
}

fn of_route(cx: &RouteCx<'_>) -> Option<Finding> {
    let (block, timeout) = (cx.config.stream_durations.as_ref()?, cx.config.timeout.as_ref()?);
    let duration = cx.effective.max_stream_duration.value;
    let same = is_same(duration, timeout.value);
    if !cx.carries_requests() || timeout.value.0 <= 0.0 || same {
        return None;
    }
    let asked = display::millis(timeout.value);
    let finding = RULE
        .meta
        .found(
            &["timeout", "max_stream_duration"],
            &timeout.at,
            format!("`timeout` {asked} does not act: the route has a block `max_stream_duration`"),
        )
        .consequence(consequence(cx, duration))
        .related("switches it off", block);
    // A stream wants no timeout, so that nothing is missing but the truth.
    if cx.carries_streams() {
        return Some(finding.help("write `timeout: 0s`, which is what holds").severity(Severity::Info));
    }
    let to = wanted(cx, timeout.value);
    let bound = display::millis(to);
    let fix = Fix::set(format!("Bound it by {bound}"), Setting::MaxStreamDuration, Value::Duration(to));
    // What does not act says the same, so that nobody is misled by it.
    let fix = if is_same(to, timeout.value) {
        fix
    } else {
        fix.and(Change::Set(Setting::RouteTimeout, Value::Duration(to)))
    };
    let finding = finding
        .help(format!("set `max_stream_duration` within the block to {bound}: it bounds the request instead"))
        .fix(fix);
    Some(finding)
}

fn consequence(cx: &RouteCx<'_>, duration: Millis) -> String {
    let capped = cx.config.grpc_timeout_header_max.is_some();
    let who = if capped { "a request without `grpc-timeout`" } else { "a request" };
    if duration.0 > 0.0 {
        return format!("{who} ends after {}", display::millis(duration));
    }
    cx.end_of_silence().map_or_else(
        || format!("nothing ends {who} that stalls"),
        |clock| {
            format!(
                "{who} that stalls ends only after {}, by {}",
                display::millis(clock.of.value),
                clock.last_words()
            )
        },
    )
}

#[cfg(test)]
mod tests {
    use super::{Change, Millis, RULE, Setting, Value};
    use crate::engine::audit::rules::tests::{finding, fires};
    use crate::engine::rules::Severity;

    fn route(timeout: &str, block: &str) -> String {
        format!(
            "match: {{prefix: /}}\nroute:\n  cluster: shop\n  timeout: {timeout}\n  max_stream_duration: {block}\n"
        )
    }

    #[test]
    fn fires_for_a_cap_alone_and_for_an_empty_block() {
        let found = finding(&RULE, &route("1s", "{grpc_timeout_header_max: 3s}"), "");
        assert_eq!(
            found.message,
            "`timeout` 1,000\u{a0}ms does not act: the route has a block `max_stream_duration`"
        );
        assert_eq!(
            found.consequence,
            "a request without `grpc-timeout` that stalls ends only after 300\u{a0}s, by `idle_timeout` 300\u{a0}s, the default"
        );
        assert!(found.fix.is_some());
        assert!(fires(&RULE, &route("1s", "{}"), ""));
    }

    #[test]
    fn a_caller_who_leaves_earlier_is_the_bound() {
        let of =
            |deadline: &str| finding(&RULE, &route("3s", "{grpc_timeout_header_max: 3s}"), deadline).help;
        assert!(of("deadline_ms=3000").contains("to 2,850\u{a0}ms"));
        assert!(of("deadline_ms=3001").contains("to 3,000\u{a0}ms"));
        let fix = finding(&RULE, &route("0.1s", "{}"), "rps=500 p50=35 p99=110").fix.unwrap();
        assert_eq!((fix.label.as_str(), fix.changes.len()), ("Bound it by 950\u{a0}ms", 2));
    }

    #[test]
    fn a_duration_of_its_own_is_the_bound() {
        assert_eq!(
            finding(&RULE, &route("1s", "{max_stream_duration: 3s}"), "").consequence,
            "a request ends after 3,000\u{a0}ms"
        );
        assert!(!fires(&RULE, &route("1s", "{max_stream_duration: 1s, grpc_timeout_header_max: 1s}"), ""));
    }

    #[test]
    fn silent_where_no_timeout_was_asked_for() {
        assert!(!fires(&RULE, &route("0s", "{grpc_timeout_header_max: 0s}"), ""));
        assert!(!fires(&RULE, "match: {prefix: /}\nroute: {cluster: shop, max_stream_duration: {}}\n", ""));
        assert!(!fires(&RULE, "match: {prefix: /}\nroute: {cluster: shop, timeout: 1s}\n", ""));
    }

    #[test]
    fn a_bound_that_the_caller_does_not_outlive() {
        // 5% of 2 s to answer in time.
        let fix = finding(&RULE, &route("15s", "{}"), "deadline_ms=2000").fix.unwrap();
        let bound = Value::Duration(Millis(1900.0));
        assert_eq!(
            fix.changes,
            [
                Change::Set(Setting::MaxStreamDuration, bound.clone()),
                Change::Set(Setting::RouteTimeout, bound),
            ]
        );
        assert_eq!(finding(&RULE, &route("1s", "{}"), "deadline_ms=2000").fix.unwrap().changes.len(), 1);
    }

    #[test]
    fn streams_lose_nothing() {
        let text = route("15s", "{max_stream_duration: 3600s}");
        assert_eq!(
            finding(&RULE, &text, "protocol=grpc_stream rps=1 stream_mean=60").severity,
            Severity::Info
        );
    }
}
