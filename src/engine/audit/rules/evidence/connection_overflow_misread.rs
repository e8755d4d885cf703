//! `HR609 connection-overflow-misread`: refused connections are no refused requests.

use super::seen::{PRIORITY, Seen, clusters, count};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, WholeCx};
use crate::engine::read::config::Resource;
use crate::engine::rules::{RuleMeta, Severity};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR609",
        name: "connection-overflow-misread",
        severity: Severity::Info,
        summary: "`upstream_cx_overflow` counts attempts to connect and no refused requests",
        rationale: "When `max_connections` is reached, Envoy opens no connection and lets the request wait; it counts every \
                    try to open one, many for the same request. A pool without a connection opens its first in any case, so \
                    that more than the limit can be open: limit + pools − 1, a pool for each worker and host.",
        sources: &[
            "measured on Envoy 1.40: 30 requests over one connection count 57",
            "measured on Envoy 1.40: max_connections 1, 2 workers and 2 hosts: 4 connections",
        ],
    },
    check: Check::Whole(check),
};

fn check(cx: &WholeCx<'_>) -> Vec<Finding> {
    clusters(cx).filter_map(|seen| of_cluster(&seen)).collect()
}

fn of_cluster(seen: &Seen<'_>) -> Option<Finding> {
    let counted = seen.cluster.stat("upstream_cx_overflow").filter(|counted| counted.value > 0)?;
    let limit = seen.cluster.limit(PRIORITY, Resource::Connections);
    let finding = RULE
        .meta
        .found(
            &["max_connections"],
            &counted.at,
            format!(
                "{}: `upstream_cx_overflow` {} counts attempts to connect, not refused requests",
                seen.title(),
                count(counted.value)
            ),
        )
        .consequence(format!(
            "`max_connections`{} made requests wait; only what the queue has no room for is refused{}",
            limit.map(|limit| format!(" {}", count(limit.value))).unwrap_or_default(),
            bound(seen, limit.map(|limit| limit.value)),
        ))
        .help("read `upstream_rq_pending_overflow` for refusals, and the latency for the wait");
    Some(seen.finish(finding))
}

/// How many connections there can be.
fn bound(seen: &Seen<'_>, limit: Option<u64>) -> String {
    let workers = seen.report.workers.as_ref().map(|workers| u64::from(workers.value));
    let pools = workers.zip(seen.cluster.hosts()).map(|(workers, (hosts, _))| workers.saturating_mul(hosts));
    let Some((limit, pools)) = limit.zip(pools).filter(|(_, pools)| *pools > 1) else { return String::new() };
    format!(
        "; with {} pools up to {} can be open, since each may open its first",
        count(pools),
        count(limit.max(1).saturating_add(pools - 1))
    )
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    #[test]
    fn fires_with_the_bound() {
        let stats = "cluster.a.upstream_cx_overflow: 5120\ncluster.a.upstream_cx_active: 80\n\
                     cluster.a.circuit_breakers.default.remaining_cx: 0\ncluster.a.membership_total: 3\n\
                     cluster.a.membership_healthy: 3\nserver.concurrency: 4\n";
        let found = finding(&RULE, stats, "");
        assert!(found.message.contains("`upstream_cx_overflow` 5,120 counts attempts"), "{}", found.message);
        // 80 + 3 × 4 − 1.
        assert!(found.consequence.contains("with 12 pools up to 91 can be open"), "{}", found.consequence);
        assert!(!fires(&RULE, &stats.replace("5120", "0"), ""));
    }
}
