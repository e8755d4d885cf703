//! `HR507 one-percentile-only`: one percentile gives a place but no shape.

use super::{Context, Finding, Fix, Rule, RuleMeta, Severity};
use crate::engine::latency::ASSUMED_P99_OVER_P50;
use crate::engine::params::ParamId;
use crate::engine::scenario::Scenario;
use crate::engine::units::{Millis, display};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR507",
        name: "one-percentile-only",
        severity: Severity::Info,
        summary: "one percentile gives no shape, so one is assumed",
        rationale: "Little's law needs the mean, and timeouts need the tail. One percentile fixes neither: the \
                    distribution is taken to have a p99 of three times p50, which a second percentile replaces.",
        sources: &["our choice: p99 of three times p50, typical of a healthy service"],
    },
    check,
};

fn check(cx: &Context<'_>) -> Vec<Finding> {
    let s = cx.scenario;
    let Some((name, at, missing)) = only_percentile(s) else { return Vec::new() };
    let message = format!(
        "only {name} is known, {}: the shape is assumed, with p99 at {} times p50",
        display::millis(at),
        display::number(ASSUMED_P99_OVER_P50),
    );
    let (mean, low) = (cx.sizing.latency.mean_ms, cx.sizing.latency.mean_bounds_ms.0);
    let consequence = if mean_given(s) {
        "the timeouts, which need the tail, rest on that assumption".to_owned()
    } else {
        format!(
            "the mean of {} rests on it, and with it every limit; all that is certain is {} or more",
            display::millis(mean),
            display::millis(low)
        )
    };
    let finding = RULE
        .meta
        .finding(&[name_of(missing)], message)
        .consequence(consequence)
        .help("enter a second percentile of the same measurement")
        .fix("Enter it", Fix::ask(missing));
    vec![finding]
}

/// Name and time of the only percentile, and the one to ask for.
fn only_percentile(s: &Scenario) -> Option<(&'static str, Millis, ParamId)> {
    if s.protocol.streams() {
        // A stream has a p99 and a mean only; the mean is what limits need.
        let life = s.stream_duration_s.as_ref()?;
        let p99 = life.p99.filter(|_| life.mean.is_none())?;
        return Some(("p99 of a stream's life", Millis::from_secs(p99), ParamId::StreamMean));
    }
    match s.latency_ms.percentiles().as_slice() {
        [(q, name, at)] => Some((name, *at, if *q < 0.9 { ParamId::P99 } else { ParamId::P50 })),
        _ => None,
    }
}

fn mean_given(s: &Scenario) -> bool {
    s.latency_ms.mean.is_some() && !s.protocol.streams()
}

fn name_of(id: ParamId) -> &'static str {
    crate::engine::params::param(id).key
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::rules::tests::{finding, fires};

    #[test]
    fn fires_with_one_percentile() {
        assert!(fires(&RULE, "p50="));
    }

    #[test]
    fn fires_with_p99_of_a_stream_alone() {
        assert!(fires(&RULE, "protocol=grpc_stream stream_p99=300 rps=5"));
    }

    #[test]
    fn silent_with_two() {
        assert!(!fires(&RULE, "p50=100"));
    }

    #[test]
    fn silent_with_the_mean_of_a_stream_too() {
        assert!(!fires(&RULE, "protocol=grpc_stream stream_p99=300 stream_mean=100 rps=5"));
    }

    #[test]
    fn says_it_with_the_numbers() {
        assert_eq!(
            finding(&RULE, "p50=").message,
            "only p99 is known, 200\u{a0}ms: the shape is assumed, with p99 at 3 times p50"
        );
    }
}
