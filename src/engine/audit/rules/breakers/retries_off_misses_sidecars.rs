//! `HR333 retries-off-misses-sidecars`: `attempts: 0` reaches the gateway and not the callers in the mesh.

use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, WholeCx};
use crate::engine::read::config::{Dialect, RouteConfig};
use crate::engine::read::effective::effective_route;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display::{count, echo};
use std::collections::BTreeSet;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR333",
        name: "retries-off-misses-sidecars",
        severity: Severity::Warning,
        summary: "retries are switched off at a gateway only; sidecars keep the default",
        rationale: "A VirtualService acts in the gateways that it lists, and nowhere else. Without `mesh` among them the \
                    sidecars of callers inside the mesh never see it and keep Istio's default policy, which retries \
                    twice. A rule that looks like \"no retries\" then holds for outside traffic only.",
        sources: &["istio/istio#38180, #37181", "istio: VirtualService.gateways, default retries"],
    },
    check: Check::Whole(check),
};

fn check(cx: &WholeCx<'_>) -> Vec<Finding> {
    let routes = &cx.configuration.routes;
    // Another rule of the same host may speak to the sidecars.
    let in_mesh: BTreeSet<&str> = routes.iter().filter(|r| is_in_mesh(r)).filter_map(host).collect();
    let misses = |r: &RouteConfig| {
        r.origin.dialect == Dialect::Istio && !is_in_mesh(r) && host(r).is_none_or(|h| !in_mesh.contains(h))
    };
    let of_route = |(index, route)| of_route(cx, route).map(|found| Finding { route: Some(index), ..found });
    routes.iter().enumerate().filter(|(_, r)| misses(r)).filter_map(of_route).collect()
}

// No fix: adding an item to a list is not among the changes.
fn of_route(cx: &WholeCx<'_>, route: &RouteConfig) -> Option<Finding> {
    let off = route.retry_policy.as_ref()?.num_retries.as_ref().filter(|n| n.value == 0)?;
    let mut absent = RouteConfig::default();
    absent.origin.dialect = Dialect::Istio;
    let default = effective_route(cx.configuration, &absent, None, cx.facts.envoy_version);
    let (retries, attempts) = (default.attempts() - 1, default.attempts());
    let gateways: Vec<String> = route.gateways.iter().map(|g| format!("`{}`", echo(&g.value))).collect();
    let (retries, attempts) = (count(retries as f64), count(attempts as f64));
    let message = format!("`attempts` 0 holds at {} only, not in sidecars", gateways.join(", "));
    let found = RULE
        .meta
        .found(&["num_retries"], &off.at, message)
        .consequence(format!(
            "callers in the mesh keep {retries} retries, Istio's default: up to {attempts} executions"
        ))
        .help("add `mesh` to `gateways`, or write a rule without `gateways` for calls inside the mesh");
    Some(found.related("where it acts", &route.gateways.first()?.at))
}

/// Whether sidecars have the route: without a list, or with `mesh` in it.
fn is_in_mesh(route: &RouteConfig) -> bool {
    route.gateways.is_empty() || route.gateways.iter().any(|g| g.value == "mesh")
}

/// The first label of the host that a route is for.
fn host(route: &RouteConfig) -> Option<&str> {
    let host = route.virtual_host.as_ref().filter(|_| route.origin.dialect == Dialect::Istio)?;
    host.value.split('.').next()
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn service(gateways: &str, attempts: u32) -> String {
        format!(
            "apiVersion: networking.istio.io/v1\nkind: VirtualService\nmetadata: {{name: shop}}\nspec:\n  hosts: [shop]\n{gateways}  http:\n  - retries: {{attempts: {attempts}}}\n    \
             route: [{{destination: {{host: shop}}}}]\n"
        )
    }

    #[test]
    fn two_retries_remain_behind_a_gateway() {
        let found = finding(&RULE, &service("  gateways: [edge]\n", 0), "");
        assert_eq!(found.message, "`attempts` 0 holds at `edge` only, not in sidecars");
        assert_eq!(
            found.consequence,
            "callers in the mesh keep 2 retries, Istio's default: up to 3 executions"
        );
        assert_eq!(found.at.line(), 8);
    }

    #[test]
    fn silent_where_sidecars_have_it_and_where_retries_are_meant() {
        assert!(!fires(&RULE, &service("", 0), ""));
        assert!(!fires(&RULE, &service("  gateways: [edge, mesh]\n", 0), ""));
        assert!(!fires(&RULE, &service("  gateways: [edge]\n", 1), ""));
        let both = format!("{}---\n{}", service("  gateways: [edge]\n", 0), service("", 0));
        assert!(!fires(&RULE, &both, ""));
    }
}
