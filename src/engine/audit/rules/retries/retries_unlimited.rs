//! `HR112 retries-unlimited`: nothing limits the retries that are outstanding at once.

use crate::engine::audit::retrying::{NO_LIMIT, Retried};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding};
use crate::engine::params::ParamId;
use crate::engine::read::Place;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::{Share, display};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR112",
        name: "retries-unlimited",
        severity: Severity::Warning,
        summary: "no limit holds the retries that are outstanding at once",
        rationale: "Istio writes 4294967295 where nothing is set, and some write it by hand after retries were refused. \
                    In an outage every request then costs all its attempts, so the hosts get a multiple of the traffic \
                    just when they fail. Only a budget scales with the traffic and stops that.",
        sources: &[
            "istio: DestinationRule connectionPool.http.maxRetries defaults to 4294967295",
            "istio/istio#7665: 2^32-1 chosen after retries were refused",
        ],
    },
    check: Check::Cluster(check),
};

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    cx.retried().iter().filter_map(|r| of_priority(cx, r)).collect()
}

fn of_priority(cx: &ClusterCx<'_>, r: &Retried<'_>) -> Option<Finding> {
    let limit = r.max_retries().filter(|limit| limit.value == NO_LIMIT)?;
    let dead = dead_budget(cx, r);
    let with_traffic = r.known().is_some();
    // Two retries and no limit are what every service of an Istio mesh has; without traffic that is
    // worth a word only where somebody chose a part of it.
    let chosen =
        !limit.is_default() || dead.is_some() || cx.routes.iter().any(|r| r.config.retry_policy.is_some());
    if with_traffic && !r.adds_too_much() || !with_traffic && !chosen {
        return None;
    }
    let default = if limit.is_default() { ", a default," } else { "" };
    let finding = RULE
        .meta
        .found(
            &["max_retries", "retry_budget"],
            r.limit_place(),
            format!("`max_retries` {}{default} is no limit", display::count(limit.value.into())),
        )
        .consequence(consequence(r))
        .help(r.recommendation())
        .maybe_fix(r.fix());
    let finding = if with_traffic { finding } else { finding.asks(ParamId::Rps) };
    // What nobody chose comes after what somebody did.
    let finding = if with_traffic && chosen { finding } else { finding.severity(Severity::Info) };
    Some(match dead {
        Some(at) => finding.related("a budget in an entry that is never read", at),
        None => finding,
    })
}

/// A budget that somebody wrote into an entry after the one in force.
fn dead_budget<'c>(cx: &'c ClusterCx<'_>, r: &Retried<'_>) -> Option<&'c Place> {
    let of_priority = cx.config.dead_thresholds().filter(|t| t.for_priority() == r.priority);
    of_priority.filter_map(|t| t.retry_budget.as_ref()).map(|b| &b.block).next()
}

fn consequence(r: &Retried<'_>) -> String {
    let Some(retries) = r.retries else {
        return "in an outage every request costs all its attempts, 1 + `num_retries`".to_owned();
    };
    let worst =
        format!("in an outage every request costs 1 + {retries} = {} attempts", retries.saturating_add(1));
    match r.known() {
        Some((traffic, sizing)) => format!(
            "{worst}, {} a second from {} instead of {}, and retries were to add {}",
            display::number(sizing.client_rate.0 * (1.0 + f64::from(retries))),
            crate::engine::phrases::busiest_proxy(&traffic.scenario),
            display::number(sizing.client_rate.0),
            display::share(Share(traffic.scenario.retry_overhead))
        ),
        None => worst,
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};
    use crate::engine::rules::Severity;

    const RULE_OF_A: &str =
        "apiVersion: networking.istio.io/v1\nkind: DestinationRule\nmetadata: {name: r}\nspec: {host: a}\n";

    #[test]
    fn istio_s_two_retries_triple_the_traffic() {
        let inputs = "rps=100 mean=100 burst=1 skew=1 clients=1";
        let found = finding(&RULE, RULE_OF_A, inputs);
        // Nobody chose it.
        assert_eq!(found.severity, Severity::Info);
        let chosen = RULE_OF_A.replace(
            "{host: a}",
            "{host: a, trafficPolicy: {connectionPool: {http: {maxRetries: 4294967295}}}}",
        );
        assert_eq!(finding(&RULE, &chosen, inputs).severity, Severity::Warning);
        assert_eq!(found.message, "`max_retries` 4,294,967,295, a default, is no limit");
        assert_eq!(
            found.consequence,
            "in an outage every request costs 1 + 2 = 3 attempts, 300 a second from the proxy instead of 100, and retries were to add 25%"
        );
    }

    #[test]
    fn the_default_alone_is_no_finding_without_traffic() {
        assert!(!fires(&RULE, RULE_OF_A, ""));
        let written = "name: shop\ncircuit_breakers:\n  thresholds:\n  - max_retries: 4294967295\n";
        assert_eq!(finding(&RULE, written, "").severity, Severity::Info);
        assert!(!fires(&RULE, &written.replace("295", "294"), ""));
    }

    #[test]
    fn names_a_budget_that_is_never_read() {
        let text = include_str!("../../../../../tests/samples/y19-istio-envoyfilter-budget.yaml");
        let found = finding(&RULE, text, "");
        assert_eq!(found.related.len(), 1);
        assert_eq!(found.related[0].at.line(), 16);
    }
}
