//! `HR113 retry-budget-starves`: without a floor the budget truncates to no retry at all.

use crate::engine::audit::retrying::Retried;
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Change, ClusterCx, Finding, Fix, Setting, Value};
use crate::engine::retry::budget;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::{Percent, display};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR113",
        name: "retry-budget-starves",
        severity: Severity::Warning,
        summary: "`min_retry_concurrency` 0 lets the budget truncate to no retry at all",
        rationale: "The budget is a share of what is in flight, truncated: 20% of four requests is none. Retries that \
                    wait in back-off count as outstanding, but they are neither active nor pending, so they shrink the \
                    base they are a share of. Only the floor keeps a retry possible while little is in flight.",
        sources: &[
            "envoy: config.cluster.v3.CircuitBreakers.Thresholds.RetryBudget; measured on 1.40",
            "envoyproxy/envoy#30205: a budget of 100% refuses; envoyproxy/envoy#9069: worked figures",
        ],
    },
    check: Check::Cluster(check),
};

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    cx.retried().iter().filter_map(of_priority).collect()
}

fn of_priority(r: &Retried<'_>) -> Option<Finding> {
    let b = r.budget().filter(|b| b.min_retry_concurrency.value == 0 && b.budget_percent.value.0 > 0.0)?;
    let percent = b.budget_percent.value;
    let least = (1..=MOST).find(|in_flight| budget::allowed(percent, 0, *in_flight) > 0)?;
    let at = b.min_retry_concurrency.place().unwrap_or_else(|| r.limit_place());
    let (shown, n) = (display::number(percent.0), display::count(least as f64));
    let message = if least == 1 {
        format!(
            "a `retry_budget` of {shown}% without a floor allows as many retries as are in flight, and no more"
        )
    } else {
        format!("a `retry_budget` of {shown}% without a floor allows no retry below {n} requests in flight")
    };
    let finding = RULE
        .meta
        .found(&["min_retry_concurrency", "budget_percent"], at, message)
        .consequence(consequence(r, least))
        .help("never set `min_retry_concurrency` to 0; with a long back-off raise it")
        .severity(if starves_at_peak(r) { Severity::Warning } else { Severity::Info })
        .fix(fix(r));
    Some(finding)
}

/// A budget that allows nothing of so many requests is none.
const MOST: u64 = 100_000;

/// Whether a good day's peak finds no retry free; unknown traffic may be that small.
fn starves_at_peak(r: &Retried<'_>) -> bool {
    match (r.allowed_at_peak(), r.need()) {
        (Some(allowed), Some(need)) => allowed < need.at_once().max(1),
        _ => true,
    }
}

fn consequence(r: &Retried<'_>, least: u64) -> String {
    let waiting = format!(
        "retries in back-off count as outstanding and not as in flight: with {least} in flight and one retry waiting, \
         the next failure finds 0 of 1 free"
    );
    match (r.known(), r.allowed_at_peak(), r.need()) {
        (Some((_, sizing)), Some(allowed), Some(need)) => format!(
            "at peak {} in flight allow {}, and {} can be outstanding{}; {waiting}",
            display::number(sizing.offered.0),
            display::plural(allowed as f64, "retry", "retries"),
            display::count(need.at_once() as f64),
            all_at_once(r, sizing.offered.0)
        ),
        _ => waiting,
    }
}

/// `; when all 6 fail together, 3 are retried`: each that fails leaves the base of the next.
fn all_at_once(r: &Retried<'_>, in_flight: f64) -> String {
    let Some(percent) = r.budget().map(|b| b.budget_percent.value) else { return String::new() };
    let all = (0..MOST).take_while(|n| *n as f64 + 0.5 <= in_flight).count() as u64;
    let retried = (0..all).take_while(|k| *k < budget::allowed(percent, 0, all - k)).count();
    if all < 2 {
        return String::new();
    }
    let are = if retried == 1 { "is" } else { "are" };
    format!(
        "; when all {} fail together, {} {are} retried",
        display::count(all as f64),
        display::count(retried as f64)
    )
}

/// The recommended floor, else Envoy's own.
fn fix(r: &Retried<'_>) -> Fix {
    let setting = Setting::MinRetryConcurrency(r.priority);
    let floor = r.recommended_floor();
    if floor == Some(0) {
        // Retries are to add nothing: then the budget is to say so.
        return Fix::set("Allow no retry", Setting::BudgetPercent(r.priority), Value::Percent(Percent(0.0)));
    }
    match floor {
        Some(floor) => {
            Fix::set(format!("0 → {}", display::count(floor.into())), setting, Value::Count(floor.into()))
        }
        None => Fix::new("Leave it out", Change::Clear(setting)),
    }
}

#[cfg(test)]
mod tests {
    use super::{Change, Percent, RULE, Setting, Value};
    use crate::engine::audit::rules::tests::{finding, fires};
    use crate::engine::read::config::RoutingPriority::Default as P;
    use crate::engine::rules::Severity;

    fn budget(percent: &str, floor: u32) -> String {
        format!(
            "name: shop\ncircuit_breakers:\n  thresholds:\n  - retry_budget:\n      budget_percent: {{value: {percent}}}\n      \
             min_retry_concurrency: {floor}\n"
        )
    }

    #[test]
    fn a_fifth_of_fewer_than_five_is_none() {
        let found = finding(&RULE, &budget("20", 0), "");
        assert_eq!(
            found.message,
            "a `retry_budget` of 20% without a floor allows no retry below 5 requests in flight"
        );
        assert_eq!((found.severity, found.at.line()), (Severity::Warning, 6));
        assert!(!fires(&RULE, &budget("20", 1), ""));
    }

    #[test]
    fn even_all_of_it_refuses_the_second() {
        let found = finding(&RULE, &budget("100", 0), "");
        assert!(
            found.consequence.contains("with 1 in flight and one retry waiting"),
            "{}",
            found.consequence
        );
        assert!(found.consequence.ends_with("finds 0 of 1 free"), "{}", found.consequence);
    }

    #[test]
    fn of_those_that_fail_together_half_are_retried() {
        // Of 6 in flight the first three find 0 of 6, 1 of 5 and 2 of 4 taken, the fourth 3 of 3.
        let inputs = "rps=6 mean=1000 burst=1 skew=1 error_rate=0.5";
        let of = |percent: &str| finding(&RULE, &budget(percent, 0), inputs).consequence;
        assert!(of("100").contains("; when all 6 fail together, 3 are retried; "), "{}", of("100"));
        // trunc(0.5 × 6) is 3 and trunc(0.5 × 5) is 2, then 2 of 2 are taken.
        assert!(of("50").contains("; when all 6 fail together, 2 are retried; "), "{}", of("50"));
        assert!(of("20").contains("; when all 6 fail together, 1 is retried; "), "{}", of("20"));
    }

    #[test]
    fn no_floor_is_added_where_retries_are_to_add_nothing() {
        let found = finding(&RULE, &budget("20", 0), "rps=50 mean=50 retry_overhead=0");
        let nothing = Value::Percent(Percent(0.0));
        assert_eq!(found.fix.unwrap().changes, [Change::Set(Setting::BudgetPercent(P), nothing)]);
        assert!(!fires(&RULE, &budget("0", 0), "rps=50 mean=50 retry_overhead=0"));
    }

    #[test]
    fn a_busy_proxy_does_not_starve_at_peak() {
        let found = finding(&RULE, &budget("20", 0), "rps=2000 mean=50 burst=1 skew=1 error_rate=0.01");
        assert_eq!(found.severity, Severity::Info);
        assert!(
            found.consequence.starts_with("at peak 100 in flight allow 20 retries"),
            "{}",
            found.consequence
        );
        let small = finding(&RULE, &budget("20", 0), "rps=50 mean=50 burst=1 skew=1");
        assert_eq!(small.severity, Severity::Warning);
        assert!(
            small.consequence.starts_with("at peak 2.5 in flight allow 0 retries"),
            "{}",
            small.consequence
        );
    }
}
