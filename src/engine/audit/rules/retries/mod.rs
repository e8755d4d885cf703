//! Retries, back-off, budgets, hedging and bodies.

mod back_off_does_not_grow;
mod back_off_outlasts_timeout;
mod body_too_large_to_retry;
mod budget_counts_per_second;
mod code_is_no_failure;
mod codes_without_condition;
mod condition_not_of_protocol;
mod empty_retry_budget;
mod hedge_field_not_implemented;
mod hedging_adds_load;
mod hedging_without_effect;
mod host_picks_without_effect;
mod max_retries_as_num_retries;
mod max_retries_beside_budget;
mod mesh_retries_inherited;
mod mirror_limited_by_own_breakers;
mod newer_than_this_envoy;
mod no_panic_mode_there;
mod rate_limit_retried_at_once;
mod rate_limited_back_off_idle;
mod rate_limited_wait_outlasts_timeout;
mod retriable_4xx_is_409;
mod retries_fill_request_slots;
mod retries_repeat_every_5xx;
mod retries_unlimited;
mod retries_without_condition;
mod retry_budget_starves;
mod retry_budget_too_large;
mod retry_buffers_fill_memory;
mod retry_can_run_twice;
mod retry_floors_outweigh_budget;
mod retry_gauges_mislead;
mod retry_layers_multiply;
mod retry_limit_default;
mod retry_limit_too_low;
mod retry_limit_without_budget;
mod retry_limit_zero;
mod retry_meets_same_host;
mod route_policy_drops_virtual_host;
mod route_policy_not_read;
mod single_host_retried;
mod stream_inherits_retries;
mod too_many_attempts;
mod unknown_retry_condition;

use super::Rule;

/// The rules of this folder, sorted by code.
pub static RULES: &[&Rule] = &[
    &retry_limit_default::RULE,
    &max_retries_as_num_retries::RULE,
    &retry_limit_without_budget::RULE,
    &retry_can_run_twice::RULE,
    &retry_limit_too_low::RULE,
    &retry_limit_zero::RULE,
    &retries_unlimited::RULE,
    &retry_budget_starves::RULE,
    &retry_floors_outweigh_budget::RULE,
    &max_retries_beside_budget::RULE,
    &retry_budget_too_large::RULE,
    &retry_gauges_mislead::RULE,
    &retry_layers_multiply::RULE,
    &retries_fill_request_slots::RULE,
    &retries_repeat_every_5xx::RULE,
    &mesh_retries_inherited::RULE,
    &codes_without_condition::RULE,
    &code_is_no_failure::RULE,
    &unknown_retry_condition::RULE,
    &retries_without_condition::RULE,
    &route_policy_drops_virtual_host::RULE,
    &condition_not_of_protocol::RULE,
    &retriable_4xx_is_409::RULE,
    &back_off_outlasts_timeout::RULE,
    &back_off_does_not_grow::RULE,
    &rate_limited_back_off_idle::RULE,
    &rate_limit_retried_at_once::RULE,
    &body_too_large_to_retry::RULE,
    &retry_buffers_fill_memory::RULE,
    &retry_meets_same_host::RULE,
    &host_picks_without_effect::RULE,
    &single_host_retried::RULE,
    &hedging_without_effect::RULE,
    &hedge_field_not_implemented::RULE,
    &hedging_adds_load::RULE,
    &route_policy_not_read::RULE,
    &newer_than_this_envoy::RULE,
    &mirror_limited_by_own_breakers::RULE,
    &budget_counts_per_second::RULE,
    &no_panic_mode_there::RULE,
    &too_many_attempts::RULE,
    &empty_retry_budget::RULE,
    &stream_inherits_retries::RULE,
    &rate_limited_wait_outlasts_timeout::RULE,
];

#[cfg(test)]
mod tests {
    use super::RULES;
    use crate::engine::analyze;
    use crate::engine::audit::rules::tests::judge;
    use crate::engine::export::{Target, export};
    use crate::engine::params::by_key;
    use crate::engine::rules::Severity;
    use crate::engine::scenario::Draft;

    const SCENARIOS: &[&str] = &[
        "rps=600 p50=100 p99=200 clients=2 hosts=8 host_concurrency=400 idempotent=true deadline_ms=2500",
        "rps=500 p50=35 p99=110 clients=100 hosts=10 host_concurrency=64",
        "rps=500 p50=35 p99=110 clients=130 hosts=11 host_concurrency=64",
        "rps=500 p50=35 p99=110 clients=100 hosts=11 host_concurrency=64 high_priority_share=0.6",
        "rps=1 p50=100 clients=1000000 hosts=8 host_concurrency=400",
        "rps=600 p50=100 p99=200 hosts=1 host_concurrency=50",
        "rps=600 p50=100 p99=200 hosts=1 idempotent=true",
        "rps=600 p50=100 p99=200 clients=2 deadline_ms=240 connect_ms=100",
        "rps=600 p50=100 p99=200 clients=2 deadline_ms=500 idempotent=true",
        "rps=3000 p50=4 p99=18 p999=40 clients=40 hosts=8 deadline_ms=150 connect_ms=2 protocol=grpc idempotent=true",
        "rps=3000 p50=0.1 p99=0.5 clients=40 hosts=8 deadline_ms=20 connect_ms=1 idempotent=true",
        "rps=600 p50=100 p99=200 clients=2 hosts=8 error_rate=0.1 idempotent=true",
        "rps=600 p50=100 p99=200 clients=2 hosts=8 error_rate=0.6",
        "rps=600 p50=100 p99=200 clients=2 hosts=8 retrying_hops=3 idempotent=true",
        "rps=600 p50=100 p99=200 clients=2 hosts=8 retry_overhead=0 idempotent=true",
        "rps=600 p50=100 p99=200 clients=2 hosts=8 retry_overhead=1 idempotent=true",
        "rps=600 p50=100 p99=200 shed_target=0.1 idempotent=true",
        "rps=1000000 mean=100 clients=4 hosts=200 idempotent=true protocol=http1",
        "protocol=grpc_stream rps=5 stream_mean=300",
        "protocol=grpc_stream rps=5 stream_p99=300 clients=4 hosts=6 host_concurrency=400 retrying_hops=2",
        "rps=600 p50=100 p99=200 idempotent=true envoy_version=1.30",
    ];

    /// Whoever takes what Headroom recommends has nothing to mend.
    #[track_caller]
    fn check_clean(inputs: &str) {
        let mut draft = Draft::default();
        for (key, value) in inputs.split_whitespace().filter_map(|pair| pair.split_once('=')) {
            draft.set(by_key(key).expect("an input that exists").id, value);
        }
        let scenario = draft.check().unwrap_or_else(|problems| panic!("{inputs}: {problems:?}"));
        let analysis = analyze(&scenario).unwrap_or_else(|problems| panic!("{inputs}: {problems:?}"));
        for target in [Target::Envoy, Target::EnvoyBootstrap] {
            let found = judge(&export(&analysis, target), inputs).findings;
            let ours = |code: &str| RULES.iter().any(|rule| rule.meta.code == code);
            let bad: Vec<_> = found.iter().filter(|f| ours(f.code) && f.severity < Severity::Info).collect();
            assert!(bad.is_empty(), "{inputs}: {bad:#?}");
        }
    }

    #[test]
    fn what_is_recommended_is_clean() {
        for inputs in SCENARIOS {
            check_clean(inputs);
        }
    }

    #[test]
    fn what_is_recommended_is_clean_at_every_size() {
        for rps in [1, 40, 2_000] {
            for clients in [1, 40, 1_000] {
                for hosts in [1, 3, 50] {
                    for more in [
                        "idempotent=true error_rate=0.1",
                        "retry_overhead=0.5",
                        "protocol=grpc idempotent=true",
                    ] {
                        check_clean(&format!(
                            "rps={rps} p50=20 p99=90 clients={clients} hosts={hosts} {more}"
                        ));
                    }
                }
            }
        }
    }
}
