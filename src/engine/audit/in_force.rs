//! What is really in force, as rows: every setting with its value and why it has it.
//!
//! The data of `read::effective` is walked by its JSON form, so that a new setting needs no line here.

use super::{Asked, Audit};
use crate::engine::read::effective::{From, effective_cluster, effective_route};
use serde_json::{Map, Value};

/// A cluster, or a route on its way to one, with everything that is in force for it.
#[derive(Clone, Debug, PartialEq)]
pub struct InForce {
    /// Index of the cluster.
    pub cluster: Option<usize>,
    /// Index of the route; none for the cluster itself.
    pub route: Option<usize>,
    /// The settings; those with a reason are `{value, from}`.
    pub settings: Value,
}

/// A setting in force.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its name, with what it is part of: `DEFAULT max_requests`, `outlier_detection.interval`.
    pub name: String,
    /// Its value.
    pub value: Value,
    /// `ms`, `%`, or nothing.
    pub unit: &'static str,
    /// Why it has that value.
    pub from: From,
}

/// Every cluster, then every route once for each cluster of the text that it leads to.
pub fn in_force(audit: &Audit, asked: &Asked) -> Vec<InForce> {
    let c = &audit.configuration;
    let elsewhere = asked.facts(c, None);
    let clusters = c.clusters.iter().zip(&audit.facts).enumerate().map(|(index, (cluster, facts))| InForce {
        cluster: Some(index),
        route: None,
        settings: json(&effective_cluster(c, cluster, facts.envoy_version)),
    });
    let routes = c.routes.iter().enumerate().flat_map(|(index, route)| {
        let mut led: Vec<Option<usize>> =
            c.pairs.iter().filter(|pair| pair.route == index).map(|pair| Some(pair.cluster)).collect();
        if led.is_empty() {
            led.push(None);
        }
        let elsewhere = &elsewhere;
        led.into_iter().map(move |to| {
            let facts = to.and_then(|at| audit.facts.get(at)).unwrap_or(elsewhere);
            let cluster = to.and_then(|at| c.clusters.get(at));
            InForce {
                cluster: to,
                route: Some(index),
                settings: json(&effective_route(c, route, cluster, facts.envoy_version)),
            }
        })
    });
    clusters.chain(routes).collect()
}

fn json(settings: &impl serde::Serialize) -> Value {
    serde_json::to_value(settings).unwrap_or_default()
}

/// The value and the reason of a setting, if this is one.
pub fn leaf(map: &Map<String, Value>) -> Option<(&Value, From)> {
    let (value, from) = (map.get("value")?, map.get("from")?);
    Some((value, serde_json::from_value(from.clone()).ok()?))
}

/// The unit of a setting: only durations and percentages have fractions.
pub fn unit(key: &str, value: &Value) -> &'static str {
    match value.is_f64() {
        true if key.contains("percent") || key.contains("panic") => "%",
        true => "ms",
        false => "",
    }
}

impl InForce {
    /// All settings, in the order of Envoy's API.
    pub fn rows(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        walk("", "", &self.settings, &mut rows);
        rows
    }
}

fn walk(prefix: &str, key: &str, value: &Value, rows: &mut Vec<Row>) {
    match value {
        Value::Object(map) => {
            if let Some((value, from)) = leaf(map) {
                let unit = unit(key, value);
                rows.push(Row { name: format!("{prefix}{key}"), value: value.clone(), unit, from });
                return;
            }
            // A priority is a part by its own name, and what limits retries says so itself.
            let part = match map.get("priority").and_then(Value::as_str) {
                Some(priority) => format!("{priority} "),
                None if key.is_empty() || key == "retry_limit" => prefix.to_owned(),
                None => format!("{prefix}{key}."),
            };
            for (key, value) in map {
                walk(&part, key, value, rows);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| walk(prefix, "", item, rows)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::in_force;
    use crate::engine::audit::Asked;
    use crate::engine::audit::rules::tests::judge;
    use crate::engine::read::effective::From;

    #[test]
    fn every_setting_has_a_value_and_a_reason() {
        let text =
            "name: shop\nconnect_timeout: 0.25s\ncircuit_breakers:\n  thresholds:\n  - max_requests: 7\n";
        let audit = judge(text, "");
        let all = in_force(&audit, &Asked::default());
        let rows = all[0].rows();
        let row = |name: &str| {
            rows.iter().find(|row| row.name == name).unwrap_or_else(|| panic!("{name}: {rows:#?}"))
        };
        assert_eq!(row("DEFAULT max_requests").value, 7);
        assert!(matches!(&row("DEFAULT max_requests").from, From::Text(at) if at.line() == 5));
        assert_eq!(
            (row("HIGH max_requests").value.as_u64(), row("DEFAULT max_retries").value.as_u64()),
            (Some(1024), Some(3))
        );
        assert!(matches!(row("HIGH max_requests").from, From::Default(_)));
        assert_eq!((row("connect_timeout").value.as_f64(), row("connect_timeout").unit), (Some(250.0), "ms"));
        assert_eq!(row("healthy_panic_threshold").unit, "%");
    }
}
