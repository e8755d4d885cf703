//! `HR422 detection-too-slow`: a proxy sees too little of a host to judge it soon.

use super::detection::{Detection, default_end};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding, Fix, Value};
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::Millis;
use crate::engine::units::display::{count, millis};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR422",
        name: "detection-too-slow",
        severity: Severity::Info,
        summary: "at this volume a proxy takes minutes to see enough failures of a host",
        rationale: "Each proxy judges alone, from the requests it sends to a host itself. Where that is one in many \
                    seconds, a run of failures takes long, and until every proxy has had its run the host goes on \
                    failing requests.",
        sources: &["envoy: outlier detection keeps its state per process"],
    },
    check: Check::Cluster(check),
};

/// Our choice: after a minute active health checks and people have seen it too.
const SLOW: Millis = Millis(60_000.0);

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    of_cluster(cx).into_iter().collect()
}

fn of_cluster(cx: &ClusterCx<'_>) -> Option<Finding> {
    let d = Detection::of(cx)?;
    let traffic = cx.traffic()?;
    let hosts = traffic.scenario.hosts;
    let run = d.shortest_run().filter(|_| hosts > 1 && d.ejectable(hosts) > 0)?;
    let threshold = run.threshold?;
    let rate = traffic.sizing.ejection.rate_per_host;
    let takes = Millis::from_secs(f64::from(threshold.value) / rate.0);
    if takes <= SLOW {
        return None;
    }
    let shorter = d.recommended().map(|r| r.consecutive_gateway_failure).filter(|k| *k < threshold.value);
    let fix = run.setting.zip(shorter).map(|(setting, k)| {
        Fix::set(format!("{} → {k}", threshold.value), setting, Value::Count(u64::from(k)))
    });
    let failures = f64::from(traffic.scenario.clients) * f64::from(threshold.value);
    let finding = RULE
        .meta
        .found(
            &[run.field],
            d.place(threshold),
            format!(
                "`{}` {}{} takes a proxy {}: it sends one request every {} to each host",
                run.field,
                threshold.value,
                default_end(threshold),
                millis(takes),
                millis(Millis::from_secs(1.0 / rate.0)),
            ),
        )
        .consequence(format!(
            "about {} requests fail until every proxy has ejected a dead host",
            count(failures)
        ))
        .help("check the hosts actively (`health_checks`), which does not depend on traffic")
        .maybe_fix(fix);
    Some(finding)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn cluster(run: u32) -> String {
        format!(
            "name: a\nconnect_timeout: 1s\noutlier_detection: {{consecutive_5xx: {run}, max_ejection_percent: 30}}\n"
        )
    }

    #[test]
    fn five_failures_at_one_request_in_twenty_seconds() {
        // 500 req/s over 1,000 proxies and 10 hosts: 0.05 a second, 5 in 100 s.
        let found = finding(&RULE, &cluster(5), "rps=500 mean=40 clients=1000 hosts=10");
        assert_eq!(
            found.message,
            "`consecutive_5xx` 5 takes a proxy 100\u{a0}s: it sends one request every 20\u{a0}s to each host"
        );
        assert!(found.consequence.starts_with("about 5,000 requests fail"), "{}", found.consequence);
    }

    #[test]
    fn both_sides_of_a_minute() {
        assert!(!fires(&RULE, &cluster(3), "rps=500 mean=40 clients=1000 hosts=10"));
        assert!(fires(&RULE, &cluster(3), "rps=500 mean=40 clients=1001 hosts=10"));
        assert!(!fires(&RULE, &cluster(5), "clients=1000 hosts=10"));
    }
}
