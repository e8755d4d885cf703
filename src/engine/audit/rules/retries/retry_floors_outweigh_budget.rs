//! `HR114 retry-floors-outweigh-budget`: the floors of all proxies together are more than the budget.

use crate::engine::audit::retrying::Retried;
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Change, ClusterCx, Finding, Fix, Setting, Value};
use crate::engine::phrases;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::{Percent, Share, display};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR114",
        name: "retry-floors-outweigh-budget",
        severity: Severity::Warning,
        summary: "`min_retry_concurrency` of all proxies together outweighs the budget",
        rationale: "`min_retry_concurrency` is allowed whatever is in flight, in every process. In a fleet of small \
                    proxies the percentage truncates to nothing and the floors are the limit, so retries can be many \
                    times the traffic in the outage that the budget was set against.",
        sources: &[
            "envoy: config.cluster.v3.CircuitBreakers.Thresholds.RetryBudget.min_retry_concurrency",
            "our rule: floors stay within retry_overhead of the fleet's peak",
        ],
    },
    check: Check::Cluster(check),
};

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    cx.retried().iter().filter_map(|r| of_priority(cx, r)).collect()
}

fn of_priority(cx: &ClusterCx<'_>, r: &Retried<'_>) -> Option<Finding> {
    let (b, (traffic, _), in_flight) = (r.budget()?, r.known()?, r.fleet_in_flight()?);
    let (s, floor) = (&traffic.scenario, &b.min_retry_concurrency);
    let floors = f64::from(floor.value) * f64::from(s.clients);
    let recommended = r.recommended_floor()?;
    let within = floors <= s.retry_overhead * in_flight || !r.outnumber_hosts(floor.value);
    if within || floor.value <= recommended {
        return None;
    }
    let at = floor.place().unwrap_or_else(|| r.limit_place());
    let default = if floor.is_default() { ", a default," } else { "" };
    let [value, to] = [floor.value, recommended].map(|n| display::count(n.into()));
    let finding = RULE
        .meta
        .found(
            &["min_retry_concurrency"],
            at,
            format!(
                "`min_retry_concurrency` {value}{default}{} is {} at once, and {} requests are in flight at peak",
                r.times_proxies(),
                display::plural(floors, "retry", "retries"),
                display::number(in_flight),
            ),
        )
        .consequence(consequence(cx, r, floors + in_flight))
        .help(format!("set `min_retry_concurrency` to {to}"))
        .fix(fix(r, format!("{value} → {to}"), recommended));
    Some(finding)
}

/// The floor; a budget without one is to allow nothing at all.
fn fix(r: &Retried<'_>, label: String, floor: u32) -> Fix {
    let fix = Fix::set(label, Setting::MinRetryConcurrency(r.priority), Value::Count(floor.into()));
    if floor > 0 {
        return fix;
    }
    fix.and(Change::Set(Setting::BudgetPercent(r.priority), Value::Percent(Percent(0.0))))
}

fn consequence(cx: &ClusterCx<'_>, r: &Retried<'_>, together: f64) -> String {
    let Some(traffic) = cx.traffic() else { return String::new() };
    let s = &traffic.scenario;
    let overhead = display::share(Share(s.retry_overhead));
    let attempts = match r.attempts_in_outage() {
        Some(attempts) => format!(
            "in an outage a request costs up to {} attempts, and retries were to add {overhead}",
            display::number(attempts)
        ),
        None => format!("retries were to add {overhead} in an outage"),
    };
    let survive = traffic.sizing.forecast.hosts_survive.filter(|survive| together > *survive);
    match survive {
        Some(survive) => format!(
            "{attempts}; floors and peak are {} together, more than the {} that {}",
            display::count(together),
            phrases::capacity(survive),
            phrases::hosts_survive(s.hosts_left())
        ),
        None => attempts,
    }
}

#[cfg(test)]
mod tests {
    use super::{Change, Percent, RULE, Setting, Value};
    use crate::engine::audit::rules::tests::{finding, fires};
    use crate::engine::read::config::RoutingPriority::Default as P;

    fn budget(floor: &str) -> String {
        format!("name: shop\ncircuit_breakers:\n  thresholds:\n  - retry_budget: {{{floor}}}\n")
    }

    #[test]
    fn three_in_each_of_a_thousand_proxies_are_three_thousand() {
        // 2,000 × 0.1 × 1.5 = 300 in flight at peak, 9 hosts × 64 = 576.
        let found = finding(
            &RULE,
            &budget(""),
            "rps=2000 mean=100 clients=1000 hosts=10 host_concurrency=64 hosts_lost=1",
        );
        assert_eq!(
            found.message,
            "`min_retry_concurrency` 3, a default, × 1,000 proxies is 3,000 retries at once, and 300 requests are in flight at peak"
        );
        assert!(
            found
                .consequence
                .ends_with("floors and peak are 3,300 together, more than the 576 that nine hosts survive"),
            "{}",
            found.consequence
        );
        assert_eq!(found.fix.map(|f| f.label), Some("3 → 1".to_owned()));
    }

    #[test]
    fn silent_where_the_floors_stay_within_the_extra_load() {
        // A quarter of 40 in flight is 10: ten floors of one fit; what is recommended is never blamed.
        let ten = "rps=400 mean=100 burst=1 skew=1 clients=10 error_rate=0.1";
        assert!(!fires(&RULE, &budget("min_retry_concurrency: 1"), ten));
        assert!(fires(&RULE, &budget("min_retry_concurrency: 2"), ten));
        assert!(!fires(&RULE, &budget("min_retry_concurrency: 1"), "rps=1 mean=10 clients=1000"));
    }

    #[test]
    fn a_floor_of_zero_is_a_budget_of_nothing() {
        let found = finding(&RULE, &budget("min_retry_concurrency: 9"), "rps=20 mean=100 retry_overhead=0");
        assert_eq!(
            found.fix.unwrap().changes,
            [
                Change::Set(Setting::MinRetryConcurrency(P), Value::Count(0)),
                Change::Set(Setting::BudgetPercent(P), Value::Percent(Percent(0.0))),
            ]
        );
    }

    #[test]
    fn silent_without_traffic() {
        assert!(!fires(&RULE, &budget(""), "clients=1000"));
    }
}
