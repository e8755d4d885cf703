//! `config.bootstrap.v3`: a whole configuration around a cluster and its routes.

use super::{Cluster, Route};
use crate::engine::envoy::style;
use serde::{Deserialize, Serialize};

/// `config.bootstrap.v3.Bootstrap`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct Bootstrap {
    pub admin: Admin,
    pub static_resources: StaticResources,
}

/// `config.bootstrap.v3.Admin`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct Admin {
    pub address: Address,
}

/// `config.core.v3.Address`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct Address {
    #[serde(serialize_with = "style::flow")]
    pub socket_address: SocketAddress,
}

/// `config.core.v3.SocketAddress`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct SocketAddress {
    pub address: String,
    pub port_value: u16,
}

impl Address {
    /// An address of TCP.
    pub fn tcp(address: &str, port_value: u16) -> Self {
        Self { socket_address: SocketAddress { address: address.to_owned(), port_value } }
    }
}

/// `config.bootstrap.v3.Bootstrap.StaticResources`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct StaticResources {
    pub listeners: Vec<Listener>,
    pub clusters: Vec<Cluster>,
}

/// `config.listener.v3.Listener`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct Listener {
    pub name: String,
    pub address: Address,
    pub filter_chains: Vec<FilterChain>,
}

/// `config.listener.v3.FilterChain`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct FilterChain {
    pub filters: Vec<Filter>,
}

/// `config.listener.v3.Filter`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct Filter {
    pub name: String,
    pub typed_config: HttpConnectionManager,
}

/// `extensions.filters.network.http_connection_manager.v3.HttpConnectionManager`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    tag = "@type",
    rename = "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager"
)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct HttpConnectionManager {
    pub stat_prefix: String,
    pub route_config: RouteConfiguration,
    pub http_filters: Vec<HttpFilter>,
}

/// `config.route.v3.RouteConfiguration`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct RouteConfiguration {
    pub name: String,
    pub virtual_hosts: Vec<VirtualHost>,
}

/// `config.route.v3.VirtualHost`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct VirtualHost {
    pub name: String,
    #[serde(serialize_with = "style::flow_list")]
    pub domains: Vec<String>,
    pub routes: Vec<Route>,
}

/// `extensions.filters.network.http_connection_manager.v3.HttpFilter`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct HttpFilter {
    pub name: String,
    pub typed_config: Router,
}

/// `extensions.filters.http.router.v3.Router`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "@type", rename = "type.googleapis.com/envoy.extensions.filters.http.router.v3.Router")]
pub struct Router {}

/// `config.cluster.v3.Cluster.DiscoveryType`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub enum DiscoveryType {
    Static,
    StrictDns,
}

/// `config.endpoint.v3.ClusterLoadAssignment`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct ClusterLoadAssignment {
    #[serde(serialize_with = "style::name")]
    pub cluster_name: String,
    pub endpoints: Vec<LocalityEndpoints>,
}

/// `config.endpoint.v3.LocalityLbEndpoints`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct LocalityEndpoints {
    pub lb_endpoints: Vec<LbEndpoint>,
}

/// `config.endpoint.v3.LbEndpoint`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct LbEndpoint {
    pub endpoint: Endpoint,
}

/// `config.endpoint.v3.Endpoint`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct Endpoint {
    pub address: Address,
}
