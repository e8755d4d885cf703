//! `HR323 limits-for-unused-priority`: the limits are for HIGH, and the traffic is not.

use super::{Limit, is_judged, uses_high, whole};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Change, ClusterCx, Finding, Fix, Value};
use crate::engine::params::ParamId;
use crate::engine::read::config::{Dialect, RoutingPriority, Thresholds};
use crate::engine::rules::{RuleMeta, Severity};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR323",
        name: "limits-for-unused-priority",
        severity: Severity::Warning,
        summary: "the only limits are for HIGH priority, and no route is known to use it",
        rationale: "Limits are kept for each routing priority apart, and a route has priority DEFAULT unless it says \
                    otherwise. An entry for HIGH says nothing about DEFAULT, which keeps its own defaults: limits \
                    that look strict then hold nobody. The two priorities do not add up and do not fall back to \
                    each other.",
        sources: &[
            "emissary-ingress/emissary#2833",
            "envoy: config.cluster.v3.CircuitBreakers.Thresholds.priority; measured on 1.40",
        ],
    },
    check: Check::Cluster(check),
};

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    of_cluster(cx).into_iter().collect()
}

fn of_cluster(cx: &ClusterCx<'_>) -> Option<Finding> {
    let entry = cx.config.threshold(RoutingPriority::High)?;
    let has_default = cx.config.threshold(RoutingPriority::Default).is_some_and(|e| !e.implied);
    if !is_judged(cx) || has_default || uses_high(cx) == Some(true) {
        return None;
    }
    let (limit, high) = written(entry)?;
    let in_force = limit.of(cx.effective.limits(RoutingPriority::Default)).value;
    let message =
        format!("`{}` {} is for HIGH priority, which no route is known to use", limit.name(), whole(high));
    let at = entry.priority.as_ref().map_or(&entry.block, |p| &p.at);
    let known = uses_high(cx) == Some(false);
    let finding = RULE
        .meta
        .found(&["priority", limit.name()], at, message)
        .severity(if known { Severity::Warning } else { Severity::Info })
        .consequence(format!(
            "routes of DEFAULT priority keep `{}` {}, a default, not {}",
            limit.name(),
            whole(in_force),
            whole(high)
        ))
        .help("write the limits for DEFAULT, or give the routes that they are for `priority: HIGH`");
    // The word as the dialect writes it.
    let word = if cx.dialect() == Dialect::Emissary { "default" } else { "DEFAULT" };
    let to_default = Change::Replace(at.clone(), Value::Word(word.to_owned()));
    let finding = finding.maybe_fix(entry.priority.as_ref().map(|_| Fix::new("HIGH → DEFAULT", to_default)));
    Some(if known { finding } else { finding.asks(ParamId::HighPriorityShare) })
}

/// The limit of an entry that says most.
fn written(entry: &Thresholds) -> Option<(Limit, u32)> {
    let fields = [
        (Limit::Requests, &entry.max_requests),
        (Limit::Connections, &entry.max_connections),
        (Limit::Pending, &entry.max_pending_requests),
    ];
    fields.into_iter().find_map(|(limit, field)| field.as_ref().map(|f| (limit, f.value)))
}

#[cfg(test)]
mod tests {
    use super::{RULE, Severity};
    use crate::engine::audit::rules::tests::{finding, fires};

    const ONLY_HIGH: &str = "clusters:\n- name: shop\n  connect_timeout: 1s\n  circuit_breakers:\n    thresholds:\n    - priority: HIGH\n      max_requests: 1\n";

    fn routed(priority: &str) -> String {
        format!("{ONLY_HIGH}routes:\n- {{match: {{prefix: /}}, route: {{cluster: shop{priority}}}}}\n")
    }

    #[test]
    fn a_route_of_default_priority_is_not_limited() {
        let found = finding(&RULE, &routed(""), "");
        assert_eq!(found.message, "`max_requests` 1 is for HIGH priority, which no route is known to use");
        assert_eq!(
            found.consequence,
            "routes of DEFAULT priority keep `max_requests` 1,024, a default, not 1"
        );
        assert_eq!((found.severity, found.at.line()), (Severity::Warning, 6));
        assert_eq!(found.fix.unwrap().label, "HIGH → DEFAULT");
    }

    #[test]
    fn without_routes_it_is_asked() {
        assert_eq!(finding(&RULE, ONLY_HIGH, "").severity, Severity::Info);
        assert_eq!(finding(&RULE, ONLY_HIGH, "high_priority_share=0").severity, Severity::Warning);
    }

    #[test]
    fn silent_where_high_is_used_or_default_has_limits_too() {
        assert!(!fires(&RULE, &routed(", priority: HIGH"), ""));
        assert!(!fires(&RULE, ONLY_HIGH, "high_priority_share=0.1"));
        assert!(!fires(&RULE, &format!("{ONLY_HIGH}    - max_requests: 9\n"), ""));
    }
}
