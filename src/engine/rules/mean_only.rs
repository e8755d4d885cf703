//! `HR508 mean-only`: the mean sizes limits, but timeouts need a tail.

use super::{Context, Finding, Fix, Rule, RuleMeta, Severity};
use crate::engine::latency::ASSUMED_P99_OVER_P50;
use crate::engine::params::{ParamId, param};
use crate::engine::units::display;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR508",
        name: "mean-only",
        severity: Severity::Info,
        summary: "only the mean is known, so the tail is assumed",
        rationale: "The mean is all that Little's law and the loss formula need, so the limits stand. Timeouts and \
                    back-offs follow percentiles, and those are taken from a distribution of that mean with a \
                    p99 of three times p50.",
        sources: &["our choice: p99 of three times p50, typical of a healthy service"],
    },
    check,
};

fn check(cx: &Context<'_>) -> Vec<Finding> {
    let s = cx.scenario;
    let (alone, ask) = if s.protocol.streams() {
        let life = s.stream_duration_s.clone().unwrap_or_default();
        (life.mean.is_some() && life.p99.is_none(), ParamId::StreamP99)
    } else {
        (s.latency_ms.mean.is_some() && s.latency_ms.percentiles().is_empty(), ParamId::P99)
    };
    if !alone {
        return Vec::new();
    }
    let l = &cx.sizing.latency;
    let message = format!(
        "only the mean of {} is known: p50 is taken to be {} and p99 {}, {} times as much",
        display::millis(l.mean_ms),
        display::millis(l.p50_ms),
        display::millis(l.p99_ms),
        display::number(ASSUMED_P99_OVER_P50),
    );
    let finding = RULE
        .meta
        .finding(&[param(ask).key], message)
        .consequence("the limits stand; the timeouts rest on that assumption")
        .help("enter p99 of the same measurement")
        .fix("Enter it", Fix::ask(ask));
    vec![finding]
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::rules::tests::{finding, fires};

    #[test]
    fn fires_with_the_mean_alone() {
        assert!(fires(&RULE, "p50= p99= mean=100"));
    }

    #[test]
    fn fires_with_the_mean_of_a_stream_alone() {
        assert!(fires(&RULE, "protocol=grpc_stream stream_mean=100 rps=5"));
    }

    #[test]
    fn silent_with_a_percentile_too() {
        assert!(!fires(&RULE, "p99= mean=110"));
    }

    #[test]
    fn silent_with_p99_of_a_stream_too() {
        assert!(!fires(&RULE, "protocol=grpc_stream stream_p99=300 stream_mean=100 rps=5"));
    }

    #[test]
    fn says_it_with_the_numbers() {
        assert_eq!(
            finding(&RULE, "p50= p99= mean=100").message,
            "only the mean of 100\u{a0}ms is known: p50 is taken to be 89.4\u{a0}ms and p99 268\u{a0}ms, 3 times as much"
        );
    }
}
