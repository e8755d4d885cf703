//! What holds for every text: no panic, no hang, places within the text, and our own text read back.

use headroom::engine::analysis::{Analysis, Priority};
use headroom::engine::analyze;
use headroom::engine::export::{Target, export};
use headroom::engine::read::config::{Configuration, RoutingPriority, UpstreamProtocol};
use headroom::engine::read::source::{Input, excerpt};
use headroom::engine::read::{Place, Setting, documents, read, value};
use headroom::engine::scenario::{PRESETS, Preset, Protocol, Scenario};
use headroom::engine::units::{Millis, Share};
use proptest::prelude::*;

/// Every place in a configuration, by way of its JSON.
fn places(config: &Configuration) -> Vec<Place> {
    fn walk(value: &serde_json::Value, found: &mut Vec<Place>) {
        match value {
            serde_json::Value::Object(map) if map.contains_key("span") && map.contains_key("path") => {
                found.push(serde_json::from_value(value.clone()).unwrap());
            }
            serde_json::Value::Object(map) => map.values().for_each(|v| walk(v, found)),
            serde_json::Value::Array(items) => items.iter().for_each(|v| walk(v, found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    walk(&serde_json::to_value(config).unwrap(), &mut found);
    found
}

/// Reads, and checks what holds for every text.
fn check(text: &str) -> Configuration {
    let input = [Input::new("fuzz", text)];
    let config = read(&input);
    // A line ends with either mark or with both.
    let text_of_lines = text.replace("\r\n", " \n").replace('\r', "\n");
    assert_eq!(text.len(), text_of_lines.len());
    let lines = u32::try_from(text_of_lines.matches('\n').count()).unwrap() + 1;
    for place in places(&config) {
        let spans = [Some(place.span), place.key, place.alias];
        for span in spans.into_iter().flatten() {
            let range = span.start as usize..span.end as usize;
            assert!(text.get(range).is_some(), "{span:?} is no part of the text");
            assert!((1..=lines).contains(&span.line) && span.column >= 1, "{span:?}");
            let line = text_of_lines[..span.start as usize].matches('\n').count() + 1;
            assert_eq!(line, span.line as usize, "{span:?}");
            excerpt(text, span);
        }
    }
    config
}

const SAMPLES: [&str; 16] = [
    include_str!("../samples/y01-bootstrap-thresholds-as-map.yaml"),
    include_str!("../samples/y05-retry-budget-shapes.yaml"),
    include_str!("../samples/y06-anchors-and-merge-keys.yaml"),
    include_str!("../samples/y07-istio-dr-vs-multidoc.yaml"),
    include_str!("../samples/y09-envoy-gateway-btp.yaml"),
    include_str!("../samples/y10-contour-httpproxy.yaml"),
    include_str!("../samples/y12-consul-proxy-defaults.yaml"),
    include_str!("../samples/y15-hedge-and-route-priority.yaml"),
    include_str!("../samples/y19-istio-envoyfilter-budget.yaml"),
    include_str!("../samples/a04-config-dump.json"),
    include_str!("../samples/a01-clusters.txt"),
    include_str!("../samples/a02-stats.txt"),
    include_str!("../samples/a03-prometheus.txt"),
    include_str!("../samples/a05-access.log"),
    include_str!("../samples/a06-access-json.log"),
    include_str!("../samples/a07-stats.json"),
];

#[test]
fn places_of_samples_are_places() {
    for sample in SAMPLES {
        let config = check(sample);
        // What a worker sends arrives as it was.
        let json = serde_json::to_string(&config).unwrap();
        assert_eq!(serde_json::from_str::<Configuration>(&json).unwrap(), config);
        for cluster in &config.clusters {
            for limit in
                cluster.thresholds.iter().flat_map(|t| [&t.max_connections, &t.max_requests, &t.max_retries])
            {
                number_stands(sample, limit);
            }
        }
    }
}

/// What stands at the place of a number is that number.
fn number_stands(text: &str, limit: &Setting<u32>) {
    let Some(limit) = limit else { return };
    let at = &text[limit.at.span.start as usize..limit.at.span.end as usize];
    // In Consul's escape hatch the place is that of the whole text.
    if at.len() < 20 {
        let digits = at.trim_matches('"');
        let number =
            digits.strip_prefix("0x").map_or_else(|| digits.parse(), |hex| u32::from_str_radix(hex, 16));
        assert_eq!(number, Ok(limit.value), "{at}");
    }
}

/// A change to a text: cut, doubled, or something strange put in.
#[derive(Clone, Debug)]
struct Edit {
    at: prop::sample::Index,
    length: usize,
    put: String,
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let put = prop_oneof![
        Just(String::new()),
        prop::sample::select(
            &[
                "\t",
                "{{",
                "}",
                "[",
                "]",
                "- ",
                ": ",
                "&a ",
                "*a",
                "<<: ",
                "---\n",
                "\"",
                "'",
                "#",
                "|\n",
                "!x ",
                "%",
                "\u{feff}",
                "\r\n",
                "\u{2028}",
                "é",
                "0x",
                "null",
                "{value: 1}",
                "\0"
            ][..]
        )
        .prop_map(str::to_owned),
        "[ -~\n]{0,12}",
    ];
    prop::collection::vec(
        (any::<prop::sample::Index>(), 0usize..40, put).prop_map(|(at, length, put)| Edit {
            at,
            length,
            put,
        }),
        1..6,
    )
}

fn edited(sample: &str, edits: &[Edit]) -> String {
    let mut chars: Vec<char> = sample.chars().collect();
    for edit in edits {
        let at = edit.at.index(chars.len() + 1);
        let to = (at + edit.length).min(chars.len());
        chars.splice(at..to, edit.put.chars());
    }
    chars.into_iter().collect()
}

proptest! {
    #[test]
    fn no_bytes_do_harm(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let input = Input::from_bytes("fuzz", &bytes);
        check(&input.text);
    }

    #[test]
    fn no_text_of_marks_does_harm(text in "[-:{}\\[\\]#&*!|>'\"%@`,?<~ \t\r\na0\u{e9}]{0,120}") {
        check(&text);
    }

    #[test]
    fn no_change_to_a_sample_does_harm(sample in prop::sample::select(&SAMPLES[..]), edits in edits()) {
        check(&edited(sample, &edits));
    }

    /// Two ways to one tree: JSON by our own reader, and the same text as YAML behind a comment.
    #[test]
    fn json_is_yaml(value in json()) {
        let text = value.to_string();
        let json = documents(&[Input::new("x", text.clone())]);
        let yaml = documents(&[Input::new("x", format!("#\n{text}"))]);
        let plain = |d: &headroom::engine::read::Documents| d.documents.iter().map(|d| bare(&d.root)).collect::<Vec<_>>();
        prop_assert_eq!(plain(&json), plain(&yaml));
        prop_assert!(json.problems.is_empty(), "{:?}", json.problems);
    }
}

/// A tree as text, without places.
fn bare(node: &headroom::engine::read::tree::Node) -> String {
    use headroom::engine::read::tree::Kind;
    match &node.kind {
        Kind::Scalar(s) => format!("{:?}{}", s.text, s.quoted),
        Kind::List(items) => format!("[{}]", items.iter().map(bare).collect::<Vec<_>>().join(",")),
        Kind::Map(entries) => {
            format!(
                "{{{}}}",
                entries
                    .iter()
                    .map(|e| format!("{:?}:{}", e.key, bare(&e.value)))
                    .collect::<Vec<_>>()
                    .join(",")
            )
        }
    }
}

fn json() -> impl Strategy<Value = serde_json::Value> {
    use serde_json::Value;
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "[ -~é\n\t\u{1F600}]{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map("[a-z_]{1,8}", inner, 0..6)
                .prop_map(|m| Value::Object(m.into_iter().collect())),
        ]
    })
    .prop_filter("a document is a list or an object", |v| v.is_array() || v.is_object())
}

fn close(what: &str, got: Option<Millis>, want: Millis) {
    let got = got.unwrap_or_else(|| panic!("{what} is missing")).0;
    // Envoy counts whole milliseconds, and so does the text; 0 is off.
    let want = if want.0 > 0.0 { want.0.floor().max(1.0) } else { 0.0 };
    assert!((got - want).abs() <= 1e-9 * want.max(1.0), "{what}: {got} is not {want}");
}

/// What our own text says is what the analysis said.
fn reads_back(analysis: &Analysis, target: Target) {
    let config = read(&[Input::new("own", export(analysis, target))]);
    assert_eq!(config.problems, [], "{}", analysis.scenario.name);
    let (cluster, route) = (&config.clusters[0], &config.routes[0]);
    assert_eq!(cluster.name.as_ref().map(|n| n.value.as_str()), Some(analysis.scenario.name.as_str()));
    assert_eq!(config.pairs.len(), 1);
    let protocol = if analysis.scenario.protocol == Protocol::Http1 {
        UpstreamProtocol::Http1
    } else {
        UpstreamProtocol::Http2
    };
    assert_eq!(value(&cluster.protocol), Some(protocol));
    assert_eq!(cluster.thresholds.len(), analysis.thresholds.len());
    for (read, wrote) in cluster.thresholds.iter().zip(&analysis.thresholds) {
        let priority = match wrote.priority {
            Priority::Default => RoutingPriority::Default,
            Priority::High => RoutingPriority::High,
        };
        assert_eq!(read.for_priority(), priority);
        assert_eq!(value(&read.max_requests), Some(wrote.max_requests));
        assert_eq!(value(&read.max_connections), Some(wrote.max_connections));
        assert_eq!(value(&read.max_pending_requests), Some(wrote.max_pending_requests));
        let budget = read.retry_budget.as_ref().unwrap();
        assert_eq!(value(&budget.min_retry_concurrency), Some(wrote.retry_budget.min_retry_concurrency));
        let percent = value(&budget.budget_percent).unwrap().0;
        assert!((percent - wrote.retry_budget.budget_percent.0).abs() < 1e-8);
    }
    let t = &analysis.timeouts;
    close("connect_timeout", value(&cluster.connect_timeout), t.connect_ms);
    close("idle_timeout", value(&cluster.idle_timeout), t.pool_idle_ms);
    close("timeout", value(&route.timeout), t.route_ms);
    assert_eq!(route.idle_timeout.is_some(), t.stream_idle_ms.is_some());
    assert_eq!(route.max_stream_duration.is_some(), t.max_stream_duration_ms.is_some());
    assert_eq!(route.grpc_timeout_header_max.is_some(), t.grpc_timeout_header_max_ms.is_some());
    match &route.retry_policy {
        None => assert!(analysis.retry.num_retries == 0 || analysis.retry.retry_on.is_empty()),
        Some(policy) => {
            assert_eq!(value(&policy.num_retries), Some(analysis.retry.num_retries));
            assert_eq!(policy.retry_on.as_ref().unwrap().value, analysis.retry.retry_on);
            close("base_interval", value(&policy.base_interval), analysis.retry.backoff_base_ms);
            close("max_interval", value(&policy.max_interval), analysis.retry.backoff_max_ms);
            assert_eq!(policy.avoids_previous_hosts(), analysis.retry.previous_hosts);
            assert_eq!(policy.per_try_timeout.is_some(), t.per_try_ms.is_some());
        }
    }
    match (&cluster.outlier_detection, &analysis.outlier) {
        (None, None) => {}
        (Some(read), Some(wrote)) => {
            assert_eq!(value(&read.consecutive_gateway_failure), Some(wrote.consecutive_gateway_failure));
            assert_eq!(value(&read.enforcing_consecutive_5xx), Some(wrote.enforcing_consecutive_5xx));
            assert_eq!(value(&read.max_ejection_percent), Some(wrote.max_ejection_percent));
            close("interval", value(&read.interval), wrote.interval.0);
            close("base_ejection_time", value(&read.base_ejection_time), wrote.base_ejection_time.0);
        }
        (read, wrote) => panic!("{read:?} is not {wrote:?}"),
    }
}

#[test]
fn presets_read_back() {
    let base = Preset::first_paint().scenario();
    let more = [
        Scenario { high_priority_share: Share(0.2), ..base.clone() },
        Scenario { hosts: 1, hosts_lost: 0, ..base.clone() },
        Scenario { name: "null".to_owned(), ..base.clone() },
        Scenario { name: "a #b: {c} 'd' \"e\"".to_owned(), ..base.clone() },
        Scenario { name: "支払い\u{2028}admin: {}".to_owned(), ..base },
    ];
    for scenario in PRESETS.iter().map(Preset::scenario).chain(more) {
        let analysis = analyze(&scenario).unwrap();
        for target in [Target::Envoy, Target::EnvoyBootstrap] {
            reads_back(&analysis, target);
        }
    }
}

proptest! {
    #[test]
    fn what_we_write_we_read(rps in 1.0f64..1e5, p50 in 1.0f64..500.0, spread in 1.1f64..8.0, clients in 1u32..200, hosts in 1u32..60, high in 0.0f64..0.9, protocol in 0usize..3) {
        let base = Preset::first_paint().scenario();
        let mut latency = base.latency_ms.clone();
        latency.p50 = Some(Millis(p50));
        latency.p99 = Some(Millis(p50 * spread));
        latency.p999 = None;
        latency.mean = None;
        latency.p75 = None;
        latency.p90 = None;
        latency.p95 = None;
        let protocol = [Protocol::Http1, Protocol::Http2, Protocol::Grpc][protocol];
        let scenario = Scenario {
            rps: headroom::engine::units::Rate(rps), latency_ms: latency, clients, hosts, hosts_lost: 0,
            high_priority_share: Share(high), protocol, ..base
        };
        if let Ok(analysis) = analyze(&scenario) {
            for target in [Target::Envoy, Target::EnvoyBootstrap] {
                reads_back(&analysis, target);
            }
        }
    }
}
