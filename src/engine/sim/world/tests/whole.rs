//! Whole runs: the same seed, the same run; nothing is lost; nothing panics.

use super::*;
use crate::engine::sim::rng::{Purpose, Stream};
use crate::engine::sim::{Budget, FAULTS, Hosts, Pattern, Simulation};

fn pick<T: Clone>(random: &mut Stream, of: &[T]) -> T {
    of[usize::try_from(random.below(of.len() as u64)).expect("an index")].clone()
}

fn chance(random: &mut Stream, of: f64) -> bool {
    random.unit() < of
}

fn some(random: &mut Stream, of: &[u64]) -> Option<Nanos> {
    chance(random, 0.5).then(|| ms(pick(random, of)))
}

/// Any experiment, small.
#[allow(
    clippy::too_many_lines,
    clippy::many_single_char_names,
    reason = "e is the experiment, r its random numbers"
)]
fn any(seed: u64) -> Experiment {
    let mut r = Stream::new(seed, Purpose::Caller, 1);
    let r = &mut r;
    let mut e = base();
    e.run = Run {
        duration: ms(3_000),
        warm_up: ms(pick(r, &[0, 500])),
        seed,
        bucket: ms(pick(r, &[100, 1_000])),
    };
    e.fleet = Fleet {
        simulated: pick(r, &[1, 3]),
        clients: 3,
        workers: pick(r, &[1, 2, 4]),
        envoy_minor: pick(r, &[37, 40]),
    };
    e.load.rate_per_client = pick(r, &[20.0, 100.0, 400.0]);
    e.load.arrivals = pick(
        r,
        &[
            Arrivals::Poisson,
            Arrivals::Poisson,
            Arrivals::Paced,
            Arrivals::Closed { callers: 20, think: ms(50) },
            Arrivals::Closed { callers: 5, think: Nanos::ZERO },
        ],
    );
    if chance(r, 0.3) {
        e.load.patterns = vec![
            Pattern::Burst { every: ms(700), length: ms(100), times: 4.0 },
            Pattern::Surge { from: ms(1_000), to: ms(2_000), times: 0.0 },
            Pattern::Step { at: ms(1_500), times: 2.0 },
        ];
    }
    e.load.high_priority_share = pick(r, &[0.0, 0.3]);
    e.load.caller = Caller { deadline: some(r, &[30, 200]), retries: pick(r, &[0, 2]) };
    let h = &mut e.hosts;
    h.count = pick(r, &[1, 2, 5]);
    h.service = Service::Exponential(ms(pick(r, &[5, 40])));
    h.response = pick(r, &[ResponseShape::AtOnce, ResponseShape::HeadersFirst]);
    h.error_rate = pick(r, &[0.0, 0.2]);
    h.fails_as_grpc = chance(r, 0.2);
    h.slots = pick(r, &[None, Some(3)]);
    h.knee = pick(r, &[None, Some(4.0)]);
    h.connect = ms(pick(r, &[0, 2, 30]));
    h.peer_max_concurrent_streams = pick(r, &[None, Some(3), Some(0)]);
    h.keepalive = some(r, &[5, 50]);
    let p = &mut e.policy;
    for limits in &mut p.limits {
        limits.max_connections = pick(r, &[0, 2, 10, 1024]);
        limits.max_pending_requests = pick(r, &[0, 3, 1024, 1024]);
        limits.max_requests = pick(r, &[0, 5, 1024, 1024]);
        limits.max_connection_pools = pick(r, &[None, None, None, Some(1)]);
        limits.max_connections_per_host = pick(r, &[None, None, Some(1)]);
        let interval = pick(r, &[Nanos::ZERO, ms(500)]);
        let budget = Budget { budget_percent: 20.0, min_retry_concurrency: 1, budget_interval: interval };
        limits.retry_limit = pick(r, &[RetryLimit::MaxRetries(3), RetryLimit::Budget(budget)]);
    }
    let u = &mut p.upstream;
    u.multiplexes = chance(r, 0.5);
    u.connect_timeout = ms(pick(r, &[20, 250]));
    u.max_concurrent_streams = pick(r, &[1, 4, 1024]);
    u.max_requests_per_connection = pick(r, &[None, Some(1), Some(7)]);
    u.idle_timeout = some(r, &[3, 100]);
    u.max_stream_duration = some(r, &[60]);
    u.preconnect_ratio = pick(r, &[1.0, 1.5, 3.0]);
    p.route.timeout = some(r, &[50, 500]);
    p.route.idle_timeout = some(r, &[40, 400]);
    p.route.max_stream_duration = some(r, &[300]);
    p.route.hedge_on_per_try_timeout = chance(r, 0.5);
    p.route.retry = chance(r, 0.7).then(|| Retry {
        per_try_timeout: some(r, &[20, 100]),
        per_try_idle_timeout: some(r, &[15]),
        retriable_status_codes: pick(r, &[vec![], vec![200, 503]]),
        previous_hosts: chance(r, 0.5),
        ..retry(
            &pick(
                r,
                &[
                    vec!["5xx"],
                    vec!["reset", "retriable-status-codes"],
                    vec!["unavailable", "refused-stream"],
                ],
            ),
            3,
        )
    });
    p.outlier = chance(r, 0.6).then(|| Outlier {
        consecutive_5xx: pick(r, &[1, 5]),
        interval: ms(pick(r, &[100, 1_000])),
        base_ejection_time: ms(300),
        split_external_local_origin_errors: chance(r, 0.5),
        enforcing_success_rate: 100,
        success_rate_minimum_hosts: 2,
        success_rate_request_volume: 5,
        ..outlier()
    });
    p.balancing =
        pick(r, &[Balancing::RoundRobin, Balancing::Random, Balancing::LeastRequest { choices: 2 }]);
    p.healthy_panic_threshold = pick(r, &[0.0, 50.0]);
    p.update_merge_window = ms(pick(r, &[0, 1_000]));
    let (hosts, clients) = (e.hosts.count, e.fleet.simulated);
    for _ in 0..pick(r, &[0, 1, 3]) {
        let mut fault =
            pick(r, &FAULTS).kind.fault(ms(pick(r, &[0, 800])), ms(pick(r, &[1_500, 4_000])), hosts, clients);
        if chance(r, 0.3) {
            fault.hosts = Hosts::These(vec![0, 4, 9]);
            fault.clients = Hosts::These(vec![1]);
        }
        fault.strength = fault.strength.min(5.0);
        e.faults.push(fault);
    }
    e
}

#[test]
fn nothing_is_lost_in_any_experiment() {
    for seed in 0..400 {
        let mut world = World::new(any(seed));
        while world.step(u64::MAX) {
            assert!(world.events < 5_000_000, "seed {seed} does not end");
        }
        assert!(world.done, "seed {seed}");
        assert_eq!(world.log.0.len() as u64, world.arrived, "seed {seed}: every request ends once");
        assert_eq!(world.requests.live(), 0, "seed {seed}: requests left");
        for client in &world.clients {
            for level in &client.levels {
                assert_eq!(
                    (level.active, level.pending, level.retries.outstanding()),
                    (0, 0, 0),
                    "seed {seed}"
                );
            }
            assert!(client.active_at.iter().all(|&n| n == 0), "seed {seed}");
        }
        for pool in 0..world.pools.numbers() {
            let pool = &world.pools[pool];
            let mut conn = pool.all;
            let (mut conns, mut unused) = (0, 0);
            while conn != NONE {
                conns += 1;
                unused += u64::from(world.conns[conn].unused());
                conn = world.conns[conn].next_of_all;
            }
            assert_eq!((pool.active, pool.pending, pool.conns), (0, 0, conns), "seed {seed}");
            assert_eq!(pool.capacity, unused, "seed {seed}: capacity of a pool");
        }
        let report = crate::engine::sim::summary::report(&world);
        assert_eq!(report.outcomes.total(), report.requests, "seed {seed}");
        let arrivals: u64 = report.series.iter().map(|bucket| bucket.arrivals).sum();
        assert_eq!(arrivals, report.requests, "seed {seed}: arrivals by bucket");
        assert_eq!(
            report.hosts.iter().map(|h| h.buckets.len()).max(),
            Some(report.series.len()),
            "seed {seed}"
        );
    }
}

#[test]
fn the_same_seed_is_the_same_run_however_it_is_cut() {
    for seed in [1, 2, 3, 4] {
        let mut whole = Simulation::new(any(seed));
        whole.run();
        let mut pieces = Simulation::new(any(seed));
        while pieces.step(97) {
            let _ = pieces.report();
        }
        assert_eq!(whole.report(), pieces.report());
        let mut other = any(seed);
        other.run.seed += 1_000;
        let mut other = Simulation::new(other);
        other.run();
        assert_ne!(whole.report(), other.report());
    }
}

#[test]
fn two_policies_meet_the_same_requests() {
    let mut e = base();
    e.load.rate_per_client = 200.0;
    e.run = Run { duration: ms(5_000), bucket: ms(100), ..e.run };
    e.hosts.service = Service::Exponential(ms(20));
    let mut tight = e.clone();
    tight.policy.limits[0].max_requests = 2;
    tight.policy.route.retry = Some(retry(&["5xx"], 3));
    let arrivals = |e: Experiment| {
        let mut simulation = Simulation::new(e);
        simulation.run();
        simulation.report().series.iter().map(|bucket| bucket.arrivals).collect::<Vec<_>>()
    };
    let (a, b) = (arrivals(e), arrivals(tight));
    assert_eq!(a[..50], b[..50]);
    assert!(a.iter().sum::<u64>() > 900);
}

#[test]
fn a_closed_loop_has_as_many_in_flight_as_callers() {
    let mut e = base();
    e.load.arrivals = Arrivals::Closed { callers: 8, think: Nanos::ZERO };
    e.hosts.service = Service::Constant(ms(10));
    e.hosts.connect = Nanos::ZERO;
    e.run.duration = ms(1_000);
    e.run.bucket = ms(1_000);
    let mut simulation = Simulation::new(e);
    simulation.run();
    let report = simulation.report();
    assert_eq!((report.outcomes.served, report.series[0].in_flight_max), (800, 8));
    assert!((report.series[0].in_flight - 8.0).abs() < 1e-9);
}

#[test]
fn callers_who_ask_again_are_requests() {
    let mut e = base();
    e.hosts.error_rate = 1.0;
    e.hosts.service = Service::Constant(ms(10));
    e.load.rate_per_client = 100.0;
    e.load.arrivals = Arrivals::Paced;
    e.load.caller.retries = 2;
    e.run.duration = ms(1_000);
    let mut simulation = Simulation::new(e);
    simulation.run();
    let report = simulation.report();
    // The last few ask too late to ask again.
    assert!((290..=300).contains(&report.requests), "{}", report.requests);
}

#[test]
fn the_warm_up_is_played_and_not_counted() {
    let mut e = base();
    e.load.rate_per_client = 100.0;
    e.load.arrivals = Arrivals::Paced;
    e.hosts.service = Service::Constant(ms(1));
    e.run = Run { duration: ms(2_000), warm_up: ms(1_000), seed: 1, bucket: ms(500) };
    let mut simulation = Simulation::new(e);
    simulation.run();
    let report = simulation.report();
    assert_eq!((simulation.arrived(), report.requests), (200, 100));
    assert_eq!(report.counters["upstream_rq_total"], 100);
    assert_eq!(report.series.iter().map(|b| b.arrivals).collect::<Vec<_>>()[..4], [0, 0, 50, 50]);
}
