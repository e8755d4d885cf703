//! `HR329 request-limit-on-tcp`: limits on requests where there are none.

use super::{Limit, all_limits, is_judged};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Change, ClusterCx, Finding, Fix, Setting};
use crate::engine::read::Place;
use crate::engine::read::config::{RouteKind, Thresholds};
use crate::engine::read::effective::EffectivePriority;
use crate::engine::rules::{RuleMeta, Severity};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR329",
        name: "request-limit-on-tcp",
        severity: Severity::Warning,
        summary: "limits on requests or retries have no effect on a TCP cluster",
        rationale: "A TCP proxy opens one connection upstream for each connection downstream and knows no requests, so \
                    `max_requests` and `max_retries` are never looked at. What limits it is `max_connections`, and \
                    `max_pending_requests` for those that are still connecting.",
        sources: &[
            "envoy: config.cluster.v3.CircuitBreakers.Thresholds, comments on raw TCP",
            "banzaicloud/koperator#616",
        ],
    },
    check: Check::Cluster(check),
};

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    let only_tcp = cx.config.carries_tcp && cx.routes.iter().all(|r| r.config.kind == RouteKind::Tcp);
    all_limits(cx)
        .filter(|_| only_tcp && is_judged(cx))
        .filter_map(|limits| of_priority(cx, limits))
        .collect()
}

fn of_priority(cx: &ClusterCx<'_>, limits: &EffectivePriority) -> Option<Finding> {
    let entry = cx.config.threshold(limits.priority)?;
    let useless = useless(entry);
    let (name, at) = useless.first()?;
    let of = Limit::Connections;
    let is_left = of.of(limits).is_default();
    let names: Vec<String> = useless.iter().map(|(name, _)| format!("`{name}`")).collect();
    let has = if names.len() == 1 { "has" } else { "have" };
    let message = format!("{} {has} no effect: TCP has no requests", names.join(" and "));
    let finding = RULE
        .meta
        .found(&[name], at, message)
        .severity(if is_left { Severity::Warning } else { Severity::Info })
        .consequence(format!("what limits this cluster is {}", of.stated(limits).trim_end_matches(',')));
    let help = if is_left {
        "leave it out, and set `max_connections` to what one proxy holds at its peak"
    } else {
        "leave it out"
    };
    let clear = |name: &str| match name {
        "max_requests" => Change::Clear(Setting::MaxRequests(limits.priority)),
        "max_retries" => Change::Clear(Setting::MaxRetries(limits.priority)),
        _ => Change::Clear(Setting::RetryBudget(limits.priority)),
    };
    let changes = useless.iter().map(|(name, _)| clear(name)).collect();
    Some(finding.help(help).fix(Fix { label: "Leave it out".to_owned(), changes }))
}

/// Fields that TCP does not look at: name and place.
fn useless(entry: &Thresholds) -> Vec<(&'static str, &Place)> {
    let mut out = Vec::new();
    out.extend(entry.max_requests.as_ref().map(|f| ("max_requests", &f.at)));
    out.extend(entry.max_retries.as_ref().map(|f| ("max_retries", &f.at)));
    out.extend(entry.retry_budget.as_ref().map(|b| ("retry_budget", &b.block)));
    out
}

#[cfg(test)]
mod tests {
    use super::{RULE, Severity};
    use crate::engine::audit::rules::tests::{finding, fires};

    fn tcp(limits: &str) -> String {
        format!(
            "clusters:\n- {{name: shop, connect_timeout: 1s, circuit_breakers: {{thresholds: [{{{limits}}}]}}}}\nlisteners:\n- filter_chains:\n  - filters:\n    \
             - {{name: envoy.filters.network.tcp_proxy, typed_config: {{stat_prefix: in, cluster: shop}}}}\n"
        )
    }

    #[test]
    fn the_limit_that_counts_was_left() {
        let found = finding(&RULE, &tcp("max_requests: 9000"), "");
        assert_eq!(found.message, "`max_requests` has no effect: TCP has no requests");
        assert_eq!(found.consequence, "what limits this cluster is `max_connections` 1,024, a default");
        assert_eq!(found.severity, Severity::Warning);
    }

    #[test]
    fn milder_where_connections_are_limited_too() {
        let found = finding(&RULE, &tcp("max_connections: 9000, max_requests: 9000, max_retries: 3"), "");
        assert_eq!(
            (found.severity, found.message.as_str()),
            (Severity::Info, "`max_requests` and `max_retries` have no effect: TCP has no requests")
        );
        assert_eq!(found.fix.unwrap().changes.len(), 2);
        assert!(!fires(&RULE, &tcp("max_connections: 9000"), ""));
    }

    #[test]
    fn silent_on_http() {
        assert!(!fires(&RULE, "name: shop\ncircuit_breakers: {thresholds: [{max_requests: 9}]}\n", ""));
    }
}
