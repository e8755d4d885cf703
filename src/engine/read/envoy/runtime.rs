//! Runtime layers: keys that override breakers.

use crate::engine::read::config::{Effect, ProblemKind, RoutingPriority, RuntimeOverride};
use crate::engine::read::field::{Field, Reader};
use crate::engine::read::scalar;
use std::collections::BTreeSet;

const BREAKERS: &str = "circuit_breakers.";

/// What a breaker's key may end with.
const FIELDS: &[&str] = &[
    "max_connections",
    "max_pending_requests",
    "max_requests",
    "max_retries",
    "max_connection_pools",
    "retry_budget.budget_percent",
    "retry_budget.budget_interval",
    "retry_budget.min_retry_concurrency",
];

/// Reads `layered_runtime`; a later layer wins.
pub fn layered(reader: &mut Reader, field: &Field<'_>) {
    for layer in field.list("layers") {
        if let Some(values) = layer.get("static_layer") {
            layer_of(reader, &values, "");
        }
    }
}

/// Keeps the last value of each key.
pub fn settle(overrides: &mut Vec<RuntimeOverride>) {
    let mut seen = BTreeSet::new();
    overrides.reverse();
    overrides.retain(|r| seen.insert(r.key.value.clone()));
    overrides.reverse();
}

/// Reads the keys of a layer, dotted or nested.
pub fn layer_of(reader: &mut Reader, field: &Field<'_>, prefix: &str) {
    for (key, value) in field.entries() {
        let key = if prefix.is_empty() { key.to_owned() } else { format!("{prefix}.{key}") };
        if value.node.entries().is_some() {
            layer_of(reader, &value, &key);
        } else if let Some(rest) = key.strip_prefix(BREAKERS) {
            breaker(reader, &value, &key, rest);
        }
    }
}

fn breaker(reader: &mut Reader, value: &Field<'_>, key: &str, rest: &str) {
    let priorities = [(".default.", RoutingPriority::Default), (".high.", RoutingPriority::High)];
    // Names of clusters may hold dots, and even `.default.`: the last one counts.
    let split = priorities
        .iter()
        .filter_map(|(word, p)| rest.rfind(word).map(|at| (at, *word, *p)))
        .max_by_key(|s| s.0);
    let Some((at, word, priority)) = split.filter(|(at, word, _)| FIELDS.contains(&&rest[at + word.len()..]))
    else {
        reader.problem(
            value.place(),
            ProblemKind::UnknownField { nearest: None },
            Effect::Ignored,
            format!("the runtime key `{key}` names no breaker: circuit_breakers.CLUSTER.default|high.FIELD is wanted"),
            format!("end the key with one of {}", FIELDS.join(", ")),
        );
        return;
    };
    let Some(number) = scalar::float(value.node, reader.notation).value else {
        let message =
            format!("the runtime key `{key}` has the value `{}`, not a number", scalar::shown(value.node));
        reader.problem(value.place(), ProblemKind::BadNumber, Effect::Ignored, message, "write a number");
        return;
    };
    reader.config.runtime.push(RuntimeOverride {
        key: value.spanned(key.to_owned()),
        cluster: rest[..at].to_owned(),
        priority,
        field: rest[at + word.len()..].to_owned(),
        value: value.spanned(number),
    });
}
