//! Prometheus' file of rules, in its own names.

use crate::engine::envoy::style;
use serde::Serialize;

/// A file of rules.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RuleFile {
    /// Its groups.
    pub groups: Vec<Group>,
}

/// Rules that are evaluated together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Group {
    /// Unique within the file.
    #[serde(serialize_with = "style::name")]
    pub name: String,
    /// Its rules.
    pub rules: Vec<Rule>,
}

/// An alerting rule.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rule {
    /// Its name.
    pub alert: String,
    /// The query: it fires for what the query gives.
    #[serde(serialize_with = "style::text")]
    pub expr: String,
    /// How long the query has to give something.
    #[serde(rename = "for")]
    pub hold: &'static str,
    /// What notifications are routed by.
    pub labels: Labels,
    /// What a person reads.
    pub annotations: Annotations,
}

/// Labels of an alert.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Labels {
    /// How urgent.
    pub severity: Severity,
    /// Envoy's cluster; a label `cluster` often names a cluster of machines already.
    #[serde(serialize_with = "style::name")]
    pub envoy_cluster: String,
}

/// How urgent an alert is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Callers suffer now.
    Critical,
    /// The plan no longer holds.
    Warning,
}

/// What a person reads. Prometheus takes the texts for templates.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Annotations {
    /// What is the case.
    #[serde(serialize_with = "style::text")]
    pub summary: String,
    /// What it means and what to do.
    #[serde(serialize_with = "style::text")]
    pub description: String,
    /// The scenario that the numbers are from.
    #[serde(serialize_with = "style::text")]
    pub link: String,
}
