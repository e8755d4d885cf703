//! What is in force after reading the text is what Envoy's own text puts in force, but for a list.

use super::{DIALECTS, all, answer};
use headroom::engine::analysis::Analysis;
use headroom::engine::export::{Target, export};
use headroom::engine::read::config::{ClusterConfig, Dialect};
use headroom::engine::read::effective::{
    EffectiveCluster, EffectiveRoute, effective_cluster, effective_route,
};
use headroom::engine::read::{read, source::Input};
use headroom::engine::scenario::{Protocol, Scenario};
use headroom::engine::units::Share;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

struct InForce {
    cluster: EffectiveCluster,
    route: EffectiveRoute,
    lb_policy: String,
}

/// `lb_policy` in Envoy's words, or what the program writes where its text says nothing.
fn lb_policy(cluster: &ClusterConfig) -> String {
    let by_default = match cluster.origin.dialect {
        Dialect::Istio | Dialect::EnvoyGateway => "LEAST_REQUEST",
        _ => "ROUND_ROBIN",
    };
    cluster.lb_policy.as_ref().map_or(by_default, |word| word.value.as_str()).to_owned()
}

#[track_caller]
fn in_force(analysis: &Analysis, target: Target) -> InForce {
    let text = export(analysis, target);
    let config = read(&[Input::new("own.yaml", text.as_str())]);
    assert_eq!(config.problems, [], "{text}");
    let pair = config.pairs.first().unwrap_or_else(|| panic!("the route leads nowhere\n{text}"));
    let (route, cluster) = (&config.routes[pair.route], &config.clusters[pair.cluster]);
    let version = analysis.scenario.envoy_version;
    InForce {
        cluster: effective_cluster(&config, cluster, version),
        route: effective_route(&config, route, Some(cluster), version),
        lb_policy: lb_policy(cluster),
    }
}

/// Values by path, without where they come from.
fn flat(value: &impl Serialize) -> BTreeMap<String, Value> {
    fn walk(value: &Value, at: String, into: &mut BTreeMap<String, Value>) {
        match value {
            Value::Object(fields) if fields.contains_key("value") && fields.contains_key("from") => {
                into.insert(at, fields["value"].clone());
            }
            Value::Object(fields) => {
                for (key, value) in fields {
                    walk(value, format!("{at}.{key}"), into);
                }
            }
            Value::Array(items) => {
                for (n, item) in items.iter().enumerate() {
                    walk(item, format!("{at}[{n}]"), into);
                }
            }
            other => {
                into.insert(at, other.clone());
            }
        }
    }
    let mut out = BTreeMap::new();
    walk(&serde_json::to_value(value).expect("plain data"), String::new(), &mut out);
    out
}

/// A difference: where, what Envoy's text says, what the dialect says.
struct Difference<'a> {
    path: &'a str,
    envoy: Option<&'a Value>,
    here: Option<&'a Value>,
}

fn is(value: Option<&Value>, n: f64) -> bool {
    value.and_then(Value::as_f64).is_some_and(|v| (v - n).abs() <= 1e-6 * n.abs().max(1.0))
}

/// Why a difference of the cluster may be.
fn of_cluster(a: &Analysis, target: Target, d: &Difference<'_>) -> Option<&'static str> {
    let istio = target == Target::Istio;
    let outlier = a.outlier.as_ref();
    let key = d.path.trim_start_matches('.');
    Some(match key {
        "name" => "the host, or the route that the policy is for",
        "priorities[0].retry_limit.budget.min_retry_concurrency"
            if istio && is(d.envoy, 0.0) && is(d.here, 1.0) && a.retry.num_retries == 0 =>
        {
            "0 would be read as 3, and nothing is retried"
        }
        _ if key.starts_with("outlier_detection")
            && outlier.is_some_and(|o| o.max_ejection_percent == 0)
            && (d.here.is_none() || key == "outlier_detection") =>
        {
            "less than 1% cannot be said"
        }
        "outlier_detection.consecutive_5xx" if is(d.here, 0.0) && enforces_none(outlier) => {
            "off by the count"
        }
        "outlier_detection.enforcing_consecutive_5xx"
            if !istio && is(d.envoy, 0.0) && enforces_none(outlier) =>
        {
            "off by the count, see the line above"
        }
        "outlier_detection.enforcing_local_origin_success_rate" if istio => "counts with split errors only",
        "outlier_detection.enforcing_success_rate" if !istio && is(d.here, 100.0) => "always on, named",
        "protocol" if !istio => "of the Service, named",
        "max_concurrent_streams" if !istio && a.scenario.protocol == Protocol::Http1 => "one a connection",
        "per_connection_buffer_limit_bytes" if !istio => "memory, not a limit of requests",
        "priorities[0].track_remaining" if !istio => "gauges, named",
        _ => return None,
    })
}

fn enforces_none(outlier: Option<&headroom::engine::envoy::model::OutlierDetection>) -> bool {
    outlier.is_some_and(|o| o.enforcing_consecutive_5xx == 0)
}

/// Why a difference of the route may be.
fn of_route(a: &Analysis, target: Target, d: &Difference<'_>) -> Option<&'static str> {
    let istio = target == Target::Istio;
    let route = a.timeouts.route_ms.0;
    let route = if route > 0.0 { route.floor().max(1.0) } else { 0.0 };
    let unary_grpc = a.scenario.protocol == Protocol::Grpc;
    let key = d.path.trim_start_matches('.');
    Some(match key {
        // Envoy arms no route timeout beside a block of durations; here the timeout is the bound.
        "timeout" if unary_grpc && is(d.envoy, 0.0) && is(d.here, route) => "the same bound by another clock",
        "max_stream_duration" if unary_grpc && is(d.envoy, route) && is(d.here, 0.0) => {
            "the same bound by another clock"
        }
        "grpc_timeout_header_max" if unary_grpc && is(d.envoy, route) => {
            if istio {
                "Istio bounds the header by the timeout"
            } else {
                "not looked at, named"
            }
        }
        "body_buffer_limit_bytes" if !istio => "named",
        "retry.host_selection_retry_max_attempts" if is(d.here, 5.0) => "named",
        "retry.previous_hosts" if !istio && a.scenario.hosts == 1 => "named",
        // Istio's block that says 0, where Envoy's text has none.
        _ if istio && key.starts_with("retry") && a.retry.num_retries == 0 => "off, see attempts",
        _ => return None,
    })
}

fn compare(
    what: &str,
    (envoy, here): (&BTreeMap<String, Value>, &BTreeMap<String, Value>),
    allowed: impl Fn(&Difference<'_>) -> Option<&'static str>,
) -> Vec<String> {
    let paths: std::collections::BTreeSet<&String> = envoy.keys().chain(here.keys()).collect();
    let mut wrong = Vec::new();
    for path in paths {
        let d = Difference { path, envoy: envoy.get(path), here: here.get(path) };
        let close = d.envoy.and_then(Value::as_f64).is_some_and(|n| is(d.here, n));
        if d.envoy != d.here && !close && allowed(&d).is_none() {
            wrong.push(format!("{what}{path}: {:?} is not {:?}", d.here, d.envoy));
        }
    }
    wrong
}

#[test]
fn what_is_in_force_is_what_envoy_gets() {
    for analysis in all() {
        // Neither has priorities: what counts is the answer for all traffic together.
        let one = Scenario { high_priority_share: Share(0.0), ..analysis.scenario.clone() };
        let envoy = in_force(&answer(&one), Target::Envoy);
        for target in DIALECTS {
            let here = in_force(&analysis, target);
            let mut wrong = compare("cluster", (&flat(&envoy.cluster), &flat(&here.cluster)), |d| {
                of_cluster(&analysis, target, d)
            });
            wrong.extend(compare("route", (&flat(&envoy.route), &flat(&here.route)), |d| {
                of_route(&analysis, target, d)
            }));
            assert_eq!(here.lb_policy, envoy.lb_policy, "{target:?}");
            assert_eq!(here.route.attempts(), envoy.route.attempts(), "{target:?}");
            assert_eq!(here.route.per_try_timeout(), envoy.route.per_try_timeout(), "{target:?}");
            let text = export(&analysis, target);
            assert!(wrong.is_empty(), "{target:?} {}\n{wrong:#?}\n{text}", analysis.scenario.to_link());
        }
    }
}
