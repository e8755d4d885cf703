//! `HR410 panic-off-with-ejections`: most hosts may be ejected, and no panic brings them back.

use super::detection::{Detection, default_end, panic_name};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding};
use crate::engine::rules::{RuleMeta, Severity};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR410",
        name: "panic-off-with-ejections",
        severity: Severity::Warning,
        summary: "all hosts may be ejected while panic is off, and then nothing is served",
        rationale: "With a panic threshold of zero, traffic goes to healthy hosts only, however few they are; with none \
                    left every request gets a 503 and the flag UH. Istio sets the threshold to `minHealthPercent`, by \
                    default 0, as soon as `outlierDetection` is set. The cap counts all hosts of the cluster together, \
                    so that one locality can lose all of its own.",
        sources: &[
            "measured on Envoy 1.40: all hosts ejected with threshold 0: 503, flag UH",
            "istio: minHealthPercent becomes healthy_panic_threshold",
            "envoy: config.cluster.v3.OutlierDetection.max_ejection_percent, over all priorities",
        ],
    },
    check: Check::Cluster(check),
};

/// Up to half may go before a fault of the hosts becomes one of the caller or the network.
const MANY: u32 = 50;

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    let Some(d) = Detection::of(cx).filter(|d| d.active().next().is_some()) else { return Vec::new() };
    let cap = &d.set.max_ejection_percent;
    // A single host is a matter of its own.
    if d.panic_percent() > 0.0 || cap.value <= MANY || cx.facts.hosts == Some(1) {
        return Vec::new();
    }
    let all = cx.facts.hosts.map_or(cap.value >= 100, |hosts| d.ejectable(hosts) >= hosts);
    let threshold = &cx.effective.healthy_panic_threshold;
    let message = format!(
        "`max_ejection_percent` {}{} with panic off: `healthy_panic_threshold` 0{}",
        cap.value,
        default_end(cap),
        default_end(threshold)
    );
    let mut finding = RULE
        .meta
        .found(&["max_ejection_percent", "healthy_panic_threshold"], d.place(cap), message)
        .severity(if all { Severity::Warning } else { Severity::Info })
        .consequence(consequence(&d, all))
        .help(help(&d))
        .maybe_fix(d.recommended().and_then(|_| d.recommended_cap()));
    if let Some(place) = threshold.place() {
        finding = finding.related("panic is switched off here", place);
    }
    vec![finding]
}

fn consequence(d: &Detection<'_>, all: bool) -> String {
    let cap = d.set.max_ejection_percent.value;
    if all {
        return "when all hosts fail for a moment, all are ejected and every request gets a 503 with the flag UH until \
                the first is back"
            .to_owned();
    }
    let left = match d.cx.facts.hosts {
        Some(hosts) => {
            let out = d.ejectable(hosts);
            format!(
                "{} of {hosts} hosts may be out, and the other {} take all of the traffic",
                out,
                hosts - out
            )
        }
        None => format!("the last {}% of the hosts take all of the traffic", 100 - cap),
    };
    format!(
        "{left}; the cap counts the whole cluster, so a locality can lose all of its hosts and answer 503 with the flag UH"
    )
}

fn help(d: &Detection<'_>) -> String {
    let name = panic_name(d.cx.dialect());
    match d.recommended() {
        Some(r) => format!("set `max_ejection_percent` to {}, or {name} above 0", r.max_ejection_percent),
        None => format!(
            "set {name} on purpose, such as 30, and `max_ejection_percent` to what the other hosts can carry"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};
    use crate::engine::rules::Severity;

    fn rule(outlier: &str) -> String {
        format!(
            "apiVersion: networking.istio.io/v1\nkind: DestinationRule\nmetadata: {{name: a}}\nspec:\n  host: a\n  \
             trafficPolicy:\n    outlierDetection: {{{outlier}}}\n"
        )
    }

    #[test]
    fn istio_switches_panic_off() {
        let found = finding(&RULE, &rule("maxEjectionPercent: 100"), "");
        assert_eq!(
            found.message,
            "`max_ejection_percent` 100 with panic off: `healthy_panic_threshold` 0, a default"
        );
        assert!(found.consequence.contains("503 with the flag UH"), "{}", found.consequence);
        assert!(found.help.contains("minHealthPercent"), "{}", found.help);
        assert_eq!(found.severity, Severity::Warning);
    }

    #[test]
    fn a_part_of_the_hosts_is_a_note() {
        let found = finding(&RULE, &rule("maxEjectionPercent: 75"), "hosts=4");
        assert_eq!(found.severity, Severity::Info);
        assert!(found.consequence.starts_with("3 of 4 hosts may be out"), "{}", found.consequence);
    }

    #[test]
    fn silent_up_to_half_and_with_a_threshold() {
        assert!(!fires(&RULE, &rule("maxEjectionPercent: 50"), ""));
        assert!(fires(&RULE, &rule("maxEjectionPercent: 51"), ""));
        assert!(!fires(&RULE, &rule("maxEjectionPercent: 100, minHealthPercent: 30"), ""));
        assert!(!fires(&RULE, &rule("maxEjectionPercent: 100"), "hosts=1"));
    }
}
