//! `HR420 failure-percentage-never-judges`: too few hosts or requests for a failure percentage.

use super::detection::{Detection, TooLittle};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding};
use crate::engine::rules::{RuleMeta, Severity};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR420",
        name: "failure-percentage-never-judges",
        severity: Severity::Warning,
        summary: "failure percentages are to eject hosts, and this cluster is too small for them",
        rationale: "A host is judged only in an interval in which this proxy sent it \
                    `failure_percentage_request_volume` requests, and only if `failure_percentage_minimum_hosts` hosts \
                    have as many. With fewer the detector never acts, though it would need no other host to compare \
                    with.",
        sources: &[
            "measured on Envoy 1.40: minimum hosts 3: 3 hosts are ejected, 2 hosts never",
            "envoy: config.cluster.v3.OutlierDetection.failure_percentage_request_volume",
        ],
    },
    check: Check::Cluster(check),
};

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    of_cluster(cx).into_iter().collect()
}

fn of_cluster(cx: &ClusterCx<'_>) -> Option<Finding> {
    let d = Detection::of(cx).filter(|d| d.is_active("enforcing_failure_percentage"))?;
    let hosts = &d.set.failure_percentage_minimum_hosts;
    let volume = &d.set.failure_percentage_request_volume;
    let little = d.too_little(hosts.value, volume.value)?;
    let (field, help) = match little {
        TooLittle::Hosts(_) => (
            "failure_percentage_minimum_hosts",
            "set `failure_percentage_minimum_hosts` to the number of hosts or less",
        ),
        TooLittle::Requests(_) => (
            "failure_percentage_request_volume",
            "set `failure_percentage_request_volume` below that, or `interval` longer",
        ),
    };
    let at = d.text.enforcing_failure_percentage.as_ref().map_or(&d.text.block, |e| &e.at);
    let why = little.words(hosts.value, volume.value);
    let finding = RULE
        .meta
        .found(
            &["enforcing_failure_percentage", field],
            at,
            format!("failure percentage never ejects: {why}"),
        )
        .consequence("a host that fails some requests but never several in a row stays in")
        .help(help);
    Some(finding)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn cluster(outlier: &str) -> String {
        format!("name: a\nconnect_timeout: 1s\noutlier_detection: {{{outlier}}}\n")
    }

    #[test]
    fn measured_with_three_hosts_and_two() {
        let set = cluster("enforcing_failure_percentage: 100, failure_percentage_minimum_hosts: 3");
        assert!(!fires(&RULE, &set, "hosts=3"));
        let found = finding(&RULE, &set, "hosts=2");
        assert_eq!(found.message, "failure percentage never ejects: it needs 3 hosts and has 2");
    }

    #[test]
    fn fifty_requests_in_an_interval() {
        let set = cluster("enforcing_failure_percentage: 100, interval: 1s");
        // 4,900 / 10 proxies / 10 hosts × 1 s = 49.
        let found = finding(&RULE, &set, "rps=4900 mean=5 clients=10 hosts=10");
        assert!(found.message.ends_with("needs 50 requests per host and interval, and a proxy sends 49"));
        assert!(!fires(&RULE, &set, "rps=5000 mean=5 clients=10 hosts=10"));
    }

    #[test]
    fn silent_where_it_is_off() {
        assert!(!fires(&RULE, &cluster(""), "hosts=2"));
        assert!(!fires(&RULE, &cluster("enforcing_failure_percentage: 100"), ""));
    }
}
