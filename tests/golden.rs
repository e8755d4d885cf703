//! Golden texts: every preset in every target, and names that YAML readers trip over.
//!
//! `UPDATE_EXPECT=1 cargo test --no-default-features --features cli --test golden` rewrites them; without the
//! feature there are only Envoy's own targets.

use expect_test::expect_file;
use headroom::engine::analyze;
use headroom::engine::export::{Target, export};
use headroom::engine::scenario::{PRESETS, Preset, Protocol, Scenario};
use headroom::engine::units::{Millis, Rate, Share};

#[track_caller]
fn check(case: &str, scenario: &Scenario) {
    let analysis = analyze(scenario).unwrap_or_else(|problems| panic!("{case}: {problems:?}"));
    for target in Target::ALL {
        let path = format!("{}/tests/golden/{}/{case}.yaml", env!("CARGO_MANIFEST_DIR"), target.as_str());
        expect_file![path].assert_eq(&export(&analysis, target));
    }
}

#[test]
fn presets() {
    for preset in PRESETS {
        check(preset.key, &preset.scenario());
    }
}

#[test]
fn special_names() {
    for (case, name) in [
        ("name-number", "1.0"),
        ("name-null", "null"),
        ("name-comment", "a #b: {c} 'd' \"e\""),
        ("name-unicode", "支払い\u{2028}admin: {} \u{202e}tuokcehc"),
    ] {
        check(case, &Scenario { name: name.to_owned(), ..Preset::first_paint().scenario() });
    }
}

#[test]
fn special_answers() {
    let base = Preset::first_paint().scenario();
    let high = Scenario { high_priority_share: Share(0.2), ..base.clone() };
    check("high-priority", &high);
    check("one-host", &Scenario { hosts: 1, hosts_lost: 0, ..base.clone() });
    // One host can be spared, and it is less than a hundredth of all.
    check("one-of-many", &Scenario { rps: Rate(242_000.0), hosts: 450, clients: 10, ..base.clone() });
    check("trap", &Scenario { clients: 400, ..base.clone() });
    check("ceiling-unknown", &Scenario { host_concurrency: None, ..base.clone() });
    check("no-retries", &Scenario { deadline_ms: Some(Millis(20.0)), ..base.clone() });
    let keep_alive = Scenario { upstream_keepalive_s: Some(0.01), protocol: Protocol::Http1, ..base };
    check("short-keep-alive", &keep_alive);
}
