//! From a scenario to an experiment.

use super::{analysis, mesh};
use headroom::engine::analysis::Analysis;
use headroom::engine::analyze;
use headroom::engine::scenario::{LatencyPoints, Protocol, StreamDuration};
use headroom::engine::sim::faults_file::{Stage, from_shorthand};
use headroom::engine::sim::setup::{Bounds, Plan, Prepared, prepare};
use headroom::engine::sim::{Arrivals, FAULTS, Fault, Hosts, Nanos, Policy, ResponseShape, Service};
use headroom::engine::units::Millis;
use proptest::prelude::*;

fn run(analysis: &Analysis, faults: &[Fault], plan: &Plan) -> Prepared {
    prepare(analysis, &Policy::recommended(analysis), faults, plan).expect("the run fits")
}

fn fault(analysis: &Analysis, text: &str) -> Fault {
    let s = &analysis.scenario;
    let stage = Stage { duration: Plan::DEFAULT.duration, hosts: s.hosts, clients: s.clients };
    from_shorthand(text, &stage).expect("the fault is right").list.remove(0)
}

#[test]
fn the_fleet_asks_at_the_peak_of_the_busiest_proxy() {
    let prepared = run(&mesh(), &[], &Plan::DEFAULT);
    let experiment = &prepared.experiment;
    // 500 × 1.5 × 1.2 / 100
    assert!((experiment.load.rate_per_client - 9.0).abs() < 1e-12);
    assert_eq!(experiment.load.arrivals, Arrivals::Poisson);
    assert_eq!(
        (experiment.fleet.simulated, experiment.fleet.clients, experiment.fleet.workers),
        (100, 100, 2)
    );
    assert!((prepared.requests - 54_000.0).abs() < 1e-6);
    assert_eq!(experiment.hosts.knee, Some(64.0));
    assert_eq!(experiment.hosts.response, ResponseShape::AtOnce);
    assert_eq!(experiment.run.bucket, Nanos::SECOND);
    // A second where p99 is 110 ms and nobody names a deadline.
    assert_eq!(experiment.load.caller.deadline, Some(Nanos::SECOND));
}

#[test]
fn the_mean_of_the_hosts_is_that_of_the_analysis() {
    let given = analysis("sidecar-mesh", |s| s.latency_ms.mean = Some(Millis(45.0)));
    for analysis in [mesh(), given, analysis("worked-example", |_| {})] {
        let experiment = run(&analysis, &[], &Plan::DEFAULT).experiment;
        let Service::Percentiles { model, scale } = experiment.hosts.service else {
            panic!("percentiles are played")
        };
        let mean = model.mean().0 * scale;
        assert!((mean / analysis.latency.mean_ms.0 - 1.0).abs() < 1e-12, "{mean}");
    }
}

#[test]
fn streams_begin_with_their_headers_and_live_their_life() {
    let analysis = analysis("sidecar-mesh", |s| {
        s.protocol = Protocol::GrpcStream;
        s.latency_ms = LatencyPoints::default();
        s.stream_duration_s = Some(StreamDuration { mean: Some(120.0), p99: None });
    });
    let prepared = run(&analysis, &[], &Plan::DEFAULT);
    assert_eq!(prepared.experiment.hosts.response, ResponseShape::HeadersFirst);
    assert!(prepared.experiment.hosts.fails_as_grpc);
    assert_eq!(prepared.experiment.load.caller.deadline, None);
    let said = prepared.assumptions.join("\n");
    assert!(
        said.contains("streams take 120\u{a0}s on average: the number in flight is still rising"),
        "{said}"
    );
    assert!(said.contains("grpc-status 14"), "{said}");
}

#[test]
fn a_large_fleet_is_sampled_and_said() {
    let analysis = analysis("sidecar-mesh", |s| {
        s.clients = 1000;
        s.rps.0 = 5000.0;
    });
    let faults = [fault(&analysis, "partition:clients=340"), fault(&analysis, "partition:clients=1")];
    let prepared = run(&analysis, &faults, &Plan::DEFAULT);
    let fleet = prepared.experiment.fleet;
    assert_eq!((fleet.simulated, fleet.clients), (200, 1000));
    assert!((fleet.weight() - 5.0).abs() < 1e-12);
    // 34% of the fleet is 34% of the sample, and nobody is not a fault.
    assert_eq!(prepared.experiment.faults[0].clients, Hosts::Count(68));
    assert_eq!(prepared.experiment.faults[1].clients, Hosts::Count(1));
    assert!(prepared.assumptions.iter().any(|a| a.starts_with("200 of 1,000 proxies are simulated")));
    let exact = run(&super::analysis("sidecar-mesh", |s| s.clients = 200), &[], &Plan::DEFAULT);
    assert_eq!(exact.experiment.fleet.simulated, 200);
    assert!(!exact.assumptions.iter().any(|a| a.contains("are simulated")));
}

#[test]
fn a_run_that_is_too_large_is_played_by_fewer_proxies() {
    // 20,000 × 1.5 × 1.2 a second: 36,000, a sixth of it in each of 6 proxies.
    let analysis = analysis("edge-gateway", |_| {});
    let rate = analysis.load.client_rate.0;
    let plan = Plan { bounds: Bounds { requests: rate * 60.0 * 2.5, ..Bounds::PAGE }, ..Plan::DEFAULT };
    let prepared = run(&analysis, &[], &plan);
    assert_eq!(prepared.experiment.fleet.simulated, 2);
    assert!(prepared.requests <= plan.bounds.requests);
    // A surge counts: three times the rate for a third of the run is 5/3 of the requests.
    let surge = [fault(&analysis, "load_surge:strength=3")];
    let surged = run(&analysis, &surge, &plan);
    assert_eq!(surged.experiment.fleet.simulated, 1);
    assert!((surged.requests / (rate * 100.0) - 1.0).abs() < 1e-9);
}

#[test]
fn a_run_that_is_too_large_for_one_proxy_is_refused_with_the_field() {
    let analysis = analysis("sidecar-mesh", |s| {
        s.clients = 1;
        s.rps.0 = 1e6;
    });
    let policy = Policy::recommended(&analysis);
    let plan = Plan { duration: Nanos::from_secs(600.0), ..Plan::DEFAULT };
    let problems = prepare(&analysis, &policy, &[], &plan).unwrap_err();
    assert_eq!(problems.len(), 1);
    assert_eq!(problems[0].field, "duration");
    // 1.8 million a second: 50 million after 27.8 s.
    assert!(problems[0].message.contains("Lower duration to 27\u{a0}s"), "{}", problems[0].message);
    let shorter = Plan { duration: Nanos::from_secs(27.0), ..plan };
    assert_eq!(run(&analysis, &[], &shorter).experiment.fleet.simulated, 1);
}

#[test]
fn impossible_plans_are_refused() {
    let analysis = mesh();
    let policy = Policy::envoy_defaults(&analysis.scenario);
    for (plan, field) in [
        (Plan { duration: Nanos::ZERO, ..Plan::DEFAULT }, "duration"),
        (Plan { duration: Nanos::from_secs(86_401.0), ..Plan::DEFAULT }, "duration"),
        (Plan { warm_up: Nanos::from_secs(60.0), ..Plan::DEFAULT }, "warm_up"),
    ] {
        let problems = prepare(&analysis, &policy, &[], &plan).unwrap_err();
        assert_eq!(problems.iter().map(|p| p.field.as_str()).collect::<Vec<_>>(), [field]);
    }
}

#[test]
fn long_runs_have_wider_steps() {
    let plan = Plan { duration: Nanos::from_secs(86_400.0), ..Plan::DEFAULT };
    let experiment = run(&analysis("worked-example", |s| s.rps.0 = 1.0), &[], &plan).experiment;
    assert_eq!(experiment.run.bucket, Nanos::from_secs(24.0));
}

proptest! {
    #[test]
    fn every_scenario_is_prepared_within_the_bounds_or_refused_with_a_field(
        scenario in crate::properties::sizing::scenario(),
        kind in 0..FAULTS.len(),
        from in 0_u32..90,
        length in 1_u32..90,
        duration in 1_u32..2000,
    ) {
        let Ok(analysis) = analyze(&scenario) else { return Ok(()) };
        let (from, to) = (f64::from(from), f64::from(from + length));
        let nanos = Nanos::from_secs;
        let fault = FAULTS[kind].kind.fault(nanos(from), nanos(to), scenario.hosts, scenario.clients);
        let plan = Plan { duration: nanos(f64::from(duration)), bounds: Bounds::PAGE, ..Plan::DEFAULT };
        for policy in [Policy::recommended(&analysis), Policy::envoy_defaults(&scenario)] {
            match prepare(&analysis, &policy, std::slice::from_ref(&fault), &plan) {
                Ok(prepared) => {
                    let fleet = prepared.experiment.fleet;
                    prop_assert!(fleet.simulated >= 1 && fleet.simulated <= fleet.clients.min(200));
                    prop_assert!(prepared.requests <= plan.bounds.requests * (1.0 + 1e-9));
                    prop_assert!(fleet.simulated == fleet.clients
                        || prepared.assumptions.iter().any(|a| a.contains("are simulated")));
                    prop_assert!(prepared.assumptions.iter().all(|a| a.ends_with('.')));
                    let buckets = plan.duration.0.div_ceil(prepared.experiment.run.bucket.0);
                    prop_assert!(buckets <= 3600 && buckets * u64::from(scenario.hosts) <= 2_000_000);
                }
                Err(problems) => {
                    prop_assert!(!problems.is_empty());
                    for p in problems {
                        prop_assert!(["duration", "hosts", "rps"].contains(&p.field.as_str()), "{p}");
                        prop_assert!(p.message.contains("Lower "), "{p}");
                    }
                }
            }
        }
    }
}
