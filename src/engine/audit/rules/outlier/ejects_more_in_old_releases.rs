//! `HR412 ejects-more-in-old-releases`: the same cap ejects one host more before Envoy 1.27.

use super::detection::{COUNTS_AFTER, Detection, default_end, ejectable, healthy_percent, percent};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding};
use crate::engine::params::ParamId;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::scenario::EnvoyVersion;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR412",
        name: "ejects-more-in-old-releases",
        severity: Severity::Warning,
        summary: "before 1.27 the cap ejects a host more, and brings the cluster into panic",
        rationale: "Before 1.27 Envoy compares the hosts already out with the cap and then ejects one more; from 1.27 on \
                    it compares after the ejection. In a small cluster that one host decides whether the panic threshold \
                    is undercut, and then every ejection is ignored.",
        sources: &["envoy: issues 26877 and 27624; release notes of 1.27 and 1.28, max_ejection_percent"],
    },
    check: Check::Cluster(check),
};

/// The release before the cap counted the host at hand.
const OLD: EnvoyVersion = EnvoyVersion { minor: COUNTS_AFTER.minor - 1 };

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    of_cluster(cx).into_iter().collect()
}

fn of_cluster(cx: &ClusterCx<'_>) -> Option<Finding> {
    let d = Detection::of(cx).filter(|d| d.active().next().is_some())?;
    let hosts = cx.facts.hosts.filter(|hosts| *hosts > 1)?;
    let cap = &d.set.max_ejection_percent;
    let old = ejectable(cap.value, hosts, OLD);
    let new = ejectable(cap.value, hosts, EnvoyVersion::NEWEST);
    let version = cx.facts.envoy_version;
    let settled = cx.facts.version_given && version >= COUNTS_AFTER;
    // Only where that host decides: panic with it, none without it.
    if settled || old <= new || !d.panics(old, hosts) || d.panics(new, hosts) {
        return None;
    }
    let is_old = version < COUNTS_AFTER;
    let counts = if is_old {
        format!("lets {old} of {hosts} hosts go in Envoy {version}, from {COUNTS_AFTER} on {new}")
    } else {
        format!("lets {new} of {hosts} hosts go, before Envoy {COUNTS_AFTER} {old}")
    };
    let threshold = &cx.effective.healthy_panic_threshold;
    let finding = RULE
        .meta
        .found(
            &["max_ejection_percent"],
            d.place(cap),
            format!("`max_ejection_percent` {}{} {counts}", cap.value, default_end(cap)),
        )
        .severity(if is_old { Severity::Warning } else { Severity::Info })
        .consequence(format!(
            "with {old} out, {} of the hosts are healthy, below `healthy_panic_threshold` {}{}: all {hosts} get traffic \
             again, the failing ones too",
            percent(healthy_percent(old, hosts)),
            percent(threshold.value.0),
            default_end(threshold),
        ))
        .help(help(is_old, old, new));
    Some(if is_old { finding } else { finding.asks(ParamId::EnvoyVersion) })
}

fn help(is_old: bool, old: u32, new: u32) -> String {
    if is_old {
        format!("run {COUNTS_AFTER} or later, where {new} of them may go and not {old}")
    } else {
        "say which release of Envoy runs".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};
    use crate::engine::rules::Severity;

    fn cluster(percent: u32) -> String {
        format!("name: a\nconnect_timeout: 1s\noutlier_detection: {{max_ejection_percent: {percent}}}\n")
    }

    #[test]
    fn two_of_three_before_and_one_from_then_on() {
        let found = finding(&RULE, &cluster(50), "hosts=3 envoy_version=1.26");
        assert_eq!(
            found.message,
            "`max_ejection_percent` 50 lets 2 of 3 hosts go in Envoy 1.26, from 1.27 on 1"
        );
        assert!(
            found.consequence.contains("33% of the hosts are healthy, below `healthy_panic_threshold` 50%")
        );
        assert_eq!(found.severity, Severity::Warning);
        let unknown = finding(&RULE, &cluster(50), "hosts=3");
        assert_eq!(unknown.message, "`max_ejection_percent` 50 lets 1 of 3 hosts go, before Envoy 1.27 2");
        assert_eq!(unknown.severity, Severity::Info);
    }

    #[test]
    fn silent_where_the_release_is_new_or_nothing_changes() {
        assert!(!fires(&RULE, &cluster(50), "hosts=3 envoy_version=1.27"));
        assert!(!fires(&RULE, &cluster(50), "hosts=4"), "2 of 4 either way");
        // 3 of 7 out leave 57%.
        assert!(!fires(&RULE, &cluster(29), "hosts=7"));
        assert!(!fires(&RULE, &cluster(50), ""));
    }
}
