//! Policies for proxies that are not Envoy, as far as they look like Envoy's.

use super::Origin;
use crate::engine::read::{Place, Setting};
use crate::engine::units::{Millis, Rate, Share};
use serde::{Deserialize, Serialize};

/// A resource whose settings do not become Envoy's.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ForeignPolicy {
    /// Where it comes from.
    pub origin: Origin,
    /// A circuit breaker that takes single endpoints out of service.
    pub breaker: Option<Place>,
    /// A retry budget that counts requests per second.
    pub retry_budget: Option<RateBudget>,
}

/// A retry budget of a rate: retries per second are a share of requests per second, and some more.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RateBudget {
    /// The block.
    pub block: Place,
    /// Share of the requests of the window that may be retried.
    pub ratio: Setting<Share>,
    /// Retries per second that are allowed on top.
    pub minimum: Setting<Rate>,
    /// The window.
    pub window: Setting<Millis>,
}
