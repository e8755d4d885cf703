//! `HR218 timeout-never-reached`: a shorter clock ends requests before the route timeout does.

use crate::engine::audit::clocks::{Clock, label, words};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, Fix, RouteCx, Setting, Value};
use crate::engine::read::config::Dialect;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::sizing::timeouts::PER_TRY_MARGIN;
use crate::engine::units::{Millis, display};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR218",
        name: "timeout-never-reached",
        severity: Severity::Warning,
        summary: "the stream idle timeout or a stream duration ends requests before `timeout`",
        rationale: "While a request waits for its answer nothing moves on its stream, so the idle timeout of \
                    streams, five minutes unless somebody says otherwise, is a timeout of requests too: 504 with \
                    flag SI, which is not retried. A route timeout above it is never reached; nor is one above a \
                    longest life of streams at the cluster or at the connection manager.",
        sources: &[
            "envoy: HttpConnectionManager.stream_idle_timeout, default 5 min; RouteAction.idle_timeout",
            "measured on 1.40: timeout 5 s, idle_timeout 1 s, silent upstream: 504 after 1 s",
        ],
    },
    check: Check::Route(check),
};

fn check(cx: &RouteCx<'_>) -> Vec<Finding> {
    of_route(cx).into_iter().collect()
}

fn of_route(cx: &RouteCx<'_>) -> Option<Finding> {
    let timeout = &cx.effective.timeout;
    let first =
        cx.end_of_silence().filter(|clock| timeout.value.0 > 0.0 && clock.of.value < timeout.value)?;
    // A timeout that outlives the caller has a finding already.
    let outlives = cx.deadline().is_some_and(|deadline| timeout.value >= deadline.at);
    if !cx.carries_requests() || cx.carries_streams() || outlives {
        return None;
    }
    let at = timeout.place().or_else(|| first.of.place()).unwrap_or_else(|| cx.block());
    let [ends, asked] = [first.of.value, timeout.value].map(display::millis);
    let mut finding = RULE
        .meta
        .found(
            &["timeout", first.name],
            at,
            format!("{} is never reached: {} ends first", words("timeout", timeout), first.words()),
        )
        .consequence(format!("a request without an answer ends after {ends}, not after {asked}"));
    if let Some(place) = first.of.place().filter(|place| *place != at) {
        finding = finding.related("the shorter clock", place);
    }
    let finding = remedy(cx, finding, &first);
    // Nobody asked for a default.
    Some(if timeout.is_default() { finding.severity(Severity::Info) } else { finding })
}

fn remedy(cx: &RouteCx<'_>, finding: Finding, first: &Clock<'_>) -> Finding {
    let timeout = cx.effective.timeout.value;
    let to = Millis((timeout.0 * PER_TRY_MARGIN).ceil());
    let name = first.name;
    if name != "idle_timeout" {
        return finding.help(format!("set `{name}` above {}, or leave it out", display::millis(timeout)));
    }
    match cx.dialect() {
        Dialect::Istio => finding.help(format!(
            "set `timeout` to at most {}: only a patch can raise the idle timeout of streams here",
            display::millis(first.of.value)
        )),
        _ => finding
            .help(format!("set `idle_timeout` of the route to {}, or `timeout` to less", display::millis(to)))
            .fix(Fix::set(label(first.of.value, to), Setting::RouteIdleTimeout, Value::Duration(to))),
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};
    use crate::engine::rules::Severity;

    fn route(timeouts: &str) -> String {
        format!("match: {{prefix: /}}\nroute:\n  cluster: shop\n  {timeouts}\n")
    }

    #[test]
    fn five_minutes_of_silence_end_a_longer_timeout() {
        let found = finding(&RULE, &route("timeout: 600s"), "");
        assert_eq!(
            found.message,
            "`timeout` 10\u{a0}min is never reached: `idle_timeout` 300\u{a0}s, the default, ends first"
        );
        assert_eq!(found.fix.map(|f| f.label), Some("300\u{a0}s → 12.5\u{a0}min".to_owned()));
        assert!(!fires(&RULE, &route("timeout: 300s"), ""));
        assert!(fires(&RULE, &route("timeout: 300.001s"), ""));
    }

    #[test]
    fn idle_timeouts_of_route_and_off() {
        assert!(fires(&RULE, &route("timeout: 5s\n  idle_timeout: 1s"), ""));
        assert!(!fires(&RULE, &route("timeout: 600s\n  idle_timeout: 0s"), ""));
        assert_eq!(finding(&RULE, &route("idle_timeout: 10s"), "").severity, Severity::Info);
    }

    #[test]
    fn silent_where_the_caller_leaves_earlier_and_for_streams() {
        assert!(!fires(&RULE, &route("timeout: 600s"), "deadline_ms=1000"));
        assert!(!fires(&RULE, &route("timeout: 600s"), "protocol=grpc_stream rps=1 stream_mean=60"));
    }
}
