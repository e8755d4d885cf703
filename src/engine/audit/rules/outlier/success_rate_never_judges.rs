//! `HR419 success-rate-never-judges`: too few hosts or requests to compare success rates.

use super::detection::{Detection, TooLittle, default_end};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding, Fix, Setting, Value};
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display::{count, number};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR419",
        name: "success-rate-never-judges",
        severity: Severity::Warning,
        summary: "success rates are to eject hosts, and this cluster is too small for them",
        rationale: "The detector compares the hosts of one interval, and each proxy knows only its own requests. A host \
                    counts from `success_rate_request_volume` on, `success_rate_minimum_hosts` must count, and a lone \
                    failing host of n lies √(n − 1) deviations from the mean: with a factor of 1.9 fewer than five \
                    hosts can never differ enough.",
        sources: &[
            "measured on Envoy 1.40: 4 hosts never, 5 hosts yes; 4 hosts with a factor of 1.7 yes",
            "envoy: config.cluster.v3.OutlierDetection.success_rate_request_volume",
        ],
    },
    check: Check::Cluster(check),
};

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    of_cluster(cx).into_iter().collect()
}

fn of_cluster(cx: &ClusterCx<'_>) -> Option<Finding> {
    let d = Detection::of(cx).filter(|d| d.is_active("enforcing_success_rate"))?;
    let alone = d.active().all(|a| !a.in_a_row && a.enforcing_field != "enforcing_failure_percentage");
    // It is on by default: nobody counts on it who has not named it.
    if !alone && !named(&d) {
        return None;
    }
    let (hosts, volume) = (&d.set.success_rate_minimum_hosts, &d.set.success_rate_request_volume);
    let (why, field) = match d.too_little(hosts.value, volume.value) {
        Some(little @ TooLittle::Hosts(_)) => {
            (little.words(hosts.value, volume.value), "success_rate_minimum_hosts")
        }
        Some(little) => (little.words(hosts.value, volume.value), "success_rate_request_volume"),
        None => (never_far_enough(&d)?, "success_rate_stdev_factor"),
    };
    let at = d.text.enforcing_success_rate.as_ref().map_or(&d.text.block, |e| &e.at);
    let finding = RULE
        .meta
        .found(&["enforcing_success_rate", field], at, format!("success rate never ejects: {why}"))
        .severity(if alone { Severity::Warning } else { Severity::Info })
        .consequence(if alone {
            "no other detector may eject: whichever host fails stays in"
        } else {
            "a host that fails some requests but never several in a row stays in"
        })
        .help("enforce `consecutive_gateway_failure` or `consecutive_5xx`, which need no other host to compare with")
        .maybe_fix((!alone).then(off));
    Some(finding)
}

fn named(d: &Detection<'_>) -> bool {
    let t = d.text;
    [
        &t.enforcing_success_rate,
        &t.success_rate_minimum_hosts,
        &t.success_rate_request_volume,
        &t.success_rate_stdev_factor,
    ]
    .iter()
    .any(|field| field.is_some())
}

/// A lone failing host of n is √(n − 1) deviations away.
fn never_far_enough(d: &Detection<'_>) -> Option<String> {
    let factor = &d.set.success_rate_stdev_factor;
    let hosts = d.cx.facts.hosts.filter(|hosts| *hosts > 0)?;
    let (asked, furthest) = (f64::from(factor.value) / 1000.0, f64::from(hosts - 1).sqrt());
    (furthest <= asked).then(|| {
        format!(
            "one failing host of {} is {} deviations from the mean, and `success_rate_stdev_factor` {}{} asks for more \
             than {}",
            count(f64::from(hosts)),
            number(furthest),
            factor.value,
            default_end(factor),
            number(asked),
        )
    })
}

fn off() -> Fix {
    Fix::set("Leave it off", Setting::EnforcingSuccessRate, Value::Count(0))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};
    use crate::engine::rules::Severity;

    fn cluster(outlier: &str) -> String {
        format!("name: a\nconnect_timeout: 1s\noutlier_detection: {{{outlier}}}\n")
    }

    #[test]
    fn too_few_hosts_where_it_is_alone() {
        let alone = cluster("consecutive_5xx: 0");
        let found = finding(&RULE, &alone, "hosts=4");
        assert_eq!(found.message, "success rate never ejects: it needs 5 hosts and has 4");
        assert_eq!(found.severity, Severity::Warning);
        assert!(!fires(&RULE, &alone, "hosts=5"));
    }

    #[test]
    fn too_few_requests() {
        // 750 / 8 proxies / 10 hosts × 10 s = 93.75.
        let set = cluster("enforcing_success_rate: 100");
        let found = finding(&RULE, &set, "rps=750 mean=5 clients=8 hosts=10");
        assert_eq!(
            found.message,
            "success rate never ejects: it needs 100 requests per host and interval, and a proxy sends 93.8"
        );
        assert_eq!(found.severity, Severity::Info);
        assert!(!fires(&RULE, &set, "rps=800 mean=5 clients=8 hosts=10"));
    }

    #[test]
    fn never_far_enough_from_the_mean() {
        // √3 = 1.73 of four hosts: measured, 1.9 never and 1.7 ejects.
        let set =
            |factor| cluster(&format!("success_rate_minimum_hosts: 3, success_rate_stdev_factor: {factor}"));
        let found = finding(&RULE, &set(1900), "hosts=4");
        assert!(found.message.contains("one failing host of 4 is 1.73 deviations"), "{}", found.message);
        assert!(!fires(&RULE, &set(1700), "hosts=4"));
    }

    #[test]
    fn silent_where_nobody_named_it() {
        assert!(!fires(&RULE, &cluster(""), "hosts=3"));
        assert!(!fires(&RULE, &cluster("enforcing_success_rate: 0"), "hosts=3"));
    }
}
