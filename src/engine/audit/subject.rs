//! What the rules look at: a cluster, a route on its way to a cluster, or everything at once.

use super::facts::same_service;
use super::{Facts, Traffic};
use crate::engine::read::Place;
use crate::engine::read::config::{ClusterConfig, Configuration, Dialect, RouteConfig, RoutingPriority};
use crate::engine::read::effective::{EffectiveCluster, EffectiveRoute, effective_cluster, effective_route};
use crate::engine::sizing::PrioritySizing;

/// A cluster with what is in force for it and the routes that lead to it.
#[derive(Clone, Debug)]
pub struct ClusterCx<'a> {
    /// Everything that was read.
    pub configuration: &'a Configuration,
    /// Its index in the configuration.
    pub index: usize,
    /// What is written.
    pub config: &'a ClusterConfig,
    /// What is in force.
    pub effective: EffectiveCluster,
    /// What is known of its traffic.
    pub facts: &'a Facts,
    /// The routes that lead here.
    pub routes: Vec<RouteView<'a>>,
}

/// A route as a cluster sees it.
#[derive(Clone, Debug)]
pub struct RouteView<'a> {
    /// Its index in the configuration.
    pub index: usize,
    /// What is written.
    pub config: &'a RouteConfig,
    /// What is in force.
    pub effective: EffectiveRoute,
}

/// A route on its way to a cluster, or to one that is not part of the text.
#[derive(Clone, Debug)]
pub struct RouteCx<'a> {
    /// Everything that was read.
    pub configuration: &'a Configuration,
    /// Its index in the configuration.
    pub index: usize,
    /// What is written.
    pub config: &'a RouteConfig,
    /// What is in force.
    pub effective: &'a EffectiveRoute,
    /// What is known of its traffic.
    pub facts: &'a Facts,
    /// Where it leads, if that is in the text.
    pub cluster: Option<&'a ClusterCx<'a>>,
}

/// Everything at once.
#[derive(Clone, Copy, Debug)]
pub struct WholeCx<'a> {
    /// Everything that was read.
    pub configuration: &'a Configuration,
    /// Its clusters.
    pub clusters: &'a [ClusterCx<'a>],
    /// What is known of traffic that belongs to no cluster of the text.
    pub facts: &'a Facts,
}

impl<'a> ClusterCx<'a> {
    /// The clusters of a configuration, in its order.
    pub(super) fn all(configuration: &'a Configuration, facts: &'a [Facts]) -> Vec<Self> {
        configuration
            .clusters
            .iter()
            .zip(facts)
            .enumerate()
            .map(|(index, (config, facts))| Self {
                configuration,
                index,
                config,
                effective: effective_cluster(configuration, config, facts.envoy_version),
                facts,
                routes: configuration
                    .pairs
                    .iter()
                    .filter(|pair| pair.cluster == index)
                    .filter_map(|pair| RouteView::new(configuration, pair.route, Some(config), facts))
                    .collect(),
            })
            .collect()
    }

    /// Rate and latency, where they are known.
    pub fn traffic(&self) -> Option<&'a Traffic> {
        self.facts.traffic.as_deref()
    }

    /// What Headroom would set for a priority, where the traffic is known and has that priority.
    pub fn sizing(&self, priority: RoutingPriority) -> Option<&'a PrioritySizing> {
        let priorities = &self.traffic()?.sizing.priorities;
        match priority {
            RoutingPriority::Default => priorities.first(),
            RoutingPriority::High => priorities.get(1),
        }
    }

    /// Where a finding about a priority's limits points when the field itself is not written: its
    /// entry, else the block of breakers, else the cluster.
    pub fn limits_place(&self, priority: RoutingPriority) -> &'a Place {
        self.config
            .threshold(priority)
            .filter(|entry| !entry.implied)
            .map(|entry| &entry.block)
            .or(self.config.circuit_breakers.as_ref())
            .unwrap_or(&self.config.origin.block)
    }

    /// The name for sentences: `cluster shop`.
    pub fn title(&self) -> String {
        match &self.config.name {
            Some(name) => format!("cluster {}", name.value),
            None => "the cluster".to_owned(),
        }
    }

    /// The program that the text is for.
    pub fn dialect(&self) -> Dialect {
        self.config.origin.dialect
    }

    /// Envoy processes with these limits; one where nobody said otherwise.
    pub fn clients(&self) -> u32 {
        self.facts.clients.unwrap_or(1)
    }

    /// Connection pools of one process and priority: workers times hosts (F8), where both are known.
    pub fn pools(&self) -> Option<u64> {
        Some(u64::from(self.facts.workers?) * u64::from(self.facts.hosts?))
    }
}

impl<'a> WholeCx<'a> {
    /// The cluster that a proxy reports under a name: the one of that name, else the only one that
    /// is for the same service.
    pub fn reported(&self, name: &str) -> Option<&'a ClusterCx<'a>> {
        // Colons are underscores in stats.
        let same_name = |cx: &&ClusterCx<'_>| cx.effective.name.replace(':', "_") == name.replace(':', "_");
        self.clusters.iter().find(same_name).or_else(|| {
            let same = |cx: &&ClusterCx<'_>| {
                let own = &cx.effective.name;
                !own.is_empty() && (same_service(name, own) || same_service(own, name))
            };
            let mut alike = self.clusters.iter().filter(same);
            alike.next().filter(|_| alike.next().is_none())
        })
    }
}

impl<'a> RouteView<'a> {
    pub(super) fn new(
        configuration: &'a Configuration,
        index: usize,
        cluster: Option<&'a ClusterConfig>,
        facts: &Facts,
    ) -> Option<Self> {
        let config = configuration.routes.get(index)?;
        let effective = effective_route(configuration, config, cluster, facts.envoy_version);
        Some(Self { index, config, effective })
    }
}

impl<'a> RouteCx<'a> {
    /// Rate and latency, where they are known.
    pub fn traffic(&self) -> Option<&'a Traffic> {
        self.facts.traffic.as_deref()
    }

    /// What is known of latency, with the rate or without it: only the times in it mean anything.
    pub fn timing(&self) -> Option<&'a Traffic> {
        self.traffic().or(self.facts.timing.as_deref())
    }

    /// The program that the text is for.
    pub fn dialect(&self) -> Dialect {
        self.config.origin.dialect
    }

    /// Where a finding about the retry policy points when the field itself is not written.
    pub fn retry_place(&self) -> &'a Place {
        self.config.retry_policy.as_ref().map_or(&self.config.origin.block, |policy| &policy.block)
    }

    /// The name for sentences: its name, else what it matches.
    pub fn title(&self) -> String {
        self.config.label().map_or_else(|| "the route".to_owned(), |label| format!("route {label}"))
    }
}
