//! The rules: one a file, each with a stable code, a severity, a rationale and a source.
//!
//! A rule is a pure function of the [`Context`]; it returns findings with the numbers of this
//! scenario. Codes by block: 1xx retries, 2xx timeouts, 3xx thresholds, 4xx outlier detection,
//! 5xx capacity, 9xx import. A code is never renumbered and never used again.

mod capacity_below_peak;
mod ceiling_cuts_recommendation;
mod connect_does_not_fit;
mod deadline_below_p99;
mod default_limit_harms;
mod distributed_limit_trap;
mod finding;
mod fixes;
mod fleet_sum_above_capacity;
mod host_concurrency_unknown;
mod input_without_effect;
mod keepalive_unknown;
mod mean_against_percentiles;
mod mean_only;
mod mostly_high_priority;
mod one_percentile_only;
mod outlier_detection_slow;
mod outlier_false_ejections;
mod outlier_off;
mod pending_above_useful;
mod per_try_cuts_good_requests;
mod registry;
mod retries_do_not_fit_deadline;
mod retry_amplification;
mod retry_floor_too_low;
mod retry_floors_add_up;
mod route_cuts_at_slowdown;
mod shed_target_out_of_reach;
mod short_stall_refuses;
mod single_host_no_ejection;
mod skew_with_one_proxy;
mod streaming_without_limits;
mod success_rate_stays_off;
mod tail_rules_mean;

#[cfg(test)]
pub(crate) mod tests;

pub use finding::{Finding, Fix, Severity};
pub use registry::RULES;

use super::scenario::Scenario;
use super::sizing::Sizing;
use super::ways_out::Way;

/// What a rule looks at.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// What was asked.
    pub scenario: &'a Scenario,
    /// What was recommended, with everything it was derived from.
    pub sizing: &'a Sizing,
    /// The single changes that make room, where there is none.
    pub ways: &'a [Way],
}

/// What is known about a rule besides its condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleMeta {
    /// Stable code, `HR501`.
    pub code: &'static str,
    /// Stable name, the name of its file with dashes.
    pub name: &'static str,
    /// How bad; a finding may be milder where the rule says so.
    pub severity: Severity,
    /// The bad thing, in a clause.
    pub summary: &'static str,
    /// Why it is bad.
    pub rationale: &'static str,
    /// Who says so.
    pub sources: &'static [&'static str],
}

/// A rule.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// What is known about it.
    pub meta: RuleMeta,
    /// Its condition and its words.
    pub check: fn(&Context<'_>) -> Vec<Finding>,
}

impl RuleMeta {
    /// A finding of this rule.
    pub fn finding(&self, fields: &[&'static str], message: String) -> Finding {
        Finding {
            code: self.code,
            name: self.name,
            severity: self.severity,
            message,
            consequence: String::new(),
            help: String::new(),
            fields: fields.to_vec(),
            line: None,
            file: None,
            fix: None,
        }
    }
}

/// All findings, worst first, then by code.
pub fn check_all(cx: &Context<'_>) -> Vec<Finding> {
    let mut findings: Vec<Finding> = RULES.iter().flat_map(|rule| (rule.check)(cx)).collect();
    findings.sort_by_key(|f| (f.severity, f.code));
    findings
}
