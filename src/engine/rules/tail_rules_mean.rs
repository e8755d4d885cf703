//! `HR510 tail-rules-mean`: most of the mean lies in a tail that nobody measured.

use super::{Context, Finding, Fix, Rule, RuleMeta, Severity};
use crate::engine::params::ParamId;
use crate::engine::units::{Share, display};

/// Our choice: a tenth of every limit is worth a measured mean.
const TOLERATED: f64 = 0.1;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR510",
        name: "tail-rules-mean",
        severity: Severity::Warning,
        summary: "the mean rests on times beyond the route timeout, which nobody measured",
        rationale: "Beyond the last percentile the distribution continues with the slope before it. Where that \
                    slope is steep, most of the mean comes from a few requests of minutes or hours, which the \
                    route timeout cuts in truth. Every limit is proportional to the mean.",
        sources: &["our rule: E[min(T, route)] is at least nine tenths of E[T]"],
    },
    check,
};

fn check(cx: &Context<'_>) -> Vec<Finding> {
    let s = cx.scenario;
    let route = cx.sizing.timeouts.route_ms;
    // A stated mean was measured, timeouts included; a stream has no route timeout.
    if route.0 <= 0.0 || s.latency_ms.mean.is_some() {
        return Vec::new();
    }
    let (mean, cut) = (cx.sizing.latency.mean_ms, cx.sizing.model.mean_of_min(route));
    let beyond = Share(1.0 - cut.0 / mean.0);
    if beyond.0 <= TOLERATED {
        return Vec::new();
    }
    let message = format!(
        "{} of the mean of {} lies beyond the route timeout of {}",
        display::share(beyond),
        display::millis(mean),
        display::millis(route),
    );
    let finding = RULE
        .meta
        .finding(&["mean", "p99", "p999"], message)
        .consequence(format!(
            "with times cut there the mean is {}, and every limit is smaller",
            display::millis(cut)
        ))
        .help("enter the measured mean, or a percentile above the last one")
        .fix("Enter it", Fix::ask(ParamId::Mean));
    vec![finding]
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::rules::tests::{finding, fires};

    #[test]
    fn fires_where_a_steep_tail_takes_over() {
        assert_eq!(
            finding(&RULE, "p50=20 p95=60 p99=1000").message,
            "86% of the mean of 357\u{a0}ms lies beyond the route timeout of 2,375\u{a0}ms"
        );
    }

    #[test]
    fn silent_on_both_sides_of_a_tenth() {
        assert!(!fires(&RULE, "p50=20 p90=60 p99=500"));
        assert!(fires(&RULE, "p50=20 p90=60 p99=700"));
    }

    #[test]
    fn silent_with_a_measured_mean_and_for_streams() {
        assert!(!fires(&RULE, "p50=20 p90=60 p99=1000 mean=45"));
        assert!(!fires(&RULE, "p50=20 p90=60 p99=1000 protocol=grpc_stream stream_p99=900"));
    }
}
