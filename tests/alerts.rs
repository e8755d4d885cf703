//! Alerting rules: Prometheus' structure, queries that hold together, counters that Envoy has.
//!
//! `UPDATE_EXPECT=1 cargo test --no-default-features --test alerts` rewrites the golden rules.

use expect_test::expect_file;
use headroom::engine::alerts::{metrics, to_yaml};
use headroom::engine::analysis::Analysis;
use headroom::engine::analyze;
use headroom::engine::scenario::{PRESETS, Preset, Scenario};
use serde::Deserialize;
use std::collections::BTreeMap;

/// Prometheus' file of rules, with every field that it knows for an alerting rule.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleFile {
    groups: Vec<Group>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Group {
    name: String,
    rules: Vec<Rule>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rule {
    alert: String,
    expr: String,
    #[serde(rename = "for")]
    hold: String,
    labels: BTreeMap<String, String>,
    annotations: BTreeMap<String, String>,
}

/// All names that a rule may ask for, each measured on Envoy 1.40 (the first since 1.38).
const KNOWN: [&str; 13] = [
    "envoy_cluster_upstream_rq_active_overflow",
    "envoy_cluster_upstream_rq_pending_overflow",
    "envoy_cluster_upstream_rq_retry_overflow",
    "envoy_cluster_upstream_cx_overflow",
    "envoy_cluster_upstream_rq_total",
    "envoy_cluster_upstream_rq_retry",
    "envoy_cluster_upstream_rq_timeout",
    "envoy_cluster_upstream_rq_per_try_timeout",
    "envoy_cluster_circuit_breakers_default_remaining_rq",
    "envoy_cluster_circuit_breakers_high_remaining_rq",
    "envoy_cluster_outlier_detection_ejections_active",
    "envoy_cluster_outlier_detection_ejections_overflow",
    "envoy_cluster_lb_healthy_panic",
];

#[track_caller]
fn of_link(link: &str) -> Analysis {
    let scenario = Scenario::from_link(link).expect("readable").expect("a scenario");
    analyze(&scenario).unwrap_or_else(|problems| panic!("{link}: {problems:?}"))
}

#[track_caller]
fn rules(analysis: &Analysis) -> Vec<Rule> {
    let text = to_yaml(analysis);
    let file: RuleFile = serde_saphyr::from_str(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(file.groups.len(), 1);
    assert_eq!(file.groups[0].name, format!("headroom-{}", analysis.scenario.name));
    file.groups.into_iter().flat_map(|group| group.rules).collect()
}

fn names(analysis: &Analysis) -> Vec<String> {
    rules(analysis).into_iter().map(|rule| rule.alert).collect()
}

const LINKS: [&str; 8] = [
    "v=1&rps=500&p50=35&p99=110&clients=400&hosts=12&host_concurrency=64",
    "v=1&rps=800&p50=30&p99=120&high_priority_share=0.2&host_concurrency=40",
    "v=1&rps=800&p50=30&p99=120&envoy_version=1.37&idempotent=true",
    "v=1&rps=800&p50=30&p99=120&hosts=1&hosts_lost=0",
    "v=1&rps=800&p50=30&p99=120&retry_overhead=0",
    "v=1&rps=0.5&mean=5",
    "v=1&rps=9&p50=3&shed_target=0.1&error_rate=0.5",
    "v=1&name=a%20%22%7D%20or%20%7B%7B.%7D%7D%20%3A%20%23%20%5C%20%D0%BE&rps=9&p50=3",
];

#[test]
fn every_file_has_the_structure_of_prometheus_and_queries_that_close() {
    let presets = PRESETS.iter().map(|preset| analyze(&preset.scenario()).expect("a preset is valid"));
    for analysis in presets.chain(LINKS.iter().map(|link| of_link(link))) {
        let rules = rules(&analysis);
        assert!(rules.len() >= 4, "{rules:?}");
        let mut names: Vec<&String> = rules.iter().map(|rule| &rule.alert).collect();
        names.dedup();
        assert_eq!(names.len(), rules.len(), "no alert is there twice");
        for rule in &rules {
            check(rule, &analysis);
        }
        for metric in metrics(&analysis).keys() {
            assert!(KNOWN.contains(&metric.as_str()), "{metric} is no counter of Envoy");
        }
    }
}

#[track_caller]
fn check(rule: &Rule, analysis: &Analysis) {
    assert!(rule.alert.starts_with("Headroom") && rule.alert.bytes().all(|b| b.is_ascii_alphanumeric()));
    assert!(rule.hold.strip_suffix('m').is_some_and(|n| n.parse::<u32>().is_ok()), "{rule:?}");
    assert!(["critical", "warning"].contains(&rule.labels["severity"].as_str()), "{rule:?}");
    assert_eq!(rule.annotations.keys().collect::<Vec<_>>(), ["description", "link", "summary"]);
    assert_eq!(rule.annotations["link"], analysis.link);
    // Only what the rules themselves ask for is a template.
    for text in rule.annotations.values().chain(rule.labels.values()) {
        let ours = ["{{ $value", "{{ \"{{\" }}"];
        let n_ours: usize = ours.iter().map(|template| text.matches(template).count()).sum();
        let braces = text.replace("\"{{\"", "");
        assert_eq!(braces.matches("{{").count(), n_ours, "{text}");
    }
    let (mut open, mut in_text, mut escaped) = (Vec::new(), false, false);
    for c in rule.expr.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' if in_text => escaped = true,
            '"' => in_text = !in_text,
            _ if in_text => {}
            '(' => open.push(')'),
            '[' => open.push(']'),
            '{' => open.push('}'),
            ')' | ']' | '}' => assert_eq!(open.pop(), Some(c), "{}", rule.expr),
            _ => {}
        }
    }
    assert!(open.is_empty() && !in_text, "{}", rule.expr);
    let threshold = rule.expr.rsplit(' ').next().expect("a threshold");
    let threshold: f64 = threshold.parse().unwrap_or_else(|_| panic!("{}", rule.expr));
    assert!(threshold >= 0.0 && threshold.is_finite(), "{}", rule.expr);
    if rule.expr.contains(") / ") {
        assert!(threshold > 0.0 && threshold < 1.0, "a share: {}", rule.expr);
    }
}

#[test]
fn refusals_are_looked_for_where_the_version_counts_them() {
    let newer = metrics(&of_link("v=1&rps=800&p50=30&p99=120&envoy_version=1.38"));
    assert_eq!(
        newer["envoy_cluster_upstream_rq_active_overflow"],
        ["HeadroomMaxRequestsRefusesMoreThanPlanned", "HeadroomMaxRequestsRefusesMany"]
    );
    assert_eq!(newer["envoy_cluster_upstream_rq_pending_overflow"], ["HeadroomMaxPendingRequestsRefuses"]);
    let older = metrics(&of_link("v=1&rps=800&p50=30&p99=120&envoy_version=1.37"));
    assert!(!older.contains_key("envoy_cluster_upstream_rq_active_overflow"));
    assert_eq!(
        older["envoy_cluster_upstream_rq_pending_overflow"],
        ["HeadroomMaxRequestsRefusesMoreThanPlanned", "HeadroomMaxRequestsRefusesMany"]
    );
}

#[test]
fn thresholds_are_the_numbers_of_the_answer() {
    // 500 req/s × 1.5 × 1.2 / 100 proxies = 9 req/s × 39.5 ms; doubled, and a quarter more for retries.
    let analysis = analyze(&Preset::first_paint().scenario()).expect("valid");
    let rules = rules(&analysis);
    let expr = |alert: &str| &rules.iter().find(|rule| rule.alert == alert).expect("the alert").expr;
    let in_flight = 9.0 * analysis.latency.mean_ms.0 / 1000.0 * 2.0 * 1.25;
    assert_eq!(
        *expr("HeadroomInFlightAbovePlan"),
        format!(
            "max(7 - avg_over_time(envoy_cluster_circuit_breakers_default_remaining_rq{{envoy_cluster_name=\"checkout\"}}[10m])) > {in_flight:.3}"
        )
    );
    assert!(expr("HeadroomMaxRequestsRefusesMoreThanPlanned").ends_with(" > 0.0001"));
    assert!(expr("HeadroomEjectionsAtCap").ends_with(" >= 3"));
}

#[test]
fn what_is_off_is_not_watched() {
    let of = |link: &str| names(&of_link(link)).join(" ");
    assert!(!of("v=1&rps=800&p50=30&p99=120&retry_overhead=0").contains("RetryBudget"));
    let one_host = of("v=1&rps=800&p50=30&p99=120&hosts=1&hosts_lost=0");
    assert!(!one_host.contains("Ejections") && !one_host.contains("Panic"), "{one_host}");
    assert!(
        of("v=1&rps=800&p50=30&p99=120&high_priority_share=0.2").contains("HeadroomHighPriorityInFlight")
    );
    let streams = of("v=1&protocol=grpc_stream&rps=40&stream_mean=300&clients=4");
    assert!(!streams.contains("Timeouts"), "{streams}");
    assert!(!of("v=1&protocol=grpc&rps=40&p50=30").contains("HeadroomRouteTimeouts"));
}

#[test]
fn golden_rules() {
    let golden = |case: &str, analysis: &Analysis| {
        let path = format!("{}/tests/golden/alerts/{case}.yaml", env!("CARGO_MANIFEST_DIR"));
        expect_file![path].assert_eq(&to_yaml(analysis));
    };
    for preset in PRESETS {
        golden(preset.key, &analyze(&preset.scenario()).expect("a preset is valid"));
    }
    golden("trap", &of_link(LINKS[0]));
    golden("high-priority", &of_link(LINKS[1]));
    golden("envoy-1.37", &of_link(LINKS[2]));
    golden("hostile-name", &of_link(LINKS[7]));
}
