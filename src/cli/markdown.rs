//! The analysis as a document for a design review.

use headroom::engine::analysis::Analysis;
use headroom::engine::export::Target;
use headroom::engine::sim::matrix::Matrix;
use headroom::engine::sim::{FaultTable, Policy};
use headroom::review::markdown::write;
use headroom::review::pack::{Extras, Faults, pack};
use std::collections::BTreeMap;

pub use headroom::review::document::sentence;

/// The whole document; the faults are played unless nobody wants them.
pub fn document(analysis: &Analysis, target: Target, is_simulated: bool) -> String {
    let faults = if is_simulated { Faults::Played(faults(analysis)) } else { Faults::LeftOut };
    write(&pack(analysis, &Extras { target, faults, accepted: BTreeMap::new(), page: None }))
}

/// All faults against the recommendation and against Envoy's defaults.
fn faults(analysis: &Analysis) -> FaultTable {
    let policies = vec![Policy::recommended(analysis), Policy::envoy_defaults(&analysis.scenario)];
    let mut matrix = Matrix::new(analysis, policies);
    matrix.play();
    FaultTable::of(&matrix, &["Recommended", "Envoy's default"].map(str::to_owned))
}

/// A text from outside that Markdown must not take for markup.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_mark(c) {
            out.push('\\');
        }
        out.push(if c.is_control() { ' ' } else { c });
        // A name in a comment must not call anybody.
        if c == '@' {
            out.push_str("<!-- -->");
        }
    }
    out
}

/// Whether Markdown may take a character for markup.
pub fn is_mark(c: char) -> bool {
    "\\`*_[]<>#|&~!".contains(c)
}
