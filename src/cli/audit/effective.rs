//! What is in force, as data: every value with the place or the program it comes from.
//!
//! The engine's own data is walked, so that a new setting needs no line here.

use super::report::{Report, route_name};
use headroom::engine::audit;
use headroom::engine::read::effective::From;
use serde::Serialize;
use serde_json::{Map, Value, json};

/// Clusters and routes as the configuration has them.
#[derive(Serialize)]
pub struct InForce {
    /// Each cluster.
    pub clusters: Vec<Value>,
    /// Each route, once for each cluster of the text that it leads to.
    pub routes: Vec<Value>,
}

/// Everything that is in force.
pub fn in_force(report: &Report) -> InForce {
    let c = &report.audit.configuration;
    let mut all = InForce { clusters: Vec::new(), routes: Vec::new() };
    for piece in audit::in_force(&report.audit, &report.asked) {
        let name = piece.cluster.and_then(|at| report.cluster_name(at));
        let route = piece.route.and_then(|at| c.routes.get(at));
        let origin = match route {
            Some(route) => &route.origin,
            None => match piece.cluster.and_then(|at| c.clusters.get(at)) {
                Some(cluster) => &cluster.origin,
                None => continue,
            },
        };
        let mut settings = sourced(report, "", piece.settings);
        if let Value::Object(map) = &mut settings {
            match route {
                Some(route) => {
                    map.insert("name".to_owned(), json!(route_name(route)));
                    map.insert("cluster".to_owned(), json!(name));
                }
                None => _ = map.insert("name".to_owned(), json!(name)),
            }
            map.insert("dialect".to_owned(), json!(origin.dialect));
            map.insert("resource".to_owned(), json!(origin.kind));
            map.insert("file".to_owned(), json!(report.file(&origin.block)));
            map.insert("line".to_owned(), json!(origin.block.line()));
        }
        if route.is_some() { all.routes.push(settings) } else { all.clusters.push(settings) }
    }
    all
}

/// Turns `{value, from}` into a value with file and line, or with the program whose default it is.
fn sourced(report: &Report, key: &str, value: Value) -> Value {
    match value {
        Value::Object(map) => match audit::leaf(&map) {
            Some((value, from)) => leaf(report, key, value, &from),
            None => {
                Value::Object(map.into_iter().map(|(k, v)| (k.clone(), sourced(report, &k, v))).collect())
            }
        },
        Value::Array(items) => Value::Array(items.into_iter().map(|v| sourced(report, key, v)).collect()),
        other => other,
    }
}

fn leaf(report: &Report, key: &str, value: &Value, from: &From) -> Value {
    let mut out = Map::new();
    let unit = audit::unit(key, value);
    if !unit.is_empty() {
        out.insert("unit".to_owned(), Value::from(unit));
    }
    out.insert("value".to_owned(), value.clone());
    let (why, place) = match from {
        From::Text(place) => ("text", Some(place)),
        From::Runtime(place) => ("runtime", Some(place)),
        From::Default(dialect) => {
            out.insert("of".to_owned(), Value::from(dialect.title()));
            ("default", None)
        }
    };
    if let Some(place) = place {
        out.insert("file".to_owned(), Value::from(report.file(place)));
        out.insert("line".to_owned(), Value::from(place.line()));
        out.insert("column".to_owned(), Value::from(place.column()));
    }
    out.insert("from".to_owned(), Value::from(why));
    Value::Object(out)
}
