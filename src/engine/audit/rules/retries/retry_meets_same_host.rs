//! `HR135 retry-meets-same-host`: nothing keeps a retry from the host that has just failed.

use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, Fix, RouteCx, Setting, Value};
use crate::engine::read::config::Dialect;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::{Share, display};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR135",
        name: "retry-meets-same-host",
        severity: Severity::Warning,
        summary: "nothing keeps a retry from the host that has just failed",
        rationale: "A retry picks its host anew. Without the predicate previous_hosts it may be the one that failed: \
                    with few hosts often, with a consistent hash nearly always. Round robin moves on, but shared by all \
                    requests of a worker, not by the attempts of one.",
        sources: &[
            "envoy: config.route.v3.RetryPolicy.retry_host_predicate; measured on 1.40: 6 of 6 retries changed the host",
        ],
    },
    check: Check::Route(check),
};

/// Our choice: from one retry in ten on it is more than worth knowing.
const OFTEN: Share = Share(0.1);

fn check(cx: &RouteCx<'_>) -> Vec<Finding> {
    of_route(cx).into_iter().collect()
}

fn of_route(cx: &RouteCx<'_>) -> Option<Finding> {
    let retrying = cx.retrying()?;
    let hosts = cx.facts.hosts.filter(|hosts| *hosts > 1)?;
    if retrying.policy.previous_hosts.value || !can_avoid(cx.dialect()) || cx.config.origin.patch.is_some() {
        return None;
    }
    let hashed = is_hashed(cx);
    let share = Share(1.0 / f64::from(hosts));
    let at = retrying.policy.previous_hosts.place().unwrap_or_else(|| cx.retry_place());
    let consequence = if hashed {
        "the hash leads every retry to the host that has just failed".to_owned()
    } else {
        format!("picked at random, {} of retries meet the host that has just failed", display::share(share))
    };
    let finding = RULE
        .meta
        .found(
            &["retry_host_predicate", "host_selection_retry_max_attempts"],
            at,
            format!(
                "retries may go to the same one of {} hosts: no `retry_host_predicate`",
                display::count(hosts.into())
            ),
        )
        .consequence(consequence)
        .help("add the predicate `previous_hosts` with 3 picks in `host_selection_retry_max_attempts`")
        .severity(if hashed || share >= OFTEN { Severity::Warning } else { Severity::Info })
        .fix(Fix::set("Avoid hosts already tried", Setting::PreviousHosts, Value::Flag(true)));
    Some(finding)
}

/// Whether the program has a field for it.
fn can_avoid(dialect: Dialect) -> bool {
    matches!(dialect, Dialect::Envoy | Dialect::Cilium | Dialect::Istio | Dialect::Kuma)
}

fn is_hashed(cx: &RouteCx<'_>) -> bool {
    let policy = cx.cluster.and_then(|c| c.config.lb_policy.as_ref());
    policy.is_some_and(|p| matches!(p.value.to_ascii_uppercase().as_str(), "RING_HASH" | "MAGLEV"))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};
    use crate::engine::rules::Severity;

    fn shop(cluster: &str, policy: &str) -> String {
        format!(
            "clusters: [{{name: shop, connect_timeout: 1s{cluster}}}]\nroutes:\n- match: {{prefix: /}}\n  route:\n    cluster: shop\n    \
             retry_policy: {{retry_on: reset{policy}}}\n"
        )
    }

    #[test]
    fn one_retry_in_three_meets_the_same_of_three_hosts() {
        let found = finding(&RULE, &shop("", ""), "hosts=3");
        assert!(found.consequence.contains("33% of retries"), "{}", found.consequence);
        assert_eq!(found.severity, Severity::Warning);
        assert_eq!(finding(&RULE, &shop("", ""), "hosts=10").severity, Severity::Warning);
        assert_eq!(finding(&RULE, &shop("", ""), "hosts=11").severity, Severity::Info);
    }

    #[test]
    fn a_hash_picks_the_same_of_a_hundred() {
        let found = finding(&RULE, &shop(", lb_policy: RING_HASH", ""), "hosts=100");
        assert_eq!(found.severity, Severity::Warning);
    }

    #[test]
    fn silent_with_the_predicate_with_one_host_and_where_nobody_knows() {
        let avoids = ", retry_host_predicate: [{name: envoy.retry_host_predicates.previous_hosts}]";
        assert!(!fires(&RULE, &shop("", avoids), "hosts=3"));
        assert!(!fires(&RULE, &shop("", ""), "hosts=1"));
        assert!(!fires(&RULE, &shop("", ""), ""));
    }
}
