//! `HR144 budget-counts-per-second`: the same percentage allows another number of retries elsewhere.

use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, Traffic, WholeCx};
use crate::engine::envoy::defaults;
use crate::engine::params::ParamId;
use crate::engine::read::config::{Dialect, ForeignPolicy, RateBudget};
use crate::engine::retry::backoff::BackOff;
use crate::engine::retry::budget;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::{Erlangs, Millis, Rate, Share, display};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR144",
        name: "budget-counts-per-second",
        severity: Severity::Info,
        summary: "this retry budget counts requests per second, Envoy's counts those in flight",
        rationale: "Linkerd and the Gateway API allow retries as a share of the requests of a time window and some per \
                    second on top. Envoy allows a share of what is in flight at the moment and a floor of retries at \
                    once. Which allows more depends on how long requests and retries take, so the number of one must \
                    not be copied to the other.",
        sources: &[
            "kubernetes-sigs/gateway-api#3488: retry budgets compared",
            "linkerd: ServiceProfile.spec.retryBudget; envoy: Thresholds.RetryBudget",
        ],
    },
    check: Check::Whole(check),
};

fn check(cx: &WholeCx<'_>) -> Vec<Finding> {
    cx.configuration.foreign.iter().filter_map(|policy| of_policy(cx, policy)).collect()
}

// There is no fix: the budget is right where it stands, the number must only not be carried over.
fn of_policy(cx: &WholeCx<'_>, policy: &ForeignPolicy) -> Option<Finding> {
    let budget = policy.retry_budget.as_ref()?;
    let share = budget.ratio.as_ref().map_or(defaults::BUDGET_PERCENT.share(), |r| r.value);
    let whose = if policy.origin.dialect == Dialect::Linkerd { "Linkerd" } else { "the Gateway API" };
    let at = budget.ratio.as_ref().map_or(&budget.block, |r| &r.at);
    let finding = RULE
        .meta
        .found(
            &["budget_percent"],
            at,
            format!(
                "{} in a budget of {whose} is a share of requests per second, not of requests in flight as in Envoy",
                display::share(share)
            ),
        )
        .help("convert it with the latency: retries per second × the seconds that a retry takes are those at once");
    Some(match cx.facts.traffic.as_deref() {
        Some(traffic) => finding.consequence(compared(traffic, budget, share)),
        None => finding
            .consequence(
                "the same percentage allows another number of retries, by how long requests and retries take",
            )
            .asks(ParamId::Rps),
    })
}

/// Retries per second by both rules, in one proxy.
fn compared(traffic: &Traffic, budget: &RateBudget, share: Share) -> String {
    let load = &traffic.sizing.load;
    let minimum = budget.minimum.as_ref().map_or(Rate(0.0), |m| m.value);
    let by_rate = load.client_rate.0 * share.0 + minimum.0;
    let base = defaults::RETRY_BASE_INTERVAL.0;
    let back_off = BackOff { base, max: base * defaults::RETRY_MAX_INTERVAL_BASES };
    let hold = back_off.mean(1) + traffic.sizing.latency.mean_ms;
    let at_once = allowed(share, load.offered);
    format!(
        "at {} it allows {} retries a second; Envoy's allows {} at once, about {} a second if each takes {}",
        display::rate(load.client_rate),
        display::number(by_rate),
        display::count(at_once),
        display::number(display::round_to(per_second(at_once, hold), 2)),
        display::millis(hold)
    )
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a load is finite and not negative"
)]
fn allowed(share: Share, offered: Erlangs) -> f64 {
    let in_flight = offered.0.round() as u64;
    budget::allowed(share.percent(), defaults::MIN_RETRY_CONCURRENCY, in_flight) as f64
}

fn per_second(at_once: f64, hold: Millis) -> f64 {
    at_once / hold.as_secs()
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    const PROFILE: &str = "apiVersion: linkerd.io/v1alpha2\nkind: ServiceProfile\nmetadata: {name: a}\nspec:\n  \
        retryBudget: {retryRatio: 0.2, minRetriesPerSecond: 10, ttl: 10s}\n";

    #[test]
    fn two_budgets_of_a_fifth() {
        // 0.2 × 1,000 + 10 = 210; 50 in flight allow 10 at once, 10 / 0.062 s = 161.
        let found = finding(&RULE, PROFILE, "rps=1000 mean=50 burst=1 skew=1 clients=1");
        assert!(found.message.starts_with("20% in a budget of Linkerd"), "{}", found.message);
        assert!(found.consequence.contains("allows 210 retries a second"), "{}", found.consequence);
        assert!(found.consequence.contains("allows 10 at once, about 160 a second"), "{}", found.consequence);
        assert_eq!(found.at.line(), 5);
    }

    #[test]
    fn the_gateway_api_counts_like_that_too() {
        let text = "apiVersion: gateway.networking.x-k8s.io/v1alpha1\nkind: XBackendTrafficPolicy\nmetadata: {name: a}\n\
            spec: {retryConstraint: {budget: {percent: 20, interval: 10s}, minRetryRate: {count: 100, interval: 10s}}}\n";
        let found = finding(&RULE, text, "rps=1000 mean=50 burst=1 skew=1 clients=1");
        assert!(found.message.starts_with("20% in a budget of the Gateway API"), "{}", found.message);
        assert!(found.consequence.contains("allows 210 retries a second"), "{}", found.consequence);
    }

    #[test]
    fn istio_s_becomes_envoy_s() {
        let text = "apiVersion: networking.istio.io/v1\nkind: DestinationRule\nmetadata: {name: r}\n\
            spec: {host: a, trafficPolicy: {retryBudget: {percent: 20}}}\n";
        assert!(!fires(&RULE, text, ""));
    }
}
