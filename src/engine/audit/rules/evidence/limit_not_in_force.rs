//! `HR616 limit-not-in-force`: a proxy reports another limit than the text has.

use super::seen::{PRIORITY, Seen, clusters, count};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding, WholeCx};
use crate::engine::read::config::Resource;
use crate::engine::read::effective::Effective;
use crate::engine::rules::{RuleMeta, Severity};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR616",
        name: "limit-not-in-force",
        severity: Severity::Error,
        summary: "a proxy runs with another limit than the one that is written",
        rationale: "Limits go lost on the way to a proxy: a second entry of a priority, a merge that appends, a rule for \
                    another host or subset, a runtime key, a control plane that never sent it. What `/clusters` states, or \
                    what is taken and left of a limit, is in force; what is written is an intention.",
        sources: &["envoy: /clusters, default_priority::max_requests; remaining_rq with track_remaining"],
    },
    check: Check::Whole(check),
};

fn check(cx: &WholeCx<'_>) -> Vec<Finding> {
    clusters(cx).flat_map(|seen| of_cluster(&seen)).collect()
}

fn of_cluster(seen: &Seen<'_>) -> Vec<Finding> {
    let Some(config) = seen.config else { return Vec::new() };
    Resource::ALL.into_iter().filter_map(|resource| of_resource(seen, config, resource)).collect()
}

fn of_resource(seen: &Seen<'_>, config: &ClusterCx<'_>, resource: Resource) -> Option<Finding> {
    let written = written(config, resource);
    let at = written.place()?;
    let reported = seen.cluster.limit(PRIORITY, resource)?;
    // A derived limit may have changed between two gauges, or be shared with the other priority.
    let stated = seen.cluster.stated[0].of(resource).is_some();
    if reported.value == u64::from(written.value) || !(stated || reported.exact) {
        return None;
    }
    let field = resource.field();
    let [value, force] = [u64::from(written.value), reported.value].map(count);
    let finding = RULE
        .meta
        .found(&[field], at, format!("`{field}` {value} is written, and {} runs with {force}", seen.title()))
        .severity(if stated { Severity::Error } else { Severity::Warning })
        .consequence(format!("the proxy refuses or admits by {force}, whatever the text says"))
        .help("look for a second entry of the priority, a rule for another host or subset, or a proxy that got no update")
        .related("what the proxy reports", reported.at);
    Some(seen.finish(finding))
}

fn written<'a>(config: &'a ClusterCx<'_>, resource: Resource) -> &'a Effective<u32> {
    let limits = config.effective.limits(PRIORITY);
    match resource {
        Resource::Connections => &limits.max_connections,
        Resource::Pending => &limits.max_pending_requests,
        Resource::Requests => &limits.max_requests,
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::asked;
    use crate::engine::audit::{Finding, audit};
    use crate::engine::read::{read, source::Input};

    fn findings(evidence: &str) -> Vec<Finding> {
        let config = "name: a\nconnect_timeout: 1s\ncircuit_breakers: {thresholds: [{max_requests: 4000}]}\n";
        let inputs = [Input::new("a.yaml", config), Input::new("proxy", evidence)];
        let found = audit(read(&inputs), &asked("")).findings;
        found.into_iter().filter(|f| f.code == RULE.meta.code).collect()
    }

    #[test]
    fn fires_where_they_differ() {
        let stated = |n| format!("a::default_priority::max_requests::{n}\na::added_via_api::true\n");
        let found = findings(&stated(1024));
        assert_eq!(found[0].message, "`max_requests` 4,000 is written, and cluster a runs with 1,024");
        assert_eq!((found.len(), found[0].cluster, found[0].at.line()), (1, Some(0), 3));
        assert!(findings(&stated(4000)).is_empty());
        assert!(findings(&stated(1024).replace("a::", "b::")).is_empty());
    }

    #[test]
    fn what_is_taken_and_left_is_a_limit_too() {
        let stats = |left| {
            format!(
                "cluster.a.upstream_rq_active: 29\ncluster.a.circuit_breakers.default.remaining_rq: {left}\n"
            )
        };
        assert_eq!(findings(&stats(71)).len(), 1);
        assert!(findings(&stats(3971)).is_empty());
        // Nothing left: the limit may be lower than what is taken.
        assert!(findings(&stats(0)).is_empty());
    }
}
