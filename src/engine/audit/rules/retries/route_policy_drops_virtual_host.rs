//! `HR126 route-policy-drops-virtual-host`: a route's retry policy drops what its virtual host sets.

use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, RouteCx};
use crate::engine::read::config::RetryPolicy;
use crate::engine::rules::{RuleMeta, Severity};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR126",
        name: "route-policy-drops-virtual-host",
        severity: Severity::Info,
        summary: "a route's retry policy replaces that of its virtual host whole",
        rationale: "Envoy does not merge retry policies: the one of the route is taken as it stands, with Envoy's \
                    defaults for what it leaves out. Per-try timeout, back-off, host predicates and the number of \
                    retries of the virtual host then do not hold for that route.",
        sources: &["envoy: config.route.v3.VirtualHost.retry_policy; measured on 1.40"],
    },
    check: Check::Route(check),
};

fn check(cx: &RouteCx<'_>) -> Vec<Finding> {
    of_route(cx).into_iter().collect()
}

fn of_route(cx: &RouteCx<'_>) -> Option<Finding> {
    let (own, replaced) = (cx.config.retry_policy.as_ref()?, cx.config.replaced_retry_policy.as_ref()?);
    // A policy that retries nothing has a rule of its own; one that is off means to be.
    let retries = cx.retrying()?.count();
    let dropped = dropped(own, replaced);
    if dropped.is_empty() {
        return None;
    }
    let finding = RULE
        .meta
        .found(
            &["retry_policy"],
            &own.block,
            format!("the route's policy drops {} of its virtual host: {}", dropped.len(), dropped.join(", ")),
        )
        .consequence(format!(
            "policies are not merged: the route makes up to {retries} {} with Envoy's defaults for the rest",
            if retries == 1 { "retry" } else { "retries" }
        ))
        .help("repeat in the route what is to hold there")
        .related("replaced whole", &replaced.block);
    Some(finding)
}

/// Settings of the virtual host that the route does not repeat; its conditions are its own business.
fn dropped(own: &RetryPolicy, replaced: &RetryPolicy) -> Vec<&'static str> {
    let hosts = |p: &RetryPolicy| !p.retry_host_predicate.is_empty();
    [
        ("`num_retries`", own.num_retries.is_some(), replaced.num_retries.is_some()),
        ("`per_try_timeout`", own.per_try_timeout.is_some(), replaced.per_try_timeout.is_some()),
        (
            "`per_try_idle_timeout`",
            own.per_try_idle_timeout.is_some(),
            replaced.per_try_idle_timeout.is_some(),
        ),
        ("`retry_back_off`", own.retry_back_off.is_some(), replaced.retry_back_off.is_some()),
        (
            "`rate_limited_retry_back_off`",
            own.rate_limited_retry_back_off.is_some(),
            replaced.rate_limited_retry_back_off.is_some(),
        ),
        ("`retry_host_predicate`", hosts(own), hosts(replaced)),
    ]
    .into_iter()
    .filter(|(_, own, replaced)| *replaced && !*own)
    .map(|(name, _, _)| name)
    .collect()
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn host(of_route: &str) -> String {
        format!(
            "virtual_hosts:\n- name: v\n  domains: [\"*\"]\n  retry_policy: {{retry_on: reset, num_retries: 2, \
             per_try_timeout: 0.1s}}\n  routes:\n  - match: {{prefix: /}}\n    route: {{cluster: shop{of_route}}}\n"
        )
    }

    #[test]
    fn lists_what_the_route_does_not_repeat() {
        let found = finding(&RULE, &host(", retry_policy: {retry_on: connect-failure}"), "");
        assert_eq!(
            found.message,
            "the route's policy drops 2 of its virtual host: `num_retries`, `per_try_timeout`"
        );
        assert!(found.consequence.contains("up to 1 retry"), "{}", found.consequence);
    }

    #[test]
    fn silent_where_all_is_repeated_inherited_or_off() {
        let all = ", retry_policy: {retry_on: reset, num_retries: 1, per_try_timeout: 1s}";
        assert!(!fires(&RULE, &host(all), ""));
        assert!(!fires(&RULE, &host(""), ""));
        assert!(!fires(&RULE, &host(", retry_policy: {num_retries: 0}"), ""));
    }
}
