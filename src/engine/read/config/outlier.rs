//! `config.cluster.v3.OutlierDetection`.

use crate::engine::read::{Place, Setting};
use crate::engine::units::Millis;
use serde::{Deserialize, Serialize};

/// `config.cluster.v3.OutlierDetection`: every field; the empty block switches it on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct OutlierDetection {
    pub block: Place,
    pub consecutive_5xx: Setting<u32>,
    pub consecutive_gateway_failure: Setting<u32>,
    pub consecutive_local_origin_failure: Setting<u32>,
    pub enforcing_consecutive_5xx: Setting<u32>,
    pub enforcing_consecutive_gateway_failure: Setting<u32>,
    pub enforcing_consecutive_local_origin_failure: Setting<u32>,
    pub enforcing_success_rate: Setting<u32>,
    pub enforcing_local_origin_success_rate: Setting<u32>,
    pub enforcing_failure_percentage: Setting<u32>,
    pub enforcing_failure_percentage_local_origin: Setting<u32>,
    pub interval: Setting<Millis>,
    pub base_ejection_time: Setting<Millis>,
    pub max_ejection_time: Setting<Millis>,
    pub max_ejection_time_jitter: Setting<Millis>,
    pub max_ejection_percent: Setting<u32>,
    pub success_rate_minimum_hosts: Setting<u32>,
    pub success_rate_request_volume: Setting<u32>,
    pub success_rate_stdev_factor: Setting<u32>,
    pub failure_percentage_threshold: Setting<u32>,
    pub failure_percentage_minimum_hosts: Setting<u32>,
    pub failure_percentage_request_volume: Setting<u32>,
    pub split_external_local_origin_errors: Setting<bool>,
    pub always_eject_one_host: Setting<bool>,
    pub successful_active_health_check_uneject_host: Setting<bool>,
    pub detect_degraded_hosts: Setting<bool>,
    /// The block `error_matcher` of the cluster's HTTP options: only what it matches is an error.
    pub error_matcher: Option<Place>,
    /// Status codes that Istio turns into an error matcher.
    pub error_codes: Setting<Vec<u32>>,
}
