//! `HR101 retry-limit-default`: retries are on, and the limit on them was never chosen.

use crate::engine::audit::retrying::Retried;
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding};
use crate::engine::envoy::defaults;
use crate::engine::params::ParamId;
use crate::engine::phrases;
use crate::engine::queueing::erlang_b;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::{Erlangs, display};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR101",
        name: "retry-limit-default",
        severity: Severity::Warning,
        summary: "retries are on, but the limit on them is Envoy's default of 3",
        rationale: "With neither `retry_budget` nor `max_retries` set, Envoy allows three retries at once in each \
                    process, those in back-off included. A busy proxy needs more as soon as a few of its requests \
                    fail; in a large fleet of small proxies three each are more than all traffic.",
        sources: &[
            "envoy: config.cluster.v3.CircuitBreakers.Thresholds.max_retries",
            "envoyproxy/gateway#2754, istio/istio#10566: retries refused during a rollout",
        ],
    },
    check: Check::Cluster(check),
};

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    cx.retried().iter().filter(|r| is_default(r)).filter_map(|r| of_priority(cx, r)).collect()
}

fn is_default(r: &Retried<'_>) -> bool {
    r.max_retries().is_some_and(|limit| limit.is_default() && limit.value == defaults::MAX_RETRIES)
}

fn of_priority(cx: &ClusterCx<'_>, r: &Retried<'_>) -> Option<Finding> {
    let (Some((_, sizing)), Some(need)) = (r.known(), r.need()) else { return unknown_load(r) };
    // A cluster that no route of the text leads to may not be used at all.
    if r.retries.is_none() && !cx.configuration.routes.is_empty() {
        return None;
    }
    let limit = u64::from(defaults::MAX_RETRIES);
    let finding = if need.at_once() > limit && u64::from(sizing.threshold.max_retries) > limit {
        too_low(cx, r)
    } else if r.adds_too_much() {
        too_high(r)
    } else {
        return None;
    };
    let severity = if r.retries.is_some() { Severity::Warning } else { Severity::Info };
    Some(finding.help(r.recommendation()).maybe_fix(r.fix()).severity(severity))
}

fn too_low(cx: &ClusterCx<'_>, r: &Retried<'_>) -> Finding {
    let (need, limit) = (r.need(), defaults::MAX_RETRIES);
    let (mean, most, product) =
        need.map_or((0.0, 0, String::new()), |n| (n.outstanding(), n.at_once(), n.product()));
    let amount = if mean > f64::from(limit) {
        format!("the {} retries outstanding at peak", display::number(mean))
    } else {
        format!("the {} retries that a peak can have outstanding", display::count(most as f64))
    };
    let refused = erlang_b::blocking(u64::from(limit), Erlangs(mean));
    let whose = cx.traffic().map_or("the proxy", |t| phrases::busiest_proxy(&t.scenario));
    RULE.meta
        .found(
            &["max_retries", "num_retries"],
            r.limit_place(),
            format!("`max_retries` {limit}, a default, is below {amount}"),
        )
        .consequence(format!(
            "{product} keeps {} retries outstanding in {whose}; {} of them are refused, and their callers get the first error",
            display::number(mean),
            phrases::refused(refused)
        ))
}

fn too_high(r: &Retried<'_>) -> Finding {
    let (limit, fleet) = (defaults::MAX_RETRIES, r.fleet_allows(defaults::MAX_RETRIES));
    let worst = match r.attempts_in_outage() {
        Some(attempts) => {
            format!("in an outage a request costs up to {} attempts", display::number(attempts))
        }
        None => "if its routes retry, an outage costs that many more".to_owned(),
    };
    RULE.meta
        .found(
            &["max_retries", "num_retries"],
            r.limit_place(),
            format!(
                "`max_retries` {limit}, a default,{} allows {} at once, against {} requests in flight at peak",
                r.times_proxies(),
                display::plural(fleet, "retry", "retries"),
                display::number(r.fleet_in_flight().unwrap_or_default())
            ),
        )
        .consequence(worst)
}

/// Without traffic the two numbers are told apart, and the rate is asked for.
fn unknown_load(r: &Retried<'_>) -> Option<Finding> {
    let limit = defaults::MAX_RETRIES;
    let finding = RULE
        .meta
        .found(
            &["max_retries", "num_retries"],
            r.limit_place(),
            format!(
                "`num_retries` is {} but `max_retries`, for all requests together, is the default {limit}",
                r.retries?
            ),
        )
        .consequence(format!(
            "when {} requests fail at the same moment, {limit} are retried and the next caller gets its first error",
            limit + 1
        ))
        .help(r.recommendation())
        .severity(Severity::Info)
        .asks(ParamId::Rps);
    Some(finding)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};
    use crate::engine::rules::Severity;

    fn shop(breakers: &str) -> String {
        format!(
            "clusters:\n- name: shop\n  connect_timeout: 1s\n{breakers}routes:\n- match: {{prefix: /}}\n  route:\n    cluster: shop\n    \
             retry_policy: {{retry_on: connect-failure, num_retries: 2}}\n"
        )
    }

    /// Envoy's default back-off waits 12 ms in the mean: with 48 ms a retry holds its slot for 60.
    const ROLLOUT: &str = "rps=2000 mean=48 burst=1 skew=1 clients=1 error_rate=0.1";

    #[test]
    fn a_rollout_needs_twelve() {
        // 2,000 × 0.10 × 0.060 = 12; Erlang B of 3 slots at 12 erlangs is 77%.
        let found = finding(&RULE, &shop(""), ROLLOUT);
        assert_eq!(found.message, "`max_retries` 3, a default, is below the 12 retries outstanding at peak");
        assert!(
            found.consequence.contains("2,000\u{a0}req/s × 10% failing × 60\u{a0}ms"),
            "{}",
            found.consequence
        );
        assert!(found.consequence.contains("77% of them are refused"), "{}", found.consequence);
        assert_eq!(found.fix.map(|f| f.label), Some("Add a budget".to_owned()));
    }

    #[test]
    fn fires_when_a_moment_in_a_thousand_needs_four_and_not_when_three_do() {
        // Poisson: P(X > 3) is 1.0e-3 at a mean of 0.4286, so 7.1 req/s fit and 7.3 do not.
        let with = |rps: &str| format!("rps={rps} mean=48 burst=1 skew=1 clients=1 error_rate=1");
        assert!(!fires(&RULE, &shop(""), &with("7.1")));
        // The recommendation must be higher than 3 too, or the trouble is the size of the fleet.
        let found = finding(&RULE, &shop(""), "rps=400 mean=48 burst=1 skew=1 clients=1 error_rate=0.018");
        assert!(
            found.message.contains("below the 4 retries that a peak can have outstanding"),
            "{}",
            found.message
        );
    }

    #[test]
    fn three_each_are_too_many_for_a_hundred_small_proxies() {
        let found = finding(&RULE, &shop(""), "rps=500 p50=35 p99=110 clients=100");
        assert_eq!(
            found.message,
            "`max_retries` 3, a default, × 100 proxies allows 300 retries at once, against 29.6 requests in flight at peak"
        );
        assert!(found.consequence.contains("up to 3 attempts"), "{}", found.consequence);
    }

    #[test]
    fn one_retry_for_each_host_does_no_harm() {
        // Three hosts: three retries of one proxy are one each, six of two are more.
        assert!(!fires(&RULE, &shop(""), "rps=10 mean=20 clients=1 hosts=3"));
        assert!(fires(&RULE, &shop(""), "rps=10 mean=20 clients=2 hosts=3"));
    }

    #[test]
    fn without_traffic_it_tells_the_two_numbers_apart() {
        let found = finding(&RULE, &shop(""), "");
        assert_eq!(found.severity, Severity::Info);
        assert!(found.consequence.starts_with("when 4 requests fail"), "{}", found.consequence);
    }

    #[test]
    fn silent_where_the_limit_is_chosen_or_retries_are_off() {
        assert!(!fires(&RULE, &shop("  circuit_breakers: {thresholds: [{max_retries: 3}]}\n"), ROLLOUT));
        assert!(!fires(&RULE, "name: shop\n", ""));
        assert!(!fires(&RULE, &shop("").replace("num_retries: 2", "num_retries: 0"), ROLLOUT));
    }

    #[test]
    fn silent_in_istio_and_envoy_gateway_whose_defaults_differ() {
        let istio = "apiVersion: networking.istio.io/v1\nkind: DestinationRule\nmetadata: {name: r}\nspec: {host: a}\n";
        assert!(!fires(&RULE, istio, ROLLOUT));
    }
}
