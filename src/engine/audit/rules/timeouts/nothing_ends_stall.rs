//! `HR219 nothing-ends-stall`: no clock at all ends a request or a stream on which nothing moves.

use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Change, Finding, Fix, RouteCx, Setting, Value};
use crate::engine::read::config::Dialect;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::{Millis, display};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR219",
        name: "nothing-ends-stall",
        severity: Severity::Warning,
        summary: "no timeout at all ends what stalls, so it holds its slot for good",
        rationale: "With the route timeout off, the stream idle timeout off and no longest life, a request or a \
                    stream whose upstream or client has vanished without a word holds its slot of `max_requests` \
                    until TCP notices, which may be never. A stall of the upstream then fills the limit, and it \
                    stays full after the upstream is back.",
        sources: &[
            "envoy: route.timeout 0s, idle_timeout 0s (which also disables the connection manager's); measured on 1.40",
        ],
    },
    check: Check::Route(check),
};

fn check(cx: &RouteCx<'_>) -> Vec<Finding> {
    of_route(cx).into_iter().collect()
}

fn is_bounded(cx: &RouteCx<'_>) -> bool {
    let retry = cx.effective.retry.as_ref();
    cx.end_of_silence().is_some()
        || cx.effective.per_try_timeout().is_some()
        || retry.is_some_and(|retry| retry.per_try_idle_timeout.value.0 > 0.0)
}

fn of_route(cx: &RouteCx<'_>) -> Option<Finding> {
    // A request whose caller's deadline is known has a finding already.
    let known = !cx.carries_streams() && cx.deadline().is_some();
    if !cx.carries_requests() || is_bounded(cx) || known {
        return None;
    }
    let at = cx.effective.idle_timeout.place().or_else(|| cx.effective.timeout.place());
    let what = if cx.carries_streams() { "a stream" } else { "a request" };
    let slots = cx.cluster.map(|c| c.effective.limits(cx.effective.priority.value).max_requests.value);
    let slots = slots
        .filter(|n| *n < u32::MAX)
        .map(|n| format!(", of the {} of `max_requests`,", display::count(f64::from(n))))
        .unwrap_or_default();
    let finding = RULE
        .meta
        .found(
            &["timeout", "idle_timeout", "max_stream_duration"],
            at.unwrap_or_else(|| cx.block()),
            format!("`timeout` and `idle_timeout` are off, and nothing else ends {what} that stalls"),
        )
        .consequence(format!(
            "{what} whose other end vanishes without a word holds its slot{slots} for good{}",
            full(cx)
        ));
    Some(remedy(cx, finding))
}

fn full(cx: &RouteCx<'_>) -> String {
    // A limit that is full without a stall is said elsewhere.
    let full = cx.stall().and_then(|stall| stall.full).filter(|(_, after)| after.0 > 0.0);
    full.map_or_else(String::new, |(_, after)| {
        format!("; in a stall of the upstream the limit is full after {}", display::millis(after))
    })
}

fn remedy(cx: &RouteCx<'_>, finding: Finding) -> Finding {
    let timeouts = cx.traffic().filter(|t| t.scenario.protocol.streams()).map(|t| &t.sizing.timeouts);
    let (idle, life) = timeouts.map_or((None, None), |t| (t.stream_idle_ms, t.max_stream_duration_ms));
    let set = |setting, to: Millis| Change::Set(setting, Value::Duration(to));
    match (idle, life) {
        (Some(idle), Some(life)) if cx.dialect() != Dialect::Istio => finding
            .help(format!(
                "set `idle_timeout` to {} and `max_stream_duration` to {}",
                display::millis(idle),
                display::millis(life)
            ))
            .fix(
                Fix::new(format!("Allow {} of silence", display::millis(idle)), set(Setting::RouteIdleTimeout, idle))
                    .and(set(Setting::MaxStreamDuration, life)),
            ),
        _ if cx.carries_streams() => finding.help(
            "set `idle_timeout` of the route to the longest silence that is healthy, and `max_stream_duration` to the longest life",
        ),
        _ => finding.help("set `timeout` a little below the caller's deadline"),
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    const GATEWAY: &str = "apiVersion: gateway.envoyproxy.io/v1alpha1\nkind: BackendTrafficPolicy\nmetadata: {name: p}\n\
         spec:\n  targetRef: {kind: HTTPRoute, name: h}\n  timeout:\n    http:\n      requestTimeout: 0s\n";

    fn route(timeouts: &str) -> String {
        format!("match: {{prefix: /}}\nroute:\n  cluster: shop\n  timeout: 0s\n  {timeouts}\n")
    }

    #[test]
    fn fires_where_every_clock_is_off() {
        let found = finding(&RULE, &route("idle_timeout: 0s"), "");
        assert_eq!(
            found.message,
            "`timeout` and `idle_timeout` are off, and nothing else ends a request that stalls"
        );
        assert_eq!(found.at.line(), 5);
    }

    #[test]
    fn in_envoy_gateway_one_zero_switches_both_off() {
        let found = finding(&RULE, GATEWAY, "");
        assert!(found.consequence.contains("of the 1,024 of `max_requests`"), "{}", found.consequence);
        assert_eq!(found.at.line(), 8);
    }

    #[test]
    fn any_clock_is_enough() {
        for on in [
            "idle_timeout: 300s",
            "idle_timeout: 0s\n  max_stream_duration: {max_stream_duration: 60s}",
            "idle_timeout: 0s\n  retry_policy: {per_try_timeout: 1s}",
            "priority: HIGH",
        ] {
            assert!(!fires(&RULE, &route(on), ""), "{on}");
        }
    }

    #[test]
    fn streams_get_what_was_sized_for_them() {
        let found = finding(&RULE, &route("idle_timeout: 0s"), "protocol=grpc_stream rps=5 stream_p99=600");
        assert!(found.message.ends_with("ends a stream that stalls"), "{}", found.message);
        // Silent for as long as it usually lives.
        assert!(found.help.starts_with("set `idle_timeout` to 10\u{a0}min and"), "{}", found.help);
        assert_eq!(found.fix.map(|f| f.changes.len()), Some(2));
        assert!(!fires(&RULE, &route("idle_timeout: 0s"), "deadline_ms=1000"));
    }
}
