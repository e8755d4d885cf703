//! A typed subset of Envoy's v3 API: the fields Headroom recommends, in Envoy's names.
//!
//! One struct a message, one field a field; what is not set is `None` and left out of the text.
//! Oneofs are enums, so that a value Envoy would refuse for setting both cannot be built: a
//! threshold has a retry budget or a `max_retries`, never both.
//!
//! Everything here can be read back too, which is how the serializer is tested.

mod bootstrap;
mod cluster;
mod route;
mod wire;

pub use bootstrap::{
    Address, Admin, Bootstrap, ClusterLoadAssignment, DiscoveryType, Endpoint, Filter, FilterChain,
    HttpConnectionManager, HttpFilter, LbEndpoint, Listener, LocalityEndpoints, RouteConfiguration, Router,
    SocketAddress, StaticResources, VirtualHost,
};
pub use cluster::{
    CircuitBreakers, Cluster, CommonHttpProtocolOptions, ExplicitHttpConfig, ExtensionProtocolOptions,
    HttpProtocolOptions, NoOptions, OutlierDetection, RetryBudget, RetryLimit, RoutingPriority, Thresholds,
};
pub use route::{
    MaxStreamDuration, PreviousHosts, RetryBackOff, RetryHostPredicate, RetryPolicy, Route, RouteAction,
    RouteMatch,
};
#[cfg(feature = "cli")]
pub(crate) use wire::short_number;
pub use wire::{Duration, PercentValue};

use serde::{Deserialize, Serialize};

/// A cluster and its routes, to be pasted into a configuration that exists.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fragments {
    /// The cluster; discovery and endpoints stay those of the configuration it goes into.
    pub clusters: Vec<Cluster>,
    /// The routes that lead to it.
    pub routes: Vec<Route>,
}
