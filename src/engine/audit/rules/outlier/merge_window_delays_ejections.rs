//! `HR425 merge-window-delays-ejections`: ejections take effect late.

use super::detection::Detection;
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Change, ClusterCx, Finding, Fix, Setting};
use crate::engine::envoy::defaults;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::Millis;
use crate::engine::units::display::{count, millis};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR425",
        name: "merge-window-delays-ejections",
        severity: Severity::Warning,
        summary: "`update_merge_window` holds back ejections that follow one another",
        rationale: "Changes of health within the merge window of the one before wait until it has passed: the first \
                    ejection acts at once, the next ones late. An ejected host keeps its traffic until then. The default \
                    of a second is a balance; a longer window makes outlier detection as slow as itself.",
        sources: &[
            "measured on Envoy 1.40: three bad hosts, 32 errors with the default of 1 s, 3 with 0 s",
            "envoy: config.cluster.v3.Cluster.CommonLbConfig.update_merge_window",
        ],
    },
    check: Check::Cluster(check),
};

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    let Some(d) = Detection::of(cx).filter(|d| d.active().next().is_some()) else { return Vec::new() };
    let window = &cx.effective.update_merge_window;
    if window.value <= defaults::UPDATE_MERGE_WINDOW.0 {
        return Vec::new();
    }
    let finding = RULE
        .meta
        .found(
            &["update_merge_window"],
            d.place(window),
            format!("`update_merge_window` {} holds ejections back", millis(window.value)),
        )
        .consequence(format!(
            "a second host that is ejected within {} of the first keeps its traffic until then{}",
            millis(window.value),
            failing(cx, window.value),
        ))
        .help(format!("leave it out: the default is {}", millis(defaults::UPDATE_MERGE_WINDOW.0)))
        .fix(Fix::new("Leave it out", Change::Clear(Setting::UpdateMergeWindow)));
    vec![finding]
}

/// What a dead host is sent meanwhile by all proxies.
fn failing(cx: &ClusterCx<'_>, window: Millis) -> String {
    cx.traffic().map_or_else(String::new, |traffic| {
        let s = &traffic.scenario;
        let sent = s.rps.arrivals_in(window) / f64::from(s.hosts);
        format!(", up to {} requests", count(sent.ceil()))
    })
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn cluster(window: &str) -> String {
        format!(
            "name: a\nconnect_timeout: 1s\noutlier_detection: {{}}\ncommon_lb_config: {{update_merge_window: {window}}}\n"
        )
    }

    #[test]
    fn fires_above_the_default_with_what_is_sent_meanwhile() {
        // 500 / 10 × 10 s.
        let found = finding(&RULE, &cluster("10s"), "rps=500 mean=40 hosts=10 clients=100");
        assert!(found.consequence.ends_with("up to 500 requests"), "{}", found.consequence);
        assert!(fires(&RULE, &cluster("1.001s"), ""));
    }

    #[test]
    fn silent_at_the_default_and_without_ejections() {
        assert!(!fires(&RULE, &cluster("1s"), ""));
        assert!(!fires(&RULE, &cluster("10s").replace("outlier_detection: {}", "type: STATIC"), ""));
    }
}
