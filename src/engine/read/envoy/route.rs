//! Route configurations, virtual hosts and routes.

use super::{breakers, fields, retry};
use crate::engine::read::config::{
    HedgePolicy, NoteKind, PolicyScope, ResourceState, RetryPolicy, RouteConfig, RouteKind, RouteMatch,
    RouteTarget,
};
use crate::engine::read::field::{Bound, Field, MAX_WORDS, Reader};
use crate::engine::read::{Setting, Spanned};

/// What routes inherit.
#[derive(Clone, Debug, Default)]
pub struct Inherited {
    /// Name of the route configuration.
    pub route_configuration: Setting<String>,
    /// Index of the connection manager.
    pub manager: Option<usize>,
    /// In force or static.
    pub state: ResourceState,
    /// Name of the virtual host.
    pub virtual_host: Setting<String>,
    /// Its retry policy.
    pub retry_policy: Option<RetryPolicy>,
    /// Its hedge policy.
    pub hedge_policy: Option<HedgePolicy>,
    /// Its buffer limit.
    pub request_body_buffer_limit: Setting<u64>,
    /// Its buffer limit in the deprecated field.
    pub per_request_buffer_limit_bytes: Setting<u32>,
    /// Clusters that get a copy.
    pub mirrors: Vec<Spanned<String>>,
}

/// Reads a route configuration.
pub fn route_configuration(reader: &mut Reader, field: &Field<'_>, mut inherited: Inherited) {
    if !reader.is_message(field) {
        return;
    }
    reader.known(field, "a route configuration", fields::ROUTE_CONFIGURATION);
    inherited.route_configuration = field.text("name").or(inherited.route_configuration);
    inherited.mirrors = mirrors(field);
    for host in field.list("virtual_hosts") {
        virtual_host(reader, &host, inherited.clone());
    }
    if let Some(vhds) = field.get("vhds") {
        let message = "virtual hosts that come on demand (VHDS) are not in this text";
        reader.note(vhds.place(), NoteKind::PartlyRead, message);
    }
}

/// Reads a virtual host.
pub fn virtual_host(reader: &mut Reader, field: &Field<'_>, mut inherited: Inherited) {
    if !reader.is_message(field) {
        return;
    }
    reader.known(field, "a virtual host", fields::VIRTUAL_HOST);
    inherited.virtual_host = field.text("name");
    inherited.retry_policy = retry::policy_of(reader, field, PolicyScope::VirtualHost);
    inherited.hedge_policy = reader
        .message(field, "hedge_policy")
        .map(|policy| retry::hedge_policy(reader, &policy, PolicyScope::VirtualHost));
    inherited.request_body_buffer_limit = reader.long(field, "request_body_buffer_limit");
    inherited.per_request_buffer_limit_bytes =
        reader.whole(field, "per_request_buffer_limit_bytes", Bound::Any);
    let own = mirrors(field);
    if !own.is_empty() {
        inherited.mirrors = own;
    }
    for entry in field.list("routes") {
        route(reader, &entry, &inherited);
    }
    if let Some(matcher) = field.get("matcher") {
        let message = "routes in a matcher tree are not read";
        reader.note(matcher.place(), NoteKind::PartlyRead, message);
    }
}

/// Reads a route; one that redirects or answers by itself has nothing to audit.
pub fn route(reader: &mut Reader, field: &Field<'_>, inherited: &Inherited) {
    if !reader.is_message(field) || super::skip_unfinished(reader, field, "route") {
        return;
    }
    reader.known(field, "a route", fields::ROUTE);
    let Some(action) = reader.message(field, "route") else { return };
    let mut into = action_of(reader, &action, inherited);
    into.origin.block = field.place();
    into.name = field.text("name");
    into.matches = field.get("match").map(|m| m.spanned(matches(&m)));
    if let Some(limit) = reader.long(field, "request_body_buffer_limit") {
        into.request_body_buffer_limit = Some(limit);
    }
    if let Some(limit) = reader.whole(field, "per_request_buffer_limit_bytes", Bound::Any) {
        into.per_request_buffer_limit_bytes = Some(limit);
    }
    reader.config.routes.push(into);
}

/// Reads a route action that stands alone.
pub fn bare_action(reader: &mut Reader, action: &Field<'_>) {
    let into = action_of(reader, action, &Inherited::default());
    reader.config.routes.push(into);
}

/// Reads a route action.
pub fn action_of(reader: &mut Reader, action: &Field<'_>, inherited: &Inherited) -> RouteConfig {
    reader.known(action, "a route action", fields::ROUTE_ACTION);
    let mut into = RouteConfig {
        origin: reader.origin_at(action),
        virtual_host: inherited.virtual_host.clone(),
        route_configuration: inherited.route_configuration.clone(),
        manager: inherited.manager,
        targets: targets(reader, action),
        mirrors: mirrors(action),
        priority: reader.word(action, "priority", breakers::PRIORITIES),
        timeout: reader.duration(action, "timeout", Bound::Any),
        idle_timeout: reader.duration(action, "idle_timeout", Bound::Any),
        max_grpc_timeout: reader.duration(action, "max_grpc_timeout", Bound::Any),
        grpc_timeout_offset: reader.duration(action, "grpc_timeout_offset", Bound::Any),
        retry_policy: retry::policy_of(reader, action, PolicyScope::Route),
        request_body_buffer_limit: inherited.request_body_buffer_limit.clone(),
        per_request_buffer_limit_bytes: inherited.per_request_buffer_limit_bytes.clone(),
        ..RouteConfig::default()
    };
    into.origin.state = inherited.state;
    if into.mirrors.is_empty() {
        into.mirrors.clone_from(&inherited.mirrors);
    }
    // A policy of the route replaces that of the virtual host whole.
    if into.retry_policy.is_some() {
        into.replaced_retry_policy = inherited.retry_policy.clone().map(Box::new);
    } else {
        into.retry_policy.clone_from(&inherited.retry_policy);
    }
    into.hedge_policy = reader
        .message(action, "hedge_policy")
        .map(|policy| retry::hedge_policy(reader, &policy, PolicyScope::Route))
        .or_else(|| inherited.hedge_policy.clone());
    if let Some(durations) = reader.message(action, "max_stream_duration") {
        reader.known(&durations, "max_stream_duration", fields::MAX_STREAM_DURATION);
        into.stream_durations = Some(durations.place());
        into.max_stream_duration = reader.duration(&durations, "max_stream_duration", Bound::Any);
        into.grpc_timeout_header_max = reader.duration(&durations, "grpc_timeout_header_max", Bound::Any);
        into.grpc_timeout_header_offset =
            reader.duration(&durations, "grpc_timeout_header_offset", Bound::Any);
    }
    into.upgrades = upgrades(action);
    into
}

/// The upgrades that are allowed, such as `websocket`.
pub fn upgrades(field: &Field<'_>) -> Vec<Spanned<String>> {
    let enabled = |f: &Field<'_>| f.node.text_of("enabled") != Some("false");
    field
        .list("upgrade_configs")
        .iter()
        .filter(|f| enabled(f))
        .filter_map(|f| f.text("upgrade_type"))
        .take(MAX_WORDS)
        .collect()
}

fn mirrors(field: &Field<'_>) -> Vec<Spanned<String>> {
    field.list("request_mirror_policies").iter().filter_map(|p| p.text("cluster")).take(MAX_WORDS).collect()
}

/// The clusters that an action leads to, with their weights.
pub fn targets(reader: &mut Reader, action: &Field<'_>) -> Vec<RouteTarget> {
    let plain = |cluster| RouteTarget { cluster, subset: None, port: None, weight: None };
    if let Some(cluster) = action.text("cluster") {
        return vec![plain(cluster)];
    }
    for dynamic in ["cluster_header", "cluster_specifier_plugin", "inline_cluster_specifier_plugin"] {
        if let Some(field) = action.get(dynamic) {
            let message =
                format!("`{dynamic}` chooses the cluster for each request, so the route has no fixed one");
            reader.note(field.place(), NoteKind::PartlyRead, message);
        }
    }
    let Some(weighted) = action.get("weighted_clusters") else { return Vec::new() };
    let mut targets = Vec::new();
    for entry in weighted.list("clusters") {
        let weight = reader.whole(&entry, "weight", Bound::Any);
        if let Some(cluster) = entry.text("name") {
            targets.push(RouteTarget { weight, ..plain(cluster) });
        }
    }
    targets
}

fn matches(field: &Field<'_>) -> RouteMatch {
    let mut out = RouteMatch::default();
    for kind in ["prefix", "path", "path_separated_prefix"] {
        if let Some(value) = field.node.text_of(kind) {
            out.text = format!("{} {value}", kind.split('_').next_back().unwrap_or(kind));
        }
    }
    if let Some(regex) = field.at(&["safe_regex", "regex"]).and_then(|f| f.node.text()) {
        out.text = format!("regex {regex}");
    } else if field.has("connect_matcher") {
        "CONNECT".clone_into(&mut out.text);
    }
    out.grpc = field.has("grpc");
    let asks_more =
        field.entries().any(|(key, _)| !matches!(key, "prefix" | "case_sensitive" | "caseSensitive"));
    out.takes.extend(field.node.text_of("prefix").filter(|_| !asks_more).map(str::to_owned));
    let literal = ["prefix", "path", "path_separated_prefix"].into_iter().find_map(|k| field.node.text_of(k));
    if !field.has("connect_matcher") {
        out.begins.push(literal.unwrap_or_default().to_owned());
    }
    for header in field.list("headers") {
        if header.node.text_of("name") == Some(":method") {
            let exact = header
                .at(&["string_match", "exact"])
                .or_else(|| header.get("exact_match"))
                .and_then(|f| f.node.text());
            out.methods.extend(exact.map(str::to_owned));
        }
    }
    out
}

/// Reads a TCP proxy as a route of connections.
pub fn tcp_proxy(reader: &mut Reader, field: &Field<'_>) {
    reader.known(field, "a TCP proxy", fields::TCP_PROXY);
    let into = RouteConfig {
        name: field.text("stat_prefix"),
        origin: reader.origin_at(field),
        kind: RouteKind::Tcp,
        targets: targets(reader, field),
        idle_timeout: reader.duration(field, "idle_timeout", Bound::Any),
        ..RouteConfig::default()
    };
    reader.config.routes.push(into);
}
