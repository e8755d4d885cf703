//! `HR304 short-stall-refuses`: a pause that users would not notice fills the limit.

use super::{Context, Finding, Rule, RuleMeta, Severity};
use crate::engine::phrases;
use crate::engine::units::{Millis, display};

/// Our choice: a pause shorter than this, such as a garbage collection, is part of a healthy day.
const HEALTHY_PAUSE: Millis = Millis(100.0);

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR304",
        name: "short-stall-refuses",
        severity: Severity::Info,
        summary: "a pause of all hosts too short to be noticed fills the limit",
        rationale: "While every host pauses, requests go on arriving and none leaves: the limit fills after \
                    (max_requests − offered) / client_rate. From then on requests are refused that would have \
                    been answered a moment later. A pause of one host of many does much less.",
        sources: &[
            "our formula: stall_fill = (max_requests − offered) / client_rate",
            "our choice: pauses up to 100 ms belong to a healthy day",
        ],
    },
    check,
};

fn check(cx: &Context<'_>) -> Vec<Finding> {
    let Some(fill) = cx.sizing.forecast.stall_fill_ms else { return Vec::new() };
    let limit = cx.sizing.default_priority().window.chosen;
    if cx.scenario.protocol.streams() || fill >= HEALTHY_PAUSE {
        return Vec::new();
    }
    let message = format!(
        "when every host pauses, `max_requests` {} is full after {}",
        display::count(f64::from(limit)),
        display::millis(fill.max(Millis(0.0))),
    );
    let finding = RULE
        .meta
        .finding(&["slowdown", "max_requests"], message)
        .consequence(format!(
            "{} then refuses all of its {} until the hosts go on",
            phrases::busiest_proxy(cx.scenario),
            display::rate(cx.sizing.default_priority().client_rate),
        ))
        .help("ask for more `slowdown` if pauses of all hosts at once are normal here");
    vec![finding]
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::rules::tests::{finding, fires};

    #[test]
    fn fires_below_a_tenth_of_a_second() {
        // 99.2 ms.
        assert!(fires(&RULE, "slowdown=1.1"));
    }

    #[test]
    fn silent_above_it() {
        assert!(!fires(&RULE, "slowdown=1.11"));
    }

    #[test]
    fn says_it_with_the_numbers() {
        assert_eq!(
            finding(&RULE, "slowdown=1.1").message,
            "when every host pauses, `max_requests` 110 is full after 99.2\u{a0}ms"
        );
    }
}
