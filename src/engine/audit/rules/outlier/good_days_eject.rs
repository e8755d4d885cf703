//! `HR421 good-days-eject`: the run of failures is so short that a good day shows it.

use super::detection::{Detection, Detector, default_end};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding, Fix, Value};
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::sizing::outlier_detection::false_per_day;
use crate::engine::units::display::{count, millis, share};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR421",
        name: "good-days-eject",
        severity: Severity::Warning,
        summary: "so few failures in a row eject a host that a good day takes healthy ones out",
        rationale: "At a failure rate p, k failures in a row happen by chance about once in 1 / p^k requests. Every such \
                    run takes a healthy host out for `base_ejection_time` or longer and puts its load on the others. One \
                    failure is no run: a retry, a deploy or a single slow request is enough.",
        sources: &[
            "envoy: outlier_detection.consecutive_5xx, consecutive_gateway_failure",
            "our formula: rps / hosts × error_rate^k × 86,400 s",
        ],
    },
    check: Check::Cluster(check),
};

/// Our choice: more than one in a day is what a team sees in its graphs without a cause.
const TOLERATED_PER_DAY: f64 = 1.0;

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    of_cluster(cx).into_iter().collect()
}

fn of_cluster(cx: &ClusterCx<'_>) -> Option<Finding> {
    let d = Detection::of(cx)?;
    // A cap that lets none go ejects nobody by mistake.
    let may_eject = cx.facts.hosts.is_none_or(|hosts| d.ejectable(hosts) > 0);
    let run = d.shortest_run().filter(|_| may_eject)?;
    let threshold = run.threshold?;
    match cx.traffic() {
        None if threshold.value == 1 => Some(single(&d, &run)),
        None => None,
        Some(traffic) => {
            let enforced = f64::from(run.enforcing.value) / 100.0;
            // A host that is out cannot be ejected again.
            let out_s = d.set.base_ejection_time.value.as_secs().max(1e-3);
            let most = f64::from(traffic.scenario.hosts) / out_s * 86_400.0;
            let per_day = (false_per_day(&traffic.scenario, threshold.value) * enforced).min(most);
            let better = d.recommended().map(|r| r.consecutive_gateway_failure)?;
            (per_day > TOLERATED_PER_DAY && better > threshold.value)
                .then(|| counted(&d, &run, per_day, better))
        }
    }
}

fn found(d: &Detection<'_>, run: &Detector<'_>, message: String) -> Finding {
    let at = run.threshold.map_or(&d.text.block, |t| d.place(t));
    RULE.meta.found(&[run.field], at, message).consequence(format!(
        "each takes a healthy host out for {} or more, and the others carry its load",
        millis(d.set.base_ejection_time.value)
    ))
}

fn single(d: &Detection<'_>, run: &Detector<'_>) -> Finding {
    found(d, run, format!("`{}` 1 ejects a host for a single failure", run.field)).help(format!(
        "set `{}` to 3 or more: fewer in a row is a blip, one request and its retry",
        run.field
    ))
}

fn counted(d: &Detection<'_>, run: &Detector<'_>, per_day: f64, better: u32) -> Finding {
    let value = run.threshold.map_or(0, |t| t.value);
    let error_rate = d.cx.traffic().map(|t| share(t.scenario.error_rate)).unwrap_or_default();
    let message = format!(
        "`{}` {value}{} ejects about {} healthy hosts a day at {error_rate} failures",
        run.field,
        run.threshold.map_or("", default_end),
        count(per_day.ceil()),
    );
    let fix = run
        .setting
        .map(|setting| Fix::set(format!("{value} → {better}"), setting, Value::Count(u64::from(better))));
    found(d, run, message).help(format!("set `{}` to {better}", run.field)).maybe_fix(fix)
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
    fn says_how_many_a_day() {
        // 500 / 10 × 0.001² × 86,400 = 4.32.
        let found = finding(&RULE, &cluster(2), "rps=500 mean=40 hosts=10 clients=100 error_rate=0.001");
        assert_eq!(found.message, "`consecutive_5xx` 2 ejects about 5 healthy hosts a day at 0.1% failures");
        assert!(found.consequence.contains("for 30\u{a0}s or more"), "{}", found.consequence);
        assert_eq!(found.fix.unwrap().label, "2 → 3");
    }

    #[test]
    fn silent_where_the_run_is_long_enough() {
        assert!(!fires(&RULE, &cluster(3), "rps=500 mean=40 hosts=10 clients=100 error_rate=0.001"));
        // 115 / 10 × 1e-6 × 86,400 = 0.99.
        assert!(!fires(&RULE, &cluster(2), "rps=115 mean=40 hosts=10 clients=100 error_rate=0.001"));
        assert!(fires(&RULE, &cluster(2), "rps=117 mean=40 hosts=10 clients=100 error_rate=0.001"));
    }

    #[test]
    fn one_failure_needs_no_number() {
        let found = finding(&RULE, &cluster(1), "");
        assert_eq!(found.message, "`consecutive_5xx` 1 ejects a host for a single failure");
        assert!(!fires(&RULE, &cluster(2), ""));
        assert!(!fires(&RULE, &cluster(0), ""));
        // 30% of two hosts is none.
        assert!(!fires(&RULE, &cluster(1), "hosts=2"));
    }
}
