//! A scenario out of what proxies report: every sample, with values worked out by hand from the file, and laws for any text.

use headroom::engine::inputs::{Ask, Field, How, Inputs, Refusal, derive};
use headroom::engine::params::ParamId;
use headroom::engine::read::{read, source::Input};
use headroom::engine::scenario::{Draft, Scenario};
use proptest::prelude::*;
use std::fmt::Write as _;

fn sample(name: &str) -> Input {
    let path = format!("{}/tests/samples/{name}", env!("CARGO_MANIFEST_DIR"));
    Input::from_bytes(name, &std::fs::read(path).unwrap())
}

fn given(pairs: &[(ParamId, &str)]) -> Draft {
    let mut draft = Draft::default();
    for (id, text) in pairs {
        draft.set(*id, *text);
    }
    draft
}

#[track_caller]
fn inputs_of(texts: &[Input], cluster: Option<&str>, pairs: &[(ParamId, &str)]) -> Inputs {
    let ask = Ask { cluster: cluster.map(str::to_owned), given: given(pairs), last_interval: false };
    derive(&read(texts), &ask).unwrap()
}

#[track_caller]
fn of_text(text: &str) -> Inputs {
    inputs_of(&[Input::new("text", text)], None, &[])
}

#[track_caller]
fn field(inputs: &Inputs, id: ParamId) -> &Field {
    inputs.fields.iter().find(|f| f.id == id).unwrap()
}

/// Checks values as texts of a form, how they came about, and their first line; shares and means to nine digits.
#[track_caller]
fn check(inputs: &Inputs, wanted: &[(ParamId, How, f64, u32)]) {
    for (id, how, value, line) in wanted {
        let field = field(inputs, *id);
        let found: f64 =
            field.value.as_ref().unwrap_or_else(|| panic!("{id}: {}", field.note)).parse().unwrap();
        assert!((found - value).abs() <= 1e-9 * value.abs(), "{id}: {found} is not {value}");
        let at = field.places.first().map_or(0, headroom::engine::read::Place::line);
        assert_eq!((field.how, at), (*how, *line), "{id}");
    }
}

/// What is known, apart from those that were checked by their value.
fn known(inputs: &Inputs) -> Vec<ParamId> {
    inputs.fields.iter().filter(|f| f.value.is_some()).map(|f| f.id).collect()
}

#[track_caller]
fn missing(inputs: &Inputs, id: ParamId, why: &str) {
    let field = field(inputs, id);
    assert_eq!((field.how, field.value.as_deref()), (How::Missing, None), "{id}");
    assert!(field.note.replace('\u{a0}', " ").contains(why), "{id}: {}", field.note);
}

fn needed(inputs: &Inputs) -> Vec<&str> {
    inputs.needed.iter().map(|p| p.field.as_str()).collect()
}

use How::{Derived, Given, Read};
use ParamId as P;

#[test]
fn a01_clusters() {
    let one = [sample("a01-clusters.txt")];
    let wharf = inputs_of(&one, Some("wharf"), &[]);
    // Three hosts are listed, from line 16 on; 10.44.0.13 is ejected.
    // rq_error 118 + 97 + 40,213 = 40,428; rq_success 402,118 + 401,870 + 360,004 = 1,163,992.
    // 40,428 / (40,428 + 1,163,992) = 40,428 / 1,204,420.
    check(&wharf, &[(P::Hosts, Derived, 3.0, 16), (P::ErrorRate, Derived, 40_428.0 / 1_204_420.0, 16)]);
    assert_eq!(known(&wharf), [P::Name, P::Hosts, P::ErrorRate]);
    assert_eq!(field(&wharf, P::Hosts).note, "2 of them healthy");
    missing(&wharf, P::Rps, "/clusters counts requests without a time");
    assert_eq!(needed(&wharf), ["rps", "p50"]);
    // With the uptime of the same proxy from elsewhere: rq_total 402,578 + 402,308 + 400,558 = 1,205,444 in an hour.
    let two = [sample("a01-clusters.txt"), Input::new("stats", "server.uptime: 3600\nserver.live: 1\n")];
    let timed = inputs_of(&two, Some("wharf"), &[]);
    check(&timed, &[(P::Rps, Derived, 1_205_444.0 / 3600.0, 16)]);
    let stream = inputs_of(&one, Some("ledger-stream"), &[]);
    // rq_error 5,340 + 5,102 = 10,442; rq_success 2,878,793 + 2,870,041 = 5,748,834; together 5,759,276.
    check(&stream, &[(P::Hosts, Derived, 2.0, 85), (P::ErrorRate, Derived, 10_442.0 / 5_759_276.0, 85)]);
    assert_eq!(field(&stream, P::Hosts).note, "1 of them healthy");
}

#[test]
fn a02_stats() {
    let pier = inputs_of(&[sample("a02-stats.txt")], None, &[]);
    assert_eq!(pier.cluster.as_deref(), Some("pier"), "of control nothing is known but its name");
    assert_eq!(
        field(&pier, P::Protocol).value.as_deref(),
        Some("http1"),
        "27,205 connections, none of HTTP/2"
    );
    // 1,224,000 requests in 3,600 s are 340 a second.
    // 5xx: 20,407 + 2,124 = 22,531, of which 20,349 were refused; 3 retries; 1,224,000 − 20,349 + 3 = 1,203,654 attempts,
    // which is upstream_rq_total: (22,531 − 20,349 + 3) / 1,203,654 = 2,185 / 1,203,654.
    check(
        &pier,
        &[
            (P::Rps, Derived, 340.0, 42),
            (P::P50, Read, 171.5, 66),
            (P::P75, Read, 298.0, 66),
            (P::P90, Read, 505.5, 66),
            (P::P95, Read, 711.0, 66),
            (P::P99, Read, 1240.0, 66),
            (P::P999, Read, 4400.0, 66),
            (P::Workers, Read, 4.0, 59),
            (P::Hosts, Read, 3.0, 25),
            (P::ConnectMs, Read, 1.06, 64),
            (P::ErrorRate, Derived, 2_185.0 / 1_203_654.0, 38),
        ],
    );
    let rate = field(&pier, P::Rps);
    assert_eq!(
        (rate.formula.as_str(), rate.substituted.as_str()),
        ("upstream_rq_completed / server.uptime", "1,224,000 / 3,600\u{a0}s")
    );
    assert!(rate.note.contains("of this proxy alone"), "{}", rate.note);
    assert_eq!(field(&pier, P::ErrorRate).substituted, "(22,531 − 20,349 + 3) / (1,224,000 − 20,349 + 3)");
    assert_eq!(needed(&pier), [""; 0]);
    missing(&pier, P::Mean, "/stats/prometheus has");
    missing(&pier, P::Clients, "give --clients");
    missing(&pier, P::EnvoyVersion, "/server_info");
    missing(&pier, P::UpstreamKeepaliveS, "it closed 3 connections with requests on them");
    // The last interval, as the left one of each pair; the connection had none there.
    let ask = Ask { last_interval: true, ..Ask::default() };
    let last = derive(&read(&[sample("a02-stats.txt")]), &ask).unwrap();
    check(&last, &[(P::P50, Read, 184.0, 66), (P::P99, Read, 1310.0, 66), (P::ConnectMs, Read, 1.06, 64)]);
    assert_eq!(field(&last, P::P99).note, "1,240\u{a0}ms since the start");
}

#[test]
fn a03_prometheus() {
    let one = [sample("a03-prometheus.txt")];
    let slip = inputs_of(&one, Some("slip"), &[]);
    // 97,049 + 2,951 = 100,000 answers in 500 s. Rank q·100,000 within its bucket, linear:
    // p50 25 + 25·(50,000 − 41,000)/27,000, p75 50 + 50·(75,000 − 68,000)/16,500, p90 100 + 150·(90,000 − 84,500)/10,700,
    // p95 100 + 150·(95,000 − 84,500)/10,700, p99 500 + 500·(99,000 − 98,100)/1,250, p99.9 2,500 + 2,500·(99,900 − 99,880)/110.
    // Mean 8,176,100 / 100,000. Connect: 0.5 + 0.5·(2,050 − 310)/1,890.
    // Attempts: 100,000 − 311 refused + 1,500 retries = 101,189, failed 2,951 − 311 + 1,500 = 4,140.
    check(
        &slip,
        &[
            (P::Rps, Derived, 200.0, 14),
            (P::P50, Derived, 25.0 + 25.0 * 9.0 / 27.0, 36),
            (P::P75, Derived, 50.0 + 50.0 * 70.0 / 165.0, 36),
            (P::P90, Derived, 100.0 + 150.0 * 55.0 / 107.0, 36),
            (P::P95, Derived, 100.0 + 150.0 * 105.0 / 107.0, 36),
            (P::P99, Derived, 860.0, 36),
            (P::P999, Derived, 2500.0 + 2500.0 * 2.0 / 11.0, 36),
            (P::Mean, Derived, 81.761, 36),
            (P::Workers, Read, 2.0, 33),
            (P::Hosts, Read, 3.0, 29),
            (P::ConnectMs, Derived, 0.5 + 0.5 * 1740.0 / 1890.0, 82),
            (P::ErrorRate, Derived, 4_140.0 / 101_189.0, 15),
        ],
    );
    assert!(field(&slip, P::Hosts).note.contains("healthy hosts only"));
    assert_eq!(field(&slip, P::P99).substituted, "500 + (1,000 − 500) × (0.99 × 100,000 − 98,100) / 1,250");
    assert!(slip.notes[0].message.starts_with("1,500 retries on 100,000 requests"), "{:?}", slip.notes);
    missing(&slip, P::Protocol, "upstream_cx_http1_total");
    let stream = inputs_of(&one, Some("ledger-stream"), &[]);
    // 20,000 attempts in 500 s, none refused, none retried: 40 a second; no answer is counted by its status.
    // p50 5 + 5·(10,000 − 7,400)/8,500, p99 25 + 25·(19,800 − 19,200)/610, mean 137,480.5/20,000.
    check(
        &stream,
        &[
            (P::Rps, Derived, 40.0, 3),
            (P::P50, Derived, 5.0 + 5.0 * 26.0 / 85.0, 58),
            (P::P99, Derived, 25.0 + 25.0 * 600.0 / 610.0, 58),
            (P::Mean, Derived, 6.874_025, 58),
        ],
    );
    missing(&stream, P::ErrorRate, "no text counts answers by status");
    // As streams: the same times are their lives, in seconds.
    let lives = inputs_of(&one, Some("ledger-stream"), &[(P::Protocol, "grpc_stream")]);
    check(
        &lives,
        &[
            (P::StreamMean, Derived, 0.006_874_025, 58),
            (P::StreamP99, Derived, 0.025 + 0.025 * 600.0 / 610.0, 58),
        ],
    );
    assert!(lives.fields.iter().all(|f| f.id != P::P50) && needed(&lives).is_empty());
}

#[test]
fn a04_config_dump() {
    let one = [sample("a04-config-dump.json")];
    let Err(Refusal::Several(all)) = derive(&read(&one), &Ask::default()) else { panic!("five clusters") };
    let names: Vec<&str> = all.iter().map(|c| c.name.as_str()).collect();
    let quay = "outbound|8080|v1|quay.dock.svc.cluster.local";
    assert_eq!(names, ["xds-grpc", quay, "httproute/apps/harbor/rule/0", "BlackHoleCluster", "late-arrival"]);
    let inputs = inputs_of(&one, Some(quay), &[]);
    // No protocol options: HTTP/1.1. Its routes: timeout off and 3 s; priority DEFAULT both.
    assert_eq!(known(&inputs), [P::Name, P::Protocol, P::HighPriorityShare]);
    assert_eq!(field(&inputs, P::Protocol).value.as_deref(), Some("http1"));
    check(&inputs, &[(P::HighPriorityShare, Derived, 0.0, 157)]);
    missing(&inputs, P::DeadlineMs, "its routes have several timeouts: default none, probe 3,000 ms");
    missing(&inputs, P::RetryOverhead, "no retry budget");
    missing(
        &inputs,
        P::Idempotent,
        "its routes retry on connect-failure,refused-stream,unavailable,cancelled,retriable-status-codes",
    );
    assert_eq!(field(&inputs, P::Idempotent).places[0].line(), 166);
    missing(&inputs, P::Hosts, "does not list addresses");
    let xds = inputs_of(&one, Some("xds-grpc"), &[]);
    let protocol = field(&xds, P::Protocol);
    assert_eq!(
        (protocol.how, protocol.value.as_deref(), protocol.places[0].line()),
        (Read, Some("http2"), 39)
    );
    let late = inputs_of(&one, Some("late-arrival"), &[]);
    assert!(late.notes[0].message.contains("being warmed"), "{:?}", late.notes);
}

#[test]
fn a05_and_a06_access_logs() {
    // Two lines name a cluster, ten do not, one is cut; two requests within 0.043 s make no rate.
    let quay = inputs_of(&[sample("a05-access.log")], None, &[]);
    assert_eq!(quay.cluster.as_deref(), Some("outbound|8080||quay.dock.svc.cluster.local"));
    assert_eq!(known(&quay), [P::Name]);
    missing(&quay, P::Rps, "2 requests within 0.043 s of the log");
    missing(&quay, P::P50, "no answer of the log has a service time and neither a flag nor 5xx");
    missing(&quay, P::ErrorRate, "one request of the log reached a host");
    assert!(
        quay.notes[0].message.starts_with("10 requests of the access log are left out"),
        "{:?}",
        quay.notes
    );
    // Without the two, the log is about one cluster that has no name. It reached a host on 9 of 10 lines (not on UO and UH,
    // but status 0 is no answer): 7; the only clean answer took 37 ms.
    let text: String =
        sample("a05-access.log").text.lines().take(10).fold(String::new(), |t, l| t + l + "\n");
    let unnamed = of_text(&text);
    assert_eq!((unnamed.cluster.as_deref(), known(&unnamed).len()), (None, 0));
    missing(&unnamed, P::ErrorRate, "7 requests of the log reached a host");
    missing(&unnamed, P::P50, "one value: P50 needs 10 or more");
    // Three requests of pier; mq-1 carries a connection and no request.
    let pier = inputs_of(&[sample("a06-access-json.log")], None, &[]);
    assert_eq!((pier.cluster.as_deref(), known(&pier)), (Some("pier"), vec![P::Name]));
    missing(&pier, P::Rps, "3 requests within 0.29 s of the log");
    missing(&pier, P::ErrorRate, "2 requests of the log reached a host");
}

#[test]
fn a07_stats_json() {
    let pier = inputs_of(&[sample("a07-stats.json")], None, &[]);
    // 1,203,654 attempts + 20,349 refused − 0 retries (not in the text) = 1,224,003 in 3,600 s.
    check(
        &pier,
        &[(P::Rps, Derived, 1_224_003.0 / 3600.0, 1), (P::P50, Read, 171.5, 1), (P::P99, Read, 1240.0, 1)],
    );
    assert_eq!(known(&pier), [P::Name, P::Rps, P::P50, P::P99]);
    assert_eq!(field(&pier, P::Rps).substituted, "(1,203,654 + 20,349 − 0) / 3,600\u{a0}s");
    missing(&pier, P::P95, "has no P95 in the text");
}

#[test]
fn samples_together() {
    // Both are of pier; /stats has more, so it goes first, and the log of pier adds nothing.
    let texts = [sample("a07-stats.json"), sample("a02-stats.txt"), sample("a06-access-json.log")];
    let pier = inputs_of(&texts, Some("pier"), &[]);
    check(&pier, &[(P::Rps, Derived, 340.0, 42), (P::P95, Read, 711.0, 66)]);
    assert!(field(&pier, P::Rps).places.iter().all(|at| at.file == 1));
}

#[test]
fn what_is_given_wins_and_clients_count() {
    let one = [sample("a02-stats.txt")];
    // 340 a second by each of 100.
    let fleet = inputs_of(&one, None, &[(P::Clients, "100"), (P::Hosts, "5"), (P::Name, "pier-v2")]);
    check(&fleet, &[(P::Rps, Derived, 34_000.0, 42), (P::Hosts, Given, 5.0, 0)]);
    assert_eq!(field(&fleet, P::Hosts).note, "the texts say 3");
    assert_eq!((fleet.scenario.name.as_str(), fleet.scenario.clients), ("pier-v2", 100));
    let rate = inputs_of(&one, None, &[(P::Clients, "100"), (P::Rps, "2k")]);
    assert!((rate.scenario.rps.0 - 2000.0).abs() < 1e-9);
    // A given p99 of 600 ms contradicts p95 711 and p99.9 stays: what was read gives way.
    let p99 = inputs_of(&one, None, &[(P::P99, "600")]);
    missing(&p99, P::P95, "Percentiles must not decrease");
    check(&p99, &[(P::P99, Given, 600.0, 0), (P::P999, Read, 4400.0, 66), (P::P90, Read, 505.5, 66)]);
    // Two given values that contradict each other are nobody else's fault.
    let ask = Ask { given: given(&[(P::P99, "5"), (P::P50, "6")]), ..Ask::default() };
    assert!(matches!(derive(&read(&one), &ask), Err(Refusal::Wrong(problems)) if problems.len() == 2));
    let ask = Ask { given: given(&[(P::HostsLost, "3")]), ..Ask::default() };
    assert!(
        matches!(derive(&read(&one), &ask), Err(Refusal::Wrong(problems)) if problems[0].field == "hosts_lost")
    );
}

#[test]
fn two_moments_of_one_proxy() {
    let at = |uptime: u32, completed: u32, failed: u32| {
        Input::new(
            format!("stats-{uptime}"),
            format!(
                "cluster.shop.upstream_rq_completed: {completed}\ncluster.shop.upstream_rq_5xx: {failed}\nserver.uptime: {uptime}\n"
            ),
        )
    };
    // Between them: 30,000 requests in 600 s, 60 of which failed.
    let shop = inputs_of(&[at(1000, 50_000, 900), at(1600, 80_000, 960)], None, &[]);
    check(&shop, &[(P::Rps, Derived, 50.0, 1), (P::ErrorRate, Derived, 0.002, 2)]);
    assert_eq!(field(&shop, P::Rps).substituted, "30,000 / 600\u{a0}s");
    assert!(field(&shop, P::Rps).note.contains("if both are of one proxy"));
    assert!(shop.notes.is_empty());
    // The order is that in time: 100,000 in 600 s after a restart are no difference to 80,000 in 1,600 s, although no counter
    // falls, and neither are two moments that are named in reverse: the last alone, 50,000 / 1,000 s.
    for (texts, per_second, why) in [
        ([at(1600, 80_000, 960), at(600, 100_000, 990)], 100_000.0 / 600.0, "falls from 1,600 s to 600 s"),
        ([at(1600, 80_000, 960), at(1000, 50_000, 900)], 50.0, "falls from 1,600 s to 1,000 s"),
    ] {
        let shop = inputs_of(&texts, None, &[]);
        check(&shop, &[(P::Rps, Derived, per_second, 1)]);
        assert!(shop.notes[0].message.replace('\u{a0}', " ").contains(why), "{:?}", shop.notes);
    }
    // A restart between the first and the last is one, whatever the last one says.
    let three = inputs_of(&[at(1000, 50_000, 900), at(100, 10, 1), at(1600, 80_000, 960)], None, &[]);
    assert_eq!(field(&three, P::Rps).substituted, "80,000 / 1,600\u{a0}s");
    assert!(three.notes[0].message.starts_with("3 texts of /stats"), "{:?}", three.notes);
    // A counter that falls, or no time between them: the newest alone, 80,000 / 1,600 s, with a note that says so.
    for (texts, why) in [
        ([at(1000, 90_000, 900), at(1600, 80_000, 960)], "upstream_rq_completed falls from 90,000 to 80,000"),
        (
            [at(1595, 50_000, 900), at(1600, 80_000, 960)],
            "5,000 ms apart by server.uptime, and 60 s are needed",
        ),
    ] {
        let shop = inputs_of(&texts, None, &[]);
        check(&shop, &[(P::Rps, Derived, 50.0, 1)]);
        assert_eq!(field(&shop, P::Rps).substituted, "80,000 / 1,600\u{a0}s");
        assert!(shop.notes[0].message.replace('\u{a0}', " ").contains(why), "{:?}", shop.notes);
    }
    // Buckets of Prometheus are subtracted: 1,000 came between, all of them from 10 to 25 ms: p50 10 + 15·0.5 = 17.5.
    let buckets = |uptime: u32, fast: u32, slow: u32, sum: u32| {
        let mut text = String::new();
        for (le, n) in [("10", fast), ("25", fast + slow), ("+Inf", fast + slow)] {
            writeln!(
                text,
                "envoy_cluster_upstream_rq_time_bucket{{envoy_cluster_name=\"a\",le=\"{le}\"}} {n}"
            )
            .unwrap();
        }
        let n = fast + slow;
        writeln!(text, "envoy_cluster_upstream_rq_time_sum{{envoy_cluster_name=\"a\"}} {sum}").unwrap();
        writeln!(text, "envoy_cluster_upstream_rq_time_count{{envoy_cluster_name=\"a\"}} {n}").unwrap();
        writeln!(text, "envoy_server_uptime{{}} {uptime}").unwrap();
        writeln!(text, "envoy_cluster_upstream_rq_completed{{envoy_cluster_name=\"a\"}} {n}").unwrap();
        Input::new("metrics", text)
    };
    let a = inputs_of(&[buckets(100, 500, 500, 9_000), buckets(200, 500, 1500, 29_000)], None, &[]);
    check(&a, &[(P::Rps, Derived, 10.0, 7), (P::P50, Derived, 17.5, 1), (P::Mean, Derived, 20.0, 1)]);
}

#[test]
fn a_log_with_enough_lines() {
    // A request every tenth of a second, 600 of them, the first at 0 s and the last at 59.9 s: 599 / 59.9 s = 10 a second.
    // Every tenth is answered with 503 by a host; the 540 others take 1 to 540 ms, in falling order.
    let mut text = String::new();
    let mut time = 541;
    for i in 0..600 {
        let (s, ms) = (i / 10, 100 * (i % 10));
        let (status, took) = if i % 10 == 9 {
            (503, 9_000)
        } else {
            time -= 1;
            (200, time)
        };
        writeln!(text, "[2026-03-02T23:59:{s:02}.{ms:03}Z] \"GET / HTTP/1.1\" {status} - 0 5 {took} {took} \"-\" \"-\" \"-\" \"-\" \"10.0.0.1:80\"").unwrap();
    }
    let log = of_text(&text);
    // p50 is number 270 of 540, p75 405, p90 486, p95 513, p99 ⌈534.6⌉ = 535; p99.9 needs 5,000. Mean (1 + 540)/2.
    check(
        &log,
        &[
            (P::Rps, Derived, 10.0, 1),
            (P::P50, Derived, 270.0, 1),
            (P::P75, Derived, 405.0, 1),
            (P::P90, Derived, 486.0, 1),
            (P::P95, Derived, 513.0, 1),
            (P::P99, Derived, 535.0, 1),
            (P::Mean, Derived, 270.5, 1),
            (P::ErrorRate, Derived, 0.1, 1),
        ],
    );
    missing(&log, P::P999, "540 values: P99.9 needs 5,000 or more");
    missing(&log, P::Name, "no text names the cluster");
    // Beside stats of one cluster the log may be about any: it is left out.
    let both = inputs_of(
        &[
            Input::new("log", &*text),
            Input::new("stats", "cluster.a.upstream_rq_completed: 7\nserver.live: 1\n"),
        ],
        None,
        &[],
    );
    assert_eq!(known(&both), [P::Name]);
    assert!(both.notes[0].message.starts_with("600 requests of the access log are left out"));
}

#[test]
fn protocols() {
    let spoken = |counters: &str| of_text(&format!("{counters}\nserver.live: 1\n"));
    let value = |inputs: &Inputs| field(inputs, P::Protocol).value.clone().unwrap_or_default();
    assert_eq!(
        value(&spoken("cluster.a.upstream_cx_http2_total: 3\ncluster.a.upstream_cx_http1_total: 0")),
        "http2"
    );
    let both = spoken("cluster.a.upstream_cx_http2_total: 3\ncluster.a.upstream_cx_http1_total: 1");
    missing(&both, P::Protocol, "more than one is spoken");
    missing(
        &spoken("cluster.a.upstream_cx_http3_total: 3\ncluster.a.upstream_rq_total: 3"),
        P::Protocol,
        "HTTP/3",
    );
    missing(
        &spoken("cluster.a.upstream_cx_http1_total: 0\ncluster.a.upstream_rq_total: 3"),
        P::Protocol,
        "no text has",
    );
    // gRPC answers failures with 200.
    let stats = "cluster.a.upstream_cx_http2_total: 3\ncluster.a.upstream_rq_completed: 1000\ncluster.a.upstream_rq_200: 1000\n";
    let grpc = inputs_of(&[Input::new("s", stats)], None, &[(P::Protocol, "grpc")]);
    missing(&grpc, P::ErrorRate, "failures of gRPC have status 200");
    check(&spoken(stats), &[(P::ErrorRate, Derived, 0.0, 0)]);
}

#[test]
fn configurations_and_server_info() {
    let config = "\
static_resources:
  listeners:
  - name: in
    address: {socket_address: {address: 127.0.0.1, port_value: 1}}
    filter_chains:
    - filters:
      - name: envoy.filters.network.http_connection_manager
        typed_config:
          \"@type\": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
          stat_prefix: in
          route_config:
            virtual_hosts:
            - name: all
              domains: [\"*\"]
              routes:
              - match: {prefix: /}
                route: {cluster: \"shop::v1\", timeout: 0.8s, priority: HIGH}
  clusters:
  - name: \"shop::v1\"
    type: STATIC
    circuit_breakers: {thresholds: [{retry_budget: {budget_percent: {value: 25}}}]}
    load_assignment:
      cluster_name: shop
      endpoints:
      - lb_endpoints:
        - endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}
        - endpoint: {address: {socket_address: {address: 10.0.0.2, port_value: 80}}}
";
    let info = "{\"version\": \"e0e7/1.38.2/Clean/RELEASE/BoringSSL\", \"state\": \"LIVE\",\n \"uptime_all_epochs\": \"200s\",\n \"command_line_options\": {\"concurrency\": 8}}";
    // Stats have underscores for the colons of the name. 2,000 requests in the 200 s of /server_info.
    let stats = "cluster.shop__v1.upstream_rq_completed: 2000\ncluster.shop__v1.upstream_rq_200: 2000\n";
    let texts = [Input::new("config", config), Input::new("info", info), Input::new("stats", stats)];
    let shop = inputs_of(&texts, None, &[]);
    assert_eq!(shop.scenario.name, "shop::v1");
    let turned: Vec<Input> = texts.iter().rev().cloned().collect();
    assert_eq!(
        inputs_of(&turned, None, &[]).scenario,
        shop.scenario,
        "the order of the texts does not matter"
    );
    // A budget of a quarter of all is a third on top of the rest.
    check(
        &shop,
        &[
            (P::Rps, Derived, 10.0, 1),
            (P::Hosts, Read, 2.0, 22),
            (P::DeadlineMs, Derived, 800.0, 17),
            (P::RetryOverhead, Derived, 1.0 / 3.0, 21),
            (P::HighPriorityShare, Derived, 1.0, 16),
            (P::Workers, Read, 8.0, 3),
            (P::ErrorRate, Derived, 0.0, 0),
        ],
    );
    let version = field(&shop, P::EnvoyVersion);
    assert_eq!((version.how, version.value.as_deref()), (Read, Some("1.38")));
    // The release of a dumped bootstrap, and one that is not known.
    let dump = |minor: u32| {
        format!(
            "{{\"configs\": [{{\"@type\": \"type.googleapis.com/envoy.admin.v3.BootstrapConfigDump\", \"bootstrap\": {{\"node\": {{\"user_agent_build_version\": {{\"version\": {{\"major_number\": 1, \"minor_number\": {minor}}}}}}}}}}}]}}"
        )
    };
    assert_eq!(field(&of_text(&dump(40)), P::EnvoyVersion).value.as_deref(), Some("1.40"));
    missing(&of_text(&dump(29)), P::EnvoyVersion, "1.29.0 runs: releases from 1.30 to 1.40 are known");
}

#[test]
fn what_cannot_be_is_left_out() {
    let text =
        |more: &str| of_text(&format!("cluster.a.upstream_rq_completed: 9000\nserver.uptime: 900\n{more}\n"));
    let time = |quantiles: &str| text(&format!("cluster.a.upstream_rq_time: {quantiles}"));
    missing(&time("P50(nan,0) P99(nan,3)"), P::P50, "below the whole millisecond");
    let falling = time("P50(nan,30) P90(nan,20) P99(nan,40)");
    missing(&falling, P::P50, "Percentiles must not decrease");
    missing(&falling, P::P90, "Percentiles must not decrease");
    check(&falling, &[(P::P99, Read, 40.0, 3)]);
    missing(&text("server.concurrency: 300"), P::Workers, "300 is out of range");
    missing(&text("cluster.a.membership_total: 0"), P::Hosts, "0 is out of range");
    // Chance: 9,000 requests have nine beyond p99.9; 4,000 have four.
    check(&time("P99.9(nan,30)"), &[(P::P999, Read, 30.0, 3)]);
    let few = of_text("cluster.a.upstream_rq_completed: 4000\ncluster.a.upstream_rq_time: P99.9(nan,30)\n");
    missing(&few, P::P999, "4,000 values: P99.9 needs 5,000 or more");
    missing(&few, P::Rps, "4,000 requests, but over what time?");
    // The gauge is renewed every five seconds: it takes a minute; /server_info has the moment itself, 40 / 20 s.
    let young = Input::new("s", "cluster.a.upstream_rq_completed: 40\nserver.uptime: 15\n");
    missing(
        &inputs_of(std::slice::from_ref(&young), None, &[]),
        P::Rps,
        "40 requests in 15 s by server.uptime: a rate needs 60 s or more",
    );
    let info = |uptime: u32| {
        Input::new(
            "i",
            format!(
                "{{\"version\": \"a/1.40.0/Clean\", \"state\": \"LIVE\", \"uptime_all_epochs\": \"{uptime}s\"}}"
            ),
        )
    };
    check(&inputs_of(&[young.clone(), info(20)], None, &[]), &[(P::Rps, Derived, 2.0, 1)]);
    missing(
        &inputs_of(&[young.clone(), info(9)], None, &[]),
        P::Rps,
        "40 requests in 9 s by uptime of /server_info",
    );
    missing(&inputs_of(&[young, info(20), info(30)], None, &[]), P::Rps, "by server.uptime");
    missing(
        &of_text("cluster.a.upstream_rq_completed: 0\nserver.uptime: 900\n"),
        P::Rps,
        "counts no request",
    );
    // Two proxies in one text: counts that fall.
    let line = |le: &str, n: u32| {
        format!("envoy_cluster_upstream_rq_time_bucket{{envoy_cluster_name=\"a\",le=\"{le}\"}} {n}\n")
    };
    let mixed = line("5", 100) + &line("10", 900) + &line("5", 3) + &line("10", 4) + &line("+Inf", 900);
    missing(&of_text(&mixed), P::P50, "contradict each other");
    let beyond = line("5", 10) + &line("10", 20) + &line("+Inf", 900);
    missing(&of_text(&beyond), P::P50, "beyond the last bound of the buckets, 10 ms");
}

#[test]
fn which_cluster() {
    let two = "cluster.a.upstream_rq_total: 5\ncluster.b.upstream_rq_total: 7\n";
    let ask = |cluster: Option<&str>| Ask { cluster: cluster.map(str::to_owned), ..Ask::default() };
    let texts = [Input::new("s", two)];
    let Err(Refusal::Several(all)) = derive(&read(&texts), &ask(None)) else { panic!("two clusters") };
    assert_eq!(
        all.iter().map(|c| (c.name.as_str(), c.requests)).collect::<Vec<_>>(),
        [("a", Some(5)), ("b", Some(7))]
    );
    assert!(matches!(derive(&read(&texts), &ask(Some("c"))), Err(Refusal::Unknown(all)) if all.len() == 2));
    assert_eq!(derive(&read(&texts), &ask(Some("b"))).unwrap().cluster.as_deref(), Some("b"));
    assert_eq!(derive(&read(&[]), &ask(None)), Err(Refusal::Nothing));
    assert_eq!(
        derive(&read(&[Input::new("s", "server.live: 1\nserver.uptime: 5\n")]), &ask(None)),
        Err(Refusal::Nothing)
    );
}

#[test]
fn answers_by_status_in_prometheus() {
    // 2,000 of 72,000 failed, by Envoy's labels and by the names that Istio gives them, as classes and as statuses.
    for [two, five] in [
        [
            "upstream_rq_xx{envoy_response_code_class=\"2\",envoy",
            "upstream_rq_xx{envoy_response_code_class=\"5\",envoy",
        ],
        ["upstream_rq{envoy_response_code=\"200\",envoy", "upstream_rq{envoy_response_code=\"503\",envoy"],
        ["upstream_rq{response_code_class=\"2xx\",", "upstream_rq{response_code_class=\"5xx\","],
        ["upstream_rq{response_code=\"200\",", "upstream_rq{response_code=\"503\","],
    ] {
        let name = if two.ends_with(',') { "cluster_name" } else { "_cluster_name" };
        let text = format!(
            "envoy_cluster_{two}{name}=\"x\"}} 70000\nenvoy_cluster_{five}{name}=\"x\"}} 2000\nenvoy_cluster_upstream_rq_completed{{cluster_name=\"x\"}} 72000\n"
        );
        check(&of_text(&text), &[(P::ErrorRate, Derived, 2_000.0 / 72_000.0, 2)]);
    }
}

#[test]
fn failures_that_a_filter_took_out_are_not_none() {
    let of =
        |more: &str| of_text(&format!("server.uptime: 3600\ncluster.a.upstream_rq_completed: 72000\n{more}"));
    missing(&of(""), P::ErrorRate, "the text has no upstream_rq_5xx");
    // 2,000 of 72,000 are neither 2xx nor 200.
    missing(&of("cluster.a.upstream_rq_2xx: 70000\n"), P::ErrorRate, "was it filtered?");
    missing(&of("cluster.a.upstream_rq_200: 70000\n"), P::ErrorRate, "was it filtered?");
    // Without the number of all answers, those with 2xx say nothing of the others.
    missing(
        &of_text("cluster.a.upstream_rq_2xx: 70000\nserver.uptime: 3600\n"),
        P::ErrorRate,
        "no upstream_rq_5xx",
    );
    // All are there: none failed, but for what came in while the page was written.
    for all in ["2xx: 72000", "200: 72000", "2xx: 71999", "2xx: 70000\ncluster.a.upstream_rq_4xx: 2000"] {
        check(&of(&format!("cluster.a.upstream_rq_{all}\n")), &[(P::ErrorRate, Derived, 0.0, 0)]);
    }
    // 503 alone: 36 of 72,000 with the others that make 72,000.
    let some = of("cluster.a.upstream_rq_200: 71964\ncluster.a.upstream_rq_503: 36\n");
    check(&some, &[(P::ErrorRate, Derived, 0.0005, 4)]);
}

#[test]
fn several_proxies_in_one_text_are_not_read() {
    for (text, line, why) in [
        (
            "envoy_cluster_upstream_rq_completed{envoy_cluster_name=\"x\",pod=\"b\"} 100\nenvoy_server_uptime{pod=\"a\"} 3600\n",
            2,
            "the label pod has another value here than on line 1",
        ),
        (
            "envoy_cluster_upstream_rq_completed{envoy_cluster_name=\"x\",at=\"b\"} 100\nenvoy_cluster_upstream_rq_completed{envoy_cluster_name=\"x\",at=\"a\"} 101\nenvoy_server_uptime{} 3600\n",
            2,
            "upstream_rq_completed has another value here than on line 1",
        ),
        (
            "envoy_cluster_upstream_rq_time_sum{envoy_cluster_name=\"x\"} 5\nenvoy_server_uptime{} 3600\nenvoy_cluster_upstream_rq_time_sum{envoy_cluster_name=\"x\"} 6\n",
            3,
            "upstream_rq_time_sum has another value here than on line 1",
        ),
        (
            "server.uptime: 3600\ncluster.a.upstream_rq_completed: 72000\nserver.uptime: 4000\n",
            3,
            "server.uptime has",
        ),
        (
            "server.uptime: 3600\ncluster.a.upstream_rq_completed: 72000\ncluster.a.upstream_rq_completed: 5\n",
            3,
            "line 2",
        ),
        (
            "server.concurrency: 2\ncluster.a.upstream_rq_completed: 72000\nserver.concurrency: 4\n",
            3,
            "server.concurrency",
        ),
        (
            "cluster.a.upstream_rq_time: P50(1,2) P99(3,4)\nserver.live: 1\ncluster.a.upstream_rq_time: P50(1,9) P99(3,9)\n",
            3,
            "line 1",
        ),
        (
            "a::default_priority::max_requests::5\na::10.0.0.1:80::rq_total::7\na::default_priority::max_requests::5\na::10.0.0.1:80::rq_total::9\n",
            3,
            "max_requests stands on line 1 already",
        ),
    ] {
        let read = read(&[Input::new("text", text)]);
        let problem = &read.problems[0];
        assert!(problem.message.contains(why), "{}", problem.message);
        assert_eq!(problem.at.line(), line, "{}", problem.message);
        assert_eq!(derive(&read, &Ask::default()), Err(Refusal::Nothing), "{text}");
    }
    // The same value twice is the same.
    let same = of_text("server.uptime: 3600\ncluster.a.upstream_rq_completed: 72000\nserver.uptime: 3600\n");
    check(&same, &[(P::Rps, Derived, 20.0, 2)]);
}

#[test]
fn the_uptime_of_another_proxy_is_none() {
    let hosts = Input::new("clusters", "a::10.0.0.1:80::rq_total::7200\na::10.0.0.1:80::rq_success::7200\n");
    let of = |stats: &str| inputs_of(&[hosts.clone(), Input::new("stats", stats)], Some("a"), &[]);
    // /stats of a proxy that calls b only.
    let other = of("server.uptime: 3600\nserver.concurrency: 8\ncluster.b.upstream_rq_completed: 5\n");
    missing(&other, P::Rps, "/clusters counts requests without a time");
    missing(&other, P::Workers, "no text has server.concurrency");
    // With a line of a: 7,200 in an hour.
    let own = of("server.uptime: 3600\nserver.concurrency: 8\ncluster.a.membership_total: 1\n");
    check(&own, &[(P::Rps, Derived, 2.0, 1), (P::Workers, Read, 8.0, 2)]);
}

/// A log of a request every tenth of a second from a minute on, each of which took so many milliseconds.
fn log(date: &str, minute: u32, lines: u32, took: u32) -> String {
    (0..lines).fold(String::new(), |mut text, i| {
        let (m, s, ms) = (minute + i / 600, i / 10 % 60, 100 * (i % 10));
        writeln!(text, "[{date}T23:{m:02}:{s:02}.{ms:03}Z] \"GET / HTTP/1.1\" 200 - 0 5 {took} {took} \"-\" \"-\" \"-\" \"-\" \"10.0.0.1:80\"").unwrap();
        text
    })
}

#[test]
fn logs_with_a_gap_give_no_rate() {
    // 600 lines within 59.9 s, and one of 1970: 599 / 59.9 s = 10 a second without it.
    let whole = log("2026-03-02", 10, 600, 7);
    check(&of_text(&whole), &[(P::Rps, Derived, 10.0, 1)]);
    let stray = log("1970-01-01", 10, 1, 7) + &whole;
    missing(&of_text(&stray), P::Rps, "all start within 59.9 s before and after: a line with a wrong clock");
    // Two logs a day apart are no log of a day; two that follow each other are one: 1,199 / 119.9 s.
    let two = |date: &str, minute: u32| {
        inputs_of(&[Input::new("a", &*whole), Input::new("b", log(date, minute, 600, 9))], None, &[])
    };
    missing(&two("2026-03-03", 10), P::Rps, "for 86,340.1 s no request of the log starts");
    let both = two("2026-03-02", 11);
    check(&both, &[(P::Rps, Derived, 10.0, 1)]);
    // Percentiles cannot be put together.
    assert!(
        both.notes[0].message.starts_with("latency is that of 600 of 1,200 service times"),
        "{:?}",
        both.notes
    );
}

#[test]
fn what_else_is_said() {
    // A name of 121 letters is no name of a scenario.
    let stats =
        |name: &str| of_text(&format!("cluster.{name}.upstream_rq_completed: 72000\nserver.uptime: 3600\n"));
    let long = stats(&"n".repeat(121));
    assert!(long.notes[0].message.starts_with("the name of the cluster is left out: "), "{:?}", long.notes);
    assert!(stats(&"n".repeat(120)).notes.is_empty());
    // A stock sidecar of Istio.
    let xds = stats("xds-grpc");
    assert!(xds.notes[0].message.contains("proxyStatsMatcher"), "{:?}", xds.notes);
    // HTTP/2 may be gRPC, unless somebody says that it is not; HTTP/1.1 cannot be.
    let answers = |version: u32, given: &[(ParamId, &str)]| {
        let text = format!(
            "cluster.a.upstream_cx_http{version}_total: 3\ncluster.a.upstream_rq_completed: 1000\ncluster.a.upstream_rq_5xx: 10\n"
        );
        let inputs = inputs_of(&[Input::new("s", text)], None, given);
        check(&inputs, &[(P::ErrorRate, Derived, 0.01, 3)]);
        field(&inputs, P::ErrorRate).note.contains("if this is gRPC")
    };
    assert_eq!(
        [answers(2, &[]), answers(2, &[(P::Protocol, "http2")]), answers(1, &[])],
        [true, false, false]
    );
    // Buckets of /stats, in text and in JSON.
    for text in [
        "cluster.a.upstream_rq_time: B0.5(0,0) B1(5,10)\nserver.uptime: 3600\ncluster.a.upstream_rq_completed: 7\n",
        "cluster.a.upstream_rq_completed: 7\nserver.uptime: 3600\nserver.live: 1\nserver.state: 0\nserver.version: 1\ncluster.a.upstream_rq_time:\n  totals=1,0.5:3\n",
        "{\"stats\": [{\"name\": \"cluster.a.upstream_rq_completed\", \"value\": 7}, {\"histograms\": [{\"name\": \"cluster.a.upstream_rq_time\", \"buckets\": []}]}]}",
    ] {
        let read = read(&[Input::new("s", text)]);
        assert_eq!(read.problems[0].message, "histogram buckets of /stats are not read", "{text}");
        missing(&derive(&read, &Ask::default()).unwrap(), P::P50, "without histogram_buckets");
    }
}

#[test]
fn names_that_differ_in_colons_are_two() {
    let hosts = Input::new(
        "clusters",
        "a:b::10.0.0.1:80::rq_total::7\na_b::10.0.0.2:80::rq_total::9\na_b::10.0.0.3:80::rq_total::9\n",
    );
    let stats = Input::new("stats", "cluster.a_b.upstream_rq_completed: 72000\nserver.uptime: 3600\n");
    let texts = [hosts, stats.clone()];
    let Err(Refusal::Several(all)) = derive(&read(&texts), &Ask::default()) else { panic!("two clusters") };
    let all: Vec<_> = all.iter().map(|c| (c.name.as_str(), c.requests, c.hosts)).collect();
    assert_eq!(all, [("a:b", Some(7), Some(1)), ("a_b", Some(18), Some(2))]);
    for (name, hosts) in [("a:b", 1.0), ("a_b", 2.0)] {
        let one = inputs_of(&texts, Some(name), &[]);
        check(&one, &[(P::Hosts, Derived, hosts, if name == "a:b" { 1 } else { 2 })]);
        // The counters may be of either.
        assert_eq!(one.fields.iter().find(|f| f.id == P::ErrorRate).unwrap().how, How::Missing);
        assert!(one.notes[0].message.starts_with("stats are left out"), "{:?}", one.notes);
    }
    // One of them alone has the counters.
    let alone = Input::new("clusters", "a:b::10.0.0.1:80::rq_total::7\na:b::10.0.0.1:80::cx_total::7\n");
    check(&inputs_of(&[alone, stats], None, &[]), &[(P::Rps, Derived, 20.0, 1)]);
}

/// Whatever was read: nothing panics, places are places, and what is known is a scenario that can be read.
fn hold(text: &str, cluster: Option<&str>) {
    let input = [Input::new("fuzz", text), Input::new("again", text)];
    for texts in [&input[..1], &input[..]] {
        let configuration = read(texts);
        let asked =
            match derive(&configuration, &Ask { cluster: cluster.map(str::to_owned), ..Ask::default() }) {
                Err(Refusal::Several(all) | Refusal::Unknown(all)) => all.first().map(|c| c.name.clone()),
                Err(Refusal::Wrong(problems)) => panic!("nothing was given: {problems:?}"),
                Err(Refusal::Nothing) | Ok(_) => cluster.map(str::to_owned),
            };
        let Ok(inputs) =
            derive(&configuration, &Ask { cluster: asked, last_interval: true, ..Ask::default() })
        else {
            continue;
        };
        let lines = u32::try_from(text.lines().count() + 1).unwrap();
        for field in &inputs.fields {
            assert_eq!(field.value.is_some(), field.how != How::Missing, "{field:?}");
            assert!(field.how != How::Missing || !field.note.is_empty(), "{field:?}");
            assert!(
                field
                    .places
                    .iter()
                    .all(|at| (at.file as usize) < texts.len() && (1..=lines * 2).contains(&at.line())),
                "{field:?}"
            );
            assert_eq!(
                inputs.draft.get(field.id),
                field.value.as_deref().unwrap_or_default().trim(),
                "{field:?}"
            );
        }
        assert!(inputs.needed.iter().all(|p| p.value.is_empty()), "{:?}", inputs.needed);
        let json = serde_json::to_string(&inputs.scenario).unwrap();
        assert_eq!(Scenario::from_json(&json), Ok(inputs.scenario.clone()));
    }
}

const SAMPLES: [&str; 7] = [
    include_str!("../samples/a01-clusters.txt"),
    include_str!("../samples/a02-stats.txt"),
    include_str!("../samples/a03-prometheus.txt"),
    include_str!("../samples/a04-config-dump.json"),
    include_str!("../samples/a05-access.log"),
    include_str!("../samples/a06-access-json.log"),
    include_str!("../samples/a07-stats.json"),
];

proptest! {
    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
        hold(&Input::from_bytes("fuzz", &bytes).text, None);
    }

    /// Samples with parts cut out, doubled and replaced: by digits above all, since numbers are what is computed with.
    #[test]
    fn changed_samples(
        which in 0usize..7,
        cuts in proptest::collection::vec((any::<prop::sample::Index>(), 0usize..40, "[0-9]{0,20}|[-.eE:,(){}\"nainf]{0,6}"), 1..12),
    ) {
        let mut text: Vec<char> = SAMPLES[which].chars().collect();
        for (at, length, by) in cuts {
            let from = at.index(text.len());
            let to = (from + length).min(text.len());
            text.splice(from..to, by.chars());
            if text.is_empty() { break }
        }
        hold(&text.into_iter().collect::<String>(), None);
    }
}
