//! Where settings are written, dialect by dialect: texts before and after.

use crate::engine::audit::edit::tests::audit_with;
use crate::engine::audit::edit::{Applied, apply};
use crate::engine::audit::{Change, Setting as S, Value};
use crate::engine::read::config::RoutingPriority::{Default, High};
use crate::engine::units::{Millis, Percent};

pub type Row<'r> = (&'r str, S, Option<Value>, &'r str);

/// Of the first cluster and, for a setting of routes, of the first route.
#[track_caller]
pub fn rows(rows: &[Row<'_>]) {
    let mut wrong = Vec::new();
    for (before, setting, value, wanted) in rows {
        let got = made(before, &[(0, *setting, value.clone())]);
        if got.as_deref() != Ok(*wanted) {
            wrong.push(format!(
                "{setting:?} in\n{before}\ngives\n{}\nnot\n{wanted}",
                got.unwrap_or_else(|e| e)
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n======\n"));
}

/// The text after settings of clusters or routes were written, all by themselves or not at all.
pub fn made(text: &str, settings: &[(usize, S, Option<Value>)]) -> Result<String, String> {
    let fixes = settings
        .iter()
        .map(|(at, setting, value)| {
            let change = match value {
                Some(value) => Change::Set(*setting, value.clone()),
                None => Change::Clear(*setting),
            };
            let is_route = super::level(*setting) == super::Level::Route;
            (Some(*at).filter(|_| !is_route), Some(*at).filter(|_| is_route), vec![change])
        })
        .collect::<Vec<_>>();
    let all: Vec<usize> = (0..fixes.len()).collect();
    let (inputs, audit) = audit_with(text, fixes);
    let Applied { inputs, refused, .. } = apply(&inputs, &audit, &all);
    match refused.into_iter().next() {
        Some((_, why)) => Err(why),
        None => Ok(inputs[0].text.clone()),
    }
}

#[allow(clippy::unnecessary_wraps, reason = "what a row wants is a value or none")]
pub fn count(n: u64) -> Option<Value> {
    Some(Value::Count(n))
}

#[allow(clippy::unnecessary_wraps, reason = "as above")]
pub fn ms(ms: f64) -> Option<Value> {
    Some(Value::Duration(Millis(ms)))
}

#[allow(clippy::unnecessary_wraps, reason = "as above")]
pub fn percent(p: f64) -> Option<Value> {
    Some(Value::Percent(Percent(p)))
}

#[allow(clippy::unnecessary_wraps, reason = "as above")]
pub fn words(words: &[&str]) -> Option<Value> {
    Some(Value::Words(words.iter().map(|w| (*w).to_owned()).collect()))
}

#[test]
fn breakers_of_envoy() {
    rows(&[
        (
            "name: a\nconnect_timeout: 1s # x\n",
            S::MaxRequests(Default),
            count(5),
            "name: a\nconnect_timeout: 1s # x\ncircuit_breakers:\n  thresholds:\n  - max_requests: 5\n",
        ),
        (
            "name: a\ncircuit_breakers:\n  thresholds:\n    - priority: high\n      max_retries: 3\n",
            S::MaxRequests(Default),
            count(5),
            "name: a\ncircuit_breakers:\n  thresholds:\n    - priority: high\n      max_retries: 3\n    - max_requests: 5\n",
        ),
        (
            "name: a\ncircuit_breakers:\n  thresholds:\n    max_retries: 3 # c\n",
            S::MaxRequests(High),
            count(5),
            "name: a\ncircuit_breakers:\n  thresholds:\n    - max_retries: 3 # c\n    - priority: HIGH\n      max_requests: 5\n",
        ),
        (
            "name: a\ncircuit_breakers:\n  thresholds:\n    max_retries: 3\n",
            S::MaxRequests(Default),
            count(5),
            "name: a\ncircuit_breakers:\n  thresholds:\n    max_retries: 3\n    max_requests: 5\n",
        ),
        (
            "name: a\nconnectTimeout: 1s\ncircuitBreakers: {thresholds: [{maxRetries: 3}]}\n",
            S::BudgetPercent(Default),
            percent(12.5),
            "name: a\nconnectTimeout: 1s\ncircuitBreakers: {thresholds: [{maxRetries: 3, retryBudget: {budgetPercent: {value: 12.5}}}]}\n",
        ),
        (
            "name: a\ncircuit_breakers:\n  thresholds:\n  - retry_budget:\n      budget_percent: 20\n",
            S::BudgetPercent(Default),
            percent(20.0),
            "name: a\ncircuit_breakers:\n  thresholds:\n  - retry_budget:\n      budget_percent: {value: 20}\n",
        ),
        (
            "name: a\ncircuit_breakers:\n  thresholds:\n  - max_retries: 3\n    retry_budget: {} # on\n",
            S::RetryBudget(Default),
            None,
            "name: a\ncircuit_breakers:\n  thresholds:\n  - max_retries: 3\n",
        ),
        (
            "name: a\ncircuit_breakers: {}\n",
            S::PerHostMaxConnections,
            count(5),
            "name: a\ncircuit_breakers: {per_host_thresholds: [{max_connections: 5}]}\n",
        ),
        (
            "thresholds:\n- max_requests: 1\n",
            S::MaxRequests(Default),
            count(5),
            "thresholds:\n- max_requests: 5\n",
        ),
    ]);
    assert!(made("thresholds:\n- max_requests: 1\n", &[(0, S::ConnectTimeout, ms(5.0))]).is_err());
}

#[test]
fn a_runtime_key_is_changed_where_it_overrides() {
    rows(&[(
        "static_resources:\n  clusters:\n  - name: a\n    connect_timeout: 1s\nlayered_runtime:\n  layers:\n  - name: x\n    static_layer:\n      circuit_breakers.a.default.max_requests: 1 # low\n",
        S::MaxRequests(Default),
        count(5),
        "static_resources:\n  clusters:\n  - name: a\n    connect_timeout: 1s\nlayered_runtime:\n  layers:\n  - name: x\n    static_layer:\n      circuit_breakers.a.default.max_requests: 5 # low\n",
    )]);
}

#[test]
fn clusters_of_envoy() {
    const TYPED: &str = "typed_extension_protocol_options:\n  envoy.extensions.upstreams.http.v3.HttpProtocolOptions:\n    \"@type\": type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions\n";
    let http1 = format!("{TYPED}    explicit_http_config: {{http_protocol_options: {{}}}}\n");
    let http2 = format!("name: a\n{TYPED}    explicit_http_config: {{http2_protocol_options: {{}}}}\n");
    rows(&[
        (
            "name: a\nconnect_timeout: {seconds: 1}\n",
            S::ConnectTimeout,
            ms(250.0),
            "name: a\nconnect_timeout: {seconds: 0, nanos: 250000000}\n",
        ),
        (
            "name: a\nconnect_timeout: {seconds: 0, nanos: 5}\n",
            S::ConnectTimeout,
            ms(3000.0),
            "name: a\nconnect_timeout: {seconds: 3}\n",
        ),
        (
            "name: a\nconnect_timeout: 250ms\n",
            S::ConnectTimeout,
            ms(250.0),
            "name: a\nconnect_timeout: 0.25s\n",
        ),
        (
            "name: a\nconnect_timeout: 1s\n",
            S::PoolIdleTimeout,
            ms(60_000.0),
            &format!(
                "name: a\nconnect_timeout: 1s\n{http1}    common_http_protocol_options: {{idle_timeout: 60s}}\n"
            ),
        ),
        (
            "name: a\nhttp2_protocol_options: {}\n",
            S::PoolIdleTimeout,
            ms(60_000.0),
            "name: a\nhttp2_protocol_options: {}\ncommon_http_protocol_options: {idle_timeout: 60s}\n",
        ),
        (
            "name: a\nhttp2_protocol_options: {}\n",
            S::MaxConcurrentStreams,
            count(100),
            "name: a\nhttp2_protocol_options: {max_concurrent_streams: 100}\n",
        ),
        (
            "name: a\nmax_requests_per_connection: 1 # x\nconnect_timeout: 1s\n",
            S::MaxRequestsPerConnection,
            None,
            "name: a\nconnect_timeout: 1s\n",
        ),
        (
            &http2,
            S::MaxConcurrentStreams,
            count(100),
            &http2.replace("options: {}", "options: {max_concurrent_streams: 100}"),
        ),
        (
            "name: a\noutlier_detection: {}\n",
            S::MaxEjectionPercent,
            count(50),
            "name: a\noutlier_detection: {max_ejection_percent: 50}\n",
        ),
        (
            "name: a\noutlier_detection:\n  interval: 1s # x\nconnect_timeout: 1s\n",
            S::OutlierInterval,
            None,
            "name: a\noutlier_detection: {}\nconnect_timeout: 1s\n",
        ),
        (
            "name: a\nconnect_timeout: 1s\n",
            S::OutlierDetection,
            Some(Value::Flag(true)),
            "name: a\nconnect_timeout: 1s\noutlier_detection: {}\n",
        ),
        (
            "name: a\nconnect_timeout: 1s\n",
            S::HealthyPanicThreshold,
            percent(0.0),
            "name: a\nconnect_timeout: 1s\ncommon_lb_config:\n  healthy_panic_threshold: {value: 0}\n",
        ),
    ]);
    let why = made("name: a\nconnect_timeout: 1s\n", &[(0, S::MaxConcurrentStreams, count(5))]).unwrap_err();
    assert!(why.contains("HTTP/2"), "{why}");
}

#[test]
fn several_settings_share_a_new_block() {
    let settings = [
        (0, S::MaxRequests(Default), count(5)),
        (0, S::MinRetryConcurrency(Default), count(3)),
        (0, S::BudgetPercent(Default), percent(20.0)),
        (0, S::MaxRequests(High), count(6)),
        (0, S::MaxEjectionPercent, count(50)),
        (0, S::MaxConnections(High), count(7)),
    ];
    assert_eq!(
        made("name: a\nconnect_timeout: 1s", &settings).as_deref(),
        Ok(
            "name: a\nconnect_timeout: 1s\ncircuit_breakers:\n  thresholds:\n  - max_requests: 5\n    retry_budget:\n      \
            min_retry_concurrency: 3\n      budget_percent: {value: 20}\n  - priority: HIGH\n    max_requests: 6\n    \
            max_connections: 7\noutlier_detection:\n  max_ejection_percent: 50"
        )
    );
}

const ROUTE: &str = "match: {prefix: /}\nroute:\n  cluster: a\n";

#[test]
fn routes_of_envoy() {
    let after = |more: &str| format!("{ROUTE}{more}");
    let with = |more: &str| format!("{ROUTE}  retry_policy:\n{more}");
    rows(&[
        (ROUTE, S::RouteTimeout, ms(1500.0), &after("  timeout: 1.5s\n")),
        (ROUTE, S::RoutePriority, Some(Value::Word("HIGH".to_owned())), &after("  priority: HIGH\n")),
        (
            ROUTE,
            S::GrpcTimeoutHeaderMax,
            ms(5000.0),
            &after("  max_stream_duration: {grpc_timeout_header_max: 5s}\n"),
        ),
        (
            &after("  max_grpc_timeout: 1s\n"),
            S::GrpcTimeoutHeaderMax,
            ms(5000.0),
            &after("  max_grpc_timeout: 5s\n"),
        ),
        (ROUTE, S::RequestBodyBufferLimit, count(65_536), &after("request_body_buffer_limit: 65536\n")),
        (ROUTE, S::RetryOn, words(&["5xx", "reset"]), &with("    retry_on: 5xx,reset\n")),
        (
            &with("    retry_on: \"reset\" # x\n"),
            S::RetryOn,
            words(&["5xx", "reset"]),
            &with("    retry_on: \"5xx,reset\" # x\n"),
        ),
        (
            ROUTE,
            S::BackOffMax,
            ms(1000.0),
            &with("    retry_back_off: {base_interval: 0.025s, max_interval: 1s}\n"),
        ),
        (
            &with("    retry_back_off: {base_interval: 0.1s, max_interval: 1s}\n    retry_on: reset\n"),
            S::BackOffBase,
            None,
            &with("    retry_on: reset\n"),
        ),
        (
            &with("    retriable_status_codes:\n    - 500 # x\n    - 503\n    retry_on: reset\n"),
            S::RetriableStatusCodes,
            Some(Value::Numbers(vec![503])),
            &with("    retriable_status_codes: [503]\n    retry_on: reset\n"),
        ),
        (
            &with("    retry_on: reset\n"),
            S::PreviousHosts,
            Some(Value::Flag(true)),
            &with(
                "    retry_on: reset\n    retry_host_predicate:\n    - name: envoy.retry_host_predicates.previous_hosts\n      typed_config:\n        \"@type\": type.googleapis.com/envoy.extensions.retry.host.previous_hosts.v3.PreviousHostsPredicate\n    host_selection_retry_max_attempts: 3\n",
            ),
        ),
        (&with("    retry_on: reset\n"), S::RetryPolicy, None, ROUTE),
        ("retry_on: reset\nnum_retries: 1\n", S::NumRetries, count(3), "retry_on: reset\nnum_retries: 3\n"),
        (
            "cluster: a\ntimeout: 1s\n",
            S::RouteIdleTimeout,
            ms(0.0),
            "cluster: a\ntimeout: 1s\nidle_timeout: 0s\n",
        ),
    ]);
}

#[test]
fn a_policy_of_a_virtual_host_is_changed_for_those_it_is_about() {
    let text = |policy: &str, second: &str| {
        format!(
            "name: h\ndomains: [x]\nretry_policy: {{retry_on: reset, num_retries: {policy}}}\nroutes:\n- match: {{prefix: /a}}\n  route: {{cluster: a}}\n- match: {{prefix: /}}\n  route:\n    cluster: b\n{second}"
        )
    };
    // One of two heirs: it gets a policy of its own.
    assert_eq!(
        made(&text("1", ""), &[(1, S::NumRetries, count(5))]),
        Ok(text("1", "    retry_policy:\n      retry_on: reset\n      num_retries: 5\n"))
    );
    // The only heir.
    let own = "    retry_policy: {retry_on: 5xx}\n";
    assert_eq!(made(&text("1", own), &[(0, S::NumRetries, count(5))]), Ok(text("5", own)));
    // Both of them.
    let (inputs, mut audit) =
        audit_with(&text("1", ""), vec![(None, Some(0), vec![Change::Set(S::NumRetries, Value::Count(5))])]);
    audit.findings[0].also = vec![(None, Some(1))];
    assert_eq!(apply(&inputs, &audit, &[0]).inputs[0].text, text("5", ""));
}

#[test]
fn managers_of_envoy() {
    let text = |more: &str, router: &str| {
        format!(
            "stat_prefix: x\n{more}http_filters:\n- name: envoy.filters.http.router\n  typed_config:\n    \"@type\": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router\n{router}route_config: {{virtual_hosts: [{{name: h, domains: [x], routes: [{{match: {{prefix: /}}, route: {{cluster: a}}}}]}}]}}\n"
        )
    };
    rows(&[
        (
            &text("stream_idle_timeout: 5s\n", ""),
            S::StreamIdleTimeout,
            ms(60_000.0),
            &text("stream_idle_timeout: 60s\n", ""),
        ),
        (
            &text("", ""),
            S::RespectExpectedRqTimeout,
            Some(Value::Flag(true)),
            &text("", "    respect_expected_rq_timeout: true\n"),
        ),
    ]);
}
