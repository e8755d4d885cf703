//! The analysis as configuration text.

use super::analysis::Analysis;
#[cfg(feature = "cli")]
use super::dialects;
use super::envoy::emit;
use super::mapping::{Places, bootstrap, comments, fragments, header};

/// A kind of configuration text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Envoy: cluster and route, to be pasted.
    Envoy,
    /// Envoy: a whole configuration around them.
    EnvoyBootstrap,
    /// Istio: `DestinationRule` and `VirtualService`.
    #[cfg(feature = "cli")]
    Istio,
    /// Envoy Gateway: `BackendTrafficPolicy`.
    #[cfg(feature = "cli")]
    EnvoyGateway,
}

impl Target {
    /// All targets, in the order of the page.
    #[cfg(not(feature = "cli"))]
    pub const ALL: [Self; 2] = [Self::Envoy, Self::EnvoyBootstrap];

    /// All targets; the page has the first two.
    #[cfg(feature = "cli")]
    pub const ALL: [Self; 4] = [Self::Envoy, Self::EnvoyBootstrap, Self::Istio, Self::EnvoyGateway];

    /// The word on the command line and in file names.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Envoy => "envoy",
            Self::EnvoyBootstrap => "envoy-bootstrap",
            #[cfg(feature = "cli")]
            Self::Istio => "istio",
            #[cfg(feature = "cli")]
            Self::EnvoyGateway => "envoy-gateway",
        }
    }

    /// The target of that word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|target| target.as_str() == word)
    }
}

/// The analysis as YAML for `target`, with its inputs, its link and its reasons as comments.
pub fn export(analysis: &Analysis, target: Target) -> String {
    let mut top = header(&analysis.scenario, &analysis.link);
    match target {
        Target::Envoy => emit::to_yaml(&fragments(analysis), &top, &comments(analysis, Places::FRAGMENTS)),
        Target::EnvoyBootstrap => {
            let s = &analysis.scenario;
            let more = format!(
                "run with --concurrency {}; put your address for upstream.example and your port for 10000",
                s.workers
            );
            top.extend(emit::paragraph(&more, 0));
            emit::to_yaml(&bootstrap(analysis), &top, &comments(analysis, Places::BOOTSTRAP))
        }
        #[cfg(feature = "cli")]
        Target::Istio => dialects::istio(analysis),
        #[cfg(feature = "cli")]
        Target::EnvoyGateway => dialects::envoy_gateway(analysis),
    }
}
