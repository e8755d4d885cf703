//! What Envoy does for a cluster and a route that say nothing about limits, timeouts and retries.

use super::bare;
use crate::engine::envoy::defaults;
use crate::engine::scenario::Scenario;
use crate::engine::sim::{Nanos, Outlier, Policy, Retry, RetryOn};

impl Policy {
    /// Envoy's defaults for a cluster that speaks the scenario's protocol: 1,024 of everything, a
    /// route timeout of 15 s, no retry, nothing ejected.
    ///
    /// # Source
    ///
    /// [`crate::engine::envoy::defaults`]; a retry policy and outlier detection exist only where they
    /// are written.
    pub fn envoy_defaults(scenario: &Scenario) -> Self {
        bare(scenario.protocol.multiplexes(), scenario.envoy_version)
    }
}

/// An empty `retry_policy`: it retries on nothing yet.
pub fn retry() -> Retry {
    let base = defaults::RETRY_BASE_INTERVAL.0;
    Retry {
        retry_on: RetryOn::default(),
        num_retries: defaults::NUM_RETRIES,
        per_try_timeout: None,
        per_try_idle_timeout: None,
        base_interval: Nanos::of(base),
        max_interval: Nanos::of(base * defaults::RETRY_MAX_INTERVAL_BASES),
        retriable_status_codes: Vec::new(),
        previous_hosts: false,
        host_selection_retry_max_attempts: defaults::HOST_SELECTION_RETRY_MAX_ATTEMPTS,
    }
}

/// An empty `outlier_detection`: it is on.
pub fn outlier() -> Outlier {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a constant of 100")]
    let volume = defaults::SUCCESS_RATE_REQUEST_VOLUME as u32;
    Outlier {
        consecutive_5xx: defaults::CONSECUTIVE_5XX,
        consecutive_gateway_failure: defaults::CONSECUTIVE_GATEWAY_FAILURE,
        consecutive_local_origin_failure: defaults::CONSECUTIVE_LOCAL_ORIGIN_FAILURE,
        enforcing_consecutive_5xx: defaults::ENFORCING,
        enforcing_consecutive_gateway_failure: defaults::ENFORCING_CONSECUTIVE_GATEWAY_FAILURE,
        enforcing_consecutive_local_origin_failure: defaults::ENFORCING,
        enforcing_success_rate: defaults::ENFORCING,
        enforcing_local_origin_success_rate: defaults::ENFORCING,
        enforcing_failure_percentage: defaults::ENFORCING_FAILURE_PERCENTAGE,
        enforcing_failure_percentage_local_origin: defaults::ENFORCING_FAILURE_PERCENTAGE,
        interval: Nanos::of(defaults::OUTLIER_INTERVAL.0),
        base_ejection_time: Nanos::of(defaults::BASE_EJECTION_TIME.0),
        max_ejection_time: Nanos::of(defaults::MAX_EJECTION_TIME.0),
        max_ejection_time_jitter: Nanos::ZERO,
        max_ejection_percent: defaults::MAX_EJECTION_PERCENT,
        success_rate_minimum_hosts: defaults::SUCCESS_RATE_MINIMUM_HOSTS,
        success_rate_request_volume: volume,
        success_rate_stdev_factor: defaults::SUCCESS_RATE_STDEV_FACTOR,
        failure_percentage_threshold: defaults::FAILURE_PERCENTAGE_THRESHOLD,
        failure_percentage_minimum_hosts: defaults::FAILURE_PERCENTAGE_MINIMUM_HOSTS,
        failure_percentage_request_volume: defaults::FAILURE_PERCENTAGE_REQUEST_VOLUME,
        split_external_local_origin_errors: false,
        always_eject_one_host: false,
    }
}
