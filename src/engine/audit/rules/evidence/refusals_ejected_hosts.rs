//! `HR613 refusals-ejected-hosts`: hosts were ejected for failures that only the proxy made.

use super::seen::{Seen, clusters, count, plural};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, WholeCx};
use crate::engine::rules::{RuleMeta, Severity};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR613",
        name: "refusals-ejected-hosts",
        severity: Severity::Error,
        summary: "hosts were ejected for local failures while only a limit refused",
        rationale: "Before Envoy 1.26 a request that a limit refused was booked as a failure of local origin of its host. \
                    Ejections by that detector together with overflow, and without a failed connect, a timeout or a reset \
                    of an upstream, are that error: the hosts are innocent and every ejection makes the rest tighter.",
        sources: &["envoy: issue 25487 and fix 25488, from 1.26 on"],
    },
    check: Check::Whole(check),
};

/// What else makes a failure of local origin.
const CAUSES: [&str; 6] = [
    "upstream_cx_connect_fail",
    "upstream_cx_connect_timeout",
    "upstream_cx_destroy_remote_with_active_rq",
    "upstream_rq_per_try_timeout",
    "upstream_rq_rx_reset",
    "upstream_rq_timeout",
];

fn check(cx: &WholeCx<'_>) -> Vec<Finding> {
    clusters(cx).filter_map(|seen| of_cluster(&seen)).collect()
}

fn of_cluster(seen: &Seen<'_>) -> Option<Finding> {
    let ejected = seen
        .cluster
        .stat("outlier_detection.ejections_enforced_consecutive_local_origin_failure")
        .filter(|ejected| ejected.value > 0)?;
    let refused = seen.cluster.refused();
    let other_cause = CAUSES.iter().any(|name| seen.cluster.count(name) > 0);
    let host_errors = seen.cluster.hosts.iter().any(|host| host.rq_error.is_some_and(|errors| errors > 0));
    if refused == 0 || other_cause || host_errors {
        return None;
    }
    let finding = RULE
        .meta
        .found(
            &["consecutive_local_origin_failure", "max_requests"],
            &ejected.at,
            format!(
                "{}: {} for local failures with 0 failed connects, timeouts and resets",
                seen.title(),
                plural(ejected.value, "host was ejected", "hosts were ejected")
            ),
        )
        .consequence(format!(
            "the only failures are {} that a limit refused, which Envoy before 1.26 books on the host",
            plural(refused, "request", "requests")
        ))
        .help(format!("run 1.26 or later; until then give the limits room for those {}", count(refused)));
    Some(seen.finish(finding))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    const STATS: &str = "cluster.a.outlier_detection.ejections_enforced_consecutive_local_origin_failure: 1\n\
                         cluster.a.upstream_rq_pending_overflow: 40\ncluster.a.upstream_cx_connect_fail: 0\n";

    #[test]
    fn one_ejection_and_no_error_of_a_host() {
        let found = finding(&RULE, STATS, "");
        assert!(found.message.starts_with("cluster a: 1 host was ejected for local failures with 0"));
        assert!(found.consequence.contains("40 requests that a limit refused"), "{}", found.consequence);
    }

    #[test]
    fn silent_with_another_cause_or_without_refusals() {
        assert!(!fires(&RULE, &STATS.replace("fail: 0", "fail: 1"), ""));
        assert!(!fires(&RULE, &STATS.replace("overflow: 40", "overflow: 0"), ""));
    }
}
