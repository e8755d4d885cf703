//! `HR401 cap-below-one-host`: `max_ejection_percent` can never eject.

use super::detection::{COUNTS_FIRST, Detection, default_end, default_mark, ejectable, hosts_needed};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding, Fix, Setting, Value};
use crate::engine::params::ParamId;
use crate::engine::read::config::Dialect;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display::count;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR401",
        name: "cap-below-one-host",
        severity: Severity::Warning,
        summary: "`max_ejection_percent` is below one host, so nothing is ever ejected",
        rationale: "A host is ejected only if it and those already out are no more than `max_ejection_percent` of all \
                    hosts. Below that share even the first one stays in, however often it fails. Until 1.27 the first \
                    host went in any case; an upgrade switches such a detection off without a word.",
        sources: &[
            "measured on Envoy 1.40: 9 hosts at 10% eject none, 10 hosts one; 2 hosts at 49% none, at 50% one",
            "envoy: release notes of 1.28, max_ejection_percent",
        ],
    },
    check: Check::Cluster(check),
};

/// Up to so many hosts a cap that needs them was chosen with them in mind: 34% is one of three.
const SMALL: u32 = 3;

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    let Some(d) = Detection::of(cx).filter(|d| d.active().next().is_some()) else { return Vec::new() };
    match cx.facts.hosts {
        // One host is a matter of its own.
        Some(1) => None,
        Some(hosts) => below_one(&d, hosts),
        None => unknown(&d),
    }
    .into_iter()
    .collect()
}

fn below_one(d: &Detection<'_>, hosts: u32) -> Option<Finding> {
    let cap = &d.set.max_ejection_percent;
    if d.ejectable(hosts) > 0 {
        return None;
    }
    let message = format!("`max_ejection_percent` {}{} can never eject", cap.value, default_mark(cap));
    let before = if ejectable(cap.value, hosts, RELEASE_BEFORE) > 0 && cap.value > 0 {
        format!("; Envoy before {COUNTS_FIRST} ejected one all the same")
    } else {
        String::new()
    };
    let finding = RULE
        .meta
        .found(&["max_ejection_percent"], d.place(cap), message)
        .consequence(format!(
            "{}% of {} hosts is less than one host: whichever fails stays in and keeps its share of the traffic{before}",
            cap.value,
            count(f64::from(hosts)),
        ))
        .help(help(d, hosts))
        .maybe_fix(fix(d, hosts));
    Some(finding)
}

/// The release before the cap held for the first host too.
const RELEASE_BEFORE: crate::engine::scenario::EnvoyVersion =
    crate::engine::scenario::EnvoyVersion { minor: COUNTS_FIRST.minor - 1 };

fn help(d: &Detection<'_>, hosts: u32) -> String {
    match (d.cx.traffic(), d.recommended()) {
        (Some(_), None) => {
            "no host can be spared: leave outlier detection out, or add hosts until one can go".to_owned()
        }
        (_, Some(r)) => format!("set `max_ejection_percent` to {}", r.max_ejection_percent),
        (None, None) => {
            format!("set `max_ejection_percent` to {}{}", 100u32.div_ceil(hosts.max(1)), always_one(d))
        }
    }
}

fn always_one(d: &Detection<'_>) -> &'static str {
    match d.cx.dialect() {
        Dialect::Envoy => " or more, or `always_eject_one_host` from 1.31 on",
        Dialect::EnvoyGateway => " or more, or `alwaysEjectOneEndpoint`",
        _ => " or more",
    }
}

/// Without traffic: the least that lets one host go.
fn fix(d: &Detection<'_>, hosts: u32) -> Option<Fix> {
    if d.cx.traffic().is_some() {
        return d.recommended_cap();
    }
    let least = 100u32.div_ceil(hosts.max(1));
    let label = format!("{} → {least}", d.set.max_ejection_percent.value);
    Some(Fix::set(label, Setting::MaxEjectionPercent, Value::Count(u64::from(least))))
}

fn unknown(d: &Detection<'_>) -> Option<Finding> {
    let cap = &d.set.max_ejection_percent;
    if d.ejectable(1) > 0 || d.ejectable(SMALL) > 0 {
        return None;
    }
    let Some(needed) = hosts_needed(cap.value) else { return Some(zero(d)) };
    let message = format!(
        "`max_ejection_percent` {}{} ejects from {} hosts on",
        cap.value,
        default_mark(cap),
        count(f64::from(needed))
    );
    let finding = RULE
        .meta
        .found(&["max_ejection_percent"], d.place(cap), message)
        .severity(Severity::Info)
        .consequence(
            "with fewer hosts nothing is ever ejected, and a host that fails keeps its share of the traffic",
        )
        .help("say how many hosts there are, or set a percentage that is one host or more")
        .asks(ParamId::Hosts);
    Some(finding)
}

/// Zero ejects none of any number of hosts.
fn zero(d: &Detection<'_>) -> Finding {
    let cap = &d.set.max_ejection_percent;
    RULE.meta
        .found(&["max_ejection_percent"], d.place(cap), "`max_ejection_percent` 0 can never eject")
        .consequence("outlier detection counts failures and takes no host out, whatever their number")
        .help(format!("set a percentage that is one host or more{}", default_end(cap)))
        .asks(ParamId::Hosts)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};
    use crate::engine::audit::{Change, Setting, Value};
    use crate::engine::rules::Severity;

    fn cluster(outlier: &str) -> String {
        format!("name: shop\nconnect_timeout: 1s\noutlier_detection: {{{outlier}}}\n")
    }

    #[test]
    fn fires_with_the_share_of_one_host() {
        let found = finding(&RULE, &cluster("max_ejection_percent: 5"), "hosts=10");
        assert_eq!(found.message, "`max_ejection_percent` 5 can never eject");
        assert!(found.consequence.contains("5% of 10 hosts is less than one host"), "{}", found.consequence);
        assert_eq!((found.severity, found.at.line()), (Severity::Warning, 3));
        let change = Change::Set(Setting::MaxEjectionPercent, Value::Count(10));
        assert_eq!(found.fix.unwrap().changes, [change]);
    }

    #[test]
    fn measured_boundaries() {
        for (percent, hosts, bad) in [(10, 10, false), (10, 9, true), (50, 2, false), (49, 2, true)] {
            let text = cluster(&format!("max_ejection_percent: {percent}"));
            assert_eq!(fires(&RULE, &text, &format!("hosts={hosts}")), bad, "{percent}% of {hosts}");
        }
    }

    #[test]
    fn follows_the_release_and_the_switch_for_one_host() {
        // The default of 10.
        assert!(fires(&RULE, &cluster(""), "hosts=3 envoy_version=1.28"));
        assert!(!fires(&RULE, &cluster(""), "hosts=3 envoy_version=1.27"));
        assert!(!fires(&RULE, &cluster("always_eject_one_host: true"), "hosts=3 envoy_version=1.31"));
        assert!(fires(&RULE, &cluster("always_eject_one_host: true"), "hosts=3 envoy_version=1.30"));
        let found = finding(&RULE, &cluster(""), "hosts=3");
        assert!(found.message.contains("10, a default,"), "{}", found.message);
        assert!(found.consequence.contains("before 1.28 ejected one"), "{}", found.consequence);
    }

    #[test]
    fn says_from_how_many_hosts_on_it_works() {
        let found = finding(&RULE, &cluster("max_ejection_percent: 30"), "");
        assert_eq!(found.message, "`max_ejection_percent` 30 ejects from 4 hosts on");
        assert_eq!(found.severity, Severity::Info);
        assert!(!fires(&RULE, &cluster("max_ejection_percent: 34"), ""));
        let zero = finding(&RULE, &cluster("max_ejection_percent: 0"), "");
        assert_eq!(
            (zero.message.as_str(), zero.severity),
            ("`max_ejection_percent` 0 can never eject", Severity::Warning)
        );
    }

    #[test]
    fn recommends_what_the_traffic_allows() {
        // Ten hosts at 64 each: 500 × 0.04 × 2 are 40 in flight, so three may go.
        let asked = "rps=500 mean=40 clients=100 hosts=10 host_concurrency=64";
        let fix = finding(&RULE, &cluster("max_ejection_percent: 5"), asked).fix.unwrap();
        assert_eq!(fix.label, "5 → 30");
        // One host of two survives 10, and the peak takes 20.
        let none = "rps=500 mean=40 clients=1 hosts=2 host_concurrency=10 burst=1 skew=1";
        let found = finding(&RULE, &cluster(""), none);
        assert_eq!(found.fix.unwrap().label, "Leave it out");
    }
}
