//! `HR416 split-hides-hanging-hosts`: split errors never count timeouts that come one by one.

use super::detection::Detection;
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Change, ClusterCx, Finding, Fix, Setting, Value};
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display::count;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR416",
        name: "split-hides-hanging-hosts",
        severity: Severity::Warning,
        summary: "with split errors a host that hangs can stay in, since its timeouts do not add up",
        rationale: "With `split_external_local_origin_errors` timeouts and resets are failures of local origin and no \
                    504 any more. But each request that gets a connection first reports a success of local origin and \
                    sets that count to zero, so that timeouts one after another never reach the threshold; refused \
                    connections do.",
        sources: &[
            "measured on Envoy 1.40: 6 timeouts or resets in a row are 0 ejections, 6 refused connections 2",
        ],
    },
    check: Check::Cluster(check),
};

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    let Some(d) = Detection::of(cx) else { return Vec::new() };
    let split = &d.set.split_external_local_origin_errors;
    if !split.value || cx.config.carries_tcp || d.active().next().is_none() {
        return Vec::new();
    }
    let run = d.set.consecutive_local_origin_failure.value;
    let finding = RULE
        .meta
        .found(
            &["split_external_local_origin_errors", "consecutive_local_origin_failure"],
            d.place(split),
            format!(
                "with split errors a host that hangs stays in: {} timeouts one after another are never counted",
                count(f64::from(run.max(1)))
            ),
        )
        .consequence(
            "each request that gets a connection sets the count of local failures to zero, and its timeout is no 504 \
             any more; only refused connections and timeouts at the same moment add up",
        )
        .help("leave `split_external_local_origin_errors` out: timeouts then count as 504 and resets as 503")
        .fix(fix(&d));
    vec![finding]
}

/// Together: what splits them, and what only means something while they are split.
fn fix(d: &Detection<'_>) -> Fix {
    let local = [
        (d.text.consecutive_local_origin_failure.is_some(), Setting::ConsecutiveLocalOriginFailure),
        (
            d.text.enforcing_consecutive_local_origin_failure.is_some(),
            Setting::EnforcingConsecutiveLocalOriginFailure,
        ),
        (d.text.enforcing_local_origin_success_rate.is_some(), Setting::EnforcingLocalOriginSuccessRate),
    ];
    let together =
        Fix::set("Count them together", Setting::SplitExternalLocalOriginErrors, Value::Flag(false));
    let written = local.into_iter().filter(|(written, _)| *written);
    written.fold(together, |fix, (_, setting)| fix.and(Change::Clear(setting)))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn cluster(outlier: &str) -> String {
        format!("name: a\nconnect_timeout: 1s\noutlier_detection: {{{outlier}}}\n")
    }

    #[test]
    fn fires_on_the_switch() {
        let set = "split_external_local_origin_errors: true, consecutive_local_origin_failure: 3";
        let found = finding(&RULE, &cluster(set), "");
        assert!(found.message.contains("3 timeouts one after another"), "{}", found.message);
        assert_eq!(found.fix.unwrap().changes.len(), 2);
    }

    #[test]
    fn silent_without_it() {
        assert!(!fires(&RULE, &cluster(""), ""));
        assert!(!fires(&RULE, &cluster("split_external_local_origin_errors: false"), ""));
    }
}
