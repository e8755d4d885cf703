//! `HR228 outbound-outlives-inbound`: a service waits longer for others than its callers wait for it.

use crate::engine::audit::clocks::words;
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding, RouteCx, WholeCx};
use crate::engine::read::config::Dialect;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR228",
        name: "outbound-outlives-inbound",
        severity: Severity::Info,
        summary: "a sidecar lets calls of its service outlive the requests they are made for",
        rationale: "A service that makes calls while it serves a request must get their answers, or their failure, \
                    before its own time is over. Where the outbound timeout is not below the inbound one, a stalled \
                    dependency turns into a timeout of the service itself, without the error that would name it. \
                    Calls that belong to no request are not concerned.",
        sources: &["our rule: what is inside ends before what is around it"],
    },
    check: Check::Whole(check),
};

fn check(cx: &WholeCx<'_>) -> Vec<Finding> {
    let routes = cx.clusters.iter().flat_map(ClusterCx::route_cxs).filter(is_of_sidecar);
    let (inbound, outbound): (Vec<_>, Vec<_>) = routes.partition(RouteCx::is_inbound);
    outbound.iter().filter_map(|route| of_route(route, &inbound)).collect()
}

/// In one text both ends of a sidecar are only told apart by connection managers.
fn is_of_sidecar(route: &RouteCx<'_>) -> bool {
    route.dialect() == Dialect::Envoy
        && route.config.manager.is_some()
        && route.carries_requests()
        && !route.carries_streams()
}

fn of_route(out: &RouteCx<'_>, inbound: &[RouteCx<'_>]) -> Option<Finding> {
    let timeout = &out.effective.timeout;
    let at = timeout.place().filter(|_| timeout.value.0 > 0.0)?;
    let same_proxy = |inbound: &&RouteCx<'_>| {
        inbound.block().file == out.block().file
            && inbound.config.manager != out.config.manager
            && inbound.effective.timeout.value.0 > 0.0
    };
    let longest = inbound
        .iter()
        .filter(same_proxy)
        .max_by(|a, b| a.effective.timeout.value.0.total_cmp(&b.effective.timeout.value.0))?;
    let inbound = &longest.effective.timeout;
    if timeout.value < inbound.value {
        return None;
    }
    let message = format!(
        "{} of an outbound route is not below the inbound {}",
        words("timeout", timeout),
        display::millis(inbound.value)
    );
    let finding = RULE
        .meta
        .found(&["timeout"], at, message)
        .consequence("a call made while serving a request can outlive it: the caller gets a timeout of this service, and not the error of the one that stalls")
        .help(format!("set it below {}, unless these calls belong to no request", display::millis(inbound.value)))
        .related("the inbound timeout", inbound.place().unwrap_or_else(|| longest.block()));
    Some(finding)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn manager(cluster: &str, timeout: &str) -> String {
        format!(
            "- name: {cluster}\n  filter_chains:\n  - filters:\n    - name: envoy.filters.network.http_connection_manager\n      \
             typed_config:\n        stat_prefix: {cluster}\n        route_config: {{virtual_hosts: [{{name: v, domains: ['*'], routes: \
             [{{match: {{prefix: /}}, route: {{cluster: {cluster}{timeout}}}}}]}}]}}\n"
        )
    }

    fn sidecar(inbound: &str, outbound: &str) -> String {
        format!(
            "clusters:\n- {{name: local_app, type: STATIC}}\n- {{name: stock, type: STATIC}}\nlisteners:\n{}{}",
            manager("local_app", inbound),
            manager("stock", outbound)
        )
    }

    #[test]
    fn fires_at_equality() {
        let found = finding(&RULE, &sidecar(", timeout: 2s", ", timeout: 2s"), "");
        assert_eq!(
            found.message,
            "`timeout` 2,000\u{a0}ms of an outbound route is not below the inbound 2,000\u{a0}ms"
        );
        assert_eq!(found.related.len(), 1);
    }

    #[test]
    fn silent_below_and_for_what_nobody_wrote() {
        assert!(!fires(&RULE, &sidecar(", timeout: 2s", ", timeout: 1.999s"), ""));
        assert!(!fires(&RULE, &sidecar("", ""), ""));
        assert!(!fires(&RULE, &sidecar(", timeout: 0s", ", timeout: 2s"), ""));
    }
}
