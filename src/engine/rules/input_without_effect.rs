//! `HR511 input-without-effect`: something was measured that this protocol has no use for.

use super::{Context, Finding, Fix, Rule, RuleMeta, Severity};
use crate::engine::params::{ParamId, param};
use crate::engine::scenario::{Draft, Scenario};
use crate::engine::units::display;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR511",
        name: "input-without-effect",
        severity: Severity::Info,
        summary: "an input was given that has no effect with this protocol",
        rationale: "A slot is held for the life of a stream or for the latency of a request, never for both. \
                    What belongs to the other kind of traffic changes no number, and whoever reads the \
                    inputs later would think that it did.",
        sources: &[
            "our formula: Little's law takes the time for which a request is active, and nothing else",
        ],
    },
    check,
};

const LATENCY: [ParamId; 7] =
    [ParamId::P50, ParamId::P75, ParamId::P90, ParamId::P95, ParamId::P99, ParamId::P999, ParamId::Mean];
const STREAM_LIFE: [ParamId; 2] = [ParamId::StreamMean, ParamId::StreamP99];

fn check(cx: &Context<'_>) -> Vec<Finding> {
    let s = cx.scenario;
    let ids = without_effect(s);
    let [first, others @ ..] = ids.as_slice() else { return Vec::new() };
    let (what, counts) = if s.protocol.streams() {
        ("latency", "the life of a stream")
    } else {
        ("the life of a stream", "the latency of a request")
    };
    let message = format!(
        "{} of {what} {} no effect with {}",
        display::plural(ids.len() as f64, "input", "inputs"),
        if others.is_empty() { "has" } else { "have" },
        s.protocol.title(),
    );
    let keys: Vec<&'static str> = ids.iter().map(|id| param(*id).key).collect();
    let labels: Vec<&str> = ids.iter().map(|id| param(*id).label).collect();
    let finding = RULE
        .meta
        .finding(&keys, message)
        .consequence(format!("the limits follow {counts} alone"))
        .help(format!("clear {}, or choose the protocol it was measured with", labels.join(", ")));
    // A button changes one input; where there are more, one button would leave the rest.
    vec![if others.is_empty() { finding.fix("Clear it", Fix::clear(*first)) } else { finding }]
}

/// What was typed although the protocol does not use it.
fn without_effect(s: &Scenario) -> Vec<ParamId> {
    let unused: &[ParamId] = if s.protocol.streams() { &LATENCY } else { &STREAM_LIFE };
    let draft = Draft::of(s);
    unused.iter().copied().filter(|id| !draft.get(*id).is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::params::ParamId;
    use crate::engine::rules::Fix;
    use crate::engine::rules::tests::{finding, fires};

    #[test]
    fn fires_on_the_life_of_a_stream_with_unary_requests() {
        for protocol in ["http1", "http2", "grpc"] {
            assert!(fires(&RULE, &format!("protocol={protocol} stream_p99=300")), "{protocol}");
        }
    }

    #[test]
    fn fires_on_a_latency_with_streams() {
        assert!(fires(&RULE, "protocol=grpc_stream stream_mean=300 rps=5"));
    }

    #[test]
    fn silent_where_each_has_its_own() {
        assert!(!fires(&RULE, "stream_mean= stream_p99="));
        assert!(!fires(&RULE, "protocol=grpc_stream stream_mean=300 rps=5 p50= p99="));
    }

    #[test]
    fn a_single_input_can_be_cleared() {
        let fix = finding(&RULE, "stream_mean=300").fix.map(|(_, fix)| fix);
        assert_eq!(fix, Some(Fix::clear(ParamId::StreamMean)));
        assert_eq!(finding(&RULE, "stream_mean=300 stream_p99=900").fix, None);
    }

    #[test]
    fn says_it_with_the_numbers() {
        let found = finding(&RULE, "protocol=grpc_stream stream_mean=300 rps=5");
        assert_eq!(found.message, "2 inputs of latency have no effect with streams");
        assert_eq!(found.fields, ["p50", "p99"]);
        assert_eq!(found.help, "clear Latency p50, Latency p99, or choose the protocol it was measured with");
    }
}
