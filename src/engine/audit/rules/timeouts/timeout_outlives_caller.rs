//! `HR202 timeout-outlives-caller`: requests go on after their caller has given up.

use crate::engine::audit::clocks::{Carries, Clock, Deadline, label};
use crate::engine::audit::rules::timeouts::timeout_off_by_stream_duration;
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, Fix, RouteCx, Value};
use crate::engine::params::ParamId;
use crate::engine::read::Place;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::sizing::timeouts::within;
use crate::engine::units::{Millis, display};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR202",
        name: "timeout-outlives-caller",
        severity: Severity::Warning,
        summary: "the route `timeout` does not end before the caller gives up",
        rationale: "The proxy must answer before its caller leaves. Otherwise a stalled upstream holds slots for \
                    callers who are gone, and the timeouts never show: a caller who leaves first counts as a reset \
                    from downstream, which is neither retried nor charged to the host, so outlier detection does \
                    not see the slow host.",
        sources: &[
            "envoy: config.route.v3.RouteAction.timeout, default 15 s; measured on 1.40",
            "our rule: 5% of the deadline, at least 10 ms, to answer in time",
        ],
    },
    check: Check::Route(check),
};

fn check(cx: &RouteCx<'_>) -> Vec<Finding> {
    of_route(cx).into_iter().collect()
}

fn of_route(cx: &RouteCx<'_>) -> Option<Finding> {
    // Where a caller's own deadline may arrive by header, another rule looks.
    if !cx.carries_requests() || cx.carries() == Carries::Streams || cx.is_inbound() {
        return None;
    }
    let (deadline, end) = (cx.deadline()?, cx.end());
    if end.is_some_and(|clock| clock.of.value < deadline.at) || end.is_none() && cx.is_patch() {
        return None;
    }
    // A timeout that is written and does not act is said elsewhere.
    if end.is_none() && timeout_off_by_stream_duration::fires(cx) {
        return None;
    }
    let to = cx.recommended_end().unwrap_or_else(|| within(deadline.at));
    let set = format!("set `{}` to {}", name(cx, end.as_ref()), display::millis(to));
    let finding = RULE
        .meta
        .found(&["timeout"], place(cx, end.as_ref()), message(&deadline, end.as_ref()))
        .consequence(consequence(cx, &deadline, end.as_ref()))
        .help(if deadline.assumed {
            format!("{set}, or enter the caller's deadline: {} is assumed", display::millis(deadline.at))
        } else {
            set
        })
        .fix(Fix::set(
            label(end.map_or(Millis::default(), |clock| clock.of.value), to),
            cx.end_setting(),
            Value::Duration(to),
        ));
    // Nobody said that the caller leaves so soon.
    let assumed = |finding: Finding| finding.severity(Severity::Info).asks(ParamId::DeadlineMs);
    Some(if deadline.assumed { assumed(finding) } else { finding })
}

fn name(cx: &RouteCx<'_>, end: Option<&Clock<'_>>) -> &'static str {
    let missing = if cx.config.stream_durations.is_some() { "max_stream_duration" } else { "timeout" };
    end.map_or(missing, |clock| clock.name)
}

fn place<'a>(cx: &RouteCx<'a>, end: Option<&Clock<'a>>) -> &'a Place {
    end.map_or(&cx.effective.timeout, |clock| clock.of).place().unwrap_or_else(|| cx.block())
}

fn message(deadline: &Deadline, end: Option<&Clock<'_>>) -> String {
    let leaves = display::millis(deadline.at);
    let leaves = if deadline.assumed { format!("{leaves}, as is assumed") } else { leaves };
    match end {
        None => format!("no `timeout` ends a request whose caller leaves after {leaves}"),
        Some(clock) if clock.of.value == deadline.at => {
            format!("{} ends no earlier than the caller, who leaves after {leaves}", clock.words())
        }
        Some(clock) => format!("{} outlives the caller, who leaves after {leaves}", clock.words()),
    }
}

fn consequence(cx: &RouteCx<'_>, deadline: &Deadline, end: Option<&Clock<'_>>) -> String {
    let until = cx.end_of_silence().map(|clock| display::millis(clock.of.value));
    let until = until.map_or_else(|| "for good".to_owned(), |until| format!("until {until}"));
    let Some(stall) = cx.stall() else {
        return format!("a stalled upstream holds a slot {until}, for nobody");
    };
    let requests = display::plural(stall.rate.0, "request", "requests");
    let held = format!("a stalled upstream then holds {requests} a second for nobody");
    let at_once = end
        .map(|clock| stall.rate.arrivals_in(clock.of.value - deadline.at))
        .filter(|n| *n >= 1.0)
        .map(|n| format!(", {} at once", display::count(n)))
        .unwrap_or_default();
    let full = stall.full.map(|(limit, after)| {
        let limit = display::count(f64::from(limit));
        if after.0 < 1.0 {
            return format!("; the {limit} slots of `max_requests` are taken at the peak anyway");
        }
        format!("; all {limit} slots of `max_requests` are taken after {}", display::millis(after))
    });
    format!("{held}{at_once}{}", full.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::Setting;
    use crate::engine::audit::rules::tests::{finding, fires};
    use crate::engine::params::ParamId;
    use crate::engine::rules::Severity;

    /// Nine requests a second at the busiest proxy, a caller who is assumed to leave after a second.
    const CHECKOUT: &str = "rps=500 p50=35 p99=110 clients=100 hosts=10";

    fn text(timeout: &str) -> String {
        format!(
            "clusters:\n- name: shop\n  connect_timeout: 0.05s\n  circuit_breakers: {{thresholds: [{{max_requests: 20}}]}}\n\
             routes:\n- match: {{prefix: /}}\n  route: {{cluster: shop{timeout}}}\n"
        )
    }

    #[test]
    fn fires_with_what_a_stall_holds() {
        let found = finding(&RULE, &text(", timeout: 15s"), CHECKOUT);
        assert_eq!(
            found.message,
            "`timeout` 15\u{a0}s outlives the caller, who leaves after 1,000\u{a0}ms, as is assumed"
        );
        // 9 req/s × 14 s = 126; 20 slots less 9 × 39.5 ms are free, at 9 req/s.
        assert!(
            found
                .consequence
                .starts_with("a stalled upstream then holds 9 requests a second for nobody, 126 at once")
        );
        assert!(
            found.consequence.contains("all 20 slots of `max_requests` are taken after 2,183"),
            "{}",
            found.consequence
        );
        assert_eq!(found.fix.as_ref().map(|f| f.label.as_str()), Some("15\u{a0}s → 950\u{a0}ms"));
        assert_eq!((found.asks, found.severity), (Some(ParamId::DeadlineMs), Severity::Info));
        let given = finding(&RULE, &text(", timeout: 15s"), &format!("{CHECKOUT} deadline_ms=1000"));
        assert_eq!((given.asks, given.severity), (None, Severity::Warning));
        // 9 × 2.3 s at the peak: 20 slots are too few without any stall.
        let full = finding(
            &RULE,
            &text(", timeout: 15s"),
            "rps=500 mean=2300 clients=100 hosts=10 deadline_ms=14000",
        );
        assert!(full.consequence.ends_with("taken at the peak anyway"), "{}", full.consequence);
        assert_eq!(found.at.line(), 7);
    }

    #[test]
    fn fires_for_the_default_and_for_none() {
        let found = finding(&RULE, &text(""), CHECKOUT);
        assert!(found.message.starts_with("`timeout` 15\u{a0}s, the default, outlives"), "{}", found.message);
        let found = finding(&RULE, &text(", timeout: 0s"), "deadline_ms=2000");
        assert_eq!(found.message, "no `timeout` ends a request whose caller leaves after 2,000\u{a0}ms");
        assert!(found.consequence.contains("until 300\u{a0}s"), "{}", found.consequence);
        assert_eq!(found.help, "set `timeout` to 1,900\u{a0}ms");
        assert_eq!(found.asks, None);
    }

    #[test]
    fn fires_at_the_deadline_and_silent_just_below() {
        let found = finding(&RULE, &text(", timeout: 1s"), "deadline_ms=1000");
        assert!(found.message.contains("ends no earlier than the caller"), "{}", found.message);
        assert!(!fires(&RULE, &text(", timeout: 0.999s"), "deadline_ms=1000"));
    }

    #[test]
    fn looks_at_the_duration_where_that_is_the_clock() {
        let of = |duration: &str| {
            text(&format!(", timeout: 0.5s, max_stream_duration: {{max_stream_duration: {duration}}}"))
        };
        let found = finding(&RULE, &of("2s"), "deadline_ms=1000");
        assert!(
            found.message.starts_with("`max_stream_duration` 2,000\u{a0}ms outlives"),
            "{}",
            found.message
        );
        assert!(matches!(
            found.fix.unwrap().changes.as_slice(),
            [crate::engine::audit::Change::Set(Setting::MaxStreamDuration, _)]
        ));
        assert!(!fires(&RULE, &of("0.9s"), "deadline_ms=1000"));
    }

    #[test]
    fn a_timeout_that_a_block_switches_off_is_said_elsewhere() {
        let capped =
            |timeout: &str| text(&format!("{timeout}, max_stream_duration: {{grpc_timeout_header_max: 3s}}"));
        assert!(!fires(&RULE, &capped(", timeout: 3s"), "deadline_ms=1000"));
        let found = finding(&RULE, &capped(""), "deadline_ms=1000");
        assert_eq!(found.help, "set `max_stream_duration` to 950\u{a0}ms");
    }

    #[test]
    fn silent_without_a_deadline_and_for_streams() {
        assert!(!fires(&RULE, &text(", timeout: 15s"), "clients=100"));
        assert!(!fires(
            &RULE,
            &text(", timeout: 15s"),
            "protocol=grpc_stream rps=5 stream_mean=60 deadline_ms=1000"
        ));
        assert!(!fires(&RULE, &text(", timeout: 0s, idle_timeout: 60s"), CHECKOUT));
    }
}
