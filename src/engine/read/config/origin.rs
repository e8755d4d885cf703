//! Which program a piece of configuration is for, and which resource it stands in.

use crate::engine::read::{Place, Setting};
use serde::{Deserialize, Serialize};

/// The program that a configuration is written for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names are theirs")]
pub enum Dialect {
    #[default]
    Envoy,
    Istio,
    EnvoyGateway,
    Contour,
    Emissary,
    Consul,
    Kuma,
    Gloo,
    Cilium,
    AppMesh,
    Linkerd,
    Kubernetes,
}

impl Dialect {
    /// The name in a sentence.
    pub fn title(self) -> &'static str {
        match self {
            Self::Envoy => "Envoy",
            Self::Istio => "Istio",
            Self::EnvoyGateway => "Envoy Gateway",
            Self::Contour => "Contour",
            Self::Emissary => "Emissary",
            Self::Consul => "Consul",
            Self::Kuma => "Kuma",
            Self::Gloo => "Gloo",
            Self::Cilium => "Cilium",
            Self::AppMesh => "App Mesh",
            Self::Linkerd => "Linkerd",
            Self::Kubernetes => "Kubernetes",
        }
    }

    /// Whether its data plane is Envoy, so that Envoy's rules hold.
    pub fn runs_envoy(self) -> bool {
        !matches!(self, Self::Linkerd | Self::Kubernetes)
    }
}

/// Where a cluster or a route comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The program it is for.
    pub dialect: Dialect,
    /// Kind of the resource: `DestinationRule`, `Cluster`, `RouteConfiguration`.
    pub kind: String,
    /// Name of the resource.
    pub name: Setting<String>,
    /// Its namespace.
    pub namespace: Option<String>,
    /// Index of the document within its input, from 0.
    pub document: u32,
    /// The whole cluster, route or patch.
    pub block: Place,
    /// In force, being warmed, or static.
    pub state: ResourceState,
    /// Set where the text only changes what another program generates.
    pub patch: Option<Patch>,
}

/// State of a resource in a configuration dump.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ResourceState {
    /// Written in a file, or in a static section.
    #[default]
    Static,
    /// Received by xDS and in force.
    Active,
    /// Received by xDS and not in force yet.
    Warming,
    /// Received by xDS and refused: the last good version is in force.
    Rejected,
}

/// A change to what a control plane generates: Istio's `EnvoyFilter` and the like.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Patch {
    /// What is done.
    pub operation: PatchOperation,
    /// What is changed, in the dialect's own word: `CLUSTER`, `HTTP_ROUTE`.
    pub applies_to: String,
    /// The traffic it concerns, if it says so: `SIDECAR_OUTBOUND`.
    pub context: Option<String>,
}

/// What a patch does to the message it matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PatchOperation {
    /// Merges as protobuf does: single fields are replaced, lists are **appended to**.
    Merge,
    /// Adds a whole message.
    Add,
    /// Replaces a whole message.
    Replace,
    /// Removes it.
    Remove,
}
