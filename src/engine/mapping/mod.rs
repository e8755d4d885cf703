//! From the analysis to other programs' models, field for field: no number is made here.

mod comments;
mod header;
mod to_envoy;

pub use comments::{Places, comments};
pub use header::{header, inputs, margins};
pub use to_envoy::{HOST_SELECTION_RETRY_MAX_ATTEMPTS, bootstrap, cluster, fragments, route};
