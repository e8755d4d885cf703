//! `HR110 retry-limit-too-low`: the limit on retries refuses those of a good day.

use crate::engine::audit::retrying::{Need, Retried};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding};
use crate::engine::envoy::defaults;
use crate::engine::phrases;
use crate::engine::queueing::erlang_b;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::{Erlangs, display};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR110",
        name: "retry-limit-too-low",
        severity: Severity::Warning,
        summary: "the limit on retries refuses retries that a good day needs",
        rationale: "A retry holds its slot from the decision, through back-off, to the headers of the answer. Failures \
                    per second times that time are the retries outstanding; where fewer are allowed, some callers get \
                    an error that a retry would have mended, and the counter upstream_rq_retry_overflow rises.",
        sources: &[
            "envoy: a retry holds its slot from the decision, through back-off, to the response headers",
            "Little's law; Erlang B: a limit without a queue is a loss system",
        ],
    },
    check: Check::Cluster(check),
};

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    cx.retried().iter().filter_map(of_priority).collect()
}

fn of_priority(r: &Retried<'_>) -> Option<Finding> {
    let (need, (traffic, _), allowed) = (r.need()?, r.known()?, r.allowed_at_peak()?);
    // What Headroom recommends may be low on purpose: the extra load was not to be more.
    let enough = need.at_once().min(r.allowed_recommended()?);
    if has_its_own_rule(r) || allowed >= enough {
        return None;
    }
    let refused = erlang_b::blocking(allowed, Erlangs(need.outstanding()));
    let finding = RULE
        .meta
        .found(&["max_retries", "retry_budget"], r.limit_place(), message(r, allowed, &need))
        .consequence(format!(
            "{} keeps {} retries outstanding in {}; {} of them are refused, and their callers get the first error",
            need.product(),
            display::number(need.outstanding()),
            phrases::busiest_proxy(&traffic.scenario),
            phrases::refused(refused)
        ))
        .help(r.recommendation())
        .maybe_fix(r.fix());
    Some(finding)
}

/// The default of 3, a limit of zero and a budget without a floor.
fn has_its_own_rule(r: &Retried<'_>) -> bool {
    match (r.max_retries(), r.budget()) {
        (Some(l), _) => l.value == 0 || l.is_default() && l.value == defaults::MAX_RETRIES,
        (_, Some(b)) => b.min_retry_concurrency.value == 0,
        (None, None) => false,
    }
}

fn message(r: &Retried<'_>, allowed: u64, need: &Need) -> String {
    let (allowed, needed) = (display::count(allowed as f64), display::count(need.at_once() as f64));
    match r.budget() {
        None => {
            format!("`max_retries` {allowed} is below the {needed} retries that a peak can have outstanding")
        }
        Some(b) => format!(
            "`retry_budget` {}% with a floor of {} allows {allowed} at peak, and {needed} retries can be outstanding",
            display::number(b.budget_percent.value.0),
            display::count(b.min_retry_concurrency.value.into()),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn shop(limits: &str) -> String {
        format!(
            "clusters:\n- name: shop\n  circuit_breakers: {{thresholds: [{{{limits}}}]}}\nroutes:\n\
             - match: {{prefix: /}}\n  route:\n    cluster: shop\n    \
             retry_policy: {{retry_on: connect-failure, num_retries: 2}}\n"
        )
    }

    /// 2,000 × 10% × (12 + 48 ms) = 12 outstanding; Poisson(12) exceeds 24 in 0.7 of 1,000 moments, 23 in 1.5.
    const ROLLOUT: &str = "rps=2000 mean=48 burst=1 skew=1 clients=1 error_rate=0.1";

    #[test]
    fn fires_one_below_the_need_and_silent_at_it() {
        let found = finding(&RULE, &shop("max_retries: 23"), ROLLOUT);
        assert_eq!(
            found.message,
            "`max_retries` 23 is below the 24 retries that a peak can have outstanding"
        );
        assert!(
            found.consequence.contains("keeps 12 retries outstanding in the proxy"),
            "{}",
            found.consequence
        );
        assert!(!fires(&RULE, &shop("max_retries: 24"), ROLLOUT));
    }

    #[test]
    fn a_budget_is_taken_at_the_peak_in_flight() {
        // 96 in flight: 24.9% of them truncates to 23, 25% is 24.
        let budget = |percent: &str| shop(&format!("retry_budget: {{budget_percent: {{value: {percent}}}}}"));
        let found = finding(&RULE, &budget("24.9"), ROLLOUT);
        assert!(found.message.contains("with a floor of 3 allows 23 at peak"), "{}", found.message);
        assert!(!fires(&RULE, &budget("25"), ROLLOUT));
    }

    #[test]
    fn silent_without_traffic_and_for_limits_with_their_own_rule() {
        assert!(!fires(&RULE, &shop("max_retries: 1"), "clients=100"));
        assert!(!fires(&RULE, &shop("max_retries: 0"), ROLLOUT));
        assert!(!fires(&RULE, &shop(""), ROLLOUT));
    }
}
