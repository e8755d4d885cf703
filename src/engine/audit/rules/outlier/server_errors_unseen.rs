//! `HR413 server-errors-unseen`: answers with 500 never eject a host.

use super::detection::Detection;
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding, Fix, Setting, Value};
use crate::engine::read::config::Dialect;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display::count;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR413",
        name: "server-errors-unseen",
        severity: Severity::Warning,
        summary: "only gateway failures eject, so a host that answers 500 stays in",
        rationale: "`consecutive_gateway_failure` counts 502, 503, 504 and what never got an answer. A 500 is none of \
                    them and even starts the count anew. Istio's old `consecutiveErrors` means this detector, whatever \
                    its name says, and switches the one for every 5xx off.",
        sources: &[
            "measured on Envoy 1.40: a 500 resets consecutive_gateway_failure",
            "istio: issues 8846 and 12349, consecutiveErrors",
        ],
    },
    check: Check::Cluster(check),
};

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    of_cluster(cx).into_iter().collect()
}

fn of_cluster(cx: &ClusterCx<'_>) -> Option<Finding> {
    let d = Detection::of(cx).filter(|_| !cx.config.carries_tcp)?;
    let run = &d.set.consecutive_gateway_failure;
    let sees_500 = d.active().any(|a| !a.local && a.field != "consecutive_gateway_failure");
    if sees_500 || !d.is_active("enforcing_consecutive_gateway_failure") {
        return None;
    }
    let misnamed = run.place().is_some_and(|place| place.path.ends_with("consecutiveErrors"));
    // It is what we recommend: a 500 may well be the request's own fault.
    if !misnamed && d.recommended().is_some() {
        return None;
    }
    let n = run.value;
    let finding = RULE
        .meta
        .found(
            &["consecutive_gateway_failure", "enforcing_consecutive_5xx"],
            d.place(run),
            "only 502, 503 and 504 eject a host: one that answers 500 forever stays in",
        )
        .severity(if misnamed { Severity::Warning } else { Severity::Info })
        .consequence(format!(
            "`consecutive_gateway_failure` {}: {}, any number of 500s ejects none",
            count(f64::from(n)),
            answers(n),
        ))
        .help(help(&d))
        .maybe_fix(misnamed.then(|| every_5xx(n)));
    Some(finding)
}

fn answers(n: u32) -> String {
    if n == 1 {
        "one answer of 503 ejects a host".to_owned()
    } else {
        format!("{} answers of 503 in a row eject a host", count(f64::from(n)))
    }
}

fn help(d: &Detection<'_>) -> String {
    match d.cx.dialect() {
        Dialect::Istio => "set `consecutive5xxErrors` if a 500 is the host's fault".to_owned(),
        Dialect::EnvoyGateway => "set `consecutive5XxErrors` if a 500 is the host's fault".to_owned(),
        _ => "enforce `consecutive_5xx` if a 500 is the host's fault".to_owned(),
    }
}

/// What the name promises: as many errors of any kind.
fn every_5xx(n: u32) -> Fix {
    Fix::set("Count every 5xx", Setting::Consecutive5xx, Value::Count(u64::from(n)))
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

    fn cluster(outlier: &str) -> String {
        format!("name: a\nconnect_timeout: 1s\noutlier_detection: {{{outlier}}}\n")
    }

    const GATEWAY: &str = "enforcing_consecutive_5xx: 0, enforcing_success_rate: 0, \
                           enforcing_consecutive_gateway_failure: 100, consecutive_gateway_failure: 3";

    #[test]
    fn a_name_that_misleads_is_a_warning() {
        let found = finding(&RULE, &rule("consecutiveErrors: 1"), "");
        assert!(found.consequence.contains(": one answer of 503 ejects a host"), "{}", found.consequence);
        assert_eq!(
            (found.severity, found.fix.unwrap().label.as_str()),
            (Severity::Warning, "Count every 5xx")
        );
    }

    #[test]
    fn a_choice_is_a_note_unless_it_is_ours() {
        let found = finding(&RULE, &cluster(GATEWAY), "");
        assert!(
            found.consequence.contains(": 3 answers of 503 in a row eject a host"),
            "{}",
            found.consequence
        );
        assert_eq!(found.severity, Severity::Info);
        assert!(!fires(&RULE, &cluster(GATEWAY), "rps=500 mean=40 hosts=10 clients=100"));
    }

    #[test]
    fn silent_where_500s_count() {
        assert!(!fires(&RULE, &rule("consecutive5xxErrors: 5, consecutiveGatewayErrors: 5"), ""));
        assert!(!fires(&RULE, &cluster(""), ""));
        assert!(!fires(&RULE, &cluster(&GATEWAY.replace("success_rate: 0", "success_rate: 100")), ""));
    }
}
