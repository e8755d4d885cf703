//! What is understood, and what is said about the rest.

use super::{MINIMAL, TempFile, assert_all_in, json, refused, run, run_with_input, size, stdout};
use serde_json::Value;

#[test]
fn every_input_has_a_flag_that_reaches_the_scenario() {
    let args = [
        "--name",
        "checkout",
        "--protocol",
        "http1",
        "--rps",
        "2k",
        "--p50",
        "35ms",
        "--p75",
        "40",
        "--p90",
        "60",
        "--p95",
        "80",
        "--p99",
        "110",
        "--p999",
        "0.2s",
        "--mean",
        "41",
        "--clients",
        "1,200",
        "--workers",
        "4",
        "--hosts",
        "12",
        "--host-concurrency",
        "64",
        "--hosts-lost",
        "2",
        "--burst",
        "2",
        "--skew",
        "1.3",
        "--slowdown",
        "1.5x",
        "--shed-target",
        "0.1%",
        "--deadline-ms",
        "1.5s",
        "--connect-ms",
        "7",
        "--idempotent",
        "--error-rate",
        "0.002",
        "--retry-overhead",
        "0.1",
        "--high-priority-share",
        "0.2",
        "--upstream-keepalive-s",
        "75",
        "--retrying-hops",
        "2",
        "--envoy-version",
        "1.36",
        "--output",
        "json",
    ];
    let expected = serde_json::json!({
        "name": "checkout", "protocol": "http1", "rps": 2000.0,
        "latency_ms": {"p50": 35.0, "p75": 40.0, "p90": 60.0, "p95": 80.0, "p99": 110.0, "p999": 200.0, "mean": 41.0},
        "clients": 1200, "workers": 4, "hosts": 12, "host_concurrency": 64.0, "hosts_lost": 2, "burst": 2.0,
        "skew": 1.3, "slowdown": 1.5, "shed_target": 0.001, "deadline_ms": 1500.0, "connect_ms": 7.0,
        "idempotent": true, "error_rate": 0.002, "retry_overhead": 0.1, "high_priority_share": 0.2,
        "upstream_keepalive_s": 75.0, "retrying_hops": 2, "envoy_version": "1.36",
    });
    assert_eq!(json(&size(&args))["scenario"], expected);
    let streams = ["--protocol", "grpc_stream", "--rps", "4", "--stream-mean", "300", "--stream-p99", "15m"];
    let streams = json(&size(&[&streams[..], &["--output", "json"]].concat()));
    assert_eq!(streams["scenario"]["stream_duration_s"], serde_json::json!({"mean": 300.0, "p99": 900.0}));
}

#[test]
fn a_switch_can_be_bare_or_say_no() {
    for (flag, expected) in [
        ("--idempotent", true),
        ("--idempotent=true", true),
        ("--idempotent=false", false),
        ("--idempotent false", false),
        ("--idempotent true", true),
    ] {
        let flag: Vec<&str> = flag.split(' ').collect();
        let analysis = json(&size(&[&MINIMAL[..], &flag, &["--output", "json"]].concat()));
        assert_eq!(analysis["scenario"]["idempotent"], Value::Bool(expected), "{flag:?}");
    }
}

#[test]
fn flags_override_the_file() {
    let text = r#"{"rps": 500, "latency_ms": {"p50": 35}, "clients": 100, "hosts": 0}"#;
    let file = TempFile::new("override.json", text.as_bytes());
    let args = ["--scenario", file.path(), "--clients", "7", "--hosts", "5", "--output", "json"];
    let from_file = json(&size(&args));
    assert_eq!(from_file["scenario"]["rps"], 500.0);
    assert_eq!(from_file["scenario"]["clients"], 7);
    assert_eq!(from_file["scenario"]["hosts"], 5);
    let args = ["size", "--scenario", "-", "--clients", "7", "--hosts", "5", "--output", "json"];
    assert_eq!(json(&run_with_input(&args, text)), from_file);
    let preset = json(&size(&["--preset", "worked-example", "--rps", "9", "--output", "json"]));
    assert_eq!(preset["scenario"]["rps"], 9.0);
    assert_eq!(preset["scenario"]["latency_ms"]["mean"], 40.0);
}

#[test]
fn its_own_scenario_json_gives_the_same_answer() {
    let first = json(&size(&["--preset", "edge-gateway", "--output", "json"]));
    let again =
        run_with_input(&["size", "--scenario", "-", "--output", "json"], &first["scenario"].to_string());
    assert_eq!(json(&again), first);
}

#[test]
fn all_problems_come_at_once() {
    let input = r#"{"rsp": 5, "latency_ms": {"p50": 120, "p99": 110, "p98": 3}, "clients": 0, "hosts": 2.5}"#;
    let args = [
        "size",
        "--scenario",
        "-",
        "--rps",
        "-5",
        "--workers",
        "999",
        "--shed-target",
        "2",
        "--idempotent=perhaps",
        "--target",
        "isto",
        "--output",
        "xml",
    ];
    let text = refused(&run_with_input(&args, input));
    assert_all_in(
        &text,
        &[
            "headroom: 12 problems in the input\n",
            "rsp in standard input: rsp is not a scenario field. Did you mean rps?\n",
            "latency_ms.p98 in standard input: ",
            "--rps: -5 is out of range. Allowed: above 0 and up to 100,000,000.\n",
            "latency_ms.p50 in standard input: p50 120 ms is above p99 110 ms. Percentiles must not decrease",
            "latency_ms.p99 in standard input: p99 110 ms is below p50 120 ms. Percentiles must not decrease",
            "clients in standard input: 0 is out of range. Allowed: whole numbers 1 to 1,000,000.\n",
            "--workers: 999 is out of range. Allowed: whole numbers 1 to 256.\n",
            "hosts in standard input: 2.5 is not a whole number.",
            "--shed-target: 2 is out of range.",
            "--idempotent: “perhaps” is not known. Choose one of true, false.\n",
            "--target: “isto” is not known. Choose one of envoy, envoy-bootstrap, istio, envoy-gateway.\n",
            "--output: “xml” is not known. Choose one of yaml, json, markdown, svg, alerts.\n",
        ],
    );
}

#[test]
fn missing_inputs_are_named_by_their_flags() {
    let text = refused(&size(&["--clients", "3"]));
    assert_all_in(&text, &["--rps: Peak rate is missing.", "--p50: Latency is missing."]);
    let text = refused(&size(&["--protocol", "grpc_stream", "--rps", "3"]));
    assert_all_in(&text, &["--stream-mean: The life of a stream is missing."]);
}

#[test]
fn unreadable_files_do_not_hide_other_problems() {
    let text = refused(&size(&["--scenario", "/no/such/file.json", "--clients", "0"]));
    assert_all_in(
        &text,
        &["--scenario: /no/such/file.json cannot be read: ", "--clients: 0 is out of range."],
    );
    assert!(!text.contains("missing"), "nobody knows what is missing in a file that was not read:\n{text}");
    let broken = TempFile::new("broken.json", b"{\"rps\": 5,");
    let text = refused(&size(&["--scenario", broken.path(), "--clients", "0"]));
    assert_all_in(&text, &["The scenario is not valid JSON", "--clients: 0 is out of range."]);
    let binary = TempFile::new("binary.json", &[0xff, 0xfe, 0x00]);
    assert_all_in(
        &refused(&size(&["--scenario", binary.path()])),
        &["This is text in UTF-16. Save it in UTF-8."],
    );
    let large = TempFile::new("large.json", " ".repeat(2 << 20).as_bytes());
    let message = "large.json: The scenario has 2,097,152 bytes. Allowed: up to 1,048,576 bytes.\n";
    assert_all_in(&refused(&size(&["--scenario", large.path()])), &[message]);
    let endless = run_with_input(&["size", "--scenario", "-"], &" ".repeat(2 << 20));
    assert_all_in(&refused(&endless), &["standard input: The scenario has more than 1,048,576 bytes."]);
    let noise = TempFile::new("noise.json", b"{\"rps\": \x80}");
    assert_all_in(
        &refused(&size(&["--scenario", noise.path()])),
        &["This is no text in UTF-8, from byte 9 on."],
    );
    let text = refused(&size(&["--scenario", "x.json", "--preset", "nope"]));
    assert_all_in(&text, &["Choose one.", "--preset: “nope” is not known. Choose one of worked-example,"]);
}

#[test]
fn hostile_text_does_not_reach_the_terminal() {
    let input = "{\"rps\": \"\\u001b[2J5\", \"latency_ms\": {\"p50\": 3}, \"\\u001b]0;x\\u0007\": 1}";
    let text = refused(&run_with_input(&["size", "--scenario", "-"], input));
    assert!(!text.contains('\u{1b}') && !text.contains('\u{7}'), "{text:?}");
}

#[test]
fn answers_beyond_envoys_fields_name_the_input_to_change() {
    let text = refused(&size(&["--rps", "1e8", "--p50", "1e8"]));
    assert_all_in(&text, &["--rps: ", "4,294,967,295"]);
}

#[test]
fn slips_on_the_command_line_are_explained() {
    let text = refused(&size(&["--rpz", "5", "--p50", "30"]));
    assert_eq!(
        text,
        "headroom: one problem in the input\n  --rpz: This is not a flag of headroom size. Did you mean --rps?\nSee headroom size --help.\n"
    );
    let text = refused(&size(&["--rps", "--p50", "30"]));
    assert_all_in(&text, &["one problem", "--rps: No value is given, --p50 follows it."]);
    let text = refused(&size(&["--p50", "30", "--rps"]));
    assert_all_in(
        &text,
        &["one problem", "--rps: No value is given. Give the value, or leave the flag out."],
    );
    let text = refused(&run(&["siez"]));
    assert_all_in(&text, &["siez: This is not a command of headroom. Did you mean size?"]);
    let text = refused(&run(&["--rps", "5"]));
    assert_all_in(
        &text,
        &[
            "--rps: The command comes first. Write headroom size, headroom audit, headroom simulate, headroom diff or headroom inputs, then its flags.",
        ],
    );
    assert_all_in(&refused(&run(&[])), &["Usage: headroom <COMMAND>"]);
    assert_all_in(&refused(&size(&[])), &["Usage: headroom size"]);
}

#[test]
fn every_slip_of_the_words_is_told_with_the_rest() {
    let args = [
        "--rpz=5",
        "--hostconcurrency",
        "-64",
        "--frobnicate",
        "--p50",
        "30",
        "--p50",
        "31",
        "--clients",
        "0",
        "checkout.json",
        "-hosts",
        "3",
        "--host_concurrency=9",
        "--output",
        "xml",
        "-",
    ];
    let text = refused(&size(&args));
    let no_flag = "This is not a flag of headroom size.";
    assert_eq!(
        text,
        format!(
            "headroom: 10 problems in the input\n\
             \x20 --rpz: {no_flag} Did you mean --rps?\n\
             \x20 --hostconcurrency: {no_flag} Did you mean --host-concurrency?\n\
             \x20 --frobnicate: {no_flag}\n\
             \x20 --p50: The flag is there twice. Remove one of them.\n\
             \x20 “checkout.json”: The word belongs to no flag. Did you mean --scenario checkout.json?\n\
             \x20 -hosts: {no_flag} Did you mean --hosts?\n\
             \x20 --host_concurrency: {no_flag} Did you mean --host-concurrency?\n\
             \x20 “-”: The word belongs to no flag.\n\
             \x20 --clients: 0 is out of range. Allowed: whole numbers 1 to 1,000,000.\n\
             \x20 --output: “xml” is not known. Choose one of yaml, json, markdown, svg, alerts.\n\
             See headroom size --help.\n"
        )
    );
}

#[test]
fn an_empty_value_never_resets_what_the_file_says() {
    let text = r#"{"rps": 500, "latency_ms": {"p50": 35}, "clients": 100, "host_concurrency": 64, "hosts": 9, "hosts_lost": 5}"#;
    let flags = [
        "--clients",
        "",
        "--host-concurrency=",
        "--hosts",
        " ",
        "--output=",
        "--target",
        "",
        "--idempotent=",
    ];
    let args = [&["size", "--scenario", "-"], &flags[..]].concat();
    let text = refused(&run_with_input(&args, text));
    let expected: String = ["clients", "host-concurrency", "hosts", "output", "target", "idempotent"]
        .map(|flag| format!("  --{flag}: No value is given. Give the value, or leave the flag out.\n"))
        .concat();
    assert_eq!(text, format!("headroom: 6 problems in the input\n{expected}See headroom size --help.\n"));
    for flag in ["--scenario", "--preset", "--name"] {
        let text = refused(&size(&[&MINIMAL[..], &[flag, ""]].concat()));
        assert_all_in(&text, &["one problem", &format!("{flag}: No value is given.")]);
    }
    let file = r#"{"rps": "", "latency_ms": {"p50": 35, "p99": null}, "hosts": ""}"#;
    let text = refused(&run_with_input(&["size", "--scenario", "-"], file));
    let no_value = "in standard input: No value is given. Give the value, or leave the field out.";
    assert_all_in(&text, &["2 problems", &format!("  rps {no_value}"), &format!("  hosts {no_value}")]);
}

#[test]
fn the_fields_of_a_file_are_named_as_they_stand_there() {
    let file = r#"{"rps": [5], "p50": 5, "latency_ms": {"p99": {}}, "envoy_version": 1.40, "rps": 6}"#;
    let text = refused(&run_with_input(&["size", "--scenario", "-"], file));
    assert_all_in(
        &text,
        &[
            "5 problems",
            "  rps in standard input: rps is a list or an object here. Write one value.\n",
            "  \"p50\" in standard input: p50 is not a scenario field. Did you mean latency_ms.p50? Move it there.\n",
            "  latency_ms.p99 in standard input: latency_ms.p99 is a list or an object here.",
            "  envoy_version in standard input: 1.4 is a number here",
            "  rps in standard input: rps stands here twice. Remove one of them.\n",
        ],
    );
}

#[test]
fn long_texts_are_cut() {
    let long = "x".repeat(5000);
    for flag in ["--rps", "--target", "--output", "--preset", "--protocol", "--envoy-version"] {
        let text = refused(&size(&[&["--p50", "3"], &[flag, long.as_str()][..]].concat()));
        assert!(text.contains("xxx…") && text.len() < 700, "{flag}: {text}");
    }
    let text = refused(&size(&[&format!("--{long}"), &long]));
    assert!(text.len() < 700, "{text}");
}

#[cfg(unix)]
#[test]
fn words_that_are_no_text_are_named() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    fn raw(bytes: &[u8]) -> &OsStr {
        OsStr::from_bytes(bytes)
    }
    let mut command = super::headroom(&["size", "--rps", "5", "--p50", "3", "--clients", "0", "--name"]);
    let output = command.arg(raw(b"caf\xe9")).arg(raw(b"--hosts=\xff")).arg(raw(b"\xfe")).output();
    let text = refused(&output.expect("the program starts"));
    assert_all_in(
        &text,
        &[
            "4 problems",
            "--name: The value is not text in UTF-8.",
            "--hosts: The value is not text in UTF-8.",
            "“\u{fffd}”: The word belongs to no flag.",
            "--clients: 0 is out of range.",
        ],
    );
    let path = std::env::temp_dir().join(raw(format!("headroom-{}-", std::process::id()).as_bytes()));
    let path = [path.as_os_str().as_bytes(), b"\xe9.json"].concat();
    std::fs::write(raw(&path), r#"{"rps": 500, "latency_ms": {"p50": 35}}"#)
        .expect("the folder can be written");
    let split = super::headroom(&["size", "--scenario"]).arg(raw(&path)).output();
    let joined = super::headroom(&["size"]).arg(raw(&[b"--scenario=", &path[..]].concat())).output();
    let _ = std::fs::remove_file(raw(&path));
    let plain = stdout(&size(&MINIMAL));
    assert_eq!(stdout(&split.expect("the program starts")), plain);
    assert_eq!(stdout(&joined.expect("the program starts")), plain);
}

#[test]
fn names_may_look_like_flags() {
    assert_all_in(&stdout(&size(&[&["--name", "-x"], &MINIMAL[..]].concat())), &["- name: \"-x\"\n"]);
    assert_all_in(&stdout(&size(&[&["--name=--rps"], &MINIMAL[..]].concat())), &["- name: \"--rps\"\n"]);
}
