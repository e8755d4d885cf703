//! What a proxy reports of a cluster, beside what is written of it.

use crate::engine::audit::same_service;
use crate::engine::audit::{ClusterCx, Facts, Finding, Traffic, WholeCx};
use crate::engine::read::config::{
    ClusterReport, LogGroup, Report, ReportedLimit, Resource, RoutingPriority,
};
use crate::engine::read::effective::EffectiveRetryLimit;
use crate::engine::units::display;

/// The priority that limits are reported for: who uses the other one says so.
pub const PRIORITY: RoutingPriority = RoutingPriority::Default;

/// A cluster of a report.
#[derive(Clone, Copy)]
pub struct Seen<'a> {
    pub report: &'a Report,
    pub cluster: &'a ClusterReport,
    /// The cluster of the configuration, if it was pasted too.
    pub config: Option<&'a ClusterCx<'a>>,
    facts: &'a Facts,
    /// Whether another cluster of the reports is the one that was asked about.
    another_is_meant: bool,
}

/// Every cluster of every report.
pub fn clusters<'a>(cx: &WholeCx<'a>) -> impl Iterator<Item = Seen<'a>> + use<'a> {
    let cx = *cx;
    let asked = cx.facts.traffic.as_ref().map(|traffic| traffic.scenario.name.as_str());
    let is_meant = move |name: &str| asked.is_some_and(|asked| same_service(name, asked));
    let one_is_meant = cx.configuration.evidence.clusters().any(|(_, cluster)| is_meant(&cluster.name));
    cx.configuration.evidence.clusters().map(move |(report, cluster)| {
        let config = cx.reported(&cluster.name);
        let facts = config.map_or(cx.facts, |c| c.facts);
        let another_is_meant = config.is_none() && one_is_meant && !is_meant(&cluster.name);
        Seen { report, cluster, config, facts, another_is_meant }
    })
}

impl<'a> Seen<'a> {
    /// What was asked of its traffic.
    pub fn traffic(&self) -> Option<&'a Traffic> {
        self.facts.traffic.as_deref().filter(|_| !self.another_is_meant)
    }

    /// The same, if the proxy does not report more than what was asked: then nothing that was
    /// derived from it fits.
    pub fn fitting_traffic(&self) -> Option<&'a Traffic> {
        let reported = self.report.rate(self.cluster);
        self.traffic().filter(|t| reported.is_none_or(|rate| rate.0 <= t.sizing.load.client_rate.0))
    }

    /// `cluster shop`
    pub fn title(&self) -> String {
        format!("cluster {}", display::echo(&self.cluster.name))
    }

    /// A limit in force; zero is said elsewhere.
    pub fn limit(&self, resource: Resource) -> Option<ReportedLimit<'a>> {
        self.cluster.limit(PRIORITY, resource).filter(|limit| limit.value > 0)
    }

    /// Whether the limit is reached at this moment.
    pub fn is_full(&self, resource: Resource) -> bool {
        let taken = |limit: ReportedLimit<'_>| limit.used.is_some_and(|used| used >= limit.value);
        self.limit(resource).is_some_and(taken) || self.cluster.is_open(PRIORITY, resource) == Some(true)
    }

    /// Whether refusals of `max_requests` have a counter of their own: from 1.38 on.
    pub fn counts_active_apart(&self) -> bool {
        self.cluster.stat("upstream_rq_active_overflow").is_some()
    }

    /// Puts the finding beside the cluster of the configuration.
    pub fn finish(&self, finding: Finding) -> Finding {
        Finding { cluster: self.config.map(|c| c.index), ..finding }
    }

    /// What limits the retries, where it was pasted: `max_retries` 3, a default.
    pub fn retry_limit(&self) -> Option<String> {
        self.config.map(retry_limit)
    }
}

/// What limits the retries of a cluster.
pub fn retry_limit(config: &ClusterCx<'_>) -> String {
    match &config.effective.limits(PRIORITY).retry_limit {
        EffectiveRetryLimit::MaxRetries(limit) => {
            let default = if limit.is_default() { ", a default" } else { "" };
            format!("`max_retries` {}{default}", display::count(f64::from(limit.value)))
        }
        EffectiveRetryLimit::Budget(budget) => format!(
            "`retry_budget` {}% with `min_retry_concurrency` {}",
            display::number(budget.budget_percent.value.0),
            budget.min_retry_concurrency.value
        ),
    }
}

/// A count of events.
#[allow(clippy::cast_precision_loss, reason = "a count that is shown")]
pub fn count(n: u64) -> String {
    display::count(n as f64)
}

/// `1 line`, `12 lines`
pub fn lines(n: u64) -> String {
    plural(n, "line", "lines")
}

/// `1 request`, `1,200 requests`
pub fn plural(n: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(n), if n == 1 { one } else { many })
}

/// Groups of all logs that something is true of, by log, with the number of lines together.
pub fn logged<'a>(cx: &WholeCx<'a>, is: fn(&LogGroup) -> bool) -> Vec<(Vec<&'a LogGroup>, u64, u64)> {
    let of_log = |log: &'a crate::engine::read::config::AccessLog| {
        let groups: Vec<&LogGroup> = log.groups.iter().filter(|g| is(g)).collect();
        let together = groups.iter().fold(0, |sum: u64, g| sum.saturating_add(g.count));
        (!groups.is_empty()).then_some((groups, together, log.parsed))
    };
    cx.configuration.evidence.logs.iter().filter_map(of_log).collect()
}
