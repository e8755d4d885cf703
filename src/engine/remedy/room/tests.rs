//! The search against trying every number.

use super::{Goal, Room};
use crate::engine::rules::tests::scenario;
use crate::engine::scenario::Scenario;
use crate::engine::sizing::{Sizing, size};

fn sizing(s: &Scenario) -> Sizing {
    size(s).unwrap_or_else(|problems| panic!("{problems:?}"))
}

/// Whether no ceiling cuts a recommendation, according to the sizing itself.
fn is_open(s: &Scenario) -> bool {
    sizing(s).priorities.iter().all(|p| !p.window.is_shut() && !p.window.is_tight())
}

fn serves_peak(s: &Scenario) -> bool {
    sizing(s).priorities.iter().all(|p| !p.window.is_shut())
}

/// Tight and shut windows of many shapes.
fn cases() -> impl Iterator<Item = Scenario> {
    [
        "rps=500 p50=35 p99=110 hosts=10 clients=100 host_concurrency=64",
        "rps=500 p50=35 p99=110 hosts=11 clients=130 host_concurrency=64",
        "rps=500 p50=35 p99=110 hosts=10 clients=100 host_concurrency=64 high_priority_share=0.3",
        "host_concurrency=24",
        "host_concurrency=52",
        "host_concurrency=20",
        "hosts=1 clients=1 host_concurrency=300",
        "rps=1 clients=900 hosts=3 host_concurrency=5",
        "clients=40 host_concurrency=55.5",
        "clients=333 rps=3000 hosts=40 host_concurrency=47 slowdown=1.3",
        "clients=50 rps=2000 hosts=12 host_concurrency=100 shed_target=0.01",
        "clients=1000 high_priority_share=0.5",
    ]
    .into_iter()
    .map(scenario)
}

#[test]
fn every_case_needs_room() {
    assert!(cases().all(|s| !is_open(&s)));
}

#[test]
fn the_number_of_proxies_is_the_largest_below_todays() {
    for s in cases() {
        let with = |clients| Scenario { clients, ..s.clone() };
        let tried = (1..s.clients).rev().find(|n| is_open(&with(*n)));
        assert_eq!(Room::new(&s, &sizing(&s), Goal::Recommended).clients(), tried, "{s:?}");
        let tried = (1..s.clients).rev().find(|n| serves_peak(&with(*n)));
        assert_eq!(Room::new(&s, &sizing(&s), Goal::Floor).clients(), tried, "{s:?}");
    }
}

#[test]
fn hosts_and_strength_are_the_smallest_above_todays() {
    for s in cases() {
        let z = sizing(&s);
        let room = Room::new(&s, &z, Goal::Recommended);
        let lost = |hosts| if s.hosts == 1 && hosts > 1 { 1 } else { s.hosts_lost };
        let with = |hosts| Scenario { hosts, hosts_lost: lost(hosts), ..s.clone() };
        let found = room.hosts().expect("more hosts always help here");
        assert_eq!((s.hosts + 1..2000).find(|n| is_open(&with(*n))), Some(found), "{s:?}");
        let with = |each: u32| Scenario { host_concurrency: Some(f64::from(each)), ..s.clone() };
        let found = room.host_concurrency().expect("stronger hosts always help here");
        assert_eq!((1..5000).find(|n| is_open(&with(*n))).map(f64::from), Some(found), "{s:?}");
    }
}

#[test]
fn the_trap_springs_at_the_first_number_of_proxies_without_a_limit() {
    for s in cases().filter(serves_peak) {
        let with = |clients| Scenario { clients, ..s.clone() };
        let tried = (s.clients + 1..5000).find(|n| !serves_peak(&with(*n)));
        assert_eq!(Room::new(&s, &sizing(&s), Goal::Floor).lost_at(), tried, "{s:?}");
    }
}

#[test]
fn without_a_ceiling_there_is_nothing_to_search() {
    let s = scenario("host_concurrency=");
    let room = Room::new(&s, &sizing(&s), Goal::Recommended);
    assert_eq!((room.hosts(), room.clients(), room.host_concurrency()), (None, None, None));
}
