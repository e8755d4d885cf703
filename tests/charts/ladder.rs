//! The timeout ladder.

use crate::support::{analysis, assert_clean, assert_well_formed, many, worked_example, written};
use headroom::chart::ladder::{Chain, Ladder, Mark, Subject};
use headroom::engine::analysis::{LatencySummary, RetryPolicy, Timeouts};
use headroom::engine::scenario::PRESETS;
use headroom::engine::units::Millis;

/// The clocks of the look.
fn timeouts() -> Timeouts {
    Timeouts {
        connect_ms: Millis(50.0),
        per_try_ms: Some(Millis(220.0)),
        route_ms: Millis(950.0),
        deadline_ms: Some(Millis(1000.0)),
        pool_idle_ms: Millis(60_000.0),
        stream_idle_ms: None,
        max_stream_duration_ms: None,
        grpc_timeout_header_max_ms: None,
        all_attempts_ms: Millis(560.0),
    }
}

fn retry(num_retries: u32) -> RetryPolicy {
    RetryPolicy {
        retry_on: vec!["connect-failure"],
        num_retries,
        backoff_base_ms: Millis(20.0),
        backoff_max_ms: Millis(200.0),
        amplification_cap: 2.0,
        previous_hosts: true,
    }
}

fn ladder(timeouts: &Timeouts, num_retries: u32) -> Ladder {
    let latency = LatencySummary {
        mean_ms: Millis(39.5),
        mean_bounds_ms: (Millis(18.2), None),
        p50_ms: Millis(35.0),
        p99_ms: Millis(110.0),
        p999_ms: Millis(160.0),
    };
    let retry = retry(num_retries);
    Ladder::new(Subject {
        timeouts,
        retry: &retry,
        latency: &latency,
        deadline_is_given: false,
        streams: false,
    })
}

/// A rung as text: name, note, marks, value.
fn rung(ladder: &Ladder, name: &str) -> (String, Vec<String>, String) {
    let rung =
        ladder.rungs.iter().find(|r| r.name == name).unwrap_or_else(|| panic!("no {name}: {ladder:?}"));
    let marks = rung.marks.iter().map(|mark| match mark {
        Mark::Line(from, to) => format!("line {from} {to}"),
        Mark::Dot(at) => format!("dot {at}"),
        Mark::Wait(from, to) => format!("wait {from} {to}"),
        Mark::Try(from, to) => format!("try {from} {to}"),
        Mark::Pause(from, to) => format!("pause {from} {to}"),
        Mark::Limit(from, to) => format!("limit {from} {to}"),
        Mark::Text(label) => format!("{} {}", label.text, label.at),
    });
    (rung.note.clone(), marks.collect(), rung.value.clone())
}

fn chain(chain: &Chain) -> String {
    let links = chain.links.iter().map(|link| {
        let relation = link.relation.map(|sign| format!("{sign} ")).unwrap_or_default();
        format!("{relation}{} {}", link.value, link.name)
    });
    links.collect::<Vec<_>>().join(" ").replace('\u{a0}', " ")
}

#[track_caller]
fn check(ladder: &Ladder, name: &str, note: &str, marks: &[&str], value: &str) {
    let (found_note, found_marks, found_value) = rung(ladder, name);
    let plain = |text: &str| text.replace('\u{a0}', " ");
    assert_eq!((plain(&found_note).as_str(), plain(&found_value).as_str()), (note, value), "{name}");
    assert_eq!(found_marks.iter().map(|m| plain(m)).collect::<Vec<_>>(), marks, "{name}");
}

#[test]
fn rungs_are_where_the_look_has_them() {
    let l = ladder(&timeouts(), 1);
    check(
        &l,
        "Response",
        "p50 35, p99 110, p99.9 160",
        &["line 0.00% 16.00%", "dot 3.50%", "dot 11.00%", "dot 16.00%"],
        "160 ms",
    );
    let attempt = "connect ≤ 50, then per_try 220";
    check(&l, "Attempt 1", attempt, &["wait 0.00% 5.00%", "try 5.00% 27.00%"], "270 ms");
    check(&l, "Back-off", "random, 0 to 20", &["pause 27.00% 29.00%"], "290 ms");
    let spare = ["wait 29.00% 34.00%", "try 34.00% 56.00%", "line 56.00% 95.00%", "390 ms to spare 75.50%"];
    check(&l, "Attempt 2", attempt, &spare, "560 ms");
    check(&l, "Route timeout", "then Envoy answers 504", &["limit 0.00% 95.00%"], "950 ms");
    check(&l, "Caller’s deadline", "not given, 1,000 assumed", &["limit 0.00% 100.00%"], "1,000 ms");
    assert_eq!(l.cut.map(|at| at.to_string()).as_deref(), Some("95.00%"));
    let ticks: Vec<_> = l.labels.iter().map(|label| (label.text.as_str(), label.at.to_string())).collect();
    assert_eq!(ticks.first().map(|(text, at)| (*text, at.as_str())), Some(("0", "0.00%")));
    assert_eq!(ticks.last().map(|(text, at)| (*text, at.as_str())), Some(("1,000", "100.00%")));
    assert_eq!(l.grid.len(), 6);
    assert_eq!(
        chain(&l.chain),
        "50 connect < 220 per_try < 560 both attempts ≤ 950 route < 1,000 ms deadline"
    );
    assert_eq!((l.chain.holds(), l.chain.verdict()), (true, "In order"));
}

#[test]
fn the_ladder_is_written_as_the_look_has_it() {
    let l = ladder(&timeouts(), 1);
    let (rows, chain) = (written(|out| l.write(out)), written(|out| l.chain.write(out)));
    for element in [
        "<li><span>Back-off<small>random, 0 to 20</small></span>",
        r#"<line class="hr-bar hr-bar--range" x1="27.00%" x2="29.00%" y1="50%" y2="50%"/>"#,
        r#"<circle class="hr-mark hr-bar--ink" cx="3.50%" cy="50%" r="4"/>"#,
        r#"<li class="hr-rows__axis" aria-hidden="true"><small>ms after the request is complete</small>"#,
    ] {
        assert!(rows.contains(element), "{element} is not in {rows}");
    }
    assert!(chain.contains(r#"role="img" aria-label="In order""#), "{chain}");
    assert!(chain.contains(r"&lt;</i><span><b>220</b> <small>per_try</small></span>"), "{chain}");
}

#[test]
fn without_a_clock_of_its_own_an_attempt_runs_to_the_route_timeout() {
    let l = ladder(&Timeouts { per_try_ms: None, ..timeouts() }, 1);
    let note = "connect ≤ 50, then no clock of its own";
    check(&l, "Attempt 1", note, &["wait 0.00% 5.00%", "try 5.00% 95.00%"], "950 ms");
    check(&l, "Back-off", "random, 0 to 20", &["pause 5.00% 7.00%"], "70 ms");
    check(
        &l,
        "Attempt 2",
        "only after a failed connect",
        &["wait 7.00% 12.00%", "try 12.00% 95.00%"],
        "950 ms",
    );
    assert_eq!(chain(&l.chain), "50 connect < 950 route < 1,000 ms deadline");
}

#[test]
fn a_per_try_clock_that_the_route_outruns_is_ignored_as_envoy_does() {
    let l = ladder(&Timeouts { per_try_ms: Some(Millis(950.0)), ..timeouts() }, 0);
    check(
        &l,
        "Attempt",
        "connect ≤ 50, then no clock of its own",
        &["wait 0.00% 5.00%", "try 5.00% 95.00%"],
        "950 ms",
    );
    assert!(!l.chain.holds());
    assert_eq!(l.chain.verdict(), "Out of order");
    assert!(chain(&l.chain).starts_with("50 connect < 950 per_try > 560 connect and attempt"));
}

#[test]
fn the_route_timeout_cuts_attempts_that_do_not_fit() {
    let l = ladder(
        &Timeouts { per_try_ms: Some(Millis(500.0)), all_attempts_ms: Millis(1120.0), ..timeouts() },
        1,
    );
    check(
        &l,
        "Attempt 2",
        "connect ≤ 50, then per_try 500",
        &["wait 57.00% 62.00%", "try 62.00% 95.00%"],
        "950 ms",
    );
    assert!(chain(&l.chain).contains("1,120 both attempts > 950 route"));
}

#[test]
fn back_off_doubles_up_to_its_maximum_and_long_policies_are_cut_short() {
    let slow = Timeouts { route_ms: Millis(9000.0), deadline_ms: Some(Millis(9500.0)), ..timeouts() };
    let l = ladder(&slow, 9);
    let notes: Vec<String> = ["Back-off 1", "Back-off 2", "Back-off 3"].map(|name| rung(&l, name).0).to_vec();
    assert_eq!(notes, ["random, 0 to 20", "random, 0 to 40", "random, 0 to 80"]);
    check(&l, "Attempts 5 to 10", "not drawn", &[], "560 ms");
}

#[test]
fn streams_have_other_clocks() {
    let streams = PRESETS.iter().find(|p| p.key == "streams").expect("the preset exists");
    let l = Ladder::of(&analysis(streams.draft(), &[]));
    assert_eq!(rung(&l, "Route timeout").2, "off");
    assert_eq!(l.cut, None);
    assert!(l.rungs.iter().all(|rung| !rung.name.starts_with("Attempt")));
    for name in ["Stream life", "Idle timeout", "Longest stream"] {
        assert!(rung(&l, name).2.ends_with("min"), "{l:?}");
    }
    assert!(chain(&l.chain).contains("idle ≤"), "{}", chain(&l.chain));
    assert_eq!(l.axis_note, "min, each from its own start");
}

#[test]
fn every_scenario_has_a_ladder_in_order() {
    for (name, analysis) in many() {
        let l = Ladder::of(&analysis);
        assert_clean(&name, &format!("{l:?}"));
        assert_well_formed(&name, &written(|out| l.write(out)));
        assert_well_formed(&name, &written(|out| l.chain.write(out)));
        assert!(l.chain.holds(), "{name}: {}", chain(&l.chain));
        assert!(l.grid.len() <= 7, "{name}: {:?}", l.grid);
    }
    let idempotent = analysis(worked_example(), &[(headroom::engine::params::ParamId::Idempotent, "true")]);
    let l = Ladder::of(&idempotent);
    assert!(chain(&l.chain).contains("per_try"), "{}", chain(&l.chain));
}
