//! `HR121 mesh-retries-inherited`: a route without a retries block retries all the same.

use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, Fix, RouteCx, Setting, Value};
use crate::engine::read::config::RouteConfig;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::scenario::EnvoyVersion;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR121",
        name: "mesh-retries-inherited",
        severity: Severity::Warning,
        summary: "a route without a retries block inherits the retries of the mesh",
        rationale: "In Istio an absent retries block is not off: the mesh's default of two retries applies, on \
                    connect-failure and refused-stream, which are safe, and on the gRPC statuses unavailable and \
                    cancelled, which a service may send after it has acted. Until mid-2024 any 503 was retried too. \
                    Only attempts: 0 is off.",
        sources: &[
            "istio: default retry policy; VirtualService HTTPRetry.attempts",
            "istio/istio#50506: a payout sent twice; istio/istio#17145: a POST rule that inherits retries",
        ],
    },
    check: Check::Route(check),
};

/// About the first Envoy under an Istio that does not retry 503 by default (fix 50506 of mid-2024).
const WITHOUT_503: EnvoyVersion = EnvoyVersion::minor(32);

fn check(cx: &RouteCx<'_>) -> Vec<Finding> {
    of_route(cx).into_iter().collect()
}

fn of_route(cx: &RouteCx<'_>) -> Option<Finding> {
    let retrying = cx.retrying().filter(|r| r.written.is_none() && r.policy.num_retries.is_default())?;
    if cx.repeatable() == Some(true) || !is_worth_a_word(cx) {
        return None;
    }
    let retries = retrying.count();
    let attempts = retries.saturating_add(1);
    let by_503 = cx.facts.envoy_version < WITHOUT_503;
    let by_grpc = cx.is_grpc();
    let known = cx.facts.idempotent == Some(false);
    let of_methods =
        if cx.methods().is_empty() { String::new() } else { format!(" for {}", cx.methods().join(", ")) };
    let finding = RULE
        .meta
        .found(
            &["num_retries", "retry_on"],
            &cx.config.origin.block,
            format!("no retries block{of_methods}: the mesh's default of {retries} retries applies, not none"),
        )
        .consequence(format!(
            "up to 1 + {retries} = {attempts} executions of a request, on {}; connect-failure and refused-stream never \
             reached the service{}",
            retrying.words().join(", "),
            if by_503 { "; this release also retries any 503" } else { "; before mid-2024 any 503 was retried too" }
        ))
        .help("write attempts: 0 where a request must not run twice, or list connect-failure,refused-stream only")
        .severity(if known && (by_grpc || by_503) { Severity::Warning } else { Severity::Info })
        .fix(Fix::set(format!("attempts {retries} → 0"), Setting::NumRetries, Value::Count(0)));
    Some(finding)
}

/// Every route of a mesh has the default; it is worth a word where somebody has said that repeating
/// is not safe, where the methods say it, or where a rule beside it sets retries and this one does not.
fn is_worth_a_word(cx: &RouteCx<'_>) -> bool {
    let sibling = |route: &RouteConfig| {
        route.retry_policy.is_some()
            && route.origin.dialect == cx.dialect()
            && route.virtual_host.as_ref().map(|h| &h.value)
                == cx.config.virtual_host.as_ref().map(|h| &h.value)
    };
    cx.facts.idempotent == Some(false)
        || !cx.methods().is_empty()
        || cx.config.virtual_host.is_some() && cx.configuration.routes.iter().any(sibling)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};
    use crate::engine::rules::Severity;

    fn service(http: &str) -> String {
        format!(
            "apiVersion: networking.istio.io/v1\nkind: VirtualService\nmetadata: {{name: a}}\nspec:\n  hosts: [a]\n  \
             http:\n{http}"
        )
    }

    const TO_A: &str = "    route: [{destination: {host: a}}]\n";

    #[test]
    fn the_rule_beside_one_with_retries_has_two_of_its_own() {
        let get = "  - match: [{method: {exact: GET}}]\n    retries: {attempts: 5, perTryTimeout: 1s}\n";
        let found = finding(&RULE, &service(&format!("{get}{TO_A}  -\n{TO_A}")), "");
        assert_eq!(found.severity, Severity::Info);
        assert!(found.message.contains("default of 2 retries"), "{}", found.message);
        assert!(found.consequence.contains("1 + 2 = 3 executions"), "{}", found.consequence);
        assert!(found.consequence.contains("connect-failure, refused-stream, unavailable, cancelled;"));
    }

    #[test]
    fn worse_for_grpc_and_for_old_releases() {
        let text = service(&format!("  -\n{TO_A}"));
        let severity = |inputs: &str| finding(&RULE, &text, inputs).severity;
        assert_eq!(severity("idempotent=false"), Severity::Info);
        assert_eq!(severity("idempotent=false protocol=grpc"), Severity::Warning);
        assert_eq!(severity("idempotent=false envoy_version=1.31"), Severity::Warning);
        assert_eq!(severity("idempotent=false envoy_version=1.32"), Severity::Info);
    }

    #[test]
    fn silent_where_nobody_could_mind() {
        let text = service(&format!("  -\n{TO_A}"));
        assert!(!fires(&RULE, &text, ""));
        assert!(!fires(&RULE, &text, "idempotent=true"));
        assert!(!fires(
            &RULE,
            &service(&format!("  - retries: {{attempts: 0}}\n{TO_A}")),
            "idempotent=false"
        ));
        let get = service(&format!("  - match: [{{method: {{exact: GET}}}}]\n{TO_A}"));
        assert!(!fires(&RULE, &get, "idempotent=false"));
    }
}
