//! The simulator against theory, closed forms and a real Envoy, and what is around the simulated world:
//! policies, settings, faults, the size of runs.
//!
//! Nothing in the simulator knows a queueing law, so agreement is evidence for both. The method is the
//! same everywhere: twenty replications with seeds 1 to 20, each with its warm-up cut off, and the
//! theory's value must lie in the 99 % confidence interval of their mean (Student's t).

mod closed_forms;
mod compare;
mod confidence;
mod custom;
mod faults;
mod played;
mod policies;
mod replay;
mod setting;
mod setup;
mod theory;

use headroom::engine::analysis::Analysis;
use headroom::engine::analyze;
use headroom::engine::scenario::{PRESETS, Preset, Scenario};

/// The browser compares with the same file (`tests/web.rs`).
#[test]
fn a_run_with_a_bit_of_everything_is_the_recorded_one() {
    expect_test::expect_file!["../../golden/sim/report.json"].assert_eq(&replay::report());
}

/// The analysis of a preset with some changes.
pub fn analysis(key: &str, change: impl FnOnce(&mut Scenario)) -> Analysis {
    let preset = PRESETS.iter().find(|p| p.key == key).expect("the preset exists");
    let mut scenario = Preset::scenario(preset);
    change(&mut scenario);
    analyze(&scenario).expect("the scenario can be sized")
}

/// A hundred sidecars in front of twelve hosts.
pub fn mesh() -> Analysis {
    analysis("sidecar-mesh", |_| {})
}
