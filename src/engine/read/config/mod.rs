//! What pasted configurations say, in Envoy's vocabulary, whatever dialect they are written in.
//!
//! Nothing is filled in here: a setting that is not written is `None`, and a written zero is a
//! zero unless the dialect says that zero means "not set". What is really in force is the business
//! of [`super::effective`].

mod cluster;
mod evidence;
mod foreign;
mod histogram;
mod manager;
mod origin;
mod outlier;
mod problem;
mod retry;
mod route;

pub use cluster::{
    ClusterConfig, ClusterFacts, Discovery, PerHostThresholds, Preconnect, RetryBudget, RoutingPriority,
    Thresholds, UpstreamProtocol,
};
pub use evidence::{
    AccessLog, AdminPage, ClusterReport, Evidence, HostReport, LogGroup, LogTraffic, Report, ReportedLimit,
    Resource, ServerReport, StatedLimits,
};
pub use foreign::{ForeignPolicy, RateBudget};
pub use histogram::{Bounds, Bucket, Histogram, Quantile};
pub use manager::{ManagerConfig, RuntimeOverride};
pub use origin::{Dialect, Origin, Patch, PatchOperation, ResourceState};
pub use outlier::OutlierDetection;
pub use problem::{Corrected, Correction, Effect, Note, NoteKind, ProblemKind, ReadProblem};
pub use retry::{HedgePolicy, PolicyScope, RateLimitedBackOff, RetryPolicy};
pub use route::{RouteConfig, RouteKind, RouteMatch, RouteTarget};

use serde::{Deserialize, Serialize};

/// Everything that was read from all inputs together.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Configuration {
    /// Names of the inputs; [`super::Place::file`] is an index into them.
    pub files: Vec<String>,
    /// Clusters in the order of the text.
    pub clusters: Vec<ClusterConfig>,
    /// Routes in the order of the text: HTTP routes, and TCP proxies as routes of kind TCP.
    pub routes: Vec<RouteConfig>,
    /// HTTP connection managers, which hold timeouts of their own.
    pub managers: Vec<ManagerConfig>,
    /// Runtime keys that override breakers.
    pub runtime: Vec<RuntimeOverride>,
    /// Policies for proxies that are not Envoy.
    #[serde(default)]
    pub foreign: Vec<ForeignPolicy>,
    /// Which route leads to which cluster, in the order of routes.
    pub pairs: Vec<Pair>,
    /// What running proxies report.
    #[serde(default, skip_serializing_if = "Evidence::is_empty")]
    pub evidence: Evidence,
    /// What is wrong with the text itself, in the order of the text.
    pub problems: Vec<ReadProblem>,
    /// What was recognized but not read, and other facts worth a line.
    pub notes: Vec<Note>,
}

/// A route that leads to a cluster of the same input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pair {
    /// Index into [`Configuration::routes`].
    pub route: usize,
    /// Index into the targets of that route.
    pub target: usize,
    /// Index into [`Configuration::clusters`].
    pub cluster: usize,
}

impl Configuration {
    /// The routes that lead to a cluster.
    pub fn routes_to(&self, cluster: usize) -> impl Iterator<Item = &RouteConfig> {
        self.pairs.iter().filter(move |p| p.cluster == cluster).filter_map(|p| self.routes.get(p.route))
    }

    /// The connection manager a route belongs to.
    pub fn manager_of(&self, route: &RouteConfig) -> Option<&ManagerConfig> {
        self.managers.get(route.manager?)
    }

    /// Whether there is nothing in it to judge.
    pub fn is_empty(&self) -> bool {
        self.clusters.is_empty()
            && self.routes.is_empty()
            && self.managers.is_empty()
            && self.evidence.says_nothing_of_traffic()
    }
}
