//! `HR103 retry-limit-without-budget`: `max_retries` is so large that it limits nothing.

use crate::engine::audit::retrying::{NO_LIMIT, Retried};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding};
use crate::engine::envoy::defaults;
use crate::engine::params::ParamId;
use crate::engine::read::effective::Effective;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR103",
        name: "retry-limit-without-budget",
        severity: Severity::Warning,
        summary: "`max_retries` is large and no budget holds the retries to the traffic",
        rationale: "In an outage every attempt fails and every request is retried as often as it may, just when the \
                    hosts can bear it least. A fixed number does not shrink with the traffic and counts in each \
                    process, so a fleet allows it many times over. A budget lets retries be a share of what is in \
                    flight, whatever the fleet.",
        sources: &[
            "envoy: config.cluster.v3.CircuitBreakers.Thresholds.max_retries, retry_budget",
            "B. Beyer et al., Site Reliability Engineering (2016), chapter 22: per-client retry budgets",
        ],
    },
    check: Check::Cluster(check),
};

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    cx.retried().iter().filter_map(of_priority).collect()
}

fn of_priority(r: &Retried<'_>) -> Option<Finding> {
    let limit = r.max_retries()?;
    // The default of 3 and the absence of a limit have rules of their own.
    if limit.value == NO_LIMIT || limit.is_default() && limit.value == defaults::MAX_RETRIES {
        return None;
    }
    let finding = if r.known().is_some() {
        r.adds_too_much().then(|| against_traffic(r, limit))
    } else {
        let slots = r.limits.max_requests.value;
        let written_or_used = !limit.is_default() || r.retries.is_some();
        (written_or_used && limit.value > defaults::MAX_RETRIES && limit.value >= slots)
            .then(|| against_slots(r, limit))
    }?;
    Some(finding.help(r.recommendation()).maybe_fix(r.fix()))
}

fn found(r: &Retried<'_>, limit: &Effective<u32>) -> Finding {
    let default = if limit.is_default() { ", a default," } else { "" };
    let message =
        format!("`max_retries` {}{default} has no budget behind it", display::count(limit.value.into()));
    RULE.meta.found(&["max_retries", "retry_budget"], r.limit_place(), message)
}

fn against_traffic(r: &Retried<'_>, limit: &Effective<u32>) -> Finding {
    let worst = r.attempts_in_outage().map_or(String::new(), |attempts| {
        format!("; worst case ×{} in an outage", display::number(attempts))
    });
    let times = r.times_proxies();
    found(r, limit).consequence(format!(
        "{} allows {} at once, against {} requests in flight at peak{worst}",
        if times.is_empty() { "it" } else { times.trim_start() },
        display::plural(r.fleet_allows(limit.value), "retry", "retries"),
        display::number(r.fleet_in_flight().unwrap_or_default()),
    ))
}

/// What follows from the text alone: retries may fill every slot that requests have.
fn against_slots(r: &Retried<'_>, limit: &Effective<u32>) -> Finding {
    let slots = &r.limits.max_requests;
    let worst = r.retries.map_or(String::new(), |n| {
        format!("; in an outage a request costs up to {} attempts", display::count(f64::from(n) + 1.0))
    });
    let finding = found(r, limit)
        .consequence(format!(
            "it is no less than the {} requests that `max_requests` allows, so retries may fill every slot{worst}",
            display::count(slots.value.into())
        ))
        .severity(Severity::Info)
        .asks(ParamId::Rps);
    match slots.place() {
        Some(at) => finding.related("the slots", at),
        None => finding,
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn checkout(limits: &str) -> String {
        format!(
            "clusters:\n- name: checkout\n  circuit_breakers: {{thresholds: [{{{limits}}}]}}\nroutes:\n\
             - match: {{prefix: /}}\n  route:\n    cluster: checkout\n    \
             retry_policy: {{retry_on: 5xx, num_retries: 3}}\n"
        )
    }

    const MOCK: &str = "rps=500 p50=35 p99=110 clients=100 hosts=10 host_concurrency=64 protocol=http2";

    #[test]
    fn a_hundred_proxies_allow_ten_thousand() {
        let found = finding(&RULE, &checkout("max_retries: 100"), MOCK);
        assert_eq!(found.message, "`max_retries` 100 has no budget behind it");
        assert_eq!(
            found.consequence,
            "× 100 proxies allows 10,000 retries at once, against 29.6 requests in flight at peak; worst case ×4 in an outage"
        );
        let fix = found.fix.expect("a budget");
        assert_eq!((fix.label.as_str(), fix.changes.len()), ("Add a budget", 3));
    }

    #[test]
    fn fires_above_what_the_extra_load_allows() {
        // 100 requests in flight and 25% on top: 25 retries.
        let one = "rps=1000 mean=100 burst=1 skew=1 clients=1";
        assert!(!fires(&RULE, &checkout("max_retries: 25"), one));
        assert!(fires(&RULE, &checkout("max_retries: 26"), one));
    }

    #[test]
    fn without_traffic_it_looks_at_the_slots() {
        let found = finding(&RULE, &checkout("max_requests: 100, max_retries: 100"), "");
        assert!(
            found.consequence.contains("the 100 requests that `max_requests` allows"),
            "{}",
            found.consequence
        );
        assert!(found.consequence.ends_with("up to 4 attempts"), "{}", found.consequence);
        assert!(!fires(&RULE, &checkout("max_requests: 100, max_retries: 99"), ""));
    }

    #[test]
    fn the_default_of_envoy_gateway_counts() {
        let text = "apiVersion: gateway.envoyproxy.io/v1alpha1\nkind: BackendTrafficPolicy\nmetadata: {name: a}\n\
                    spec: {targetRefs: [{kind: HTTPRoute, name: a}], retry: {numRetries: 4}}\n";
        let found = finding(&RULE, text, "");
        assert!(
            found.message.starts_with("`max_retries` 1,024, a default, has no budget"),
            "{}",
            found.message
        );
        assert!(!fires(&RULE, &text.replace("retry: {numRetries: 4}", "{}"), ""));
    }

    #[test]
    fn silent_with_a_budget() {
        assert!(!fires(&RULE, &checkout("max_retries: 100, retry_budget: {}"), MOCK));
    }
}
