//! `config.route.v3.RetryPolicy` and `HedgePolicy`.

use crate::engine::read::{Place, Setting, Spanned};
use crate::engine::units::Millis;
use serde::{Deserialize, Serialize};

/// `config.route.v3.RetryPolicy`: every field.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct RetryPolicy {
    pub block: Place,
    /// Where it is written; a route's own policy replaces that of its virtual host whole.
    pub scope: PolicyScope,
    /// The words, each with its place; empty ones (`",5xx"`) are skipped as Envoy does.
    pub retry_on: Setting<Vec<String>>,
    pub num_retries: Setting<u32>,
    pub per_try_timeout: Setting<Millis>,
    pub per_try_idle_timeout: Setting<Millis>,
    /// The block `retry_back_off`.
    pub retry_back_off: Option<Place>,
    pub base_interval: Setting<Millis>,
    pub max_interval: Setting<Millis>,
    pub rate_limited_retry_back_off: Option<RateLimitedBackOff>,
    pub retriable_status_codes: Setting<Vec<u32>>,
    /// Number of matchers in `retriable_headers`.
    pub retriable_headers: Setting<u32>,
    /// Number of matchers in `retriable_request_headers`.
    pub retriable_request_headers: Setting<u32>,
    /// Names of the predicates.
    pub retry_host_predicate: Vec<Spanned<String>>,
    /// Istio's `retryIgnorePreviousHosts`.
    pub retry_ignore_previous_hosts: Setting<bool>,
    /// Name of the `retry_priority` plugin.
    pub retry_priority: Setting<String>,
    pub host_selection_retry_max_attempts: Setting<i64>,
    pub refresh_cluster_on_retry: Setting<bool>,
}

impl RetryPolicy {
    /// Whether a word of `retry_on` is set.
    pub fn retries_on(&self, word: &str) -> bool {
        self.retry_on.as_ref().is_some_and(|words| words.value.iter().any(|w| w == word))
    }

    /// Whether hosts already tried are avoided.
    pub fn avoids_previous_hosts(&self) -> bool {
        self.retry_host_predicate.iter().any(|p| p.value.ends_with("previous_hosts"))
    }
}

/// Where a retry or hedge policy is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PolicyScope {
    /// At the route itself.
    #[default]
    Route,
    /// At the virtual host: holds for routes without a policy of their own.
    VirtualHost,
    /// At the cluster (from 1.37 on).
    Cluster,
}

/// `config.route.v3.RetryPolicy.RateLimitedRetryBackOff`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct RateLimitedBackOff {
    pub block: Place,
    pub max_interval: Setting<Millis>,
    /// Number of `reset_headers`.
    pub reset_headers: Setting<u32>,
}

/// `config.route.v3.HedgePolicy`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct HedgePolicy {
    pub block: Place,
    pub scope: PolicyScope,
    pub hedge_on_per_try_timeout: Setting<bool>,
    /// Accepted by Envoy and not implemented.
    pub initial_requests: Setting<u32>,
    /// Accepted by Envoy and not implemented.
    pub additional_request_chance: Option<Place>,
}
