//! `HR233 stream-life-unbounded`: a stream that is never silent holds its slot for good.

use crate::engine::audit::clocks::Clock;
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, Fix, RouteCx, Setting, Value};
use crate::engine::read::config::Dialect;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR233",
        name: "stream-life-unbounded",
        severity: Severity::Info,
        summary: "only silence ends a stream, so one that keeps talking holds its slot for good",
        rationale: "An idle timeout ends what is silent. A stream with a heartbeat is never silent, whether anybody \
                    needs it or not: it holds its slot of max_requests, and it stays with its host and its connection \
                    through every deploy, so that load no longer spreads. A longest life makes clients come back.",
        sources: &[
            "envoy: config.route.v3.RouteAction.MaxStreamDuration.max_stream_duration, default off",
            "our rule: slowdown × p99.9 of a stream's life",
        ],
    },
    check: Check::Route(check),
};

fn check(cx: &RouteCx<'_>) -> Vec<Finding> {
    of_route(cx).into_iter().collect()
}

fn of_route(cx: &RouteCx<'_>) -> Option<Finding> {
    let traffic = cx.traffic().filter(|t| t.scenario.protocol.streams())?;
    let life = traffic.sizing.timeouts.max_stream_duration_ms?;
    // Istio has no word for it; and where nothing ends a stream there is a finding already.
    let bounded = cx.end().is_some_and(|clock| clock.name == "max_stream_duration");
    let idle: Clock<'_> = cx.end_of_silence()?;
    if !cx.carries_requests() || bounded || idle.name == "timeout" || cx.dialect() == Dialect::Istio {
        return None;
    }
    let finding = RULE
        .meta
        .found(
            &["max_stream_duration"],
            cx.block(),
            format!(
                "only {} of silence end a stream: `max_stream_duration` is off",
                display::millis(idle.of.value)
            ),
        )
        .consequence(format!(
            "a stream with a heartbeat holds its slot for good; p99 of a stream's life is {}",
            display::millis(traffic.sizing.latency.p99_ms)
        ))
        .help(format!("set `max_stream_duration` to {}", display::millis(life)))
        .fix(Fix::set(
            format!("off → {}", display::millis(life)),
            Setting::MaxStreamDuration,
            Value::Duration(life),
        ));
    Some(finding)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    const STREAMS: &str = "protocol=grpc_stream rps=5 stream_p99=600";

    fn route(more: &str) -> String {
        format!("match: {{prefix: /}}\nroute: {{cluster: shop, timeout: 0s{more}}}\n")
    }

    #[test]
    fn fires_where_only_silence_ends_a_stream() {
        let found = finding(&RULE, &route(", idle_timeout: 600s"), STREAMS);
        assert_eq!(found.message, "only 10\u{a0}min of silence end a stream: `max_stream_duration` is off");
        assert!(found.fix.is_some());
    }

    #[test]
    fn silent_with_a_longest_life_and_without_streams() {
        assert!(!fires(&RULE, &route(", max_stream_duration: {max_stream_duration: 3600s}"), STREAMS));
        assert!(!fires(&RULE, &route(", idle_timeout: 600s"), "rps=5 mean=10"));
        assert!(!fires(&RULE, &route(", idle_timeout: 0s"), STREAMS), "has a finding of its own");
    }
}
