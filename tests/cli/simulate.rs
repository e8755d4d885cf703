//! `headroom simulate`: what is read, what is printed, and what is refused.

use super::{MINIMAL, TempFile, assert_all_in, json, refused, run, run_with_input, stdout};
use serde_json::Value;
use std::process::Output;

const MESH: [&str; 2] = ["--preset", "sidecar-mesh"];
const SMALL: [&str; 6] = ["--preset", "sidecar-mesh", "--clients", "5", "--duration", "12"];

fn simulate(args: &[&str]) -> Output {
    run(&[&["simulate"], args].concat())
}

fn small(args: &[&str]) -> Output {
    simulate(&[&SMALL[..], args].concat())
}

#[test]
fn json_has_the_keys_of_the_contract() {
    let answer = json(&small(&["--output", "json", "--fault", "host_5xx"]));
    let latency = &answer["latency_ms"];
    for key in ["p50", "p90", "p99", "p999", "mean"] {
        assert!(latency[key].as_f64().is_some_and(|ms| ms > 0.0), "{key}: {latency}");
    }
    for key in ["goodput", "refused", "amplification"] {
        assert!(answer[key].is_f64(), "{key}");
    }
    assert_eq!(answer["seed"], 42);
    assert!(answer["events"].as_u64().is_some_and(|n| n > 0));
    assert!(answer["counters"]["upstream_rq_total"].as_u64().is_some_and(|n| n > 0));
    assert!(answer["series"].as_array().is_some_and(|s| s.len() >= 12));
    assert_eq!(answer["policy"]["name"], "recommended");
    assert_eq!(answer["faults"][0]["kind"], "host_5xx");
    // A third of the run.
    assert_eq!((&answer["faults"][0]["from_s"], &answer["faults"][0]["to_s"]), (&4.0.into(), &8.0.into()));
    assert!(answer.get("runs").is_none() && answer.get("measures").is_none());
}

#[test]
fn the_same_seed_is_the_same_run_and_another_is_another() {
    let of = |seed: &str| stdout(&small(&["--output", "json", "--seed", seed]));
    assert_eq!(of("7"), of("7"));
    assert_ne!(of("7"), of("8"));
}

#[test]
fn further_runs_leave_the_first_one_as_it_is() {
    let one = json(&small(&["--output", "json"]));
    let two = json(&small(&["--output", "json", "--runs", "2", "--compare"]));
    for key in ["counters", "latency_ms", "series", "goodput", "seed", "events"] {
        assert_eq!(one[key], two[key], "{key}");
    }
    let runs = two["runs"].as_array().unwrap();
    let named: Vec<(&str, u64)> =
        runs.iter().map(|r| (r["policy"].as_str().unwrap(), r["seed"].as_u64().unwrap())).collect();
    assert_eq!(
        named,
        [("recommended", 42), ("recommended", 43), ("envoy-defaults", 42), ("envoy-defaults", 43)]
    );
    // Both policies meet the same arrivals.
    assert_eq!(runs[0]["requests"], runs[2]["requests"]);
    let served = two["measures"].as_array().unwrap().iter().find(|m| m["measure"] == "served").unwrap();
    assert_eq!(served["recommended"]["n"], 2);
    assert!(served["difference"]["half_width"].is_f64());
}

#[test]
fn csv_has_a_line_a_bucket_that_adds_up() {
    let text = stdout(&small(&["--output", "csv"]));
    let mut lines = text.lines();
    let head: Vec<&str> = lines.next().unwrap().split(',').collect();
    let column = |name: &str| head.iter().position(|h| *h == name).unwrap();
    let answer = json(&small(&["--output", "json"]));
    let mut served = 0;
    for (line, at) in lines.clone().zip(0_u32..) {
        let cells: Vec<&str> = line.split(',').collect();
        assert_eq!(cells.len(), head.len(), "{line}");
        assert_eq!((cells[0], cells[1]), ("recommended", "42"));
        assert_eq!(cells[column("t_s")], at.to_string());
        served += cells[column("served")].parse::<u64>().unwrap();
    }
    assert!(lines.count() >= 12);
    assert_eq!(Value::from(served), answer["outcomes"]["served"]);
}

#[test]
fn text_has_verdict_table_and_assumptions() {
    let text = stdout(&small(&["--fault", "breaker_overflow", "--compare"]));
    assert_all_in(
        &text,
        &[
            "Every host turns slow.",
            "Fault: Breaker overflow, from 4 s to 8 s",
            "One run of 12 s, seed 42",
            "Envoy's default",
            "Served in time, during the fault",
            "\nAssumptions\n- Every proxy sends requests at random (Poisson) at 180 req/s",
            "500 × burst 1.5 × skew 1.2 / 5 proxies",
        ],
    );
    assert!(!text.contains('\u{a0}') && !text.contains('\u{1b}'));
}

#[test]
fn a_configuration_is_played_and_compared_with_the_recommendation() {
    let yaml = "clusters:\n- name: checkout\n  http2_protocol_options: {}\n  health_checks: [{timeout: 1s, interval: 1s}]\n  circuit_breakers: {thresholds: [{max_requests: 0}]}\n";
    let file = TempFile::new("simulate.yaml", yaml.as_bytes());
    let answer = json(&small(&["--config", file.path(), "--compare", "--output", "json"]));
    assert_eq!(
        (&answer["policy"]["name"], &answer["compared_with"]["name"]),
        (&"pasted".into(), &"recommended".into())
    );
    // max_requests 0 refuses everything.
    assert_eq!((answer["refused"].as_f64(), answer["goodput"].as_f64()), (Some(1.0), Some(0.0)));
    let text = stdout(&small(&["--config", file.path()]));
    assert_all_in(&text, &["Notes on the pasted policy", "- active health checks are not played."]);
    let from_stdin =
        run_with_input(&[&["simulate", "--config", "-", "--output", "json"], &SMALL[..]].concat(), yaml);
    assert_eq!(json(&from_stdin)["counters"], answer["counters"]);
}

#[test]
fn settings_change_what_is_played() {
    let answer = json(&small(&["--set", "max_requests=0", "--set", "timeout=off", "--output", "json"]));
    assert_eq!(answer["policy"]["name"], "custom");
    assert_eq!(answer["policy"]["settings"]["limits"][0]["max_requests"], 0);
    assert_eq!(answer["policy"]["settings"]["route"]["timeout"], Value::Null);
    assert_eq!(answer["refused"].as_f64(), Some(1.0));
}

#[test]
fn faults_of_file_and_flags_are_played_together() {
    let file =
        TempFile::new("faults.json", br#"[{"kind": "latency", "from_s": 1, "to_s": 2, "hosts": [3]}]"#);
    let answer =
        json(&small(&["--faults", file.path(), "--fault", "load_surge:from=3,to=4", "--output", "json"]));
    let kinds: Vec<&str> =
        answer["faults"].as_array().unwrap().iter().filter_map(|f| f["kind"].as_str()).collect();
    assert_eq!(kinds, ["latency", "load_surge"]);
    assert_eq!(answer["faults"][0]["hosts"], serde_json::json!([3]));
}

#[test]
fn every_problem_is_told_at_once() {
    let text = refused(&simulate(&[
        "--preset",
        "sidecar-mesh",
        "--polcy",
        "recommended",
        "--hosts",
        "0",
        "--duration",
        "1e9",
        "--runs",
        "0",
        "--seed",
        "x",
        "--output",
        "xml",
        "--arrivals",
        "random",
        "--fault",
        "latncy:from=9,to=3",
        "--config",
        "/nonexistent",
        "--set",
        "foo",
        "--set",
        "max_reqests=4",
        "--max-requests",
        "1",
        "--warm-up",
        "soon",
    ]));
    assert_all_in(
        &text,
        &[
            "headroom: 14 problems in the input",
            "--polcy: This is not a flag of headroom simulate. Did you mean --policy?",
            "--hosts: 0 is out of range.",
            "--duration: 1e9 is out of range. Allowed: seconds, 0.001 to 86,400.",
            "--warm-up: “soon” is not understood. Enter seconds, 0 to 86,400.",
            "--runs: 0 is out of range. Allowed: whole numbers 1 to 1,000.",
            "--max-requests: 1 is out of range. Allowed: whole numbers 1,000 to 1,000,000,000.",
            "--seed: “x” is no seed.",
            "--arrivals: “random” is not known. Choose one of poisson, paced, closed.",
            "--output: “xml” is not known. Choose one of text, json, csv.",
            "--fault latncy:from=9,to=3: “latncy” is no kind of fault. Did you mean latency?",
            "--fault latncy:from=9,to=3: to_s 3 s is not after from_s 9 s.",
            "--config: /nonexistent cannot be read: ",
            "--set: “foo” is no setting and value. Write key=value, for example max_requests=64.",
            "--set max_reqests: “max_reqests” is no setting that can be changed. Did you mean max_requests?",
            "See headroom simulate --help.",
        ],
    );
}

#[test]
fn a_run_that_is_too_large_is_refused_with_what_fits() {
    let text = refused(&simulate(&["--rps", "1e6", "--p50", "35", "--duration", "600"]));
    assert_all_in(
        &text,
        &[
            "--duration: One proxy alone sends 1,080,000,000 requests in 600 s",
            "Lower duration to 27 s, or raise --max-requests.",
        ],
    );
    let text = refused(&simulate(&["--rps", "1e5", "--p50", "35", "--clients", "10", "--runs", "1000"]));
    assert_all_in(&text, &["--runs: All runs together are ", "Lower --runs to "]);
}

#[test]
fn callers_of_a_closed_loop_wait_for_their_answers() {
    let of = |args: &[&str]| json(&small(&[&["--output", "json"], args].concat()));
    let requests = |answer: &Value| answer["counters"]["upstream_rq_total"].as_f64().unwrap();
    // Five proxies with four callers each, a second of thought and 36 ms of service or so, twelve seconds:
    // every caller asks about 12 / 1.036 times.
    let asked = of(&["--callers", "4", "--think-ms", "1000"]);
    assert!((180.0..290.0).contains(&requests(&asked)), "{}", requests(&asked));
    let twice = requests(&of(&["--callers", "8", "--think-ms", "1s"])) / requests(&asked);
    assert!((1.7..2.3).contains(&twice), "{twice}");
    // The page's numbers are the defaults, and either flag means a closed loop.
    let default = of(&["--arrivals", "closed"]);
    assert_eq!(default["counters"], of(&["--callers", "10"])["counters"]);
    assert_eq!(default["counters"], of(&["--think-ms", "1000"])["counters"]);
    assert_ne!(default["counters"], of(&[])["counters"]);
    let assumed = default["assumptions"].as_array().unwrap().iter().filter_map(Value::as_str);
    let assumed = assumed.collect::<Vec<_>>().join(" ");
    assert!(assumed.contains("Every proxy has 10 callers (closed loop)"), "{assumed}");
    assert!(!assumed.contains("busiest proxy's rate"), "{assumed}");
}

#[test]
fn callers_are_checked() {
    let text = refused(&small(&["--callers", "0", "--think-ms", "long", "--arrivals", "paced"]));
    assert_all_in(
        &text,
        &[
            "headroom: 3 problems in the input",
            "--callers: 0 is out of range. Allowed: whole numbers 1 to 10,000.",
            "--think-ms: “long” is not understood. Enter milliseconds, 0 to 3,600,000.",
            "--callers: Only a closed loop has callers. Leave it out, or give --arrivals closed.",
        ],
    );
    let text = refused(&simulate(
        &[&MESH[..], &["--callers", "10000", "--think-ms", "0", "--duration", "3600"]].concat(),
    ));
    assert_all_in(
        &text,
        &[
            "--callers: So many callers ask about ",
            "Lower callers, raise their think time, or raise --max-requests.",
        ],
    );
}

#[test]
fn inputs_that_exclude_each_other_are_told() {
    let file = TempFile::new("exclude.yaml", b"name: checkout\n");
    let with = |args: &[&str]| refused(&simulate(&[&MESH[..], args].concat()));
    let text = with(&["--config", file.path(), "--policy", "envoy-defaults"]);
    assert_all_in(&text, &["--policy: A policy and a --config are two policies."]);
    assert_all_in(&with(&["--config", "-", "--faults", "-"]), &["standard input: It can be read once only."]);
    assert_all_in(&with(&["--warm-up", "60"]), &["--warm-up: The warm-up is not shorter than the run"]);
    let text = with(&["--faults", file.path()]);
    assert_all_in(&text, &["exclude.yaml: The faults are not valid JSON"]);
    let file =
        TempFile::new("many.json", br#"[{"kind": "latency", "hosts": 99}, {"kind": "latency", "share": 2}]"#);
    let text = with(&["--faults", file.path()]);
    assert_all_in(&text, &["item 1.hosts in ", "item 2.share in ", "many.json: 2 is out of range."]);
}

#[test]
fn a_scenario_is_needed() {
    let text = refused(&simulate(&["--fault", "latency"]));
    assert_all_in(&text, &["--rps: Peak rate is missing."]);
    assert!(simulate(&[&MINIMAL[..], &["--duration", "2"]].concat()).status.success());
}

#[test]
fn help_has_examples_kinds_and_settings() {
    let text = stdout(&simulate(&["--help"]));
    assert_all_in(
        &text,
        &["Examples:", "retry_budget_exhaustion", "max_ejection_percent", "--warm-up", "--host-concurrency"],
    );
}
