//! The configuration, as it is exported.

use crate::engine::analysis::Analysis;
use crate::engine::export::{Target, export};
use crate::review::document::{Block, Section};

/// The YAML.
pub fn configuration(a: &Analysis, target: Target) -> Section {
    let about = match target {
        Target::Envoy => "Cluster and route, to be pasted into a configuration.",
        Target::EnvoyBootstrap => "A whole configuration around cluster and route.",
        #[cfg(feature = "cli")]
        Target::Istio => "Resources of Istio; what they leave out is listed at the top.",
        #[cfg(feature = "cli")]
        Target::EnvoyGateway => "A resource of Envoy Gateway; what it leaves out is listed at the top.",
    };
    Section {
        id: "configuration",
        title: format!("Configuration ({})", target.as_str()),
        blocks: vec![Block::Text(about.to_owned()), Block::Code("yaml", export(a, target))],
    }
}
