//! `outlier_detection`.

use super::fields;
use crate::engine::read::config::{Effect, OutlierDetection, ProblemKind};
use crate::engine::read::field::{Bound, Field, Reader};

/// Reads the block of a cluster.
pub fn outlier_detection(reader: &mut Reader, block: &Field<'_>) -> OutlierDetection {
    const PERCENT: Bound = Bound::UpTo(100);
    reader.known(block, "outlier_detection", fields::OUTLIER_DETECTION);
    let r = reader;
    let outlier = OutlierDetection {
        block: block.place(),
        consecutive_5xx: r.whole(block, "consecutive_5xx", Bound::Any),
        consecutive_gateway_failure: r.whole(block, "consecutive_gateway_failure", Bound::Any),
        consecutive_local_origin_failure: r.whole(block, "consecutive_local_origin_failure", Bound::Any),
        enforcing_consecutive_5xx: r.whole(block, "enforcing_consecutive_5xx", PERCENT),
        enforcing_consecutive_gateway_failure: r.whole(
            block,
            "enforcing_consecutive_gateway_failure",
            PERCENT,
        ),
        enforcing_consecutive_local_origin_failure: r.whole(
            block,
            "enforcing_consecutive_local_origin_failure",
            PERCENT,
        ),
        enforcing_success_rate: r.whole(block, "enforcing_success_rate", PERCENT),
        enforcing_local_origin_success_rate: r.whole(block, "enforcing_local_origin_success_rate", PERCENT),
        enforcing_failure_percentage: r.whole(block, "enforcing_failure_percentage", PERCENT),
        enforcing_failure_percentage_local_origin: r.whole(
            block,
            "enforcing_failure_percentage_local_origin",
            PERCENT,
        ),
        interval: r.duration(block, "interval", Bound::Positive),
        base_ejection_time: r.duration(block, "base_ejection_time", Bound::Positive),
        max_ejection_time: r.duration(block, "max_ejection_time", Bound::Positive),
        max_ejection_time_jitter: r.duration(block, "max_ejection_time_jitter", Bound::Any),
        max_ejection_percent: r.whole(block, "max_ejection_percent", PERCENT),
        success_rate_minimum_hosts: r.whole(block, "success_rate_minimum_hosts", Bound::Any),
        success_rate_request_volume: r.whole(block, "success_rate_request_volume", Bound::Any),
        success_rate_stdev_factor: r.whole(block, "success_rate_stdev_factor", Bound::Any),
        failure_percentage_threshold: r.whole(block, "failure_percentage_threshold", PERCENT),
        failure_percentage_minimum_hosts: r.whole(block, "failure_percentage_minimum_hosts", Bound::Any),
        failure_percentage_request_volume: r.whole(block, "failure_percentage_request_volume", Bound::Any),
        split_external_local_origin_errors: r.truth(block, "split_external_local_origin_errors"),
        always_eject_one_host: r.truth(block, "always_eject_one_host"),
        successful_active_health_check_uneject_host: r
            .truth(block, "successful_active_health_check_uneject_host"),
        detect_degraded_hosts: r.truth(block, "detect_degraded_hosts"),
        error_matcher: None,
        error_codes: None,
    };
    below_base(r, &outlier);
    outlier
}

fn below_base(reader: &mut Reader, outlier: &OutlierDetection) {
    let base = crate::engine::envoy::defaults::BASE_EJECTION_TIME.0;
    let base = outlier.base_ejection_time.as_ref().map_or(base, |b| b.value);
    if let Some(max) = outlier.max_ejection_time.as_ref().filter(|max| max.value < base && max.value.0 > 0.0)
    {
        let message = format!(
            "`max_ejection_time` is {} s, below `base_ejection_time` of {} s",
            max.value.as_secs(),
            base.as_secs()
        );
        let help = format!("write {}s or more", base.as_secs());
        reader.problem(max.at.clone(), ProblemKind::OutOfRange, Effect::Rejected, message, help);
    }
}
