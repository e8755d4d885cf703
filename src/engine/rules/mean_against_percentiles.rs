//! `HR509 mean-against-percentiles`: the stated mean and the percentiles tell different stories.

use super::{Context, Finding, Fix, Rule, RuleMeta, Severity};
use crate::engine::params::ParamId;
use crate::engine::phrases;
use crate::engine::units::display;

/// Our choice: a quarter is more than the shape between percentiles usually hides.
const TOLERATED: f64 = 0.25;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR509",
        name: "mean-against-percentiles",
        severity: Severity::Warning,
        summary: "the stated mean is far from what the percentiles give",
        rationale: "Every limit is proportional to the mean. A stated mean is used as given; where it is far from \
                    the mean of a smooth distribution through the percentiles, either the two were measured \
                    over different times or requests, or the distribution has a second peak that the \
                    percentiles do not show.",
        sources: &["our choice: a quarter off is worth a second look"],
    },
    check,
};

fn check(cx: &Context<'_>) -> Vec<Finding> {
    let s = cx.scenario;
    // With fewer than two points the shape is assumed, and there is nothing to contradict.
    let known = if s.protocol.streams() { 0 } else { s.latency_ms.percentiles().len() };
    let Some(given) = s.latency_ms.mean.filter(|_| known >= 2) else { return Vec::new() };
    let fitted = cx.sizing.model.mean();
    let ratio = given.0 / fitted.0;
    if (ratio - 1.0).abs() <= TOLERATED {
        return Vec::new();
    }
    let message = format!(
        "the mean of {} is {} what the percentiles give, {}",
        display::millis(given),
        phrases::fold(ratio),
        display::millis(fitted),
    );
    let finding = RULE
        .meta
        .finding(&["mean", "p50", "p99"], message)
        .consequence("every limit is proportional to the mean and follows the stated one")
        .help("check that mean and percentiles are of the same requests and the same hours, or leave the mean out")
        .fix("Leave the mean out", Fix::clear(ParamId::Mean));
    vec![finding]
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::rules::tests::{finding, fires};

    #[test]
    fn fires_more_than_a_quarter_above() {
        assert!(fires(&RULE, "mean=131"));
    }

    #[test]
    fn fires_more_than_a_quarter_below() {
        assert!(fires(&RULE, "mean=78"));
    }

    #[test]
    fn silent_within_a_quarter() {
        assert!(!fires(&RULE, "mean=130"));
    }

    #[test]
    fn silent_within_a_quarter_below() {
        assert!(!fires(&RULE, "mean=79"));
    }

    #[test]
    fn silent_with_one_percentile() {
        // Its shape is assumed, so nothing is contradicted.
        assert!(!fires(&RULE, "p99= mean=200"));
    }

    #[test]
    fn says_it_with_the_numbers() {
        assert_eq!(
            finding(&RULE, "mean=200").message,
            "the mean of 200\u{a0}ms is 1.9 times what the percentiles give, 105\u{a0}ms"
        );
    }
}
