//! `HR324 high-without-thresholds`: routes of HIGH priority pass the limits by.

use super::{Limit, is_judged, is_native, whole};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Change, ClusterCx, Finding, Fix, Setting, Value};
use crate::engine::read::config::{Dialect, RoutingPriority, Thresholds};
use crate::engine::rules::{RuleMeta, Severity};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR324",
        name: "high-without-thresholds",
        severity: Severity::Warning,
        summary: "a route has HIGH priority, and the limits are for DEFAULT only",
        rationale: "Envoy counts each routing priority apart. What a route of HIGH priority sends is not held by the \
                    entry for DEFAULT: it has 1,024 connections, 1,024 waiting and 1,024 running requests and three \
                    retries of its own, on top of what DEFAULT may use, and all of it reaches the same hosts.",
        sources: &["envoy: config.cluster.v3.CircuitBreakers.Thresholds.priority; measured on 1.40"],
    },
    check: Check::Cluster(check),
};

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    of_cluster(cx).into_iter().collect()
}

fn of_cluster(cx: &ClusterCx<'_>) -> Option<Finding> {
    let writes_high = is_native(cx) || cx.dialect() == Dialect::Emissary;
    let entry = cx.config.threshold(RoutingPriority::Default).filter(|e| !e.implied)?;
    let route = cx.routes.iter().find(|r| r.effective.priority.value == RoutingPriority::High)?;
    if !is_judged(cx) || !writes_high || cx.config.threshold(RoutingPriority::High).is_some() {
        return None;
    }
    let limit = strict(entry)?;
    let now = limit.of(cx.effective.limits(RoutingPriority::Default)).value;
    let default = whole(limit.of(cx.effective.limits(RoutingPriority::High)).value);
    let name = limit.name();
    let finding = RULE
        .meta
        .found(
            &["priority", name],
            &entry.block,
            format!("`{name}` {} does not hold for the route of HIGH priority", whole(now)),
        )
        .consequence(format!("that route has `{name}` {default}, a default, on top of what DEFAULT may use"))
        .help("add an entry of `priority: HIGH` with limits of its own")
        .related(
            "the route of HIGH priority",
            route.effective.priority.place().unwrap_or(&route.config.origin.block),
        );
    Some(finding.maybe_fix(recommended(cx)))
}

/// The limit of an entry that differs most from what HIGH gets.
fn strict(entry: &Thresholds) -> Option<Limit> {
    let fields = [
        (Limit::Requests, &entry.max_requests),
        (Limit::Connections, &entry.max_connections),
        (Limit::Pending, &entry.max_pending_requests),
    ];
    fields.into_iter().find_map(|(limit, field)| field.as_ref().map(|_| limit))
}

/// The recommended entry, where the traffic of HIGH priority is known.
fn recommended(cx: &ClusterCx<'_>) -> Option<Fix> {
    let high = RoutingPriority::High;
    let t = &cx.sizing(high)?.threshold;
    let count = |setting: Setting, n: u32| Change::Set(setting, Value::Count(n.into()));
    let fix = Fix::new("Add an entry for HIGH", count(Setting::MaxConnections(high), t.max_connections))
        .and(count(Setting::MaxPendingRequests(high), t.max_pending_requests))
        .and(count(Setting::MaxRequests(high), t.max_requests))
        .and(Change::Set(Setting::BudgetPercent(high), Value::Percent(t.retry_budget.budget_percent)))
        .and(count(Setting::MinRetryConcurrency(high), t.retry_budget.min_retry_concurrency));
    Some(fix.and(Change::Set(Setting::TrackRemaining(high), Value::Flag(t.track_remaining))))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn text(thresholds: &str, priority: &str) -> String {
        format!(
            "clusters:\n- name: shop\n  connect_timeout: 1s\n  circuit_breakers:\n    thresholds: [{thresholds}]\nroutes:\n- {{match: {{prefix: /}}, route: {{cluster: shop{priority}}}}}\n"
        )
    }

    #[test]
    fn fires_with_what_high_gets() {
        let found = finding(&RULE, &text("{max_requests: 50}", ", priority: HIGH"), "");
        assert_eq!(found.message, "`max_requests` 50 does not hold for the route of HIGH priority");
        assert_eq!(
            found.consequence,
            "that route has `max_requests` 1,024, a default, on top of what DEFAULT may use"
        );
        assert_eq!(found.related[0].at.line(), 7);
        assert!(found.fix.is_none());
        let known = finding(
            &RULE,
            &text("{max_requests: 50}", ", priority: HIGH"),
            "rps=100 mean=40 p50=35 high_priority_share=0.2",
        );
        assert_eq!(known.fix.unwrap().changes.len(), 6);
    }

    #[test]
    fn silent_with_an_entry_without_limits_and_without_high() {
        assert!(!fires(
            &RULE,
            &text("{max_requests: 50}, {priority: HIGH, max_requests: 9}", ", priority: HIGH"),
            ""
        ));
        assert!(!fires(&RULE, &text("{max_requests: 50}", ""), ""));
        assert!(!fires(&RULE, &text("", ", priority: HIGH"), ""));
    }
}
