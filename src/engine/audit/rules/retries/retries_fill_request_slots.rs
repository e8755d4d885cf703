//! `HR119 retries-fill-request-slots`: retries take the slots that first attempts need.

use crate::engine::audit::retrying::Retried;
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding};
use crate::engine::phrases;
use crate::engine::queueing::erlang_b;
use crate::engine::retry::amplification;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::{Share, display};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR119",
        name: "retries-fill-request-slots",
        severity: Severity::Warning,
        summary: "in an outage retries fill `max_requests` and first attempts are refused",
        rationale: "A retry passes all breakers again and holds a slot of `max_requests` like a first attempt. Without \
                    a limit that follows the traffic, retries of failing requests take the slots of good ones, which \
                    are then refused: the breaker spreads the failure that it was to contain.",
        sources: &[
            "envoy: a retried attempt picks a host and passes all breakers again",
            "Erlang B: an arrival that finds every slot taken is refused at once",
        ],
    },
    check: Check::Cluster(check),
};

/// An outage of a part: half of all attempts fail.
const HALF: Share = Share(0.5);
/// Our choice: what an outage may refuse of the rest before it is worth a finding.
const TOLERATED: Share = Share(0.01);
/// A budget is written with three digits: what that adds is no other budget.
const NOISE: f64 = 1.002;

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    cx.retried().iter().filter_map(of_priority).collect()
}

fn of_priority(r: &Retried<'_>) -> Option<Finding> {
    let (retries, (traffic, sizing), worst) = (r.retries?, r.known()?, r.attempts_in_outage()?);
    let slots = &r.limits.max_requests;
    let refused = |attempts| erlang_b::blocking(slots.value.into(), sizing.offered * attempts);
    // A limit that is too low for the first attempts alone has a rule of its own.
    let fits = refused(1.0) <= traffic.scenario.shed_target;
    let avoidable = r.attempts_recommended().is_some_and(|recommended| worst > recommended * NOISE);
    if !fits || !avoidable || refused(worst) <= TOLERATED {
        return None;
    }
    let half = amplification::load_factor(HALF, retries).min(worst);
    let value = display::count(slots.value.into());
    let default = if slots.is_default() { ", a default," } else { "" };
    let finding = RULE
        .meta
        .found(
            &["max_requests", "num_retries"],
            slots.place().unwrap_or_else(|| r.limit_place()),
            format!(
                "retries take {} of the slots of `max_requests` {value}{default} when half of all attempts fail",
                display::share(Share((half - 1.0) / half))
            ),
        )
        .consequence(format!(
            "when all fail, {} attempts a request keep {} in flight in {}, and {} of them are refused, first attempts too; \
             failures that come faster than good answers take less",
            display::number(worst),
            display::number(sizing.offered.0 * worst),
            phrases::busiest_proxy(&traffic.scenario),
            phrases::refused(refused(worst))
        ))
        .help(r.recommendation())
        .maybe_fix(r.fix());
    Some(finding)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn shop(limits: &str) -> String {
        format!(
            "clusters:\n- name: shop\n  circuit_breakers: {{thresholds: [{{{limits}}}]}}\nroutes:\n\
             - match: {{prefix: /}}\n  route:\n    cluster: shop\n    retry_policy: {{retry_on: 5xx, num_retries: 2}}\n"
        )
    }

    /// 100 requests in flight.
    const BUSY: &str = "rps=1000 mean=100 burst=1 skew=1 clients=1";

    #[test]
    fn retries_take_three_sevenths_of_the_slots() {
        // 1 + 1/2 + 1/4 = 1.75 attempts, 0.75 of 1.75 are retries: 43%. 300 erlangs on 200 slots: 34%.
        let found = finding(&RULE, &shop("max_requests: 200, max_retries: 1000"), BUSY);
        assert_eq!(
            found.message,
            "retries take 43% of the slots of `max_requests` 200 when half of all attempts fail"
        );
        assert!(
            found.consequence.contains("3 attempts a request keep 300 in flight"),
            "{}",
            found.consequence
        );
        assert!(found.consequence.contains("34% of them are refused"), "{}", found.consequence);
    }

    #[test]
    fn silent_where_the_slots_hold_the_retries_too() {
        // B(330, 300) is 0.6%, B(325, 300) 1.0%.
        assert!(!fires(&RULE, &shop("max_requests: 340, max_retries: 1000"), BUSY));
        assert!(fires(&RULE, &shop("max_requests: 320, max_retries: 1000"), BUSY));
    }

    #[test]
    fn silent_with_a_budget_and_without_traffic() {
        assert!(!fires(&RULE, &shop("max_requests: 200, retry_budget: {}"), BUSY));
        assert!(!fires(&RULE, &shop("max_requests: 200, max_retries: 1000"), ""));
    }
}
