//! `HR102 max-retries-as-num-retries`: the limit for all requests is no larger than that of one.

use crate::engine::audit::retrying::Retried;
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding};
use crate::engine::params::ParamId;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR102",
        name: "max-retries-as-num-retries",
        severity: Severity::Info,
        summary: "`max_retries` is no larger than `num_retries`, as if it counted one request",
        rationale: "Two limits share a word. `num_retries` of a route counts the retries of one request, one after \
                    another; `max_retries` of a cluster counts the retries of all requests that are outstanding at \
                    one moment, back-off included, in each process.",
        sources: &[
            "envoy: config.cluster.v3.CircuitBreakers.Thresholds.max_retries; config.route.v3.RetryPolicy.num_retries",
            "envoyproxy/envoy#29762: num_retries 3 and max_retries 3",
        ],
    },
    check: Check::Cluster(check),
};

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    cx.retried().iter().filter_map(of_priority).collect()
}

fn of_priority(r: &Retried<'_>) -> Option<Finding> {
    let (limit, retries) = (r.max_retries()?, r.retries?);
    // Where the traffic is known, the rules on limits that are too low or too high judge the number.
    if limit.is_default() || limit.value == 0 || limit.value > retries || r.known().is_some() {
        return None;
    }
    let at_once = u64::from(limit.value);
    let finding = RULE
        .meta
        .found(
            &["max_retries", "num_retries"],
            r.limit_place(),
            format!("`max_retries` {at_once} is no more than the `num_retries` {retries} of one request"),
        )
        .consequence(format!(
            "it limits all requests together: of {} that fail at the same moment {} are retried and the next gets its first error, flag UO",
            display::count((at_once + 1) as f64),
            display::count(at_once as f64),
        ))
        .help(r.recommendation())
        .asks(ParamId::Rps);
    Some(finding)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn shop(max_retries: u32, num_retries: u32) -> String {
        format!(
            "clusters:\n- name: shop\n  circuit_breakers: {{thresholds: [{{max_retries: {max_retries}}}]}}\nroutes:\n\
             - match: {{prefix: /}}\n  route:\n    cluster: shop\n    \
             retry_policy: {{retry_on: 5xx, num_retries: {num_retries}}}\n"
        )
    }

    #[test]
    fn fires_at_equality_and_silent_above() {
        let found = finding(&RULE, &shop(3, 3), "");
        assert_eq!(found.message, "`max_retries` 3 is no more than the `num_retries` 3 of one request");
        assert!(found.consequence.contains("of 4 that fail at the same moment"), "{}", found.consequence);
        assert!(!fires(&RULE, &shop(4, 3), ""));
    }

    #[test]
    fn leaves_numbers_to_other_rules_where_the_traffic_is_known() {
        assert!(!fires(&RULE, &shop(3, 3), "rps=10 mean=10"));
        assert!(!fires(&RULE, &shop(0, 3), ""));
    }
}
