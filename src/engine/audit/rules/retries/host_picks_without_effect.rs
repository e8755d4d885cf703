//! `HR136 host-picks-without-effect`: predicate and number of picks do nothing without each other.

use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, Fix, RouteCx, Setting, Value};
use crate::engine::rules::{RuleMeta, Severity};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR136",
        name: "host-picks-without-effect",
        severity: Severity::Warning,
        summary: "`host_selection_retry_max_attempts` or its predicate has no effect",
        rationale: "A predicate rejects a host that was picked, and `host_selection_retry_max_attempts` says how often \
                    Envoy picks again before it takes the last one after all. Below 1 it never picks again, which \
                    Envoy accepts without a word; without a predicate nothing is ever rejected.",
        sources: &[
            "envoy: config.route.v3.RetryPolicy.host_selection_retry_max_attempts; measured on 1.40: −1 is accepted",
        ],
    },
    check: Check::Route(check),
};

fn check(cx: &RouteCx<'_>) -> Vec<Finding> {
    of_route(cx).into_iter().collect()
}

fn of_route(cx: &RouteCx<'_>) -> Option<Finding> {
    let retrying = cx.retrying()?;
    let written = retrying.written?;
    let picks = written.host_selection_retry_max_attempts.as_ref()?;
    let rejects = retrying.policy.previous_hosts.value || !written.retry_host_predicate.is_empty();
    let n = picks.value;
    let (severity, message, consequence) = if rejects && n < 1 {
        (
            Severity::Warning,
            format!("`host_selection_retry_max_attempts` {n} never picks another host"),
            "the predicate rejects the host that failed, and Envoy takes it all the same",
        )
    } else if !rejects && n > 1 {
        (
            Severity::Info,
            format!("`host_selection_retry_max_attempts` {n} has no predicate that rejects a host"),
            "the first pick is always taken, be it the host that has just failed",
        )
    } else {
        return None;
    };
    let finding = RULE
        .meta
        .found(&["host_selection_retry_max_attempts", "retry_host_predicate"], &picks.at, message)
        .consequence(consequence)
        .help("use the predicate `previous_hosts` with 3 picks or more")
        .severity(severity)
        .fix(Fix::set("Avoid hosts already tried", Setting::PreviousHosts, Value::Flag(true)));
    Some(finding)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    const PREDICATE: &str = ", retry_host_predicate: [{name: envoy.retry_host_predicates.previous_hosts}]";

    fn route(picks: i32, predicate: &str) -> String {
        format!(
            "match: {{prefix: /}}\nroute:\n  cluster: shop\n  retry_policy: {{retry_on: reset, \
             host_selection_retry_max_attempts: {picks}{predicate}}}\n"
        )
    }

    #[test]
    fn less_than_one_pick_makes_the_predicate_idle() {
        assert!(finding(&RULE, &route(-1, PREDICATE), "").message.contains("-1 never picks another host"));
        assert!(fires(&RULE, &route(0, PREDICATE), ""));
        assert!(!fires(&RULE, &route(1, PREDICATE), ""));
    }

    #[test]
    fn picks_without_a_predicate_are_idle_too() {
        assert!(finding(&RULE, &route(3, ""), "").message.contains("3 has no predicate"));
        assert!(!fires(&RULE, &route(1, ""), ""));
    }
}
