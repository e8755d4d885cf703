//! `HR221 grpc-deadline-ignored`: the deadline that a gRPC client sends is not looked at.

use crate::engine::audit::clocks::Carries;
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Change, Finding, Fix, RouteCx, Setting, Value};
use crate::engine::read::config::Dialect;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR221",
        name: "grpc-deadline-ignored",
        severity: Severity::Info,
        summary: "a gRPC route does not look at the deadline that the client sends",
        rationale: "gRPC clients send the time they have left in the header grpc-timeout. Without \
                    grpc_timeout_header_max Envoy passes it on and keeps its own route timeout: a client with less \
                    time leaves first, and one with more is cut. The block max_stream_duration that holds the field \
                    switches the route timeout off, so it must bound the stream too.",
        sources: &[
            "envoy: config.route.v3.RouteAction.MaxStreamDuration.grpc_timeout_header_max",
            "measured on 1.40: with a block max_stream_duration, even empty, timeout does not act",
        ],
    },
    check: Check::Route(check),
};

fn check(cx: &RouteCx<'_>) -> Vec<Finding> {
    of_route(cx).into_iter().collect()
}

fn of_route(cx: &RouteCx<'_>) -> Option<Finding> {
    let timeout = cx.effective.timeout.value;
    // Other programs have no field for it.
    let writes = matches!(cx.dialect(), Dialect::Envoy | Dialect::Cilium) && !cx.is_patch();
    let unary = cx.speaks_grpc() && cx.carries() != Carries::Streams;
    if !cx.carries_requests() || !writes || !unary || cx.effective.grpc_timeout_header_max.value.is_some() {
        return None;
    }
    // Without a timeout nothing of Envoy's contradicts the client.
    let to = cx.recommended_end().or(Some(timeout).filter(|timeout| timeout.0 > 0.0))?;
    let finding = RULE
        .meta
        .found(&["grpc_timeout_header_max"], cx.block(), "the `grpc-timeout` of the client is not looked at")
        .consequence(format!(
            "a client with less than {} leaves first and Envoy sees a reset; one with more is cut",
            display::millis(timeout.max(to))
        ))
        .help(format!(
            "set `max_stream_duration` with both `grpc_timeout_header_max` and `max_stream_duration` to {}: `timeout` does not act beside it",
            display::millis(to)
        ))
        .fix(
            Fix::set("Look at it", Setting::GrpcTimeoutHeaderMax, Value::Duration(to))
                .and(Change::Set(Setting::MaxStreamDuration, Value::Duration(to))),
        );
    Some(finding)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn route(matches: &str, timeouts: &str) -> String {
        format!("match: {{prefix: /{matches}}}\nroute:\n  cluster: shop\n  {timeouts}\n")
    }

    #[test]
    fn fires_for_grpc_without_the_field() {
        let found = finding(&RULE, &route(", grpc: {}", "timeout: 2s"), "");
        assert!(
            found.consequence.starts_with("a client with less than 2,000\u{a0}ms leaves first"),
            "{}",
            found.consequence
        );
        assert_eq!(found.fix.map(|f| f.changes.len()), Some(2));
        assert!(fires(&RULE, &route("", "timeout: 2s"), "protocol=grpc"));
    }

    #[test]
    fn silent_with_the_field_for_streams_and_for_the_rest() {
        let with = "timeout: 2s\n  max_stream_duration: {grpc_timeout_header_max: 2s}";
        assert!(!fires(&RULE, &route(", grpc: {}", with), ""));
        assert!(!fires(&RULE, &route(", grpc: {}", "max_grpc_timeout: 2s"), ""));
        assert!(!fires(&RULE, &route("", "timeout: 2s"), ""));
        assert!(!fires(&RULE, &route(", grpc: {}", "timeout: 2s"), "protocol=grpc_stream"));
    }
}
