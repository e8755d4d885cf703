//! `HR224 timeout-on-stream`: the route timeout ends streams.

use crate::engine::audit::clocks::{Carries, label, words};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Change, Finding, Fix, RouteCx, Setting, Value};
use crate::engine::params::ParamId;
use crate::engine::phrases;
use crate::engine::read::config::Dialect;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::{Millis, Share, display};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR224",
        name: "timeout-on-stream",
        severity: Severity::Error,
        summary: "the route `timeout` ends streams once their client has sent everything",
        rationale: "The route clock starts when the request is complete. A client that streams delays it, so that a \
                    stream may live for minutes and die soon after the client has sent its last message; a client \
                    that only listens has sent everything at the start. The answer is already under way by then: it \
                    is cut, and the log shows 200 with flag UT.",
        sources: &[
            "envoy: config.route.v3.RouteAction.timeout, default 15 s, from the complete request; measured on 1.40",
            "envoyproxy/gateway#5446",
        ],
    },
    check: Check::Route(check),
};

/// A cut of more than this is an error.
const ERROR: Share = Share(0.01);

fn check(cx: &RouteCx<'_>) -> Vec<Finding> {
    of_route(cx).into_iter().collect()
}

fn of_route(cx: &RouteCx<'_>) -> Option<Finding> {
    let timeout = &cx.effective.timeout;
    if !cx.carries_requests() || timeout.value.0 <= 0.0 || timeout.is_default() && cx.is_patch() {
        return None;
    }
    // An upgraded connection is a request that never ends.
    let upgraded = !cx.config.upgrades.is_empty();
    match cx.carries() {
        Carries::Streams if !upgraded => cuts(cx),
        Carries::Unknown if cx.speaks_grpc() => Some(undecided(cx)),
        _ => None,
    }
}

fn found(cx: &RouteCx<'_>) -> Finding {
    let timeout = &cx.effective.timeout;
    let at = timeout.place().unwrap_or_else(|| cx.block());
    let message = format!(
        "{} ends a stream {} after its client has sent the last message",
        words("timeout", timeout),
        display::millis(timeout.value)
    );
    RULE.meta.found(&["timeout"], at, message)
}

fn cuts(cx: &RouteCx<'_>) -> Option<Finding> {
    let timeout = cx.effective.timeout.value;
    let traffic = cx.traffic().filter(|t| t.scenario.protocol.streams());
    let longer = traffic.map(|t| t.sizing.model.exceedance(timeout));
    if longer.is_some_and(|share| share.0 <= 0.0) {
        return None;
    }
    let lives = longer.map(|share| format!("{} of streams live longer, and ", phrases::refused(share)));
    let finding = found(cx)
        .consequence(format!(
            "{}a client that only listens has sent everything at the start: its stream is cut after {}",
            lives.unwrap_or_default(),
            display::millis(timeout)
        ))
        .help(help(cx))
        .fix(fix(cx));
    Some(if longer.is_some_and(|share| share.0 <= ERROR.0) {
        finding.severity(Severity::Warning)
    } else {
        finding
    })
}

fn help(cx: &RouteCx<'_>) -> String {
    let off = match cx.dialect() {
        // Its schema refuses a zero.
        Dialect::Istio => "leave `timeout` out",
        _ => "set `timeout` to 0s",
    };
    format!("{off}, and bound streams with `idle_timeout` and `max_stream_duration`")
}

fn fix(cx: &RouteCx<'_>) -> Fix {
    let timeout = cx.effective.timeout.value;
    if cx.dialect() == Dialect::Istio {
        return Fix::new(label(timeout, Millis::default()), Change::Clear(Setting::RouteTimeout));
    }
    let set = |setting, to: Millis| Change::Set(setting, Value::Duration(to));
    let off = Fix::new(label(timeout, Millis::default()), set(Setting::RouteTimeout, Millis::default()));
    let Some(timeouts) = cx.traffic().map(|t| &t.sizing.timeouts) else { return off };
    match (timeouts.stream_idle_ms, timeouts.max_stream_duration_ms) {
        (Some(idle), Some(life)) => {
            off.and(set(Setting::RouteIdleTimeout, idle)).and(set(Setting::MaxStreamDuration, life))
        }
        _ => off,
    }
}

/// gRPC that nobody called unary.
fn undecided(cx: &RouteCx<'_>) -> Finding {
    found(cx)
        .consequence("unary calls should end so; streams are cut in the middle, however long they have lived")
        .help(format!("say whether the calls stream; if they do, {}", help(cx)))
        .asks(ParamId::Protocol)
        .severity(Severity::Info)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};
    use crate::engine::rules::Severity;

    const STREAMS: &str = "protocol=grpc_stream rps=5 stream_mean=300";

    fn route(matches: &str, timeouts: &str) -> String {
        format!("match: {{prefix: /{matches}}}\nroute:\n  cluster: shop\n{timeouts}")
    }

    #[test]
    fn the_default_cuts_fifteen_seconds_after_the_half_close() {
        let found = finding(&RULE, &route("", ""), STREAMS);
        assert_eq!(
            found.message,
            "`timeout` 15\u{a0}s, the default, ends a stream 15\u{a0}s after its client has sent the last message"
        );
        assert_eq!(found.severity, Severity::Error);
        assert_eq!(found.fix.map(|f| (f.label, f.changes.len())), Some(("15\u{a0}s → off".to_owned(), 3)));
    }

    #[test]
    fn silent_where_it_is_off_or_stream_durations_switch_it_off() {
        assert!(!fires(&RULE, &route("", "  timeout: 0s\n"), STREAMS));
        assert!(!fires(&RULE, &route("", "  max_stream_duration: {max_stream_duration: 600s}\n"), STREAMS));
        assert!(!fires(&RULE, &route("", "  upgrade_configs: [{upgrade_type: websocket}]\n"), STREAMS));
    }

    #[test]
    fn asks_where_grpc_may_stream() {
        let found = finding(&RULE, &route(", grpc: {}", ""), "");
        assert_eq!(
            (found.severity, found.asks),
            (Severity::Info, Some(crate::engine::params::ParamId::Protocol))
        );
        assert!(!fires(&RULE, &route(", grpc: {}", ""), "protocol=grpc rps=5 mean=10"));
        assert!(!fires(&RULE, &route("", ""), ""));
    }
}
