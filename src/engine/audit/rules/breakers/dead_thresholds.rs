//! `HR325 dead-thresholds`: an entry that is never read, because an earlier one has its priority.

use super::{Limit, whole};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Change, ClusterCx, Finding, Fix};
use crate::engine::read::Setting;
use crate::engine::read::config::{Dialect, Thresholds};
use crate::engine::read::effective::{EffectivePriority, EffectiveRetryLimit};
use crate::engine::rules::{RuleMeta, Severity};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR325",
        name: "dead-thresholds",
        severity: Severity::Warning,
        summary: "an entry of `thresholds` is never read: an earlier one has its priority",
        rationale: "Envoy takes the first entry of a priority and ignores every later one without a word; an entry \
                    without a priority is one for DEFAULT. In a mesh the control plane writes the first entry itself, \
                    and a patch that merges appends to lists, so what it adds for DEFAULT has no effect.",
        sources: &[
            "measured on Envoy 1.40: limits 1 and 100, one admitted",
            "istio: EnvoyFilter MERGE appends to lists",
        ],
    },
    check: Check::Cluster(check),
};

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    let dead = cx.config.dead_thresholds().filter(|_| cx.dialect().runs_envoy());
    dead.filter_map(|entry| of_entry(cx, entry)).collect()
}

fn of_entry(cx: &ClusterCx<'_>, entry: &Thresholds) -> Option<Finding> {
    let priority = entry.for_priority();
    let first = cx.config.threshold(priority)?;
    let word = priority.as_str();
    let at = entry.priority.as_ref().map_or(&entry.block, |p| &p.at);
    let stays = stays(cx.effective.limits(priority), entry);
    let finding = RULE.meta.found(
        &["thresholds", "priority"],
        at,
        format!("this entry for {word} is never read: an earlier one has its priority"),
    );
    let finding =
        finding.consequence(if stays.is_empty() { "it has no effect".to_owned() } else { stays.join(", ") });
    if cx.dialect() == Dialect::Istio {
        // What stands first is generated, so no change of the patch can help.
        return Some(finding.help(format!("set it in the DestinationRule: the mesh writes the first entry for {word} itself, and a merge only appends")));
    }
    let help =
        format!("remove it, or move what it should change to the entry of line {}", first.block.line());
    let fix = Fix::new("Remove it", Change::Remove(entry.block.clone()));
    Some(finding.help(help).related("the entry in force", &first.block).fix(fix))
}

/// What holds instead of each field that is written in vain.
fn stays(limits: &EffectivePriority, dead: &Thresholds) -> Vec<String> {
    let counts: [(Limit, &Setting<u32>); 3] = [
        (Limit::Connections, &dead.max_connections),
        (Limit::Pending, &dead.max_pending_requests),
        (Limit::Requests, &dead.max_requests),
    ];
    let stays = |(limit, written): (Limit, &Setting<u32>)| {
        let written = written.as_ref()?.value;
        Some(format!("`{}` stays {}, not {}", limit.name(), whole(limit.of(limits).value), whole(written)))
    };
    let mut out: Vec<String> = counts.into_iter().filter_map(stays).collect();
    match &limits.retry_limit {
        EffectiveRetryLimit::MaxRetries(now) if dead.retry_budget.is_some() => {
            out.push(format!("`retry_budget` is not in force, `max_retries` stays {}", whole(now.value)));
        }
        EffectiveRetryLimit::MaxRetries(now) => out.extend(
            dead.max_retries
                .as_ref()
                .map(|w| format!("`max_retries` stays {}, not {}", whole(now.value), whole(w.value))),
        ),
        EffectiveRetryLimit::Budget(_) if dead.retry_budget.is_some() || dead.max_retries.is_some() => {
            out.push("the `retry_budget` of the first entry stays".to_owned());
        }
        EffectiveRetryLimit::Budget(_) => {}
    }
    out
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, findings, fires};

    const TWO: &str = "name: shop\ncircuit_breakers:\n  thresholds:\n  - max_requests: 400\n  - priority: DEFAULT\n    max_requests: 8000\n    max_retries: 50\n";

    #[test]
    fn fires_at_the_later_entry_and_says_what_stays() {
        let found = finding(&RULE, TWO, "");
        assert_eq!(found.message, "this entry for DEFAULT is never read: an earlier one has its priority");
        assert_eq!(found.consequence, "`max_requests` stays 400, not 8,000, `max_retries` stays 3, not 50");
        assert_eq!((found.at.line(), found.related[0].at.line()), (5, 4));
        assert_eq!(found.fix.unwrap().label, "Remove it");
        assert_eq!(findings(&RULE, &format!("{TWO}  - max_requests: 1\n"), "").len(), 2);
    }

    #[test]
    fn silent_with_one_entry_for_each_priority() {
        assert!(!fires(&RULE, &TWO.replace("DEFAULT", "HIGH"), ""));
    }

    #[test]
    fn what_a_merge_appends_is_never_read() {
        let patch = |priority: &str| {
            format!(
                "apiVersion: networking.istio.io/v1alpha3\nkind: EnvoyFilter\nspec:\n  configPatches:\n  - applyTo: CLUSTER\n    patch:\n      operation: MERGE\n      \
                 value: {{circuit_breakers: {{thresholds: [{{priority: {priority}, retry_budget: {{min_retry_concurrency: 10}}}}]}}}}\n"
            )
        };
        let found = finding(&RULE, &patch("DEFAULT"), "");
        assert_eq!(found.consequence, "`retry_budget` is not in force, `max_retries` stays 4,294,967,295");
        assert!(found.help.starts_with("set it in the DestinationRule"), "{}", found.help);
        assert!(found.fix.is_none());
        assert!(!fires(&RULE, &patch("HIGH"), ""));
    }
}
