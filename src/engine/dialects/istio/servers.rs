//! What the servers' own sidecars must let through.
//!
//! Istio puts the connection pool of a `DestinationRule` also into the inbound cluster in front of
//! each server, unless a `Sidecar` of the servers has a pool of its own (istio/istio,
//! `buildInboundCluster`; finding HR523). A limit for one of many callers is too small there: the
//! calls of all of them meet in few servers.

use super::model::{ConnectionPool, Http, Labels, Sidecar, WorkloadSelector};
use super::{API, field};
use crate::engine::analysis::Analysis;
use crate::engine::dialects::names::Names;
use crate::engine::dialects::notes::Notes;
use crate::engine::dialects::resource::{Resource, Units, paragraphs};
use crate::engine::queueing::erlang_b;
use crate::engine::scenario::Protocol;
use crate::engine::units::{Erlangs, display};

/// What one server takes, beside the callers' limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Servers {
    /// Requests in flight that one server must be let have.
    pub needed: u64,
    /// The limit at the server: what it survives, or what it needs where nobody knows.
    pub limit: u64,
    /// Whether the callers' limit is too small for it.
    pub is_cut: bool,
    /// Whether there are sidecars at the servers at all.
    pub is_inside: bool,
}

/// The servers' side of an answer.
///
/// # Formula
///
/// ```text
/// a      = fleet_concurrency_at_peak · slowdown · (1 + retry_overhead) / (hosts − hosts_lost)
/// needed = min c: B(c, a) ≤ shed_target
/// limit  = ⌊host_concurrency⌋, or `needed` without it
/// ```
///
/// `a` is the load of one server in erlangs, while `hosts_lost` are down, the upstream is `slowdown`
/// times slower and retries add all they may.
pub fn servers(analysis: &Analysis, names: &Names) -> Servers {
    let (s, limits) = (&analysis.scenario, analysis.default_threshold());
    let left = f64::from(s.hosts - s.hosts_lost);
    let peak = analysis.load.fleet_concurrency_at_peak.0;
    let offered = Erlangs(peak * s.slowdown * (1.0 + s.retry_overhead) / left);
    let needed = erlang_b::servers_for(offered, s.shed_target).max(1);
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "positive; huge ones saturate"
    )]
    let survives = s.host_concurrency.map(|each| (each.floor() as u64).max(1));
    let copy = match s.protocol {
        Protocol::Http1 => limits.max_requests.min(limits.max_connections),
        _ => limits.max_requests,
    };
    Servers {
        needed,
        limit: survives.unwrap_or(needed),
        is_cut: u64::from(copy) < needed,
        is_inside: names.is_service,
    }
}

impl Servers {
    /// Whether they have to be given a limit of their own.
    pub fn is_needed(self) -> bool {
        self.is_inside && self.is_cut
    }

    /// Words at the callers' limit.
    pub fn note(self) -> String {
        let needed = display::count(self.needed as f64);
        match (self.is_inside, self.is_cut) {
            (false, _) => "acts in the callers only: the host is outside of the mesh".to_owned(),
            (true, true) => {
                format!("each server needs {needed}: the Sidecar below gives them their own limit")
            }
            (true, false) => format!("limits each server's sidecar too, which needs {needed}"),
        }
    }

    /// The limit of the servers, where the callers' limit would cut them.
    pub fn to_yaml(self, analysis: &Analysis, names: &Names) -> Option<String> {
        if !self.is_needed() {
            return None;
        }
        let http = Http {
            http2_max_requests: field(u32::try_from(self.limit).unwrap_or(u32::MAX)),
            http1_max_pending_requests: None,
            idle_timeout: Units::new(analysis.timeouts.pool_idle_ms),
            h2_upgrade_policy: None,
        };
        let spec = Sidecar {
            workload_selector: WorkloadSelector { labels: Labels { app: names.resource.clone() } },
            inbound_connection_pool: ConnectionPool { tcp: None, http },
        };
        let sentences = [
            "the servers' own limit: without it Istio gives them that of one caller".to_owned(),
            "where they have a Sidecar already, put inboundConnectionPool into that one".to_owned(),
        ];
        let mut notes = Notes::default();
        notes.say("spec.workloadSelector.labels.app", "put the labels of your pods");
        notes.say("spec.inboundConnectionPool.http.http2MaxRequests", self.why(analysis));
        let resource = Resource::new(API, "Sidecar", names, spec);
        Some(resource.to_yaml(&paragraphs(&sentences), &notes.all()))
    }

    fn why(self, analysis: &Analysis) -> String {
        let s = &analysis.scenario;
        let needed = display::count(self.needed as f64);
        let load = format!(
            "a ×{} slowdown at peak with {} needs {needed}",
            display::number(s.slowdown),
            match s.hosts_lost {
                0 => "all hosts up".to_owned(),
                lost => format!("{} down", display::plural(f64::from(lost), "host", "hosts")),
            }
        );
        if s.host_concurrency.is_some() { format!("what one host survives; {load}") } else { load }
    }
}

#[cfg(test)]
mod tests {
    use super::{Names, servers};
    use crate::engine::analyze;
    use crate::engine::params::by_key;
    use crate::engine::scenario::Draft;

    #[track_caller]
    fn of(inputs: &str) -> super::Servers {
        let mut draft = Draft::default();
        for (key, value) in inputs.split_whitespace().filter_map(|pair| pair.split_once('=')) {
            draft.set(by_key(key).expect("an input").id, value);
        }
        let scenario = draft.check().expect("a scenario");
        servers(&analyze(&scenario).expect("an answer"), &Names::of(&scenario.name))
    }

    #[test]
    fn a_server_takes_its_share_of_the_fleet_in_a_slowdown() {
        // 100 req/s × 1 × 100 ms = 10 erlangs over 10 hosts, none lost, no slowdown, no retries: 1
        // erlang each, and B(c, 1) ≤ 0.1 first at c = 3: 1/2, 1/5, 1/16.
        let inputs = "rps=100 mean=100 p50=90 hosts=10 hosts_lost=0 burst=1 slowdown=1 retry_overhead=0 shed_target=0.1";
        let one = of(&format!("{inputs} clients=1"));
        assert_eq!((one.needed, one.limit, one.is_cut), (3, 3, false));
        // 50 callers of 0.2 × 1.2 erlangs: 1 or 2 slots each.
        let many = of(&format!("{inputs} clients=50"));
        assert_eq!((many.needed, many.is_cut), (3, true));
        assert_eq!(of(&format!("{inputs} clients=50 host_concurrency=64.5")).limit, 64);
    }
}
