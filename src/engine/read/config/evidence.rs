//! What running proxies report about themselves: pages of Envoy's admin interface and access logs.
//!
//! Everything is kept under Envoy's own names and with its place, and nothing is judged: what a
//! number means is the business of the audit, and a scenario can be made of it.

use super::{Histogram, RoutingPriority};
use crate::engine::read::{Place, Setting, Spanned};
use crate::engine::units::{Millis, Rate, Share};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Everything that was read of running proxies.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// One page of one proxy at one moment each, in the order of the inputs.
    pub reports: Vec<Report>,
    /// Access logs, in the order of the inputs.
    pub logs: Vec<AccessLog>,
    /// What proxies say of themselves, in the order of the inputs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub servers: Vec<ServerReport>,
}

/// What one proxy says of itself: `/server_info`, or the node of a dumped bootstrap.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ServerReport {
    /// Where it starts.
    pub at: Place,
    /// Release of Envoy: `1.40.0`.
    pub version: Setting<String>,
    /// How long it has been running.
    pub uptime: Setting<Millis>,
    /// `--concurrency`: worker threads.
    pub workers: Setting<u32>,
}

/// A page of the admin interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AdminPage {
    /// `/clusters`
    Clusters,
    /// `/stats`
    Stats,
    /// `/stats/prometheus`
    Prometheus,
    /// `/stats?format=json`
    StatsJson,
}

/// What one proxy reported at one moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Which page it is.
    pub page: AdminPage,
    /// Where it starts.
    pub at: Place,
    /// `server.uptime`: what the counters cover.
    pub uptime: Setting<Millis>,
    /// `server.concurrency`: worker threads.
    pub workers: Setting<u32>,
    /// Its clusters, in the order of the text.
    pub clusters: Vec<ClusterReport>,
}

/// What is reported of a cluster.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClusterReport {
    /// Its name; colons are underscores in stats.
    pub name: String,
    /// The first line that names it.
    pub at: Place,
    /// Counters and gauges by Envoy's names without `cluster.<name>.`: `upstream_rq_total`.
    pub stats: BTreeMap<String, Spanned<u64>>,
    /// Limits that `/clusters` states: DEFAULT, then HIGH.
    pub stated: [StatedLimits; 2],
    /// Its hosts, where `/clusters` lists them.
    pub hosts: Vec<HostReport>,
    /// `upstream_rq_time`: time to the end of the answer.
    pub latency: Option<Histogram>,
    /// `upstream_cx_connect_ms`: time to connect.
    pub connect: Option<Histogram>,
}

/// Limits of one priority as `/clusters` has them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct StatedLimits {
    pub max_connections: Setting<u64>,
    pub max_pending_requests: Setting<u64>,
    pub max_requests: Setting<u64>,
    pub max_retries: Setting<u64>,
}

/// What is reported of a host.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub struct HostReport {
    pub address: String,
    /// Its first line.
    pub at: Place,
    pub cx_active: Option<u64>,
    pub cx_total: Option<u64>,
    pub cx_connect_fail: Option<u64>,
    pub rq_active: Option<u64>,
    pub rq_total: Option<u64>,
    pub rq_success: Option<u64>,
    pub rq_error: Option<u64>,
    pub rq_timeout: Option<u64>,
    /// Without their slashes: `failed_outlier_check`; none is healthy.
    pub health_flags: Vec<String>,
}

/// A limit that a priority has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Resource {
    /// `max_connections`
    Connections,
    /// `max_pending_requests`
    Pending,
    /// `max_requests`
    Requests,
}

/// A limit in force, by what a proxy reports.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReportedLimit<'a> {
    /// Its value; the largest it can be where the remainder is zero, since more than the limit may
    /// be open.
    pub value: u64,
    /// Whether the value is certain.
    pub exact: bool,
    /// How many are taken.
    pub used: Option<u64>,
    /// Where it stands.
    pub at: &'a Place,
}

/// An access log, summed up.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AccessLog {
    /// Where it starts.
    pub at: Place,
    /// Lines that are not empty.
    pub lines: u64,
    /// Lines that were understood.
    pub parsed: u64,
    /// Lines that say the same, in the order of their first.
    pub groups: Vec<LogGroup>,
    /// Requests by cluster, in the order of their first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub traffic: Vec<LogTraffic>,
}

/// The requests of a log that went to one cluster.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LogTraffic {
    /// The cluster, where the log has it.
    pub cluster: Option<String>,
    /// The first of them.
    pub at: Place,
    /// All.
    pub requests: u64,
    /// Those that a host was picked for and that were answered.
    pub attempted: u64,
    /// Those of `attempted` whose status is 5xx.
    pub failed: u64,
    /// Start of the first, since 1970.
    pub first: Option<Millis>,
    /// Start of the last, since 1970.
    pub last: Option<Millis>,
    /// Both ends of a time without a request that is [`LogTraffic::ALONE`] times as long as all the
    /// rest of the log, or longer: what lies on its other side hardly belongs to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap: Option<[Millis; 2]>,
    /// Time to the head of the answer, by the proxy's clock, of those that a host answered without
    /// a flag and without 5xx.
    pub service_time: Option<Histogram>,
}

impl LogTraffic {
    /// How often the rest of a log fits into a gap that takes a log apart: requests that come as
    /// they like leave none of even the length of the rest once there are a dozen.
    pub const ALONE: f64 = 10.0;
}

/// Lines of a log with the same answer for the same reason.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LogGroup {
    /// Status; 0 where the client got none.
    pub status: u32,
    /// Response flags: `UF`, `URX`; none is an answer without one.
    pub flags: Vec<String>,
    /// `response_code_details`.
    pub details: Option<String>,
    /// `upstream_transport_failure_reason`.
    pub reason: Option<String>,
    /// Cluster, where the log has it.
    pub cluster: Option<String>,
    /// Whether a host was picked.
    pub host: bool,
    /// A connection and no request.
    pub tcp: bool,
    /// How many lines.
    pub count: u64,
    /// Shortest duration among them.
    #[serde(default)]
    pub shortest: Option<Millis>,
    /// Longest duration among them.
    pub longest: Option<Millis>,
    /// The first of them.
    pub places: Vec<Place>,
}

impl Evidence {
    /// Whether nothing was read.
    pub fn is_empty(&self) -> bool {
        self.says_nothing_of_traffic() && self.servers.is_empty()
    }

    /// Whether there is neither a report nor a log.
    pub fn says_nothing_of_traffic(&self) -> bool {
        self.reports.is_empty() && self.logs.is_empty()
    }

    /// Every cluster of every report.
    pub fn clusters(&self) -> impl Iterator<Item = (&Report, &ClusterReport)> {
        self.reports.iter().flat_map(|report| report.clusters.iter().map(move |cluster| (report, cluster)))
    }

    /// Every group of every log.
    pub fn groups(&self) -> impl Iterator<Item = (&AccessLog, &LogGroup)> {
        self.logs.iter().flat_map(|log| log.groups.iter().map(move |group| (log, group)))
    }
}

impl Report {
    /// Requests of a cluster per second since the start of the proxy.
    pub fn rate(&self, cluster: &ClusterReport) -> Option<Rate> {
        let uptime = self.uptime.as_ref().filter(|uptime| uptime.value.0 > 0.0)?;
        #[allow(clippy::cast_precision_loss, reason = "a count of requests")]
        Some(Rate(cluster.requests()? as f64 / uptime.value.as_secs()))
    }
}

impl ClusterReport {
    /// A counter or a gauge, where it was reported.
    pub fn stat(&self, name: &str) -> Option<&Spanned<u64>> {
        self.stats.get(name)
    }

    /// A counter or a gauge; zero where it was not reported.
    pub fn count(&self, name: &str) -> u64 {
        self.stat(name).map_or(0, |stat| stat.value)
    }

    /// Requests that were answered, by the proxy itself too: `upstream_rq_completed`, else the sum
    /// of its classes, else attempts and refusals without retries.
    pub fn requests(&self) -> Option<u64> {
        if let Some(completed) = self.stat("upstream_rq_completed") {
            return Some(completed.value);
        }
        let classes =
            ["1xx", "2xx", "3xx", "4xx", "5xx"].map(|class| self.stat(&format!("upstream_rq_{class}")));
        if classes.iter().any(Option::is_some) {
            return Some(classes.iter().flatten().fold(0, |sum: u64, class| sum.saturating_add(class.value)));
        }
        let attempts = self.stat("upstream_rq_total")?.value;
        Some(attempts.saturating_add(self.refused()).saturating_sub(self.count("upstream_rq_retry")))
    }

    /// Attempts that `max_requests` or `max_pending_requests` refused: from 1.38 on two counters,
    /// before that one for both.
    pub fn refused(&self) -> u64 {
        self.count("upstream_rq_pending_overflow").saturating_add(self.count("upstream_rq_active_overflow"))
    }

    /// The refused share of its requests.
    pub fn refused_share(&self) -> Option<Share> {
        let requests = self.requests().filter(|requests| *requests > 0)?;
        #[allow(clippy::cast_precision_loss, reason = "counts of requests")]
        Some(Share(self.refused() as f64 / requests as f64))
    }

    /// Hosts, and those that get traffic without panic.
    pub fn hosts(&self) -> Option<(u64, u64)> {
        if self.hosts.is_empty() {
            let total = self.stat("membership_total").map(|stat| stat.value);
            return total.zip(self.stat("membership_healthy").map(|stat| stat.value));
        }
        let healthy = self.hosts.iter().filter(|host| host.health_flags.is_empty()).count();
        Some((self.hosts.len() as u64, healthy as u64))
    }

    /// How much of a resource is taken, over all priorities.
    pub fn used(&self, resource: Resource) -> Option<u64> {
        let sum = |of: fn(&HostReport) -> Option<u64>| {
            let known: Vec<u64> = self.hosts.iter().filter_map(of).collect();
            (!known.is_empty()).then(|| known.iter().fold(0, |sum: u64, n| sum.saturating_add(*n)))
        };
        self.stat(resource.gauge()).map(|stat| stat.value).or_else(|| match resource {
            Resource::Connections => sum(|host| host.cx_active),
            Resource::Requests => sum(|host| host.rq_active),
            Resource::Pending => None,
        })
    }

    /// A limit in force: as `/clusters` states it, else what is taken and what is left of it
    /// (`track_remaining`), which is right as long as all is taken by that priority.
    pub fn limit(&self, priority: RoutingPriority, resource: Resource) -> Option<ReportedLimit<'_>> {
        let used = self.used(resource);
        let at = usize::from(priority == RoutingPriority::High);
        if let Some(stated) = self.stated[at].of(resource) {
            return Some(ReportedLimit { value: stated.value, exact: true, used, at: &stated.at });
        }
        let word = if priority == RoutingPriority::High { "high" } else { "default" };
        let left = self.stat(&format!("circuit_breakers.{word}.{}", resource.remaining()))?;
        let value = used?.saturating_add(left.value);
        Some(ReportedLimit { value, exact: left.value > 0, used, at: &left.at })
    }

    /// Whether a gauge of a priority says that a limit is reached at this moment.
    pub fn is_open(&self, priority: RoutingPriority, resource: Resource) -> Option<bool> {
        let word = if priority == RoutingPriority::High { "high" } else { "default" };
        let open =
            self.stat(&format!("circuit_breakers.{word}.{}", resource.open())).map(|stat| stat.value > 0);
        let left = self.stat(&format!("circuit_breakers.{word}.{}", resource.remaining()));
        open.or_else(|| left.map(|left| left.value == 0))
    }
}

impl StatedLimits {
    /// The limit of a resource.
    pub fn of(&self, resource: Resource) -> Option<&Spanned<u64>> {
        match resource {
            Resource::Connections => self.max_connections.as_ref(),
            Resource::Pending => self.max_pending_requests.as_ref(),
            Resource::Requests => self.max_requests.as_ref(),
        }
    }
}

impl Resource {
    /// All of them, in Envoy's order.
    pub const ALL: [Self; 3] = [Self::Connections, Self::Pending, Self::Requests];

    /// The limit.
    pub fn field(self) -> &'static str {
        match self {
            Self::Connections => "max_connections",
            Self::Pending => "max_pending_requests",
            Self::Requests => "max_requests",
        }
    }

    /// What is taken of it.
    pub fn gauge(self) -> &'static str {
        match self {
            Self::Connections => "upstream_cx_active",
            Self::Pending => "upstream_rq_pending_active",
            Self::Requests => "upstream_rq_active",
        }
    }

    fn remaining(self) -> &'static str {
        match self {
            Self::Connections => "remaining_cx",
            Self::Pending => "remaining_pending",
            Self::Requests => "remaining_rq",
        }
    }

    fn open(self) -> &'static str {
        match self {
            Self::Connections => "cx_open",
            Self::Pending => "rq_pending_open",
            Self::Requests => "rq_open",
        }
    }
}

impl LogGroup {
    /// Whether a flag is set.
    pub fn has(&self, flag: &str) -> bool {
        self.flags.iter().any(|f| f == flag)
    }

    /// Whether the flag is the only one.
    pub fn has_only(&self, flag: &str) -> bool {
        self.flags.len() == 1 && self.has(flag)
    }

    /// The flags as the log writes them: `UF,URX`.
    pub fn flag_text(&self) -> String {
        self.flags.join(",")
    }

    /// Whether the details hold a word.
    pub fn detailed(&self, word: &str) -> bool {
        self.details.as_ref().is_some_and(|details| details.contains(word))
    }
}
