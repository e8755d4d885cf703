//! Listeners and their HTTP connection managers.

use super::any::{inner_type, unwrap};
use super::fields;
use super::route::{self, Inherited};
use crate::engine::read::Setting;
use crate::engine::read::config::{ManagerConfig, ResourceState};
use crate::engine::read::field::{Bound, Field, Reader};

/// What a connection manager inherits from its listener.
#[derive(Clone, Debug, Default)]
pub struct OfListener {
    /// Its name.
    pub name: Setting<String>,
    /// Its buffer limit.
    pub buffer_limit: Setting<u32>,
    /// In force or static.
    pub state: ResourceState,
}

/// Reads a listener.
pub fn listener(reader: &mut Reader, field: &Field<'_>, state: ResourceState) {
    if !reader.is_message(field) {
        return;
    }
    reader.known(field, "a listener", fields::LISTENER);
    let of = OfListener {
        name: field.text("name"),
        buffer_limit: reader.whole(field, "per_connection_buffer_limit_bytes", Bound::Any),
        state,
    };
    let mut chains = field.list("filter_chains");
    chains.extend(field.get("default_filter_chain"));
    for filter in chains.iter().flat_map(|chain| chain.list("filters")) {
        network_filter(reader, &filter, &of);
    }
    if let Some(api) = field.at(&["api_listener", "api_listener"]) {
        manager(reader, &unwrap(&api), &of);
    }
}

/// Reads a network filter.
pub fn network_filter(reader: &mut Reader, filter: &Field<'_>, of: &OfListener) {
    let Some(config) = filter.get("typed_config").or_else(|| filter.get("config")) else { return };
    let inner = unwrap(&config);
    let name = filter.node.text_of("name").unwrap_or_default();
    let kind = inner_type(&config);
    if kind == "HttpConnectionManager" || name.ends_with("http_connection_manager") {
        manager(reader, &inner, of);
    } else if kind == "TcpProxy" || name.ends_with("tcp_proxy") {
        route::tcp_proxy(reader, &inner);
    }
}

/// Reads a connection manager and the routes in it.
pub fn manager(reader: &mut Reader, field: &Field<'_>, of: &OfListener) {
    const STREAMS: Bound = Bound::Between(1, 2_147_483_647);
    if !reader.is_message(field) {
        return;
    }
    reader.known(field, "an HTTP connection manager", fields::CONNECTION_MANAGER);
    let common = field.get("common_http_protocol_options");
    if let Some(common) = &common {
        reader.known(common, "common_http_protocol_options", fields::COMMON_HTTP_OPTIONS);
    }
    let mut of_common = |name: &str| common.as_ref().and_then(|c| reader.duration(c, name, Bound::Any));
    let (idle_timeout, max_connection_duration, max_stream_duration) =
        (of_common("idle_timeout"), of_common("max_connection_duration"), of_common("max_stream_duration"));
    let routers: Vec<Field<'_>> = field
        .list("http_filters")
        .iter()
        .filter_map(|filter| filter.get("typed_config"))
        .filter(|config| inner_type(config) == "Router")
        .map(|config| unwrap(&config))
        .collect();
    if let Some(router) = routers.first() {
        reader.known(router, "the router filter", fields::ROUTER);
    }
    let mut of_router = |name: &str| routers.first().and_then(|r| reader.truth(r, name));
    let (respect_expected_rq_timeout, suppress_envoy_headers) =
        (of_router("respect_expected_rq_timeout"), of_router("suppress_envoy_headers"));
    let mut origin = reader.origin_at(field);
    origin.state = of.state;
    let into = ManagerConfig {
        name: field.text("stat_prefix"),
        origin,
        listener: of.name.clone(),
        route_config_name: field.get("rds").and_then(|rds| rds.text("route_config_name")),
        stream_idle_timeout: reader.duration(field, "stream_idle_timeout", Bound::Any),
        request_timeout: reader.duration(field, "request_timeout", Bound::Any),
        request_headers_timeout: reader.duration(field, "request_headers_timeout", Bound::Any),
        drain_timeout: reader.duration(field, "drain_timeout", Bound::Any),
        idle_timeout,
        max_connection_duration,
        max_stream_duration,
        max_requests_per_connection: common
            .as_ref()
            .and_then(|c| reader.whole(c, "max_requests_per_connection", Bound::Any)),
        max_concurrent_streams: field
            .get("http2_protocol_options")
            .and_then(|http2| reader.whole(&http2, "max_concurrent_streams", STREAMS)),
        per_connection_buffer_limit_bytes: of.buffer_limit.clone(),
        use_remote_address: reader.truth(field, "use_remote_address"),
        internal_address_config: field.get("internal_address_config").map(|f| f.place()),
        respect_expected_rq_timeout,
        suppress_envoy_headers,
        upgrades: route::upgrades(field),
    };
    reader.config.managers.push(into);
    let manager = reader.config.managers.len() - 1;
    let inherited = Inherited { manager: Some(manager), state: of.state, ..Inherited::default() };
    if let Some(routes) = field.get("route_config") {
        route::route_configuration(reader, &routes, inherited.clone());
    }
    for scoped in field
        .at(&["scoped_routes", "scoped_route_configurations_list"])
        .map(|l| l.list("scoped_route_configurations"))
        .unwrap_or_default()
    {
        if let Some(routes) = scoped.get("route_configuration") {
            route::route_configuration(reader, &routes, inherited.clone());
        }
    }
}
