//! `HR338 limits-of-misspelt-cluster`: the route leads to a name that is nearly that of the limited cluster.

use super::{all_limits, is_judged};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding, WholeCx};
use crate::engine::nearest::nearest;
use crate::engine::read::config::Dialect;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display::echo;
use std::collections::BTreeSet;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR338",
        name: "limits-of-misspelt-cluster",
        severity: Severity::Info,
        summary: "a route leads to a cluster that is not here, and limits stand on one named alike",
        rationale: "Limits hold for the cluster that carries them and for no other. A route that leads to a name with a \
                    letter more or less passes them by: where the other cluster exists it has its own limits or the \
                    defaults, where it does not Envoy answers 503 or refuses the configuration.",
        sources: &["envoy: config.route.v3.RouteAction.cluster; circuit breakers belong to one cluster"],
    },
    check: Check::Whole(check),
};

/// Names that are compared: more are no hand-written text.
const MAX_NAMES: usize = 50;

// No number: what the other cluster allows is not in the text.
fn check(cx: &WholeCx<'_>) -> Vec<Finding> {
    let known: BTreeSet<&str> = cx.clusters.iter().map(|c| c.effective.name.as_str()).collect();
    let limited = |c: &&ClusterCx<'_>| c.routes.is_empty() && c.dialect() == Dialect::Envoy && has_limits(c);
    let idle: Vec<&ClusterCx<'_>> = cx.clusters.iter().filter(limited).take(MAX_NAMES).collect();
    let targets = cx.configuration.routes.iter().flat_map(|r| r.targets.iter().map(|t| &t.cluster));
    let missing = targets.filter(|t| !known.contains(t.value.as_str())).take(MAX_NAMES);
    let slip = |target: &crate::engine::read::Spanned<String>| {
        let name = nearest(&target.value, idle.iter().map(|c| c.effective.name.as_str()))?;
        let cluster = idle.iter().find(|c| c.effective.name == name)?;
        let (wanted, name) = (echo(&target.value), echo(name));
        let mut found = RULE
            .meta
            .found(&["cluster"], &target.at, format!("the route leads to {wanted}, which is not here"))
            .consequence(format!("the limits of {name} do not hold for it, and no route leads to {name}"))
            .help(format!("write {name} in the route, if that is meant"))
            .related("the cluster with limits", &cluster.config.origin.block);
        found.cluster = Some(cluster.index);
        Some(found)
    };
    missing.filter_map(slip).collect()
}

fn has_limits(cx: &ClusterCx<'_>) -> bool {
    is_judged(cx) && all_limits(cx).any(|l| !l.max_requests.is_default() || !l.max_connections.is_default())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn text(cluster: &str, limits: &str) -> String {
        format!(
            "clusters:\n- {{name: checkout, connect_timeout: 1s{limits}}}\nroutes:\n- {{match: {{prefix: /}}, route: {{cluster: {cluster}}}}}\n"
        )
    }

    const LIMITS: &str = ", circuit_breakers: {thresholds: [{max_requests: 9}]}";

    #[test]
    fn fires_for_a_slip() {
        let found = finding(&RULE, &text("chekout", LIMITS), "");
        assert_eq!(found.message, "the route leads to chekout, which is not here");
        assert_eq!((found.at.line(), found.cluster), (4, Some(0)));
    }

    #[test]
    fn silent_for_the_name_another_name_and_without_limits() {
        assert!(!fires(&RULE, &text("checkout", LIMITS), ""));
        assert!(!fires(&RULE, &text("ledger", LIMITS), ""));
        assert!(!fires(&RULE, &text("chekout", ""), ""));
    }
}
