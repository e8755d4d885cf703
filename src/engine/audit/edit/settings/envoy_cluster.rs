//! A cluster in Envoy's own message, or a part of it.

use super::http_options;
use super::outlier;
use super::{Cx, Wanted, name};
use crate::engine::audit::edit::form::{Form, write};
use crate::engine::audit::edit::plan::{At, Refused};
use crate::engine::audit::edit::scalar::Single;
use crate::engine::audit::{Setting, Value};
use crate::engine::read::Place;
use crate::engine::read::config::{ClusterConfig, Dialect, RoutingPriority};
use crate::engine::read::scalar::Notation;

const PROTO: Notation = Notation::Proto;

/// What of a cluster the text holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Whole,
    Breakers,
    Outlier,
    HttpOptions,
}

fn part(cluster: &ClusterConfig) -> Part {
    let block = &cluster.origin.block;
    let is_root = |place: Option<&Place>| place.is_some_and(|p| p.span == block.span && p.path == block.path);
    if is_root(cluster.circuit_breakers.as_ref()) {
        Part::Breakers
    } else if is_root(cluster.outlier_detection.as_ref().map(|o| &o.block)) {
        Part::Outlier
    } else if cluster.origin.kind == "HttpProtocolOptions" {
        Part::HttpOptions
    } else {
        Part::Whole
    }
}

/// Enters a setting.
pub fn set(
    cx: &mut Cx<'_, '_>,
    cluster: &ClusterConfig,
    setting: Setting,
    value: Wanted<'_>,
) -> Result<(), Refused> {
    use Setting as S;
    let root = cx.block(&cluster.origin)?;
    let part = part(cluster);
    let lacks =
        |what: &str| Err(format!("the text holds only {what}; write {} in the cluster", name(setting)));
    match (breaker(setting), outlier::field(setting)) {
        (Some(breaker), _) => {
            return match part {
                Part::Whole | Part::Breakers => limits(cx, cluster, (root, part), &breaker, value),
                Part::Outlier => lacks("outlier detection"),
                Part::HttpOptions => lacks("HTTP options"),
            };
        }
        (None, Some((field, form))) => {
            let block = match (part, value) {
                (Part::Outlier, _) => Some(root),
                (Part::Whole, Some(_)) => Some(cx.editor.enter(root, "outlier_detection")?),
                (Part::Whole, None) => cx.editor.below(root, "outlier_detection")?,
                (Part::Breakers, _) => return lacks("circuit breakers"),
                (Part::HttpOptions, _) => return lacks("HTTP options"),
            };
            let Some(block) = block else { return Ok(()) };
            return write(cx.editor, block, field, value, (form, PROTO));
        }
        (None, None) => {}
    }
    match (setting, part) {
        (
            S::PoolIdleTimeout | S::MaxRequestsPerConnection | S::MaxConcurrentStreams,
            Part::Whole | Part::HttpOptions,
        ) => http_options::set(cx, cluster, (root, part == Part::HttpOptions), setting, value),
        (_, Part::Breakers) => lacks("circuit breakers"),
        (_, Part::Outlier) => lacks("outlier detection"),
        (_, Part::HttpOptions) => lacks("HTTP options"),
        (S::OutlierDetection, _) => switch(cx, root, "outlier_detection", value),
        (S::ConnectTimeout, _) => write(cx.editor, root, "connect_timeout", value, (Form::Duration, PROTO)),
        (S::HealthyPanicThreshold, _) => {
            common_lb(cx, root, "healthy_panic_threshold", value, Form::PercentMessage)
        }
        (S::UpdateMergeWindow, _) => common_lb(cx, root, "update_merge_window", value, Form::Duration),
        _ => Err(format!("{} is no setting of a cluster", name(setting))),
    }
}

/// Switches a block on or off whose mere presence counts.
pub fn switch(cx: &mut Cx<'_, '_>, map: At, field: &str, value: Wanted<'_>) -> Result<(), Refused> {
    match value {
        Some(Value::Flag(true)) => cx.editor.enter(map, field).map(|_| ()),
        None | Some(Value::Flag(false)) => cx.editor.clear(map, field),
        Some(_) => Err(format!("`{field}` is a block and has no single value")),
    }
}

fn common_lb(
    cx: &mut Cx<'_, '_>,
    root: At,
    field: &str,
    value: Wanted<'_>,
    form: Form,
) -> Result<(), Refused> {
    let block = match value {
        Some(_) => Some(cx.editor.enter(root, "common_lb_config")?),
        None => cx.editor.below(root, "common_lb_config")?,
    };
    let Some(block) = block else { return Ok(()) };
    write(cx.editor, block, field, value, (form, PROTO))
}

/// A setting of a breaker: the list of its entry, the priority, the field.
struct Breaker {
    list: &'static str,
    priority: RoutingPriority,
    field: &'static str,
    form: Form,
    in_budget: bool,
}

fn breaker(setting: Setting) -> Option<Breaker> {
    use Setting as S;
    let of = |priority, field, form| Breaker { list: "thresholds", priority, field, form, in_budget: false };
    let count = |priority, field| Some(of(priority, field, Form::Count));
    match setting {
        S::MaxConnections(p) => count(p, "max_connections"),
        S::MaxPendingRequests(p) => count(p, "max_pending_requests"),
        S::MaxRequests(p) => count(p, "max_requests"),
        S::MaxRetries(p) => count(p, "max_retries"),
        S::MaxConnectionPools(p) => count(p, "max_connection_pools"),
        S::TrackRemaining(p) => Some(of(p, "track_remaining", Form::Flag)),
        S::RetryBudget(p) => Some(of(p, "retry_budget", Form::Flag)),
        S::BudgetPercent(p) => {
            Some(Breaker { in_budget: true, ..of(p, "budget_percent", Form::PercentMessage) })
        }
        S::MinRetryConcurrency(p) => {
            Some(Breaker { in_budget: true, ..of(p, "min_retry_concurrency", Form::Count) })
        }
        S::PerHostMaxConnections => {
            let of = of(RoutingPriority::Default, "max_connections", Form::Count);
            Some(Breaker { list: "per_host_thresholds", ..of })
        }
        _ => None,
    }
}

fn limits(
    cx: &mut Cx<'_, '_>,
    cluster: &ClusterConfig,
    (root, part): (At, Part),
    breaker: &Breaker,
    value: Wanted<'_>,
) -> Result<(), Refused> {
    let is_generated = breaker.list == "thresholds" && breaker.priority == RoutingPriority::Default;
    if cluster.origin.dialect == Dialect::Istio && is_generated {
        return Err(
            "Istio writes the DEFAULT entry before those of a patch, and the first one counts: set it in \
                    the DestinationRule of the host"
                .to_owned(),
        );
    }
    let creates = value.is_some();
    let breakers = match (part, creates) {
        (Part::Breakers, _) => Some(root),
        (_, true) => Some(cx.editor.enter(root, "circuit_breakers")?),
        (_, false) => cx.editor.below(root, "circuit_breakers")?,
    };
    let Some(breakers) = breakers else { return Ok(()) };
    let Some(entry) = entry(cx, breakers, breaker.list, breaker.priority, creates)? else { return Ok(()) };
    if breaker.field == "retry_budget" {
        return switch(cx, entry, "retry_budget", value);
    }
    let map = match (breaker.in_budget, creates) {
        (false, _) => Some(entry),
        (true, true) => Some(cx.editor.enter(entry, "retry_budget")?),
        (true, false) => cx.editor.below(entry, "retry_budget")?,
    };
    let Some(map) = map else { return Ok(()) };
    write(cx.editor, map, breaker.field, value, (breaker.form, PROTO))
}

/// The entry in force for a priority: the first one.
fn entry(
    cx: &mut Cx<'_, '_>,
    breakers: At,
    list: &str,
    priority: RoutingPriority,
    creates: bool,
) -> Result<Option<At>, Refused> {
    if let Some(entries) = cx.editor.below(breakers, list)? {
        for item in cx.editor.items(entries) {
            let word = cx.editor.text_of(item, "priority");
            let is_high = word.is_some_and(|w| w.eq_ignore_ascii_case("HIGH") || w == "1");
            if is_high == (priority == RoutingPriority::High) {
                return cx.editor.open(item).map(Some);
            }
        }
    }
    if !creates {
        return Ok(None);
    }
    let new = cx.editor.new_map(false);
    if priority == RoutingPriority::High {
        cx.editor.set(At::New(new), "priority", Single::text(priority.as_str()), PROTO)?;
    }
    cx.editor.push(breakers, list, new)?;
    Ok(Some(At::New(new)))
}
