//! `HR408 one-host-to-eject`: outlier detection with a single host.

use super::detection::{Detection, default_end, leave_out, panic_name, percent};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding};
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display::{count, millis};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR408",
        name: "one-host-to-eject",
        severity: Severity::Warning,
        summary: "outlier detection has a single host, which it cannot replace",
        rationale: "Ejecting the only host leaves none. Below the panic threshold Envoy then ignores the ejection and \
                    sends everything to it as before; with the threshold at zero every request is answered with 503 \
                    and the flag UH until the host is back.",
        sources: &[
            "measured on Envoy 1.40: a single ejected host still gets traffic at 50%, and none at 0",
            "envoy: config.cluster.v3.Cluster.CommonLbConfig.healthy_panic_threshold",
        ],
    },
    check: Check::Cluster(check),
};

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    let Some(d) = Detection::of(cx).filter(|d| d.active().next().is_some()) else { return Vec::new() };
    if cx.facts.hosts != Some(1) {
        return Vec::new();
    }
    let message = format!("outlier detection has 1 host, and {}", what(&d));
    let finding = RULE
        .meta
        .found(&["outlier_detection", "healthy_panic_threshold"], &d.text.block, message)
        .severity(if d.ejectable(1) > 0 { Severity::Warning } else { Severity::Info })
        .consequence(consequence(&d))
        .help(help(&d))
        .fix(leave_out());
    vec![finding]
}

fn what(d: &Detection<'_>) -> String {
    let (threshold, cap) = (&d.cx.effective.healthy_panic_threshold, &d.set.max_ejection_percent);
    if d.ejectable(1) == 0 {
        format!("`max_ejection_percent` {}{} never ejects it", cap.value, default_end(cap))
    } else if d.panics(1, 1) {
        format!(
            "0% healthy is below `healthy_panic_threshold` {}{}",
            percent(threshold.value.0),
            default_end(threshold)
        )
    } else {
        format!("panic is off: `healthy_panic_threshold` 0{}", default_end(threshold))
    }
}

fn help(d: &Detection<'_>) -> String {
    let second = "leave it out and run a second host";
    if d.ejectable(1) > 0 && d.panics(1, 1) {
        format!("{second}, or set {} to 0 if failing fast is wanted", panic_name(d.cx.dialect()))
    } else {
        format!("{second} if the service must outlive one")
    }
}

fn consequence(d: &Detection<'_>) -> String {
    let fails_all = |how: &str| {
        format!(
            "{how}, every request gets a 503 with the flag UH for {} or more",
            millis(d.set.base_ejection_time.value)
        )
    };
    let run = d.shortest_run().and_then(|r| r.threshold).map(|t| t.value);
    let after = run
        .map_or_else(|| "once the host is ejected".to_owned(), |n| format!("after {} in a row", failures(n)));
    if d.ejectable(1) == 0 {
        "it changes nothing: a host that fails keeps all of the traffic".to_owned()
    } else if !d.panics(1, 1) || d.cx.effective.fail_traffic_on_panic.value {
        fails_all(&after)
    } else {
        "the ejection is ignored: every request still reaches the failing host".to_owned()
    }
}

fn failures(n: u32) -> String {
    if n == 1 { "one failure".to_owned() } else { format!("{} failures", count(f64::from(n))) }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};
    use crate::engine::rules::Severity;

    fn cluster(outlier: &str, lb: &str) -> String {
        format!(
            "name: a\nconnect_timeout: 1s\noutlier_detection: {{{outlier}}}\ncommon_lb_config: {{{lb}}}\n"
        )
    }

    #[test]
    fn panic_undoes_the_ejection() {
        let found = finding(&RULE, &cluster("max_ejection_percent: 100", ""), "hosts=1");
        assert!(
            found.message.ends_with("0% healthy is below `healthy_panic_threshold` 50%, a default"),
            "{}",
            found.message
        );
        assert!(found.consequence.contains("still reaches"), "{}", found.consequence);
        assert_eq!(found.severity, Severity::Warning);
    }

    #[test]
    fn without_panic_everything_fails() {
        let off = cluster("max_ejection_percent: 100", "healthy_panic_threshold: {value: 0}");
        let found = finding(&RULE, &off, "hosts=1");
        assert_eq!(
            found.consequence,
            "after 5 failures in a row, every request gets a 503 with the flag UH for 30\u{a0}s or more"
        );
        let fails =
            cluster("max_ejection_percent: 100", "zone_aware_lb_config: {fail_traffic_on_panic: true}");
        assert!(finding(&RULE, &fails, "hosts=1").consequence.contains("503"));
    }

    #[test]
    fn a_cap_that_spares_it_is_a_note() {
        assert_eq!(finding(&RULE, &cluster("", ""), "hosts=1").severity, Severity::Info);
    }

    #[test]
    fn silent_with_two_hosts_or_an_unknown_number() {
        assert!(!fires(&RULE, &cluster("max_ejection_percent: 100", ""), "hosts=2"));
        assert!(!fires(&RULE, &cluster("max_ejection_percent: 100", ""), ""));
    }
}
