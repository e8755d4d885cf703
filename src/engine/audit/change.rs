//! Fixes as data: which setting becomes what. How a dialect writes it is decided elsewhere.

use crate::engine::read::Place;
use crate::engine::read::config::RoutingPriority;
use crate::engine::units::{Millis, Percent};
use serde::Serialize;

/// A setting of Envoy that a fix can change; in another dialect, the one that becomes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub enum Setting {
    // Of a cluster.
    MaxConnections(RoutingPriority),
    MaxPendingRequests(RoutingPriority),
    MaxRequests(RoutingPriority),
    MaxRetries(RoutingPriority),
    MaxConnectionPools(RoutingPriority),
    /// The whole block.
    RetryBudget(RoutingPriority),
    BudgetPercent(RoutingPriority),
    MinRetryConcurrency(RoutingPriority),
    TrackRemaining(RoutingPriority),
    PerHostMaxConnections,
    ConnectTimeout,
    /// `common_http_protocol_options.idle_timeout` of the cluster.
    PoolIdleTimeout,
    MaxRequestsPerConnection,
    MaxConcurrentStreams,
    HealthyPanicThreshold,
    UpdateMergeWindow,
    /// The whole block.
    OutlierDetection,
    Consecutive5xx,
    ConsecutiveGatewayFailure,
    ConsecutiveLocalOriginFailure,
    EnforcingConsecutive5xx,
    EnforcingConsecutiveGatewayFailure,
    EnforcingConsecutiveLocalOriginFailure,
    EnforcingSuccessRate,
    EnforcingLocalOriginSuccessRate,
    EnforcingFailurePercentage,
    OutlierInterval,
    BaseEjectionTime,
    MaxEjectionTime,
    MaxEjectionTimeJitter,
    MaxEjectionPercent,
    AlwaysEjectOneHost,
    SplitExternalLocalOriginErrors,
    SuccessRateMinimumHosts,
    SuccessRateRequestVolume,
    // Of a route.
    RoutePriority,
    RouteTimeout,
    RouteIdleTimeout,
    MaxStreamDuration,
    GrpcTimeoutHeaderMax,
    GrpcTimeoutHeaderOffset,
    /// The whole block.
    RetryPolicy,
    RetryOn,
    NumRetries,
    PerTryTimeout,
    PerTryIdleTimeout,
    BackOffBase,
    BackOffMax,
    RetriableStatusCodes,
    /// The predicate that avoids hosts already tried, with enough re-picks.
    PreviousHosts,
    HedgeOnPerTryTimeout,
    RequestBodyBufferLimit,
    // Of a connection manager.
    StreamIdleTimeout,
    RespectExpectedRqTimeout,
}

/// What a setting becomes.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum Value {
    Count(u64),
    Duration(Millis),
    Percent(Percent),
    Flag(bool),
    Word(String),
    /// A comma-separated list: `retry_on`.
    Words(Vec<String>),
    Numbers(Vec<u32>),
}

/// One change of the text.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// Writes a setting of the finding's cluster or route: where it stands, or as a new field.
    Set(Setting, Value),
    /// Leaves a setting out, so that its default holds.
    Clear(Setting),
    /// Removes what stands at a place: a key with its value, or an item of a list.
    Remove(Place),
    /// Writes another value at a place.
    Replace(Place, Value),
    /// Writes another key at a place and keeps its value: a misspelt field.
    Rename(Place, String),
}

/// A change that silences a finding, with the text of its button.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fix {
    /// What the button says: `2 → 5`, `Remove the second entry`.
    pub label: String,
    /// What it does, in this order.
    pub changes: Vec<Change>,
}

impl Fix {
    /// A fix of one change.
    pub fn new(label: impl Into<String>, change: Change) -> Self {
        Self { label: label.into(), changes: vec![change] }
    }

    /// One more change of the same fix.
    #[must_use]
    pub fn and(mut self, change: Change) -> Self {
        self.changes.push(change);
        self
    }

    /// Writes a setting.
    pub fn set(label: impl Into<String>, setting: Setting, value: Value) -> Self {
        Self::new(label, Change::Set(setting, value))
    }
}
