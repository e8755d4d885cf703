//! `HR143 mirror-limited-by-own-breakers`: copies of requests fall under other limits than the requests.

use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding, RouteCx};
use crate::engine::queueing::erlang_b;
use crate::engine::read::Spanned;
use crate::engine::read::config::{ClusterConfig, RoutingPriority};
use crate::engine::read::effective::effective_cluster;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR143",
        name: "mirror-limited-by-own-breakers",
        severity: Severity::Info,
        summary: "mirrored requests fall under lower limits than the requests they copy",
        rationale: "A copy goes to the mirror's own cluster and passes the breakers of that cluster. One that is refused \
                    is dropped without a trace in the response and is never retried, so a mirror with lower limits \
                    sees less than the traffic just when there is most of it.",
        sources: &[
            "envoy: config.route.v3.RouteAction.request_mirror_policies; measured on 1.40: 3 of 4 copies refused, 4 of 4 requests served",
        ],
    },
    check: Check::Route(check),
};

fn check(cx: &RouteCx<'_>) -> Vec<Finding> {
    let Some(cluster) = cx.cluster else { return Vec::new() };
    cx.config.mirrors.iter().filter_map(|mirror| of_mirror(cx, cluster, mirror)).collect()
}

// There is no fix: how much of the traffic the mirror is to see, nobody has said.
fn of_mirror(cx: &RouteCx<'_>, cluster: &ClusterCx<'_>, mirror: &Spanned<String>) -> Option<Finding> {
    let named = |c: &&ClusterConfig| c.name.as_ref().is_some_and(|n| n.value == mirror.value);
    let config = cx.configuration.clusters.iter().find(named)?;
    // Copies go out with the priority of the route.
    let priority: RoutingPriority = cx.effective.priority.value;
    let effective = effective_cluster(cx.configuration, config, cx.facts.envoy_version);
    let (limit, of_route) =
        (&effective.limits(priority).max_requests, &cluster.effective.limits(priority).max_requests);
    if limit.value >= of_route.value {
        return None;
    }
    let [value, other] = [limit.value, of_route.value].map(|n| display::count(n.into()));
    let name = display::echo(&mirror.value);
    let refused = cluster.sizing(priority).map(|sizing| {
        let share = erlang_b::blocking(limit.value.into(), sizing.offered);
        format!("; if the mirror is as fast, {} of the copies", crate::engine::phrases::refused(share))
    });
    let finding = RULE
        .meta
        .found(
            &["request_mirror_policies", "max_requests"],
            &mirror.at,
            format!("copies for {name} fall under its own `max_requests` {value}, requests under {other}"),
        )
        .consequence(format!(
            "copies above it are dropped, unseen and never retried{}",
            refused.unwrap_or_default()
        ))
        .help("give the mirror the limits of the traffic that it copies");
    Some(match limit.place() {
        Some(at) => finding.related("the limit of the copies", at),
        None => finding,
    })
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn pair(of_mirror: u32) -> String {
        format!(
            "clusters:\n- name: shop\n  connect_timeout: 1s\n- name: shadow\n  circuit_breakers: {{thresholds: [{{max_requests: {of_mirror}}}]}}\n\
             routes:\n- match: {{prefix: /}}\n  route: {{cluster: shop, request_mirror_policies: [{{cluster: shadow}}]}}\n"
        )
    }

    #[test]
    fn a_lower_limit_drops_copies() {
        let found = finding(&RULE, &pair(1023), "");
        assert_eq!(
            found.message,
            "copies for shadow fall under its own `max_requests` 1,023, requests under 1,024"
        );
        assert!(!fires(&RULE, &pair(1024), ""));
    }

    #[test]
    fn with_traffic_it_says_how_many() {
        // B(10, 20) is 54%.
        let found = finding(&RULE, &pair(10), "name=shop rps=500 mean=40 burst=1 skew=1");
        assert!(found.consequence.ends_with("54% of the copies"), "{}", found.consequence);
    }
}
