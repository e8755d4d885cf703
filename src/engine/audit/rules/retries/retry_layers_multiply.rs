//! `HR118 retry-layers-multiply`: several layers retry, and this one makes it worse than need be.

use crate::engine::audit::retrying::Retrying;
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, RouteCx, RouteView};
use crate::engine::read::effective::EffectiveRetryLimit;
use crate::engine::retry::{amplification, budget};
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR118",
        name: "retry-layers-multiply",
        severity: Severity::Warning,
        summary: "a route's attempts multiply with those of the other layers that retry",
        rationale: "A layer with four attempts below a layer with four makes sixteen. Each layer sees only its own \
                    retries, so no limit of one of them shows the product. A budget caps its own layer at 1 / (1 − b) \
                    in an outage; a layer without one is not capped at all.",
        sources: &[
            "our formula: (1 + num_retries) to the power of the layers that retry",
            "cilium/cilium#21814: client and proxy both retry; B. Beyer et al., Site Reliability Engineering, chapter 22",
        ],
    },
    check: Check::Route(check),
};

fn check(cx: &RouteCx<'_>) -> Vec<Finding> {
    of_route(cx).into_iter().collect()
}

fn of_route(cx: &RouteCx<'_>) -> Option<Finding> {
    let hops = cx.facts.retrying_hops.filter(|hops| *hops > 1)?;
    let retrying = cx.retrying().filter(|r| is_worst(cx, r.count()))?;
    let attempts = f64::from(retrying.count()) + 1.0;
    let at = retrying.policy.num_retries.place().unwrap_or_else(|| cx.retry_place());
    let each = display::count(attempts);
    let finding = RULE
        .meta
        .found(
            &["num_retries"],
            at,
            format!(
                "{} layers with {each} attempts each make up to {} of one request",
                display::words(hops),
                display::count(product(attempts, hops))
            ),
        )
        .consequence(consequence(cx, attempts, hops))
        .help("retry in one layer only, the one next to the hosts, and set `num_retries` to 0 in the others")
        .severity(severity(cx, retrying));
    Some(finding)
}

/// Routes that one is compared with: a thousand routes must not make a million comparisons.
const LOOKED_AT: usize = 64;

/// Whether no other route to the cluster retries more; of equals the first speaks.
fn is_worst(cx: &RouteCx<'_>, count: u32) -> bool {
    let Some(cluster) = cx.cluster else { return true };
    let of = |route: &RouteView<'_>| cluster.retry_policy(route).map_or(0, Retrying::count);
    let none_worse =
        |route: &RouteView<'_>| of(route) < count || of(route) == count && route.index >= cx.index;
    cluster.routes.iter().take(LOOKED_AT).all(none_worse)
}

fn product(attempts: f64, hops: u32) -> f64 {
    amplification::over_hops(&vec![attempts; usize::try_from(hops).unwrap_or(1)])
}

/// What the scenario asks for is no error of the text.
fn severity(cx: &RouteCx<'_>, retrying: Retrying<'_>) -> Severity {
    let recommended = cx.traffic().map(|t| t.sizing.retry.num_retries);
    let as_recommended = recommended.is_some_and(|n| retrying.count() <= n) && budget_cap(cx).is_some();
    if as_recommended { Severity::Info } else { Severity::Warning }
}

/// Attempts that the budget of this layer lets through in an outage of a busy proxy.
fn budget_cap(cx: &RouteCx<'_>) -> Option<f64> {
    let limits = cx.cluster?.effective.limits(cx.effective.priority.value);
    match &limits.retry_limit {
        EffectiveRetryLimit::Budget(b) => Some(1.0 + budget::overhead_of_percent(b.budget_percent.value)),
        EffectiveRetryLimit::MaxRetries(_) => None,
    }
}

fn consequence(cx: &RouteCx<'_>, attempts: f64, hops: u32) -> String {
    let worst = format!(
        "in an outage that every layer retries the hosts see up to {} times the requests",
        display::number(product(attempts, hops))
    );
    match budget_cap(cx).filter(|cap| *cap < attempts) {
        Some(cap) => {
            format!("{worst}; with this budget in every layer, {} times", display::number(product(cap, hops)))
        }
        None => format!("{worst}; no budget caps this layer"),
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn shop(limit: &str) -> String {
        format!(
            "clusters:\n- name: shop\n  circuit_breakers: {{thresholds: [{{{limit}}}]}}\nroutes:\n\
             - match: {{prefix: /}}\n  route:\n    cluster: shop\n    retry_policy: {{retry_on: 5xx, num_retries: 3}}\n"
        )
    }

    #[test]
    fn two_layers_of_four_make_sixteen() {
        let found = finding(&RULE, &shop(""), "retrying_hops=2");
        assert_eq!(found.message, "two layers with 4 attempts each make up to 16 of one request");
        assert!(found.consequence.ends_with("no budget caps this layer"), "{}", found.consequence);
        assert!(!fires(&RULE, &shop(""), "retrying_hops=1"));
        assert!(!fires(&RULE, &shop(""), ""));
    }

    #[test]
    fn a_budget_caps_its_layer() {
        // 1.25 squared.
        let found = finding(&RULE, &shop("retry_budget: {}"), "retrying_hops=2");
        assert!(
            found.consequence.ends_with("with this budget in every layer, 1.56 times"),
            "{}",
            found.consequence
        );
    }
}
