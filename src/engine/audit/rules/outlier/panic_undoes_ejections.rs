//! `HR409 panic-undoes-ejections`: ejections that the cap allows set in panic.

use super::detection::{COUNTS_AFTER, Detection, default_end, ejectable, healthy_percent, percent};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding, Fix, Setting, Value};
use crate::engine::params::ParamId;
use crate::engine::phrases;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::scenario::EnvoyVersion;
use crate::engine::units::Percent;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR409",
        name: "panic-undoes-ejections",
        severity: Severity::Warning,
        summary: "`max_ejection_percent` lets go more hosts than the panic threshold bears",
        rationale: "When the share of healthy hosts is below the panic threshold, Envoy ignores ejections and health \
                    and sends traffic to all hosts evenly, the failing ones included. A cap above 100 minus the \
                    threshold therefore ends with no host ejected at all.",
        sources: &[
            "measured on Envoy 1.40: of 4 hosts, 2 out at 50% is no panic, 3 out is",
            "envoy: config.cluster.v3.Cluster.CommonLbConfig.healthy_panic_threshold",
        ],
    },
    check: Check::Cluster(check),
};

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    let Some(d) = Detection::of(cx).filter(|d| d.active().next().is_some()) else { return Vec::new() };
    match cx.facts.hosts {
        Some(hosts) if hosts > 1 => of_hosts(&d, hosts),
        Some(_) => None,
        None => unknown(&d),
    }
    .into_iter()
    .collect()
}

fn of_hosts(d: &Detection<'_>, hosts: u32) -> Option<Finding> {
    let first = d.first_panic(hosts)?;
    // What only an old release does is said elsewhere.
    let new = ejectable(d.set.max_ejection_percent.value, hosts, EnvoyVersion::NEWEST);
    if d.cx.facts.envoy_version < COUNTS_AFTER && !d.panics(new, hosts) {
        return None;
    }
    let (cap, threshold) = (&d.set.max_ejection_percent, &d.cx.effective.healthy_panic_threshold);
    let message = format!(
        "`max_ejection_percent` {}{} lets {} of {hosts} hosts go, and panic undoes it from {first} on",
        cap.value,
        default_end(cap),
        d.ejectable(hosts),
    );
    let finding = RULE
        .meta
        .found(&["max_ejection_percent", "healthy_panic_threshold"], d.place(cap), message)
        // More than half of the hosts failing is no matter of single hosts any more.
        .severity(if 2 * first <= hosts { Severity::Warning } else { Severity::Info })
        .consequence(format!(
            "with {} out, {} of the hosts are healthy, below `healthy_panic_threshold` {}{}: {}",
            phrases::hosts(first),
            percent(healthy_percent(first, hosts)),
            percent(threshold.value.0),
            default_end(threshold),
            fate(d),
        ))
        .help(help(d, first, hosts))
        .maybe_fix(fix(d, hosts));
    Some(finding)
}

/// The cap that is recommended; where panic undoes that one too, a threshold that bears it.
fn fix(d: &Detection<'_>, hosts: u32) -> Option<Fix> {
    let recommended = d.recommended()?;
    let cap = d.recommended_cap();
    let one = u32::from(recommended.always_eject_one_host == Some(true));
    let out = ejectable(recommended.max_ejection_percent, hosts, d.cx.facts.envoy_version).max(one);
    if out == 0 || !d.panics(out, hosts) {
        return cap;
    }
    let bears = Percent(healthy_percent(out, hosts).floor());
    let label = format!("{} → {}", percent(d.panic_percent()), percent(bears.0));
    let fix = Fix::set(label, Setting::HealthyPanicThreshold, Value::Percent(bears));
    let is_new = d.set.max_ejection_percent.value != recommended.max_ejection_percent;
    Some(cap.into_iter().filter(|_| is_new).flat_map(|cap| cap.changes).fold(fix, Fix::and))
}

fn fate(d: &Detection<'_>) -> &'static str {
    if d.cx.effective.fail_traffic_on_panic.value {
        "every request gets a 503 with the flag UH, since `fail_traffic_on_panic` is on"
    } else {
        "all hosts get traffic again, the failing ones too"
    }
}

fn help(d: &Detection<'_>, first: u32, hosts: u32) -> String {
    if first == 1 {
        return format!(
            "set the panic threshold to {} or less, or the first ejection is already in vain",
            percent(healthy_percent(1, hosts).floor())
        );
    }
    let most = 100 * (first - 1) / hosts;
    let percent = d.recommended().map_or(most, |r| r.max_ejection_percent);
    format!("set `max_ejection_percent` to {percent}, or a lower panic threshold")
}

fn unknown(d: &Detection<'_>) -> Option<Finding> {
    let (cap, threshold) = (&d.set.max_ejection_percent, &d.cx.effective.healthy_panic_threshold);
    if 100.0 - f64::from(cap.value) >= threshold.value.0 {
        return None;
    }
    let spared = percent(100.0 - threshold.value.0);
    let message = format!(
        "`max_ejection_percent` {}{} is above the {spared} that panic bears",
        cap.value,
        default_end(cap)
    );
    let finding = RULE
        .meta
        .found(&["max_ejection_percent", "healthy_panic_threshold"], d.place(cap), message)
        .severity(Severity::Info)
        .consequence(format!(
            "once more than {spared} of the hosts are out, fewer than `healthy_panic_threshold` {}{} are healthy: {}",
            percent(threshold.value.0),
            default_end(threshold),
            fate(d),
        ))
        .help(format!("set `max_ejection_percent` to {spared} or less"))
        .asks(ParamId::Hosts);
    Some(finding)
}

#[cfg(test)]
mod tests {
    use super::{Percent, RULE, Setting, Value};
    use crate::engine::audit::Change;
    use crate::engine::audit::rules::tests::{finding, fires};
    use crate::engine::rules::Severity;

    fn cluster(percent: u32, threshold: f64) -> String {
        format!(
            "name: a\nconnect_timeout: 1s\noutlier_detection: {{max_ejection_percent: {percent}}}\n\
             common_lb_config: {{healthy_panic_threshold: {{value: {threshold}}}}}\n"
        )
    }

    #[test]
    fn strictly_below_the_threshold() {
        // Measured with four hosts: at 50%, two out is no panic and three out is; at 25%, three out is none.
        assert!(!fires(&RULE, &cluster(50, 50.0), "hosts=4"));
        let found = finding(&RULE, &cluster(75, 50.0), "hosts=4");
        assert_eq!(
            found.message,
            "`max_ejection_percent` 75 lets 3 of 4 hosts go, and panic undoes it from 3 on"
        );
        assert!(found.consequence.contains("25% of the hosts are healthy, below"), "{}", found.consequence);
        assert_eq!(found.severity, Severity::Info);
        assert!(!fires(&RULE, &cluster(75, 25.0), "hosts=4"));
        assert!(fires(&RULE, &cluster(75, 25.1), "hosts=4"));
    }

    #[test]
    fn warns_where_the_first_ejection_is_in_vain() {
        let found = finding(&RULE, &cluster(34, 70.0), "hosts=3");
        assert_eq!(found.severity, Severity::Warning);
        assert!(found.help.contains("66% or less"), "{}", found.help);
    }

    #[test]
    fn the_threshold_gives_way_where_no_cap_would_do() {
        // One of two hosts out leaves half of them.
        let found = finding(&RULE, &cluster(50, 99.0), "hosts=2 rps=500 mean=40");
        let fix = found.fix.unwrap();
        assert_eq!(fix.label, "99% → 50%");
        assert_eq!(fix.changes, [Change::Set(Setting::HealthyPanicThreshold, Value::Percent(Percent(50.0)))]);
    }

    #[test]
    fn silent_with_panic_off_and_with_one_host() {
        assert!(!fires(&RULE, &cluster(100, 0.0), "hosts=4"));
        assert!(!fires(&RULE, &cluster(100, 50.0), "hosts=1"));
    }

    #[test]
    fn without_the_number_of_hosts_the_shares_speak() {
        assert!(!fires(&RULE, &cluster(50, 50.0), ""));
        let found = finding(&RULE, &cluster(51, 50.0), "");
        assert_eq!(found.message, "`max_ejection_percent` 51 is above the 50% that panic bears");
    }
}
