//! `HR612 ejections-blocked`: the cap kept failing hosts in.

use super::seen::{Seen, clusters, count, plural};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, WholeCx};
use crate::engine::rules::{RuleMeta, Severity};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR612",
        name: "ejections-blocked",
        severity: Severity::Warning,
        summary: "outliers were found and `max_ejection_percent` kept them in",
        rationale: "`outlier_detection.ejections_overflow` counts outliers that the cap did not let go: with none ejected \
                    the cap is below one host, with some of them many hosts fail at once. The cap is looked at before \
                    `enforcing_…`, so that detectors that are not enforced count here too.",
        sources: &["measured on Envoy 1.40: blocked ejections count in ejections_overflow, enforced or not"],
    },
    check: Check::Whole(check),
};

fn check(cx: &WholeCx<'_>) -> Vec<Finding> {
    clusters(cx).filter_map(|seen| of_cluster(&seen)).collect()
}

fn of_cluster(seen: &Seen<'_>) -> Option<Finding> {
    let blocked =
        seen.cluster.stat("outlier_detection.ejections_overflow").filter(|blocked| blocked.value > 0)?;
    let ejected =
        seen.cluster.stat("outlier_detection.ejections_enforced_total").map(|ejected| ejected.value);
    let hosts = seen.cluster.hosts().map(|(hosts, _)| hosts).filter(|hosts| *hosts > 0);
    let never = ejected == Some(0);
    let consequence = match (never, hosts) {
        (true, Some(hosts)) => format!(
            "none was ever ejected: the cap is below one of {}, {}%",
            plural(hosts, "host", "hosts"),
            count(100u64.div_ceil(hosts))
        ),
        (true, None) => "none was ever ejected: the cap is below one host".to_owned(),
        (false, _) => format!(
            "{} were ejected, and the rest stayed in",
            ejected.map_or_else(|| "some".to_owned(), count)
        ),
    };
    let finding = RULE
        .meta
        .found(
            &["max_ejection_percent"],
            &blocked.at,
            format!(
                "{}: `max_ejection_percent` blocked {}",
                seen.title(),
                plural(blocked.value, "ejection", "ejections")
            ),
        )
        .consequence(consequence)
        .help(if never {
            "set `max_ejection_percent` to one host or more"
        } else {
            "find what so many hosts have in common before the cap is raised"
        });
    Some(seen.finish(finding))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    #[test]
    fn none_ever_or_some() {
        let stats = |ejected| {
            format!(
                "cluster.a.outlier_detection.ejections_overflow: 9\n\
                 cluster.a.outlier_detection.ejections_enforced_total: {ejected}\n\
                 cluster.a.membership_total: 3\ncluster.a.membership_healthy: 3\n"
            )
        };
        let found = finding(&RULE, &stats(0), "");
        assert_eq!(found.message, "cluster a: `max_ejection_percent` blocked 9 ejections");
        assert_eq!(found.consequence, "none was ever ejected: the cap is below one of 3 hosts, 34%");
        assert!(finding(&RULE, &stats(2), "").consequence.starts_with("2 were ejected"));
        assert!(!fires(&RULE, &stats(0).replace(": 9", ": 0"), ""));
    }
}
