//! What is known of the traffic and the fleet of a cluster.

use crate::engine::params::{ENVOY_VERSIONS, ParamId};
use crate::engine::read::config::{ClusterConfig, Configuration};
use crate::engine::scenario::{Draft, EnvoyVersion, Problem, Protocol, Scenario};
use crate::engine::sizing::{Sizing, size};
use crate::engine::units::{Millis, Share};

/// What a person said about the traffic: a whole scenario, a part of one, or nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Asked {
    draft: Draft,
    complete: bool,
    version: Option<EnvoyVersion>,
}

/// What is known about a cluster besides its text.
///
/// With a whole scenario everything is `Some` but what a scenario itself leaves open; without one,
/// only what was given or stands in the text.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the names are the scenario's")]
pub struct Facts {
    /// Whether what was asked is about this cluster.
    pub concerned: bool,
    /// The release that was named, else the newest known; releases older than a recommendation is
    /// written for are judged too.
    pub envoy_version: EnvoyVersion,
    /// Whether a release was named.
    pub version_given: bool,
    pub protocol: Option<Protocol>,
    pub hosts: Option<u32>,
    pub hosts_lost: Option<u32>,
    pub host_concurrency: Option<f64>,
    pub clients: Option<u32>,
    pub workers: Option<u32>,
    pub deadline: Option<Millis>,
    pub connect: Option<Millis>,
    pub idempotent: Option<bool>,
    pub error_rate: Option<Share>,
    pub retrying_hops: Option<u32>,
    pub upstream_keepalive: Option<Millis>,
    pub high_priority_share: Option<Share>,
    /// Rate and latency with all that follows from them.
    pub traffic: Option<Box<Traffic>>,
    /// What follows from the latency of requests alone, where the rate is missing: only the times
    /// in it mean anything.
    pub timing: Option<Box<Traffic>>,
}

/// A whole scenario and the policy that fits it.
#[derive(Clone, Debug, PartialEq)]
pub struct Traffic {
    /// What was asked, with name, hosts and protocol from the text where they were not given.
    pub scenario: Scenario,
    /// What Headroom recommends for it, with everything it was derived from.
    pub sizing: Sizing,
}

/// Inputs without which there is no traffic; while they are missing, these stand in for them so
/// that the others can be checked.
const STAND_IN: [(ParamId, &str); 2] = [(ParamId::Rps, "1"), (ParamId::Mean, "1")];

impl Asked {
    /// What a draft says; missing inputs are fine, wrong ones are not.
    ///
    /// # Errors
    ///
    /// One [`Problem`] for every input that cannot be read, is out of range or contradicts another.
    pub fn new(mut draft: Draft) -> Result<Self, Vec<Problem>> {
        let old = older_release(draft.get(ParamId::EnvoyVersion));
        if let (Some(_), Some(oldest)) = (old, ENVOY_VERSIONS.first()) {
            draft.set(ParamId::EnvoyVersion, *oldest);
        }
        let (scenario, complete) = scenario(&draft)?;
        let given = !draft.get(ParamId::EnvoyVersion).is_empty();
        Ok(Self { draft, complete, version: given.then_some(old.unwrap_or(scenario.envoy_version)) })
    }

    /// Whether rate and latency are known.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// What was said as a scenario: whole if rate and latency are known, else with 1 in their place.
    pub fn scenario(&self) -> Option<Scenario> {
        scenario(&self.draft).ok().map(|(scenario, _)| scenario)
    }

    /// The inputs that were given.
    pub fn draft(&self) -> &Draft {
        &self.draft
    }

    /// Whether nothing was said.
    pub fn is_empty(&self) -> bool {
        self.draft == Draft::default()
    }

    /// What is known about a cluster of a configuration, or of a route that leads to none.
    ///
    /// What was asked is about the cluster it names; if it names none of them, it is about each.
    pub fn facts(&self, configuration: &Configuration, cluster: Option<&ClusterConfig>) -> Facts {
        let name = self.draft.get(ParamId::Name).trim();
        let named = |c: &ClusterConfig| c.name.as_ref().is_some_and(|n| same_service(&n.value, name));
        let concerned =
            name.is_empty() || cluster.is_some_and(named) || !configuration.clusters.iter().any(named);
        // A limit in front of a server's own pods sees other traffic than a caller's.
        let takes_in = cluster.is_some_and(|c| c.origin.kind == "Sidecar");
        if concerned && !takes_in { self.facts_of(cluster) } else { Facts::unasked(cluster, self.version) }
    }

    fn facts_of(&self, cluster: Option<&ClusterConfig>) -> Facts {
        let mut draft = self.draft.clone();
        let text = cluster.map(ClusterConfig::facts).unwrap_or_default();
        let mut fill = |id: ParamId, value: Option<String>| {
            if let Some(value) = value.filter(|_| draft.get(id).is_empty()) {
                draft.set(id, value);
            }
        };
        // A name that the form would refuse is no reason to refuse the audit.
        fill(ParamId::Hosts, text.hosts.map(|n| n.to_string()));
        fill(ParamId::Protocol, text.protocol.map(|p| p.as_str().to_owned()));
        // What the text says may contradict what was given: then what was given stands alone.
        let Ok((s, _)) = scenario(&draft).or_else(|_| scenario(&self.draft)) else {
            return Facts::unasked(cluster, self.version);
        };
        let traffic = self
            .complete
            .then(|| size(&s).ok())
            .flatten()
            .map(|sizing| Box::new(Traffic { scenario: s.clone(), sizing }));
        let has_latency = !is_missing(&draft, ParamId::Mean) && !s.protocol.streams();
        let timing = (!self.complete && has_latency)
            .then(|| size(&s).ok())
            .flatten()
            .map(|sizing| Box::new(Traffic { scenario: s.clone(), sizing }));
        let known = |id: ParamId| self.complete || !draft.get(id).is_empty();
        Facts {
            concerned: true,
            envoy_version: self.version.unwrap_or(EnvoyVersion::NEWEST),
            version_given: self.version.is_some(),
            protocol: known(ParamId::Protocol).then_some(s.protocol),
            hosts: known(ParamId::Hosts).then_some(s.hosts),
            hosts_lost: known(ParamId::HostsLost).then_some(s.hosts_lost),
            host_concurrency: s.host_concurrency,
            clients: known(ParamId::Clients).then_some(s.clients),
            workers: known(ParamId::Workers).then_some(s.workers),
            deadline: s.deadline_ms,
            connect: known(ParamId::ConnectMs).then_some(s.connect_ms),
            idempotent: known(ParamId::Idempotent).then_some(s.idempotent),
            error_rate: known(ParamId::ErrorRate).then_some(s.error_rate),
            retrying_hops: known(ParamId::RetryingHops).then_some(s.retrying_hops),
            upstream_keepalive: s.upstream_keepalive_s.map(Millis::from_secs),
            high_priority_share: known(ParamId::HighPriorityShare).then_some(s.high_priority_share),
            traffic,
            timing,
        }
    }
}

impl Facts {
    /// A cluster that nothing was said about: its text alone.
    fn unasked(cluster: Option<&ClusterConfig>, version: Option<EnvoyVersion>) -> Self {
        let text = cluster.map(ClusterConfig::facts).unwrap_or_default();
        Self {
            concerned: false,
            envoy_version: version.unwrap_or(EnvoyVersion::NEWEST),
            version_given: version.is_some(),
            protocol: text.protocol,
            hosts: text.hosts,
            hosts_lost: None,
            host_concurrency: None,
            clients: None,
            workers: None,
            deadline: None,
            connect: None,
            idempotent: None,
            error_rate: None,
            retrying_hops: None,
            upstream_keepalive: None,
            high_priority_share: None,
            traffic: None,
            timing: None,
        }
    }
}

/// A release before the oldest that a recommendation is written for: many still run, and an audit
/// can judge them.
fn older_release(text: &str) -> Option<EnvoyVersion> {
    let text = text.trim();
    let minor: u8 =
        text.strip_prefix('v').unwrap_or(text).strip_prefix("1.")?.split('.').next()?.parse().ok()?;
    let oldest: u8 = ENVOY_VERSIONS.first()?.strip_prefix("1.")?.parse().ok()?;
    // `1.4` is 1.40 that a number made shorter.
    (10..oldest).contains(&minor).then_some(EnvoyVersion::minor(minor))
}

/// The scenario of a draft, and whether it is whole.
fn scenario(draft: &Draft) -> Result<(Scenario, bool), Vec<Problem>> {
    let missing: Vec<_> = STAND_IN.into_iter().filter(|(id, _)| is_missing(draft, *id)).collect();
    if missing.is_empty() {
        return Ok((draft.check()?, true));
    }
    let mut filled = draft.clone();
    for (id, text) in missing {
        // Streams have their own kind of time.
        let id = match (id, draft.get(ParamId::Protocol).trim()) {
            (ParamId::Mean, "grpc_stream") => ParamId::StreamMean,
            (id, _) => id,
        };
        filled.set(id, text);
    }
    Ok((filled.check()?, false))
}

fn is_missing(draft: &Draft, id: ParamId) -> bool {
    use ParamId::{Mean, P50, P75, P90, P95, P99, P999, Rps, StreamMean, StreamP99};
    match id {
        Rps => draft.get(Rps).is_empty(),
        _ if draft.get(ParamId::Protocol).trim() == "grpc_stream" => {
            [StreamMean, StreamP99].iter().all(|id| draft.get(*id).is_empty())
        }
        _ => [P50, P75, P90, P95, P99, P999, Mean].iter().all(|id| draft.get(*id).is_empty()),
    }
}

/// `orders` is `orders.shop.svc.cluster.local` and `outbound|80||orders.shop.svc.cluster.local`.
pub(crate) fn same_service(cluster: &str, name: &str) -> bool {
    let host = cluster.rsplit('|').next().unwrap_or(cluster);
    cluster == name || host == name || host.split('.').next() == Some(name)
}

#[cfg(test)]
mod tests {
    use super::older_release;
    use crate::engine::audit::rules::tests::{asked, judge};
    use crate::engine::scenario::EnvoyVersion;

    #[test]
    fn releases_before_the_oldest_known_are_judged() {
        assert_eq!(older_release("1.29"), Some(EnvoyVersion::minor(29)));
        assert_eq!(older_release("v1.25.3"), Some(EnvoyVersion::minor(25)));
        for known_or_none in ["1.30", "1.40", "1.4", "", "2.0", "x"] {
            assert_eq!(older_release(known_or_none), None, "{known_or_none}");
        }
        let facts = &judge("name: a\nconnect_timeout: 1s\n", "envoy_version=1.26 rps=5 mean=5").facts[0];
        assert_eq!((facts.envoy_version.minor, facts.version_given), (26, true));
        assert!(facts.traffic.is_some() && !asked("rps=5").is_empty());
    }

    #[test]
    fn latency_without_a_rate_is_known_by_itself() {
        let facts = |inputs: &str| judge("name: a\nconnect_timeout: 1s\n", inputs).facts.remove(0);
        let alone = facts("p50=50 p99=100");
        assert!(alone.traffic.is_none());
        let p99 = alone.timing.map(|t| t.sizing.latency.p99_ms.0).unwrap_or_default();
        assert!((p99 - 100.0).abs() < 0.5, "{p99}");
        assert!(facts("rps=5 p50=50 p99=100").timing.is_none());
        assert!(facts("rps=5").timing.is_none() && facts("").timing.is_none());
        assert!(facts("protocol=grpc_stream stream_mean=5").timing.is_none());
    }
}
