//! Everything that the texts say of one cluster.

use super::Remark;
use super::choose::{Spellings, is_whole, key, says_something};
use super::counters::Uptime;
use super::field::count;
use crate::engine::read::config::{
    AccessLog, ClusterConfig, ClusterReport, Configuration, LogTraffic, Report, ResourceState, RouteConfig,
    RouteKind,
};
use crate::engine::read::{Spanned, config};
use crate::engine::units::Millis;

/// What is known of a cluster.
pub struct Sources<'c> {
    pub configuration: &'c Configuration,
    /// Its name; none where no text names a cluster.
    pub name: Option<String>,
    /// Reports with what they say of it, in the order of the inputs.
    pub reports: Vec<(&'c Report, &'c ClusterReport)>,
    /// What is configured, with its index.
    pub cluster: Option<(usize, &'c ClusterConfig)>,
    /// Logs with its requests.
    pub logs: Vec<(&'c AccessLog, &'c LogTraffic)>,
    /// Requests of logs that name no cluster and were left out.
    unnamed: Vec<&'c LogTraffic>,
    /// Stats that may be of a cluster with colons or of one with underscores, and were left out.
    of_two: Option<&'c ClusterReport>,
}

impl<'c> Sources<'c> {
    pub fn of(configuration: &'c Configuration, name: Option<String>) -> Self {
        let wanted = name.as_deref();
        let spellings = Spellings::of(configuration);
        let is_it = |name: &str| wanted.is_some_and(|wanted| spellings.is_same(wanted, name));
        let evidence = &configuration.evidence;
        let is_clear = |report: &Report, c: &ClusterReport| {
            report.page == config::AdminPage::Clusters || !spellings.is_doubtful(&c.name)
        };
        let of_it = || evidence.clusters().filter(|(_, c)| is_it(&c.name) && says_something(c));
        let reports = of_it().filter(|(report, c)| is_clear(report, c)).collect();
        let doubtful = wanted.filter(|wanted| spellings.is_doubtful(wanted)).map(key);
        let of_two = doubtful.and_then(|key_of| {
            evidence.clusters().find(|(r, c)| key(&c.name) == key_of && !is_clear(r, c)).map(|(_, c)| c)
        });
        let named = |c: &ClusterConfig| is_whole(c) && c.name.as_ref().is_some_and(|n| is_it(&n.value));
        let configured = || configuration.clusters.iter().enumerate().filter(|(_, c)| named(c));
        // What is in force, and not what is about to be.
        let in_force = configured().rfind(|(_, c)| c.origin.state != ResourceState::Warming);
        let traffic = || evidence.logs.iter().flat_map(|log| log.traffic.iter().map(move |t| (log, t)));
        // A log without names is about the cluster only if there is no other that it could be about.
        let names_none = traffic().all(|(_, t)| t.cluster.is_none());
        let is_meant = |t: &LogTraffic| t.cluster.as_deref().map_or(names_none && wanted.is_none(), is_it);
        Self {
            configuration,
            reports,
            cluster: in_force.or_else(|| configured().next_back()),
            logs: traffic().filter(|(_, t)| is_meant(t)).collect(),
            unnamed: traffic().map(|(_, t)| t).filter(|t| t.cluster.is_none() && !is_meant(t)).collect(),
            of_two,
            name,
        }
    }

    /// Routes of HTTP that lead to it.
    pub fn routes(&self) -> Vec<&'c RouteConfig> {
        let routes = self.cluster.map(|(at, _)| self.configuration.routes_to(at));
        routes.into_iter().flatten().filter(|route| route.kind == RouteKind::Http).collect()
    }

    /// Whether a report may be of a proxy that calls the cluster: one that names clusters, but not
    /// this one, is of another.
    pub fn may_be_of_it(&self, report: &Report) -> bool {
        let wanted = self.name.as_deref().map(key);
        report.clusters.is_empty() || report.clusters.iter().any(|c| Some(key(&c.name)) == wanted)
    }

    /// How long the proxy of a report has been running: by that report if that is long enough for a
    /// rate, else by the only text that tells.
    pub fn uptime(&self, report: &Report) -> Option<Uptime> {
        let evidence = &self.configuration.evidence;
        let gauge = |length: &Spanned<Millis>| Uptime { length: length.clone(), is_live: false };
        let live = |length: &Spanned<Millis>| Uptime { length: length.clone(), is_live: true };
        let own = report.uptime.as_ref().map(gauge);
        let of_server = only(evidence.servers.iter().filter_map(|s| s.uptime.as_ref())).map(live);
        let others = || evidence.reports.iter().filter(|report| self.may_be_of_it(report));
        let of_others = || only(others().filter_map(|r| r.uptime.as_ref())).map(gauge);
        match (own, of_server) {
            (Some(own), server) if own.is_enough() || server.is_none() => Some(own),
            (_, Some(server)) => Some(server),
            (_, None) => of_others(),
        }
    }

    /// What was left out, and what is not in force.
    pub fn notes(&self) -> Vec<Remark> {
        let mut notes = Vec::new();
        // The prefixes that Istio keeps by default have no other cluster.
        if let Some((_, cluster)) = self.reports.first().filter(|(_, c)| c.name == "xds-grpc") {
            let message = "xds-grpc leads to Istio's control plane; a sidecar reports no other cluster until proxyStatsMatcher asks for it (annotation proxy.istio.io/config)".to_owned();
            notes.push(Remark { at: Some(cluster.at.clone()), message });
        }
        if let Some(first) = self.unnamed.first() {
            let n = self.unnamed.iter().fold(0, |sum: u64, t| sum.saturating_add(t.requests));
            let message = format!(
                "{} of the access log {} left out: their lines name no cluster, and other texts name one; write %UPSTREAM_CLUSTER% into the log",
                if n == 1 { "one request".to_owned() } else { format!("{} requests", count(n)) },
                if n == 1 { "is" } else { "are" }
            );
            notes.push(Remark { at: Some(first.at.clone()), message });
        }
        if let Some(cluster) = self.of_two {
            let message = "stats are left out: they have underscores for colons, and two clusters have this name in them".to_owned();
            notes.push(Remark { at: Some(cluster.at.clone()), message });
        }
        let warming = self.cluster.filter(|(_, c)| c.origin.state == ResourceState::Warming);
        if let Some((_, cluster)) = warming {
            let message = "this cluster is being warmed: it is not in force yet".to_owned();
            notes.push(Remark { at: Some(cluster.origin.block.clone()), message });
        }
        notes
    }
}

/// The only one.
fn only<T>(mut all: impl Iterator<Item = T>) -> Option<T> {
    let first = all.next()?;
    all.next().is_none().then_some(first)
}

/// The name of a page in a sentence.
pub fn page(page: config::AdminPage) -> &'static str {
    match page {
        config::AdminPage::Clusters => "/clusters",
        config::AdminPage::Stats => "/stats",
        config::AdminPage::Prometheus => "/stats/prometheus",
        config::AdminPage::StatsJson => "/stats?format=json",
    }
}
