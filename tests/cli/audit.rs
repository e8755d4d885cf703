//! `headroom audit`: what is read, what is printed, and with which exit code.

use super::{TempFile, assert_all_in, headroom, refused, run, run_with_input, stdout};
use expect_test::{ExpectFile, expect_file};
use headroom::engine::audit::rules;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Output;

const SCENARIO: [&str; 8] = ["--rps", "500", "--mean", "40", "--clients", "1", "--protocol", "http1"];
const HEALTHY: &str = "name: shop\nconnect_timeout: 1s\n";
const SMALL: &str = "name: shop\ncircuit_breakers: {thresholds: [{max_requests: 10}]}\n";
const BROKEN: &str = "name: shop\n\tconnect_timeout: 1s\n";

fn audit(args: &[&str]) -> Output {
    run(&[&["audit"], args].concat())
}

/// What is printed by an audit with that exit code and nothing on standard error.
#[track_caller]
fn answer(output: &Output, code: i32) -> String {
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!((output.status.code(), err.as_ref()), (Some(code), ""), "{out}");
    out.into_owned()
}

#[track_caller]
fn json(output: &Output, code: i32) -> Value {
    serde_json::from_str(&answer(output, code)).expect("output is JSON")
}

fn codes(answer: &Value) -> Vec<&str> {
    answer["findings"].as_array().expect("a list").iter().filter_map(|f| f["code"].as_str()).collect()
}

/// A folder that is gone when the test is over.
struct TempFolder(PathBuf);

impl TempFolder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("headroom-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).expect("the temporary folder can be written");
        Self(path)
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("as above");
        std::fs::write(path, text).expect("as above");
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("the path is text")
    }
}

impl Drop for TempFolder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The answer about the golden files, without the numbers that grow with every rule.
fn golden(format: &str) -> String {
    let args = ["audit", "routes.yaml", "shop.yaml", "--name", "shop", "--output", format];
    let output = headroom(&[&args[..], &SCENARIO].concat())
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/audit"))
        .output()
        .expect("the program starts");
    let n = rules::all().count();
    answer(&output, 1)
        .replace(&format!("{n} rules checked"), "N rules checked")
        .replace(&format!("\"rules\": {n},"), "\"rules\": 0,")
        .replace(&format!("| {n} | 1 | 1 | 2 |"), "| N | 1 | 1 | 2 |")
        .replace(env!("CARGO_PKG_VERSION"), "VERSION")
}

fn check(format: &str, expected: &ExpectFile) {
    let first = golden(format);
    assert_eq!(first, golden(format), "the same input gives the same answer");
    assert!(!first.contains('\u{1b}') && !first.contains('\u{a0}'), "{first}");
    expected.assert_eq(&first);
}

#[test]
fn text_is_that_of_a_compiler() {
    check("text", &expect_file!["../golden/audit/answer.txt"]);
}

#[test]
fn json_is_a_contract() {
    check("json", &expect_file!["../golden/audit/answer.json"]);
}

#[test]
fn markdown_is_a_comment() {
    check("markdown", &expect_file!["../golden/audit/answer.md"]);
}

#[test]
fn sarif_without_its_list_of_rules() {
    let mut log: Value = serde_json::from_str(&golden("sarif")).expect("SARIF is JSON");
    let rules = log["runs"][0]["tool"]["driver"]["rules"].take();
    assert_eq!(rules.as_array().map(Vec::len), Some(headroom::engine::audit::rules::all().count()));
    for result in log["runs"][0]["results"].as_array_mut().expect("a list") {
        let index = result["ruleIndex"].take().as_u64().and_then(|n| usize::try_from(n).ok());
        assert_eq!(rules[index.expect("a number")]["id"], result["ruleId"]);
    }
    let text = serde_json::to_string_pretty(&log).expect("a value has a text");
    expect_file!["../golden/audit/answer.sarif"].assert_eq(&format!("{text}\n"));
}

#[test]
fn the_exit_code_follows_the_worst_finding() {
    let [small, healthy] = [("small.yaml", SMALL), ("healthy.yaml", HEALTHY)]
        .map(|(name, text)| TempFile::new(name, text.as_bytes()));
    // A name that the cluster does not know, so that nothing is said about traffic.
    answer(&audit(&[healthy.path()]), 0);
    let error = [&[small.path()], &SCENARIO[..]].concat();
    for (fail_on, code) in [("error", 1), ("warning", 1), ("info", 1), ("never", 0)] {
        answer(&audit(&[&error[..], &["--fail-on", fail_on]].concat()), code);
    }
    let deprecated = TempFile::new("info.yaml", b"name: a\nhttp2_protocol_options: {}\n");
    for (fail_on, code) in [("error", 0), ("warning", 0), ("info", 1), ("never", 0)] {
        answer(&audit(&[deprecated.path(), "--fail-on", fail_on]), code);
    }
    let twice = TempFile::new("warning.yaml", b"name: a\nconnect_timeout: 1s\nconnect_timeout: 2s\n");
    for (fail_on, code) in [("error", 0), ("warning", 1), ("info", 1), ("never", 0)] {
        answer(&audit(&[twice.path(), "--fail-on", fail_on]), code);
    }
}

#[test]
fn standard_input_is_a_file() {
    let args = [&["audit", "-", "--output", "json"], &SCENARIO[..]].concat();
    let found = json(&run_with_input(&args, SMALL), 1);
    assert!(codes(&found).contains(&"HR301"), "{found}");
    assert_eq!(found["findings"][0]["file"], "standard input");
    let args = ["audit", "-", "--scenario", "-"];
    assert_all_in(&refused(&run_with_input(&args, SMALL)), &["standard input: It can be read once only."]);
    assert_all_in(&refused(&run_with_input(&["audit", "-", "-"], SMALL)), &["It can be read once only."]);
}

#[test]
fn a_scenario_may_be_whole_partial_or_absent() {
    let small = TempFile::new("facts.yaml", SMALL.as_bytes());
    let of = |args: &[&str], code| json(&audit(&[&[small.path(), "--output", "json"], args].concat()), code);
    let absent = of(&[], 0);
    assert_eq!(absent["scenario"], Value::Null);
    assert!(!codes(&absent).contains(&"HR301"), "{absent}");
    assert_all_in(&absent["questions"].to_string(), &["--rps and --p50 with --p99 (or --mean)"]);
    let partial = of(&["--p99", "200", "--clients", "100"], 0);
    assert_eq!(partial["scenario"], serde_json::json!({"clients": 100, "latency_ms": {"p99": 200.0}}));
    assert_all_in(&partial["questions"].to_string(), &["the rate is not known: add --rps, or --scenario"]);
    let whole = of(&SCENARIO, 1);
    assert_eq!(whole["scenario"]["rps"], 500.0);
    assert!(codes(&whole).contains(&"HR301"), "{whole}");
    assert!(!whole["questions"].to_string().contains("--rps"), "{whole}");
    let file = TempFile::new("part.json", br#"{"rps": 500, "clients": 1, "protocol": "http1"}"#);
    let joined = of(&["--scenario", file.path(), "--mean", "40"], 1);
    assert_eq!(joined["scenario"], whole["scenario"]);
    let streams = of(&["--protocol", "grpc_stream", "--rps", "4"], 0);
    assert_all_in(&streams["questions"].to_string(), &["the latency is not known: add --stream-mean"]);
}

#[test]
fn every_problem_of_the_input_comes_at_once() {
    let folder = TempFolder::new("refused");
    folder.write("binary.yaml", b"a\0b");
    folder.write("empty/readme.md", "# nothing");
    folder.write("scenario.json", r#"{"rsp": 5, "clients": 0}"#);
    let [binary, empty, scenario] =
        ["binary.yaml", "empty", "scenario.json"].map(|name| format!("{}/{name}", folder.path()));
    let args = [
        "/no/such/file.yaml",
        &binary,
        &empty,
        "--scenario",
        &scenario,
        "--hosts",
        "-1",
        "--fail-on",
        "warn",
        "--output",
        "xml",
        "--preset",
        "worked-example",
        "--rsp",
        "4",
    ];
    let text = refused(&audit(&args));
    assert_all_in(
        &text,
        &[
            "headroom: 10 problems in the input\n",
            "  --preset: This is not a flag of headroom audit.",
            "  --rsp: This is not a flag of headroom audit. Did you mean --rps?\n",
            "  /no/such/file.yaml: It cannot be read: No such file or directory (os error 2). Name a file, a folder",
            "binary.yaml: It is a binary, no text. Name a configuration, an admin page or a log.\n",
            "empty: The folder holds no file with one of the endings .yaml, .yml, .json",
            "  rsp in ",
            "  clients in ",
            "  --hosts: -1 is out of range.",
            "  --fail-on: “warn” is not known. Choose one of error, warning, info, never.\n",
            "  --output: “xml” is not known. Choose one of text, json, sarif, markdown.\n",
            "See headroom audit --help.\n",
        ],
    );
    assert_all_in(&refused(&audit(&["--rps", "5"])), &["  FILE: No configuration is named. Name files"]);
    assert_all_in(&refused(&run(&["audit"])), &["Usage: headroom audit"]);
    let beyond = TempFile::new("beyond.yaml", HEALTHY.as_bytes());
    assert_all_in(&refused(&audit(&[beyond.path(), "--rps", "1e8", "--p50", "1e8"])), &["4,294,967,295"]);
}

#[test]
fn files_follow_switches_and_two_dashes() {
    let healthy = TempFile::new("after.yaml", HEALTHY.as_bytes());
    for args in [&["--idempotent", healthy.path()][..], &["--idempotent", "false", healthy.path()]] {
        let found = json(&audit(&[args, &["--output", "json"]].concat()), 0);
        assert_eq!(found["scenario"], serde_json::json!({"idempotent": args.len() == 2}));
    }
    answer(&audit(&["--clients=5", "--", healthy.path()]), 0);
    assert_all_in(&refused(&audit(&["--", "--clients"])), &["--clients: It cannot be read: "]);
}

#[test]
fn nothing_that_can_be_read_is_unusable() {
    for (name, text, code, line) in [
        ("tab.yaml", include_str!("../samples/y14-tab-indent-error.yaml"), "HR902", ":6:1: a tab indents"),
        ("chart.yaml", include_str!("../samples/y18-helm-placeholders.yaml"), "HR903", ":3:9: a template"),
        ("empty.yaml", "", "HR905", ":1:1: the input is empty"),
        ("other.yaml", "kind: of nothing\n", "HR905", "no cluster, route or policy was recognized"),
    ] {
        let file = TempFile::new(name, text.as_bytes());
        for fail_on in ["error", "never"] {
            let output = audit(&[file.path(), "--output", "json", "--fail-on", fail_on]);
            assert_eq!(output.status.code(), Some(2), "{name}");
            let found: Value =
                serde_json::from_slice(&output.stdout).expect("the finding is printed all the same");
            assert_eq!(codes(&found), [code], "{name}");
            let text = String::from_utf8_lossy(&output.stderr);
            assert_all_in(&text, &["headroom: one problem in the input\n", line, code]);
        }
    }
}

#[test]
fn what_a_running_proxy_reports_is_judged_too() {
    let sample = format!("{}/tests/samples/a02-stats.txt", env!("CARGO_MANIFEST_DIR"));
    let found = json(&audit(&[&sample, "--output", "json", "--fail-on", "never"]), 0);
    assert!(codes(&found).iter().all(|code| code.starts_with("HR6")) && !codes(&found).is_empty(), "{found}");
    let text = answer(&audit(&[&sample, "--fail-on", "never"]), 0);
    assert_all_in(&text, &["on 0 clusters and 0 routes, with 1 report of running proxies, in 1 file."]);
}

#[test]
fn edits_make_the_fix() {
    let found: Value = serde_json::from_str(&golden("json")).expect("JSON");
    let text = include_str!("../golden/audit/shop.yaml");
    let of = |code: &str| {
        let all = found["findings"].as_array().expect("a list");
        let finding = all.iter().find(|f| f["code"] == code).expect("it fires");
        finding["fix"]["edits"][0].clone()
    };
    let edit = of("HR911");
    let number = |key: &str| edit[key].as_u64().and_then(|n| usize::try_from(n).ok()).expect("a number");
    assert_eq!((&edit["file"], number("line"), number("end_line")), (&Value::from("shop.yaml"), 4, 4));
    let line = text.lines().nth(3).expect("a fourth line");
    let inserted = edit["text"].as_str().expect("a text");
    let new = format!("{}{inserted}{}", &line[..number("column") - 1], &line[number("end_column") - 1..]);
    assert_eq!(new, "    connect_timeout: 0.25s");
    let log: Value = serde_json::from_str(&golden("sarif")).expect("JSON");
    let results = log["runs"][0]["results"].as_array().expect("a list");
    let result = results.iter().find(|r| r["ruleId"] == "HR911").expect("it fires");
    let replacement = &result["fixes"][0]["artifactChanges"][0]["replacements"][0];
    assert_eq!(replacement["insertedContent"]["text"], edit["text"]);
    assert_eq!(replacement["deletedRegion"]["startColumn"], edit["column"]);
}

#[test]
fn beside_something_readable_a_broken_file_is_a_finding() {
    let [healthy, broken, chart] =
        [("good.yaml", HEALTHY), ("bad.yaml", BROKEN), ("chart2.yaml", "name: {{ .Values.name }}\n")]
            .map(|(name, text)| TempFile::new(name, text.as_bytes()));
    let found = json(&audit(&[healthy.path(), broken.path(), "--output", "json"]), 1);
    assert_eq!((codes(&found)[0], &found["findings"][0]["line"]), ("HR902", &Value::from(2)));
    let args = [healthy.path(), chart.path(), "--output", "json"];
    let found = json(&audit(&args), 0);
    assert_eq!((codes(&found)[0], &found["findings"][0]["severity"]), ("HR903", &Value::from("warning")));
    json(&audit(&[&args[..], &["--fail-on", "warning"]].concat()), 1);
    // What was recognized and holds nothing to judge is fine.
    let other =
        "apiVersion: linkerd.io/v1alpha2\nkind: ServiceProfile\nmetadata: {name: a}\nspec: {routes: []}\n";
    let other = TempFile::new("profile.yaml", other.as_bytes());
    answer(&audit(&[other.path()]), 0);
}

#[test]
fn folders_are_walked_in_order() {
    let folder = TempFolder::new("walk");
    folder.write("b.yaml", HEALTHY);
    folder.write("a/z.json", r#"{"name": "z", "connect_timeout": "1s"}"#);
    folder.write("a/c.YML", HEALTHY);
    folder.write("a/notes.md", "# no");
    folder.write("deployment.yaml", "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\n");
    folder.write("other.yaml", "kind: of nothing\n");
    folder.write(".hidden.yaml", BROKEN);
    folder.write(".git/config.yaml", BROKEN);
    folder.write("noise.log", b"\0\0\0");
    folder.write("large.txt", vec![b'a'; (10 << 20) + 1]);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("..", folder.0.join("a/loop")).expect("a link can be made");
        std::os::unix::fs::symlink("b.yaml", folder.0.join("twice.yaml")).expect("a link can be made");
        std::os::unix::fs::symlink("gone.yaml", folder.0.join("nowhere.yaml")).expect("a link can be made");
    }
    let found = json(&audit(&[folder.path(), folder.path(), "--output", "json", "--fail-on", "info"]), 0);
    let name = |file: &str| Value::from(format!("{}/{file}", folder.path()));
    let files = ["a/c.YML", "a/z.json", "b.yaml", "deployment.yaml", "other.yaml"].map(name);
    assert_eq!(found["files"], Value::from(files.to_vec()));
    let notes = found["notes"].to_string();
    assert_all_in(
        &notes,
        &[
            "noise.log, a binary",
            "large.txt, 10,485,761 bytes where 10,485,760 are read",
            ": 2 hidden, 1 with other endings",
            "one file of the folder holds nothing to audit: ",
        ],
    );
    #[cfg(unix)]
    assert_all_in(&notes, &["nowhere.yaml, a link to nothing"]);
    // A file of a folder that is named itself is not left out.
    let hidden = format!("{}/.hidden.yaml", folder.path());
    assert_eq!(codes(&json(&audit(&[folder.path(), &hidden, "--output", "json"]), 1)), ["HR902"]);
    let large = format!("{}/large.txt", folder.path());
    let text = refused(&audit(&[&large]));
    assert_all_in(&text, &["large.txt: It has 10,485,761 bytes. Allowed: up to 10,485,760 bytes."]);
}

#[test]
fn routes_find_their_clusters_across_files() {
    let found = serde_json::from_str::<Value>(&golden("json")).expect("JSON");
    assert_eq!(found["effective"]["routes"][0]["cluster"], "shop");
    let limits = &found["effective"]["clusters"][0]["priorities"];
    let of = |at: usize, key: &str| limits[at][key].clone();
    assert_eq!(
        of(0, "max_requests"),
        serde_json::json!({"value": 10, "from": "text", "file": "shop.yaml", "line": 8, "column": 9})
    );
    assert_eq!(of(1, "max_requests"), serde_json::json!({"value": 1024, "from": "default", "of": "Envoy"}));
    assert_eq!(found["effective"]["clusters"][0]["connect_timeout"]["unit"], "ms");
}

#[test]
fn every_value_with_a_fraction_has_a_unit() {
    fn walk(value: &Value, path: &str, bare: &mut Vec<String>) {
        match value {
            Value::Object(map) => {
                if map.get("value").is_some_and(Value::is_f64) && !map.contains_key("unit") {
                    bare.push(path.to_owned());
                }
                map.iter().for_each(|(key, value)| walk(value, &format!("{path}.{key}"), bare));
            }
            Value::Array(items) => items.iter().for_each(|item| walk(item, path, bare)),
            Value::Number(n) if n.is_f64() && path.rsplit('.').next() != Some("value") => {
                bare.push(path.to_owned());
            }
            _ => {}
        }
    }
    let samples = format!("{}/tests/samples", env!("CARGO_MANIFEST_DIR"));
    let found = json(&audit(&[&samples, "--output", "json", "--fail-on", "never"]), 0);
    let mut bare = Vec::new();
    walk(&found["effective"], "", &mut bare);
    assert_eq!(bare, [""; 0]);
    assert!(found["effective"]["clusters"].as_array().is_some_and(|all| all.len() > 20));
}

#[test]
fn hostile_texts_reach_neither_terminal_nor_markup() {
    let text = "name: \"a\\e[2Jb@octocat |<img src=x>`c\"\ncircuit_breakers:\n  thresholds:\n  - \
                {\"max_requests\\u202e\": 5, \"x`y|<b>@octocat\": 1, max_requests: 10}\n";
    let file = TempFile::new("hostile.yaml", text.as_bytes());
    for format in ["text", "markdown", "json", "sarif"] {
        let args = [&[file.path(), "--output", format], &SCENARIO[..]].concat();
        let out = answer(&audit(&args), 1);
        assert!(!out.contains('\u{1b}'), "{format}: {out}");
        assert_eq!(out.contains('\u{202e}'), format == "json" || format == "sarif", "{out}");
        if format == "markdown" {
            assert!(!out.replace("\\<", "").contains("<img") && !out.contains("@octocat"), "{out}");
        }
    }
}

#[test]
fn every_document_escapes_the_same_way() {
    use headroom::review::markdown::literal;
    let name = "a_b _c_ *d* <e> #1 &amp; f~g @h 1. - `i`";
    let text = format!("name: \"{name}\"\ncircuit_breakers: {{thresholds: [{{max_requests: 10}}]}}\n");
    let file = TempFile::new("escapes.yaml", text.as_bytes());
    let out = answer(&audit(&[&[file.path(), "--output", "markdown"], &SCENARIO[..]].concat()), 1);
    assert!(out.contains(&format!("(cluster {})", literal(name))), "{out}");
    assert!(out.contains(&format!("**cluster {}** (", literal(name))), "{out}");
}

#[test]
fn an_excerpt_stays_below_its_line() {
    let wide = "name: \"店店\" # 店\ncircuit_breakers: {thresholds: [{priority: 店, max_requests: 9}]}\n";
    let file = TempFile::new("wide.yaml", wide.as_bytes());
    let out = answer(&audit(&[file.path()]), 1);
    let lines: Vec<&str> = out.lines().collect();
    let carets =
        lines.iter().position(|l| l.trim_start_matches(['|', ' ']).starts_with('^')).expect("carets");
    // `priority: 店` takes twelve columns.
    assert!(lines[carets].ends_with(&"^".repeat(12)) && !lines[carets].ends_with(&"^".repeat(13)), "{out}");
    // A dump on one line is not printed whole.
    let long =
        format!("{{\"clusters\": [{{\"name\": \"{}\", \"connect_timeout\": \"250ms\"}}]}}", "a".repeat(3000));
    let file = TempFile::new("long.json", long.as_bytes());
    let out = answer(&audit(&[file.path()]), 1);
    assert!(out.lines().filter(|l| l.contains("250ms\"")).all(|l| l.chars().count() < 200), "{out}");
}

#[test]
fn help_says_what_happens() {
    let text = stdout(&audit(&["--help"]));
    for p in headroom::engine::params::PARAMS {
        assert_all_in(&text, &[&format!("--{}", p.key.replace('_', "-"))]);
    }
    assert_all_in(
        &text,
        &["--fail-on <SEVERITY>", "Exit codes: 0 fine; 1 findings", "Examples:", "[FILE]..."],
    );
    assert_eq!(stdout(&run(&["help", "audit"])), text);
    assert_all_in(&stdout(&run(&["--help"])), &["audit"]);
}

#[test]
fn what_a_proxy_says_of_itself_is_nothing_to_audit() {
    let info = r#"{"version": "e0e7/1.40.0/Clean/RELEASE/BoringSSL", "state": "LIVE"}"#;
    let text = stdout(&run_with_input(&["audit", "-"], info));
    assert_all_in(
        &text,
        &[
            "note: standard input:1:1: release, uptime and worker threads of a proxy: there is nothing to audit in them",
        ],
    );
    // A dump of a bootstrap without clusters: read, and nothing in it.
    let dump = r#"{"configs": [{"@type": "type.googleapis.com/envoy.admin.v3.BootstrapConfigDump", "bootstrap": {"node": {"id": "a"}}}]}"#;
    let output = run_with_input(&["audit", "-"], dump);
    assert_eq!(output.status.code(), Some(2));
    assert_all_in(
        &String::from_utf8_lossy(&output.stderr),
        &["one problem in the input", "FILE: The texts hold no cluster and no route."],
    );
}
