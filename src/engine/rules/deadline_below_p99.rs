//! `HR205 deadline-below-p99`: the route timeout cuts healthy requests.

use super::{Context, Finding, Rule, RuleMeta, Severity, fixes};
use crate::engine::phrases;
use crate::engine::remedy::deadline_where;
use crate::engine::units::display;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR205",
        name: "deadline-below-p99",
        severity: Severity::Error,
        summary: "the deadline cuts healthy requests",
        rationale: "The route timeout ends before the caller's deadline so that Envoy answers first. If it is not \
                    above p99, more than one healthy request in a hundred is cut at the normal peak, and a \
                    route timeout is never retried.",
        sources: &["envoy: route.timeout; a route timeout is answered with 504 and never retried"],
    },
    check,
};

fn check(cx: &Context<'_>) -> Vec<Finding> {
    let (s, z) = (cx.scenario, cx.sizing);
    let p99 = z.latency.p99_ms;
    let (clock, route) = match z.timeouts.max_stream_duration_ms {
        Some(life) if s.protocol.streams() => ("`max_stream_duration`", life),
        _ => ("the route timeout", z.timeouts.route_ms),
    };
    if route > p99 {
        return Vec::new();
    }
    let message = format!(
        "{clock} of {} is not above p99, {}: it cuts {} of healthy requests",
        display::millis(route),
        display::millis(p99),
        phrases::refused(z.model.exceedance(route)),
    );
    let room = deadline_where(s, z, |l| {
        l.timeouts.max_stream_duration_ms.unwrap_or(l.timeouts.route_ms).0 >= 2.0 * p99.0
    });
    let finding = RULE
        .meta
        .finding(&["deadline_ms", "timeout"], message)
        .consequence(format!(
            "they end in 504 after {}, and no limit or retry can mend it",
            display::millis(route)
        ))
        .help("give the call a deadline well above p99, or make the upstream faster")
        .maybe_fix(room.and_then(fixes::deadline));
    vec![finding]
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::rules::tests::{finding, fires};

    #[test]
    fn fires_when_the_route_timeout_is_p99() {
        assert!(fires(&RULE, "deadline_ms=210"));
    }

    #[test]
    fn silent_just_above_p99() {
        assert!(!fires(&RULE, "deadline_ms=211"));
    }

    #[test]
    fn streams_are_bounded_by_their_longest_life() {
        assert!(fires(&RULE, "protocol=grpc_stream stream_p99=60 deadline_ms=60000 rps=5"));
        assert!(!fires(&RULE, "protocol=grpc_stream stream_p99=60 deadline_ms=70000 rps=5"));
        assert!(!fires(&RULE, "protocol=grpc_stream stream_p99=60 deadline_ms= rps=5"));
    }

    #[test]
    fn says_it_with_the_numbers() {
        assert_eq!(
            finding(&RULE, "idempotent=false deadline_ms=100").message,
            "the route timeout of 90\u{a0}ms is not above p99, 200\u{a0}ms: it cuts 64% of healthy requests"
        );
    }
}
