//! `HR137 single-host-retried`: every retry meets the one host that has just failed.

use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, RouteCx};
use crate::engine::read::config::Discovery;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR137",
        name: "single-host-retried",
        severity: Severity::Info,
        summary: "the cluster has one host, so a retry meets the one that has just failed",
        rationale: "A retry helps most because another host answers. With a single one it mends blips only: a connect \
                    that failed, a connection that was just closed. What the host answers with an error it mostly \
                    answers with an error again, and under load the retry is one more request for it.",
        sources: &["envoy: measured on 1.40: with one host previous_hosts takes it all the same"],
    },
    check: Check::Route(check),
};

fn check(cx: &RouteCx<'_>) -> Vec<Finding> {
    of_route(cx).into_iter().collect()
}

// There is no fix: a retry of what never reached the host may still be wanted.
fn of_route(cx: &RouteCx<'_>) -> Option<Finding> {
    let retrying = cx.retrying().filter(|_| cx.facts.hosts == Some(1))?;
    // One address of a load balancer stands for many hosts.
    let discovery = cx.cluster.and_then(|c| c.config.discovery.as_ref()).map(|d| d.value);
    let words = retrying.repeating_words();
    if discovery == Some(Discovery::LogicalDns) || words.is_empty() {
        return None;
    }
    let at = retrying.policy.num_retries.place().unwrap_or_else(|| cx.retry_place());
    let finding = RULE
        .meta
        .found(
            &["num_retries"],
            at,
            format!(
                "{} of a request can only meet the 1 host that has just failed",
                display::plural(f64::from(retrying.count()), "retry", "retries")
            ),
        )
        .consequence(format!(
            "what it failed on {} it mostly fails on again, and under load each is one more request for it",
            words.join(", ")
        ))
        .help("retry `connect-failure` and `refused-stream` only, or add a host");
    Some(finding)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn shop(discovery: &str, retry_on: &str) -> String {
        format!(
            "clusters: [{{name: shop, type: {discovery}}}]\nroutes:\n- match: {{prefix: /}}\n  route:\n    cluster: shop\n    \
             retry_policy: {{retry_on: {retry_on}, num_retries: 2}}\n"
        )
    }

    #[test]
    fn fires_with_one_host() {
        let found = finding(&RULE, &shop("STATIC", "5xx"), "hosts=1 hosts_lost=0");
        assert_eq!(found.message, "2 retries of a request can only meet the 1 host that has just failed");
        assert!(!fires(&RULE, &shop("STATIC", "5xx"), "hosts=2"));
    }

    #[test]
    fn silent_for_blips_and_load_balancers() {
        assert!(!fires(&RULE, &shop("STATIC", "connect-failure"), "hosts=1 hosts_lost=0"));
        assert!(!fires(&RULE, &shop("LOGICAL_DNS", "5xx"), "hosts=1 hosts_lost=0"));
    }
}
