//! Measures over runs, and the verdict in words, from reports made by hand.

use super::mesh;
use headroom::engine::sim::compare::{PolicyName, rows};
use headroom::engine::sim::faults_file::{Stage, from_shorthand};
use headroom::engine::sim::setup::{Plan, prepare};
use headroom::engine::sim::verdict::{Side, Status, Verdict, verdict};
use headroom::engine::sim::{Before, Experiment, Policy, Quantiles, Recovery, Report, Shares, Window};

fn window(part: Before, from_s: f64, to_s: f64, outcomes: Shares) -> Window {
    let latency_ms = Quantiles { p99: Some(110.0), ..Quantiles::default() };
    Window { part, from_s, to_s, outcomes, latency_ms, amplification: 1.0 }
}

/// A minute with a fault from 20 s to 40 s.
fn report(before: Shares, during: Shares, after: Shares, recovery: Recovery) -> Report {
    let outcomes = Shares {
        served: before.served + during.served + after.served,
        refused_active: before.refused_active + during.refused_active + after.refused_active,
        timed_out: before.timed_out + during.timed_out + after.timed_out,
        upstream_error: before.upstream_error + during.upstream_error + after.upstream_error,
        ..Shares::default()
    };
    Report {
        outcomes,
        windows: vec![
            window(Before::Before, 0.0, 20.0, before),
            window(Before::During, 20.0, 40.0, during),
            window(Before::After, 40.0, 60.0, after),
        ],
        recovery: Some(recovery),
        weight: 1.0,
        amplification: 1.0,
        ..Report::default()
    }
}

fn shares(served: u64, refused_active: u64, timed_out: u64) -> Shares {
    Shares { served, refused_active, timed_out, ..Shares::default() }
}

fn recovery(during_s: Option<f64>, after_s: Option<f64>, hurt: bool) -> Recovery {
    Recovery { goodput_before: 1.0, goodput_lowest: 0.5, during_s, after_s, hurt, lost_s: 1.0 }
}

fn recovers(during_s: f64) -> Report {
    let mut report = report(
        shares(1000, 0, 0),
        shares(960, 0, 40),
        shares(1000, 0, 0),
        recovery(Some(during_s), Some(0.0), true),
    );
    report.counters.insert("outlier_detection.ejections_enforced_total", 200);
    report.counters.insert("outlier_detection.ejections_enforced_consecutive_gateway_failure", 200);
    report
}

fn recovers_after(seconds: f64) -> Report {
    let before = shares(985, 15, 0);
    report(before, shares(680, 200, 120), before, recovery(None, Some(seconds), true))
}

fn stays_down() -> Report {
    report(shares(1000, 0, 0), shares(300, 700, 0), shares(310, 690, 0), recovery(None, None, true))
}

fn unhurt() -> Report {
    report(shares(1000, 0, 0), shares(1000, 0, 0), shares(1000, 0, 0), recovery(None, Some(0.0), false))
}

fn experiment(fault: &str) -> Experiment {
    let analysis = mesh();
    let stage = Stage { duration: Plan::DEFAULT.duration, hosts: 12, clients: 100 };
    let faults = if fault.is_empty() {
        Vec::new()
    } else {
        from_shorthand(fault, &stage).expect("the fault is right").list
    };
    prepare(&analysis, &Policy::recommended(&analysis), &faults, &Plan::DEFAULT)
        .expect("the run fits")
        .experiment
}

fn judge(fault: &str, a: &[Report], b: Option<&[Report]>) -> Verdict {
    let analysis = mesh();
    let (recommended, defaults) =
        (Policy::recommended(&analysis), Policy::envoy_defaults(&analysis.scenario));
    let mut sides = vec![Side { name: PolicyName::Recommended, policy: &recommended, reports: a }];
    if let Some(b) = b {
        sides.push(Side { name: PolicyName::EnvoyDefaults, policy: &defaults, reports: b });
    }
    verdict(&experiment(fault), &sides)
}

#[test]
fn a_policy_that_recovers_against_one_that_recovers_later() {
    let verdict =
        judge("latency", &[recovers(9.0), recovers(9.4)], Some(&[recovers_after(3.0), recovers_after(3.4)]));
    let words: Vec<&str> = verdict.statuses.iter().map(|s| s.words.as_str()).collect();
    assert_eq!(
        words,
        ["Recommended recovers during the fault", "Envoy's default recovers only after the fault"]
    );
    // A fifth of twelve hosts.
    assert_eq!(
        verdict.sentence,
        "Two hosts turn slow. The recommended policy serves as before again after 9.2\u{a0}s. Envoy's default \
         policy serves 68% while it lasts and recovers 3.2\u{a0}s after its end, and refuses 1.5% even before it."
    );
    let reason = verdict.reason.unwrap();
    assert_eq!(reason.lead, "What those 9.2\u{a0}s cost");
    let timeout = "cut by the route timeout of 950\u{a0}ms";
    assert_eq!(
        reason.words,
        format!(
            "4% of requests during the fault, {timeout}. Each of 100 proxies must see three gateway failures of a \
             host in a row before it ejects it."
        )
    );
}

/// Nothing is refused before the fault, and it ends with its cause.
fn recovers_with_its_end(served: u64) -> Report {
    let before = shares(1000, 0, 0);
    report(before, shares(served, 1000 - served, 0), before, recovery(None, Some(0.0), true))
}

#[test]
fn what_is_the_same_for_both_is_said_once() {
    let said = |a: &[Report], b: &[Report]| judge("breaker_overflow", a, Some(b)).sentence;
    assert_eq!(
        said(&[recovers_with_its_end(427)], &[recovers_with_its_end(983)]),
        "Every host turns slow. While it lasts, the recommended policy serves 42.7%, Envoy's default policy 98.3%; \
         both recover with its end."
    );
    // What differs is said of each.
    let each = said(&[recovers_with_its_end(427)], &[recovers_after(3.0)]);
    assert!(each.contains("serves 42.7% while it lasts and recovers with its end."), "{each}");
    assert!(each.contains("and recovers 3\u{a0}s after its end, and refuses 1.5% even before it."), "{each}");
}

#[test]
fn a_sentence_has_the_digits_of_the_table() {
    let (a, b) = ([recovers_with_its_end(427)], [recovers_with_its_end(983)]);
    let sentence = judge("breaker_overflow", &a, Some(&b)).sentence;
    let row = rows(&a, Some(&b)).into_iter().find(|row| row.measure.key == "served_during").expect("a row");
    let shown = row.measure.shown(row.a.expect("a value").mean);
    assert!(sentence.contains(&format!("serves {shown},")), "{shown} in {sentence}");
}

#[test]
fn a_policy_that_stays_down() {
    let verdict = judge("load_surge", &[stays_down()], None);
    assert_eq!(verdict.statuses[0].status, Status::StaysDown);
    assert_eq!(verdict.statuses[0].words, "Recommended stays down");
    assert_eq!(
        verdict.sentence,
        "The rate is 3 times as high. The recommended policy serves 30% during it and 31% after it."
    );
    let reason = verdict.reason.unwrap();
    let limit = mesh().thresholds[0].max_requests;
    assert_eq!(reason.words, format!("70% of requests during the fault, refused by max_requests {limit}."));
}

#[test]
fn one_run_of_several_that_stays_down_is_not_lost_in_a_mean() {
    let verdict = judge("load_surge", &[recovers(3.0), stays_down(), recovers(4.0)], None);
    assert_eq!(verdict.statuses[0].words, "Recommended stays down in 1 of 3 runs");
}

#[test]
fn reasons_need_a_counter() {
    // Nothing in the counters about ejections or retries: nothing is said of them.
    let mut quiet = recovers(9.0);
    quiet.counters.clear();
    let words = judge("latency", &[quiet.clone()], None).reason.unwrap().words;
    assert!(!words.contains("eject") && !words.contains("retr"), "{words}");
    quiet.counters.insert("outlier_detection.ejections_overflow", 7);
    quiet.counters.insert("upstream_rq_retry_overflow", 30);
    quiet.counters.insert("upstream_rq_retry", 10);
    let words = judge("latency", &[quiet], None).reason.unwrap().words;
    assert!(words.contains("of 12 hosts lets none go."), "{words}");
    assert!(words.contains("The retry budget refused 75% of the retries."), "{words}");
}

#[test]
fn no_loss_needs_no_reason() {
    let verdict = judge("host_5xx", &[unhurt()], None);
    assert_eq!(verdict.statuses[0].words, "Recommended holds through the fault");
    assert_eq!(verdict.sentence, "One host answers 503. The recommended policy serves 100% during it.");
    assert_eq!(verdict.reason, None);
}

#[test]
fn ties_are_called_ties() {
    let verdict = judge("latency", &[recovers(9.0), recovers(8.0)], Some(&[recovers(8.5), recovers(8.6)]));
    assert_eq!(
        verdict.sentence,
        "Two hosts turn slow. Both serve 96% during the fault: two runs show no difference."
    );
    // One run cannot tell 9.0 s from 8.5 s, so it says both.
    let verdict = judge("latency", &[recovers(9.0)], Some(&[recovers(8.5)]));
    assert!(verdict.sentence.contains("after 9\u{a0}s. Envoy's default policy"), "{}", verdict.sentence);
    let verdict = judge("latency", &[recovers(9.0)], Some(&[recovers(9.0)]));
    assert!(verdict.sentence.ends_with("this run shows no difference."), "{}", verdict.sentence);
}

#[test]
fn without_a_fault_it_says_what_is_served() {
    let quiet = Report { outcomes: shares(99_990, 10, 0), weight: 1.0, ..Report::default() };
    let verdict = judge("", &[quiet], None);
    assert_eq!(verdict.statuses[0].status, Status::NoFault);
    assert_eq!(verdict.sentence, "The recommended policy serves 99.99% and refuses 0.01%.");
}

#[test]
fn sentences_keep_to_four_numbers() {
    let both = [recovers_after(3.0), recovers_after(3.4)];
    let other = [recovers_after(7.0), recovers_after(7.5)];
    let text = judge("latency", &both, Some(&other)).sentence;
    let n = text.split([' ', '\u{a0}']).filter(|w| w.starts_with(|c: char| c.is_ascii_digit())).count();
    assert_eq!(n, 4, "{text}");
}

#[test]
fn rows_have_means_intervals_and_paired_differences() {
    let a = [recovers(9.0), recovers(11.0)];
    let b = [recovers(8.0), recovers(10.0)];
    let table = rows(&a, Some(&b));
    let row = |key: &str| table.iter().find(|r| r.measure.key == key).expect("the row is there");
    let recovery = row("recovery_s");
    let spread = recovery.a.unwrap();
    assert!((spread.mean - 10.0).abs() < 1e-12);
    // s = √2, t(0.975, 1) = 12.706: 12.706 · √2 / √2.
    assert!((spread.half_width.unwrap() - 12.706).abs() < 1e-9);
    // In pairs the difference is one second, without any spread.
    let difference = recovery.difference.unwrap();
    assert!((difference.mean - 1.0).abs() < 1e-12 && difference.half_width.unwrap() < 1e-12);
    assert_eq!(recovery.differs(), Some(true));
    assert_eq!(row("served_during").differs(), Some(false));
    assert_eq!(recovery.measure.shown(spread.mean), "10\u{a0}s");
    assert_eq!(row("served_during").measure.shown(0.9598), "95.9%");
    assert!(!table.iter().any(|r| r.measure.key == "failed"));
    // A run that stays down has no recovery, and its row is of the others.
    let mixed = rows(&[recovers(9.0), stays_down()], None);
    let spread = mixed.iter().find(|r| r.measure.key == "recovery_s").unwrap().a.unwrap();
    assert_eq!(spread.n, 1);
}
