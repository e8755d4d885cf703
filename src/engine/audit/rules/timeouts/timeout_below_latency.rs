//! `HR217 timeout-below-latency`: the clock of the route ends requests that would have been answered.

use crate::engine::audit::clocks::{Carries, Clock, cut_words, label, reaches};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Change, Finding, Fix, RouteCx, Setting, Traffic, Value};
use crate::engine::params::ParamId;
use crate::engine::remedy::tolerated_cut;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::{Share, display};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR217",
        name: "timeout-below-latency",
        severity: Severity::Error,
        summary: "the route's clock ends requests or streams that would have been answered",
        rationale: "The route timeout covers queueing, connecting, every attempt and every back-off, and what it \
                    cuts is never retried: the caller gets a 504, a gRPC caller status 14 with HTTP 200, so that \
                    logs of codes show nothing. A longest life of streams does the same to streams. Either must lie \
                    above the tail of what is healthy.",
        sources: &[
            "envoy: route.timeout, max_stream_duration; measured on 1.40",
            "our choice: one in a thousand may be cut, or the tolerated refusals where they are more",
        ],
    },
    check: Check::Route(check),
};

/// A cut of more than this is an error: it shows in p99.
const ERROR: Share = Share(0.01);

fn check(cx: &RouteCx<'_>) -> Vec<Finding> {
    of_route(cx).into_iter().collect()
}

fn of_route(cx: &RouteCx<'_>) -> Option<Finding> {
    let (traffic, end) = (cx.timing()?, cx.end()?);
    let streams = cx.carries_streams();
    // The lives of this route's streams are not known from latencies, and the timeout of streams
    // has a rule of its own.
    let mixed = streams != traffic.scenario.protocol.streams();
    if !cx.carries_requests() || mixed || cx.carries() == Carries::Unknown || streams && end.name == "timeout"
    {
        return None;
    }
    let (s, z) = (&traffic.scenario, &traffic.sizing);
    let cut = |slower: f64| z.model.exceedance(end.of.value * (1.0 / slower));
    let cuts = [cut(1.0), cut(s.slowdown)];
    let tolerated = tolerated_cut(s).0;
    let as_recommended = cx.recommended_end().is_some_and(|to| reaches(end.of.value, to));
    if cuts[0].0 <= tolerated && (cuts[1].0 <= tolerated || as_recommended) {
        return None;
    }
    let finding = found(cx, traffic, &end, cuts);
    Some(if as_recommended {
        // The deadline leaves no more: it is at fault, and not this text.
        finding
            .help("give the call a longer deadline, or make the upstream faster")
            .asks(ParamId::DeadlineMs)
            .severity(Severity::Info)
    } else {
        let finding = finding.maybe_fix(fix(cx, &end)).help(help(cx, &end));
        if cuts[0].0 > ERROR.0 { finding } else { finding.severity(Severity::Warning) }
    })
}

fn found(cx: &RouteCx<'_>, traffic: &Traffic, end: &Clock<'_>, cuts: [Share; 2]) -> Finding {
    let what = if cx.carries_streams() { "healthy streams" } else { "good requests" };
    let message = format!("{} cuts {}", end.words(), cut_words(what, cuts, traffic.scenario.slowdown));
    let latency = &traffic.sizing.latency;
    let at = end.of.place().unwrap_or_else(|| cx.block());
    RULE.meta.found(&["timeout", "max_stream_duration"], at, message).consequence(format!(
        "p99 is {}, p99.9 {}; what is cut has used its slot and its host for nothing, and is not retried",
        display::millis(latency.p99_ms),
        display::millis(latency.p999_ms),
    ))
}

fn help(cx: &RouteCx<'_>, end: &Clock<'_>) -> String {
    let p999 = cx.timing().map(|t| display::millis(t.sizing.latency.p999_ms)).unwrap_or_default();
    cx.recommended_end().map_or_else(
        || format!("set `{}` well above p99.9, {p999}, and a little below the caller's deadline", end.name),
        |to| format!("set `{}` to {}", end.name, display::millis(to)),
    )
}

/// None for a duration that stands at the cluster or at the connection manager.
fn fix(cx: &RouteCx<'_>, end: &Clock<'_>) -> Option<Fix> {
    let of_route = end.name == "timeout" || cx.config.max_stream_duration.is_some();
    let to = cx.recommended_end().filter(|_| of_route)?;
    let setting = if end.name == "timeout" { Setting::RouteTimeout } else { Setting::MaxStreamDuration };
    let fix = Fix::set(label(end.of.value, to), setting, Value::Duration(to));
    // A timeout beside the block of stream durations does not act: it follows, so that it says what holds.
    let follows = setting == Setting::MaxStreamDuration
        && cx.config.timeout.as_ref().is_some_and(|timeout| timeout.value.0 > 0.0);
    Some(if follows { fix.and(Change::Set(Setting::RouteTimeout, Value::Duration(to))) } else { fix })
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};
    use crate::engine::rules::Severity;

    /// p99.9 is 35 · (110/35)^(3.0902/2.3263) = 160.2 ms.
    const KNOWN: &str = "rps=500 p50=35 p99=110 slowdown=1";

    fn route(timeouts: &str) -> String {
        format!("match: {{prefix: /}}\nroute:\n  cluster: shop\n  {timeouts}\n")
    }

    #[test]
    fn needs_the_latency_and_not_the_rate() {
        let found = finding(&RULE, &route("timeout: 0.1s"), &KNOWN.replace("rps=500 ", ""));
        assert_eq!(found.severity, Severity::Error);
        assert!(found.help.starts_with("set `timeout` well above p99.9, 160\u{a0}ms"), "{}", found.help);
        assert!(found.fix.is_none());
        assert!(!fires(&RULE, &route("timeout: 0.17s"), &KNOWN.replace("rps=500 ", "")));
    }

    #[test]
    fn fires_with_the_share_that_is_cut() {
        let found = finding(&RULE, &route("timeout: 0.11s"), KNOWN);
        assert!(
            found.message.starts_with("`timeout` 110\u{a0}ms cuts 1% of good requests"),
            "{}",
            found.message
        );
        assert!(
            found.consequence.starts_with("p99 is 110\u{a0}ms, p99.9 160\u{a0}ms"),
            "{}",
            found.consequence
        );
        assert_eq!(found.fix.map(|f| f.label), Some("110\u{a0}ms → 950\u{a0}ms".to_owned()));
        assert_eq!(finding(&RULE, &route("timeout: 0.1s"), KNOWN).severity, Severity::Error);
        assert_eq!(finding(&RULE, &route("timeout: 0.15s"), KNOWN).severity, Severity::Warning);
    }

    #[test]
    fn silent_above_p999() {
        assert!(fires(&RULE, &route("timeout: 0.16s"), KNOWN));
        assert!(!fires(&RULE, &route("timeout: 0.161s"), KNOWN));
        assert!(!fires(&RULE, &route("timeout: 0s"), KNOWN));
        assert!(!fires(&RULE, &route("timeout: 0.01s"), "deadline_ms=1000"));
    }

    #[test]
    fn counts_the_slow_day_unless_the_deadline_leaves_no_more() {
        let slow = "rps=500 p50=35 p99=110 slowdown=2";
        assert!(fires(&RULE, &route("timeout: 0.3s"), slow));
        assert!(!fires(&RULE, &route("timeout: 0.33s"), slow));
        // 285 ms is what a deadline of 300 ms leaves.
        assert!(!fires(&RULE, &route("timeout: 0.285s"), &format!("{slow} deadline_ms=300")));
        let info = finding(&RULE, &route("timeout: 0.09s"), "rps=500 p50=35 p99=110 deadline_ms=100");
        assert_eq!((info.severity, info.fix), (Severity::Info, None));
    }

    #[test]
    fn the_life_of_streams_counts() {
        let streams = "protocol=grpc_stream rps=5 stream_p99=60";
        let text = route("timeout: 0s\n  max_stream_duration: {max_stream_duration: 60s}");
        let found = finding(&RULE, &text, streams);
        assert!(
            found.message.starts_with("`max_stream_duration` 60\u{a0}s cuts 1% of healthy streams"),
            "{}",
            found.message
        );
        assert!(!fires(&RULE, &route("timeout: 15s"), streams), "has a rule of its own");
    }
}
