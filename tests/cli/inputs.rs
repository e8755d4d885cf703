//! `headroom inputs`: table, JSON that `size` takes, choice of the cluster, everything that is wrong at once.

use super::{TempFile, assert_all_in, json, refused, run, run_with_input, stdout};
use serde_json::json;
use std::process::Output;

fn sample(name: &str) -> String {
    format!("{}/tests/samples/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn inputs(args: &[&str]) -> Output {
    run(&[&["inputs"], args].concat())
}

#[test]
fn the_table_says_where_every_value_is_from() {
    let path = sample("a02-stats.txt");
    let text = stdout(&inputs(&[&path, "--clients", "100"]));
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_all_in(
        &flat,
        &[
            &format!("pier, from {path}"),
            "field value where from",
            // 340 a second by each of 100.
            "rps 34,000 req/s derived: upstream_rq_completed / server.uptime × clients = 1,224,000 / 3,600 s × 100",
            &format!("({path}:42, :61)"),
            "latency_ms.p99 1,240 ms read: upstream_rq_time P99 since the start",
            "clients 100 Envoys given: --clients",
            "not known size takes why",
            "hosts_lost a formula a choice, not a measurement",
            "Nothing else is needed: add --output json | headroom size --scenario -",
        ],
    );
    // Paths have a length of their own; everything else stays within a hundred letters.
    let is_long = |line: &&str| line.chars().count() > 100 && !line.contains(&path);
    assert_eq!(text.lines().find(is_long), None);
}

#[test]
fn the_json_is_a_scenario_that_size_takes() {
    let answer = inputs(&[&sample("a02-stats.txt"), "--output", "json"]);
    let value = json(&answer);
    assert_eq!(value["latency_ms"]["p99"], json!(1240.0));
    assert_eq!((&value["rps"], &value["hosts"], &value["workers"]), (&json!(340.0), &json!(3), &json!(4)));
    let rps = &value["provenance"]["rps"];
    assert_eq!(
        (&rps["how"], &rps["line"], &rps["also"][0]["line"]),
        (&json!("derived"), &json!(42), &json!(61))
    );
    assert_eq!(rps["substituted"], json!("1,224,000 / 3,600 s"));
    let clients = &value["provenance"]["clients"];
    assert_eq!(
        (&clients["how"], &clients["needed"], &clients["default"]),
        (&json!("missing"), &json!(false), &json!(1.0))
    );
    assert_eq!(value["provenance"]["latency_ms.p50"]["how"], json!("read"));
    // What is not known is not there.
    assert!(
        value.get("clients").is_none()
            && value.get("deadline_ms").is_none()
            && value["latency_ms"].get("mean").is_none()
    );
    // The keys stand in the order of the form, so that a person can read them.
    let text = stdout(&answer);
    assert!(
        text.starts_with("{\n  \"name\": \"pier\",\n  \"protocol\": \"http1\",\n  \"rps\": 340.0,\n"),
        "{text}"
    );
    let sized = json(&run_with_input(&["size", "--scenario", "-", "--output", "json"], &text));
    assert_eq!((&sized["scenario"]["rps"], &sized["scenario"]["connect_ms"]), (&json!(340.0), &json!(1.06)));
    // Other keys are still unknown.
    let more = text.replacen("\"provenance\"", "\"provenances\"", 1);
    assert!(
        refused(&run_with_input(&["size", "--scenario", "-"], &more))
            .contains("provenances is not a scenario field.")
    );
}

#[test]
fn what_is_missing_is_named() {
    let answer = inputs(&[&sample("a01-clusters.txt"), "--cluster", "wharf", "--output", "json"]);
    let value = json(&answer);
    assert_eq!(value["provenance"]["rps"]["needed"], json!(true));
    let refusal = refused(&run_with_input(&["size", "--scenario", "-"], &stdout(&answer)));
    assert_all_in(&refusal, &["--rps: Peak rate is missing.", "--p50: Latency is missing."]);
    let text = stdout(&inputs(&[&sample("a01-clusters.txt"), "--cluster", "wharf"]));
    assert_all_in(
        &text,
        &["headroom size still needs\n- --rps: Peak rate is missing.", "- --p50: Latency is missing."],
    );
    // With what is missing from another file and a flag, through standard input.
    let stats = std::fs::read_to_string(sample("a02-stats.txt")).expect("a sample");
    let path = sample("a01-clusters.txt");
    let both = run_with_input(&["inputs", "-", &path, "--cluster", "pier", "--output", "json"], &stats);
    assert_eq!(json(&both)["provenance"]["hosts"]["file"], json!("standard input"));
}

#[test]
fn several_clusters_are_listed() {
    let text = refused(&inputs(&[&sample("a01-clusters.txt")]));
    assert!(text.contains(
        "--cluster: The texts are about 3 clusters. Name one of them: ledger-stream (5,759,308 requests, 2 hosts); \
         wharf (1,205,444 requests, 3 hosts); local_app (40,891 requests, 1 host)."
    ), "{text}");
    let text = refused(&inputs(&[&sample("a02-stats.txt"), "--cluster", "peir"]));
    assert!(text.contains("“peir” is none of the clusters of the texts. Did you mean pier? Name one of pier (1,224,000 requests, 3 hosts)."), "{text}");
}

#[test]
fn a_cluster_beyond_what_is_read_is_explained() {
    let stats =
        (0..5_001).map(|i| format!("cluster.c{i}.upstream_rq_total: 5\n")).collect::<Vec<_>>().concat();
    let text = refused(&run_with_input(&["inputs", "-", "--cluster", "c5000"], &stats));
    assert_all_in(
        &text,
        &[
            "headroom: 2 problems in the input",
            "“c5000” is none of the clusters of the texts.",
            "and 4,980 more.",
            "standard input:5001: From here on there are more clusters, hosts or counters than are read. To do: paste those",
        ],
    );
}

#[test]
fn everything_that_is_wrong_is_said_at_once() {
    let binary = TempFile::new("inputs-binary.bin", b"\x89PNG\r\n\x1a\n\0\0\0");
    let hello = TempFile::new("inputs-hello.txt", b"hello world\n");
    let empty = TempFile::new("inputs-empty.txt", b"");
    let huge = TempFile::new("inputs-huge.txt", &vec![b'a'; (10 << 20) + 1]);
    let template = TempFile::new("inputs-template.yaml", b"a: 1\nname: {{ .Values.x }}\n");
    let files = [&binary, &hello, &empty, &huge, &template].map(TempFile::path);
    let args: Vec<&str> =
        files.iter().copied().chain(["nowhere.txt", "--rps", "x", "--bogus", "--output", "xml"]).collect();
    let text = refused(&inputs(&args));
    assert_all_in(
        &text,
        &[
            "headroom: 9 problems in the input",
            "--bogus: This is not a flag of headroom inputs.",
            "--output: “xml” is not known. Choose one of text, json.",
            "--rps: “x”",
            "nowhere.txt: It cannot be read: ",
            &format!("{}: It is a binary, no text.", files[0]),
            &format!(
                "{}: Nothing of Envoy was recognized in it. Allowed: /stats (text, JSON or Prometheus), /clusters (text), ",
                files[1]
            ),
            &format!("{}: Nothing of Envoy was recognized in it.", files[2]),
            &format!("{}: It has 10,485,761 bytes. Allowed: up to 10,485,760 bytes.", files[3]),
            &format!("{}:2: A template that is not rendered", files[4]),
        ],
    );
    assert!(refused(&run(&["inputs", "--rps", "5"])).contains("FILE: No text is named."));
    assert_all_in(&refused(&inputs(&[&sample("a02-stats.txt"), "--hosts-lost", "3"])), &["--hosts-lost: "]);
    // Two problems of two kinds: a flag out of its range, and a cluster that is not there.
    let text = refused(&inputs(&[&sample("a02-stats.txt"), "--clients", "0"]));
    assert!(text.contains("--clients: 0 is out of range."), "{text}");
}

#[test]
fn what_was_cut_off_is_read_as_far_as_it_goes() {
    let whole = std::fs::read(sample("a07-stats.json")).expect("a sample");
    let cut = TempFile::new("inputs-cut.json", &whole[..250]);
    let text = stdout(&inputs(&[cut.path()]));
    assert_all_in(
        &text,
        &[
            "Notes\n- ",
            ":1: the JSON breaks off here; what stands before it is read",
            "--p50: Latency is missing.",
        ],
    );
    // The JSON is for a program: the note goes beside it.
    let output = inputs(&[cut.path(), "--output", "json"]);
    assert_eq!(output.status.code(), Some(0));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        stderr.starts_with("headroom: note: ") && stderr.contains(":1: the JSON breaks off here"),
        "{stderr}"
    );
    assert!(serde_json::from_slice::<serde_json::Value>(&output.stdout).is_ok());
}

#[test]
fn names_from_texts_cannot_move_the_cursor() {
    let stats = "cluster.a\u{1b}[2J\u{7}.upstream_rq_completed: 72000\nserver.uptime: 3600\nserver.live: 1\n";
    let text = stdout(&run_with_input(&["inputs", "-"], stats));
    assert!(!text.contains('\u{1b}') && !text.contains('\u{7}'), "{text:?}");
    // Such a name is no name of a scenario: it is left out, and the rest is fine.
    let output = run_with_input(&["inputs", "-", "--output", "json"], stats);
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a scenario");
    assert_eq!((value.get("name"), &value["rps"]), (None, &json!(20.0)));
    // What goes on in another name says so, beside the JSON too.
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("note: standard input:1: the name of the cluster is left out: "), "{stderr}");
    assert!(!stderr.contains('\u{1b}'), "{stderr:?}");
    let two = stats.to_owned() + "cluster.b\u{1b}[2J.upstream_rq_completed: 1\n";
    assert!(!refused(&run_with_input(&["inputs", "-"], &two)).contains('\u{1b}'));
}

#[test]
fn texts_in_a_form_that_is_not_read_are_named() {
    let text = refused(&run_with_input(
        &["inputs", "-"],
        "{\"cluster_statuses\": [{\"name\": \"x\", \"host_statuses\": []}]}",
    ));
    assert!(
        text.contains("This is /clusters as JSON: give the text, /clusters without format=json."),
        "{text}"
    );
    assert!(!text.contains("Nothing of Envoy"), "{text}");
    let buckets = "cluster.x.upstream_rq_completed: 72000\nserver.uptime: 3600\ncluster.x.upstream_rq_time: B0.5(0,0) B1(5,10)\n";
    let text = stdout(&run_with_input(&["inputs", "-"], buckets));
    assert!(
        text.contains(":3: histogram buckets of /stats are not read; give /stats without histogram_buckets"),
        "{text}"
    );
    let two = "server.uptime: 3600\ncluster.x.upstream_rq_completed: 72000\nserver.uptime: 100\ncluster.x.upstream_rq_completed: 5\n";
    let text = refused(&run_with_input(&["inputs", "-"], two));
    assert!(
        text.contains("standard input:3: This text is of several proxies or moments, and nothing of it is read: server.uptime has another value here than on line 1."),
        "{text}"
    );
}

#[test]
fn help_has_examples() {
    let text = stdout(&inputs(&["--help"]));
    assert_all_in(
        &text,
        &[
            "--cluster <NAME>",
            "--last-interval",
            "Examples:",
            "headroom inputs stats.txt --output json | headroom size --scenario -",
        ],
    );
    assert!(stdout(&run(&["--help"])).contains("inputs"));
}
