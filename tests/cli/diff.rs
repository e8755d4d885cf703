//! `headroom diff`: what differs, what that does, and the exit code.

use super::{TempFile, assert_all_in, refused, run, run_with_input, size, stdout};
use serde_json::Value;
use std::process::Output;

const QUIET: &str = "--no-simulation";

fn diff(args: &[&str]) -> Output {
    run(&[&["diff"], args].concat())
}

/// The text of sides that differ.
#[track_caller]
fn differing(output: &Output) -> String {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), stderr.as_ref()), (Some(1), ""));
    String::from_utf8(output.stdout.clone()).expect("output is text")
}

fn scenario(name: &str, rps: u32) -> TempFile {
    let text = format!(
        r#"{{"name": "checkout", "rps": {rps}, "latency_ms": {{"p50": 35, "p99": 110}}, "clients": 10, "hosts": 5, "host_concurrency": 64}}"#
    );
    TempFile::new(name, text.as_bytes())
}

#[test]
fn the_same_is_zero_and_another_rate_is_one() {
    let (a, b, c) = (scenario("same-a.json", 50), scenario("same-b.json", 50), scenario("same-c.json", 5000));
    let text = stdout(&diff(&[a.path(), b.path(), QUIET]));
    assert_all_in(&text, &["No difference: the same inputs and the same settings."]);
    let text = differing(&diff(&[a.path(), c.path(), QUIET]));
    // 50 and 5,000 req/s over 10 proxies: 7.5 erlangs more is more than any limit of the first.
    assert_all_in(
        &text,
        &["Peak rate", "50 req/s", "5,000 req/s", "max_requests", "refused at the healthy peak"],
    );
    assert!(!text.contains("One host answers 5xx"), "left out: {text}");
}

#[test]
fn faults_are_played_for_both_and_twice_the_same() {
    let (a, b) = (scenario("faults-a.json", 50), scenario("faults-b.json", 60));
    let text = differing(&diff(&[a.path(), b.path()]));
    assert_all_in(&text, &["Recovery: ten faults, simulated", "with seed 42", "Load surge"]);
    assert_eq!(text, differing(&diff(&[a.path(), b.path()])));
}

#[test]
fn links_are_read_as_a_whole_and_as_a_fragment() {
    let (a, b) = ("https://headroom.example/x/#v=1&rps=500&p50=35", "#v=1&rps=500&p50=35");
    assert_all_in(&stdout(&diff(&[a, b, QUIET])), &["No difference"]);
    let text = differing(&diff(&[a, "v=1&rps=500&p50=36", QUIET]));
    assert_all_in(&text, &["Latency p50", "35 ms", "36 ms", "-# #v=1&rps=500&p50=35"]);
}

#[test]
fn our_own_yaml_is_what_is_recommended() {
    for preset in ["sidecar-mesh", "edge-gateway"] {
        let yaml = stdout(&size(&["--preset", preset]));
        let file = TempFile::new(&format!("own-{preset}.yaml"), yaml.as_bytes());
        let text = stdout(&diff(&[file.path(), "recommended", "--preset", preset, QUIET]));
        assert_all_in(&text, &["No difference"]);
    }
}

#[test]
fn configurations_are_compared_by_what_is_in_force() {
    let a = TempFile::new(
        "force-a.yaml",
        b"clusters: [{name: a, circuit_breakers: {thresholds: [{max_requests: 1024}]}}]",
    );
    let b = TempFile::new("force-b.yaml", b"clusters: [{name: a, connect_timeout: 5s}]");
    let c = TempFile::new(
        "force-c.yaml",
        b"clusters: [{name: a, circuit_breakers: {thresholds: [{max_requests: 64}]}}]",
    );
    let text = stdout(&diff(&[a.path(), b.path()]));
    assert_all_in(&text, &["No difference", "no traffic is given"]);
    let text =
        differing(&diff(&[b.path(), c.path(), "--rps", "500", "--p50", "35", "--clients", "100", QUIET]));
    assert_all_in(&text, &["max_requests", "1024", "64", "102,400", "6,400"]);
    // A scenario on the other side is the traffic.
    let s = scenario("force.json", 50);
    let text = differing(&diff(&[s.path(), c.path(), QUIET]));
    assert_all_in(&text, &["in flight that all proxies together allow", "640", "×2.5"]);
}

#[test]
fn json_and_markdown_say_the_same() {
    let (a, b) = (scenario("forms-a.json", 50), scenario("forms-b.json", 5000));
    let json = differing(&diff(&[a.path(), b.path(), QUIET, "--output", "json"]));
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["same"], false);
    assert_eq!(json["inputs"][0]["name"], "Peak rate");
    assert_eq!(
        (json["inputs"][0]["a"].as_str(), json["inputs"][0]["b"].as_str()),
        (Some("50 req/s"), Some("5,000 req/s"))
    );
    assert_eq!(json["effects"].as_array().map(Vec::len), Some(7));
    assert_eq!(json["faults"], Value::Array(Vec::new()));
    assert!(json["lines"].as_array().is_some_and(|lines| {
        lines.iter().any(|l| l.as_str().is_some_and(|l| l.starts_with("-# for Envoy")))
    }));
    let text = differing(&diff(&[a.path(), b.path(), QUIET, "--output", "markdown"]));
    assert_all_in(
        &text,
        &["## Refusals and exposure\n", "| `Peak rate` | input | 50 req/s | 5,000 req/s |\n", "```diff\n"],
    );
}

#[test]
fn everything_that_is_wrong_is_told() {
    let bad = TempFile::new("bad.json", br#"{"rps": "many", "clients": 0}"#);
    let text =
        refused(&diff(&[bad.path(), "https://headroom.example/", "--hosts", "none", "--output", "pdf"]));
    assert_all_in(&text, &["rps in ", "clients in ", "--hosts", "--output", "The link has no scenario"]);
    assert_all_in(&refused(&diff(&["one.yaml"])), &["Two sides are compared, one is named."]);
    assert_all_in(
        &refused(&diff(&["missing.yaml", "gone.yaml"])),
        &["missing.yaml cannot be read", "gone.yaml cannot be read"],
    );
    let empty = TempFile::new("empty.yaml", b"a: 1\n");
    assert_all_in(&refused(&diff(&[empty.path(), "envoy-defaults"])), &["empty.yaml"]);
    assert_all_in(
        &refused(&diff(&["recommended", "envoy-defaults"])),
        &["Nothing can be recommended without traffic."],
    );
    assert_all_in(&refused(&diff(&["-", "-"])), &["It can be read once only."]);
    assert_all_in(
        &refused(&diff(&["#v=1&rps=1&p50=1&nope=1", "#v=9"])),
        &["not an input of Headroom", "another version"],
    );
}

#[test]
fn a_name_that_no_cluster_has_is_a_problem_that_names_those_there_are() {
    let a = TempFile::new(
        "name-a.yaml",
        b"clusters: [{name: checkout, connect_timeout: 1s}, {name: payments, connect_timeout: 3s}]",
    );
    let b = TempFile::new(
        "name-b.yaml",
        b"clusters: [{name: checkout, connect_timeout: 1s}, {name: payments, connect_timeout: 5s}]",
    );
    let said = refused(&diff(&[a.path(), b.path(), "--name", "chekout"]));
    assert_all_in(&said, &["2 problems", "--name", "no cluster “chekout”", "It has checkout, payments."]);
    assert_all_in(&differing(&diff(&[a.path(), b.path(), "--name", "payments"])), &["connect_timeout"]);
    stdout(&diff(&[a.path(), b.path(), "--name", "checkout"]));
    let many: Vec<String> = (0..30).map(|n| format!("- {{name: c{n}, connect_timeout: 1s}}")).collect();
    let many = TempFile::new("name-many.yaml", format!("clusters:\n{}\n", many.join("\n")).as_bytes());
    let said = refused(&diff(&[many.path(), a.path(), "--name", "payments"]));
    assert_all_in(&said, &["one problem", "c0, c1", "c11 and 18 more"]);
}

#[test]
fn flags_that_would_change_nothing_are_a_problem() {
    let (a, b) = (scenario("flags-a.json", 50), scenario("flags-b.json", 60));
    let said = refused(&diff(&[
        a.path(),
        b.path(),
        "--rps",
        "900",
        "--hosts-lost",
        "1",
        "--preset",
        "sidecar-mesh",
    ]));
    assert_all_in(
        &said,
        &["--preset, --rps, --hosts-lost: Both sides are scenarios with inputs of their own"],
    );
    assert_all_in(&refused(&diff(&[a.path(), "#v=1&rps=1&p50=1", "--name", "x"])), &["--name: Both sides"]);
    assert_all_in(&refused(&diff(&[a.path(), "envoy-defaults", "--name", "x"])), &["--name: The name picks"]);
    // Traffic beside a policy is what the flags are for.
    differing(&diff(&[a.path(), "envoy-defaults", QUIET]));
    differing(&diff(&["recommended", "envoy-defaults", "--rps", "50", "--p50", "35", "--name", "x", QUIET]));
}

#[test]
fn json_that_breaks_is_told_with_its_place() {
    let good = scenario("broken-good.json", 50);
    let broken = [
        ("{\n \"rps\": 50\n \"clients\": 10}", "Line 3, column 2: not valid JSON from here on"),
        ("{\"name\": \"checkout\", \"hosts\": 5,", "Line 1, column 33: not valid JSON from here on"),
        ("\u{feff}{\"static_resources\": {\"clusters\": [{\"name\": \"checkout\"}", "Line 1, column"),
    ];
    for (at, (text, said)) in broken.into_iter().enumerate() {
        let file = TempFile::new(&format!("broken-{at}.json"), text.as_bytes());
        for args in [[file.path(), good.path()], [good.path(), file.path()]] {
            let told = refused(&diff(&args));
            assert_all_in(&told, &[said, "one problem", file.path()]);
            assert!(!told.contains("Nothing in it was recognized"), "{told}");
        }
    }
    // A scenario with a mark of its encoding is a scenario; flow style is YAML.
    let text = std::fs::read_to_string(good.path()).expect("written above");
    let marked = TempFile::new("broken-marked.json", format!("\u{feff}{text}").as_bytes());
    stdout(&diff(&[marked.path(), good.path(), QUIET]));
    let flow = TempFile::new("broken-flow.yaml", b"{clusters: [{name: checkout, connect_timeout: 1s}]}");
    stdout(&diff(&[flow.path(), flow.path(), QUIET]));
}

#[test]
fn standard_input_is_a_side() {
    let s = scenario("stdin.json", 50);
    let text = std::fs::read_to_string(s.path()).expect("written above");
    assert_all_in(&stdout(&run_with_input(&["diff", "-", s.path(), QUIET], &text)), &["No difference"]);
}

#[test]
fn hostile_names_are_texts_in_every_form() {
    let name = "a|b`c<img src=x>[x](javascript:1) @all \u{202e}\u{1b}[31m";
    let one = serde_json::json!({"name": name, "rps": 5, "latency_ms": {"p50": 35}}).to_string();
    let two = serde_json::json!({"name": "plain", "rps": 5, "latency_ms": {"p50": 35}}).to_string();
    let (a, b) =
        (TempFile::new("hostile-a.json", one.as_bytes()), TempFile::new("hostile-b.json", two.as_bytes()));
    let text = run(&["diff", a.path(), b.path(), QUIET, "--output", "markdown"]);
    let told = String::from_utf8(if text.status.code() == Some(2) { text.stderr } else { text.stdout })
        .expect("text");
    let outside: String = told.split("```").step_by(2).collect();
    for sign in ["<img", "[x](javascript", "\u{1b}", " @all"] {
        assert!(!outside.contains(sign), "{sign:?} in\n{outside}");
    }
    for line in outside.lines().filter(|line| line.starts_with('|')) {
        assert_eq!(line.replace("\\|", "").matches('|').count(), 5, "{line}");
    }
}

#[test]
fn the_answer_of_size_stands_for_its_scenario() {
    let a = scenario("answer-a.json", 50);
    let answer = stdout(&size(&["--scenario", a.path(), "--output", "json"]));
    let answer = TempFile::new("answer-b.json", answer.as_bytes());
    assert_all_in(&stdout(&diff(&[a.path(), answer.path(), QUIET])), &["No difference"]);
}

#[test]
fn a_scenario_without_its_rate_is_told_what_is_missing() {
    let a = scenario("rate-a.json", 50);
    let b = TempFile::new("rate-b.json", br#"{"protocol": "http2", "clients": 5}"#);
    let said = refused(&diff(&[a.path(), b.path(), QUIET]));
    assert!(said.contains("Peak rate is missing") && said.contains("Latency is missing"), "{said}");
}
