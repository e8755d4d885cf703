//! Links that people have made must stay readable forever, and keep their numbers or say that they changed.
//!
//! `tests/golden/links.txt` has a line a link: the rules it was made with, the link, and the numbers it gave.
//! A line is never rewritten. When numbers change on purpose, the new version of the rules says so in
//! `engine::history`, and the line stays. `ADD_LINKS=1 cargo test --no-default-features --test links` appends
//! lines of the present rules for cases that have none.

use headroom::engine::analysis::{Analysis, Threshold};
use headroom::engine::analyze;
use headroom::engine::history::{Change, HISTORY, RULES_VERSION};
use headroom::engine::scenario::{Linked, PRESETS};
use headroom::engine::units::Millis;
use std::collections::BTreeMap;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/links.txt");

/// Corners: every protocol, every input, both ends of what is usual, and forms that only people write.
const CORNERS: &[&str] = &[
    "v=1&rps=500&p50=35",
    "v=1&rps=500&p50=35&p99=110&clients=100&hosts=12&host_concurrency=64&name=checkout",
    // The trap, a tight window, and a ceiling that is not known.
    "v=1&rps=500&p50=35&p99=110&clients=400&hosts=12&host_concurrency=64",
    "v=1&rps=500&p50=35&p99=110&clients=150&hosts=12&host_concurrency=64",
    "v=1&rps=500&p50=35&p99=110&clients=100&hosts=12",
    "v=1&protocol=http1&rps=500&mean=40&skew=1",
    "v=1&protocol=http1&rps=12000&p50=8&p90=20&p99=90&clients=30&workers=4&hosts=40",
    "v=1&protocol=grpc&rps=3000&p50=4&p99=18&p999=40&clients=40&hosts=8&deadline_ms=150&connect_ms=2&idempotent=true",
    "v=1&protocol=grpc&rps=20&mean=200",
    "v=1&protocol=grpc_stream&rps=40&stream_mean=300&stream_p99=900&clients=4&hosts=6&host_concurrency=12000",
    "v=1&protocol=grpc_stream&rps=2&stream_p99=7200",
    "v=1&rps=0.5&mean=5",
    "v=1&rps=200000&p50=2&p99=9&clients=2000&workers=8&hosts=900&host_concurrency=200",
    "v=1&rps=800&p75=30&p95=120",
    "v=1&rps=800&p50=30&p99=120&mean=60",
    "v=1&rps=800&p999=900",
    "v=1&rps=800&p50=30&p99=120&hosts=1&hosts_lost=0",
    "v=1&rps=800&p50=30&p99=120&hosts=50&hosts_lost=20&host_concurrency=10",
    "v=1&rps=800&p50=30&p99=120&burst=4&skew=3&slowdown=6",
    "v=1&rps=800&p50=30&p99=120&burst=1&skew=1&slowdown=1",
    "v=1&rps=800&p50=30&p99=120&shed_target=0.05",
    "v=1&rps=800&p50=30&p99=120&shed_target=0.0000001",
    "v=1&rps=800&p50=30&p99=120&deadline_ms=20",
    "v=1&rps=800&p50=30&p99=120&deadline_ms=30000&idempotent=true",
    "v=1&rps=800&p50=30&p99=120&connect_ms=400",
    "v=1&rps=800&p50=30&p99=120&error_rate=0.1&idempotent=true",
    "v=1&rps=800&p50=30&p99=120&retry_overhead=0",
    "v=1&rps=800&p50=30&p99=120&retry_overhead=1&retrying_hops=3&idempotent=true",
    "v=1&rps=800&p50=30&p99=120&high_priority_share=0.2&host_concurrency=40",
    "v=1&rps=800&p50=30&p99=120&upstream_keepalive_s=5&protocol=http1",
    "v=1&rps=800&p50=30&p99=120&envoy_version=1.30&idempotent=true",
    "v=1&rps=800&p50=30&p99=120&envoy_version=1.37",
    "v=1&rps=800&p50=30&p99=120&envoy_version=1.38",
    "v=1&name=%D0%BE%D0%BF%D0%BB%D0%B0%D1%82%D0%B0%20%3Cb%3E%26%22%27&rps=9&p50=35",
    // What people type by hand, and what programs write.
    "v=1&rps=2k&p50=250ms&p99=1.5s&shed_target=0.01%25&clients=1,200",
    "#v=1&rps=500&p50=35&idempotent=yes&hosts=&deadline_ms=2s",
    "https://headroom.example/tools/?view=simulate#v=1&rps=500&p50=35",
    "p50=35&rps=500&v=2026.11",
];

/// The numbers that a link gives, by setting.
#[track_caller]
fn numbers(link: &str) -> (BTreeMap<String, String>, Vec<&'static Change>) {
    let linked = Linked::read(link, HISTORY)
        .unwrap_or_else(|error| panic!("a link that people may have is no longer read: {link}\n{error:?}"))
        .expect("a scenario");
    let answer = analyze(&linked.scenario).unwrap_or_else(|problems| panic!("{link}: {problems:?}"));
    (settings(&answer), linked.changes)
}

fn settings(a: &Analysis) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    let mut put = |key: &str, value: String| drop(all.insert(key.to_owned(), value));
    let ms = |at: Option<Millis>| at.map_or_else(|| "none".to_owned(), |at| at.0.to_string());
    put("window", format!("{}..{:?}", a.window.floor, a.window.ceiling).replace("Some", ""));
    for (prefix, threshold) in ["", "high."].into_iter().zip(&a.thresholds) {
        limits(prefix, threshold, &mut put);
    }
    let t = &a.timeouts;
    for (key, at) in [
        ("connect_timeout", Some(t.connect_ms)),
        ("per_try_timeout", t.per_try_ms),
        ("timeout", Some(t.route_ms)),
        ("pool_idle_timeout", Some(t.pool_idle_ms)),
        ("idle_timeout", t.stream_idle_ms),
        ("max_stream_duration", t.max_stream_duration_ms),
        ("grpc_timeout_header_max", t.grpc_timeout_header_max_ms),
        ("retry_back_off.base_interval", Some(a.retry.backoff_base_ms)),
        ("retry_back_off.max_interval", Some(a.retry.backoff_max_ms)),
    ] {
        put(key, ms(at));
    }
    put("retry_on", if a.retry.retry_on.is_empty() { "none".to_owned() } else { a.retry.retry_on.join(",") });
    put("num_retries", a.retry.num_retries.to_string());
    put("outlier_detection", if a.outlier.is_some() { "on" } else { "off" }.to_owned());
    if let Some(detection) = &a.outlier {
        put("max_ejection_percent", detection.max_ejection_percent.to_string());
        put("consecutive_gateway_failure", detection.consecutive_gateway_failure.to_string());
    }
    all
}

fn limits(prefix: &str, threshold: &Threshold, put: &mut impl FnMut(&str, String)) {
    let budget = &threshold.retry_budget;
    for (key, value) in [
        ("max_requests", threshold.max_requests.to_string()),
        ("max_connections", threshold.max_connections.to_string()),
        ("max_pending_requests", threshold.max_pending_requests.to_string()),
        ("budget_percent", budget.budget_percent.0.to_string()),
        ("min_retry_concurrency", budget.min_retry_concurrency.to_string()),
    ] {
        put(&format!("{prefix}{key}"), value);
    }
}

fn cases() -> Vec<String> {
    let presets = PRESETS.iter().map(|preset| preset.scenario().to_link());
    presets.chain(CORNERS.iter().map(|link| (*link).to_owned())).collect()
}

fn line(link: &str) -> String {
    let values = numbers(link).0.into_iter().map(|(key, value)| format!(" {key}={value}"));
    format!("{RULES_VERSION} {link}{}\n", values.collect::<String>())
}

/// A line: rules, link, numbers.
type Golden<'t> = (&'t str, &'t str, Vec<(&'t str, &'t str)>);

fn lines(text: &str) -> Vec<Golden<'_>> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let parts = lines.map(|line| {
        let mut words = line.split(' ');
        let (rules, link) = (words.next().expect("rules"), words.next().expect("a link"));
        (rules, link, words.map(|word| word.split_once('=').expect("key=value")).collect())
    });
    parts.collect()
}

/// What is wrong with the numbers of a line, if anything is.
fn moved(golden: &Golden<'_>, now: &BTreeMap<String, String>, changes: &[&Change]) -> Vec<String> {
    let (_, _, numbers) = golden;
    let is_told = |key: &str| {
        changes
            .iter()
            .any(|change| change.setting == key || key.strip_prefix("high.") == Some(change.setting))
    };
    let differs =
        numbers.iter().filter(|(key, value)| now.get(*key).is_none_or(|now| now != value) && !is_told(key));
    differs.map(|(key, value)| format!("{key} was {value} and is {:?}", now.get(*key))).collect()
}

#[test]
fn old_links_keep_their_numbers_or_say_what_changed() {
    let text = std::fs::read_to_string(FILE).expect("the golden links are there");
    let golden = lines(&text);
    assert!(golden.len() >= PRESETS.len() + CORNERS.len(), "lines of {FILE} are never removed");
    let mut bad = Vec::new();
    for line in &golden {
        let (now, changes) = numbers(line.1);
        // Rules of the table, from the version that the line was written under.
        assert!(HISTORY.find(line.0).is_some(), "{} is not in the history", line.0);
        bad.extend(moved(line, &now, &changes).into_iter().map(|what| format!("{}\n  {what}", line.1)));
    }
    assert!(
        bad.is_empty(),
        "numbers of old links have moved without an entry in engine::history that names the setting and concerns \
         the scenario. Do not edit the line: add a version of the rules.\n{}",
        bad.join("\n")
    );
}

#[test]
fn every_case_has_a_line() {
    let text = std::fs::read_to_string(FILE).unwrap_or_default();
    let golden = lines(&text);
    let missing = cases().into_iter().filter(|link| !golden.iter().any(|line| line.1 == link));
    let missing: String = missing.map(|link| line(&link)).collect();
    if std::env::var_os("ADD_LINKS").is_some() {
        std::fs::write(FILE, text + &missing).expect("the file can be written");
        return;
    }
    assert!(missing.is_empty(), "append to {FILE} (ADD_LINKS=1 does it):\n{missing}");
}

#[test]
fn a_number_that_moves_is_seen_unless_it_is_told() {
    fn always(_: &headroom::engine::scenario::Scenario) -> bool {
        true
    }
    static TOLD: Change = Change { setting: "max_requests", how: "One more.", concerns: always };
    let now = numbers("v=1&rps=500&p50=35&high_priority_share=0.2").0;
    let golden = ("2026.11", "", vec![("high.max_requests", "0"), ("num_retries", "77"), ("gone", "1")]);
    let all = moved(&golden, &now, &[]);
    assert_eq!(all.len(), 3, "{all:?}");
    let told = moved(&golden, &now, &[&TOLD]);
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[0].starts_with("num_retries was 77 and is Some("), "{told:?}");
}
