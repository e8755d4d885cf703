//! `HR602 refused-between-scrapes`: overflow is counted and every gauge shows room.

use super::limit_refuses::{flat, found};
use super::seen::{Seen, clusters, count};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, WholeCx};
use crate::engine::read::config::Resource;
use crate::engine::rules::{RuleMeta, Severity};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR602",
        name: "refused-between-scrapes",
        severity: Severity::Error,
        summary: "requests were refused although every gauge shows room: bursts between scrapes",
        rationale: "`…_open` and `remaining_…` are gauges: they show the instant of the scrape. A burst of a few \
                    milliseconds fills a limit, is refused in part and is gone before the next one, so that dashboards of \
                    gauges stay flat while the counters rise. What a limit needs is the peak of such a burst, not the mean.",
        sources: &[
            "envoy: issue 36771; circuit breaker gauges are rewritten on every change",
            "measured on Envoy 1.40: rq_open is 1 only while all slots are taken",
        ],
    },
    check: Check::Whole(check),
};

fn check(cx: &WholeCx<'_>) -> Vec<Finding> {
    let refusing = clusters(cx).filter(|seen| seen.cluster.refused() > 0 && flat(seen));
    refusing.filter_map(|seen| found(&seen, &RULE.meta).map(|finding| between(&seen, finding))).collect()
}

fn between(seen: &Seen<'_>, finding: Finding) -> Finding {
    let room = [Resource::Requests, Resource::Pending].into_iter().find_map(|resource| {
        let limit = seen.limit(resource)?;
        Some(format!("{} of {} in use at the scrape", count(limit.used?), count(limit.value)))
    });
    let message = format!(
        "{}, while the gauges are flat{}",
        finding.message,
        room.map(|room| format!(": {room}")).unwrap_or_default()
    );
    let consequence = format!(
        "the limit is reached in bursts shorter than the time between scrapes; {}",
        finding.consequence
    );
    let help = format!("{}, and alert on the counter, not on the gauges", finding.help);
    Finding { message, consequence, help, ..finding }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    const STATS: &str = "cluster.a.upstream_rq_active: 10\ncluster.a.upstream_rq_pending_overflow: 21\n\
                         cluster.a.circuit_breakers.default.rq_open: 0\n\
                         cluster.a.circuit_breakers.default.remaining_rq: 90\n";

    #[test]
    fn fires_with_room_at_the_scrape() {
        let found = finding(&RULE, STATS, "");
        assert_eq!(
            found.message,
            "cluster a refused 21 requests, while the gauges are flat: 10 of 100 in use at the scrape"
        );
        assert!(found.help.contains("alert on the counter"), "{}", found.help);
    }

    #[test]
    fn silent_at_the_limit() {
        assert!(!fires(&RULE, &STATS.replace("rq_open: 0", "rq_open: 1"), ""));
        assert!(!fires(&RULE, "cluster.a.upstream_rq_pending_overflow: 21\ncluster.a.x: 1\n", ""));
    }
}
