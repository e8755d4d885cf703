//! `HR105 retry-floors-add-up`: the floors of all proxies together outweigh the budget.

use super::{Context, Finding, Fix, Rule, RuleMeta, Severity};
use crate::engine::params::ParamId;
use crate::engine::phrases;
use crate::engine::units::display;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR105",
        name: "retry-floors-add-up",
        severity: Severity::Warning,
        summary: "the retry floors of the fleet together outweigh the retry budget",
        rationale: "A budget truncates: 20% of 0.36 requests in flight is no retry at all, so in a small proxy \
                    `min_retry_concurrency` rules, not the percentage. It cannot be lower than one while \
                    retries are on, and every proxy has its own. In an outage all of them are used at once.",
        sources: &[
            "envoy: config.cluster.v3.CircuitBreakers.Thresholds.RetryBudget.min_retry_concurrency",
            "our rule: floors stay within retry_overhead of the fleet's peak",
        ],
    },
    check,
};

fn check(cx: &Context<'_>) -> Vec<Finding> {
    let s = cx.scenario;
    let floors = fleet_floors(cx);
    let peak = cx.sizing.load.fleet_concurrency_at_peak.0;
    if cx.sizing.retry.num_retries == 0 || s.clients == 1 || floors <= s.retry_overhead * peak {
        return Vec::new();
    }
    let message = format!(
        "retry floors outweigh the {} budget: {} may have {} outstanding, and the fleet has {} in flight at peak",
        display::share(cx.sizing.default_priority().threshold.retry_budget.budget_percent.share()),
        phrases::proxies(s.clients),
        display::plural(floors, "retry", "retries"),
        display::number(peak),
    );
    let finding = RULE
        .meta
        .finding(&["clients", "retry_overhead", "min_retry_concurrency"], message)
        .consequence(consequence(cx, floors, peak))
        .help("turn retries off where the proxies are this small, and retry in one layer with more traffic")
        .fix("Turn retries off", Fix::set(ParamId::RetryOverhead, 0.0));
    vec![finding]
}

fn fleet_floors(cx: &Context<'_>) -> f64 {
    let each = cx.sizing.priorities.iter().map(|p| f64::from(p.threshold.retry_budget.min_retry_concurrency));
    each.sum::<f64>() * f64::from(cx.scenario.clients)
}

/// Attempts in an outage, and whether the hosts survive what that keeps in flight.
fn consequence(cx: &Context<'_>, floors: f64, peak: f64) -> String {
    let s = cx.scenario;
    let extra = format!(
        "in an outage a request may cost {} attempts, not the {} asked",
        display::number(cx.sizing.retry.amplification_cap),
        display::number(1.0 + s.retry_overhead)
    );
    let hosts = match cx.sizing.forecast.hosts_survive {
        Some(survive) if peak + floors > survive => format!(
            "; floors and peak together are {}, more than the {} that {}",
            display::count(peak + floors),
            phrases::capacity(survive),
            phrases::hosts_survive(s.hosts_left())
        ),
        Some(survive) => {
            format!("; {} {}", phrases::hosts_survive(s.hosts_left()), phrases::capacity(survive))
        }
        None => String::new(),
    };
    format!("{extra}{hosts}")
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::rules::tests::{finding, fires};

    #[test]
    fn fires_at_24_proxies() {
        // 24 floors against a quarter of 94.1 in flight, 23.5.
        assert!(fires(&RULE, "clients=24"));
    }

    #[test]
    fn silent_at_23_proxies() {
        // 23 floors are within it.
        assert!(!fires(&RULE, "clients=23"));
    }

    #[test]
    fn silent_with_retries_off() {
        // No retry fits, so no floor is used.
        assert!(!fires(&RULE, "clients=24 idempotent=false deadline_ms=159"));
    }

    #[test]
    fn says_it_with_the_numbers() {
        assert_eq!(
            finding(&RULE, "clients=24").message,
            "retry floors outweigh the 20% budget: 24 proxies may have 24 retries outstanding, and the fleet has 94.1 in flight at peak"
        );
    }
}
