//! Retry and hedge policies of Envoy: of the route, of its virtual host, of the cluster.
//!
//! A policy of the virtual host governs every route without one of its own. It is changed where it
//! stands if the finding is about all of these routes; otherwise the route gets a copy of its own.

use super::{Cx, Wanted, cluster_at, envoy_route, name, route_at};
use crate::engine::audit::edit::form::{Form, write};
use crate::engine::audit::edit::plan::{At, Refused};
use crate::engine::audit::edit::scalar::{Single, duration};
use crate::engine::audit::{Setting, Value};
use crate::engine::envoy::defaults;
use crate::engine::envoy::model::RetryHostPredicate;
use crate::engine::mapping::HOST_SELECTION_RETRY_MAX_ATTEMPTS;
use crate::engine::read::Place;
use crate::engine::read::config::{PolicyScope, RouteConfig};
use crate::engine::read::scalar::Notation;
use crate::engine::scenario::EnvoyVersion;

const PROTO: Notation = Notation::Proto;

/// From here on the policy of the cluster beats that of the route.
const CLUSTER_POLICY: EnvoyVersion = EnvoyVersion::minor(37);

/// Whether a setting is part of a retry or hedge policy.
pub fn is_part(setting: Setting) -> bool {
    use Setting as S;
    matches!(
        setting,
        S::RetryPolicy
            | S::RetryOn
            | S::NumRetries
            | S::PerTryTimeout
            | S::PerTryIdleTimeout
            | S::BackOffBase
            | S::BackOffMax
            | S::RetriableStatusCodes
            | S::PreviousHosts
            | S::HedgeOnPerTryTimeout
    )
}

/// Enters a setting.
pub fn set(cx: &mut Cx<'_, '_>, at: usize, setting: Setting, value: Wanted<'_>) -> Result<(), Refused> {
    use Setting as S;
    let creates = value.is_some_and(|v| *v != Value::Flag(false));
    if setting == S::RetryPolicy && !creates {
        return drop_policy(cx, at);
    }
    let field = if setting == S::HedgeOnPerTryTimeout { "hedge_policy" } else { "retry_policy" };
    let Some(policy) = in_force(cx, at, field, creates)? else { return Ok(()) };
    let (field, form) = match setting {
        S::RetryPolicy => return Ok(()),
        S::RetryOn => ("retry_on", Form::Comma),
        S::NumRetries => ("num_retries", Form::Count),
        S::PerTryTimeout => ("per_try_timeout", Form::Duration),
        S::PerTryIdleTimeout => ("per_try_idle_timeout", Form::Duration),
        S::RetriableStatusCodes => ("retriable_status_codes", Form::Codes),
        S::HedgeOnPerTryTimeout => ("hedge_on_per_try_timeout", Form::Flag),
        S::PreviousHosts => return previous_hosts(cx, policy, value),
        S::BackOffBase | S::BackOffMax => return back_off(cx, policy, setting, value),
        _ => return Err(format!("{} is no setting of a policy", name(setting))),
    };
    write(cx.editor, policy, field, value, (form, PROTO))
}

/// The policy that governs a route, ready to be written into.
fn in_force(cx: &mut Cx<'_, '_>, at: usize, field: &str, creates: bool) -> Result<Option<At>, Refused> {
    let route = route_at(cx, at)?;
    let is_retry = field == "retry_policy";
    if is_retry && let Some(block) = of_cluster(cx)? {
        return cx.block_at(&block).map(Some);
    }
    let (block, scope) = match (is_retry, &route.retry_policy, &route.hedge_policy) {
        (true, Some(p), _) => (Some(p.block.clone()), p.scope),
        (false, _, Some(p)) => (Some(p.block.clone()), p.scope),
        _ => (None, PolicyScope::Route),
    };
    if let Some(block) = block.as_ref().filter(|b| **b == route.origin.block || scope == PolicyScope::Cluster)
    {
        return cx.block_at(block).map(Some);
    }
    // A patch of a virtual host has no action.
    let is_patch = scope == PolicyScope::VirtualHost && route.origin.patch.is_some();
    if let Some(block) = block.as_ref().filter(|_| is_patch) {
        return cx.block_at(block).map(Some);
    }
    let action = envoy_route::action(cx, route)?;
    if let Some(own) = cx.editor.below(action, field)? {
        return Ok(Some(own));
    }
    if let Some(block) = block.filter(|_| scope == PolicyScope::Route) {
        // Typed: in a wrapping of its own.
        return cx.block_at(&block).map(Some);
    }
    let inherited = if is_retry {
        route.retry_policy.as_ref().map(|p| &p.block)
    } else {
        route.hedge_policy.as_ref().map(|p| &p.block)
    };
    if let Some(block) = inherited {
        return inherit(cx, action, field, block).map(Some);
    }
    if creates { cx.editor.enter(action, field).map(Some) } else { Ok(None) }
}

/// The policy of the virtual host itself, or a copy of it at the route.
fn inherit(cx: &mut Cx<'_, '_>, action: At, field: &str, block: &Place) -> Result<At, Refused> {
    let concerned = cx.routes();
    let heirs = |r: &RouteConfig| match field {
        "retry_policy" => r.retry_policy.as_ref().map(|p| &p.block) == Some(block),
        _ => r.hedge_policy.as_ref().map(|p| &p.block) == Some(block),
    };
    let routes = &cx.configuration().routes;
    let all_concerned = (0..routes.len()).filter(|at| heirs(&routes[*at])).all(|at| concerned.contains(&at));
    if all_concerned {
        return cx.block_at(block);
    }
    let at = cx.editor.locate(block)?;
    let copy = cx.editor.copy_of(at)?;
    cx.editor.put(action, field, copy)?;
    Ok(At::New(copy))
}

/// The policy of the finding's cluster, where it beats that of the route.
fn of_cluster(cx: &Cx<'_, '_>) -> Result<Option<Place>, Refused> {
    let Some(at) = cx.finding.cluster else { return Ok(None) };
    let cluster = cluster_at(cx, at)?;
    let version = cx.audit.facts.get(at).map_or(EnvoyVersion::NEWEST, |f| f.envoy_version);
    Ok(cluster.retry_policy.as_ref().filter(|_| version >= CLUSTER_POLICY).map(|p| p.block.clone()))
}

/// Leaves the policy out that governs a route.
fn drop_policy(cx: &mut Cx<'_, '_>, at: usize) -> Result<(), Refused> {
    let route = route_at(cx, at)?;
    let block = match (of_cluster(cx)?, &route.retry_policy) {
        (Some(block), _) => block,
        (None, Some(policy)) if policy.scope == PolicyScope::VirtualHost => {
            let routes = &cx.configuration().routes;
            let concerned = cx.routes();
            let is_heir = |r: &RouteConfig| r.retry_policy.as_ref().map(|p| &p.block) == Some(&policy.block);
            if (0..routes.len()).any(|at| is_heir(&routes[at]) && !concerned.contains(&at)) {
                let action = envoy_route::action(cx, route)?;
                let own = cx.editor.enter(action, "retry_policy")?;
                return cx.editor.set(own, "num_retries", Single::bare(0), PROTO);
            }
            policy.block.clone()
        }
        (None, Some(policy)) => policy.block.clone(),
        (None, None) => return Ok(()),
    };
    cx.editor.remove_at(&block)
}

/// Envoy refuses a back-off without its base.
fn back_off(cx: &mut Cx<'_, '_>, policy: At, setting: Setting, value: Wanted<'_>) -> Result<(), Refused> {
    let Some(value) = value else {
        if setting == Setting::BackOffBase {
            return cx.editor.clear(policy, "retry_back_off");
        }
        let Some(block) = cx.editor.below(policy, "retry_back_off")? else { return Ok(()) };
        return cx.editor.clear(block, "max_interval");
    };
    let block = cx.editor.enter_as(policy, "retry_back_off", true)?;
    if setting == Setting::BackOffBase {
        return write(cx.editor, block, "base_interval", Some(value), (Form::Duration, PROTO));
    }
    if !cx.editor.has(block, "base_interval") {
        let base = duration(defaults::RETRY_BASE_INTERVAL.0, PROTO);
        cx.editor.set(block, "base_interval", Single::text(base), PROTO)?;
    }
    write(cx.editor, block, "max_interval", Some(value), (Form::Duration, PROTO))
}

/// The predicate that avoids hosts already tried, and how often Envoy picks again for it.
fn previous_hosts(cx: &mut Cx<'_, '_>, policy: At, value: Wanted<'_>) -> Result<(), Refused> {
    const LIST: &str = "retry_host_predicate";
    const PICKS: &str = "host_selection_retry_max_attempts";
    let list = cx.editor.below(policy, LIST)?;
    let items = list.map(|list| cx.editor.items(list)).unwrap_or_default();
    let is_it = |cx: &Cx<'_, '_>, item: At| {
        cx.editor.text_of(item, "name").is_some_and(|name| name.ends_with("previous_hosts"))
    };
    let (there, others): (Vec<At>, Vec<At>) = items.into_iter().partition(|item| is_it(cx, *item));
    let picks = match value {
        Some(Value::Count(picks)) => Some(*picks),
        Some(Value::Flag(true)) => Some(u64::from(HOST_SELECTION_RETRY_MAX_ATTEMPTS)),
        Some(Value::Flag(false)) | None => None,
        Some(_) => return Err("the fix has a value of another kind than the field".to_owned()),
    };
    let Some(picks) = picks else {
        if others.is_empty() {
            cx.editor.clear(policy, LIST)?;
            return cx.editor.clear(policy, PICKS);
        }
        for item in there {
            match item {
                At::Old(old) => cx.editor.remove(old)?,
                At::New(new) => cx.editor.remove_new(new),
            }
        }
        return Ok(());
    };
    if there.is_empty() {
        let predicate = RetryHostPredicate::previous_hosts();
        let new = cx.editor.new_map(false);
        let item = At::New(new);
        cx.editor.set(item, "name", Single::text(predicate.name), PROTO)?;
        let config = cx.editor.enter(item, "typed_config")?;
        cx.editor.set(config, "@type", Single::text(PREVIOUS_HOSTS), PROTO)?;
        cx.editor.push(policy, LIST, new)?;
    }
    write(cx.editor, policy, PICKS, Some(&Value::Count(picks)), (Form::Count, PROTO))
}

const PREVIOUS_HOSTS: &str =
    "type.googleapis.com/envoy.extensions.retry.host.previous_hosts.v3.PreviousHostsPredicate";
