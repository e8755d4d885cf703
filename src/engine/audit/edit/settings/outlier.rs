//! Settings of outlier detection, by Envoy's names.

use crate::engine::audit::Setting;
use crate::engine::audit::edit::form::Form;

/// The field of a setting and its form.
pub fn field(setting: Setting) -> Option<(&'static str, Form)> {
    use Form::{Count, Duration, Flag};
    use Setting as S;
    Some(match setting {
        S::Consecutive5xx => ("consecutive_5xx", Count),
        S::ConsecutiveGatewayFailure => ("consecutive_gateway_failure", Count),
        S::ConsecutiveLocalOriginFailure => ("consecutive_local_origin_failure", Count),
        S::EnforcingConsecutive5xx => ("enforcing_consecutive_5xx", Count),
        S::EnforcingConsecutiveGatewayFailure => ("enforcing_consecutive_gateway_failure", Count),
        S::EnforcingConsecutiveLocalOriginFailure => ("enforcing_consecutive_local_origin_failure", Count),
        S::EnforcingSuccessRate => ("enforcing_success_rate", Count),
        S::EnforcingLocalOriginSuccessRate => ("enforcing_local_origin_success_rate", Count),
        S::EnforcingFailurePercentage => ("enforcing_failure_percentage", Count),
        S::OutlierInterval => ("interval", Duration),
        S::BaseEjectionTime => ("base_ejection_time", Duration),
        S::MaxEjectionTime => ("max_ejection_time", Duration),
        S::MaxEjectionTimeJitter => ("max_ejection_time_jitter", Duration),
        S::MaxEjectionPercent => ("max_ejection_percent", Count),
        S::AlwaysEjectOneHost => ("always_eject_one_host", Flag),
        S::SplitExternalLocalOriginErrors => ("split_external_local_origin_errors", Flag),
        S::SuccessRateMinimumHosts => ("success_rate_minimum_hosts", Count),
        S::SuccessRateRequestVolume => ("success_rate_request_volume", Count),
        _ => return None,
    })
}
