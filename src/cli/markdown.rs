//! The analysis as a document for a design review.

use headroom::engine::analysis::Analysis;
use headroom::engine::export::Target;
use headroom::engine::sim::matrix::Matrix;
use headroom::engine::sim::{FaultTable, Policy};
use headroom::review::markdown::write;
use headroom::review::pack::{Extras, Faults, pack};
use std::collections::BTreeMap;

/// The whole document; the faults are played unless nobody wants them.
pub fn document(analysis: &Analysis, target: Target, is_simulated: bool) -> String {
    let faults = if is_simulated { Faults::Played(faults(analysis)) } else { Faults::LeftOut };
    write(&pack(analysis, &Extras { target, faults, accepted: BTreeMap::new() }))
}

/// All faults against the recommendation and against Envoy's defaults.
fn faults(analysis: &Analysis) -> FaultTable {
    let policies = vec![Policy::recommended(analysis), Policy::envoy_defaults(&analysis.scenario)];
    let mut matrix = Matrix::new(analysis, policies);
    matrix.play();
    FaultTable::of(&matrix, &["Recommended", "Envoy's default"].map(str::to_owned))
}
