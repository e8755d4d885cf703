//! `HR222 grpc-deadline-without-offset`: client and proxy count down the same deadline.

use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, Fix, RouteCx, Setting, Value};
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::{Millis, display};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR222",
        name: "grpc-deadline-without-offset",
        severity: Severity::Info,
        summary: "client and proxy count down the same gRPC deadline, and the client started first",
        rationale: "With grpc_timeout_header_max the proxy takes the client's own deadline. The client's clock \
                    started earlier, so the client gives up a moment before the proxy would: Envoy sees a reset from \
                    downstream instead of a timeout, and outlier detection never learns of the slow host. An offset \
                    makes the proxy the first to answer.",
        sources: &[
            "envoy: MaxStreamDuration.grpc_timeout_header_offset; envoyproxy/envoy#6566",
            "our choice: 20 ms for the way between client and proxy",
        ],
    },
    check: Check::Route(check),
};

/// Our choice: what the way from the client and a short queue take.
const OFFSET: Millis = Millis(20.0);

fn check(cx: &RouteCx<'_>) -> Vec<Finding> {
    of_route(cx).into_iter().collect()
}

fn of_route(cx: &RouteCx<'_>) -> Option<Finding> {
    let cap = cx.config.grpc_timeout_header_max.as_ref()?;
    let offset = cx.effective.grpc_timeout_header_offset.value;
    if !cx.carries_requests() || !cx.speaks_grpc() || offset.0 > 0.0 {
        return None;
    }
    // A cap below the deadline ends first by itself.
    let deadline = cx.deadline().map(|deadline| deadline.at);
    if deadline.is_some_and(|deadline| cap.value.0 > 0.0 && cap.value < deadline) {
        return None;
    }
    let example = deadline.unwrap_or(Millis(1000.0));
    let finding = RULE
        .meta
        .found(
            &["grpc_timeout_header_max", "grpc_timeout_header_offset"],
            &cap.at,
            "`grpc_timeout_header_max` takes the client's deadline, and no `grpc_timeout_header_offset` shortens it",
        )
        .consequence("the client started its clock first and leaves first: Envoy sees a reset, not a timeout, and outlier detection never learns of the slow host")
        .help(format!(
            "set `grpc_timeout_header_offset` to {}: of a deadline of {} the proxy then takes {}",
            display::millis(OFFSET),
            display::millis(example),
            display::millis(example - OFFSET),
        ))
        .fix(Fix::set(
            format!("off → {}", display::millis(OFFSET)),
            Setting::GrpcTimeoutHeaderOffset,
            Value::Duration(OFFSET),
        ));
    Some(finding)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn route(durations: &str) -> String {
        format!(
            "match: {{prefix: /, grpc: {{}}}}\nroute:\n  cluster: shop\n  timeout: 0s\n  max_stream_duration: {{{durations}}}\n"
        )
    }

    #[test]
    fn fires_without_an_offset() {
        let found = finding(&RULE, &route("grpc_timeout_header_max: 0s"), "deadline_ms=1000");
        assert!(
            found.help.ends_with("of a deadline of 1,000\u{a0}ms the proxy then takes 980\u{a0}ms"),
            "{}",
            found.help
        );
        assert_eq!(found.at.line(), 5);
    }

    #[test]
    fn silent_with_one_and_with_a_cap_below_the_deadline() {
        assert!(!fires(&RULE, &route("grpc_timeout_header_max: 0s, grpc_timeout_header_offset: 0.02s"), ""));
        assert!(!fires(&RULE, &route("grpc_timeout_header_max: 0.95s"), "deadline_ms=1000"));
        assert!(fires(&RULE, &route("grpc_timeout_header_max: 1s"), "deadline_ms=1000"));
        assert!(!fires(&RULE, &route("max_stream_duration: 1s"), ""));
    }
}
