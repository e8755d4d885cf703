//! `HR107 retry-amplification`: several layers retry, and their attempts multiply.

use super::{Context, Finding, Fix, Rule, RuleMeta, Severity};
use crate::engine::params::ParamId;
use crate::engine::phrases;
use crate::engine::units::display;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR107",
        name: "retry-amplification",
        severity: Severity::Warning,
        summary: "several layers retry, and their attempts multiply",
        rationale: "A layer that makes three attempts below a layer that makes three gives nine. Each layer sees \
                    only its own retries, so no limit of one of them shows the product. A budget caps its \
                    own layer at 1 / (1 − b) in an outage; layers without a budget are not capped at all.",
        sources: &["our formula: (1 + num_retries) to the power of the layers that retry"],
    },
    check,
};

fn check(cx: &Context<'_>) -> Vec<Finding> {
    let (s, f) = (cx.scenario, &cx.sizing.forecast);
    if s.retrying_hops < 2 || cx.sizing.retry.num_retries == 0 {
        return Vec::new();
    }
    let attempts = 1 + cx.sizing.retry.num_retries;
    let message = format!(
        "{} layers with {attempts} attempts each make up to {} of one request",
        display::words(s.retrying_hops),
        display::count(f.attempts_with_hops),
    );
    let (all, capped) = (phrases::fold(f.attempts_with_hops), phrases::fold(f.attempts_with_hops_capped));
    let mut consequence = format!("in an outage the hosts see up to {all} the requests");
    if capped != all {
        consequence = format!("{consequence}; with this budget in every layer, {capped}");
    }
    let finding = RULE
        .meta
        .finding(&["retrying_hops", "num_retries"], message)
        .consequence(consequence)
        .help("retry in one layer only, the one next to the hosts, and set `num_retries` to 0 in the others")
        .fix("Retry in one layer", Fix::set(ParamId::RetryingHops, 1.0));
    vec![finding]
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::rules::tests::{finding, fires};

    #[test]
    fn fires_from_two_layers_on() {
        assert!(fires(&RULE, "retrying_hops=2"));
    }

    #[test]
    fn silent_with_one_layer() {
        assert!(!fires(&RULE, "retrying_hops=1"));
    }

    #[test]
    fn names_the_budget_only_where_it_helps() {
        assert_eq!(
            finding(&RULE, "retrying_hops=2 idempotent=false").consequence,
            "in an outage the hosts see up to 4 times the requests; with this budget in every layer, 1.6 times"
        );
        assert_eq!(
            finding(&RULE, "retrying_hops=2 idempotent=false retry_overhead=1").consequence,
            "in an outage the hosts see up to 4 times the requests"
        );
    }

    #[test]
    fn says_it_with_the_numbers() {
        assert_eq!(
            finding(&RULE, "retrying_hops=3").message,
            "three layers with 3 attempts each make up to 27 of one request"
        );
    }
}
