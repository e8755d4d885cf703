//! A route and a connection manager in Envoy's own messages.

use super::{Cx, Wanted, name, policy, route_at};
use crate::engine::audit::Setting;
use crate::engine::audit::edit::form::{Form, write};
use crate::engine::audit::edit::plan::{At, Refused};
use crate::engine::read::config::{ManagerConfig, RouteConfig};
use crate::engine::read::scalar::Notation;

const PROTO: Notation = Notation::Proto;

/// Enters a setting of a route.
pub fn set(cx: &mut Cx<'_, '_>, at: usize, setting: Setting, value: Wanted<'_>) -> Result<(), Refused> {
    use Setting as S;
    let route = route_at(cx, at)?;
    if policy::is_part(setting) {
        return policy::set(cx, at, setting, value);
    }
    if setting == S::RequestBodyBufferLimit {
        let entry = cx.block(&route.origin)?;
        return if cx.editor.has(entry, "route") {
            write(cx.editor, entry, "request_body_buffer_limit", value, (Form::Count, PROTO))
        } else {
            Err(format!("the text holds only the action; write {} on the route", name(setting)))
        };
    }
    let action = action(cx, route)?;
    let (parent, field, form) = match setting {
        S::RoutePriority => (None, "priority", Form::Word),
        S::RouteTimeout => (None, "timeout", Form::Duration),
        S::RouteIdleTimeout => (None, "idle_timeout", Form::Duration),
        S::GrpcTimeoutHeaderMax if is_deprecated(cx, action, "max_grpc_timeout") => {
            (None, "max_grpc_timeout", Form::Duration)
        }
        S::GrpcTimeoutHeaderOffset if is_deprecated(cx, action, "grpc_timeout_offset") => {
            (None, "grpc_timeout_offset", Form::Duration)
        }
        S::MaxStreamDuration => (Some("max_stream_duration"), "max_stream_duration", Form::Duration),
        S::GrpcTimeoutHeaderMax => (Some("max_stream_duration"), "grpc_timeout_header_max", Form::Duration),
        S::GrpcTimeoutHeaderOffset => {
            (Some("max_stream_duration"), "grpc_timeout_header_offset", Form::Duration)
        }
        _ => return Err(format!("{} is no setting of a route", name(setting))),
    };
    let map = match (parent, value) {
        (None, _) => Some(action),
        (Some(parent), Some(_)) => Some(cx.editor.enter_as(action, parent, true)?),
        (Some(parent), None) => cx.editor.below(action, parent)?,
    };
    let Some(map) = map else { return Ok(()) };
    write(cx.editor, map, field, value, (form, PROTO))
}

/// Whether the text has the deprecated field and not the one that replaced it.
fn is_deprecated(cx: &Cx<'_, '_>, action: At, field: &str) -> bool {
    cx.editor.has(action, field) && !cx.editor.has(action, "max_stream_duration")
}

/// The action of a route: the block of its own, or the whole text.
pub fn action(cx: &mut Cx<'_, '_>, route: &RouteConfig) -> Result<At, Refused> {
    let entry = cx.block(&route.origin)?;
    let is_policy = route.retry_policy.as_ref().is_some_and(|p| p.block == route.origin.block);
    if is_policy {
        return Err("the text holds only a retry policy".to_owned());
    }
    match cx.editor.below(entry, "route")? {
        Some(action) => Ok(action),
        None => Ok(entry),
    }
}

/// Enters a setting of a connection manager or of its router filter.
pub fn manager(
    cx: &mut Cx<'_, '_>,
    manager: &ManagerConfig,
    setting: Setting,
    value: Wanted<'_>,
) -> Result<(), Refused> {
    let block = cx.block(&manager.origin)?;
    if setting == Setting::StreamIdleTimeout {
        return write(cx.editor, block, "stream_idle_timeout", value, (Form::Duration, PROTO));
    }
    let filters = match cx.editor.below(block, "http_filters")? {
        Some(list) => cx.editor.items(list),
        None => Vec::new(),
    };
    for filter in filters {
        let Some(config) = cx.editor.below(filter, "typed_config")? else { continue };
        let is_router = cx.editor.text_of(config, "@type").is_some_and(|t| t.ends_with(".Router"));
        if is_router {
            return write(cx.editor, config, "respect_expected_rq_timeout", value, (Form::Flag, PROTO));
        }
    }
    Err("the router filter has no `typed_config` in this text".to_owned())
}
