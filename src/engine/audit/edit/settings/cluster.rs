//! Settings of a cluster: which dialect writes them, and what overrides them.

use super::{Cx, Wanted, cluster_at, envoy_cluster, gateway, is_envoys, istio, others, written};
use crate::engine::audit::Setting;
use crate::engine::audit::edit::form::{Form, write_at};
use crate::engine::audit::edit::plan::{At, Refused};
use crate::engine::read::Place;
use crate::engine::read::config::{ClusterConfig, Dialect, RoutingPriority};
use crate::engine::read::scalar::Notation;

/// Enters a setting of a cluster.
pub fn set(cx: &mut Cx<'_, '_>, at: usize, setting: Setting, value: Wanted<'_>) -> Result<(), Refused> {
    let cluster = cluster_at(cx, at)?;
    if let Some(place) = runtime(cx, cluster, setting).cloned() {
        return over_runtime(cx, &place, value);
    }
    let dialect = cluster.origin.dialect;
    let place = written::cluster(cluster, setting).cloned();
    if is_envoys(&cluster.origin) {
        return envoy_cluster::set(cx, cluster, setting, value);
    }
    // What another resource says of the cluster is written there.
    if let Some(place) = place.as_ref().filter(|p| is_apart(cx, p, &cluster.origin.block)) {
        return others::set(cx, Some(place), dialect, setting, value);
    }
    match dialect {
        Dialect::Istio => istio::cluster(cx, cluster, setting, value),
        Dialect::EnvoyGateway if cluster.origin.patch.is_none() => {
            gateway::cluster(cx, cluster, setting, value)
        }
        _ => others::set(cx, place.as_ref(), dialect, setting, value),
    }
}

fn is_apart(cx: &Cx<'_, '_>, place: &Place, block: &Place) -> bool {
    let document = |p: &Place| cx.editor.slot_at(p).map(|old| old.document);
    place.alias.is_none() && document(place) != document(block)
}

/// Where a runtime key overrides a breaker of this cluster.
fn runtime<'c>(cx: &Cx<'c, '_>, cluster: &ClusterConfig, setting: Setting) -> Option<&'c Place> {
    use Setting as S;
    let name = &cluster.name.as_ref()?.value;
    let (priority, field): (RoutingPriority, &str) = match setting {
        S::MaxConnections(p) => (p, "max_connections"),
        S::MaxPendingRequests(p) => (p, "max_pending_requests"),
        S::MaxRequests(p) => (p, "max_requests"),
        S::MaxRetries(p) => (p, "max_retries"),
        S::MaxConnectionPools(p) => (p, "max_connection_pools"),
        S::BudgetPercent(p) => (p, "retry_budget.budget_percent"),
        S::MinRetryConcurrency(p) => (p, "retry_budget.min_retry_concurrency"),
        _ => return None,
    };
    let runtime = &cx.configuration().runtime;
    let key = runtime.iter().find(|r| r.cluster == *name && r.priority == priority && r.field == field)?;
    Some(&key.value.at)
}

fn over_runtime(cx: &mut Cx<'_, '_>, place: &Place, value: Wanted<'_>) -> Result<(), Refused> {
    let at: At = cx.editor.locate(place)?;
    match (value, at) {
        (Some(value), _) => write_at(cx.editor, at, value, Form::Count, Notation::Proto),
        (None, At::Old(old)) => cx.editor.remove(old),
        (None, At::New(new)) => {
            cx.editor.remove_new(new);
            Ok(())
        }
    }
}
