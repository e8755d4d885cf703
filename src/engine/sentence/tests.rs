use super::{Headline, Status, headline};
use crate::engine::rules::tests::scenario;
use crate::engine::rules::{Context, check_all};
use crate::engine::scenario::{PRESETS, Scenario};
use crate::engine::sizing::size;
use crate::engine::ways_out::ways;

fn answer(s: &Scenario) -> Headline {
    let z = size(s).unwrap_or_else(|problems| panic!("{problems:?}"));
    headline(s, &z, &check_all(&Context { scenario: s, sizing: &z, ways: &ways(s, &z) }))
}

#[track_caller]
fn check(changes: &str, status_text: &str, sentence: &str, reason: &str) {
    let h = answer(&scenario(changes));
    assert_eq!(h.status_text, status_text);
    assert_eq!(h.sentence_text(), sentence);
    assert_eq!(h.reason_text(), reason);
}

/// A hundred sidecars that call ten hosts.
const MESH: &str = "rps=500 p50=35 p99=110 hosts=10 clients=100 host_concurrency=64";

#[test]
fn tight_on_one_value() {
    check(
        MESH,
        "Caution: no room to slow down",
        "Allow each proxy 5 requests in flight. At peak it refuses 1 in 30,000, and all 100 proxies together can hold 500 of the 576 that nine hosts survive.",
        "5 is floor and ceiling at once. Riding out an upstream twice as slow takes 7, and 7 × 100 is 700 in flight. At 5 it refuses 0.19% then.",
    );
}

#[test]
fn tight_with_some_room() {
    check(
        "host_concurrency=52",
        "Caution: less room to slow down than asked",
        "Allow each proxy 182 requests in flight. At peak it refuses fewer than 1 in a trillion, and both proxies together can hold all 364 that seven hosts survive.",
        "182 is the ceiling, and it cuts. Riding out an upstream twice as slow takes 184, and 184 × 2 is 368 in flight. At 182 it refuses 1 in 7,600 then.",
    );
}

#[test]
fn open_with_a_ceiling() {
    check(
        "rps=500 p50=35 p99=110 hosts=12 clients=100 host_concurrency=64",
        "Fits: the window is open",
        "Allow each proxy 7 requests in flight. At peak it refuses 1 in 10 million, and all 100 proxies together can hold 700 of the 704 that eleven hosts survive.",
        "7 rides out an upstream twice as slow with 25% retries on top; it refuses 1 in 28,000 then. The window is 5 to 7.",
    );
}

#[test]
fn one_proxy_and_unknown_hosts() {
    check(
        "clients=1 skew=1 host_concurrency=",
        "Fits the peak: what the hosts survive is unknown",
        "Allow the proxy 288 requests in flight. At peak it refuses fewer than 1 in a trillion. What seven hosts survive is not known.",
        "288 rides out an upstream twice as slow with 25% retries on top; it refuses 1 in 11,000 then. The floor is 130; no ceiling is known.",
    );
}

#[test]
fn one_proxy_and_one_host() {
    check(
        "hosts=1 clients=1",
        "Fits: the window is open",
        "Allow the proxy 340 requests in flight. At peak it refuses fewer than 1 in a trillion. One host survives 400.",
        "340 rides out an upstream twice as slow with 25% retries on top; it refuses 1 in 12,000 then. The window is 151 to 400.",
    );
}

#[test]
fn the_trap() {
    check(
        "rps=500 p50=35 p99=110 hosts=11 clients=130 host_concurrency=64",
        "No limit fits: the distributed-limit trap",
        "No limit per proxy both serves and protects: the healthy peak needs 5 in each of 130 proxies, 650 in all, but ten hosts survive 640.",
        "5 lets the fleet overrun the hosts, and 4 refuses 1 in 5,600 of the healthy peak. The limit belongs where the traffic meets, at the hosts. The output has 5, the floor.",
    );
}

#[test]
fn the_trap_of_a_single_proxy() {
    check(
        "hosts=2 host_concurrency=150 clients=1",
        "No limit fits: the distributed-limit trap",
        "No limit both serves and protects: the healthy peak needs 151 in flight in the proxy, but one host survives 150.",
        "151 lets the fleet overrun the hosts, and 150 refuses 1 in 7,700 of the healthy peak. More hosts are the way out. The output has 151, the floor.",
    );
}

#[test]
fn too_few_hosts_for_the_peak() {
    check(
        "host_concurrency=13",
        "Too small: the hosts cannot carry the peak",
        "No limit helps: the healthy peak takes 95 requests in flight, but seven hosts survive 91.",
        "At least 3.3% of the worst second cannot be served with one host down. A limit only chooses which requests are refused; the hosts need more room first.",
    );
}

#[test]
fn streams_are_open_not_in_flight() {
    check(
        "protocol=grpc_stream stream_p99=300 rps=5 deadline_ms=",
        "Fits: the window is open",
        "Allow each proxy 1,368 open streams. At peak it refuses fewer than 1 in a trillion, and both proxies together can hold 2,736 of the 2,800 that seven hosts survive.",
        "1,368 rides out an upstream twice as slow with 25% retries on top; it refuses 1 in 10,000 then. The window is 577 to 1,400.",
    );
}

#[test]
fn high_priority_has_its_own_number() {
    check(
        "high_priority_share=0.2",
        "Fits: the window is open",
        "Allow each proxy 151 requests in flight, and 50 of priority HIGH. At peak it refuses fewer than 1 in a trillion, and both proxies together can hold 402 of the 2,800 that seven hosts survive.",
        "151 rides out an upstream twice as slow with 25% retries on top; it refuses 1 in 10,000 then. The window is 71 to 1,374.",
    );
}

#[test]
fn nothing_asked_for_beyond_the_peak() {
    check(
        "slowdown=1 retry_overhead=0 clients=1",
        "Fits: the window is open",
        "Allow the proxy 151 requests in flight. At peak it refuses 1 in 10,000. Seven hosts survive 2,800.",
        "151 carries the peak, and no slowdown was asked for. The window is 151 to 2,800.",
    );
}

#[test]
fn another_error_makes_the_status_red() {
    let h = answer(&scenario("deadline_ms=150"));
    assert_eq!(
        (h.status, h.status_text.as_str()),
        (Status::Danger, "Broken: the deadline cuts healthy requests")
    );
}

#[test]
fn every_preset_stays_within_four_strong_numbers_and_three_lines() {
    // Three lines of the answer column hold about this many characters at the sentence's size.
    const THREE_LINES: usize = 190;
    let extreme = ["high_priority_share=0.3 clients=100", "rps=1e6 host_concurrency=1e7 clients=1000000"];
    let scenarios = PRESETS.iter().map(super::super::scenario::Preset::scenario).chain(extreme.map(scenario));
    for s in scenarios {
        let h = answer(&s);
        assert!(h.sentence.iter().filter(|p| p.strong).count() <= 4, "{}", h.sentence_text());
        assert!(h.sentence_text().chars().count() <= THREE_LINES, "{}", h.sentence_text());
        assert!(!h.reason_text().is_empty() && !h.sentence_text().contains("**"));
    }
}
