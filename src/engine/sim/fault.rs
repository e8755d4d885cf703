//! What goes wrong, where, and from when to when.

use super::Nanos;
use serde::{Deserialize, Serialize};

/// The ten kinds, in the order of the page.
///
/// A fault is in force from `from` up to `to`; one with `from >= to` does nothing. What happens to an
/// attempt is settled when its service at the host begins, by draws of its own: the same attempt is
/// hit under every policy. Several faults add up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// Hosts answer 503 to a share of requests, after their normal time (UNAVAILABLE where hosts
    /// fail as gRPC).
    #[serde(rename = "host_5xx")]
    Host5xx,
    /// Connections break under a share of requests, half way through: on HTTP/2 every stream of the
    /// connection goes with it.
    ConnectionReset,
    /// Hosts take `strength` times as long, plus `add_ms`.
    Latency,
    /// Some proxies cannot reach some hosts: packets vanish, so connects run into their timeout and
    /// requests on open connections are never answered. What was under way when it began is not
    /// answered either if its answer falls into it, and what was lost stays lost when it ends; open
    /// connections can be used again then.
    Partition,
    /// Every host takes `strength` times as long, so that requests in flight run into the limits.
    BreakerOverflow,
    /// A share of all attempts fails with 503 on every host, so that retries run into their limit.
    RetryBudgetExhaustion,
    /// A third of the hosts vanishes: open connections are reset, with what was on them and in the
    /// hosts; connects run into their timeout until it ends.
    ZoneLoss,
    /// Host after host restarts, evenly over the time of the fault, the first at once: its
    /// connections are closed with what was on them, connects are refused (after the time that a
    /// connect takes) for `strength` seconds, then it is back with cold pools.
    RollingDeploy,
    /// A grey failure: a host takes `strength` times as long for a share of requests and fails none.
    SlowHost,
    /// The rate is `strength` times as high.
    LoadSurge,
}

/// Which hosts or clients: so many (the first ones), or these, counted from 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Hosts {
    /// So many.
    Count(u32),
    /// These.
    These(Vec<u32>),
}

impl Hosts {
    /// Whether the one with that index is among them.
    pub fn has(&self, idx: u32) -> bool {
        match self {
            Self::Count(n) => idx < *n,
            Self::These(list) => list.contains(&idx),
        }
    }
}

/// A fault, complete: what nobody gave is filled in from [`FaultSpec`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fault {
    /// What.
    pub kind: FaultKind,
    /// From when.
    pub from: Nanos,
    /// Until when.
    pub to: Nanos,
    /// Hosts affected.
    pub hosts: Hosts,
    /// Proxies affected, of those simulated.
    pub clients: Hosts,
    /// Share of requests affected, 0 to 1.
    pub share: f64,
    /// How strong; what it means depends on the kind.
    pub strength: f64,
    /// Added to the time of affected requests (kind `latency`).
    pub add: Nanos,
}

/// What a kind is called, what its fields mean and what they are when nobody gives them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FaultSpec {
    /// The kind.
    pub kind: FaultKind,
    /// Its word in faults files, links and flags.
    pub word: &'static str,
    /// Other words that are understood.
    pub aliases: &'static [&'static str],
    /// Its name in the page.
    pub title: &'static str,
    /// What it does, in a sentence.
    pub help: &'static str,
    /// Share of the hosts affected by default (at least one host).
    pub hosts_share: f64,
    /// Share of the clients affected by default (at least one).
    pub clients_share: f64,
    /// Whether the person may choose hosts, clients, share.
    pub takes: Takes,
    /// Default share of requests.
    pub share: f64,
    /// What `strength` is: its label, unit, default, lowest and highest.
    pub strength: Option<Strength>,
}

/// Which fields of a fault have a meaning for a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the fields")]
pub struct Takes {
    pub hosts: bool,
    pub clients: bool,
    pub share: bool,
}

/// What `strength` means for a kind.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Strength {
    pub label: &'static str,
    pub unit: &'static str,
    pub default: f64,
    pub min: f64,
    pub max: f64,
}

/// All kinds.
pub const FAULTS: [FaultSpec; 10] = [
    FaultSpec {
        kind: FaultKind::Host5xx,
        word: "host_5xx",
        aliases: &["single_host_5xx", "5xx", "host_errors"],
        title: "One host answers 5xx",
        help: "The host answers 503 to a share of its requests, after its normal time.",
        hosts_share: 0.0,
        clients_share: 1.0,
        takes: Takes { hosts: true, clients: false, share: true },
        share: 1.0,
        strength: None,
    },
    FaultSpec {
        kind: FaultKind::ConnectionReset,
        word: "connection_reset",
        aliases: &["reset", "connections_reset", "resets"],
        title: "Connections reset",
        help: "Connections to the hosts break under a share of requests, half way through. On HTTP/2 all \
               streams of the connection go with it.",
        hosts_share: 1.0,
        clients_share: 1.0,
        takes: Takes { hosts: true, clients: false, share: true },
        share: 0.05,
        strength: None,
    },
    FaultSpec {
        kind: FaultKind::Latency,
        word: "latency",
        aliases: &["latency_injection", "latency_injected", "delay"],
        title: "Latency injected",
        help: "The hosts take several times as long for every request.",
        hosts_share: 0.2,
        clients_share: 1.0,
        takes: Takes { hosts: true, clients: false, share: true },
        share: 1.0,
        strength: Some(Strength { label: "Latency", unit: "times", default: 40.0, min: 1.0, max: 10_000.0 }),
    },
    FaultSpec {
        kind: FaultKind::Partition,
        word: "partition",
        aliases: &["partial_partition", "network_partition", "cut_off"],
        title: "Proxies cut off from hosts",
        help: "Some proxies cannot reach some hosts: packets vanish without an answer.",
        hosts_share: 0.34,
        clients_share: 0.34,
        takes: Takes { hosts: true, clients: true, share: false },
        share: 1.0,
        strength: None,
    },
    FaultSpec {
        kind: FaultKind::BreakerOverflow,
        word: "breaker_overflow",
        aliases: &["overflow", "stall"],
        title: "Breaker overflow",
        help: "Every host takes several times as long, so that requests in flight run into the limits.",
        hosts_share: 1.0,
        clients_share: 1.0,
        takes: Takes { hosts: false, clients: false, share: false },
        share: 1.0,
        strength: Some(Strength { label: "Latency", unit: "times", default: 10.0, min: 1.0, max: 10_000.0 }),
    },
    FaultSpec {
        kind: FaultKind::RetryBudgetExhaustion,
        word: "retry_budget_exhaustion",
        aliases: &["retry_budget", "retry_budget_exhausted", "retry_storm"],
        title: "Retry budget exhausted",
        help: "A share of all attempts fails with 503 on every host, so that retries run into their limit.",
        hosts_share: 1.0,
        clients_share: 1.0,
        takes: Takes { hosts: false, clients: false, share: true },
        share: 0.5,
        strength: None,
    },
    FaultSpec {
        kind: FaultKind::ZoneLoss,
        word: "zone_loss",
        aliases: &["zone", "zone_outage"],
        title: "A zone is lost",
        help: "A third of the hosts vanishes: open connections are reset, new ones get no answer.",
        hosts_share: 0.34,
        clients_share: 1.0,
        takes: Takes { hosts: true, clients: false, share: false },
        share: 1.0,
        strength: None,
    },
    FaultSpec {
        kind: FaultKind::RollingDeploy,
        word: "rolling_deploy",
        aliases: &["deploy", "rolling_restart"],
        title: "Rolling deploy",
        help: "Host after host restarts: its connections are closed, it refuses new ones until it is up, and \
               comes back to cold pools.",
        hosts_share: 1.0,
        clients_share: 1.0,
        takes: Takes { hosts: true, clients: false, share: false },
        share: 1.0,
        strength: Some(Strength {
            label: "Each is down for",
            unit: "s",
            default: 2.0,
            min: 0.0,
            max: 3600.0,
        }),
    },
    FaultSpec {
        kind: FaultKind::SlowHost,
        word: "slow_host",
        aliases: &["grey_failure", "gray_failure", "slow"],
        title: "One host turns slow",
        help: "A grey failure: the host takes several times as long for a share of requests and fails none.",
        hosts_share: 0.0,
        clients_share: 1.0,
        takes: Takes { hosts: true, clients: false, share: true },
        share: 0.5,
        strength: Some(Strength { label: "Latency", unit: "times", default: 20.0, min: 1.0, max: 10_000.0 }),
    },
    FaultSpec {
        kind: FaultKind::LoadSurge,
        word: "load_surge",
        aliases: &["surge", "load"],
        title: "Load surge",
        help: "The rate of all callers is several times as high.",
        hosts_share: 1.0,
        clients_share: 1.0,
        takes: Takes { hosts: false, clients: true, share: false },
        share: 1.0,
        strength: Some(Strength { label: "Rate", unit: "times", default: 3.0, min: 0.0, max: 1_000.0 }),
    },
];

impl FaultKind {
    /// All there is to know of the kind.
    pub fn spec(self) -> &'static FaultSpec {
        FAULTS.iter().find(|spec| spec.kind == self).expect("FAULTS has an entry for every kind")
    }

    /// The kind of that word or alias.
    pub fn from_word(word: &str) -> Option<Self> {
        FAULTS.iter().find(|s| s.word == word || s.aliases.contains(&word)).map(|s| s.kind)
    }

    /// The fault with everything filled in, for a cluster of `hosts` and a fleet of `clients`.
    pub fn fault(self, from: Nanos, to: Nanos, hosts: u32, clients: u32) -> Fault {
        let spec = self.spec();
        let part = |share: f64, of: u32| {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most `of`")]
            let n = libm::floor(share * f64::from(of)) as u32;
            Hosts::Count(n.clamp(1, of.max(1)))
        };
        Fault {
            kind: self,
            from,
            to,
            hosts: part(spec.hosts_share, hosts),
            clients: part(spec.clients_share, clients),
            share: spec.share,
            strength: spec.strength.map_or(1.0, |s| s.default),
            add: Nanos::ZERO,
        }
    }
}
