//! What running proxies report: admin output and access logs.

mod closed_under_request;
mod connection_overflow_misread;
mod connects_fail_without_refusals;
mod ejections_blocked;
mod failures_of_no_limit;
mod hosts_out_now;
mod idle_connections_closed;
mod limit_not_in_force;
mod limit_refuses;
mod no_host_or_no_pool;
mod panic_seen;
mod pinned_at_limit;
mod refusals_ejected_hosts;
mod refused_between_scrapes;
mod refused_in_log;
mod retries_abandoned_for_body;
mod retries_refused;
mod scenario_below_report;
mod seen;
mod timeouts_behind_200;
mod timeouts_in_log;

use super::Rule;

/// The rules of this folder, sorted by code.
pub static RULES: &[&Rule] = &[
    &limit_refuses::RULE,
    &refused_between_scrapes::RULE,
    &pinned_at_limit::RULE,
    &connects_fail_without_refusals::RULE,
    &retries_refused::RULE,
    &refused_in_log::RULE,
    &no_host_or_no_pool::RULE,
    &retries_abandoned_for_body::RULE,
    &connection_overflow_misread::RULE,
    &panic_seen::RULE,
    &hosts_out_now::RULE,
    &ejections_blocked::RULE,
    &refusals_ejected_hosts::RULE,
    &idle_connections_closed::RULE,
    &timeouts_behind_200::RULE,
    &limit_not_in_force::RULE,
    &scenario_below_report::RULE,
    &closed_under_request::RULE,
    &timeouts_in_log::RULE,
    &failures_of_no_limit::RULE,
];
