//! `HR133 body-too-large-to-retry`: a body that does not fit the buffer is never retried.

use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, RouteCx};
use crate::engine::envoy::defaults;
use crate::engine::read::config::Dialect;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::scenario::EnvoyVersion;
use crate::engine::units::display;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR133",
        name: "body-too-large-to-retry",
        severity: Severity::Info,
        summary: "requests with a body that outgrows the buffer are not retried",
        rationale: "To send a request again, Envoy must have kept its body. Beyond the buffer limit it lets go of it, \
                    gives the retry up without a word and counts retry_or_shadow_abandoned. A small buffer therefore \
                    retries GETs and not POSTs, and no condition of the retry policy changes that.",
        sources: &[
            "envoy: config.route.v3.Route.request_body_buffer_limit, Listener.per_connection_buffer_limit_bytes; measured on 1.40",
            "envoyproxy/envoy#29386: POSTs that were never retried",
        ],
    },
    check: Check::Route(check),
};

fn check(cx: &RouteCx<'_>) -> Vec<Finding> {
    of_route(cx).into_iter().collect()
}

// There is no fix: how large bodies are, nobody has said.
fn of_route(cx: &RouteCx<'_>) -> Option<Finding> {
    let retrying = cx.retrying()?;
    let limit = &cx.effective.body_buffer_limit_bytes;
    let small = limit.value < u64::from(defaults::BUFFER_LIMIT_BYTES);
    let may_send_bodies = cx.methods().is_empty() || cx.sends_bodies();
    if !(cx.sends_bodies() || small && may_send_bodies) {
        return None;
    }
    let size = display::bytes(limit.value as f64);
    let default = if limit.is_default() { ", a default," } else { "" };
    let at = limit.place().or(retrying.policy.num_retries.place()).unwrap_or_else(|| cx.retry_place());
    let whose = if cx.sends_bodies() { format!("{} of ", methods(cx)) } else { "requests of ".to_owned() };
    let finding = RULE
        .meta
        .found(
            &["request_body_buffer_limit", "per_connection_buffer_limit_bytes"],
            at,
            format!("{whose}more than {size}{default} are never retried: the body does not fit the buffer"),
        )
        .consequence(
            "the first answer passes and retry_or_shadow_abandoned counts it; a body that outgrows the buffer during \
             back-off ends in 507",
        )
        .help(help(cx));
    Some(finding)
}

/// `POST`, `POST and PUT`
fn methods(cx: &RouteCx<'_>) -> String {
    let mut out: Vec<&str> = Vec::new();
    for method in cx.methods() {
        if !out.contains(&method.as_str()) {
            out.push(method);
        }
    }
    out.join(" and ")
}

fn help(cx: &RouteCx<'_>) -> &'static str {
    const ROUTE_LIMIT: EnvoyVersion = EnvoyVersion::minor(36);
    match cx.dialect() {
        Dialect::Envoy | Dialect::Cilium if cx.facts.envoy_version >= ROUTE_LIMIT => {
            "raise `request_body_buffer_limit` on routes whose bodies are larger, or accept that they are not retried"
        }
        Dialect::Envoy | Dialect::Cilium => {
            "raise `per_connection_buffer_limit_bytes` of the listener, or accept that larger bodies are not retried"
        }
        Dialect::EnvoyGateway => {
            "raise the buffer limit of the ClientTrafficPolicy, or accept that larger bodies are not retried"
        }
        _ => "raise the listener's buffer limit by a patch, or accept that larger bodies are not retried",
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn route(method: &str, more: &str) -> String {
        format!(
            "match: {{prefix: /, headers: [{{name: \":method\", string_match: {{exact: {method}}}}}]}}\nroute: {{cluster: shop, \
             retry_policy: {{retry_on: reset}}}}\n{more}"
        )
    }

    #[test]
    fn posts_beyond_a_mebibyte_are_not_retried() {
        let found = finding(&RULE, &route("POST", ""), "");
        assert!(
            found.message.starts_with("POST of more than 1\u{a0}MiB, a default, are never retried"),
            "{}",
            found.message
        );
        assert!(!fires(&RULE, &route("GET", ""), ""));
    }

    #[test]
    fn envoy_gateway_keeps_32_kib() {
        let text = "apiVersion: gateway.envoyproxy.io/v1alpha1\nkind: BackendTrafficPolicy\nmetadata: {name: a}\n\
                    spec: {targetRefs: [{kind: HTTPRoute, name: a}], retry: {numRetries: 1}}\n";
        let found = finding(&RULE, text, "");
        assert!(
            found.message.starts_with("requests of more than 32\u{a0}KiB, a default,"),
            "{}",
            found.message
        );
    }

    #[test]
    fn silent_without_retries_and_for_bodies_nobody_mentions() {
        assert!(!fires(
            &RULE,
            "match: {prefix: /}\nroute: {cluster: shop, retry_policy: {retry_on: reset}}\n",
            ""
        ));
        assert!(!fires(&RULE, &route("POST", "").replace("retry_on: reset", "num_retries: 0"), ""));
    }
}
