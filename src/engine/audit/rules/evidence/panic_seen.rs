//! `HR610 panic-seen`: a proxy sent traffic to all hosts, the failing ones too.

use super::seen::{Seen, clusters, count, plural};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, WholeCx};
use crate::engine::rules::{RuleMeta, Severity};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR610",
        name: "panic-seen",
        severity: Severity::Warning,
        summary: "panic routing was in force: too few hosts were healthy to leave the rest out",
        rationale: "Each pick of a host while the healthy share is below the panic threshold counts in `lb_healthy_panic`. \
                    Health and ejections are ignored then, so that hosts known to fail get their full share. It is right \
                    when the health checks are wrong, and wrong when they are right.",
        sources: &["measured on Envoy 1.40: lb_healthy_panic rises by one with every pick in panic"],
    },
    check: Check::Whole(check),
};

fn check(cx: &WholeCx<'_>) -> Vec<Finding> {
    clusters(cx).filter_map(|seen| of_cluster(&seen)).collect()
}

fn of_cluster(seen: &Seen<'_>) -> Option<Finding> {
    let picks = seen.cluster.stat("lb_healthy_panic").filter(|picks| picks.value > 0)?;
    let now = seen.cluster.hosts().map_or_else(String::new, |(hosts, healthy)| {
        format!("; at the scrape {} of {} hosts are healthy", count(healthy), count(hosts))
    });
    let finding = RULE
        .meta
        .found(
            &["healthy_panic_threshold"],
            &picks.at,
            format!(
                "{} was in panic for {}",
                seen.title(),
                plural(picks.value, "pick of a host", "picks of a host")
            ),
        )
        .consequence(format!("health and ejections were ignored, and failing hosts got their share{now}"))
        .help(
            "find why so many hosts were out at once: a cap of ejections above what panic bears, a health check that fails, \
             or a fault of the callers",
        );
    Some(seen.finish(finding))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    #[test]
    fn fires_with_the_picks() {
        let stats = "cluster.a.lb_healthy_panic: 17\ncluster.a.membership_total: 4\ncluster.a.membership_healthy: 1\n";
        let found = finding(&RULE, stats, "");
        assert_eq!(found.message, "cluster a was in panic for 17 picks of a host");
        assert!(found.consequence.ends_with("1 of 4 hosts are healthy"), "{}", found.consequence);
        assert!(!fires(&RULE, &stats.replace("17", "0"), ""));
    }
}
