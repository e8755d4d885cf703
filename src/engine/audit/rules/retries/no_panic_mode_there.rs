//! `HR145 no-panic-mode-there`: a breaker of another data plane, to which Envoy's panic does not apply.

use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, WholeCx};
use crate::engine::read::config::Dialect;
use crate::engine::rules::{RuleMeta, Severity};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR145",
        name: "no-panic-mode-there",
        severity: Severity::Info,
        summary: "this breaker is Linkerd's, which sends nothing once all endpoints are out",
        rationale: "Linkerd's proxy is not Envoy. When its failure accrual has taken every endpoint of a service out, the \
                    balancer fails fast: requests that wait end with 504 after some seconds and new ones at once. \
                    Envoy would send to all hosts again as soon as fewer than its panic threshold are healthy.",
        sources: &[
            "linkerd/linkerd2#11493: breakers open on every endpoint",
            "envoy: common_lb_config.healthy_panic_threshold, for comparison",
        ],
    },
    check: Check::Whole(check),
};

// There is no fix: the annotation does what it says.
fn check(cx: &WholeCx<'_>) -> Vec<Finding> {
    let of_linkerd = cx.configuration.foreign.iter().filter(|p| p.origin.dialect == Dialect::Linkerd);
    of_linkerd.filter_map(|policy| policy.breaker.as_ref()).map(found).collect()
}

fn found(at: &crate::engine::read::Place) -> Finding {
    RULE.meta
        .found(
            &["healthy_panic_threshold"],
            at,
            "Linkerd has no panic mode: with 0 usable endpoints it fails fast and sends to none",
        )
        .consequence(
            "requests that wait end with 504 after some seconds, new ones at once; an Envoy in panic sends to 100% of its hosts",
        )
        .help("take advice on panic thresholds for Envoy only, and leave Linkerd enough endpoints that one can go")
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn service(annotation: &str) -> String {
        format!(
            "apiVersion: v1\nkind: Service\nmetadata: {{name: a, annotations: {{{annotation}}}}}\nspec: {{}}\n"
        )
    }

    #[test]
    fn says_whose_breaker_it_is() {
        let found = finding(&RULE, &service("balancer.linkerd.io/failure-accrual: consecutive"), "");
        assert!(found.message.contains("0 usable endpoints"), "{}", found.message);
        assert!(!fires(&RULE, &service("linkerd.io/inject: enabled"), ""));
    }
}
