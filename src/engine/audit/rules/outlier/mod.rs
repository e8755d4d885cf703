//! Outlier detection and panic.

mod answers_unseen_on_tcp;
mod cap_below_one_host;
mod detection;
mod detection_too_slow;
mod detector_not_enforced;
mod ejection_below_interval;
mod ejects_more_in_old_releases;
mod ejects_more_than_spared;
mod enforced_in_part;
mod error_matcher_narrows;
mod failing_hosts_stay;
mod failure_percentage_never_judges;
mod good_days_eject;
mod grpc_trailers_unseen;
mod health_check_ends_ejections;
mod interval_too_long;
mod local_origin_without_split;
mod merge_window_delays_ejections;
mod nothing_enforced;
mod one_host_to_eject;
mod own_refusals_eject;
mod panic_off_with_ejections;
mod panic_undoes_ejections;
mod server_errors_unseen;
mod split_hides_hanging_hosts;
mod success_rate_never_judges;

use super::Rule;

/// The rules of this folder, sorted by code.
pub static RULES: &[&Rule] = &[
    &cap_below_one_host::RULE,
    &nothing_enforced::RULE,
    &one_host_to_eject::RULE,
    &panic_undoes_ejections::RULE,
    &panic_off_with_ejections::RULE,
    &ejects_more_than_spared::RULE,
    &ejects_more_in_old_releases::RULE,
    &server_errors_unseen::RULE,
    &detector_not_enforced::RULE,
    &enforced_in_part::RULE,
    &split_hides_hanging_hosts::RULE,
    &local_origin_without_split::RULE,
    &own_refusals_eject::RULE,
    &success_rate_never_judges::RULE,
    &failure_percentage_never_judges::RULE,
    &good_days_eject::RULE,
    &detection_too_slow::RULE,
    &ejection_below_interval::RULE,
    &interval_too_long::RULE,
    &merge_window_delays_ejections::RULE,
    &health_check_ends_ejections::RULE,
    &error_matcher_narrows::RULE,
    &failing_hosts_stay::RULE,
    &answers_unseen_on_tcp::RULE,
    &grpc_trailers_unseen::RULE,
];
