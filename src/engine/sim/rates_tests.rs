use super::*;
use crate::engine::sim::rng::{Purpose, Stream};
use crate::engine::sim::{Fault, Simulation};

fn experiment() -> Experiment {
    let mut e = crate::engine::sim::world::test_experiment();
    e.load.rate_per_client = 10.0;
    (e.fleet.simulated, e.fleet.clients) = (4, 4);
    e.run.duration = Nanos(100 * Nanos::SECOND.0);
    e
}

fn secs(n: u64) -> Nanos {
    Nanos(n * Nanos::SECOND.0)
}

/// Arrivals by second.
fn arrivals(e: &Experiment) -> Vec<f64> {
    let mut rates = Rates::new(e);
    let mut random = Stream::new(1, Purpose::Arrivals, 0);
    let (mut now, mut counts) = (0, vec![0.0; 100]);
    while let Some(at) = rates.next(now, -libm::log(random.unit())) {
        counts[usize::try_from(at / Nanos::SECOND.0).expect("a second of the run")] += 1.0;
        now = at;
    }
    counts
}

fn mean(counts: &[f64]) -> f64 {
    counts.iter().sum::<f64>() / counts.len() as f64
}

#[test]
fn patterns_multiply() {
    let mut e = experiment();
    e.load.patterns = vec![
        Pattern::Step { at: secs(50), times: 2.0 },
        Pattern::Surge { from: secs(40), to: secs(60), times: 3.0 },
        Pattern::Burst { every: secs(10), length: secs(1), times: 0.0 },
    ];
    let counts = arrivals(&e);
    // 40 a second, three standard errors.
    assert!((mean(&counts[1..10]) - 40.0).abs() < 6.4);
    assert!((mean(&counts[41..50]) - 120.0).abs() < 11.0);
    assert!((mean(&counts[51..60]) - 240.0).abs() < 15.5);
    assert!((mean(&counts[61..70]) - 80.0).abs() < 9.0);
    assert!((0..10).all(|n| counts[n * 10] == 0.0));
    let expected = 9.0 * (4.0 * 40.0 + 120.0 + 240.0 + 4.0 * 80.0);
    assert!((Rates::new(&e).expected() - expected).abs() < 1e-6);
}

#[test]
fn a_surge_of_some_proxies_is_theirs() {
    let mut e = experiment();
    let surge = FaultKind::LoadSurge.fault(secs(10), secs(90), 1, 4);
    e.faults = vec![Fault { clients: Hosts::These(vec![2]), strength: 7.0, ..surge }];
    let counts = arrivals(&e);
    assert!((mean(&counts[10..90]) - 100.0).abs() < 3.4);
    let mut rates = Rates::new(&e);
    rates.next(20 * Nanos::SECOND.0, 1e-9);
    let mut random = Stream::new(1, Purpose::Worker, 0);
    let n = (0..10_000).filter(|_| rates.client(random.bits()) == 2).count();
    assert!((n as f64 - 7_000.0).abs() < 140.0, "{n}");
    assert_eq!(rates.next_of(2, 20 * Nanos::SECOND.0, 1.0), Some(20 * Nanos::SECOND.0 + 14_285_714));
}

#[test]
fn a_rate_of_zero_or_nonsense_brings_nothing() {
    for rate in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let mut e = experiment();
        e.load.rate_per_client = rate;
        assert_eq!(Rates::new(&e).next(0, 1.0), None);
        let mut simulation = Simulation::new(e);
        simulation.run();
        assert!(simulation.done() && simulation.report().requests == 0);
    }
}
