//! `HR305 mostly-high-priority`: a priority that most of the traffic has separates nothing.

use super::{Context, Finding, Rule, RuleMeta, Severity};
use crate::engine::units::{Share, display};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR305",
        name: "mostly-high-priority",
        severity: Severity::Info,
        summary: "most of the traffic has priority HIGH, which then protects nobody",
        rationale: "Envoy's routing priority does not prefer anybody: it gives HIGH routes counters and connection \
                    pools of their own, so that DEFAULT traffic cannot use up their limit. If most of the \
                    traffic is HIGH there is little left to be kept apart from, and every connection is opened \
                    twice.",
        sources: &["envoy: one set of counters and one connection pool per routing priority"],
    },
    check,
};

fn check(cx: &Context<'_>) -> Vec<Finding> {
    let high = cx.scenario.high_priority_share.0;
    if high <= 0.5 {
        return Vec::new();
    }
    let high_words = display::share(Share(high));
    let message = if high < 1.0 {
        let rest = display::share(Share(1.0 - high));
        format!("{high_words} of the traffic is HIGH: the priority keeps it apart from {rest} only")
    } else {
        format!("{high_words} of the traffic is HIGH: there is nothing that the priority keeps it apart from")
    };
    let finding = RULE
        .meta
        .finding(&["high_priority_share"], message)
        .consequence("HIGH is not served first, it only has limits and connections of its own")
        .help("keep HIGH for the few requests that must pass when everything else is refused");
    vec![finding]
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::rules::tests::{finding, fires};

    #[test]
    fn fires_above_one_half() {
        assert!(fires(&RULE, "high_priority_share=0.51"));
    }

    #[test]
    fn silent_at_one_half() {
        assert!(!fires(&RULE, "high_priority_share=0.5"));
    }

    #[test]
    fn says_that_nothing_is_left() {
        assert_eq!(
            finding(&RULE, "high_priority_share=1").message,
            "100% of the traffic is HIGH: there is nothing that the priority keeps it apart from"
        );
    }

    #[test]
    fn says_it_with_the_numbers() {
        assert_eq!(
            finding(&RULE, "high_priority_share=0.6").message,
            "60% of the traffic is HIGH: the priority keeps it apart from 40% only"
        );
    }
}
