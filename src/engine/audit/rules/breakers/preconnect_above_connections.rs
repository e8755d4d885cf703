//! `HR331 preconnect-above-connections`: connections opened ahead use up the limit.

use super::{Limit, Wire, are_held, is_judged, whole, wire};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding};
use crate::engine::read::Spanned;
use crate::engine::read::config::RoutingPriority;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::scenario::EnvoyVersion;
use crate::engine::units::display::number;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR331",
        name: "preconnect-above-connections",
        severity: Severity::Warning,
        summary: "connections that are opened ahead need more than `max_connections` allows",
        rationale: "A ratio of two keeps two connections for each request in flight on HTTP/1.1, and they count against \
                    `max_connections` like any other: the limit is reached at half the load, and what was opened \
                    ahead for one host is missing for another. Before 1.34 Envoy did not count the free capacity of \
                    connections that were up already, and opened far too many.",
        sources: &[
            "measured on Envoy 1.40: ratio 2, four at once open eight connections",
            "envoy: config.cluster.v3.Cluster.PreconnectPolicy; release notes of 1.34",
        ],
    },
    check: Check::Cluster(check),
};

/// The release that counts what is free already.
const COUNTS_FREE: EnvoyVersion = EnvoyVersion::minor(34);

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    let policy = cx.config.preconnect_policy.as_ref().filter(|_| is_judged(cx));
    let ratios = policy.into_iter().flat_map(|p| {
        [
            ("per_upstream_preconnect_ratio", p.per_upstream_preconnect_ratio.as_ref()),
            ("predictive_preconnect_ratio", p.predictive_preconnect_ratio.as_ref()),
        ]
    });
    let set = ratios.filter_map(|(name, ratio)| Some((name, ratio.filter(|r| r.value > 1.0)?)));
    let largest = set.max_by(|a, b| a.1.value.total_cmp(&b.1.value));
    largest.and_then(|(name, ratio)| of_ratio(cx, name, ratio)).into_iter().collect()
}

fn of_ratio(cx: &ClusterCx<'_>, name: &'static str, ratio: &Spanned<f64>) -> Option<Finding> {
    at_peak(cx, name, ratio).or_else(|| on_old_releases(cx, name, ratio))
}

fn at_peak(cx: &ClusterCx<'_>, name: &'static str, ratio: &Spanned<f64>) -> Option<Finding> {
    let limits = cx.effective.limits(RoutingPriority::Default);
    let one_each = wire(cx) == Some(Wire::Http1) && !are_held(cx);
    let sizing = cx.sizing(RoutingPriority::Default).filter(|_| one_each)?;
    let (of, allowed) = (Limit::Connections, f64::from(limits.max_connections.value));
    let wanted = sizing.offered.0 * ratio.value;
    if wanted <= allowed {
        return None;
    }
    let most = (f64::from(sizing.threshold.max_connections) * ratio.value).ceil().min(f64::from(u32::MAX));
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the range of u32")]
    let to = most as u32;
    let (shown, wanted, allowed) = (number(ratio.value), number(wanted), whole(allowed));
    let message = format!("`{name}` {shown} wants {wanted} connections at the peak, {allowed} are allowed");
    let full = number(f64::from(limits.max_connections.value) / ratio.value);
    let found = RULE
        .meta
        .found(&[name, "max_connections"], &ratio.at, message)
        .consequence(format!("the limit is full at {full} in flight instead of {allowed}"))
        .help(of.advice(cx, to));
    Some(found.fix(of.fix(limits, to)))
}

// No number: how many too many depends on the order of arrivals.
fn on_old_releases(cx: &ClusterCx<'_>, name: &'static str, ratio: &Spanned<f64>) -> Option<Finding> {
    let version = cx.facts.envoy_version;
    let message =
        format!("`{name}` {} opens far too many connections on Envoy {version}", number(ratio.value));
    let found = RULE
        .meta
        .found(&[name], &ratio.at, message)
        .severity(Severity::Info)
        .consequence("before 1.34 the free capacity of connections that are up does not count")
        .help("run Envoy 1.34 or newer, or leave the ratio out");
    (version < COUNTS_FREE).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::{RULE, Severity};
    use crate::engine::audit::rules::tests::{finding, fires};

    // 20 in flight.
    const WORKED: &str = "protocol=http1 rps=500 mean=40 p50=35 clients=1 burst=1 skew=1";

    fn cluster(connections: u32) -> String {
        format!(
            "name: shop\npreconnect_policy:\n  per_upstream_preconnect_ratio: 2\ncircuit_breakers:\n  thresholds:\n  - {{max_connections: {connections}}}\n"
        )
    }

    #[test]
    fn fires_where_twice_the_load_does_not_fit() {
        let found = finding(&RULE, &cluster(39), WORKED);
        assert_eq!(
            found.message,
            "`per_upstream_preconnect_ratio` 2 wants 40 connections at the peak, 39 are allowed"
        );
        assert!(
            found.consequence.starts_with("the limit is full at 19.5 in flight"),
            "{}",
            found.consequence
        );
        assert_eq!(found.at.line(), 3);
        assert!(!fires(&RULE, &cluster(40), WORKED));
    }

    #[test]
    fn old_releases_open_too_many() {
        let found = finding(&RULE, &cluster(1000), "envoy_version=1.33");
        assert_eq!(
            (found.severity, found.message.as_str()),
            (
                Severity::Info,
                "`per_upstream_preconnect_ratio` 2 opens far too many connections on Envoy 1.33"
            )
        );
        assert!(!fires(&RULE, &cluster(1000), "envoy_version=1.34"));
    }
}
