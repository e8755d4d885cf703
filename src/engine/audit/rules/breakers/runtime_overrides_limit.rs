//! `HR326 runtime-overrides-limit`: a runtime key replaces a limit that is written.

use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Change, ClusterCx, Finding, Fix};
use crate::engine::read::Place;
use crate::engine::read::config::{RuntimeOverride, Thresholds};
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display::number;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR326",
        name: "runtime-overrides-limit",
        severity: Severity::Warning,
        summary: "a runtime key overrides a limit that is written in the cluster",
        rationale: "Envoy looks up every limit in its runtime first, under `circuit_breakers.CLUSTER.PRIORITY.FIELD`, \
                    and takes the cluster's value only where no layer has the key. Two places for one limit are \
                    changed apart: what is written in the cluster then looks right and has no effect.",
        sources: &[
            "measured on Envoy 1.40: a static layer with max_requests 1 overrides 1,024",
            "envoy: runtime keys of circuit breakers",
        ],
    },
    check: Check::Cluster(check),
};

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    let of_cluster = |r: &&RuntimeOverride| r.cluster == cx.effective.name && cx.dialect().runs_envoy();
    cx.configuration.runtime.iter().filter(of_cluster).filter_map(|r| of_key(cx, r)).collect()
}

fn of_key(cx: &ClusterCx<'_>, key: &RuntimeOverride) -> Option<Finding> {
    let entry = cx.config.threshold(key.priority)?;
    let (name, field, written, at) = written(entry, key)?;
    let now = key.value.value;
    #[allow(clippy::float_cmp, reason = "both are numbers as they were typed")]
    if written == now && name == field {
        return None;
    }
    let high = if key.priority == crate::engine::read::config::RoutingPriority::High {
        " for HIGH priority"
    } else {
        ""
    };
    let message = format!(
        "`{name}` {}{high} is not in force: a runtime key sets `{field}` to {}",
        number(written),
        number(now)
    );
    let finding = RULE
        .meta
        .found(&[name], at, message)
        .consequence(format!("{field} {} holds, whatever the cluster says", number(now)))
        .help("keep one of the two")
        .related("the key in force", &key.key.at);
    Some(finding.fix(Fix::new("Remove the key", Change::Remove(key.key.at.clone()))))
}

/// The written field that a key replaces: its name, that of the key, its value and place.
fn written<'e>(
    entry: &'e Thresholds,
    key: &RuntimeOverride,
) -> Option<(&'static str, &'static str, f64, &'e Place)> {
    let budget = entry.retry_budget.as_ref();
    let count = |name, field: &'e crate::engine::read::Setting<u32>| {
        field.as_ref().map(|f| (name, name, f64::from(f.value), &f.at))
    };
    match key.field.as_str() {
        "max_connections" => count("max_connections", &entry.max_connections),
        "max_pending_requests" => count("max_pending_requests", &entry.max_pending_requests),
        "max_requests" => count("max_requests", &entry.max_requests),
        "max_retries" => count("max_retries", &entry.max_retries),
        "max_connection_pools" => count("max_connection_pools", &entry.max_connection_pools),
        "retry_budget.budget_percent" if budget.is_some() => {
            budget?.budget_percent.as_ref().map(|p| ("budget_percent", "budget_percent", p.value.0, &p.at))
        }
        "retry_budget.min_retry_concurrency" if budget.is_some() => {
            count("min_retry_concurrency", &budget?.min_retry_concurrency)
        }
        // A key of a budget switches the budget on, and `max_retries` off.
        field if field.starts_with("retry_budget.") => {
            entry.max_retries.as_ref().map(|f| ("max_retries", "retry_budget", f64::from(f.value), &f.at))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn bootstrap(key: &str) -> String {
        format!(
            "layered_runtime: {{layers: [{{name: base, static_layer: {{circuit_breakers.shop.{key}}}}}]}}\nstatic_resources:\n  clusters:\n  - name: shop\n    \
             connect_timeout: 1s\n    circuit_breakers:\n      thresholds:\n      - max_requests: 1000\n        max_retries: 5\n"
        )
    }

    #[test]
    fn fires_where_the_values_differ() {
        let found = finding(&RULE, &bootstrap("default.max_requests: 10"), "");
        assert_eq!(
            found.message,
            "`max_requests` 1,000 is not in force: a runtime key sets `max_requests` to 10"
        );
        assert_eq!((found.at.line(), found.related[0].at.line()), (8, 1));
        assert!(!fires(&RULE, &bootstrap("default.max_requests: 1000"), ""));
        assert!(!fires(&RULE, &bootstrap("high.max_requests: 10"), ""));
        assert!(!fires(&RULE, &bootstrap("default.max_connections: 10"), ""));
    }

    #[test]
    fn a_budget_switches_max_retries_off() {
        let found = finding(&RULE, &bootstrap("default.retry_budget.budget_percent: 20"), "");
        assert_eq!(found.message, "`max_retries` 5 is not in force: a runtime key sets `retry_budget` to 20");
    }
}
