//! `HR148 stream-inherits-retries`: a route for streams retries and hedges as its virtual host does.

use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, RouteCx};
use crate::engine::read::config::PolicyScope;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR148",
        name: "stream-inherits-retries",
        severity: Severity::Warning,
        summary: "a route without a timeout inherits retries that were meant for short requests",
        rationale: "A route timeout of 0 is for streams and long polls. The retry and hedge policies of the virtual host \
                    hold there too unless the route has its own: a per-try timeout of some milliseconds then cuts \
                    streams that answer late, and a hedge starts the same stream several times.",
        sources: &["envoy: config.route.v3.VirtualHost.retry_policy, hedge_policy; RouteAction.timeout"],
    },
    check: Check::Route(check),
};

fn check(cx: &RouteCx<'_>) -> Vec<Finding> {
    of_route(cx).into_iter().collect()
}

// There is no fix: a setting that is changed where it stands changes for the other routes too.
fn of_route(cx: &RouteCx<'_>) -> Option<Finding> {
    let timeout = cx.config.timeout.as_ref().filter(|t| t.value.0 <= 0.0)?;
    let retrying = cx.retrying()?;
    let written = retrying.written.filter(|p| p.scope == PolicyScope::VirtualHost)?;
    let per_try = cx.effective.per_try_timeout()?;
    let hedges = cx.effective.hedge_on_per_try_timeout.value;
    let attempts = display::count(f64::from(retrying.count()) + 1.0);
    let consequence = if hedges {
        format!("a stream whose headers take longer is started up to {attempts} times, side by side")
    } else {
        format!("a stream whose headers take longer is cut, up to {attempts} times")
    };
    let finding = RULE
        .meta
        .found(
            &["timeout", "per_try_timeout", "num_retries", "hedge_on_per_try_timeout"],
            &timeout.at,
            format!(
                "`timeout` 0 is for streams, and the route inherits `per_try_timeout` {} with {}{}",
                display::millis(per_try),
                display::plural(f64::from(retrying.count()), "retry", "retries"),
                if hedges { " and hedging" } else { "" }
            ),
        )
        .consequence(consequence)
        .help("give the route a retry policy of its own with `num_retries` 0, and no hedging")
        .related("what it inherits", &written.block);
    Some(finding)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn host(timeout: &str, of_route: &str) -> String {
        format!(
            "virtual_hosts:\n- name: v\n  domains: [\"*\"]\n  retry_policy: {{retry_on: reset, num_retries: 2, \
             per_try_timeout: 0.08s}}\n  hedge_policy: {{hedge_on_per_try_timeout: true}}\n  routes:\n  - match: {{prefix: /}}\n    \
             route: {{cluster: shop, timeout: {timeout}{of_route}}}\n"
        )
    }

    #[test]
    fn a_stream_is_started_three_times() {
        let found = finding(&RULE, &host("0s", ""), "");
        assert_eq!(
            found.message,
            "`timeout` 0 is for streams, and the route inherits `per_try_timeout` 80\u{a0}ms with 2 retries and hedging"
        );
        assert!(found.consequence.contains("up to 3 times, side by side"), "{}", found.consequence);
    }

    #[test]
    fn silent_with_a_timeout_or_a_policy_of_its_own() {
        assert!(!fires(&RULE, &host("0.2s", ""), ""));
        assert!(!fires(&RULE, &host("0s", ", retry_policy: {retry_on: reset, per_try_timeout: 1s}"), ""));
    }
}
