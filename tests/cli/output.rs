//! What is printed: configuration, data, documents, help.

use super::{MINIMAL, assert_all_in, headroom, json, refused, run, size, stdout};
use serde_json::Value;
use std::io::Read;
use std::process::Stdio;

#[test]
fn yaml_is_the_default() {
    let text = stdout(&size(&MINIMAL));
    assert_all_in(
        &text,
        &["# my-service, sized by Headroom (rules ", "clusters:\n", "routes:\n", "#v=1&rps=500&p50=35"],
    );
    assert_eq!(text, stdout(&size(&[&MINIMAL[..], &["--target", "envoy", "--output", "yaml"]].concat())));
    let bootstrap = stdout(&size(&[&MINIMAL[..], &["--target", "envoy-bootstrap"]].concat()));
    assert_all_in(&bootstrap, &["static_resources:\n", "admin:\n"]);
}

#[test]
fn istio_and_envoy_gateway_have_their_own_yaml() {
    let of = |target: &str, more: &[&str]| {
        stdout(&size(&[&MINIMAL[..], &["--target", target, "--no-simulation"], more].concat()))
    };
    let link = ["--base-url", "https://headroom.example/"];
    let istio = of("istio", &link);
    assert_all_in(
        &istio,
        &[
            "# my-service, sized by Headroom (rules ",
            "# https://headroom.example/#v=1&rps=500&p50=35\n",
            "kind: DestinationRule\n",
            "\n---\napiVersion: networking.istio.io/v1\nkind: VirtualService\n",
        ],
    );
    let gateway = of("envoy-gateway", &link);
    assert_all_in(
        &gateway,
        &["# https://headroom.example/#v=1&rps=500&p50=35\n", "kind: BackendTrafficPolicy\n"],
    );
    // The target is what the document of a review shows, and nothing else in it.
    let document = of("istio", &["--output", "markdown"]);
    assert_all_in(&document, &["Configuration (istio)", "kind: DestinationRule\n"]);
    let plain = of("envoy", &["--output", "json"]);
    assert_eq!(plain, of("istio", &["--output", "json"]), "the analysis is that of Envoy");
}

#[test]
fn alerts_whose_selectors_would_find_nothing_are_refused() {
    for (target, words) in [
        ("istio", &["--output: alerts are for an Envoy", "outbound|PORT|SUBSET|HOST", "--target envoy"]),
        ("envoy-gateway", &["--output: alerts are for", "httproute/NAMESPACE/NAME/rule/0", "--target envoy"]),
    ] {
        let output = size(&[&MINIMAL[..], &["--target", target, "--output", "alerts"]].concat());
        assert_eq!(output.status.code(), Some(2), "{target}");
        assert_all_in(&refused(&output), words);
    }
    for target in ["envoy", "envoy-bootstrap"] {
        stdout(&size(&[&MINIMAL[..], &["--target", target, "--output", "alerts"]].concat()));
    }
}

#[test]
fn a_document_watches_what_its_target_has() {
    let of = |target: &str| {
        let more = ["--target", target, "--output", "markdown", "--no-simulation"];
        stdout(&size(&[&MINIMAL[..], &more].concat()))
    };
    // Envoy Gateway does not track what remains.
    assert!(!of("envoy-gateway").contains("remaining_rq"));
    assert!(of("envoy-gateway").contains("`upstream_rq_active`: in flight"));
    for target in ["envoy", "istio"] {
        assert!(of(target).contains("`circuit_breakers.default.remaining_rq`: free slots"));
    }
}

#[test]
fn an_answer_that_a_target_does_not_hold_is_refused_with_every_other_problem() {
    // The deadline follows p99, which is years.
    let years = ["--rps", "0.001", "--p50", "100", "--p90", "1e7", "--mean", "2000000"];
    let said = refused(&size(&[&years[..], &["--target", "envoy-gateway", "--output", "jsn"]].concat()));
    assert_all_in(
        &said,
        &["--target: Envoy Gateway holds at most 100,000", "in requestTimeout", "--output: “jsn”"],
    );
    stdout(&size(&[&years[..], &["--target", "istio"]].concat()));
}

/// The keys that other programs rely on (more may stand beside them).
const KEYS: &[(&str, &[&str])] = &[
    (
        "",
        &[
            "scenario",
            "latency",
            "load",
            "window",
            "thresholds",
            "forecast",
            "timeouts",
            "retry",
            "outlier",
            "findings",
            "numbers",
        ],
    ),
    ("/latency", &["mean_ms", "mean_bounds_ms"]),
    ("/load", &["fleet_concurrency", "client_rate", "offered"]),
    ("/window", &["floor", "recommended", "ceiling", "chosen"]),
    (
        "/thresholds/0",
        &[
            "priority",
            "max_connections",
            "max_pending_requests",
            "max_requests",
            "max_retries",
            "retry_budget",
            "track_remaining",
        ],
    ),
    ("/thresholds/0/retry_budget", &["budget_percent", "min_retry_concurrency"]),
    ("/forecast", &["refused_at_peak", "refused_at_slowdown", "fleet_max_requests", "stall_fill_ms"]),
    (
        "/timeouts",
        &[
            "connect_ms",
            "per_try_ms",
            "route_ms",
            "deadline_ms",
            "pool_idle_ms",
            "stream_idle_ms",
            "max_stream_duration_ms",
        ],
    ),
    ("/retry", &["retry_on", "num_retries", "backoff_base_ms", "backoff_max_ms", "amplification_cap"]),
    ("/outlier", &["consecutive_gateway_failure", "interval", "base_ejection_time", "max_ejection_percent"]),
    ("/numbers/0", &["id", "value", "unit", "label", "formula", "substituted", "source"]),
];

#[test]
fn json_has_the_promised_keys() {
    let analysis = json(&size(&[&MINIMAL[..], &["--output", "json"]].concat()));
    for (at, keys) in KEYS {
        let object =
            analysis.pointer(at).and_then(Value::as_object).unwrap_or_else(|| panic!("no object at {at}"));
        for key in *keys {
            assert!(object.contains_key(*key), "{at} lacks {key}: {:?}", object.keys().collect::<Vec<_>>());
        }
    }
    assert_eq!(analysis["mean_bounds_ms"], Value::Null, "bounds stand below latency");
    assert_eq!(analysis["latency"]["mean_bounds_ms"].as_array().map(Vec::len), Some(2));
    let label = analysis["numbers"][0]["label"].as_str().expect("labels are words");
    assert!(["given", "derived", "assumption", "rule", "envoy-default"].contains(&label), "{label}");
}

#[test]
fn json_has_full_precision_and_the_high_entry() {
    let args = [&MINIMAL[..], &["--high-priority-share", "25%", "--output", "json"]].concat();
    let analysis = json(&size(&args));
    let priorities: Vec<&str> = analysis["thresholds"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|t| t["priority"].as_str())
        .collect();
    assert_eq!(priorities, ["DEFAULT", "HIGH"]);
    let rate = analysis["load"]["client_rate"].as_f64().expect("a number");
    assert!((rate - 500.0 * 1.5 * 1.2).abs() < 1e-9, "{rate}");
}

#[test]
fn the_high_priority_has_a_forecast_of_its_own() {
    let args = [&MINIMAL[..], &["--high-priority-share", "25%", "--output", "json"]].concat();
    let analysis = json(&size(&args));
    let forecast = &analysis["forecast"];
    let number = |value: &Value| value.as_f64().expect("a number");
    let uses = [&forecast["use_at_peak"], &forecast["high_use_at_peak"]];
    let offered = uses.map(|used| number(&used["max_requests"]));
    assert!((offered[0] - 3.0 * offered[1]).abs() < 1e-9, "a quarter is HIGH: {offered:?}");
    for ((used, offered), threshold) in
        uses.iter().zip(offered).zip(analysis["thresholds"].as_array().unwrap())
    {
        // Erlang B by its recursion, slot by slot.
        let slots = threshold["max_requests"].as_u64().unwrap();
        let refused = (1..=slots).fold(1.0, |b, n| offered * b / (n as f64 + offered * b));
        let shown = number(&used["requests_refused"]);
        assert!((shown / refused - 1.0).abs() < 1e-6, "{shown} for {refused}");
    }
    assert_eq!(uses[0]["requests_refused"], forecast["refused_at_peak"]);
    let text =
        stdout(&size(&[&MINIMAL[..], &["--high-priority-share", "25%", "--output", "markdown"]].concat()));
    let high = text.split("Thresholds, priority HIGH").nth(1).expect("there is a table");
    let row = high.lines().find(|line| line.starts_with("| `max_requests`")).expect("there is a row");
    assert_eq!(row.matches('|').count(), 6, "{row}");
    assert_eq!(
        json(&size(&[&MINIMAL[..], &["--output", "json"]].concat()))["forecast"]["high_use_at_peak"],
        Value::Null
    );
}

#[test]
fn markdown_is_the_whole_review_pack() {
    let text = stdout(&size(&["--preset", "sidecar-mesh", "--output", "markdown"]));
    let path = format!("{}/tests/golden/review/sidecar-mesh.md", env!("CARGO_MANIFEST_DIR"));
    expect_test::expect_file![path].assert_eq(&text);
    assert_all_in(&text, &["one run of 60 s a cell with seed 42", "The link: `#v=1&name=checkout"]);
}

#[test]
fn the_simulation_can_be_left_out() {
    let all = [&MINIMAL[..], &["--output", "markdown", "--no-simulation"]].concat();
    let text = stdout(&size(&all));
    assert_all_in(&text, &["Left out: no fault was simulated for this document."]);
    assert!(!text.contains("seed 42"), "{text}");
}

#[test]
fn tables_of_markdown_are_regular_whatever_the_name() {
    let args = [&MINIMAL[..], &["--name", "a|b`c<d>*e*", "--output", "markdown", "--no-simulation"]].concat();
    let text = stdout(&size(&args));
    assert!(text.starts_with("# a\\|b’c\\<d>\\*e\\*: size"), "{text}");
    let mut columns = None;
    for line in text.lines() {
        let bars = line.replace("\\|", "").matches('|').count();
        match columns {
            Some(n) if line.starts_with('|') => assert_eq!(bars, n, "{line}"),
            _ => columns = line.starts_with('|').then_some(bars),
        }
    }
}

#[test]
fn help_is_derived_from_the_inputs() {
    let text = stdout(&size(&["--help"]));
    for p in headroom::engine::params::PARAMS {
        assert_all_in(&text, &[&format!("--{}", p.key.replace('_', "-"))]);
    }
    assert_all_in(&text, &["Traffic:", "Margins:", "Examples:", "whole numbers 1 to 1,000,000; default: 1"]);
    assert_eq!(stdout(&run(&["help", "size"])), text);
    assert_all_in(&stdout(&run(&["help"])), &["Usage: headroom <COMMAND>", "size"]);
    assert_eq!(stdout(&run(&["--version"])), format!("headroom {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn no_colors_without_a_terminal() {
    for args in [&["size", "--rps", "-5"][..], &["size", "--rpz"], &["help"]] {
        let output = run(args);
        let bytes = [output.stdout, output.stderr].concat();
        assert!(!bytes.contains(&0x1b), "{args:?}");
    }
}

#[test]
fn a_reader_that_stops_is_no_failure() {
    let mut child = headroom(&["size", "--preset", "sidecar-mesh", "--output", "json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // The pipe is closed before the answer is written, or while it is.
    drop(child.stdout.take());
    let mut stderr = String::new();
    child.stderr.take().expect("piped above").read_to_string(&mut stderr).expect("messages are text");
    let status = child.wait().expect("the program ends");
    assert_eq!((status.code(), stderr.as_str()), (Some(0), ""));
}

#[test]
fn markdown_writes_every_number_in_one_style() {
    let text = stdout(&size(&["--preset", "worked-example", "--output", "markdown"]));
    let rows: Vec<Vec<&str>> = text
        .lines()
        .skip_while(|line| *line != "## Numbers")
        .map(|line| line.split(" | ").collect())
        .collect();
    let value = |id: &str| {
        let row = rows.iter().find(|row| row[0] == format!("| `{id}`"));
        row.unwrap_or_else(|| panic!("{id} is not in:\n{text}"))[1]
    };
    assert_eq!(value("default.min_retry_concurrency.chosen"), "1 retry");
    assert_eq!(value("timeouts.route.deadline"), "1,000 ms");
    for row in &rows {
        let Some(value) = row.get(1) else { continue };
        assert!(!value.ends_with(" share"), "{row:?}");
        assert!(
            !(value.starts_with("1 ")
                && value.split(' ').nth(1).is_some_and(|w| w.ends_with('s') && w != "ms")),
            "{row:?}"
        );
        assert!(!value.ends_with("0,000 ms"), "from ten seconds on in seconds: {row:?}");
    }
}

#[test]
fn nothing_is_said_of_retries_that_are_off() {
    let args = [&MINIMAL[..], &["--retry-overhead", "0"]].concat();
    let markdown = stdout(&size(&[&args[..], &["--output", "markdown"]].concat()));
    assert_all_in(
        &markdown,
        &["| `retry_budget` | off | off | none | none |\n", "\nOff: they may add no load.\n"],
    );
    // The account of numbers says why Envoy's default is not it.
    let markdown = markdown.split("## Numbers").next().unwrap_or_default();
    assert!(
        !markdown.contains("at once at least")
            && !markdown.contains("retries at once")
            && !markdown.contains("latency with retries"),
        "{markdown}"
    );
    let late = [&MINIMAL[..], &["--deadline-ms", "20", "--output", "markdown"]].concat();
    assert_all_in(&stdout(&size(&late)), &["\nOff: a second attempt does not fit into the route timeout.\n"]);
    let yaml = stdout(&size(&args));
    assert!(yaml.contains("# retries are off\n") && !yaml.contains("at once"), "{yaml}");
}

#[test]
fn timeouts_of_the_configuration_are_whole_milliseconds() {
    let args = ["--rps", "500", "--mean", "480.13", "--output"];
    let exact = json(&size(&[&args[..], &["json"]].concat()));
    let route = exact["timeouts"]["route_ms"].as_f64().expect("a number");
    assert!(route.fract() > 0.0, "{route}");
    let yaml = stdout(&size(&[&args[..], &["yaml"]].concat()));
    let line =
        yaml.lines().find_map(|line| line.strip_prefix("    timeout: ")).expect("the route has a timeout");
    assert_eq!(line.trim_end_matches('s').parse::<f64>(), Ok(route.floor() / 1000.0), "{line}");
}

#[cfg(target_os = "linux")]
#[test]
fn an_answer_that_cannot_be_written_is_no_finding() {
    for args in [&["size", "--preset", "sidecar-mesh"][..], &["help"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
        let output = headroom(args).stdout(full).stderr(Stdio::piped()).output().expect("the program starts");
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.starts_with("headroom: the answer cannot be written to standard output: "), "{text}");
    }
}

/// The commands of the README, in an empty folder with the program where cargo puts it.
#[cfg(unix)]
#[test]
fn the_examples_of_the_readme_work_as_written() {
    let readme = include_str!("../../README.md");
    let sections = ["## On the command line\n", "## Audit\n", "## Inputs\n"].map(|title| {
        let section = readme.split(title).nth(1).expect("the section exists");
        section.split("\n## ").next().expect("a split has a first part")
    });
    let lines = sections.iter().flat_map(|section| section.lines()).filter_map(|l| l.strip_prefix("    "));
    let commands: String = lines.flat_map(|l| [l, "\n"]).collect();
    assert!(commands.matches("headroom size").count() >= 4, "{commands}");
    assert!(commands.matches("headroom audit").count() >= 4, "{commands}");
    assert!(commands.matches("headroom inputs").count() >= 2, "{commands}");
    let folder = std::env::temp_dir().join(format!("headroom-{}-readme", std::process::id()));
    let release = folder.join("target/release");
    std::fs::create_dir_all(&release).expect("the temporary folder can be written");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_headroom"), release.join("headroom")).expect("as above");
    // What the examples need besides Headroom is not there in every test run.
    // An audit may have findings.
    let audits = "headroom() { command headroom \"$@\" || [ \"$1$?\" = audit1 ]; }";
    let script = format!("set -e\ncargo() {{ :; }}\nenvoy() {{ test -s \"$4\"; }}\n{audits}\n{commands}");
    let output = std::process::Command::new("sh").arg("-c").arg(script).current_dir(&folder).output();
    let _ = std::fs::remove_dir_all(&folder);
    let output = output.expect("a shell starts");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && text.is_empty(), "{text}");
}

#[test]
fn a_picture_is_one_svg() {
    let text = stdout(&size(&[&MINIMAL[..], &["--name", "a<b", "--output", "svg"]].concat()));
    assert!(text.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""), "{text}");
    assert!(text.ends_with("</svg>\n"));
    assert_all_in(
        &text,
        &["<title id=\"hr-card-title\">Limits of a&lt;b</title>", "Timeout ladder", "what trips first"],
    );
}
