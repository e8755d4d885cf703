//! `HR106 retry-floor-too-low`: a good day needs more retries at once than the overhead allows.

use super::fixes::LabeledFix;
use super::{Context, Finding, Fix, Rule, RuleMeta, Severity};
use crate::engine::params::ParamId;
use crate::engine::phrases;
use crate::engine::queueing::erlang_b;
use crate::engine::sizing::PrioritySizing;
use crate::engine::units::{Erlangs, Share, display};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR106",
        name: "retry-floor-too-low",
        severity: Severity::Warning,
        summary: "a good day needs more retries at once than the overhead allows",
        rationale: "The floor that a good day needs follows from the failures of the busiest proxy and from how \
                    long a retry holds its slot. What the fleet may add in an outage sets another bound. \
                    Where the second is lower it wins, since a floor holds in an outage too; some retries \
                    of a good day are then refused.",
        sources: &[
            "envoy: a retry holds its slot from the decision, through back-off, to the response headers",
            "our rule: on a good day one retry in 1,000 may find the floor taken",
        ],
    },
    check,
};

fn check(cx: &Context<'_>) -> Vec<Finding> {
    if cx.sizing.retry.num_retries == 0 {
        return Vec::new();
    }
    let short = cx.sizing.priorities.iter().find(|p| p.retries_needed > p.retries_allowed);
    short.map(|p| finding(cx, p)).into_iter().collect()
}

fn finding(cx: &Context<'_>, p: &PrioritySizing) -> Finding {
    let s = cx.scenario;
    let message = format!(
        "{} needs {} at once on a good day, and {} extra load allows {}",
        phrases::busiest_proxy(s),
        display::plural(p.retries_needed as f64, "retry", "retries"),
        display::share(Share(s.retry_overhead)),
        display::count(p.retries_allowed as f64),
    );
    RULE.meta
        .finding(&["error_rate", "retry_overhead", "clients", "min_retry_concurrency"], message)
        .consequence(format!(
            "with `min_retry_concurrency` {} and the budget about {} of the retries of a good day are refused",
            display::count(f64::from(p.threshold.retry_budget.min_retry_concurrency)),
            phrases::refused(refused(p, s.error_rate)),
        ))
        .help("allow more extra load from retries, or bring down the failures of a good day")
        .maybe_fix(more_overhead(cx))
}

/// Retries of a good day that find the floor taken.
fn refused(p: &PrioritySizing, error_rate: Share) -> Share {
    let outstanding = p.client_rate.arrivals_in(p.retry_hold) * error_rate.0;
    // Budget or floor, whichever is larger: the static limit is made to equal that.
    erlang_b::blocking(u64::from(p.threshold.max_retries), Erlangs(outstanding))
}

/// The overhead, in whole percent, that allows what every priority needs; at most 100%.
fn more_overhead(cx: &Context<'_>) -> LabeledFix {
    let z = cx.sizing;
    let fair = z.load.fleet_concurrency_at_peak.0 / f64::from(cx.scenario.clients);
    let allows = |p: &PrioritySizing, percent: u32| {
        let share = p.offered.0 / z.load.offered.0;
        let allowed = (f64::from(percent) / 100.0 * fair * share).floor().max(1.0);
        allowed >= p.retries_needed as f64
    };
    let percent = (1..=100).find(|percent| z.priorities.iter().all(|p| allows(p, *percent)))?;
    let label = format!("Allow {percent}% extra");
    Some((label, Fix::set(ParamId::RetryOverhead, f64::from(percent) / 100.0)))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::rules::tests::{finding, fires};

    #[test]
    fn fires_when_a_good_day_needs_12_and_11_are_allowed() {
        assert!(fires(&RULE, "error_rate=0.0581"));
    }

    #[test]
    fn silent_when_it_needs_11() {
        assert!(!fires(&RULE, "error_rate=0.058"));
    }

    #[test]
    fn says_it_with_the_numbers() {
        assert_eq!(
            finding(&RULE, "error_rate=0.0581").message,
            "the busiest proxy needs 12 retries at once on a good day, and 25% extra load allows 11"
        );
    }
}
