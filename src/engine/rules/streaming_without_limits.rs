//! `HR206 streaming-without-limits`: nobody said how long a stream may live.

use super::{Context, Finding, Fix, Rule, RuleMeta, Severity};
use crate::engine::params::ParamId;
use crate::engine::scenario::Scenario;
use crate::engine::units::{Millis, display};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR206",
        name: "streaming-without-limits",
        severity: Severity::Info,
        summary: "how long a stream may live and be silent is derived, not known",
        rationale: "A route timeout would cut every stream, so it is off, and two other clocks bound a stream: \
                    `idle_timeout`, which any byte restarts, and `max_stream_duration`. Both should come from \
                    the application: how often it sends something, and when a stream must end. They are \
                    derived from the lives of streams until somebody says so.",
        sources: &[
            "envoy: route.timeout 0s, route.idle_timeout, route.max_stream_duration",
            "our rule: idle_timeout p99 of the life, max_stream_duration slowdown × p99.9",
        ],
    },
    check,
};

fn check(cx: &Context<'_>) -> Vec<Finding> {
    let (s, t) = (cx.scenario, &cx.sizing.timeouts);
    if !s.protocol.streams() || s.deadline_ms.is_some() {
        return Vec::new();
    }
    let text = |time: Option<Millis>| time.map_or_else(|| "off".to_owned(), display::millis);
    let message = format!(
        "no deadline bounds a stream: `max_stream_duration` {} and `idle_timeout` {} are derived from {}",
        text(t.max_stream_duration_ms),
        text(t.stream_idle_ms),
        lives(s),
    );
    let finding = RULE
        .meta
        .finding(&["deadline_ms", "stream_p99", "idle_timeout", "max_stream_duration"], message)
        .consequence("a stream that is silent for longer, or lives longer, is cut although nothing is wrong")
        .help("enter the deadline of a stream, and have the application send something more often than `idle_timeout`")
        .fix("Enter it", Fix::ask(ParamId::DeadlineMs));
    vec![finding]
}

/// What the lives of streams are known from.
fn lives(s: &Scenario) -> String {
    let life = s.stream_duration_s.clone().unwrap_or_default();
    match (life.p99, life.mean) {
        (Some(p99), _) => format!("p99 {} of a stream's life", display::millis(Millis::from_secs(p99))),
        (None, Some(mean)) => format!("the mean life of {}", display::millis(Millis::from_secs(mean))),
        (None, None) => "an assumed life".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::rules::tests::{finding, fires};

    #[test]
    fn fires_for_streams_without_a_deadline() {
        assert!(fires(&RULE, "protocol=grpc_stream stream_p99=300 deadline_ms= rps=5"));
    }

    #[test]
    fn silent_for_streams_with_one() {
        assert!(!fires(&RULE, "protocol=grpc_stream stream_p99=300 deadline_ms=600000 rps=5"));
    }

    #[test]
    fn silent_for_requests() {
        assert!(!fires(&RULE, "deadline_ms="));
    }

    #[test]
    fn says_it_with_the_numbers() {
        assert_eq!(
            finding(&RULE, "protocol=grpc_stream stream_p99=300 deadline_ms= rps=5").message,
            "no deadline bounds a stream: `max_stream_duration` 14.5\u{a0}min and `idle_timeout` 300\u{a0}s are derived from p99 300\u{a0}s of a stream's life"
        );
    }
}
