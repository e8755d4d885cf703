//! The HTTP options of a cluster: typed, or in the deprecated fields where the text has those.

use super::{Cx, Wanted, name};
use crate::engine::audit::Setting;
use crate::engine::audit::edit::form::{Form, write};
use crate::engine::audit::edit::plan::{At, Refused};
use crate::engine::audit::edit::scalar::Single;
use crate::engine::read::config::ClusterConfig;
use crate::engine::read::scalar::Notation;

const PROTO: Notation = Notation::Proto;
const TYPED: &str = "envoy.extensions.upstreams.http.v3.HttpProtocolOptions";

/// Fields of a cluster that the typed options replaced.
const DEPRECATED: [&str; 6] = [
    "common_http_protocol_options",
    "http_protocol_options",
    "http2_protocol_options",
    "upstream_http_protocol_options",
    "max_requests_per_connection",
    "protocol_selection",
];

/// Enters a setting of the options; `is_typed` says that the text holds nothing else.
pub fn set(
    cx: &mut Cx<'_, '_>,
    cluster: &ClusterConfig,
    (root, is_typed): (At, bool),
    setting: Setting,
    value: Wanted<'_>,
) -> Result<(), Refused> {
    let typed = if is_typed { Some(root) } else { typed(cx, root)? };
    let is_deprecated = typed.is_none() && DEPRECATED.iter().any(|field| cx.editor.has(root, field));
    let options = match typed {
        Some(options) => options,
        None if is_deprecated => root,
        None if value.is_none() => return Ok(()),
        None => create(cx, cluster, root)?,
    };
    if setting == Setting::MaxConcurrentStreams {
        return streams(cx, options, is_deprecated, value);
    }
    let field =
        if setting == Setting::PoolIdleTimeout { "idle_timeout" } else { "max_requests_per_connection" };
    if is_deprecated && cx.editor.has(root, field) && setting == Setting::MaxRequestsPerConnection {
        return write(cx.editor, root, field, value, (Form::Count, PROTO));
    }
    let common = match value {
        Some(_) => Some(cx.editor.enter_as(options, "common_http_protocol_options", true)?),
        None => cx.editor.below(options, "common_http_protocol_options")?,
    };
    let form = if setting == Setting::PoolIdleTimeout { Form::Duration } else { Form::Count };
    let Some(common) = common else { return Ok(()) };
    write(cx.editor, common, field, value, (form, PROTO))
}

/// The typed options, out of their wrapping.
pub fn typed(cx: &mut Cx<'_, '_>, root: At) -> Result<Option<At>, Refused> {
    let Some(extensions) = cx.editor.below(root, "typed_extension_protocol_options")? else {
        return Ok(None);
    };
    let Some(options) = cx.editor.below(extensions, TYPED)? else { return Ok(None) };
    let kind = cx.editor.text_of(options, "@type").unwrap_or_default();
    if kind.ends_with("TypedStruct") || kind.ends_with("protobuf.Struct") {
        return cx.editor.below(options, "value");
    }
    Ok(Some(options))
}

/// Typed options for the protocol that the cluster speaks without them: HTTP/1.1.
fn create(cx: &mut Cx<'_, '_>, cluster: &ClusterConfig, root: At) -> Result<At, Refused> {
    if cluster.origin.patch.is_some() {
        return Err("which protocol the cluster speaks is not part of this patch".to_owned());
    }
    let extensions = cx.editor.enter(root, "typed_extension_protocol_options")?;
    let options = cx.editor.enter(extensions, TYPED)?;
    cx.editor.set(options, "@type", Single::text(format!("type.googleapis.com/{TYPED}")), PROTO)?;
    let explicit = cx.editor.enter_as(options, "explicit_http_config", true)?;
    cx.editor.enter(explicit, "http_protocol_options")?;
    Ok(options)
}

fn streams(cx: &mut Cx<'_, '_>, options: At, is_deprecated: bool, value: Wanted<'_>) -> Result<(), Refused> {
    let holder = if is_deprecated {
        Some(options)
    } else {
        let choices = ["explicit_http_config", "use_downstream_protocol_config", "auto_config"];
        let chosen = choices.iter().find(|choice| cx.editor.has(options, choice));
        match chosen {
            Some(choice) => cx.editor.below(options, choice)?,
            None => None,
        }
    };
    let http2 = match holder {
        Some(holder) => cx.editor.below(holder, "http2_protocol_options")?,
        None => None,
    };
    match (http2, value) {
        (Some(http2), _) => write(cx.editor, http2, "max_concurrent_streams", value, (Form::Count, PROTO)),
        (None, None) => Ok(()),
        (None, Some(_)) => Err(format!(
            "the cluster does not name HTTP/2, and only that has {}",
            name(Setting::MaxConcurrentStreams)
        )),
    }
}
