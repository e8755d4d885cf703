//! Limits: what is too large is refused at once, and nothing takes long.

use crate::support::problems;
use headroom::engine::read::config::{Effect, ProblemKind};
use headroom::engine::read::{read, source::Input};
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// Ten times what the slowest of these takes in a debug build on a slow machine.
const BOUND: Duration = Duration::from_secs(20);

/// Reads in time, and says what is refused.
#[track_caller]
fn refused(what: &str, text: String, kind: &ProblemKind) {
    let start = Instant::now();
    let config = read(&[Input::new(what, text)]);
    let took = start.elapsed();
    println!("{what}: {took:?}");
    assert!(took < BOUND, "{what} took {took:?}");
    let found = problems(&config);
    assert!(found.iter().any(|(_, k, e)| k == kind && *e == Effect::Unread), "{what}: {found:?}");
}

/// Reads in time, whatever comes out.
#[track_caller]
fn quick(what: &str, text: String) {
    let start = Instant::now();
    let config = read(&[Input::new(what, text)]);
    let took = start.elapsed();
    println!(
        "{what}: {took:?}, {} clusters, {} routes, {} problems",
        config.clusters.len(),
        config.routes.len(),
        config.problems.len()
    );
    assert!(took < BOUND, "{what} took {took:?}");
}

#[test]
fn size_depth_and_aliases_have_limits() {
    refused("11 MB", "a: b\n".repeat(11 * 1024 * 1024 / 5), &ProblemKind::Limit);
    refused("deep JSON", "[".repeat(100_000), &ProblemKind::Limit);
    refused("deep flow", format!("a: {}", "[".repeat(100_000)), &ProblemKind::Limit);
    refused("deep block", "- ".repeat(5_000), &ProblemKind::Limit);
    let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for n in 1..12 {
        let _ = writeln!(bomb, "a{n}: &a{n} [{}]", vec![format!("*a{}", n - 1); 10].join(", "));
    }
    refused("alias bomb", bomb, &ProblemKind::Limit);
    let mut tower = String::from("a0: &a0 [x]\n");
    for n in 1..400 {
        let _ = writeln!(tower, "a{n}: &a{n} [*a{}]", n - 1);
    }
    refused("alias tower", tower, &ProblemKind::Limit);
    refused(
        "merge bomb",
        format!(
            "a: &a {{{}}}\nb: [{}]\n",
            (0..2000).map(|n| format!("k{n}: 1")).collect::<Vec<_>>().join(", "),
            vec!["{<<: *a}"; 2000].join(", ")
        ),
        &ProblemKind::Limit,
    );
    refused("values", format!("[{}]", "1,".repeat(2_500_000)), &ProblemKind::Limit);
    refused("documents", "---\na\n".repeat(50_000), &ProblemKind::Limit);
}

#[test]
fn odd_shapes_are_quick() {
    let n = 30_000;
    let keys = (0..n).map(|k| format!("k{k}: 1")).collect::<Vec<_>>().join("\n  ");
    quick("unknown fields", format!("name: a\nconnect_timeout: 1s\ncircuit_breakers:\n  {keys}\n"));
    quick(
        "clusters of one name",
        format!(
            "clusters:\n{}routes:\n{}",
            "- {name: a, connect_timeout: 1s}\n".repeat(n),
            "- {match: {}, route: {cluster: a}}\n".repeat(n)
        ),
    );
    quick("thresholds", format!("thresholds:\n{}", "- {max_requests: 1}\n".repeat(n)));
    quick("broken documents", "---\na: [\n".repeat(n));
    quick("broken items", "- a: [\n".repeat(n));
    quick("quotes", "\"".repeat(n));
    quick("dashes", "- \n".repeat(n));
    quick("keys of keys", "? ".repeat(n));
    quick("braces", "{{".repeat(n));
    quick("a long line", format!("name: {}\nconnect_timeout: 1s\n", "x".repeat(2_000_000)));
    quick(
        "a long key",
        format!(
            "{{\"{}\": {{\"name\": \"a\", \"circuit_breakers\": {{{}}}}}}}",
            "k".repeat(1_000_000),
            (0..n).map(|k| format!("\"k{k}\": 1")).collect::<Vec<_>>().join(",")
        ),
    );
    quick(
        "words",
        format!(
            "match: {{}}\nroute: {{cluster: a, retry_policy: {{retry_on: '{}'}}}}\n",
            "5xx,".repeat(200_000)
        ),
    );
    quick(
        "inherited words",
        format!(
            "name: r\nvirtual_hosts:\n- name: v\n  domains: ['*']\n  retry_policy: {{retry_on: '{}'}}\n  routes:\n{}",
            "5xx,".repeat(50_000),
            "  - {match: {}, route: {cluster: a}}\n".repeat(n)
        ),
    );
    quick(
        "runtime keys",
        format!(
            "layered_runtime: {{layers: [{{static_layer: {{{}}}}}]}}",
            (0..n)
                .map(|k| format!("circuit_breakers.c{k}.default.max_requests: 1"))
                .collect::<Vec<_>>()
                .join(", ")
        ),
    );
    let subsets = (0..n).map(|k| format!("{{name: s{k}}}")).collect::<Vec<_>>().join(", ");
    quick(
        "subsets",
        format!(
            "apiVersion: networking.istio.io/v1\nkind: DestinationRule\nspec:\n  host: a\n  trafficPolicy:\n    connectionPool:\n      http: {{{}}}\n  subsets: [{subsets}]\n",
            (0..n).map(|k| format!("k{k}: 1")).collect::<Vec<_>>().join(", ")
        ),
    );
    quick("policies of Kuma", "---\ntype: MeshRetry\nmesh: m\nspec: {to: [{targetRef: {kind: Mesh}, default: {http: {numRetries: 1}}}]}\n".repeat(10_000));
}
