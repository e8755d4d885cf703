//! `HR607 no-host-or-no-pool`: "no healthy upstream" may be a limit of pools.

use super::seen::{Seen, clusters, count, lines, logged, plural};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, WholeCx};
use crate::engine::read::config::LogGroup;
use crate::engine::rules::{RuleMeta, Severity};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR607",
        name: "no-host-or-no-pool",
        severity: Severity::Error,
        summary: "503 with UH: no host was left, or `max_connection_pools` allowed no pool",
        rationale: "The flag UH and the body \"no healthy upstream\" come when no host can be picked: none known, all \
                    ejected or failed with panic off. But a request that `max_connection_pools` refuses looks exactly \
                    the same, while all hosts are healthy; only `upstream_cx_pool_overflow` tells. UH is never retried.",
        sources: &[
            "measured on Envoy 1.40: max_connection_pools 1 with 2 hosts: every second request is 503 UH",
        ],
    },
    check: Check::Whole(check),
};

fn check(cx: &WholeCx<'_>) -> Vec<Finding> {
    clusters(cx).filter_map(|seen| of_cluster(&seen)).chain(of_logs(cx)).collect()
}

fn of_cluster(seen: &Seen<'_>) -> Option<Finding> {
    let refused = seen.cluster.stat("upstream_cx_pool_overflow").filter(|refused| refused.value > 0)?;
    let healthy = seen.cluster.hosts().map_or_else(String::new, |(hosts, healthy)| {
        format!(" while {} of {} hosts are healthy", count(healthy), count(hosts))
    });
    let finding = RULE
        .meta
        .found(
            &["max_connection_pools"],
            &refused.at,
            format!(
                "{}: `max_connection_pools` refused {}{healthy}",
                seen.title(),
                plural(refused.value, "request", "requests")
            ),
        )
        .consequence("each got a 503 \"no healthy upstream\" with the flag UH, as if there were no host")
        .help("leave `max_connection_pools` out: it needs workers × hosts, and every protocol and priority once more");
    Some(seen.finish(finding))
}

fn of_logs(cx: &WholeCx<'_>) -> Vec<Finding> {
    let found = |(groups, n, of): (Vec<&LogGroup>, u64, u64)| {
        let finding = RULE
            .meta
            .found(
                &["max_connection_pools", "healthy_panic_threshold"],
                groups.first()?.places.first()?,
                format!("no host for {} of {} (UH)", lines(n), count(of)),
            )
            .severity(Severity::Info)
            .consequence(
                "either no host was left, all ejected or unhealthy with panic off, or `max_connection_pools` refused: both \
                 look the same",
            )
            .help("look at `membership_healthy`, `outlier_detection.ejections_active` and `upstream_cx_pool_overflow`");
        Some(finding)
    };
    logged(cx, |g| g.has("UH")).into_iter().filter_map(found).collect()
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};
    use crate::engine::rules::Severity;

    #[test]
    fn the_counter_tells() {
        let stats = "cluster.a.upstream_cx_pool_overflow: 7\ncluster.a.membership_total: 2\n\
                     cluster.a.membership_healthy: 2\n";
        let found = finding(&RULE, stats, "");
        assert_eq!(
            found.message,
            "cluster a: `max_connection_pools` refused 7 requests while 2 of 2 hosts are healthy"
        );
        assert!(!fires(&RULE, &stats.replace(": 7", ": 0"), ""));
    }

    #[test]
    fn a_log_does_not() {
        let log = "[t] \"GET / HTTP/1.1\" 503 UH 0 19 0 - \"-\" \"-\" \"-\" \"-\" \"-\"\n";
        let found = finding(&RULE, log, "");
        assert_eq!(
            (found.message.as_str(), found.severity),
            ("no host for 1 line of 1 (UH)", Severity::Info)
        );
    }
}
