//! Why an input is not known.

use crate::engine::params::ParamId;

/// What to know of a measured share of failures.
pub const GOOD_DAY: &str = "as measured; if that was no good day, give --error-rate";

/// Why no text of a proxy tells an input, or not these texts.
pub fn why(id: ParamId) -> &'static str {
    match id {
        ParamId::Clients => "one proxy does not know how many others call the cluster: give --clients",
        ParamId::HostConcurrency => {
            "how much a host survives is seen in a load test only: give --host-concurrency"
        }
        ParamId::HostsLost | ParamId::Slowdown | ParamId::ShedTarget => "a choice, not a measurement",
        ParamId::Burst => "averages hide the worst second: measure it",
        ParamId::Skew => "one proxy does not know the share of the others",
        ParamId::Idempotent => {
            "whether a request may run twice is known to the service alone; a retry policy is no proof"
        }
        ParamId::UpstreamKeepaliveS => "the server's own setting: Envoy does not see it",
        ParamId::RetryingHops => "a proxy does not see who retries before or behind it",
        ParamId::StreamMean => "no text has sum and count of upstream_rq_time: add /stats/prometheus",
        ParamId::StreamP99 => "no text has upstream_rq_time: add /stats or /stats/prometheus",
        _ => "it is in none of the texts",
    }
}
