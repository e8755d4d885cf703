//! Prepared runs, played: any scenario, any fault, any policy comes to an end and accounts for every
//! request.

use headroom::engine::analyze;
use headroom::engine::sim::compare::{PolicyName, rows};
use headroom::engine::sim::setup::{Bounds, Plan, prepare};
use headroom::engine::sim::verdict::{Side, verdict};
use headroom::engine::sim::{FAULTS, Nanos, Policy, Simulation};
use proptest::prelude::*;

/// Far more than runs of this size take.
const MAX_STEPS: u32 = 1_000;
const EVENTS: u64 = 100_000;

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn any_scenario_under_any_fault_comes_to_its_end(
        scenario in crate::properties::sizing::scenario(),
        kind in 0..FAULTS.len(),
        recommended in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let Ok(analysis) = analyze(&scenario) else { return Ok(()) };
        let at = Nanos::from_secs;
        let fault = FAULTS[kind].kind.fault(at(1.0), at(2.0), scenario.hosts, scenario.clients);
        let bounds = Bounds { requests: 5e3, clients: 10, places: 2e4, in_flight: 5e3, ..Bounds::PAGE };
        let plan = Plan { duration: at(3.0), seed, bounds, ..Plan::DEFAULT };
        let (name, policy) = if recommended {
            (PolicyName::Recommended, Policy::recommended(&analysis))
        } else {
            (PolicyName::EnvoyDefaults, Policy::envoy_defaults(&scenario))
        };
        let Ok(prepared) = prepare(&analysis, &policy, &[fault], &plan) else { return Ok(()) };
        let experiment = prepared.experiment;
        let mut simulation = Simulation::new(experiment.clone());
        let mut steps = 0;
        while !simulation.done() {
            simulation.step(EVENTS);
            steps += 1;
            prop_assert!(steps < MAX_STEPS, "no end: {}", serde_json::to_string(&scenario).unwrap());
        }
        let report = simulation.report();
        prop_assert!(report.done);
        prop_assert_eq!(report.outcomes.total(), report.requests);
        let sum: u64 = report.series.iter().map(|b| b.outcomes.total()).sum();
        prop_assert_eq!(sum, report.requests);
        let reports = [report];
        prop_assert!(rows(&reports, None).iter().all(|row| row.a.is_some_and(|a| a.mean.is_finite())));
        let verdict = verdict(&experiment, &[Side { name, policy: &policy, reports: &reports }]);
        prop_assert!(verdict.sentence.ends_with('.') && !verdict.sentence.contains("NaN"));
    }
}
