//! `HR306 track-remaining-off`: no gauge shows how close a limit is.

use super::{is_judged, is_native};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Change, ClusterCx, Finding, Fix, Setting, Value};
use crate::engine::read::config::{RoutingPriority, Thresholds};
use crate::engine::rules::{RuleMeta, Severity};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR306",
        name: "track-remaining-off",
        severity: Severity::Info,
        summary: "`track_remaining` is off, so no gauge shows how close a limit is",
        rationale: "The counters of a breaker move only once it refuses something, and its open gauges show the \
                    instant of the scrape. With `track_remaining` the cluster publishes how much of each limit is \
                    left, so that an alert can come before the first refusal. It costs a few gauges.",
        sources: &["envoy: config.cluster.v3.CircuitBreakers.Thresholds.track_remaining; measured on 1.40"],
    },
    check: Check::Cluster(check),
};

// No number follows: the setting is about what can be seen.
fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    let blind: Vec<&Thresholds> = if is_judged(cx) && is_native(cx) { blind(cx) } else { Vec::new() };
    let Some(first) = blind.first() else { return Vec::new() };
    let at = first.track_remaining.as_ref().map_or(&first.block, |off| &off.at);
    let on =
        |entry: &&Thresholds| Change::Set(Setting::TrackRemaining(entry.for_priority()), Value::Flag(true));
    let fix = Fix { label: "Turn on".to_owned(), changes: blind.iter().map(on).collect() };
    let finding = RULE
        .meta
        .found(&["track_remaining"], at, "`track_remaining` is off")
        .consequence("without it no gauge shows how close a limit is")
        .help("set `track_remaining` to true in every entry")
        .fix(fix);
    vec![finding]
}

/// Entries in force that limit something and do not say how much is left.
fn blind<'a>(cx: &ClusterCx<'a>) -> Vec<&'a Thresholds> {
    let entries = RoutingPriority::ALL.into_iter().filter_map(|p| cx.config.threshold(p));
    entries
        .filter(|e| limits_something(e) && !cx.effective.limits(e.for_priority()).track_remaining.value)
        .collect()
}

fn limits_something(entry: &Thresholds) -> bool {
    let counts =
        [&entry.max_connections, &entry.max_pending_requests, &entry.max_requests, &entry.max_retries];
    counts.iter().any(|count| count.is_some())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    #[test]
    fn fires_at_the_entry_or_at_the_field() {
        let found = finding(
            &RULE,
            "name: shop\ncircuit_breakers:\n  thresholds:\n  - priority: DEFAULT\n    max_requests: 2\n",
            "",
        );
        assert_eq!((found.message.as_str(), found.at.line()), ("`track_remaining` is off", 4));
        assert_eq!(found.fix.unwrap().label, "Turn on");
        let text =
            "name: shop\ncircuit_breakers:\n  thresholds:\n  - max_requests: 2\n    track_remaining: false\n";
        assert_eq!(finding(&RULE, text, "").at.line(), 5);
    }

    #[test]
    fn one_fix_for_both_priorities() {
        let text = "name: shop\ncircuit_breakers:\n  thresholds:\n  - {max_requests: 2, track_remaining: true}\n  - {priority: HIGH, max_requests: 2}\n";
        assert_eq!(finding(&RULE, text, "").fix.unwrap().changes.len(), 1);
        assert_eq!(
            finding(&RULE, &text.replace(", track_remaining: true", ""), "").fix.unwrap().changes.len(),
            2
        );
    }

    #[test]
    fn silent_where_it_is_on_where_nothing_is_limited_and_where_it_cannot_be_written() {
        assert!(!fires(
            &RULE,
            "name: shop\ncircuit_breakers: {thresholds: [{max_requests: 2, track_remaining: true}]}\n",
            ""
        ));
        assert!(!fires(&RULE, "{name: shop, connect_timeout: 1s}", ""));
        let rule = "apiVersion: networking.istio.io/v1\nkind: DestinationRule\nspec: {host: shop, trafficPolicy: {connectionPool: {tcp: {maxConnections: 9}}}}\n";
        assert!(!fires(&RULE, rule, ""));
        let policy = "apiVersion: gateway.envoyproxy.io/v1alpha1\nkind: BackendTrafficPolicy\nmetadata: {name: shop}\nspec: {circuitBreaker: {maxConnections: 9}}\n";
        assert!(!fires(&RULE, policy, ""));
    }
}
