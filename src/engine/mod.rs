//! The engine: a scenario in, an analysis out.
//!
//! It knows no page, no clock and no random source, and it never fails on what people type: it
//! returns problems.

pub mod alerts;
pub mod analysis;
#[cfg(feature = "read")]
pub mod audit;
#[cfg(feature = "cli")]
pub mod dialects;
pub mod envoy;
pub mod export;
pub mod filled;
pub mod forecast;
pub mod history;
#[cfg(feature = "read")]
pub mod inputs;
pub mod latency;
pub mod lines;
pub mod mapping;
pub mod nearest;
pub mod params;
pub mod phrases;
pub mod queueing;
pub mod read;
pub mod remedy;
pub mod retry;
pub mod rules;
pub mod scenario;
pub mod sentence;
pub mod sim;
pub mod sizing;
pub mod units;
pub mod ways_out;

use analysis::Analysis;
use rules::Context;
use scenario::{Problem, Scenario};

/// Sizes a scenario and says everything there is to say about it.
///
/// # Errors
///
/// The input to change when an answer exceeds what Envoy's fields hold.
pub fn analyze(scenario: &Scenario) -> Result<Analysis, Vec<Problem>> {
    let sizing = sizing::size(scenario)?;
    let ways = ways_out::ways(scenario, &sizing);
    let findings = rules::check_all(&Context { scenario, sizing: &sizing, ways: &ways });
    let headline = sentence::headline(scenario, &sizing, &findings);
    let ways_out = ways_out::ways_out(scenario, &ways);
    Ok(Analysis {
        window: sizing.default_priority().window.clone(),
        high_window: sizing.priorities.get(1).map(|high| high.window.clone()),
        thresholds: sizing.priorities.iter().map(|p| p.threshold.clone()).collect(),
        latency: sizing.latency,
        load: sizing.load,
        forecast: sizing.forecast,
        timeouts: sizing.timeouts,
        retry: sizing.retry,
        outlier: sizing.outlier,
        ejection: sizing.ejection,
        trips: sizing.trips,
        numbers: sizing.numbers,
        link: "#".to_owned() + &scenario.to_link(),
        scenario: scenario.clone(),
        findings,
        ways_out,
        headline,
    })
}
