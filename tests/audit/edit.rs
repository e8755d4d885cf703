//! Fixes in the sample files: what is asked for changes, and nothing else.

use crate::support::asked;
use headroom::engine::audit::edit::{Applied, Mark, apply, diff};
use headroom::engine::audit::{Audit, Change, Finding, Fix, Setting, Value, audit};
use headroom::engine::read::config::RoutingPriority::{Default, High};
use headroom::engine::read::config::{Dialect, Effect};
use headroom::engine::read::{Place, read, source::Input};
use headroom::engine::rules::{RuleMeta, Severity};
use headroom::engine::units::{Millis, Percent};
use proptest::prelude::*;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

const META: RuleMeta = RuleMeta {
    code: "HR000",
    name: "test",
    severity: Severity::Warning,
    summary: "",
    rationale: "",
    sources: &[],
};

/// A setting, what it becomes, and the fields of the configuration that may differ afterwards.
type Row = (Setting, Value, &'static [&'static str]);

/// Fields that come with a block that was not there, or with a copy of one that was inherited.
const COMPANIONS: &[&str] = &["implied", "priority", "scope", "replaced_retry_policy"];

fn of_clusters() -> Vec<Row> {
    use Setting as S;
    let count = Value::Count;
    let ms = |ms: f64| Value::Duration(Millis(ms));
    let mut rows: Vec<Row> = Vec::new();
    for p in [Default, High] {
        rows.extend([
            (S::MaxConnections(p), count(17), &["max_connections"] as &[&str]),
            (S::MaxPendingRequests(p), count(17), &["max_pending_requests"]),
            (S::MaxRequests(p), count(17), &["max_requests"]),
            (S::MaxRetries(p), count(17), &["max_retries"]),
            (S::MaxConnectionPools(p), count(17), &["max_connection_pools"]),
            (S::BudgetPercent(p), Value::Percent(Percent(12.5)), &["budget_percent"]),
            (S::MinRetryConcurrency(p), count(17), &["min_retry_concurrency"]),
            (S::TrackRemaining(p), Value::Flag(true), &["track_remaining"]),
        ]);
    }
    rows.extend([
        (S::PerHostMaxConnections, count(17), &["max_connections"] as &[&str]),
        (S::ConnectTimeout, ms(1750.0), &["connect_timeout"]),
        (S::PoolIdleTimeout, ms(61_000.0), &["idle_timeout", "protocol", "subset"]),
        (S::MaxRequestsPerConnection, count(17), &["max_requests_per_connection", "protocol"]),
        (S::MaxConcurrentStreams, count(17), &["max_concurrent_streams"]),
        (S::HealthyPanicThreshold, Value::Percent(Percent(17.0)), &["healthy_panic_threshold"]),
        (S::UpdateMergeWindow, ms(17.0), &["update_merge_window"]),
        (S::Consecutive5xx, count(17), &["consecutive_5xx", "enforcing_consecutive_5xx"]),
        (
            S::ConsecutiveGatewayFailure,
            count(17),
            &["consecutive_gateway_failure", "enforcing_consecutive_gateway_failure"],
        ),
        (S::ConsecutiveLocalOriginFailure, count(17), &["consecutive_local_origin_failure"]),
        (S::EnforcingConsecutive5xx, count(100), &["consecutive_5xx", "enforcing_consecutive_5xx"]),
        (
            S::EnforcingConsecutiveGatewayFailure,
            count(100),
            &["consecutive_gateway_failure", "enforcing_consecutive_gateway_failure"],
        ),
        (S::EnforcingSuccessRate, count(17), &["enforcing_success_rate"]),
        (S::OutlierInterval, ms(7300.0), &["interval"]),
        (S::BaseEjectionTime, ms(7300.0), &["base_ejection_time"]),
        (S::MaxEjectionTime, ms(333_000.0), &["max_ejection_time"]),
        (S::MaxEjectionTimeJitter, ms(333.0), &["max_ejection_time_jitter"]),
        (S::MaxEjectionPercent, count(17), &["max_ejection_percent"]),
        (S::AlwaysEjectOneHost, Value::Flag(true), &["always_eject_one_host"]),
        (S::SplitExternalLocalOriginErrors, Value::Flag(true), &["split_external_local_origin_errors"]),
        (S::SuccessRateMinimumHosts, count(17), &["success_rate_minimum_hosts"]),
    ]);
    rows
}

fn of_routes() -> Vec<Row> {
    use Setting as S;
    let count = Value::Count;
    let ms = |ms: f64| Value::Duration(Millis(ms));
    let words = |w: &[&str]| Value::Words(w.iter().map(|w| (*w).to_owned()).collect());
    vec![
        (S::RoutePriority, Value::Word("HIGH".to_owned()), &["priority"] as &[&str]),
        // Envoy Gateway derives the idle timeout from the request timeout.
        (S::RouteTimeout, ms(1750.0), &["timeout", "idle_timeout"]),
        (S::RouteIdleTimeout, ms(61_000.0), &["idle_timeout"]),
        (S::MaxStreamDuration, ms(61_000.0), &["max_stream_duration"]),
        (S::GrpcTimeoutHeaderMax, ms(4250.0), &["grpc_timeout_header_max"]),
        // Istio's block of retries needs a number.
        (
            S::RetryOn,
            words(&["reset", "connect-failure"]),
            &["retry_on", "retriable_status_codes", "num_retries"],
        ),
        (S::NumRetries, count(17), &["num_retries"]),
        (S::PerTryTimeout, ms(175.0), &["per_try_timeout", "num_retries"]),
        (S::PerTryIdleTimeout, ms(175.0), &["per_try_idle_timeout"]),
        (S::BackOffBase, ms(17.0), &["base_interval", "num_retries"]),
        (S::BackOffMax, ms(17_000.0), &["max_interval", "base_interval"]),
        (
            S::RetriableStatusCodes,
            Value::Numbers(vec![502, 503]),
            &["retriable_status_codes", "retry_on", "num_retries"],
        ),
        (
            S::PreviousHosts,
            Value::Flag(true),
            &[
                "retry_host_predicate",
                "host_selection_retry_max_attempts",
                "retry_ignore_previous_hosts",
                "num_retries",
            ],
        ),
        (S::HedgeOnPerTryTimeout, Value::Flag(true), &["hedge_on_per_try_timeout"]),
        (S::RequestBodyBufferLimit, count(65_536), &["request_body_buffer_limit"]),
    ]
}

fn samples() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples");
    let mut out = Vec::new();
    for entry in fs::read_dir(folder).expect("there are samples") {
        let path = entry.expect("readable").path();
        let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
        let bytes = fs::read(&path).expect("readable");
        out.push((name.clone(), Input::from_bytes(name, &bytes).text));
    }
    out.sort();
    assert!(out.len() > 20);
    out
}

/// Every value of a configuration by its path, without places.
fn leaves(config: &impl serde::Serialize) -> BTreeMap<String, String> {
    fn walk(at: &str, json: &Json, out: &mut BTreeMap<String, String>) {
        match json {
            Json::Null => {}
            Json::Object(map) if map.contains_key("span") && map.contains_key("file") => {}
            Json::Object(map) => map.iter().for_each(|(key, value)| walk(&format!("{at}/{key}"), value, out)),
            Json::Array(items) => {
                for (i, item) in items.iter().enumerate() {
                    walk(&format!("{at}/{i}"), item, out);
                }
            }
            leaf => {
                out.insert(at.to_owned(), leaf.to_string());
            }
        }
    }
    let mut out = BTreeMap::new();
    walk("", &serde_json::to_value(config).expect("it serializes"), &mut out);
    out
}

/// Paths of what differs.
fn differing(a: &BTreeMap<String, String>, b: &BTreeMap<String, String>) -> Vec<(String, String)> {
    let keys = a.keys().chain(b.keys()).cloned().collect::<std::collections::BTreeSet<_>>();
    let shown = |m: &BTreeMap<String, String>, k: &str| m.get(k).cloned().unwrap_or_default();
    keys.into_iter().filter(|k| a.get(k) != b.get(k)).map(|k| (k.clone(), shown(b, &k))).collect()
}

fn one(audit: &Audit, (cluster, route): (Option<usize>, Option<usize>), changes: Vec<Change>) -> Audit {
    let fix = Fix { label: String::new(), changes };
    let finding = Finding { cluster, route, ..META.found(&[], &Place::default(), "x") }.fix(fix);
    Audit { findings: vec![finding], ..audit.clone() }
}

/// Checks one fix of one file; returns whether it was made.
fn check(
    name: &str,
    text: &str,
    audit: &Audit,
    row: &Row,
    at: (Option<usize>, Option<usize>),
    wrong: &mut Vec<String>,
) -> bool {
    let (setting, value, fields) = row;
    let inputs = [Input::new(name, text)];
    let judged = one(audit, at, vec![Change::Set(*setting, value.clone())]);
    let Applied { inputs: new, done, refused } = apply(&inputs, &judged, &[0]);
    if done.is_empty() {
        assert_eq!(new[0].text, text);
        // A limit below what it limits is refused by Envoy too.
        let is_below = refused[0].1.contains(", below `base_ejection_time`");
        if refused[0].1.starts_with("after it") && !is_below || refused[0].1.contains("same text") {
            wrong.push(format!("{name} {setting:?} {at:?}: {}", refused[0].1));
        }
        return false;
    }
    let before = leaves(&audit.configuration.clusters).into_iter().map(|(k, v)| (format!("c{k}"), v));
    let routes = leaves(&audit.configuration.routes).into_iter().map(|(k, v)| (format!("r{k}"), v));
    let before: BTreeMap<String, String> = before.chain(routes).collect();
    let after = read(&new);
    let c = leaves(&after.clusters).into_iter().map(|(k, v)| (format!("c{k}"), v));
    let r = leaves(&after.routes).into_iter().map(|(k, v)| (format!("r{k}"), v));
    let after_leaves: BTreeMap<String, String> = c.chain(r).collect();
    let diffs = differing(&before, &after_leaves);
    let is_allowed = |path: &str| {
        // A route that gets a policy of its own replaces that of its virtual host.
        path.split('/').any(|segment| {
            fields.contains(&segment) || COMPANIONS.contains(&segment) || segment == "replaced_retry_policy"
        })
    };
    let strange: Vec<_> = diffs.iter().filter(|(path, _)| !is_allowed(path)).collect();
    if diffs.is_empty() || !strange.is_empty() {
        let lines: Vec<String> = diff(text, &new[0].text)
            .into_iter()
            .filter(|l| l.mark != Mark::Same)
            .map(|l| {
                format!(
                    "{} {}",
                    if l.mark == Mark::Added { "+" } else { "-" },
                    l.text.chars().take(300).collect::<String>()
                )
            })
            .collect();
        wrong.push(format!("{name} {setting:?} {at:?}: {strange:?} of {diffs:?}\n{}", lines.join("\n")));
    }
    let bad = |c: &headroom::engine::read::config::Configuration| {
        c.problems.iter().filter(|p| p.effect <= Effect::Unread).count()
    };
    assert!(bad(&after) <= bad(&audit.configuration));
    true
}

#[test]
fn every_setting_can_be_written_and_nothing_else_changes() {
    let mut wrong = Vec::new();
    let mut made: BTreeMap<String, usize> = BTreeMap::new();
    for (name, text) in samples() {
        let audit = audit(read(&[Input::new(name.as_str(), text.as_str())]), &asked(""));
        for (at, cluster) in audit.configuration.clusters.iter().enumerate() {
            for row in of_clusters() {
                let is_made = check(&name, &text, &audit, &row, (Some(at), None), &mut wrong);
                *made.entry(format!("{:?}", cluster.origin.dialect)).or_default() += usize::from(is_made);
            }
        }
        for (at, route) in audit.configuration.routes.iter().enumerate() {
            for row in of_routes() {
                let is_made = check(&name, &text, &audit, &row, (None, Some(at)), &mut wrong);
                *made.entry(format!("{:?}", route.origin.dialect)).or_default() += usize::from(is_made);
            }
        }
    }
    assert!(wrong.is_empty(), "{}\n{made:?}", wrong.join("\n\n"));
    for (dialect, least) in [(Dialect::Envoy, 500), (Dialect::Istio, 60), (Dialect::EnvoyGateway, 20)] {
        let n = made.get(&format!("{dialect:?}")).copied().unwrap_or_default();
        assert!(n >= least, "{dialect:?}: {n} in {made:?}");
    }
}

/// A change to a text: cut, and something strange put in.
type Slip = (prop::sample::Index, usize, &'static str);

fn slips() -> impl Strategy<Value = Vec<Slip>> {
    const PUT: &[&str] = &[
        "", "\t", "}", "{", "[", "]", "- ", ": ", "&a ", "*a", "<<: *a", "---\n", "\"", "'", "#", "|\n",
        "!x ", "\r\n", "é", "? ", "null", ",", "\n",
    ];
    prop::collection::vec((any::<prop::sample::Index>(), 0usize..30, prop::sample::select(PUT)), 0..4)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]
    #[test]
    fn no_fix_of_no_text_does_harm(sample in any::<prop::sample::Index>(), slips in slips(), rows in any::<u64>()) {
        let all = samples();
        let (name, text) = &all[sample.index(all.len())];
        let mut chars: Vec<char> = text.chars().collect();
        for (at, length, put) in slips {
            let at = at.index(chars.len() + 1);
            let to = (at + length).min(chars.len());
            chars.splice(at..to, put.chars());
        }
        let text: String = chars.into_iter().collect();
        let inputs = [Input::new(name.as_str(), text.as_str())];
        let judged = audit(read(&inputs), &asked(""));
        let n = (judged.configuration.clusters.len(), judged.configuration.routes.len());
        let mut findings = Vec::new();
        for (i, (setting, value, _)) in of_clusters().into_iter().chain(of_routes()).enumerate() {
            let pick = usize::try_from((rows >> (i % 48)) & 0xff).expect("a byte");
            let change = if pick % 3 == 0 { Change::Clear(setting) } else { Change::Set(setting, value) };
            let at = (Some(pick).filter(|_| n.0 > 0).map(|p| p % n.0), Some(pick).filter(|_| n.1 > 0).map(|p| p % n.1));
            findings.extend(one(&judged, at, vec![change]).findings);
        }
        let own: Vec<usize> = (0..judged.findings.len()).collect();
        apply(&inputs, &judged, &own);
        let which: Vec<usize> = (0..findings.len()).collect();
        let judged = Audit { findings, ..judged };
        let applied = apply(&inputs, &judged, &which);
        prop_assert_eq!(applied.done.len() + applied.refused.len(), which.len());
        let unread = |c: &headroom::engine::read::config::Configuration| {
            c.problems.iter().filter(|p| p.effect == Effect::Unread).map(|p| format!("{}: {}", p.at.line(), p.message)).collect::<Vec<_>>()
        };
        let (before, after) = (unread(&judged.configuration), unread(&read(&applied.inputs)));
        prop_assert!(after.len() <= before.len(), "{before:?}, then {after:?}\n{text}\n----\n{}", applied.inputs[0].text);
    }
}
