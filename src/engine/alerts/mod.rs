//! Alerting rules for Prometheus, from the same numbers as the configuration.
//!
//! One file an alert. A threshold is a number of the analysis or follows from one, a counter is one
//! that Envoy was seen to have ([`query::Metric`]), and what it counts depends on the version.

mod ejections;
mod in_flight;
mod max_connections;
mod max_pending_requests;
mod model;
mod panic_mode;
pub mod query;
mod refusals;
mod retries;
mod timeouts;

pub use model::{Annotations, Group, Labels, Rule, RuleFile, Severity};

use super::analysis::Analysis;
use super::envoy::emit;
use super::scenario::RULES_VERSION;
use query::Query;
use std::collections::BTreeMap;

/// What an alert is written from.
#[derive(Clone, Copy, Debug)]
struct Plan<'a> {
    analysis: &'a Analysis,
    query: &'a Query,
}

/// An alert before names and link are put around it.
struct Alert {
    name: String,
    expr: String,
    /// How long it has to hold.
    hold: &'static str,
    severity: Severity,
    summary: String,
    /// What it means and what to do, as sentences.
    description: String,
}

/// The rules of an analysis.
pub fn rules(analysis: &Analysis) -> RuleFile {
    let query = Query::of(&analysis.scenario);
    let plan = Plan { analysis, query: &query };
    let alerts = [
        refusals::alerts(plan),
        in_flight::alerts(plan),
        max_pending_requests::alerts(plan),
        max_connections::alerts(plan),
        retries::alerts(plan),
        timeouts::alerts(plan),
        ejections::alerts(plan),
        panic_mode::alerts(plan),
    ];
    let rules = alerts.into_iter().flatten().map(|alert| rule(analysis, alert)).collect();
    RuleFile { groups: vec![Group { name: format!("headroom-{}", analysis.scenario.name), rules }] }
}

/// The rules as a file for Prometheus.
pub fn to_yaml(analysis: &Analysis) -> String {
    let mut header = emit::paragraph(
        &format!("Alerts for {}, by Headroom (rules {RULES_VERSION})", analysis.scenario.name),
        0,
    );
    header.extend(emit::paragraph(
        &format!(
            "for Envoy {}; made from the same numbers as its limits: make both again when one changes",
            analysis.scenario.envoy_version
        ),
        0,
    ));
    header.push(analysis.link.clone());
    emit::to_yaml(&rules(analysis), &header, &[])
}

fn rule(analysis: &Analysis, alert: Alert) -> Rule {
    let name = &analysis.scenario.name;
    Rule {
        alert: alert.name,
        expr: alert.expr,
        hold: alert.hold,
        labels: Labels { severity: alert.severity, envoy_cluster: query::literal(name) },
        annotations: Annotations {
            summary: format!("{}: {}", query::literal(name), alert.summary),
            description: alert.description,
            link: query::literal(&analysis.link),
        },
    }
}

/// The metrics that the rules of an analysis ask for, each with the alerts that do.
pub fn metrics(analysis: &Analysis) -> BTreeMap<String, Vec<String>> {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for rule in rules(analysis).groups.into_iter().flat_map(|group| group.rules) {
        for metric in query::metrics_of(&rule.expr) {
            found.entry(metric).or_default().push(rule.alert.clone());
        }
    }
    found
}
