//! `HR402 single-host-no-ejection`: one host cannot be taken out of one.

use super::{Context, Finding, Rule, RuleMeta, Severity};
use crate::engine::units::display;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR402",
        name: "single-host-no-ejection",
        severity: Severity::Info,
        summary: "with one host outlier detection has nobody to turn to",
        rationale: "Ejecting the only host leaves none. Envoy would send the traffic to it all the same, since \
                    no healthy host is left and panic routing sets in; with panic off every request would fail.",
        sources: &["envoy: healthy_panic_threshold, default 50%: below it ejection is ignored"],
    },
    check,
};

fn check(cx: &Context<'_>) -> Vec<Finding> {
    if cx.scenario.hosts > 1 {
        return Vec::new();
    }
    let message = "outlier detection is off: with 1 host there is no other to take its traffic".to_owned();
    let finding = RULE
        .meta
        .finding(&["hosts", "outlier_detection"], message)
        .consequence(format!("when the host fails, all {} fail with it", display::rate(cx.scenario.rps)))
        .help("run a second host if the service must outlive one");
    vec![finding]
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::rules::tests::{finding, fires};

    #[test]
    fn fires_with_one_host() {
        assert!(fires(&RULE, "hosts=1"));
    }

    #[test]
    fn silent_with_two_hosts() {
        assert!(!fires(&RULE, "hosts=2"));
    }

    #[test]
    fn says_it_with_the_numbers() {
        assert_eq!(
            finding(&RULE, "hosts=1").message,
            "outlier detection is off: with 1 host there is no other to take its traffic"
        );
    }
}
