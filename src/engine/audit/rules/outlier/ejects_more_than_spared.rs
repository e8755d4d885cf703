//! `HR411 ejects-more-than-spared`: the hosts that are left cannot carry the peak.

use super::detection::{Detection, default_end};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding};
use crate::engine::phrases;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display::{count, number};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR411",
        name: "ejects-more-than-spared",
        severity: Severity::Warning,
        summary: "`max_ejection_percent` lets go hosts that the others cannot stand in for",
        rationale: "The load of an ejected host goes to the others. If that brings them over what they survive, the \
                    next one fails and is ejected too, and so on until panic or the last host: a cascade that one bad \
                    host started.",
        sources: &["our rule: rps × burst × mean / (hosts − k) ≤ host_concurrency"],
    },
    check: Check::Cluster(check),
};

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    of_cluster(cx).into_iter().collect()
}

fn of_cluster(cx: &ClusterCx<'_>) -> Option<Finding> {
    let d = Detection::of(cx).filter(|d| d.active().next().is_some())?;
    let traffic = cx.traffic()?;
    let (hosts, survives) = (traffic.scenario.hosts, traffic.scenario.host_concurrency?);
    let out = d.most_out(hosts);
    let left = hosts.checked_sub(out).filter(|left| *left > 0 && out > 0)?;
    let peak = traffic.sizing.load.fleet_concurrency_at_peak.0;
    let each = peak / f64::from(left);
    // Hosts that cannot carry the peak together are a matter of capacity, not of ejections.
    if each <= survives || peak / f64::from(hosts) > survives {
        return None;
    }
    let cap = &d.set.max_ejection_percent;
    let finding = RULE
        .meta
        .found(
            &["max_ejection_percent", "host_concurrency"],
            d.place(cap),
            format!(
                "`max_ejection_percent` {}{} lets {out} of {} hosts go, more than can be spared",
                cap.value,
                default_end(cap),
                count(f64::from(hosts)),
            ),
        )
        .consequence(format!(
            "the peak of {} in flight puts {} on each of the {} left, and a host survives {}: the next one fails and is \
             ejected too",
            number(peak),
            number(each),
            phrases::hosts(left),
            phrases::capacity(survives),
        ))
        .help(match d.recommended() {
            Some(r) => format!("set `max_ejection_percent` to {}", r.max_ejection_percent),
            None => "no host can be spared: add hosts, or leave outlier detection out".to_owned(),
        })
        .maybe_fix(d.recommended_cap());
    Some(finding)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn cluster(percent: u32) -> String {
        format!("name: a\nconnect_timeout: 1s\noutlier_detection: {{max_ejection_percent: {percent}}}\n")
    }

    // 500 × 0.04 = 20 in flight over ten hosts.
    const LOAD: &str = "rps=500 mean=40 clients=1 burst=1 skew=1 hosts=10";

    #[test]
    fn fires_with_the_load_on_those_left() {
        let found = finding(&RULE, &cluster(50), &format!("{LOAD} host_concurrency=3.9"));
        assert_eq!(found.message, "`max_ejection_percent` 50 lets 5 of 10 hosts go, more than can be spared");
        assert!(
            found.consequence.contains("20 in flight puts 4 on each of the five hosts left"),
            "{}",
            found.consequence
        );
    }

    #[test]
    fn silent_where_they_just_carry_it() {
        assert!(!fires(&RULE, &cluster(50), &format!("{LOAD} host_concurrency=4")));
        assert!(!fires(&RULE, &cluster(40), &format!("{LOAD} host_concurrency=3.9")));
    }

    #[test]
    fn panic_bounds_what_is_out() {
        // Below half panic sends traffic to all ten again.
        assert!(!fires(&RULE, &cluster(100), &format!("{LOAD} host_concurrency=4")));
        let off = format!("{}common_lb_config: {{healthy_panic_threshold: {{value: 0}}}}\n", cluster(90));
        let found = finding(&RULE, &off, &format!("{LOAD} host_concurrency=4"));
        assert!(found.consequence.contains("puts 20 on each of the one host left"), "{}", found.consequence);
    }

    #[test]
    fn silent_where_nothing_is_known_or_all_are_too_few() {
        assert!(!fires(&RULE, &cluster(50), LOAD));
        assert!(!fires(&RULE, &cluster(50), &format!("{LOAD} host_concurrency=1.9")));
        assert!(!fires(&RULE, &cluster(50), "hosts=10 host_concurrency=1"));
    }
}
