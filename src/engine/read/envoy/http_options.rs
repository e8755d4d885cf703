//! What a cluster speaks to its hosts, and for how long: `HttpProtocolOptions`, and the deprecated
//! fields of the cluster that it replaced.

use super::any::unwrap;
use super::{fields, retry};
use crate::engine::read::config::{ClusterConfig, Effect, PolicyScope, ProblemKind, UpstreamProtocol};
use crate::engine::read::field::{Bound, Field, Reader};

/// The key of the typed options.
const TYPED: &str = "envoy.extensions.upstreams.http.v3.HttpProtocolOptions";

/// Fields of a cluster that the typed options replaced.
const DEPRECATED: &[&str] = &[
    "common_http_protocol_options",
    "http_protocol_options",
    "http2_protocol_options",
    "upstream_http_protocol_options",
    "max_requests_per_connection",
    "protocol_selection",
];

/// Reads the options of a cluster.
pub fn http_options(reader: &mut Reader, cluster: &Field<'_>, into: &mut ClusterConfig) {
    let options = cluster
        .get("typed_extension_protocol_options")
        .and_then(|map| map.entries().find(|(key, _)| *key == TYPED).map(|(_, field)| unwrap(&field)));
    for name in DEPRECATED {
        let Some(field) = cluster.get(name) else { continue };
        if options.is_some() {
            reader.problem(
                field.place(),
                ProblemKind::NoEffect,
                Effect::Ignored,
                format!("`{name}` of the cluster has no effect beside the typed HttpProtocolOptions"),
                "move it into typed_extension_protocol_options",
            );
        } else {
            reader.problem(
                field.place(),
                ProblemKind::Deprecated,
                Effect::Accepted,
                format!("`{name}` of the cluster is deprecated and still works"),
                format!("move it into typed_extension_protocol_options, under {TYPED}"),
            );
        }
    }
    match options {
        Some(options) if reader.is_message(&options) => {
            if options.node.entry("@type").is_none() {
                reader.problem(
                    options.place(),
                    ProblemKind::Missing,
                    Effect::Rejected,
                    "the typed HttpProtocolOptions have no `@type`",
                    format!("add \"@type\": type.googleapis.com/{TYPED}"),
                );
            }
            typed(reader, &options, into);
        }
        Some(_) => {}
        None => deprecated(reader, cluster, into),
    }
}

fn deprecated(reader: &mut Reader, cluster: &Field<'_>, into: &mut ClusterConfig) {
    if let Some(common) = reader.message(cluster, "common_http_protocol_options") {
        common_options(reader, &common, into);
    }
    let common = into.max_requests_per_connection.take();
    let own = reader.whole(cluster, "max_requests_per_connection", Bound::Any);
    if let (Some(_), Some(own)) = (&common, &own) {
        reader.problem(
            own.at.clone(),
            ProblemKind::Conflict,
            Effect::Rejected,
            "`max_requests_per_connection` stands at the cluster and in `common_http_protocol_options`",
            "keep the one in common_http_protocol_options",
        );
    }
    into.max_requests_per_connection = common.or(own);
    if let Some(http2) = reader.message(cluster, "http2_protocol_options") {
        into.protocol = Some(http2.spanned(UpstreamProtocol::Http2));
        http2_options(reader, &http2, into);
    } else if let Some(http1) = cluster.get("http_protocol_options") {
        into.protocol = Some(http1.spanned(UpstreamProtocol::Http1));
    }
    let words = [("USE_CONFIGURED_PROTOCOL", false), ("USE_DOWNSTREAM_PROTOCOL", true)];
    if let Some(choice) = reader.word(cluster, "protocol_selection", &words).filter(|c| c.value) {
        into.protocol = Some(choice.map(|_| UpstreamProtocol::Downstream));
    }
}

/// Reads the typed options.
pub fn typed(reader: &mut Reader, options: &Field<'_>, into: &mut ClusterConfig) {
    reader.known(options, "HttpProtocolOptions", fields::UPSTREAM_HTTP_OPTIONS);
    if let Some(common) = reader.message(options, "common_http_protocol_options") {
        common_options(reader, &common, into);
    }
    let choices = [
        ("explicit_http_config", None),
        ("use_downstream_protocol_config", Some(UpstreamProtocol::Downstream)),
        ("auto_config", Some(UpstreamProtocol::Auto)),
    ];
    let set: Vec<_> =
        choices.iter().filter_map(|(name, p)| options.get(name).map(|f| (*name, *p, f))).collect();
    match set.as_slice() {
        [] => reader.problem(
            options.place(),
            ProblemKind::Missing,
            Effect::Rejected,
            "HttpProtocolOptions names no protocol",
            "add explicit_http_config with http_protocol_options or http2_protocol_options",
        ),
        [(_, protocol, block)] => choice(reader, *protocol, block, into),
        [(_, protocol, block), (second, _, at), ..] => {
            choice(reader, *protocol, block, into);
            reader.problem(
                at.place(),
                ProblemKind::Conflict,
                Effect::Rejected,
                format!("`{second}` is a second choice of protocol, and only one may be set"),
                "keep one of them",
            );
        }
    }
    if let Some(detection) = options.at(&["outlier_detection", "error_matcher"]) {
        into.outlier_detection.get_or_insert_default().error_matcher = Some(detection.place());
    }
    if let Some(policy) = reader.message(options, "retry_policy") {
        into.retry_policy = Some(retry::retry_policy(reader, &policy, PolicyScope::Cluster));
    }
}

fn choice(
    reader: &mut Reader,
    protocol: Option<UpstreamProtocol>,
    block: &Field<'_>,
    into: &mut ClusterConfig,
) {
    let http2 = block.get("http2_protocol_options");
    if let Some(protocol) = protocol {
        into.protocol = Some(block.spanned(protocol));
    } else {
        reader.known(block, "explicit_http_config", fields::EXPLICIT_HTTP_CONFIG);
        let of = [
            ("http_protocol_options", UpstreamProtocol::Http1),
            ("http2_protocol_options", UpstreamProtocol::Http2),
            ("http3_protocol_options", UpstreamProtocol::Http3),
        ];
        into.protocol = of.iter().find_map(|(name, p)| block.get(name).map(|f| f.spanned(*p)));
        if into.protocol.is_none() {
            reader.problem(
                block.place(),
                ProblemKind::Missing,
                Effect::Rejected,
                "`explicit_http_config` names no protocol",
                "add http_protocol_options: {} or http2_protocol_options: {}",
            );
        }
    }
    if let Some(http2) = http2.filter(|f| f.node.entries().is_some()) {
        http2_options(reader, &http2, into);
    }
}

fn common_options(reader: &mut Reader, common: &Field<'_>, into: &mut ClusterConfig) {
    reader.known(common, "common_http_protocol_options", fields::COMMON_HTTP_OPTIONS);
    into.idle_timeout = reader.duration(common, "idle_timeout", Bound::Any);
    into.max_connection_duration = reader.duration(common, "max_connection_duration", Bound::Any);
    into.max_stream_duration = reader.duration(common, "max_stream_duration", Bound::Any);
    into.max_requests_per_connection = reader.whole(common, "max_requests_per_connection", Bound::Any);
}

fn http2_options(reader: &mut Reader, http2: &Field<'_>, into: &mut ClusterConfig) {
    const STREAMS: Bound = Bound::Between(1, 2_147_483_647);
    reader.known(http2, "http2_protocol_options", fields::HTTP2_OPTIONS);
    into.max_concurrent_streams = reader.whole(http2, "max_concurrent_streams", STREAMS);
    if let Some(keepalive) = reader.message(http2, "connection_keepalive") {
        reader.known(&keepalive, "connection_keepalive", fields::KEEPALIVE);
        into.keepalive_interval = reader.duration(&keepalive, "interval", Bound::Any);
        into.keepalive_timeout = reader.duration(&keepalive, "timeout", Bound::Any);
    }
}
