//! `HR417 local-origin-without-split`: settings for local failures that are not split off.

use super::detection::Detection;
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Change, ClusterCx, Finding, Fix, Setting};
use crate::engine::read::config::Dialect;
use crate::engine::read::{Place, Setting as Written};
use crate::engine::rules::{RuleMeta, Severity};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR417",
        name: "local-origin-without-split",
        severity: Severity::Warning,
        summary: "settings for failures of local origin have no effect while errors are not split",
        rationale: "Unless `split_external_local_origin_errors` is on, timeouts, resets and failed connects count as 504 \
                    and 503 with all other answers, and the detectors of local origin see nothing. Their thresholds are \
                    accepted and ignored.",
        sources: &["envoy: config.cluster.v3.OutlierDetection.consecutive_local_origin_failure"],
    },
    check: Check::Cluster(check),
};

// Its number is what is written; nothing follows from it.
fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    let Some(d) = Detection::of(cx) else { return Vec::new() };
    if d.set.split_external_local_origin_errors.value {
        return Vec::new();
    }
    let written = written(&d);
    let Some(((field, value, at, _), rest)) = written.split_first() else { return Vec::new() };
    let fix = Fix::new("Leave it out", Change::Clear(written[0].3));
    let fix = rest.iter().fold(fix, |fix, (_, _, _, setting)| fix.and(Change::Clear(*setting)));
    let finding = RULE
        .meta
        .found(
            &[field, "split_external_local_origin_errors"],
            at,
            format!("`{field}` {value} has no effect: `split_external_local_origin_errors` is off"),
        )
        .consequence(
            "timeouts, resets and failed connects count as 504 and 503 for `consecutive_5xx` and \
             `consecutive_gateway_failure`",
        )
        .help("leave it out: split, timeouts one after another would not be counted at all")
        .fix(fix);
    let more = |f: Finding, (_, _, at, _): &Row<'_>| f.related("no effect either", at);
    vec![rest.iter().fold(finding, more)]
}

type Row<'a> = (&'static str, u32, &'a Place, Setting);

fn written<'a>(d: &Detection<'a>) -> Vec<Row<'a>> {
    let row = |field, of: &'a Written<u32>, setting| of.as_ref().map(|n| (field, n.value, &n.at, setting));
    let t = d.text;
    let threshold = row(
        "consecutive_local_origin_failure",
        &t.consecutive_local_origin_failure,
        Setting::ConsecutiveLocalOriginFailure,
    );
    // Other programs write the percentages themselves.
    let own = d.cx.dialect() == Dialect::Envoy;
    let enforcing = row(
        "enforcing_consecutive_local_origin_failure",
        &t.enforcing_consecutive_local_origin_failure,
        Setting::EnforcingConsecutiveLocalOriginFailure,
    );
    let rate = row(
        "enforcing_local_origin_success_rate",
        &t.enforcing_local_origin_success_rate,
        Setting::EnforcingLocalOriginSuccessRate,
    );
    // A zero only says what is so anyway.
    let percentages = [enforcing, rate].into_iter().filter(|_| own).flatten().filter(|(_, n, ..)| *n > 0);
    threshold.into_iter().chain(percentages).collect()
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn cluster(outlier: &str) -> String {
        format!("name: a\nconnect_timeout: 1s\noutlier_detection: {{{outlier}}}\n")
    }

    #[test]
    fn fires_without_the_switch() {
        let set = "consecutive_local_origin_failure: 2, enforcing_consecutive_local_origin_failure: 100";
        let found = finding(&RULE, &cluster(set), "");
        assert!(
            found.message.starts_with("`consecutive_local_origin_failure` 2 has no effect"),
            "{}",
            found.message
        );
        assert_eq!((found.related.len(), found.fix.unwrap().changes.len()), (1, 2));
    }

    #[test]
    fn silent_with_the_switch_and_for_what_is_off() {
        let split = "consecutive_local_origin_failure: 2, split_external_local_origin_errors: true";
        assert!(!fires(&RULE, &cluster(split), ""));
        assert!(!fires(&RULE, &cluster("enforcing_local_origin_success_rate: 0"), ""));
        assert!(!fires(&RULE, &cluster("consecutive_5xx: 2"), ""));
    }
}
