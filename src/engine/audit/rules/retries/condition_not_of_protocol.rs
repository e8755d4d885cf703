//! `HR127 condition-not-of-protocol`: a condition that reads a status the upstream never sends.

use crate::engine::audit::retrying::{Retrying, recommended_conditions};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Change, Finding, Fix, RouteCx, Setting, Value};
use crate::engine::read::config::ResourceState;
use crate::engine::retry::conditions::{Fires, fires};
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::scenario::Protocol;
use crate::engine::units::display;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR127",
        name: "condition-not-of-protocol",
        severity: Severity::Warning,
        summary: "a condition in `retry_on` reads a status that this upstream never sends",
        rationale: "A gRPC failure is a `grpc-status` in a response with HTTP status 200, so conditions on HTTP statuses \
                    do not see it. The gRPC conditions in turn read `grpc-status`, which no HTTP/1.1 upstream sends, and \
                    only in headers: a status in trailers, after a first message, is never retried.",
        sources: &["envoy: x-envoy-retry-on, x-envoy-retry-grpc-on; measured on 1.40"],
    },
    check: Check::Route(check),
};

fn check(cx: &RouteCx<'_>) -> Vec<Finding> {
    let finding = cx.retrying().and_then(|retrying| {
        if speaks_grpc(cx) { http_words(cx, retrying) } else { grpc_words(cx, retrying) }
    });
    finding.into_iter().collect()
}

/// Long-lived streams are gRPC unless the route is for upgrades, which answer with an HTTP status.
fn speaks_grpc(cx: &RouteCx<'_>) -> bool {
    cx.is_grpc() && cx.config.upgrades.is_empty()
}

fn of_kind<'r>(words: &[&'r str], kind: Fires) -> Vec<&'r str> {
    words.iter().copied().filter(|word| fires(word) == Some(kind)).collect()
}

/// Conditions on HTTP statuses for gRPC, and none on its own.
fn http_words(cx: &RouteCx<'_>, retrying: Retrying<'_>) -> Option<Finding> {
    let words = retrying.words();
    let of_http = of_kind(&words, Fires::OnStatus);
    if of_http.is_empty() || !of_kind(&words, Fires::OnGrpcStatus).is_empty() {
        return None;
    }
    let resets = if of_http.iter().any(|w| matches!(*w, "5xx" | "gateway-error")) {
        "; only resets, failed connects and per-try timeouts are retried"
    } else {
        ""
    };
    let at = retrying.policy.retry_on.place().unwrap_or_else(|| cx.retry_place());
    let finding = RULE
        .meta
        .found(
            &["retry_on"],
            at,
            format!(
                "`retry_on: {}` does not see gRPC failures, which come with HTTP status 200",
                of_http.join(",")
            ),
        )
        .consequence(format!("unavailable, resource-exhausted and the like reach the caller{resets}"))
        .help("retry on `unavailable`, and with a back-off on `resource-exhausted`")
        .maybe_fix(fix_http(cx));
    Some(finding)
}

/// What the sizing recommends. Without traffic nobody knows whether more may be repeated.
fn fix_http(cx: &RouteCx<'_>) -> Option<Fix> {
    let words = recommended_conditions(cx)?;
    let codes = cx.config.retry_policy.as_ref().is_some_and(|p| p.retriable_status_codes.is_some());
    let fix = Fix::set("Use gRPC's conditions", Setting::RetryOn, Value::Words(words));
    // Codes without their word are no condition.
    Some(if codes { fix.and(Change::Clear(Setting::RetriableStatusCodes)) } else { fix })
}

/// Conditions on `grpc-status` for HTTP/1.1.
fn grpc_words(cx: &RouteCx<'_>, retrying: Retrying<'_>) -> Option<Finding> {
    let words = retrying.words();
    let of_grpc = of_kind(&words, Fires::OnGrpcStatus);
    let http1 = cx.facts.protocol == Some(Protocol::Http1);
    // What a control plane writes for everybody is no slip.
    let by_hand = cx.config.origin.state == ResourceState::Static && !retrying.policy.retry_on.is_default();
    if of_grpc.is_empty() || !http1 || !by_hand {
        return None;
    }
    let others: Vec<String> =
        words.iter().filter(|w| !of_grpc.contains(w)).map(|w| (*w).to_owned()).collect();
    let (severity, left) = if others.is_empty() {
        (Severity::Warning, "no other condition is left, so 0 failures are retried".to_owned())
    } else {
        (Severity::Info, format!("only {} is retried", others.join(", ")))
    };
    let at = retrying.policy.retry_on.place().unwrap_or_else(|| cx.retry_place());
    let count = display::plural(of_grpc.len() as f64, "condition", "conditions");
    let finding = RULE
        .meta
        .found(
            &["retry_on"],
            at,
            format!("{count} of `retry_on` can never be met over HTTP/1.1: {}", of_grpc.join(", ")),
        )
        .consequence(left)
        .help("leave gRPC's conditions out, or say that the cluster speaks gRPC")
        .severity(severity);
    Some(if others.is_empty() {
        finding
    } else {
        finding.fix(Fix::set("Leave them out", Setting::RetryOn, Value::Words(others)))
    })
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};
    use crate::engine::rules::Severity;

    fn shop(retry_on: &str) -> String {
        format!(
            "clusters:\n- name: shop\n  connect_timeout: 1s\nroutes:\n- match: {{prefix: /}}\n  route:\n    cluster: shop\n    \
             retry_policy: {{retry_on: \"{retry_on}\"}}\n"
        )
    }

    #[test]
    fn http_statuses_do_not_see_grpc_failures() {
        let found = finding(&RULE, &shop("5xx"), "protocol=grpc");
        assert!(found.message.ends_with("which come with HTTP status 200"), "{}", found.message);
        assert!(!fires(&RULE, &shop("5xx,unavailable"), "protocol=grpc"));
        assert!(!fires(&RULE, &shop("connect-failure"), "protocol=grpc"));
    }

    #[test]
    fn grpc_statuses_do_not_come_over_http_1() {
        let found = finding(&RULE, &shop("unavailable,cancelled"), "protocol=http1");
        assert_eq!(found.severity, Severity::Warning);
        assert_eq!(
            found.message,
            "2 conditions of `retry_on` can never be met over HTTP/1.1: unavailable, cancelled"
        );
        let some = finding(&RULE, &shop("unavailable,reset"), "protocol=http1");
        assert_eq!((some.severity, some.fix.is_some()), (Severity::Info, true));
        // HTTP/2 may well carry gRPC.
        assert!(!fires(&RULE, &shop("unavailable"), "protocol=http2"));
    }
}
