//! `HR418 own-refusals-eject`: before Envoy 1.26 a refused request counts as a failure of the host.

use super::detection::{Detection, default_mark};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding};
use crate::engine::phrases;
use crate::engine::queueing::erlang_b;
use crate::engine::read::config::RoutingPriority;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::scenario::EnvoyVersion;
use crate::engine::units::display::count;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR418",
        name: "own-refusals-eject",
        severity: Severity::Warning,
        summary: "before 1.26 requests that a limit refuses eject healthy hosts",
        rationale: "Until a fix of February 2023 Envoy booked its own overflow as a failure of local origin of the host \
                    that the request was for. A limit that refuses in bursts then ejects hosts that never saw the \
                    requests, the others get their load, and the limits refuse still more.",
        sources: &["envoy: issue 25487 and fix 25488, from 1.26 on"],
    },
    check: Check::Cluster(check),
};

const FIXED: EnvoyVersion = EnvoyVersion::minor(26);

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    of_cluster(cx).into_iter().collect()
}

fn of_cluster(cx: &ClusterCx<'_>) -> Option<Finding> {
    let old = cx.facts.version_given && cx.facts.envoy_version < FIXED && !cx.config.carries_tcp;
    let d = Detection::of(cx).filter(|_| old)?;
    let local = d.set.split_external_local_origin_errors.value;
    let run =
        d.active().filter(|a| a.in_a_row && a.local == local).min_by_key(|a| a.threshold.map(|t| t.value))?;
    let failures = run.threshold.map_or(1, |t| t.value);
    let limits = cx.effective.limits(RoutingPriority::Default);
    let limit =
        [("max_requests", &limits.max_requests), ("max_pending_requests", &limits.max_pending_requests)]
            .into_iter()
            .filter(|(_, limit)| limit.value < u32::MAX)
            .min_by_key(|(_, limit)| limit.value)?;
    let (field, limit) = limit;
    let finding = RULE
        .meta
        .found(
            &[field, run.field],
            limit.place().unwrap_or(&d.text.block),
            format!(
                "in Envoy {} a request that `{field}` {}{} refuses counts as a failure of its host",
                cx.facts.envoy_version,
                count(f64::from(limit.value)),
                default_mark(limit),
            ),
        )
        .consequence(format!("{} a host that made no error{}", refusals(failures), refused(cx)))
        .help(format!("run {FIXED} or later, or raise the limits until they refuse nothing at the peak"));
    Some(finding)
}

fn refusals(n: u32) -> String {
    if n == 1 {
        "one refusal ejects".to_owned()
    } else {
        format!("{} refusals in a row eject", count(f64::from(n)))
    }
}

/// What `max_requests` refuses at the peak, where the traffic is known.
fn refused(cx: &ClusterCx<'_>) -> String {
    let limit = cx.effective.limits(RoutingPriority::Default).max_requests.value;
    let offered = cx.sizing(RoutingPriority::Default).map(|sizing| sizing.offered);
    offered.map_or_else(String::new, |offered| {
        let share = erlang_b::blocking(u64::from(limit), offered);
        format!("; at the peak {} of the requests are refused", phrases::refused(share))
    })
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    const CLUSTER: &str = "name: a\nconnect_timeout: 1s\ncircuit_breakers: {thresholds: [{max_requests: 10}]}\n\
                           outlier_detection: {consecutive_5xx: 3}\n";

    #[test]
    fn fires_before_the_fix_with_the_refused_share() {
        let asked = "envoy_version=1.25 rps=500 mean=40 clients=1 burst=1 skew=1";
        let found = finding(&RULE, CLUSTER, asked);
        assert_eq!(
            found.message,
            "in Envoy 1.25 a request that `max_requests` 10 refuses counts as a failure of its host"
        );
        // Erlang B at 20 erlangs and 10 slots: 53.8%.
        assert!(found.consequence.contains("3 refusals in a row") && found.consequence.contains("54%"));
    }

    #[test]
    fn silent_from_the_fix_on_and_where_no_release_is_named() {
        assert!(!fires(&RULE, CLUSTER, "envoy_version=1.26"));
        assert!(!fires(&RULE, CLUSTER, ""));
    }

    #[test]
    fn silent_without_a_limit() {
        let istio = "apiVersion: networking.istio.io/v1\nkind: DestinationRule\nmetadata: {name: a}\nspec:\n  host: a\n  \
                     trafficPolicy:\n    outlierDetection: {consecutive5xxErrors: 3}\n";
        assert!(!fires(&RULE, istio, "envoy_version=1.25"));
    }
}
