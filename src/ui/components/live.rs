//! What the document shows, as it is brought up to date.

use crate::markup::{Exchange, Steps};
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// Takes steps in the document and says of how many parts it was not what they say: `public/patch.js`.
    #[wasm_bindgen(js_name = hrPatch)]
    fn take(steps: &str) -> u32;
}

/// Shows what differs. Where somebody else has changed the document, a translator for example, the parts
/// are made anew.
pub fn exchange(parts: &[Exchange<'_>]) {
    let mut steps = Steps::default();
    for part in parts {
        steps.change(part.id, part.before, part.now);
    }
    if take(steps.as_str()) > 0 {
        let mut steps = Steps::default();
        for part in parts {
            steps.fill(part.id, part.now);
        }
        take(steps.as_str());
    }
}
