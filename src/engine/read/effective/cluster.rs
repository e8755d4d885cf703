//! A cluster with everything filled in.

use super::defaults::{self, ProgramDefaults};
use super::{Effective, From, or_default};
use crate::engine::envoy::defaults as envoy;
use crate::engine::read::config::{
    ClusterConfig, Configuration, Dialect, OutlierDetection, RetryBudget, RoutingPriority, RuntimeOverride,
    Thresholds, UpstreamProtocol,
};
use crate::engine::scenario::EnvoyVersion;
use crate::engine::units::{Millis, Percent};
use serde::{Deserialize, Serialize};

/// What is in force for a cluster.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct EffectiveCluster {
    /// Name; empty where the text has none.
    pub name: String,
    /// DEFAULT, then HIGH.
    pub priorities: [EffectivePriority; 2],
    pub connect_timeout: Effective<Millis>,
    /// Of pooled connections; zero is off.
    pub idle_timeout: Effective<Millis>,
    /// Zero is no limit.
    pub max_requests_per_connection: Effective<u32>,
    pub max_concurrent_streams: Effective<u32>,
    pub protocol: Effective<UpstreamProtocol>,
    /// Zero is off.
    pub max_stream_duration: Effective<Millis>,
    pub per_connection_buffer_limit_bytes: Effective<u32>,
    /// `None` without the block: nothing is ever ejected.
    pub outlier_detection: Option<EffectiveOutlier>,
    /// In percent; zero is off.
    pub healthy_panic_threshold: Effective<Percent>,
    pub update_merge_window: Effective<Millis>,
    pub fail_traffic_on_panic: Effective<bool>,
}

/// Limits in force for one routing priority.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct EffectivePriority {
    pub priority: RoutingPriority,
    pub max_connections: Effective<u32>,
    pub max_pending_requests: Effective<u32>,
    pub max_requests: Effective<u32>,
    pub retry_limit: EffectiveRetryLimit,
    /// `None` is no limit.
    pub max_connection_pools: Effective<Option<u32>>,
    pub track_remaining: Effective<bool>,
    /// `per_host_thresholds`; `None` is no limit.
    pub max_connections_per_host: Effective<Option<u32>>,
}

/// What limits the retries of a priority.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub enum EffectiveRetryLimit {
    /// A fixed number at once.
    MaxRetries(Effective<u32>),
    /// A share of what is in flight, with a floor; `max_retries` is not looked at.
    Budget(Box<EffectiveBudget>),
}

/// A retry budget in force.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct EffectiveBudget {
    pub budget_percent: Effective<Percent>,
    pub min_retry_concurrency: Effective<u32>,
    /// Zero: of what is in flight at the moment; otherwise (from 1.39 on) of what was started in
    /// the interval.
    pub budget_interval: Effective<Millis>,
}

/// Outlier detection in force.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct EffectiveOutlier {
    /// Zero is off.
    pub consecutive_5xx: Effective<u32>,
    pub consecutive_gateway_failure: Effective<u32>,
    pub consecutive_local_origin_failure: Effective<u32>,
    pub enforcing_consecutive_5xx: Effective<u32>,
    pub enforcing_consecutive_gateway_failure: Effective<u32>,
    pub enforcing_consecutive_local_origin_failure: Effective<u32>,
    pub enforcing_success_rate: Effective<u32>,
    pub enforcing_local_origin_success_rate: Effective<u32>,
    pub enforcing_failure_percentage: Effective<u32>,
    pub enforcing_failure_percentage_local_origin: Effective<u32>,
    pub interval: Effective<Millis>,
    pub base_ejection_time: Effective<Millis>,
    pub max_ejection_time: Effective<Millis>,
    pub max_ejection_time_jitter: Effective<Millis>,
    pub max_ejection_percent: Effective<u32>,
    pub success_rate_minimum_hosts: Effective<u32>,
    pub success_rate_request_volume: Effective<u32>,
    pub success_rate_stdev_factor: Effective<u32>,
    pub failure_percentage_threshold: Effective<u32>,
    pub failure_percentage_minimum_hosts: Effective<u32>,
    pub failure_percentage_request_volume: Effective<u32>,
    pub split_external_local_origin_errors: Effective<bool>,
    pub always_eject_one_host: Effective<bool>,
    pub successful_active_health_check_uneject_host: Effective<bool>,
    pub detect_degraded_hosts: Effective<bool>,
}

/// What is in force for a cluster of a configuration.
pub fn effective_cluster(
    configuration: &Configuration,
    cluster: &ClusterConfig,
    version: EnvoyVersion,
) -> EffectiveCluster {
    let dialect = cluster.origin.dialect;
    let program = defaults::of(dialect);
    let (e, zero) = (Dialect::Envoy, Millis(0.0));
    let by = |own: bool| if own { dialect } else { e };
    let name = cluster.name.as_ref().map(|n| n.value.clone()).unwrap_or_default();
    let runtime: Vec<&RuntimeOverride> = configuration.runtime.iter().filter(|r| r.cluster == name).collect();
    let streams = program.max_concurrent_streams;
    let panic = program.panic_with_outlier_detection.filter(|_| cluster.outlier_detection.is_some());
    EffectiveCluster {
        name,
        priorities: RoutingPriority::ALL.map(|p| priority(cluster, p, program, &runtime)),
        connect_timeout: or_default(
            &cluster.connect_timeout,
            by(program.connect_timeout.is_some()),
            program.connect_timeout.unwrap_or(envoy::CONNECT_TIMEOUT.0),
        ),
        idle_timeout: or_default(&cluster.idle_timeout, e, envoy::POOL_IDLE_TIMEOUT.0),
        max_requests_per_connection: or_default(&cluster.max_requests_per_connection, e, 0),
        max_concurrent_streams: or_default(
            &cluster.max_concurrent_streams,
            by(streams.is_some()),
            streams.unwrap_or_else(|| envoy::max_concurrent_streams(version)),
        ),
        protocol: or_default(&cluster.protocol, e, UpstreamProtocol::Http1),
        max_stream_duration: or_default(&cluster.max_stream_duration, e, zero),
        per_connection_buffer_limit_bytes: or_default(
            &cluster.per_connection_buffer_limit_bytes,
            by(program.buffer_limit_bytes.is_some()),
            program.buffer_limit_bytes.unwrap_or(envoy::BUFFER_LIMIT_BYTES),
        ),
        outlier_detection: cluster.outlier_detection.as_ref().map(|o| outlier(o, dialect, program)),
        healthy_panic_threshold: or_default(
            &cluster.healthy_panic_threshold,
            by(panic.is_some()),
            Percent(panic.unwrap_or(envoy::HEALTHY_PANIC_THRESHOLD)),
        ),
        update_merge_window: or_default(&cluster.update_merge_window, e, envoy::UPDATE_MERGE_WINDOW.0),
        fail_traffic_on_panic: or_default(&cluster.fail_traffic_on_panic, e, false),
    }
}

impl EffectiveCluster {
    /// The limits of a priority.
    pub fn limits(&self, priority: RoutingPriority) -> &EffectivePriority {
        match priority {
            RoutingPriority::Default => &self.priorities[0],
            RoutingPriority::High => &self.priorities[1],
        }
    }
}

fn priority(
    cluster: &ClusterConfig,
    priority: RoutingPriority,
    program: &ProgramDefaults,
    runtime: &[&RuntimeOverride],
) -> EffectivePriority {
    // Control planes write the DEFAULT priority only; the other keeps Envoy's own defaults.
    let own = priority == RoutingPriority::Default;
    let dialect = if own { program.limits_by } else { Dialect::Envoy };
    let envoys = [envoy::MAX_CONNECTIONS, envoy::MAX_PENDING_REQUESTS, envoy::MAX_REQUESTS];
    let [connections, pending, requests] = if own { program.limits } else { envoys };
    let max_retries = if own { program.max_retries } else { envoy::MAX_RETRIES };
    let none = Thresholds::default();
    let entry = cluster.threshold(priority).unwrap_or(&none);
    let key = |field: &str| runtime.iter().find(|r| r.priority == priority && r.field == field);
    let limit = |written, field: &str, default| {
        let value = or_default(written, dialect, default);
        key(field).map_or(value, |r| whole(r))
    };
    let budget = entry.retry_budget.as_ref();
    let retry_limit = if budget.is_some() || runtime.iter().any(|r| r.priority == priority && r.is_budget()) {
        let budget = budget.cloned().unwrap_or_default();
        retry_budget(&budget, key)
    } else {
        EffectiveRetryLimit::MaxRetries(limit(&entry.max_retries, "max_retries", max_retries))
    };
    let per_host = cluster
        .per_host_thresholds
        .iter()
        .find(|t| t.priority.as_ref().map_or(RoutingPriority::Default, |p| p.value) == priority);
    EffectivePriority {
        priority,
        max_connections: limit(&entry.max_connections, "max_connections", connections),
        max_pending_requests: limit(&entry.max_pending_requests, "max_pending_requests", pending),
        max_requests: limit(&entry.max_requests, "max_requests", requests),
        retry_limit,
        max_connection_pools: key("max_connection_pools")
            .map_or_else(|| optional(entry.max_connection_pools.as_ref()), |r| whole(r).map(Some)),
        track_remaining: or_default(&entry.track_remaining, dialect, own && program.track_remaining),
        max_connections_per_host: optional(per_host.and_then(|t| t.max_connections.as_ref())),
    }
}

fn optional(written: Option<&crate::engine::read::Spanned<u32>>) -> Effective<Option<u32>> {
    written.map_or_else(
        || Effective::default_of(Dialect::Envoy, None),
        |w| Effective { value: Some(w.value), from: From::Text(w.at.clone()) },
    )
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a float becomes the nearest integer in range, as Envoy's runtime does it"
)]
fn whole(runtime: &RuntimeOverride) -> Effective<u32> {
    Effective { value: runtime.value.value as u32, from: From::Runtime(runtime.value.at.clone()) }
}

fn retry_budget<'a>(
    budget: &RetryBudget,
    key: impl Fn(&str) -> Option<&'a &'a RuntimeOverride>,
) -> EffectiveRetryLimit {
    let e = Dialect::Envoy;
    let runtime = |field: &str| {
        let r = key(&format!("retry_budget.{field}"))?;
        Some(Effective { value: r.value.value, from: From::Runtime(r.value.at.clone()) })
    };
    EffectiveRetryLimit::Budget(Box::new(EffectiveBudget {
        budget_percent: runtime("budget_percent")
            .map_or_else(|| or_default(&budget.budget_percent, e, envoy::BUDGET_PERCENT), |r| r.map(Percent)),
        min_retry_concurrency: key("retry_budget.min_retry_concurrency").map_or_else(
            || or_default(&budget.min_retry_concurrency, e, envoy::MIN_RETRY_CONCURRENCY),
            |r| whole(r),
        ),
        budget_interval: runtime("budget_interval")
            .map_or_else(|| or_default(&budget.budget_interval, e, Millis(0.0)), |r| r.map(Millis)),
    }))
}

fn outlier(o: &OutlierDetection, dialect: Dialect, program: &ProgramDefaults) -> EffectiveOutlier {
    let e = Dialect::Envoy;
    let base = or_default(&o.base_ejection_time, e, envoy::BASE_EJECTION_TIME.0);
    let (rate_by, rate) = if program.success_rate_off { (dialect, 0) } else { (e, envoy::ENFORCING) };
    let (interval_by, interval) =
        program.outlier_interval.map_or((e, envoy::OUTLIER_INTERVAL.0), |interval| (dialect, interval));
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a constant of 100")]
    let volume = envoy::SUCCESS_RATE_REQUEST_VOLUME as u32;
    EffectiveOutlier {
        consecutive_5xx: or_default(&o.consecutive_5xx, e, envoy::CONSECUTIVE_5XX),
        consecutive_gateway_failure: or_default(
            &o.consecutive_gateway_failure,
            e,
            envoy::CONSECUTIVE_GATEWAY_FAILURE,
        ),
        consecutive_local_origin_failure: or_default(
            &o.consecutive_local_origin_failure,
            e,
            envoy::CONSECUTIVE_LOCAL_ORIGIN_FAILURE,
        ),
        enforcing_consecutive_5xx: or_default(&o.enforcing_consecutive_5xx, e, envoy::ENFORCING),
        enforcing_consecutive_gateway_failure: or_default(
            &o.enforcing_consecutive_gateway_failure,
            e,
            envoy::ENFORCING_CONSECUTIVE_GATEWAY_FAILURE,
        ),
        enforcing_consecutive_local_origin_failure: or_default(
            &o.enforcing_consecutive_local_origin_failure,
            e,
            envoy::ENFORCING,
        ),
        enforcing_success_rate: or_default(&o.enforcing_success_rate, rate_by, rate),
        enforcing_local_origin_success_rate: or_default(
            &o.enforcing_local_origin_success_rate,
            rate_by,
            rate,
        ),
        enforcing_failure_percentage: or_default(
            &o.enforcing_failure_percentage,
            e,
            envoy::ENFORCING_FAILURE_PERCENTAGE,
        ),
        enforcing_failure_percentage_local_origin: or_default(
            &o.enforcing_failure_percentage_local_origin,
            e,
            envoy::ENFORCING_FAILURE_PERCENTAGE,
        ),
        interval: or_default(&o.interval, interval_by, interval),
        max_ejection_time: or_default(&o.max_ejection_time, e, envoy::MAX_EJECTION_TIME.0.max(base.value)),
        base_ejection_time: base,
        max_ejection_time_jitter: or_default(&o.max_ejection_time_jitter, e, Millis(0.0)),
        max_ejection_percent: or_default(&o.max_ejection_percent, e, envoy::MAX_EJECTION_PERCENT),
        success_rate_minimum_hosts: or_default(
            &o.success_rate_minimum_hosts,
            e,
            envoy::SUCCESS_RATE_MINIMUM_HOSTS,
        ),
        success_rate_request_volume: or_default(&o.success_rate_request_volume, e, volume),
        success_rate_stdev_factor: or_default(
            &o.success_rate_stdev_factor,
            e,
            envoy::SUCCESS_RATE_STDEV_FACTOR,
        ),
        failure_percentage_threshold: or_default(
            &o.failure_percentage_threshold,
            e,
            envoy::FAILURE_PERCENTAGE_THRESHOLD,
        ),
        failure_percentage_minimum_hosts: or_default(
            &o.failure_percentage_minimum_hosts,
            e,
            envoy::FAILURE_PERCENTAGE_MINIMUM_HOSTS,
        ),
        failure_percentage_request_volume: or_default(
            &o.failure_percentage_request_volume,
            e,
            envoy::FAILURE_PERCENTAGE_REQUEST_VOLUME,
        ),
        split_external_local_origin_errors: or_default(&o.split_external_local_origin_errors, e, false),
        always_eject_one_host: or_default(&o.always_eject_one_host, e, false),
        successful_active_health_check_uneject_host: or_default(
            &o.successful_active_health_check_uneject_host,
            e,
            true,
        ),
        detect_degraded_hosts: or_default(&o.detect_degraded_hosts, e, false),
    }
}

impl RuntimeOverride {
    /// Whether it is a key of a retry budget, which switches the budget on.
    pub fn is_budget(&self) -> bool {
        self.field.starts_with("retry_budget.")
    }
}
