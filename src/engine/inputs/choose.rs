//! Which cluster is meant.

use super::Refusal;
use crate::engine::read::config::{AdminPage, ClusterConfig, ClusterReport, Configuration, Report};
use std::collections::{BTreeMap, BTreeSet};

/// A cluster that the texts are about.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Candidate {
    /// Its name, as the first text has it.
    pub name: String,
    /// Requests, where a text counts them.
    pub requests: Option<u64>,
    /// Hosts, where a text tells.
    pub hosts: Option<u64>,
}

/// What two spellings of a name share: stats have underscores for colons.
pub fn key(name: &str) -> String {
    name.replace(':', "_")
}

/// Names as `/clusters`, logs and configurations write them, by their key.
#[derive(Default)]
pub struct Spellings(BTreeMap<String, BTreeSet<String>>);

impl Spellings {
    pub fn of(c: &Configuration) -> Self {
        let mut all = Self::default();
        let mut add = |name: &str| {
            all.0.entry(key(name)).or_default().insert(name.to_owned());
        };
        let of_hosts = c.evidence.clusters().filter(|(report, _)| report.page == AdminPage::Clusters);
        of_hosts.for_each(|(_, cluster)| add(&cluster.name));
        let configured = c.clusters.iter().filter(|cluster| is_whole(cluster));
        configured.filter_map(|cluster| cluster.name.as_ref()).for_each(|name| add(&name.value));
        let traffic = c.evidence.logs.iter().flat_map(|log| &log.traffic);
        traffic.filter_map(|t| t.cluster.as_deref()).for_each(add);
        all
    }

    /// Whether stats of this name may be of more than one cluster.
    pub fn is_doubtful(&self, name: &str) -> bool {
        self.0.get(&key(name)).is_some_and(|names| names.len() > 1)
    }

    /// Whether two names are those of one cluster.
    pub fn is_same(&self, a: &str, b: &str) -> bool {
        if self.is_doubtful(a) { a == b } else { key(a) == key(b) }
    }
}

/// The key of the cluster that is meant, with its name; none where no text names a cluster, but
/// there is traffic in a log.
pub fn choose(c: &Configuration, asked: Option<&str>) -> Result<Option<String>, Refusal> {
    let all = candidates(c);
    if let Some(asked) = asked {
        let exact = all.iter().find(|one| one.name == asked);
        let mut near = all.iter().filter(|one| key(&one.name) == key(asked));
        let found = exact.or_else(|| near.next().filter(|_| near.next().is_none()));
        return found.map(|one| Some(one.name.clone())).ok_or(Refusal::Unknown(all));
    }
    match all.as_slice() {
        [] if c.evidence.logs.iter().all(|log| log.traffic.is_empty()) && c.evidence.servers.is_empty() => {
            Err(Refusal::Nothing)
        }
        [] => Ok(None),
        [only] => Ok(Some(only.name.clone())),
        _ => Err(Refusal::Several(all)),
    }
}

/// The clusters that something is known of, in the order of the texts.
fn candidates(c: &Configuration) -> Vec<Candidate> {
    let mut all: Vec<Candidate> = Vec::new();
    let mut of_key: BTreeMap<String, usize> = BTreeMap::new();
    let spellings = Spellings::of(c);
    let mut add = |name: &str, requests: Option<u64>, hosts: Option<u64>| {
        let id = if spellings.is_doubtful(name) { name.to_owned() } else { key(name) };
        let at = *of_key.entry(id).or_insert(all.len());
        if at == all.len() {
            all.push(Candidate { name: name.to_owned(), ..Candidate::default() });
        }
        if let Some(one) = all.get_mut(at) {
            one.requests = one.requests.max(requests);
            one.hosts = one.hosts.max(hosts);
        }
    };
    let is_clear = |report: &Report, cluster: &ClusterReport| {
        report.page == AdminPage::Clusters || !spellings.is_doubtful(&cluster.name)
    };
    let reported = c.evidence.clusters().filter(|(_, cluster)| says_something(cluster));
    for (_, cluster) in reported.filter(|(report, cluster)| is_clear(report, cluster)) {
        let of_hosts = cluster.hosts.iter().filter_map(|host| host.rq_total).reduce(u64::saturating_add);
        add(&cluster.name, cluster.requests().or(of_hosts), cluster.hosts().map(|(all, _)| all));
    }
    for cluster in c.clusters.iter().filter(|cluster| is_whole(cluster)) {
        if let Some(name) = &cluster.name {
            add(&name.value, None, cluster.hosts().map(u64::from));
        }
    }
    for traffic in c.evidence.logs.iter().flat_map(|log| &log.traffic) {
        if let Some(name) = &traffic.cluster {
            add(name, Some(traffic.requests), None);
        }
    }
    all
}

/// A cluster of stats may have a name and nothing else.
pub fn says_something(cluster: &ClusterReport) -> bool {
    let limits = cluster.stated.iter().any(|of| of.max_requests.is_some() || of.max_connections.is_some());
    !cluster.stats.is_empty()
        || !cluster.hosts.is_empty()
        || cluster.latency.is_some()
        || cluster.connect.is_some()
        || limits
}

/// A change to what another program generates is no cluster.
pub fn is_whole(cluster: &ClusterConfig) -> bool {
    cluster.origin.patch.is_none()
}
