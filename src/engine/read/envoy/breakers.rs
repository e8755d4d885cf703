//! `circuit_breakers`.

use super::fields;
use crate::engine::read::config::{
    ClusterConfig, Effect, PerHostThresholds, ProblemKind, RetryBudget, RoutingPriority, Thresholds,
};
use crate::engine::read::field::{Bound, Field, Reader};
use crate::engine::read::tree::same_field;

/// The words of `config.core.v3.RoutingPriority` in the order of their numbers.
pub const PRIORITIES: &[(&str, RoutingPriority)] =
    &[("DEFAULT", RoutingPriority::Default), ("HIGH", RoutingPriority::High)];

/// Reads the block of a cluster.
pub fn circuit_breakers(reader: &mut Reader, block: &Field<'_>, cluster: &mut ClusterConfig) {
    reader.known(block, "circuit_breakers", fields::CIRCUIT_BREAKERS);
    cluster.circuit_breakers = Some(block.place());
    for entry in block.list("thresholds") {
        if reader.is_message(&entry) {
            cluster.thresholds.push(thresholds(reader, &entry));
        }
    }
    for entry in block.list("per_host_thresholds") {
        if reader.is_message(&entry) {
            cluster.per_host_thresholds.push(per_host(reader, &entry));
        }
    }
}

/// Reads one entry of `thresholds`.
pub fn thresholds(reader: &mut Reader, entry: &Field<'_>) -> Thresholds {
    reader.known(entry, "circuit_breakers.thresholds", fields::THRESHOLDS);
    let limits = |reader: &mut Reader, name| reader.whole(entry, name, Bound::Any);
    Thresholds {
        block: entry.place(),
        implied: false,
        priority: reader.word(entry, "priority", PRIORITIES),
        max_connections: limits(reader, "max_connections"),
        max_pending_requests: limits(reader, "max_pending_requests"),
        max_requests: limits(reader, "max_requests"),
        max_retries: limits(reader, "max_retries"),
        max_connection_pools: limits(reader, "max_connection_pools"),
        retry_budget: reader.message(entry, "retry_budget").map(|budget| retry_budget(reader, &budget)),
        track_remaining: reader.truth(entry, "track_remaining"),
        unset_zeros: Vec::new(),
    }
}

fn retry_budget(reader: &mut Reader, budget: &Field<'_>) -> RetryBudget {
    reader.known(budget, "retry_budget", fields::RETRY_BUDGET);
    RetryBudget {
        block: budget.place(),
        budget_percent: reader.percent(budget, "budget_percent"),
        min_retry_concurrency: reader.whole(budget, "min_retry_concurrency", Bound::Any),
        budget_interval: reader.duration(budget, "budget_interval", Bound::Any),
    }
}

fn per_host(reader: &mut Reader, entry: &Field<'_>) -> PerHostThresholds {
    for (key, field) in entry.entries() {
        let is = |fields: &str| fields.split_whitespace().any(|f| same_field(key, f));
        if is(fields::THRESHOLDS) && !is(fields::PER_HOST_THRESHOLDS) {
            reader.problem(
                field.place(),
                ProblemKind::MisplacedField { belongs: "thresholds".to_owned() },
                Effect::Rejected,
                format!("`{key}` is not allowed in per_host_thresholds, only max_connections is"),
                "move it to thresholds",
            );
        }
    }
    reader.known(entry, "per_host_thresholds", fields::THRESHOLDS);
    PerHostThresholds {
        block: entry.place(),
        priority: reader.word(entry, "priority", PRIORITIES),
        max_connections: reader.whole(entry, "max_connections", Bound::Any),
    }
}
