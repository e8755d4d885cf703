//! `HTTPRoute` and `GRPCRoute`: timeouts, retries and backends of the Gateway API.

use crate::engine::read::Spanned;
use crate::engine::read::config::{PolicyScope, RetryPolicy, RouteConfig, RouteMatch, RouteTarget};
use crate::engine::read::envoy::codes;
use crate::engine::read::field::{Bound, Field, Reader};

/// Reads the spec.
pub fn read(reader: &mut Reader, spec: &Field<'_>, kind: &str) {
    let host = spec.list("hostnames").first().and_then(|h| h.node.text().map(|t| h.spanned(t.to_owned())));
    for rule in spec.list("rules") {
        let mut into = RouteConfig {
            name: rule.text("name").or_else(|| reader.origin.name.clone()),
            origin: reader.origin_at(&rule),
            virtual_host: host.clone(),
            matches: Some(rule.spanned(matches(&rule, kind == "GRPCRoute"))),
            targets: targets(reader, &rule),
            ..RouteConfig::default()
        };
        if let Some(timeouts) = reader.message(&rule, "timeouts") {
            reader.known(&timeouts, "timeouts", "request backendRequest");
            into.timeout = reader.duration(&timeouts, "request", Bound::Any);
            if let Some(per_try) = reader.duration(&timeouts, "backendRequest", Bound::Any) {
                into.retry_policy = Some(RetryPolicy {
                    block: timeouts.place(),
                    scope: PolicyScope::Route,
                    // A timeout of each attempt alone retries nothing.
                    num_retries: Some(Spanned::new(0, per_try.at.clone())),
                    per_try_timeout: Some(per_try),
                    ..RetryPolicy::default()
                });
            }
        }
        if let Some(retry) = reader.message(&rule, "retry") {
            reader.known(&retry, "retry", "codes attempts backoff");
            let per_try_timeout = into.retry_policy.take().and_then(|p| p.per_try_timeout);
            into.retry_policy = Some(RetryPolicy {
                block: retry.place(),
                scope: PolicyScope::Route,
                // The default conditions, with these codes in place of 503.
                retriable_status_codes: codes(reader, &retry, "codes"),
                num_retries: reader.whole(&retry, "attempts", Bound::Any),
                base_interval: reader.duration(&retry, "backoff", Bound::Positive),
                per_try_timeout,
                ..RetryPolicy::default()
            });
        }
        reader.config.routes.push(into);
    }
}

fn targets(reader: &mut Reader, rule: &Field<'_>) -> Vec<RouteTarget> {
    let mut out = Vec::new();
    for backend in rule.list("backendRefs") {
        let port = reader.whole(&backend, "port", Bound::UpTo(65_535));
        let weight = reader.whole(&backend, "weight", Bound::Any);
        if let Some(cluster) = backend.text("name") {
            out.push(RouteTarget { cluster, subset: None, port, weight });
        }
    }
    out
}

fn matches(rule: &Field<'_>, grpc: bool) -> RouteMatch {
    let mut out = RouteMatch { grpc, ..RouteMatch::default() };
    let mut words = Vec::new();
    for entry in rule.list("matches") {
        if let Some(path) = entry.get("path") {
            let kind = path.node.text_of("type").unwrap_or("PathPrefix");
            words.extend(path.node.text_of("value").map(|value| format!("{kind} {value}")));
        }
        out.methods.extend(entry.node.text_of("method").map(str::to_owned));
    }
    out.text = words.join(" or ");
    out
}
