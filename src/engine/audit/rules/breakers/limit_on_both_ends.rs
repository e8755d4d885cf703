//! `HR523 limit-on-both-ends`: the rule for the callers limits each server too.

use super::{Limit, is_judged, whole};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding, WholeCx};
use crate::engine::phrases;
use crate::engine::read::config::{Dialect, RoutingPriority};
use crate::engine::rules::{RuleMeta, Severity};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR523",
        name: "limit-on-both-ends",
        severity: Severity::Warning,
        summary: "a DestinationRule limits the servers' own proxies with the same number",
        rationale: "Istio applies the connection pool of a DestinationRule to the outbound clusters of the callers and to \
                    the inbound cluster in front of each server. Where there are more callers than servers the copy \
                    at the servers is the real cap. What a limit on connections holds back waits in the server's proxy, \
                    and what a limit on requests refuses is a 503 of that proxy: the caller sees latency or \
                    failures and no overflow of its own.",
        sources: &[
            "vendor manual, Alibaba Cloud Service Mesh: min(clients, servers) × maxConnections",
            "istio: DestinationRule.trafficPolicy.connectionPool, inbound clusters",
        ],
    },
    check: Check::Whole(check),
};

fn check(cx: &WholeCx<'_>) -> Vec<Finding> {
    // A pool of the servers' own settles it.
    if cx.clusters.iter().any(|c| c.config.origin.kind == "Sidecar") {
        return Vec::new();
    }
    let rules = cx.clusters.iter().filter(|c| reaches_servers(c));
    rules.filter_map(|c| of_cluster(c).map(|found| Finding { cluster: Some(c.index), ..found })).collect()
}

// No fix: the inbound pool belongs to another resource, a Sidecar of the servers.
fn of_cluster(cx: &ClusterCx<'_>) -> Option<Finding> {
    let (clients, hosts) = (cx.facts.clients?, cx.facts.hosts?);
    if !is_judged(cx) || clients <= hosts {
        return None;
    }
    let limits = cx.effective.limits(RoutingPriority::Default);
    let is_set = |l: &Limit| !l.of(limits).is_default() && l.of(limits).value > 0;
    let limit = [Limit::Connections, Limit::Requests].into_iter().find(is_set)?;
    let each = limit.of(limits).value;
    let name = limit.alias(cx).unwrap_or(limit.name());
    let message = format!(
        "`{name}` {} limits each of the {} too, not only the callers",
        whole(each),
        phrases::hosts(hosts)
    );
    let above = match limit {
        Limit::Requests => "their own proxies refuse what is above, without an overflow at the caller",
        _ => "what is above waits in their own proxies, without an overflow at the caller",
    };
    let consequence = format!(
        "the servers take {} × {} = {}, not {} × {} = {}; {above}",
        whole(hosts),
        whole(each),
        whole(f64::from(hosts) * f64::from(each)),
        whole(clients),
        whole(each),
        whole(f64::from(clients) * f64::from(each))
    );
    let finding = RULE.meta.found(&[limit.name()], limit.place(cx, limits), message).consequence(consequence);
    let finding = finding.severity(severity(cx, limit, each, hosts));
    Some(finding.help(format!("set what each server takes in a Sidecar of its own (`inboundConnectionPool`), and keep `{name}` for the callers")))
}

/// Whether it is a rule for a whole host, which servers get too.
fn reaches_servers(cx: &ClusterCx<'_>) -> bool {
    let origin = &cx.config.origin;
    origin.dialect == Dialect::Istio && origin.kind == "DestinationRule" && cx.config.subset.is_none()
}

/// With traffic: a warning where a server's share of the peak does not fit; what is recommended
/// for the callers is not blamed for the servers.
fn severity(cx: &ClusterCx<'_>, limit: Limit, each: u32, hosts: u32) -> Severity {
    let Some((traffic, sizing)) = cx.traffic().zip(cx.sizing(RoutingPriority::Default)) else {
        return Severity::Warning;
    };
    let recommended = match limit {
        Limit::Connections => sizing.threshold.max_connections,
        _ => sizing.window.chosen,
    };
    let share = traffic.sizing.load.fleet_concurrency_at_peak.0 / f64::from(hosts);
    if f64::from(each) < share && each != recommended { Severity::Warning } else { Severity::Info }
}

#[cfg(test)]
mod tests {
    use super::{RULE, Severity};
    use crate::engine::audit::rules::tests::{finding, fires};

    fn rule(pool: &str) -> String {
        format!(
            "apiVersion: networking.istio.io/v1\nkind: DestinationRule\nmetadata: {{name: shop}}\nspec:\n  host: shop\n  trafficPolicy:\n    connectionPool: {{{pool}}}\n"
        )
    }

    #[test]
    fn ten_and_not_fifteen() {
        let found = finding(&RULE, &rule("tcp: {maxConnections: 5}"), "clients=3 hosts=2");
        assert_eq!(
            found.message,
            "`maxConnections` 5 limits each of the two hosts too, not only the callers"
        );
        assert!(
            found.consequence.starts_with("the servers take 2 × 5 = 10, not 3 × 5 = 15"),
            "{}",
            found.consequence
        );
        let more = finding(&RULE, &rule("tcp: {maxConnections: 5}"), "clients=5 hosts=2");
        assert!(
            more.consequence.starts_with("the servers take 2 × 5 = 10, not 5 × 5 = 25"),
            "{}",
            more.consequence
        );
    }

    #[test]
    fn silent_where_the_callers_are_no_more_than_the_servers() {
        assert!(!fires(&RULE, &rule("tcp: {maxConnections: 5}"), "clients=2 hosts=2"));
        assert!(!fires(&RULE, &rule("tcp: {maxConnections: 5}"), "clients=3"));
        assert!(!fires(&RULE, &rule("http: {idleTimeout: 5s}"), "clients=3 hosts=2"));
    }

    #[test]
    fn a_pool_of_the_servers_own_settles_it() {
        let sidecar = "---\napiVersion: networking.istio.io/v1\nkind: Sidecar\nmetadata: {name: shop}\nspec: {inboundConnectionPool: {tcp: {maxConnections: 9}}}\n";
        assert!(!fires(
            &RULE,
            &format!("{}{sidecar}", rule("tcp: {maxConnections: 5}")),
            "clients=3 hosts=2"
        ));
    }

    #[test]
    fn worth_a_note_only_where_the_peak_fits() {
        // 30 in flight over two servers.
        let inputs = "protocol=http1 clients=3 hosts=2 rps=500 mean=40 p50=35 burst=1.5 skew=1";
        assert_eq!(finding(&RULE, &rule("tcp: {maxConnections: 14}"), inputs).severity, Severity::Warning);
        assert_eq!(finding(&RULE, &rule("tcp: {maxConnections: 15}"), inputs).severity, Severity::Info);
    }
}
