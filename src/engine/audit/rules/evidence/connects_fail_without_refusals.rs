//! `HR604 connects-fail-without-refusals`: 503s that no limit makes.

use super::seen::{Seen, clusters, count, lines, logged, plural};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, WholeCx};
use crate::engine::read::config::LogGroup;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::Share;
use crate::engine::units::display::share;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR604",
        name: "connects-fail-without-refusals",
        severity: Severity::Warning,
        summary: "connections fail while no limit refuses: larger limits cure nothing",
        rationale: "A 503 with the flag UF is a connection that could not be made; a limit makes UO and counts an \
                    overflow. \"Cannot assign requested address\" means that the proxy itself could not bind: a fixed \
                    source address allows one connection per worker and host, and without one the ports of a destination \
                    run out. Neither has to do with a circuit breaker.",
        sources: &["cilium: issue 30406", "envoy: response flags UF and UO; cluster stats, bind_errors"],
    },
    check: Check::Whole(check),
};

/// Fewer failed connects are a host that restarts.
const NOTICED: Share = Share(0.01);

fn check(cx: &WholeCx<'_>) -> Vec<Finding> {
    clusters(cx).filter_map(|seen| of_cluster(&seen)).chain(of_logs(cx)).collect()
}

const OVERFLOWS: [&str; 5] = [
    "upstream_cx_overflow",
    "upstream_cx_pool_overflow",
    "upstream_rq_active_overflow",
    "upstream_rq_pending_overflow",
    "upstream_rq_retry_overflow",
];

fn of_cluster(seen: &Seen<'_>) -> Option<Finding> {
    let failed = seen.cluster.stat("upstream_cx_connect_fail").filter(|failed| failed.value > 0)?;
    let overflow = OVERFLOWS.iter().any(|name| seen.cluster.count(name) > 0);
    let counted = OVERFLOWS.iter().any(|name| seen.cluster.stat(name).is_some());
    let bind = seen.cluster.count("bind_errors");
    #[allow(clippy::cast_precision_loss, reason = "counts of connections")]
    let part = seen
        .cluster
        .stat("upstream_cx_total")
        .filter(|total| total.value > 0)
        .map(|total| Share(failed.value as f64 / total.value as f64));
    let noticed = bind > 0 || part.is_none_or(|part| part.0 >= NOTICED.0);
    if overflow || !counted || !noticed {
        return None;
    }
    let of = part.map_or_else(String::new, |part| format!(", {} of all", share(part)));
    let finding = RULE
        .meta
        .found(
            &["upstream_cx_connect_fail"],
            &failed.at,
            format!(
                "{}: {}{of}, and no limit refused anything",
                seen.title(),
                plural(failed.value, "connect failed", "connects failed")
            ),
        )
        .consequence(format!(
            "`upstream_cx_overflow` and the overflow counters of requests are 0: the 503s are no circuit breaker{}",
            bound(seen, bind)
        ))
        .help(HELP);
    Some(seen.finish(finding))
}

const HELP: &str = "leave the limits alone and look at the transport failure reason, at `upstream_bind_config` and source \
                    ports, and at whether the hosts listen";

/// What binding to one source address allows.
fn bound(seen: &Seen<'_>, bind: u64) -> String {
    if bind == 0 {
        return String::new();
    }
    let workers = seen.report.workers.as_ref().map(|w| u64::from(w.value));
    let hosts = seen.cluster.hosts().map(|(hosts, _)| hosts);
    let each = workers.zip(hosts).map_or_else(String::new, |(workers, hosts)| {
        format!(
            ": with a fixed source address {} workers × {} hosts make {} connections at once",
            count(workers),
            count(hosts),
            count(workers.saturating_mul(hosts))
        )
    });
    format!("; `bind_errors` {}{each}", count(bind))
}

fn cannot_bind(group: &LogGroup) -> bool {
    let texts = [&group.reason, &group.details];
    group.has("UF") && !group.has("UO") && texts.into_iter().flatten().any(|text| names_bind(text))
}

fn names_bind(text: &str) -> bool {
    let text = text.to_ascii_lowercase().replace('_', " ");
    ["cannot assign requested address", "connect error: 99", "eaddrnotavail"].iter().any(|w| text.contains(w))
}

fn of_logs(cx: &WholeCx<'_>) -> Vec<Finding> {
    let found = |(groups, n, of): (Vec<&LogGroup>, u64, u64)| {
        let at = groups.first()?.places.first()?;
        let finding = RULE
            .meta
            .found(
                &["upstream_transport_failure_reason"],
                at,
                format!("the proxy could not bind on {} of {}: UF, not UO", lines(n), count(of)),
            )
            .consequence("the system had no source address or port left for this destination; no limit refused anything")
            .help(HELP);
        Some(finding)
    };
    logged(cx, cannot_bind).into_iter().filter_map(found).collect()
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    const STATS: &str = "cluster.a.upstream_cx_connect_fail: 37\ncluster.a.upstream_cx_overflow: 0\n\
                         cluster.a.upstream_cx_total: 49\n";

    #[test]
    fn no_limit_and_failed_connects() {
        let found = finding(&RULE, STATS, "");
        assert_eq!(found.message, "cluster a: 37 connects failed, 76% of all, and no limit refused anything");
        assert!(found.help.starts_with("leave the limits alone"), "{}", found.help);
        let bind = format!(
            "{STATS}cluster.a.bind_errors: 37\ncluster.a.membership_total: 3\ncluster.a.membership_healthy: 3\n\
             server.concurrency: 4\n"
        );
        let found = finding(&RULE, &bind, "");
        assert!(found.consequence.ends_with("4 workers × 3 hosts make 12 connections at once"));
    }

    #[test]
    fn silent_with_overflow_or_a_few_failures() {
        assert!(!fires(&RULE, &STATS.replace("overflow: 0", "overflow: 1"), ""));
        assert!(!fires(&RULE, &STATS.replace("total: 49", "total: 3701"), ""));
        assert!(fires(&RULE, &STATS.replace("total: 49", "total: 3700"), ""));
        assert!(!fires(&RULE, &STATS.replace("cluster.a.upstream_cx_overflow: 0\n", ""), ""));
    }

    #[test]
    fn a_log_that_names_the_reason() {
        let line = |reason| {
            format!(
                "[t] \"GET / HTTP/1.1\" 503 UF upstream_reset{{x}} - \"{reason}\" 0 81 0 - \"-\" \"-\" \"-\" \"-\" \"h:1\" c - - - - -\n"
            )
        };
        let found = finding(&RULE, &line("immediate connect error: Cannot assign requested address"), "");
        assert_eq!(found.message, "the proxy could not bind on 1 line of 1: UF, not UO");
        assert!(!fires(&RULE, &line("delayed connect error: 111"), ""));
    }
}
