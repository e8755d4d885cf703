//! `HR428 failing-hosts-stay`: several hosts and no outlier detection.

use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Change, ClusterCx, Finding, Fix, Setting, Value};
use crate::engine::envoy::model;
use crate::engine::read::config::Dialect;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::Share;
use crate::engine::units::display::{count, share};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR428",
        name: "failing-hosts-stay",
        severity: Severity::Info,
        summary: "there are several hosts and no outlier detection, so a failing one stays in",
        rationale: "Without `outlier_detection` Envoy looks at no answer: a host that fails keeps its share of the \
                    traffic, and one that fails fast gets more than that under least-request balancing. Health checks \
                    of the platform see a dead host late and a half-broken one never.",
        sources: &["envoy: config.cluster.v3.Cluster.outlier_detection, off by default"],
    },
    check: Check::Cluster(check),
};

/// Programs in whose resources outlier detection can be written.
const ABLE: [Dialect; 6] =
    [Dialect::Envoy, Dialect::Istio, Dialect::EnvoyGateway, Dialect::Kuma, Dialect::Consul, Dialect::AppMesh];

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    of_cluster(cx).into_iter().collect()
}

fn of_cluster(cx: &ClusterCx<'_>) -> Option<Finding> {
    let hosts = cx.facts.hosts.filter(|hosts| *hosts > 1)?;
    // Of many clusters only those whose hosts are listed: what was asked is hardly about each of them.
    if cx.config.hosts().is_none() && cx.configuration.clusters.len() > 1 {
        return None;
    }
    let absent = cx.config.outlier_detection.is_none() && cx.config.origin.patch.is_none();
    let can_be_written = ABLE.contains(&cx.dialect()) && !cx.config.carries_tcp;
    // Where none can be spared, none is what we would set.
    let wanted = cx.traffic().is_none_or(|traffic| traffic.sizing.outlier.is_some());
    if !absent || !can_be_written || !wanted {
        return None;
    }
    let finding = RULE
        .meta
        .found(
            &["outlier_detection"],
            &cx.config.origin.block,
            format!("no outlier detection: a failing host of {} stays in", count(f64::from(hosts))),
        )
        .consequence(format!(
            "{} of the requests go on failing while one host does",
            share(Share(1.0 / f64::from(hosts)))
        ))
        .help("add `outlier_detection` that ejects after a few gateway failures in a row")
        .maybe_fix(cx.traffic().and_then(|t| t.sizing.outlier.as_ref()).and_then(|r| fix(r, cx.dialect())));
    Some(finding)
}

/// The recommended block, field by field.
fn fix(r: &model::OutlierDetection, dialect: Dialect) -> Option<Fix> {
    use Setting as S;
    let count = |n: u32| Value::Count(u64::from(n));
    let add = Fix::set("Add it", S::ConsecutiveGatewayFailure, count(r.consecutive_gateway_failure));
    let times = [
        (S::OutlierInterval, Value::Duration(r.interval.0)),
        (S::BaseEjectionTime, Value::Duration(r.base_ejection_time.0)),
        (S::MaxEjectionPercent, count(r.max_ejection_percent)),
    ];
    let enforced = [
        (S::EnforcingConsecutiveGatewayFailure, count(r.enforcing_consecutive_gateway_failure)),
        (S::EnforcingConsecutive5xx, count(r.enforcing_consecutive_5xx)),
        (S::EnforcingSuccessRate, count(r.enforcing_success_rate)),
    ];
    let one = r.always_eject_one_host.map(|one| (S::AlwaysEjectOneHost, Value::Flag(one)));
    let changes: Vec<_> = match dialect {
        Dialect::Envoy => times.into_iter().chain(enforced).chain(one).collect(),
        // What counts is enforced there, and zero is off.
        Dialect::Istio if one.is_none() => {
            times.into_iter().chain([(S::Consecutive5xx, Value::Count(0))]).collect()
        }
        _ => return None,
    };
    Some(changes.into_iter().fold(add, |fix, (setting, value)| fix.and(Change::Set(setting, value))))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    const CLUSTER: &str = "name: a\nconnect_timeout: 1s\n";

    #[test]
    fn fires_with_several_hosts() {
        let found = finding(&RULE, CLUSTER, "hosts=4");
        assert_eq!(found.message, "no outlier detection: a failing host of 4 stays in");
        assert!(found.consequence.starts_with("25% of the requests"), "{}", found.consequence);
        assert_eq!(found.fix, None);
    }

    #[test]
    fn adds_what_we_recommend() {
        let fix = finding(&RULE, CLUSTER, "hosts=10 rps=500 mean=40 clients=100").fix.unwrap();
        assert_eq!(fix.changes.len(), 7);
    }

    #[test]
    fn silent_with_one_host_or_none_to_spare() {
        assert!(!fires(&RULE, CLUSTER, "hosts=1"));
        assert!(!fires(&RULE, CLUSTER, ""));
        assert!(!fires(&RULE, &format!("{CLUSTER}outlier_detection: {{}}\n"), "hosts=4"));
        assert!(!fires(
            &RULE,
            CLUSTER,
            "hosts=2 rps=500 mean=40 clients=1 host_concurrency=10 burst=1 skew=1"
        ));
    }
}
