//! Settings read from texts and written back.

use super::{analysis, mesh};
use headroom::engine::sim::custom::{KNOBS, change, texts};
use headroom::engine::sim::{Balancing, Nanos, Policy, RetryLimit};
use proptest::prelude::*;

fn fields(result: Result<Policy, Vec<headroom::engine::scenario::Problem>>) -> Vec<(String, String)> {
    result.expect_err("it is refused").into_iter().map(|p| (p.field, p.message)).collect()
}

#[test]
fn every_setting_is_read_and_written() {
    let before = Policy::envoy_defaults(&mesh().scenario);
    let set = [
        ("max_requests", "64"),
        ("max_connections", "1,200"),
        ("max_pending_requests", "0"),
        ("budget_percent", "12.5"),
        ("min_retry_concurrency", "1"),
        ("retry_on", "reset,connect-failure,retriable-status-codes"),
        ("num_retries", "2"),
        ("retriable_status_codes", "502,503"),
        ("per_try_timeout", "0.25s"),
        ("hedge_on_per_try_timeout", "on"),
        ("timeout", "2s"),
        ("connect_timeout", "100ms"),
        ("idle_timeout", "30"),
        ("outlier_detection", "on"),
        ("consecutive_5xx", "7"),
        ("consecutive_gateway_failure", "3"),
        ("interval", "5"),
        ("base_ejection_time", "400"),
        ("max_ejection_percent", "50"),
        ("always_eject_one_host", "on"),
        ("split_external_local_origin_errors", "on"),
        ("healthy_panic_threshold", "10%"),
        ("lb_policy", "least-request"),
    ];
    let policy = change(&before, set).unwrap();
    for limits in &policy.limits {
        assert_eq!((limits.max_requests, limits.max_connections, limits.max_pending_requests), (64, 1200, 0));
        let RetryLimit::Budget(budget) = limits.retry_limit else { panic!("a budget was set") };
        assert_eq!((budget.budget_percent.to_bits(), budget.min_retry_concurrency), (12.5_f64.to_bits(), 1));
    }
    let retry = policy.route.retry.clone().unwrap();
    assert_eq!(retry.per_try_timeout, Some(Nanos(250_000_000)));
    assert_eq!((retry.num_retries, retry.retriable_status_codes.clone()), (2, vec![502, 503]));
    let outlier = policy.outlier.clone().unwrap();
    assert_eq!(
        (outlier.consecutive_gateway_failure, outlier.enforcing_consecutive_gateway_failure),
        (3, 100)
    );
    // Never below the base.
    assert_eq!(outlier.max_ejection_time, Nanos::from_secs(400.0));
    assert!(outlier.split_external_local_origin_errors && outlier.always_eject_one_host);
    assert_eq!(policy.balancing, Balancing::LeastRequest { choices: 2 });
    assert!(policy.route.hedge_on_per_try_timeout);
    assert_eq!(policy.not_simulated, Vec::<String>::new());
    let written = texts(&policy);
    let text = |key: &str| written.iter().find(|(k, _)| *k == key).map(|(_, text)| text.as_str()).unwrap();
    assert_eq!(text("per_try_timeout"), "250");
    assert_eq!(text("idle_timeout"), "30");
    assert_eq!(text("retry_on"), "reset,connect-failure,retriable-status-codes");
    assert_eq!(text("max_retries"), "");
}

#[test]
fn what_is_written_can_be_typed_back() {
    for policy in [
        Policy::envoy_defaults(&mesh().scenario),
        Policy::recommended(&analysis("sidecar-mesh", |s| s.idempotent = true)),
    ] {
        let written = texts(&policy);
        let typed: Vec<(&str, &str)> =
            written.iter().filter(|(_, t)| !t.is_empty()).map(|(k, t)| (*k, t.as_str())).collect();
        let again = change(&policy, typed.iter().copied()).unwrap();
        assert_eq!(texts(&again), written);
        assert_eq!(again.route, policy.route);
        assert_eq!(again.upstream, policy.upstream);
        assert_eq!(again.limits[0], policy.limits[0]);
    }
}

#[test]
fn all_problems_are_told_at_once() {
    let told = fields(change(
        &Policy::envoy_defaults(&mesh().scenario),
        [
            ("max_reqests", "5"),
            ("max_requests", "many"),
            ("max_connections", "-1"),
            ("num_retries", "1.5"),
            ("connect_timeout", "off"),
            ("retry_on", "rest"),
            ("retriable_status_codes", "42"),
            ("healthy_panic_threshold", "101"),
            ("lb_policy", "MAGIC"),
            ("always_eject_one_host", "maybe"),
        ],
    ));
    let want = [
        ("max_reqests", "“max_reqests” is no setting that can be changed. Did you mean max_requests?"),
        ("max_requests", "“many” is not understood. Enter whole numbers 0 to 4,294,967,295."),
        ("max_connections", "-1 is out of range. Allowed: whole numbers 0 to 4,294,967,295."),
        ("retry_on", "“rest” is not known. Did you mean reset?"),
        ("num_retries", "1.5 is not a whole number. Allowed: whole numbers 0 to 100."),
        ("retriable_status_codes", "“42” is no status code. Enter status codes 100 to 599 with commas."),
        ("connect_timeout", "“off” is not understood. Enter milliseconds from 1\u{a0}ms to a year."),
        ("always_eject_one_host", "“maybe” is not understood. Enter on or off."),
        ("healthy_panic_threshold", "101 is out of range. Allowed: a percentage, 0 to 100."),
    ];
    for (field, message) in want {
        assert!(told.contains(&(field.to_owned(), message.to_owned())), "{field}: {told:#?}");
    }
    assert!(told.iter().any(|(field, m)| field == "lb_policy" && m.contains("ROUND_ROBIN, LEAST_REQUEST")));
}

#[test]
fn changes_that_contradict_each_other_are_problems() {
    let base = Policy::envoy_defaults(&mesh().scenario);
    for (set, field) in [
        (vec![("max_retries", "3"), ("budget_percent", "20")], "max_retries"),
        (vec![("outlier_detection", "off"), ("interval", "5")], "interval"),
        (vec![("num_retries", "2")], "num_retries"),
        (vec![("retry_on", "retriable-status-codes")], "retriable_status_codes"),
        (vec![("retry_on", "reset"), ("hedge_on_per_try_timeout", "on")], "hedge_on_per_try_timeout"),
        (vec![("max_requests", "1"), ("max_requests", "2")], "max_requests"),
    ] {
        let told = fields(change(&base, set.clone()));
        assert_eq!(told.len(), 1, "{told:?}");
        assert_eq!(told[0].0, field, "{set:?}");
    }
}

#[test]
fn a_per_try_timeout_that_envoy_ignores_is_dropped_and_said() {
    let base = Policy::envoy_defaults(&mesh().scenario);
    let set = [("timeout", "1s"), ("per_try_timeout", "1s"), ("retry_on", "reset")];
    let policy = change(&base, set).unwrap();
    assert_eq!(policy.route.retry.unwrap().per_try_timeout, None);
    assert_eq!(
        policy.not_simulated,
        ["per_try_timeout 1,000\u{a0}ms is not below timeout 1,000\u{a0}ms: Envoy ignores it"]
    );
    let policy =
        change(&base, [("timeout", "off"), ("per_try_timeout", "1s"), ("retry_on", "reset")]).unwrap();
    assert_eq!(policy.route.retry.unwrap().per_try_timeout, Some(Nanos::SECOND));
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(at in 0..KNOBS.len(), text in "[-0-9a-zA-Z.,%# ]{0,12}") {
        let base = Policy::envoy_defaults(&mesh().scenario);
        if let Err(problems) = change(&base, [(KNOBS[at].key, text.as_str())]) {
            prop_assert!(!problems.is_empty());
            prop_assert!(problems.iter().all(|p| !p.field.is_empty() && p.message.ends_with(['.', '?'])));
        }
    }
}
