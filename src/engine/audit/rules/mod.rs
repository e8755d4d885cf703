//! The rules of the audit: one a file, in folders by subject; see `engine::rules` for what a rule is.
//!
//! Codes by block, as there: 1xx retries, 2xx timeouts, 3xx thresholds, 4xx outlier detection,
//! 5xx capacity, 6xx evidence, 9xx reading.

pub mod breakers;
pub mod evidence;
pub mod outlier;
pub mod reading;
pub mod retries;
pub mod timeouts;

#[cfg(test)]
pub(crate) mod tests;

use super::{ClusterCx, Facts, Finding, RouteCx, RouteView, WholeCx};
use crate::engine::read::config::{Configuration, ProblemKind};
use crate::engine::rules::RuleMeta;

/// A rule of the audit.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// What is known about it.
    pub meta: RuleMeta,
    /// Its condition and its words.
    pub check: Check,
}

/// What a rule is asked about.
#[derive(Clone, Copy, Debug)]
pub enum Check {
    /// Each cluster.
    Cluster(fn(&ClusterCx<'_>) -> Vec<Finding>),
    /// Each route, once for each cluster it leads to.
    Route(fn(&RouteCx<'_>) -> Vec<Finding>),
    /// Everything at once.
    Whole(fn(&WholeCx<'_>) -> Vec<Finding>),
    /// Each problem of the text itself, whether it is of the rule's kind.
    Problem(fn(&ProblemKind) -> bool),
}

/// Every rule of the audit, folder by folder.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    let folders =
        [retries::RULES, timeouts::RULES, breakers::RULES, outlier::RULES, evidence::RULES, reading::RULES];
    folders.into_iter().flatten().copied()
}

/// What all rules find.
pub(super) fn check_all(configuration: &Configuration, facts: &[Facts], elsewhere: &Facts) -> Vec<Finding> {
    let clusters = ClusterCx::all(configuration, facts);
    // A route that leads to no cluster of the text is judged by itself.
    let lone: Vec<RouteView<'_>> = (0..configuration.routes.len())
        .filter(|route| configuration.pairs.iter().all(|pair| pair.route != *route))
        .filter_map(|route| RouteView::new(configuration, route, None, elsewhere))
        .collect();
    let mut findings = Vec::new();
    for rule in all() {
        match rule.check {
            Check::Cluster(check) => {
                for cx in clusters.iter().filter(|cx| !cx.config.is_merged_patch()) {
                    findings.extend(check(cx).into_iter().map(|f| Finding { cluster: Some(cx.index), ..f }));
                }
            }
            Check::Route(check) => {
                let led = clusters.iter().flat_map(|cx| cx.routes.iter().map(move |route| (route, Some(cx))));
                for (route, cluster) in led.chain(lone.iter().map(|route| (route, None))) {
                    let cx = RouteCx {
                        configuration,
                        index: route.index,
                        config: route.config,
                        effective: &route.effective,
                        facts: cluster.map_or(elsewhere, |c| c.facts),
                        cluster,
                    };
                    let cluster = cluster.map(|c| c.index);
                    findings.extend(check(&cx).into_iter().map(|f| Finding {
                        cluster,
                        route: Some(route.index),
                        ..f
                    }));
                }
            }
            Check::Whole(check) => {
                findings.extend(check(&WholeCx { configuration, clusters: &clusters, facts: elsewhere }));
            }
            Check::Problem(is_of) => {
                let of_kind = configuration.problems.iter().filter(|p| is_of(&p.kind));
                findings.extend(of_kind.map(|p| reading::finding(configuration, &rule.meta, p)));
            }
        }
    }
    findings
}
